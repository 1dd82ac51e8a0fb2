//! Options of every example.

use std::{
    fs::{self, OpenOptions},
    io::ErrorKind,
    path::PathBuf,
    time::Duration,
};

use bevy::math::UVec2;
use clap::Args;

/// The kind of run: in a window, for a screenshot, or without a window.
///
/// Flatten it into an example's own clap parser.
#[derive(Args, Debug, Clone, Default, PartialEq)]
pub struct RunOptions {
    /// Run the same level and orders without window or graphics card, print the result and exit
    #[arg(long, conflicts_with_all = ["screenshot", "after"])]
    pub headless: bool,

    /// Save a picture of the window to FILE (.png) and exit
    #[arg(long, value_name = "FILE", value_parser = png_file)]
    pub screenshot: Option<PathBuf>,

    /// Wait this long before the screenshot, in seconds of real time from the first frame that shows everything
    #[arg(long, value_name = "SECONDS", default_value = "6", requires = "screenshot", value_parser = seconds)]
    pub after: Duration,

    /// Open a window of this size, in pixels, such as 1920x1080
    #[arg(long, value_name = "WIDTHxHEIGHT", value_parser = window_size, conflicts_with = "headless")]
    pub window: Option<UVec2>,
}

/// The least and the greatest side of a window, in pixels.
const WINDOW_SIDES: std::ops::RangeInclusive<u32> = 240..=8192;

/// Parses the size of a window, for the command line.
fn window_size(text: &str) -> Result<UVec2, String> {
    let side = |text: &str| text.trim().parse().ok().filter(|side| WINDOW_SIDES.contains(side));
    text.split_once('x').and_then(|(width, height)| Some(UVec2::new(side(width)?, side(height)?))).ok_or_else(
        || {
            let (least, most) = (WINDOW_SIDES.start(), WINDOW_SIDES.end());
            format!("give width and height from {least} to {most}, such as 1920x1080")
        },
    )
}

/// Parses the name of a picture file, for the command line.
fn png_file(text: &str) -> Result<PathBuf, String> {
    file_to_write(text, "png").map_err(|fault| format!("the picture is written as PNG: {fault}"))
}

/// Parses the name of a recording file, for the command line.
///
/// A program that cannot save its recording fails here, before it records.
///
/// # Errors
/// If the name does not end in `.ron`, or the file cannot be written. The message has the reason.
pub fn recording_file(text: &str) -> Result<PathBuf, String> {
    file_to_write(text, "ron")
}

/// Checks that a file can be written: it has the right extension, its folder exists, and it opens.
/// An existing file is not changed, and a new file is removed again.
fn file_to_write(text: &str, ending: &str) -> Result<PathBuf, String> {
    let path = PathBuf::from(text);
    if path.extension().is_none_or(|extension| !extension.eq_ignore_ascii_case(ending)) {
        return Err(format!("give a name that ends in .{ending}"));
    }
    if let Some(folder) = path.parent()
        && !folder.as_os_str().is_empty()
        && !folder.is_dir()
    {
        return Err(format!("there is no folder {}: create it first", folder.display()));
    }
    // Several programs or tests may check one name at the same time. Only the one that made the
    // file removes it.
    let tried = match OpenOptions::new().write(true).create_new(true).open(&path) {
        Ok(_) => fs::remove_file(&path),
        Err(error) if error.kind() == ErrorKind::AlreadyExists => {
            match OpenOptions::new().append(true).open(&path) {
                Err(error) if error.kind() == ErrorKind::NotFound => Ok(()),
                opened => opened.map(drop),
            }
        }
        Err(error) => Err(error),
    };
    tried.map_err(|error| format!("{text} cannot be written: {error}"))?;
    Ok(path)
}

fn seconds(text: &str) -> Result<Duration, String> {
    text.parse::<f32>()
        .ok()
        .and_then(|number| Duration::try_from_secs_f32(number).ok())
        .ok_or_else(|| "expected a number of seconds, zero or more, such as 2.5".into())
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;

    #[derive(Parser)]
    struct Example {
        #[command(flatten)]
        run: RunOptions,
    }

    fn parse(arguments: &[&str]) -> Result<RunOptions, clap::Error> {
        Example::try_parse_from(["example"].iter().chain(arguments)).map(|example| example.run)
    }

    #[test]
    fn screenshot_waits_for_the_given_time() {
        let run = parse(&["--screenshot", "shot.png", "--after", "2.5"]).unwrap();
        assert_eq!(run.screenshot, Some(PathBuf::from("shot.png")));
        assert_eq!(run.after, Duration::from_millis(2500));
    }

    #[test]
    fn a_window_has_the_size_that_is_named() {
        assert_eq!(parse(&["--window", "1920x1080"]).unwrap().window, Some(UVec2::new(1920, 1080)));
        assert_eq!(parse(&[]).unwrap().window, None);
    }

    #[test]
    fn wrong_options_are_refused() {
        for arguments in [
            &["--screenshot", "shot.gif"][..],
            &["--screenshot", "no-such-folder/shot.png"],
            &["--screenshot", "shot.png", "--after", "-1"],
            &["--screenshot", "shot.png", "--after", "NaN"],
            &["--after", "1"],
            &["--headless", "--screenshot", "shot.png"],
            &["--headless", "--window", "1920x1080"],
            &["--window", "1920"],
            &["--window", "1920x0"],
            &["--window", "99999x720"],
        ] {
            assert!(parse(arguments).is_err(), "{arguments:?}");
        }
    }

    #[test]
    fn a_recording_that_cannot_be_written_is_refused_by_name() {
        let scratch = std::env::temp_dir().join(format!("tilepath-options-{}", std::process::id()));
        fs::create_dir_all(scratch.join("folder.ron")).unwrap();
        let name = |file: &str| scratch.join(file).display().to_string();
        for (file, reason) in [
            ("no-such-folder/a.ron", "no-such-folder"),
            ("folder.ron", "folder.ron cannot be written"),
            ("a.txt", "ends in .ron"),
        ] {
            let fault = recording_file(&name(file)).unwrap_err();
            assert!(fault.contains(reason), "{file}: {fault}");
        }
        assert_eq!(recording_file(&name("new.ron")), Ok(scratch.join("new.ron")));
        assert!(!scratch.join("new.ron").exists(), "asking leaves no file behind");
        fs::write(scratch.join("old.ron"), "kept").unwrap();
        assert!(recording_file(&name("old.ron")).is_ok());
        assert_eq!(fs::read_to_string(scratch.join("old.ron")).unwrap(), "kept");
        fs::remove_dir_all(scratch).unwrap();
    }

    #[test]
    fn several_may_request_one_name_at_once() {
        let scratch = std::env::temp_dir().join(format!("tilepath-options-at-once-{}", std::process::id()));
        fs::create_dir_all(&scratch).unwrap();
        let name = scratch.join("shared.ron").display().to_string();
        std::thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| {
                    for _ in 0..2000 {
                        recording_file(&name).unwrap();
                    }
                });
            }
        });
        assert!(!scratch.join("shared.ron").exists(), "asking leaves no file behind");
        fs::remove_dir_all(scratch).unwrap();
    }
}

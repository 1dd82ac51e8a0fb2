//! Options that every example understands.

use std::{path::PathBuf, time::Duration};

use clap::Args;

/// How to run: in a window, in a window that is photographed, or without one.
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

    /// Wait this long before the screenshot, in seconds of real time
    #[arg(long, value_name = "SECONDS", default_value = "6", requires = "screenshot", value_parser = seconds)]
    pub after: Duration,
}

fn png_file(text: &str) -> Result<PathBuf, String> {
    let path = PathBuf::from(text);
    if path.extension().is_none_or(|extension| !extension.eq_ignore_ascii_case("png")) {
        return Err("the picture is written as PNG: give a name that ends in .png".into());
    }
    match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() && !folder.is_dir() => {
            Err(format!("there is no folder {}: create it first", folder.display()))
        }
        _ => Ok(path),
    }
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
    fn a_screenshot_waits_as_long_as_it_is_told() {
        let run = parse(&["--screenshot", "shot.png", "--after", "2.5"]).unwrap();
        assert_eq!(run.screenshot, Some(PathBuf::from("shot.png")));
        assert_eq!(run.after, Duration::from_millis(2500));
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
        ] {
            assert!(parse(arguments).is_err(), "{arguments:?}");
        }
    }
}

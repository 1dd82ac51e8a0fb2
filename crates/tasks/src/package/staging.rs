//! The staged workspace: the files of both packages, each with the manifest that it is published with.

use std::path::{Path, PathBuf};

use super::{
    files::{copy, read, remove_folder, write},
    links, manifest,
    versions::Bevy,
};
use crate::git::git;

/// The two crates, by the names of their folders.
const CRATES: [&str; 2] = ["tilepath", "bevy_tilepath"];
/// The files and folders from which archives are made.
const SOURCES: [&str; 8] = [
    "crates/tilepath",
    "crates/bevy_tilepath",
    "ports/bevy_0_20",
    "LICENSE-APACHE",
    "LICENSE-MIT",
    "Cargo.lock",
    "Cargo.toml",
    "README.md",
];
const LICENCES: [&str; 2] = ["LICENSE-APACHE", "LICENSE-MIT"];

/// Writes the workspace into a folder below `target` and returns the folder. Only tracked files are copied.
///
/// # Errors
///
/// If a tracked file differs from the last commit, or a file is not tracked, and this is not allowed; or if a file
/// cannot be read or written.
pub(super) fn stage(bevy: Bevy, is_dirty_allowed: bool) -> Result<PathBuf, String> {
    if !is_dirty_allowed {
        check_clean()?;
    }
    let staging = Path::new("target/package-staging").join(bevy.folder());
    remove_folder(&staging)?;
    write(&staging.join("Cargo.toml"), manifest::workspace(&read(Path::new("Cargo.toml"))?))?;
    copy(Path::new(bevy.lock_file()), &staging.join("Cargo.lock"))?;
    for name in CRATES {
        stage_crate(name, &staging.join(name))?;
    }
    let plugin = Path::new("crates/bevy_tilepath/Cargo.toml");
    if bevy == Bevy::V0_20 {
        let port = manifest::port(&read(Path::new("ports/bevy_0_20/Cargo.toml"))?, &read(plugin)?);
        write(&staging.join("bevy_tilepath/Cargo.toml"), port)?;
        copy(Path::new("ports/bevy_0_20/build.rs"), &staging.join("bevy_tilepath/build.rs"))?;
    }
    Ok(staging)
}

fn stage_crate(name: &str, staged: &Path) -> Result<(), String> {
    let folder = format!("crates/{name}");
    let tracked = git(&["ls-files", "-z", "--", &folder])?;
    for path in tracked.split_terminator('\0') {
        let Some(file) = path.strip_prefix(&format!("{folder}/")).filter(|file| is_published(file)) else {
            continue;
        };
        let (from, to) = (Path::new(path), staged.join(file));
        if file == "Cargo.toml" {
            write(&to, manifest::member(&read(from)?))?;
        } else if from.extension().is_some_and(|extension| extension == "md") {
            let place = path.rsplit_once('/').map_or("", |(place, _)| place);
            write(&to, links::absolute(&read(from)?, place))?;
        } else {
            copy(from, &to)?;
        }
    }
    for licence in LICENCES {
        copy(Path::new(licence), &staged.join(licence))?;
    }
    Ok(())
}

/// Returns whether a file of a crate belongs into its archive.
fn is_published(file: &str) -> bool {
    ["Cargo.toml", "README.md"].contains(&file)
        || ["src/", "docs/", "examples/"].iter().any(|folder| file.starts_with(folder))
}

/// Checks that the last commit has these files.
fn check_clean() -> Result<(), String> {
    let calls: [&[&str]; 2] =
        [&["diff", "--name-only", "HEAD", "--"], &["ls-files", "--others", "--exclude-standard", "--"]];
    let mut dirty = String::new();
    for call in calls {
        dirty.push_str(&git(&[call, &SOURCES].concat())?);
    }
    if dirty.is_empty() {
        return Ok(());
    }
    Err(format!(
        "these files differ from the last commit, or are not tracked: commit them, or pass --allow-dirty, which packages \
         tracked files as they are and leaves the others out\n{dirty}"
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tests_and_other_folders_are_left_out() {
        for (file, expected) in [
            ("Cargo.toml", true),
            ("README.md", true),
            ("src/lib.rs", true),
            ("docs/bevy_0_20/ldtk.rs", true),
            ("examples/basic.rs", true),
            ("tests/agents.rs", false),
            ("proptest-regressions/a.txt", false),
        ] {
            assert_eq!(is_published(file), expected, "{file}");
        }
    }
}

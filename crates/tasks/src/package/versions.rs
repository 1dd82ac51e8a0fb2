//! The versions of Bevy, and the table of versions in the plugin's README.

use std::process::Command;

use clap::ValueEnum;

/// A version of Bevy for which the plugin is published.
#[derive(ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Bevy {
    #[value(name = "0.19")]
    V0_19,
    #[value(name = "0.20")]
    V0_20,
}

impl Bevy {
    /// All versions, in the order in which they are published.
    pub(super) const ALL: [Self; 2] = [Self::V0_19, Self::V0_20];

    pub(super) fn number(self) -> &'static str {
        match self {
            Self::V0_19 => "0.19",
            Self::V0_20 => "0.20",
        }
    }

    /// Returns the name of the folder in which the packages are staged.
    pub(super) fn folder(self) -> &'static str {
        match self {
            Self::V0_19 => "bevy_0_19",
            Self::V0_20 => "bevy_0_20",
        }
    }

    /// Returns the lock file with which a build begins.
    pub(super) fn lock_file(self) -> &'static str {
        match self {
            Self::V0_19 => "Cargo.lock",
            Self::V0_20 => "ports/bevy_0_20/Cargo.lock",
        }
    }
}

/// A row of the table of versions.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Versions {
    pub(super) plugin: String,
    pub(super) bevy: String,
    pub(super) tilemap: String,
    pub(super) rust: String,
}

impl Versions {
    /// Returns the row for a version of Bevy.
    ///
    /// # Errors
    ///
    /// If the section "Versions" of the README has no such row.
    pub(super) fn read(readme: &str, bevy: Bevy) -> Result<Self, String> {
        let section = readme.split_once("\n## Versions\n").map_or("", |(_, rest)| rest);
        let rows = section.lines().take_while(|line| !line.starts_with("## "));
        for row in rows.filter(|line| line.starts_with('|')) {
            let cells: Vec<&str> = row.split('|').map(|cell| cell.trim().trim_matches('`')).collect();
            if let [_, plugin, number, tilemap, _tiled, _ldtk, rust, ..] = cells[..]
                && number == bevy.number()
            {
                let [plugin, bevy, tilemap, rust] = [plugin, number, tilemap, rust].map(str::to_owned);
                return Ok(Self { plugin, bevy, tilemap, rust });
            }
        }
        Err(format!(
            "the table of versions in crates/bevy_tilepath/README.md has no row for Bevy {}",
            bevy.number()
        ))
    }
}

/// Returns the numbers of a version: 1.95 is 1, 95, 0.
fn numbers(version: &str) -> [u32; 3] {
    let mut parts = version.split(['.', '-', '+']).map(|part| part.parse().unwrap_or(0));
    [(); 3].map(|()| parts.next().unwrap_or(0))
}

/// Returns the version of the compiler.
pub(super) fn compiler() -> Result<String, String> {
    let output =
        Command::new("rustc").arg("--version").output().map_err(|error| format!("rustc: {error}"))?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let version = text.split_whitespace().nth(1).map(str::to_owned);
    version.ok_or_else(|| format!("`rustc --version` has printed no version: {text}"))
}

/// Returns whether the compiler is older than the version that Bevy states.
pub(super) fn is_older(compiler: &str, needed: &str) -> bool {
    numbers(compiler) < numbers(needed)
}

#[cfg(test)]
mod tests {
    use super::*;

    const README: &str = "# Name\n\n| a | 0.19 |\n\n## Versions\n\n\
        | bevy_tilepath | Bevy | bevy_ecs_tilemap | bevy_ecs_tiled | bevy_ecs_ldtk | Rust | folder |\n|---|---|\n\
        | 0.2 | 0.20 | 0.20 | 0.15 | 0.16 | 1.97.1 | `ports/bevy_0_20` |\n\n## More\n\n\
        | 9 | 0.19 | 9 | 9 | 9 | 9 | 9 |\n";

    #[test]
    fn row_of_the_table_is_read_and_other_tables_are_not() {
        let [plugin, bevy, tilemap, rust] = ["0.2", "0.20", "0.20", "1.97.1"].map(str::to_owned);
        let expected = Versions { plugin, bevy, tilemap, rust };
        assert_eq!(Versions::read(README, Bevy::V0_20), Ok(expected));
        assert!(Versions::read(README, Bevy::V0_19).unwrap_err().contains("no row for Bevy 0.19"));
    }

    #[test]
    fn versions_of_the_compiler_compare_as_numbers() {
        for (compiler, needed, older) in [
            ("1.95.0", "1.97.1", true),
            ("1.97.0-nightly", "1.97.1", true),
            ("1.97.1", "1.97.1", false),
            ("1.100.0", "1.97.1", false),
            ("1.95.0", "1.95", false),
        ] {
            assert_eq!(is_older(compiler, needed), older, "{compiler} for {needed}");
        }
    }
}

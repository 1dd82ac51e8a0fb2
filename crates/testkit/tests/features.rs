//! One build: `cargo test -p bevy_tilepath` takes each package with the features that the workspace gives it.

use std::{collections::BTreeSet, path::Path, process::Command};

/// Returns each package that these arguments choose, or that it depends on, with its version and its features.
fn packages(arguments: &[&str]) -> BTreeSet<String> {
    let output = Command::new(env!("CARGO"))
        .current_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("../.."))
        .args(["tree", "--locked", "--quiet", "--edges", "normal,build,dev", "--prefix", "none"])
        .args(["--format", "{p} [{f}]"])
        .args(arguments)
        .output()
        .expect("cargo has started this test");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let lines = String::from_utf8(output.stdout).expect("names of packages");
    // A star stands behind a package whose dependencies have been listed before.
    lines.lines().map(|line| line.trim_end_matches(" (*)").to_owned()).collect()
}

#[test]
fn plugin_alone_is_built_with_the_features_of_the_workspace() {
    let (all, plugin) = (packages(&["--workspace"]), packages(&["--package", "bevy_tilepath"]));
    assert!(plugin.iter().any(|package| package.starts_with("bevy_ecs_tilemap ")), "{plugin:?}");
    let other: Vec<_> = plugin.difference(&all).collect();
    assert!(
        other.is_empty(),
        "these packages are built twice: {other:#?}. Add to crates/testkit/Cargo.toml the features that other \
         members of the workspace ask for"
    );
}

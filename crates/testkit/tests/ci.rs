//! The order of `.ci/run`: what needs no Bevy comes before anything that builds it.

use std::{fs, path::Path};

/// Returns the commands of `.ci/run` that start cargo or a tool of its own, in their order.
fn commands() -> Vec<String> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../.ci/run");
    let text = fs::read_to_string(path).expect(".ci/run is there");
    let lines = text.lines().map(str::trim).filter(|line| !line.starts_with('#'));
    lines.filter(|line| line.starts_with("cargo ") || *line == "typos").map(str::to_owned).collect()
}

#[test]
fn checks_that_need_no_bevy_come_first_and_in_their_order() {
    let commands = commands();
    let place = |command: &str| {
        let found = commands.iter().position(|line| line.starts_with(command));
        found.unwrap_or_else(|| panic!(".ci/run does not start `{command}`"))
    };
    let first = ["cargo run --quiet -p tasks -- format words", "typos", "cargo test -p testkit"];
    let places = first.map(place);
    assert!(places.is_sorted(), "{commands:#?}");
    let bevy = place("cargo test --workspace");
    assert!(places[2] < bevy, "{commands:#?}");
    for line in &commands[..bevy] {
        let needs_no_bevy =
            ["cargo fmt ", "cargo clippy --version"].iter().any(|tool| line.starts_with(tool));
        assert!(needs_no_bevy || first.contains(&line.as_str()), "`{line}` may build Bevy before it is due");
    }
}

//! Checks before a change is merged, by name: `cargo run -p tasks -- lint docs`.
//!
//! `.ci/run` and the workflows run these tasks too, so that each is defined only once.

mod api;
mod book;
mod git;
mod instructions;
mod package;
mod page;
#[cfg(test)]
mod port;
mod rename;
mod same_code;
mod words;

use std::{
    env,
    path::PathBuf,
    process::{Command, ExitCode},
};

use clap::{Parser, ValueEnum};

/// Runs tasks in the given order until a task fails
#[derive(Parser, Debug)]
#[command(version, name = "tasks")]
struct Options {
    /// The tasks to run
    #[arg(required = true)]
    tasks: Vec<Task>,
    /// Let `api` and `instructions` only compare the files, without writing them
    #[arg(long)]
    check: bool,
    /// Let `words` read only these files and folders
    #[arg(long, num_args = 1..)]
    only: Vec<PathBuf>,
    /// The commit with which `same-code` compares
    #[arg(long, default_value = "HEAD")]
    since: String,
    /// The list of `rename` and `same-code`: on each line `path old new`
    #[arg(long)]
    names: Option<PathBuf>,
    #[command(flatten)]
    package: package::PackageOptions,
}

#[derive(ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
enum Task {
    /// All sources are formatted
    Format,
    /// Everything is tested: unit, property, app and documentation tests
    Test,
    /// No warning of clippy, also in packages that are separate workspaces
    Lint,
    /// No warning of rustdoc, and no dead link in the guide, which `mdbook` builds if it is there
    Docs,
    /// The public items of both crates are written to `api/`
    Api,
    /// Phrases that must be read twice are counted in comments, documents and messages
    Words,
    /// The sources have the code of another commit: only comments and strings differ, and the functions of `--names`
    SameCode,
    /// The functions of `--names` get other names, in their files and in documents
    Rename,
    /// The instructions that a query takes are counted under valgrind and written to `benches/INSTRUCTIONS.md`
    Instructions,
    /// Each crate builds without features, with each feature alone, and with all features
    Features,
    /// Both crates build for the web
    Web,
    /// The examples are built as one web page, in `page/target/page`
    Page,
    /// The page is tried in a browser: each example, links, and the hashes of searches and of a game
    PageTest,
    /// The archives for crates.io are complete, and the README's quick start runs with them outside of the tree
    Package,
}

/// The features of each published crate that are built alone.
const FEATURES: [(&str, &[&str]); 2] = [
    ("tilepath", &["serde", "recording", "xml", "ron", "rules"]),
    (
        "bevy_tilepath",
        &["tilemap", "tilemap_chunk", "debug_draw", "recording", "serde", "waypoint_asset", "rules_asset"],
    ),
];

impl Task {
    /// Returns the arguments of `cargo`, one line for each call.
    fn calls(self) -> Vec<String> {
        let lines: &[&str] = match self {
            Self::Format => &[
                "fmt --all --check",
                "fmt --manifest-path benches/Cargo.toml --check",
                "fmt --manifest-path editors/Cargo.toml --check",
                "fmt --manifest-path net/Cargo.toml --check",
                "fmt --manifest-path page/Cargo.toml --all --check",
                "fmt --manifest-path ports/bevy_0_20/Cargo.toml --check",
            ],
            Self::Test => &["test --workspace"],
            Self::Lint => &[
                "clippy --workspace --all-targets -- -D warnings",
                "clippy --manifest-path benches/Cargo.toml -- -D warnings",
                "clippy --manifest-path benches/Cargo.toml --features plugin --bin plugin -- -D warnings",
                "clippy --manifest-path editors/Cargo.toml --target-dir target --all-targets -- -D warnings",
                "clippy --manifest-path net/Cargo.toml --target-dir target --all-targets -- -D warnings",
            ],
            Self::Docs => &["doc --workspace --no-deps"],
            Self::Api
            | Self::Words
            | Self::SameCode
            | Self::Rename
            | Self::Instructions
            | Self::Package
            | Self::Page
            | Self::PageTest => &[],
            Self::Features => return feature_calls(),
            Self::Web => &[
                "check -p tilepath --target wasm32-unknown-unknown",
                "check -p bevy_tilepath --target wasm32-unknown-unknown --no-default-features",
            ],
        };
        lines.iter().map(|&line| line.to_owned()).collect()
    }
}

fn feature_calls() -> Vec<String> {
    let alone = |(name, features): (&str, &[&str])| -> Vec<String> {
        let plain = format!("check -p {name} --no-default-features");
        let with = |feature: &&str| format!("{plain} --features {feature}");
        let all = format!("check -p {name} --all-features");
        [plain.clone()].into_iter().chain(features.iter().map(with)).chain([all]).collect()
    };
    FEATURES.into_iter().flat_map(alone).collect()
}

fn main() -> ExitCode {
    if let Some(real) = env::var_os(api::RUSTDOC) {
        return api::as_rustdoc(&real);
    }
    let Options { tasks, check, only, since, names, package } = Options::parse();
    for task in tasks {
        let answer = match task {
            Task::Api => api::run(check),
            Task::Docs => book::run(),
            Task::Words => words::run(&only),
            Task::SameCode => same_code::run(&since, names.as_deref()),
            Task::Rename => {
                names.as_deref().ok_or_else(|| "rename needs --names FILE".to_owned()).and_then(rename::run)
            }
            Task::Instructions => instructions::run(check),
            Task::Package => package::run(&package),
            Task::Page => page::build(),
            Task::PageTest => page::test(),
            _ => Ok(()),
        };
        if let Err(message) = answer {
            return fail(&message);
        }
        for call in task.calls() {
            let mut cargo = Command::new("cargo");
            cargo.args(call.split_whitespace());
            if task == Task::Docs {
                cargo.env("RUSTDOCFLAGS", "-D warnings");
            }
            if !cargo.status().is_ok_and(|status| status.success()) {
                return fail(&format!("cargo {call}"));
            }
        }
    }
    ExitCode::SUCCESS
}

#[expect(clippy::print_stderr, reason = "a command line says on this stream which task has failed")]
fn fail(message: &str) -> ExitCode {
    eprintln!("failed: {message}");
    ExitCode::FAILURE
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the names before the equals signs in the section `[features]`.
    fn declared(manifest: &str) -> Vec<&str> {
        manifest
            .lines()
            .skip_while(|line| *line != "[features]")
            .skip(1)
            .take_while(|line| !line.starts_with('['))
            .filter_map(|line| line.split_once(" = ").map(|(name, _)| name))
            .filter(|name| *name != "default")
            .collect()
    }

    #[test]
    fn every_feature_is_tried() {
        let manifests =
            [include_str!("../../tilepath/Cargo.toml"), include_str!("../../bevy_tilepath/Cargo.toml")];
        for ((name, features), manifest) in FEATURES.into_iter().zip(manifests) {
            let (mut tried, mut declared) = (features.to_vec(), declared(manifest));
            tried.sort_unstable();
            declared.sort_unstable();
            assert_eq!(tried, declared, "{name}");
        }
    }
}

//! The command line `tilepath`: arguments and files in, exit code and text out.

#![expect(clippy::unwrap_used, reason = "a test that cannot make its files should stop")]

mod bad_input;
mod colours;
mod explain;
mod forbidden;
mod graph;
mod hostile;
mod input;
mod link;
mod lint;
mod moving_ai;
mod pictures;
mod range;
mod replay;
mod rules;
mod scen;
mod solve;
mod topology;
mod turns;
mod units;
mod view;
mod what_if;

use std::{
    fs,
    path::PathBuf,
    process::{Command, Output, Stdio},
};
use tempfile::TempDir;

/// A temporary folder for one test.
struct Workshop {
    folder: TempDir,
}

impl Workshop {
    fn new() -> Self {
        Self { folder: tempfile::tempdir().unwrap() }
    }

    /// Returns the path of a file in the folder.
    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Writes a file into the folder.
    fn file(&self, name: &str, text: impl AsRef<[u8]>) -> PathBuf {
        let path = self.path(name);
        fs::write(&path, text).unwrap();
        path
    }

    /// Runs the command in the folder with a text as its standard input.
    fn run_with(&self, arguments: &[&str], input: &str) -> Run {
        let text = tempfile::NamedTempFile::new().unwrap();
        fs::write(text.path(), input).unwrap();
        let mut command = Command::new(env!("CARGO_BIN_EXE_tilepath"));
        let standard_input = Stdio::from(fs::File::open(text.path()).unwrap());
        Run::of(command.args(arguments).current_dir(self.folder.path()).stdin(standard_input))
    }

    /// Runs the command in the folder, so that messages have the short names of files.
    fn run(&self, arguments: &[&str]) -> Run {
        Run::of(Command::new(env!("CARGO_BIN_EXE_tilepath")).args(arguments).current_dir(self.folder.path()))
    }
}

/// The result of a run of the command.
#[derive(Debug)]
struct Run {
    code: i32,
    output: String,
    errors: String,
}

impl Run {
    fn of(command: &mut Command) -> Self {
        let Output { status, stdout, stderr } = command.output().unwrap();
        Self {
            code: status.code().unwrap(),
            output: String::from_utf8(stdout).unwrap(),
            errors: String::from_utf8(stderr).unwrap(),
        }
    }

    /// Returns the object that `--json` printed.
    #[track_caller]
    fn json(&self) -> serde_json::Value {
        serde_json::from_str(&self.output).unwrap_or_else(|error| panic!("{error}: {self:?}"))
    }

    /// Returns the last line on standard error.
    fn counts(&self) -> &str {
        self.errors.lines().last().unwrap_or_default()
    }
}

/// Returns the path of a file in the project's assets.
fn asset(name: &str) -> String {
    format!("{}/../../assets/{name}", env!("CARGO_MANIFEST_DIR"))
}

/// Returns a map of 12 rows × 15 columns: cost 2, with a road of cost 1 in column 10 and walls in
/// row 6, columns 2 to 8.
fn golden() -> String {
    let cost = |row, column| match (row, column) {
        (_, 10) => "1",
        (6, 2..=8) => "0",
        _ => "2",
    };
    let row = |row| (0..15).map(|column| cost(row, column)).collect::<Vec<_>>().join(" ");
    (0..12).map(|index| row(index) + "\n").collect()
}

/// Returns a MovingAI map of these rows.
fn moving_ai(rows: &[&str]) -> String {
    let width = rows.first().map_or(0, |row| row.len());
    format!("type octile\nheight {}\nwidth {width}\nmap\n{}\n", rows.len(), rows.join("\n"))
}

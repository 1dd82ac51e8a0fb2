//! Instructions that a query or a decision takes, counted by callgrind.
//!
//! Times differ between machines and hide small losses; counts of instructions do not. The figures
//! stand in `benches/INSTRUCTIONS.md`.

use std::{env, fmt::Write as _, fs, path::Path, process::Command};

const FIGURES: &str = "benches/INSTRUCTIONS.md";
const PROGRAM: &str = "benches/target/release/instructions";
/// The percentage of a stored figure that is allowed.
const MOST_PERCENT: u64 = 103;

/// A row of the table: a map and a rule, or `crowd` and a scene; the figure of the commit that was
/// the fastest, if it had one; and the stored figure.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Row {
    map: String,
    rule: String,
    fastest: Option<u64>,
    stored: u64,
}

impl Row {
    fn parse(line: &str) -> Option<Self> {
        let cells: Vec<&str> = line.strip_prefix("| ")?.strip_suffix(" |")?.split(" | ").collect();
        let [map, rule, fastest, stored] = cells.try_into().ok()?;
        let stored = stored.parse().ok()?;
        Some(Self { map: map.to_owned(), rule: rule.to_owned(), fastest: fastest.parse().ok(), stored })
    }

    /// Returns the most instructions that are allowed.
    fn most(&self) -> u64 {
        self.fastest.map_or(self.stored, |fastest| fastest.min(self.stored)) * MOST_PERCENT / 100
    }
}

/// Counts the instructions of each row. Compares them with the figures, or writes them. Figures of
/// another compiler are not compared.
///
/// # Errors
/// If there are no maps or there is no valgrind, if the program does not build or run, or if a count
/// is too high.
#[expect(clippy::print_stderr, reason = "a command line says on this stream what it skips")]
pub(crate) fn run(is_check: bool) -> Result<(), String> {
    let text = fs::read_to_string(FIGURES).map_err(|error| format!("{FIGURES}: {error}"))?;
    let compiler = compiler()?;
    if is_check && !text.contains(&format!("of {compiler} on")) {
        eprintln!("skipped: the figures in {FIGURES} are not of {compiler}");
        return Ok(());
    }
    let folder = env::var("MOVINGAI_DIR").map_err(|_| "MOVINGAI_DIR must name the folder of the maps")?;
    let built = Command::new("cargo")
        .args([
            "build",
            "--quiet",
            "--release",
            "--manifest-path",
            "benches/Cargo.toml",
            "--bin",
            "instructions",
        ])
        .env_remove("CARGO_TARGET_DIR")
        .status();
    if !built.is_ok_and(|status| status.success()) {
        return Err("the program `instructions` does not build".to_owned());
    }
    let mut written = String::new();
    let mut faults = String::new();
    for line in text.lines() {
        let Some(row) = Row::parse(line) else {
            _ = writeln!(written, "{line}");
            continue;
        };
        let count = count(Path::new(&folder), &row)?;
        let Row { map, rule, fastest, stored } = &row;
        let fastest = fastest.map_or("-".to_owned(), |fastest| fastest.to_string());
        _ = writeln!(written, "| {map} | {rule} | {fastest} | {count} |");
        if count > row.most() {
            _ = write!(faults, "\n{map}, {rule}: {count} instructions; stored {stored}, most {}", row.most());
        }
    }
    if !is_check {
        return fs::write(FIGURES, written).map_err(|error| format!("{FIGURES}: {error}"));
    }
    if faults.is_empty() {
        return Ok(());
    }
    Err(format!(
        "searches or decisions became slower:{faults}\nIf that is meant, renew {FIGURES}: cargo run -p tasks -- instructions"
    ))
}

/// Returns the name and version of the compiler.
fn compiler() -> Result<String, String> {
    let output =
        Command::new("rustc").arg("--version").output().map_err(|error| format!("rustc: {error}"))?;
    let told = String::from_utf8_lossy(&output.stdout).into_owned();
    let words: Vec<&str> = told.split_whitespace().take(2).collect();
    Ok(words.join(" "))
}

/// Returns the instructions of an operation in the mean, without those for reading the map and
/// preparing it: the difference between runs of four and of two rounds.
fn count(folder: &Path, row: &Row) -> Result<u64, String> {
    let (few, many) = (collected(folder, row, 2)?, collected(folder, row, 4)?);
    Ok((many.0 - few.0) / (many.1 - few.1).max(1))
}

/// Returns the instructions and the operations of a run.
fn collected(folder: &Path, Row { map, rule, .. }: &Row, rounds: u32) -> Result<(u64, u64), String> {
    let output = Command::new("valgrind")
        .args(["--tool=callgrind", "--callgrind-out-file=/dev/null", PROGRAM])
        .arg(folder)
        .args([map, rule, &rounds.to_string()])
        .output()
        .map_err(|error| format!("valgrind: {error}"))?;
    let told = String::from_utf8_lossy(&output.stderr).into_owned();
    let count = told.lines().find_map(|line| line.split_once("Collected : ")?.1.trim().parse().ok());
    let operations = String::from_utf8_lossy(&output.stdout).trim().parse().ok();
    let both = count.zip(operations).filter(|_| output.status.success());
    both.ok_or_else(|| format!("{map}, {rule}: {told}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_stored_figures_are_rows_and_none_is_over_the_fastest_by_more_than_allowed() {
        let text = include_str!("../../../benches/INSTRUCTIONS.md");
        let rows: Vec<Row> = text.lines().filter_map(Row::parse).collect();
        assert!(rows.len() >= 8, "{rows:?}");
        let fastest = |row: &&Row| row.fastest.is_some();
        assert_eq!(rows.iter().filter(fastest).count(), 6);
        for row in &rows {
            let most = row.fastest.map_or(u64::MAX, |fastest| fastest * MOST_PERCENT / 100);
            assert!(row.stored <= most, "{row:?}");
        }
    }

    #[test]
    fn a_count_over_the_stored_or_the_fastest_is_too_high() {
        let row = |line| Row::parse(line).expect("a row");
        assert_eq!(row("| maze | usual | 1000 | 900 |").most(), 927);
        assert_eq!(row("| maze | usual | 1000 | 1020 |").most(), 1030);
        assert_eq!(row("| maze | never | - | 900 |").most(), 927);
        assert_eq!(Row::parse("| map | rule | a77ff39 | now |"), None);
    }
}

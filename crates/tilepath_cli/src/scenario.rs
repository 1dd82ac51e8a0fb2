//! `tilepath scen`: queries of a MovingAI scenario, compared with a reference.

mod comparison;
mod maps;
mod record;
mod summary;

use crate::{
    Verdict,
    arguments::ScenArguments,
    failure::Failure,
    input::{name_of, read_argument},
    place::Place,
    printed::printed,
    question::status,
};
use comparison::{Comparison, Mismatch};
use indicatif::{ProgressBar, ProgressStyle};
use maps::{Maps, Reference};
use record::{Record, Records};
use std::{
    io::{self, IsTerminal, Write},
    time::{Duration, Instant},
};
use summary::Summary;
use tilepath::{
    Algorithm, Answer, Path, PathQuery, QueryError,
    format::{self, ScenarioRow},
};

/// The least number of queries for a progress bar.
const LONG_RUN: usize = 500;
/// The most mismatches that are listed; more are only counted.
const TOLD: usize = 20;

/// Runs the queries. The last line on standard error counts rows, closed rows and mismatches.
pub(crate) fn run(arguments: &ScenArguments, output: &mut impl Write) -> Result<Verdict, Failure> {
    let file = &arguments.scenario;
    let text = read_argument(file)?;
    let rows = format::parse_scenario(&text).map_err(|error| Failure::Text { file: file.clone(), error })?;
    let chosen = spread(&rows, arguments.limit);
    // All maps are read and checked before anything is printed, so that bad input leaves standard
    // output empty.
    let maps = Maps::load(arguments, &chosen)?;
    let comparison = Comparison::with_decimals_of(&rows);

    let mut records = arguments.csv.then(|| Records::begin(&mut *output)).transpose()?;
    let mut summary = Summary::default();
    let mut mismatches = Vec::new();
    let progress = progress_bar(chosen.len());
    for row in chosen {
        let run = run_row(row, arguments, &maps, comparison)?;
        if let Some(records) = &mut records {
            records.push(&run.record)?;
        }
        mismatches.extend(run.mismatch.map(|mismatch| (row, mismatch)));
        summary.add(&run.record);
        progress.inc(1);
    }
    progress.finish_and_clear();
    drop(records);

    if !arguments.csv {
        write!(output, "{}", summary.text(file, &maps))?;
    }
    output.flush()?;
    print_result(arguments, &mismatches, &summary);
    Ok(if mismatches.is_empty() { Verdict::Good } else { Verdict::Bad })
}

/// Returns at most this many rows, spread evenly over all rows. The first row is always one of
/// them.
fn spread(rows: &[ScenarioRow], limit: Option<u32>) -> Vec<&ScenarioRow> {
    let count = limit.map_or(rows.len(), |limit| rows.len().min(limit as usize));
    (0..count).map(|index| &rows[index * rows.len() / count]).collect()
}

fn progress_bar(rows: usize) -> ProgressBar {
    if rows < LONG_RUN || !io::stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let style = ProgressStyle::with_template("{wide_bar} {pos}/{len} queries, {eta} left");
    ProgressBar::new(rows as u64).with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()))
}

/// The result of one row.
struct RowRun {
    record: Record,
    mismatch: Option<Mismatch>,
}

fn run_row(
    row: &ScenarioRow,
    arguments: &ScenArguments,
    maps: &Maps,
    comparison: Comparison,
) -> Result<RowRun, Failure> {
    let map = maps.of(row);
    let bounds = map.finder.grid().bounds();
    let (from, to) = row
        .start_cell(&bounds)
        .zip(row.goal_cell(&bounds))
        .expect("the reader and the loader have checked that the row is inside its map");
    let mut record = Record::of(row);
    for (cell, closed) in [(from, record::START_BLOCKED), (to, record::GOAL_BLOCKED)] {
        if !map.is_open(cell) {
            record.status = closed;
            return Ok(RowRun { record, mismatch: None });
        }
    }

    let query = PathQuery::new(from, to).with_algorithm(arguments.movement.algorithm);
    let begin = Instant::now();
    let answer = map.finder.solve(&query);
    let time = begin.elapsed();
    match &answer {
        Ok(answer) => fill(&mut record, answer, time),
        Err(_) => record.status = "cost-overflow",
    }
    let refused = |error| Failure::Query { file: arguments.scenario.clone(), error };
    let found = Found::of(answer).map_err(refused)?;
    let mismatch = match map.reference {
        Reference::File => comparison.with_file(row, found),
        Reference::Dijkstra => {
            let expected = map.finder.solve(&query.with_algorithm(Algorithm::Dijkstra));
            comparison::with_dijkstra(Found::of(expected).map_err(refused)?, found)
        }
    };
    Ok(RowRun { record, mismatch })
}

/// The parts of a search's result that are compared.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Found {
    /// A path of this cost and length.
    Path { cost: u32, length: f64 },
    /// No path.
    Nothing,
    /// A path whose cost a `u32` does not hold.
    Overflow,
}

impl Found {
    fn of(answer: Result<Answer, QueryError>) -> Result<Self, QueryError> {
        let found = |path: &Path| Self::Path { cost: path.cost().get(), length: path.length() };
        match answer {
            Ok(answer) => Ok(answer.outcome.path().map_or(Self::Nothing, found)),
            Err(QueryError::CostOverflow) => Ok(Self::Overflow),
            Err(error) => Err(error),
        }
    }
}

fn fill(record: &mut Record, answer: &Answer, time: Duration) {
    record.status = status(&answer.outcome);
    record.expanded = Some(answer.statistics.expanded);
    record.nanoseconds = u64::try_from(time.as_nanos()).ok();
    if let Some(path) = answer.outcome.path() {
        record.cost = Some(path.cost().get());
        record.length = Some(path.length());
    }
}

fn print_result(arguments: &ScenArguments, mismatches: &[(&ScenarioRow, Mismatch)], summary: &Summary) {
    let told = mismatches.iter().take(TOLD).map(|(row, mismatch)| {
        let (file, line) = (printed(&name_of(&arguments.scenario)), row.line);
        format!("{file}: line {line}: {} to {}: {mismatch}", Place::from(row.start), Place::from(row.goal))
    });
    let untold = mismatches.len().saturating_sub(TOLD);
    let more = (untold > 0).then(|| format!("and {untold} more mismatches"));
    let counts =
        format!("rows {}, closed {}, mismatches {}", summary.rows(), summary.closed(), mismatches.len());
    let mut errors = io::stderr().lock();
    for line in told.chain(more).chain([counts]) {
        // If standard error is closed, only the exit code is left.
        let _ = writeln!(errors, "{line}");
    }
}

#[cfg(test)]
mod tests {
    use super::spread;
    use tilepath::format;

    #[test]
    fn limited_rows_are_spread_over_the_whole_file() {
        let text: Vec<String> = (0..10).map(|bucket| format!("{bucket} a.map 9 9 0 0 0 0 0")).collect();
        let rows = format::parse_scenario(&format!("version 1\n{}", text.join("\n"))).unwrap();
        let buckets = |limit| spread(&rows, limit).iter().map(|row| row.bucket).collect::<Vec<_>>();
        assert_eq!(buckets(Some(1)), [0]);
        assert_eq!(buckets(Some(3)), [0, 3, 6]);
        assert_eq!(buckets(Some(5)), [0, 2, 4, 6, 8]);
        assert_eq!(buckets(Some(99)), buckets(None));
        assert_eq!(buckets(None).len(), 10);
        assert!(spread(&[], Some(3)).is_empty());
    }
}

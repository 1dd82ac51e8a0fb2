//! `tilepath replay`: recordings, run again.

use crate::{
    Verdict,
    arguments::ReplayArguments,
    failure::Failure,
    input::read_argument,
    layout::Layout,
    picture::{self, Scene},
    printed::{json, printed},
    question, replay_tick,
};
use serde::Serialize;
use std::{
    fs,
    io::{self, Write},
    path::Path as FilePath,
};
use tilepath::{
    Cell, Path, QueryError, Statistics,
    recording::{Recording, ReplayError, Replayed, ReplayedAnswer, ReplayedQuestion},
};

/// Runs the recording, draws its answers if `--png` is given, and prints a line for each answer and
/// the counts.
pub(crate) fn run(arguments: &ReplayArguments, output: &mut impl Write) -> Result<Verdict, Failure> {
    let file = &arguments.recording;
    let text = read_argument(file)?;
    let recording = Recording::from_text(&text)
        .map_err(|error| Failure::Recording { file: file.clone(), error: Box::new(error) })?;
    if let Some(folder) = &arguments.png {
        fs::create_dir_all(folder).map_err(|error| Failure::Write { file: folder.clone(), error })?;
    }
    let mut lines = Vec::new();
    let mut drawn = Ok(0);
    let outcome = recording.replay(|answer| {
        if let ReplayedQuestion::Crowd { tick, .. } = answer.question {
            lines.extend(replay_tick::lines(tick, arguments.json));
        }
        lines.push(if arguments.json { json(&AnswerReport::new(answer)) } else { printed(&line(answer)) });
        if let (Some(folder), Ok(count)) = (&arguments.png, &drawn) {
            drawn = draw(answer, folder).map(|is_drawn| count + usize::from(is_drawn));
        }
    });
    let drawn = drawn?;
    let replayed = match outcome {
        Ok(replayed) | Err(ReplayError::Different { replayed, .. }) => replayed,
        Err(error) => return Err(Failure::Replay { file: file.clone(), error: Box::new(error) }),
    };
    if let Some(folder) = &arguments.png {
        let noun = if drawn == 1 { "picture" } else { "pictures" };
        // If standard error is closed, only the exit code is left.
        let _ =
            writeln!(io::stderr(), "wrote {drawn} {noun} into {}", printed(&folder.display().to_string()));
    }
    for line in lines {
        writeln!(output, "{line}")?;
    }
    if arguments.json {
        writeln!(output, "{}", json(&Counts::from(replayed)))?;
    } else {
        writeln!(output, "{replayed}")?;
    }
    output.flush()?;
    Ok(if replayed.different == 0 { Verdict::Good } else { Verdict::Bad })
}

/// Returns an answer as a line of text.
fn line(answer: &ReplayedAnswer<'_>) -> String {
    let layout = Layout::of_grid(answer.finder.grid());
    // Places off the map have no column and row.
    let name =
        |cell: Cell| layout.place(cell).map_or_else(|| format!("cell {cell}"), |place| place.to_string());
    let asked = match answer.question {
        ReplayedQuestion::Path { query, .. } => format!("{} to {}", name(query.start()), name(query.goal())),
        ReplayedQuestion::Nearest { query, .. } => {
            let (count, goals) = (query.count(), query.goals().len());
            format!("{} to the nearest {count} of {goals} goals", name(query.start()))
        }
        ReplayedQuestion::Crowd { tick, .. } => format!("a crowd of {} bodies", tick.before().len()),
        _ => String::new(),
    };
    let entry = answer.entry;
    if let Some(difference) = answer.difference {
        let (field, expected, found) = (difference.field, &difference.expected, &difference.found);
        return format!("entry {entry}: different: {asked}: {field}: expected {expected}, found {found}");
    }
    let found = Found::of(answer);
    if let Some(error) = found.error {
        return format!("entry {entry}: same: {asked}, refused: {error}");
    }
    let path =
        found.path.map_or_else(String::new, |path| format!(", cost {}, {} steps", path.cost(), path.steps()));
    let work = found.statistics.map_or_else(String::new, |statistics| {
        format!(", {}, {} cells expanded", statistics.algorithm, statistics.expanded)
    });
    format!("entry {entry}: same: {asked}, {}{path}{work}", found.status)
}

/// The answer of this run, for any kind of query.
struct Found<'a> {
    status: &'static str,
    /// The path, or the path to the nearest goal.
    path: Option<&'a Path>,
    statistics: Option<Statistics>,
    error: Option<QueryError>,
}

impl<'a> Found<'a> {
    fn of(answer: &ReplayedAnswer<'a>) -> Self {
        let refused = |error: &QueryError| Self {
            status: "refused",
            path: None,
            statistics: None,
            error: Some(*error),
        };
        match answer.question {
            ReplayedQuestion::Path { found: Ok(found), .. } => Self {
                status: question::status(&found.outcome),
                path: found.outcome.path_or_closest(),
                statistics: Some(found.statistics),
                error: None,
            },
            ReplayedQuestion::Nearest { found: Ok(found), .. } => Self {
                status: if found.goals.is_empty() { "unreachable" } else { "found" },
                path: found.goals.first().map(|goal| &goal.path),
                statistics: Some(found.statistics),
                error: None,
            },
            ReplayedQuestion::Path { found: Err(error), .. }
            | ReplayedQuestion::Nearest { found: Err(error), .. } => refused(error),
            ReplayedQuestion::Crowd { .. } => {
                Self { status: "decided", path: None, statistics: None, error: None }
            }
            _ => Self { status: "unknown", path: None, statistics: None, error: None },
        }
    }
}

/// The line of an answer with `--json`.
#[derive(Serialize, Debug)]
struct AnswerReport {
    entry: usize,
    same: bool,
    status: &'static str,
    cost: Option<u32>,
    length: Option<f64>,
    expanded: Option<u64>,
    algorithm: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    difference: Option<DifferenceReport>,
}

#[derive(Serialize, Debug)]
struct DifferenceReport {
    field: String,
    expected: String,
    found: String,
}

impl AnswerReport {
    fn new(answer: &ReplayedAnswer<'_>) -> Self {
        let found = Found::of(answer);
        Self {
            entry: answer.entry,
            same: answer.difference.is_none(),
            status: found.status,
            cost: found.path.map(|path| path.cost().get()),
            length: found.path.map(Path::length),
            expanded: found.statistics.map(|statistics| statistics.expanded),
            algorithm: found.statistics.map(|statistics| statistics.algorithm.to_string()),
            error: found.error.map(|error| error.to_string()),
            difference: answer.difference.map(|difference| DifferenceReport {
                field: difference.field.to_string(),
                expected: difference.expected.clone(),
                found: difference.found.clone(),
            }),
        }
    }
}

/// The last line with `--json`.
#[derive(Serialize, Debug)]
struct Counts {
    answers: usize,
    different: usize,
    unanswered: usize,
    edits: usize,
}

impl From<Replayed> for Counts {
    fn from(replayed: Replayed) -> Self {
        let Replayed { answers, different, unanswered, edits, .. } = replayed;
        Self { answers, different, unanswered, edits }
    }
}

/// Draws the answer of this run. Returns whether answers of its kind are drawn.
fn draw(answer: &ReplayedAnswer<'_>, folder: &FilePath) -> Result<bool, Failure> {
    let path = Found::of(answer).path;
    let (movement, from, to) = match answer.question {
        ReplayedQuestion::Path { query, .. } => (query.movement(), query.start(), Some(query.goal())),
        ReplayedQuestion::Nearest { query, .. } => (query.movement(), query.start(), path.map(Path::goal)),
        _ => return Ok(false),
    };
    let ends = (from, to.unwrap_or(from));
    let cells = path.map_or(&[][..], Path::cells);
    let scene = Scene::of_path(answer.finder, movement, ends, cells);
    let file = folder.join(format!("entry-{:04}.png", answer.entry));
    picture::write_silently(&scene, None, &file).map(|_| true)
}

//! `tilepath replay` for a recorded tick of a crowd.

use crate::{
    Verdict,
    arguments::ReplayArguments,
    failure::Failure,
    printed::{json, printed},
};
use serde::Serialize;
use std::io::Write;
use tilepath::crowd::{Activity, RecordedTick, StoredBody};

/// Returns whether a text is a recorded tick.
pub(crate) fn is_tick(text: &str) -> bool {
    text.lines().take(4).any(|line| line.contains(RecordedTick::FORMAT))
}

/// Runs the tick again, and prints a line for each body and a line for the whole tick.
pub(crate) fn run(
    arguments: &ReplayArguments,
    text: &str,
    output: &mut impl Write,
) -> Result<Verdict, Failure> {
    let file = &arguments.recording;
    let tick = RecordedTick::from_ron(text)
        .map_err(|error| Failure::Tick { file: file.clone(), error: Box::new(error) })?;
    if arguments.png.is_some() {
        return Err(Failure::TickPicture { file: file.clone() });
    }
    let difference = tick.replay().err().map(|difference| difference.to_string());
    for line in lines(&tick, arguments.json) {
        writeln!(output, "{line}")?;
    }
    let bodies = tick.before().len();
    if arguments.json {
        writeln!(output, "{}", json(&TickReport { bodies, difference: difference.as_deref() }))?;
    } else {
        let end =
            difference.as_ref().map_or_else(|| "no difference".to_owned(), |it| format!("difference: {it}"));
        writeln!(output, "{bodies} bodies, {}", printed(&end))?;
    }
    output.flush()?;
    Ok(if difference.is_none() { Verdict::Good } else { Verdict::Bad })
}

/// Returns a line for each body of a tick.
pub(crate) fn lines(tick: &RecordedTick, is_json: bool) -> Vec<String> {
    let bodies = tick.before().iter().zip(tick.after());
    let text = |(before, after): (&StoredBody, &StoredBody)| {
        if is_json { json(&BodyReport::new(before, after)) } else { printed(&line(before, after)) }
    };
    bodies.map(text).collect()
}

/// Returns the action of a body as a line of text.
fn line(before: &StoredBody, after: &StoredBody) -> String {
    let about = match before.activity {
        Activity::Fixed => "fixed",
        Activity::Resting => "at rest",
        Activity::Returning => "on its way back",
        Activity::UnderWay { .. } => "under way",
        // The library has added an activity.
        _ => "in another activity",
    };
    let deed = if before.from != before.to {
        format!("steps on from {} to {}", before.from, before.to)
    } else if before.to != after.to {
        format!("steps from {} to {}", before.to, after.to)
    } else {
        format!("stands at {}", before.to)
    };
    let waits = if after.waited > 0 { format!(", for {} ticks", after.waited) } else { String::new() };
    format!("body {}, {about}: {deed}{waits}", before.number)
}

/// A body with `--json`.
#[derive(Serialize, Debug)]
struct BodyReport {
    number: u32,
    before: [(i32, i32); 2],
    after: [(i32, i32); 2],
    waited: u32,
}

impl BodyReport {
    fn new(before: &StoredBody, after: &StoredBody) -> Self {
        Self {
            number: before.number,
            before: [before.from.into(), before.to.into()],
            after: [after.from.into(), after.to.into()],
            waited: after.waited,
        }
    }
}

/// The last line with `--json`.
#[derive(Serialize, Debug)]
struct TickReport<'a> {
    bodies: usize,
    difference: Option<&'a str>,
}

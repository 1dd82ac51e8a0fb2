//! The bodies of a recorded crowd tick, for `tilepath replay`.

use crate::printed::{json, printed};
use serde::Serialize;
use tilepath::crowd::{Activity, RecordedTick, StoredBody};

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

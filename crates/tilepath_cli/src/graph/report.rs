//! Answers about waypoint graphs, as text and as JSON.

use crate::{
    failure::Failure,
    printed::{json, printed},
};
use serde::Serialize;
use std::io::Write;
use tilepath::{
    graph::Position,
    waypoint::{WaypointGraph, WaypointPath, WithinSteps},
};

/// The object that `--json` prints for a path.
#[derive(Serialize)]
struct PathReport<'a> {
    status: &'static str,
    path: &'a [String],
    positions: Vec<[f64; 2]>,
    cost: Option<f64>,
    length: Option<f64>,
}

/// The object that `--json` prints for a range.
#[derive(Serialize)]
struct RangeReport {
    within: Vec<RangeEntry>,
}

#[derive(Serialize)]
struct RangeEntry {
    id: String,
    steps: u32,
    position: [f64; 2],
}

pub(super) fn print_path_json(path: Option<&WaypointPath>, output: &mut impl Write) -> Result<(), Failure> {
    let positions = path.map_or(&[][..], WaypointPath::positions);
    let report = PathReport {
        status: if path.is_some() { "found" } else { "unreachable" },
        path: path.map_or(&[], WaypointPath::ids),
        positions: positions.iter().map(|&place| pair(place)).collect(),
        cost: path.map(WaypointPath::cost),
        length: path.map(WaypointPath::length),
    };
    writeln!(output, "{}", json(&report))?;
    Ok(())
}

pub(super) fn print_path(
    from: &str,
    to: &str,
    path: Option<&WaypointPath>,
    output: &mut impl Write,
) -> Result<(), Failure> {
    match path {
        None => writeln!(output, "unreachable: no path from {} to {}", printed(from), printed(to))?,
        Some(path) => {
            let names: Vec<String> = path.ids().iter().map(|id| printed(id)).collect();
            writeln!(output, "{}", names.join(" -> "))?;
            let (cost, length, steps) = (path.cost(), path.length(), path.ids().len() - 1);
            let noun = if steps == 1 { "step" } else { "steps" };
            writeln!(output, "cost {cost:.4}, length {length:.4}, {steps} {noun}")?;
        }
    }
    Ok(())
}

pub(super) fn print_range_json(
    graph: &WaypointGraph,
    within: &[WithinSteps],
    output: &mut impl Write,
) -> Result<(), Failure> {
    let entry = |within: &WithinSteps| {
        let position = pair(graph.position(&within.id).unwrap_or_default());
        RangeEntry { id: within.id.clone(), steps: within.steps, position }
    };
    writeln!(output, "{}", json(&RangeReport { within: within.iter().map(entry).collect() }))?;
    Ok(())
}

/// Prints a line for each number of steps.
pub(super) fn print_range(within: &[WithinSteps], output: &mut impl Write) -> Result<(), Failure> {
    for ring in within.chunk_by(|a, b| a.steps == b.steps) {
        let names: Vec<String> = ring.iter().map(|within| printed(&within.id)).collect();
        writeln!(output, "{}: {}", ring[0].steps, names.join(", "))?;
    }
    Ok(())
}

fn pair(position: Position) -> [f64; 2] {
    [position.x, position.y]
}

//! The comparison as text, without a window.

use std::io::{self, Write};

use tilepath::{Topology, turns::LongStep};
use tilepath_examples::words;

use crate::{bill, comparison::table, lab::Lab, run::Run, settings::Mode};

/// Writes the query, the table, and the answer of the chosen algorithm.
///
/// # Errors
/// If `out` cannot be written to.
pub(crate) fn run(lab: &Lab, out: &mut dyn Write) -> io::Result<()> {
    let settings = lab.settings();
    match settings.mode {
        Mode::Grid => {
            let field = lab.field();
            let (columns, rows) = field.shape().cells();
            let steps = match (settings.topology, settings.unit) {
                (Topology::Hexagonal, _) => "hexagons".into(),
                (Topology::Square, 1) => format!("diagonal steps: {}", words::diagonals(settings.diagonals)),
                (Topology::Square, side) => {
                    format!("unit {side} x {side}, diagonal steps: {}", words::diagonals(settings.diagonals))
                }
            };
            writeln!(
                out,
                "grid {columns} x {rows}, from {} to {}, {steps}, heuristic {}",
                field.start, field.goal, settings.heuristic,
            )?;
            if let Some(points) = settings.points {
                let rule = match settings.long_step {
                    LongStep::Never => "are never taken",
                    LongStep::OwnTurn => "take a turn of their own",
                    _ => "go by another rule",
                };
                writeln!(out, "turns of {points} points; steps that cost more {rule}")?;
            }
        }
        Mode::Graph => {
            let network = lab.network();
            let goal = network.goal.map_or_else(|| "nowhere".into(), |goal| network.name(goal));
            let (nodes, edges) = (network.graph.node_count(), network.graph.edge_count());
            let start = network.name(network.start);
            writeln!(out, "graph of {nodes} nodes and {edges} edges, from {start} to {goal}")?;
        }
    }
    writeln!(out)?;
    out.write_all(table(lab.rows()).as_bytes())?;
    writeln!(out)?;
    for lane in lab.lanes() {
        let name = lane.method.name();
        match &lane.run {
            Run::Refused(reason) => writeln!(out, "{name}: {reason}")?,
            run => writeln!(out, "{name} ends after {} steps", run.total())?,
        }
    }
    if let Some(explanation) = bill::explanation(lab) {
        writeln!(out, "{explanation}")?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{method::Method, order::Order, settings::Settings};

    fn text(settings: Settings) -> String {
        let mut lab = Lab::new(settings);
        lab.obey(Order::SeekEnd);
        let mut out = Vec::new();
        run(&lab, &mut out).unwrap();
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn both_modes_are_printed_in_full() {
        let grid = text(Settings::default());
        assert!(grid.starts_with("grid 16 x 12"), "{grid}");
        assert!(grid.contains("backtracking") && grid.contains("A* ends after 117 steps"), "{grid}");
        assert!(grid.contains("23 steps cost 234") && grid.contains("both sides free"), "{grid}");
        assert!(!grid.contains("class"), "{grid}");
        let graph = text(Settings { mode: Mode::Graph, ..Settings::default() });
        assert!(graph.starts_with("graph of 49 nodes and 312 edges, from 24 to 35"), "{graph}");
    }

    #[test]
    fn hexagons_and_large_units_are_printed() {
        let hexagons = text(Settings { topology: Topology::Hexagonal, ..Settings::default() });
        assert!(
            hexagons.starts_with("grid 16 x 12, from (0, 2) to (9, 8), hexagons, heuristic"),
            "{hexagons}"
        );
        assert!(hexagons.contains("22 steps cost 220") && !hexagons.contains("straight"), "{hexagons}");
        let large = text(Settings { unit: 2, ..Settings::default() });
        assert!(large.starts_with("grid 16 x 12, from (1, 2) to (13, 8), unit 2 x 2, diagonal"), "{large}");
    }

    #[test]
    fn turns_are_printed() {
        let settings = Settings { points: Some(60), long_step: LongStep::OwnTurn, ..Settings::default() };
        let turns = text(settings);
        assert!(
            turns.contains("turns of 60 points; steps that cost more take a turn of their own"),
            "{turns}"
        );
        assert!(turns.contains("In turns of 60 points: 4 turns"), "{turns}");
    }

    #[test]
    fn both_racers_are_printed() {
        let race = text(Settings { rival: Some(Method::Dijkstra), ..Settings::default() });
        assert!(race.contains("A* ends after 117 steps\nDijkstra ends after 154 steps"), "{race}");
    }
}

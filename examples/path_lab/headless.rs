//! The comparison as text, without a window.

use std::io::{self, Write};

use crate::{
    comparison::table,
    lab::{Lab, Run},
    settings::Mode,
};

/// Writes what is searched, the table, and what the chosen algorithm found.
///
/// # Errors
/// If `out` cannot be written to.
pub(crate) fn run(lab: &Lab, out: &mut dyn Write) -> io::Result<()> {
    let settings = lab.settings();
    match settings.mode {
        Mode::Grid => {
            let (field, grid) = (lab.field(), lab.field().finder.grid());
            writeln!(
                out,
                "grid {} x {}, from {} to {}, diagonals {}, estimate {}",
                grid.width(),
                grid.height(),
                field.start,
                field.goal,
                settings.diagonals,
                settings.estimate,
            )?;
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
    let name = settings.method.name();
    match lab.run() {
        Run::Refused(reason) => writeln!(out, "{name}: {reason}")?,
        _ => writeln!(out, "{name} ends after {} steps", lab.total())?,
    }
    if let Some(explanation) = lab.explanation() {
        writeln!(out, "{explanation}")?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{lab::Order, settings::Settings};

    fn text(settings: Settings) -> String {
        let mut lab = Lab::new(settings);
        lab.obey(Order::SeekEnd);
        let mut out = Vec::new();
        run(&lab, &mut out).unwrap();
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn both_modes_are_told_in_full() {
        let grid = text(Settings::default());
        assert!(grid.starts_with("grid 16 x 12"), "{grid}");
        assert!(grid.contains("backtracking") && grid.contains("A* ends after"), "{grid}");
        let graph = text(Settings { mode: Mode::Graph, ..Settings::default() });
        assert!(graph.starts_with("graph of 49 nodes and 312 edges, from 35 to 20"), "{graph}");
    }
}

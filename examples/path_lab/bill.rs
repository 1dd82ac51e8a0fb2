//! Explanations: the bill of a path, a route compared, walls to open.

use std::fmt::Write;

use tilepath::{
    Cell, MovementId, Outcome, Size as Unit, Topology,
    explain::{Barrier, FailureExplanation, OpeningSet, Receipt, ReceiptStep},
};
use tilepath_examples::words;

use crate::{
    edges,
    field::Obstacle,
    lab::Lab,
    run::Run,
    settings::{Brush, Mode},
};

/// The text if opening cells does not help.
const NO_OPENING: &str =
    "no path, even if all cells were open: closed edges are in the way, or the end of the map\n";

/// Returns the explanation of the answer on the board, or `None` while there is nothing to explain.
pub(crate) fn explanation(lab: &Lab) -> Option<String> {
    let (field, method) = (lab.field(), lab.settings().method);
    let finder = &field.finder;
    let topology = finder.grid().topology();
    if lab.settings().mode == Mode::Graph {
        return None;
    }
    if field.proposal.len() > 1 {
        return Some(match finder.compare(&field.proposal, &lab.query(method)) {
            Ok(comparison) => {
                format!("{}\n\n{}", comparison.to_text(words::place), bill(comparison.proposal(), topology))
            }
            Err(error) => words::route(&error),
        });
    }
    let Run::Grid(run) = lab.run() else { return None };
    match run.answer()?.ok()?.outcome {
        Outcome::Found(path) => {
            let turns = lab.turns().map_or_else(String::new, |turns| turns.in_full(field, &path) + "\n");
            finder
                .explain(path.cells(), MovementId::FIRST)
                .ok()
                .map(|bill_of| turns + &bill(&bill_of, topology))
        }
        _ => match lab.failure() {
            Some(FailureExplanation::Sealed(barrier)) => Some(openings(barrier)),
            Some(FailureExplanation::NoOpening) => Some(NO_OPENING.into()),
            _ => None,
        },
    }
}

/// Returns what a step costs and why: the ground, its multiple of the cost of plain ground, and the
/// danger.
fn paid_for(step: &ReceiptStep) -> String {
    let mut text = match step.terrain {
        None => "no ground".to_owned(),
        Some(class) => {
            Brush::of_class(class).map_or_else(|| format!("cost {class}"), |brush| brush.name().to_owned())
        }
    };
    // Writing to a `String` cannot fail.
    if step.multiplier != 1 {
        let _ = write!(text, ", {} times", step.multiplier);
    }
    if step.overlays > 0 {
        let _ = write!(text, ", danger +{}", step.overlays);
    }
    // The costliest cell under a large unit counts.
    if step.ground != step.to {
        let _ = write!(text, " at {}", words::place(step.ground));
    }
    text
}

/// Describes the cell at the cursor: the cost of a step onto it, or why it is blocked, and its
/// closed steps.
pub(crate) fn of_cell(lab: &Lab, cell: Cell) -> String {
    let (field, grid) = (lab.field(), lab.field().finder.grid());
    let at = words::place(cell);
    let under = if field.unit() == Unit::ONE { "" } else { " under the unit" };
    match field.obstacle(cell) {
        Some(Obstacle::Outside(there)) => {
            return format!("{at} is blocked: at {} there is no ground", words::place(there));
        }
        Some(Obstacle::Wall(wall)) => {
            return format!("{at} is blocked: there is a wall at {}{under}", words::place(wall));
        }
        Some(Obstacle::Fence(one, other)) => {
            let [one, other] = [one, other].map(words::place);
            return format!(
                "{at} is blocked: the unit would stand across the fence between {one} and {other}"
            );
        }
        None => {}
    }
    let costliest = |cell: &Cell| {
        let class = grid.terrain(*cell).unwrap_or(0);
        (u16::from(class) + field.danger(*cell), class)
    };
    let (times, _) = field.unit().footprint(cell).map(|cell| costliest(&cell)).max().unwrap_or_default();
    let shut: Vec<String> = edges::no_way_to(grid, cell).map(words::place).collect();
    let shut =
        if shut.is_empty() { String::new() } else { format!("; no step from it to {}", shut.join(", ")) };
    let turn = lab.turns().map_or_else(String::new, |turns| format!("; {}", turns.of_cell(cell)));
    format!("{at} is free: a step there costs {times} times a step on plain ground{shut}{turn}")
}

/// Returns a table with a line for each step: its cell, the ground, the kind of step, and the cost.
fn bill(receipt: &Receipt, topology: Topology) -> String {
    let grounds: Vec<String> = receipt.steps().iter().map(paid_for).collect();
    let widest = grounds.iter().map(String::len).max().unwrap_or(0).max(15);
    // On hexagons there is one kind of step.
    let kind = |name: &str| match topology {
        Topology::Square => format!("{name:<8}  "),
        Topology::Hexagonal => String::new(),
    };
    let mut text = format!(
        "step  to        {:<widest$}  {}cost  total\n   0  {}\n",
        "ground",
        kind("kind"),
        words::place(receipt.start())
    );
    for (number, (step, ground)) in receipt.steps().iter().zip(grounds).enumerate() {
        let _ = writeln!(
            text,
            "{:>4}  {:<8}  {ground:<widest$}  {}{:>4}  {:>5}",
            number + 1,
            words::place(step.to),
            kind(if step.is_diagonal() { "diagonal" } else { "straight" }),
            step.cost.get(),
            step.total.get()
        );
    }
    let (straight, diagonal) = (receipt.step_costs().straight(), receipt.step_costs().diagonal());
    let counted = format!("{} steps cost {}", receipt.steps().len(), receipt.total());
    let _ = match topology {
        Topology::Square => writeln!(
            text,
            "{counted}: a straight one {straight}, a diagonal one {diagonal},\ntimes the ground entered (diagonal \
             steps: {})",
            words::diagonals(receipt.diagonals()),
        ),
        Topology::Hexagonal => writeln!(text, "{counted}: each {straight} times the ground entered"),
    };
    text
}

/// Lists the cells to open, with the costs of the paths that this gives.
fn openings(barrier: &Barrier) -> String {
    let mut text = String::new();
    match (barrier.single.as_slice(), &barrier.smallest) {
        // For large units and with closed edges, only sets are known.
        ([], Some(OpeningSet { cells, cost, .. })) if cells.len() == 1 => {
            let _ = writeln!(text, "no path; opening {} gives a path of cost {cost}", words::place(cells[0]));
        }
        ([], Some(set)) => {
            let cells: Vec<String> = set.cells.iter().copied().map(words::place).collect();
            let _ = writeln!(
                text,
                "no path; opening one cell is not enough. Opening these together gives a path of cost {}:\n  {}",
                set.cost,
                cells.join(", ")
            );
        }
        ([], None) => text.push_str(NO_OPENING),
        (single, _) => {
            text.push_str("no path; opening any one of these cells gives a path:\n");
            for opening in single {
                let _ = writeln!(text, "  {}: a path of cost {}", words::place(opening.cell), opening.cost);
            }
        }
    }
    text
}

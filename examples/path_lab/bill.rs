//! Why an answer is as it is: the bill of the path, what a proposed route loses, or what would have to open.

use std::fmt::Write;

use tilepath::{
    MovementId, Outcome,
    explain::{Barrier, FailureExplanation, Receipt},
};
use tilepath_examples::words;

use crate::{
    lab::Lab,
    run::Run,
    settings::{Brush, Mode},
};

/// The explanation of what is seen; `None` while there is nothing to explain.
pub(crate) fn explanation(lab: &Lab) -> Option<String> {
    let (field, method) = (lab.field(), lab.settings().method);
    let finder = &field.finder;
    if lab.settings().mode == Mode::Graph {
        return None;
    }
    if field.proposal.len() > 1 {
        return Some(match finder.compare(&field.proposal, &lab.query(method)) {
            Ok(comparison) => {
                format!("{}\n\n{}", comparison.to_text(words::place), bill(comparison.proposal()))
            }
            Err(error) => words::route(&error),
        });
    }
    let Run::Grid(run) = lab.run() else { return None };
    match run.answer()?.ok()?.outcome {
        Outcome::Found(path) => {
            finder.explain(path.cells(), MovementId::FIRST).ok().map(|bill_of| bill(&bill_of))
        }
        _ => match lab.failure() {
            Some(FailureExplanation::Sealed(barrier)) => Some(openings(barrier)),
            _ => None,
        },
    }
}

/// What the ground of a class is called; classes are costs here.
fn ground(class: u8) -> String {
    Brush::of_class(class).map_or_else(|| format!("cost {class}"), |brush| brush.name().to_owned())
}

/// A line for each step: where to, over which ground, between which cells, and for how much.
fn bill(receipt: &Receipt) -> String {
    let mut text = format!(
        "step  to        ground           kind      cost  total\n   0  {}\n",
        words::place(receipt.start())
    );
    for (number, step) in receipt.steps().iter().enumerate() {
        let over = match step.multiplier {
            1 => ground(step.terrain),
            times => format!("{}, {times} times", ground(step.terrain)),
        };
        let (number, to) = (number + 1, words::place(step.to));
        let kind = if step.is_diagonal() { "diagonal" } else { "straight" };
        // Writing to a `String` cannot fail.
        let _ = writeln!(
            text,
            "{number:>4}  {to:<8}  {over:<15}  {kind:<8}  {:>4}  {:>5}",
            step.cost.get(),
            step.total.get()
        );
    }
    let (straight, diagonal) = (receipt.step_costs().straight(), receipt.step_costs().diagonal());
    let _ = writeln!(
        text,
        "{} steps cost {}: a straight one {straight}, a diagonal one {diagonal},\ntimes the ground entered (diagonal \
         steps: {})",
        receipt.steps().len(),
        receipt.total(),
        words::diagonals(receipt.diagonals()),
    );
    text
}

/// The cells that would have to open, each with the cost of the way that there would be.
fn openings(barrier: &Barrier) -> String {
    let mut text = String::new();
    match (barrier.single.as_slice(), &barrier.smallest) {
        ([], Some(set)) => {
            let cells: Vec<String> = set.cells.iter().copied().map(words::place).collect();
            let _ = writeln!(
                text,
                "no way; no single cell would make one. These together would, of cost {}:\n  {}",
                set.cost,
                cells.join(", ")
            );
        }
        ([], None) => text.push_str("no way, whatever is opened\n"),
        (single, _) => {
            text.push_str("no way; each of these cells would make one if it were open:\n");
            for opening in single {
                let _ = writeln!(text, "  {}: a way of cost {}", words::place(opening.cell), opening.cost);
            }
        }
    }
    text
}

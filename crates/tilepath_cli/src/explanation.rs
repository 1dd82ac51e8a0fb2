//! Explanations of answers: `tilepath solve … --explain`.

use crate::{
    failure::Failure,
    layout::Layout,
    question::{Question, Reply},
};
use serde::Serialize;
use tilepath::{
    Cell, MovementId, Outcome, Path, PathQuery, QueryError,
    explain::{Barrier, FailureExplanation, Receipt, ReceiptStep, RouteComparison},
};

/// The text for an unreachable goal to which no open cells would make a path.
const NO_OPENING: &str =
    "no path, even if cells open: the border or the rule for diagonal steps blocks every path\n";

/// The costs of a path, if there is one, and the reason why the goal cannot be reached, if it
/// cannot.
#[derive(Debug)]
pub(crate) struct Explanation {
    receipt: Option<Receipt>,
    barrier: Option<Barrier>,
    /// True if there is no path to the goal, whatever cells open.
    has_no_opening: bool,
    /// The comparison with the cheapest path, if the path is not proven to be the cheapest.
    comparison: Option<RouteComparison>,
}

impl Explanation {
    /// Explains an answer.
    ///
    /// # Errors
    /// If the library returns an error for the query.
    pub(crate) fn of(question: &Question<'_>, reply: &Reply) -> Result<Self, Failure> {
        let (from, to) = question.ends(&reply.layout)?;
        let (barrier, has_no_opening) = match explain_failure(question, reply)? {
            Some(FailureExplanation::Sealed(sealed)) => (Some(sealed), false),
            Some(FailureExplanation::NoOpening) => (None, true),
            _ => (None, false),
        };
        // The library can explain every path that it returns.
        let explain = |path: &Path| reply.finder.explain(path.cells(), MovementId::FIRST).ok();
        let unproven = reply.answer.outcome.path().filter(|path| !path.is_optimal());
        let comparison =
            unproven.and_then(|path| reply.finder.compare(path.cells(), &PathQuery::new(from, to)).ok());
        Ok(Self { receipt: reply.path().and_then(explain), barrier, has_no_opening, comparison })
    }

    /// Returns the explanation as text.
    pub(crate) fn to_text(&self, layout: &Layout) -> String {
        let name = |cell| layout.place(cell).map_or_else(|| "beyond".to_owned(), |place| place.to_string());
        let receipt = self.receipt.as_ref().map(|receipt| receipt.to_table(name));
        let barrier = self.barrier.as_ref().map(|barrier| barrier.to_text(name));
        let comparison = self.comparison.as_ref().map(|comparison| comparison.to_text(name) + "\n");
        let no_opening = self.has_no_opening.then(|| NO_OPENING.to_owned());
        let parts: Vec<String> =
            receipt.into_iter().chain(comparison).chain(barrier).chain(no_opening).collect();
        parts.join("\n")
    }

    /// Returns the explanation for `--json`.
    pub(crate) fn report(&self, layout: &Layout) -> ExplanationReport {
        let place = |cell| layout.place(cell).map(|place| [place.column, place.row]);
        let steps = self.receipt.iter().flat_map(Receipt::steps);
        ExplanationReport {
            steps: steps.map(|step| StepReport::new(step, &place)).collect(),
            barrier: self.barrier.as_ref().map(|barrier| BarrierReport::new(barrier, &place)),
            no_opening: self.has_no_opening,
            excess: self.comparison.as_ref().map(|comparison| comparison.excess().get()),
        }
    }
}

/// Returns the reason why the goal cannot be reached, if it cannot.
fn explain_failure(question: &Question<'_>, reply: &Reply) -> Result<Option<FailureExplanation>, Failure> {
    if !matches!(reply.answer.outcome, Outcome::Unreachable { .. }) {
        return Ok(None);
    }
    let (from, to) = question.ends(&reply.layout)?;
    match reply.finder.explain_failure(&PathQuery::new(from, to)) {
        Ok(explanation) => Ok(Some(explanation)),
        // The goal of `--closest` may be a place where the unit cannot stand: no cell has to open
        // there.
        Err(QueryError::FootprintOutOfBounds { .. }) => Ok(None),
        Err(error) => Err(Failure::Query { file: question.file.to_owned(), error }),
    }
}

/// Returns the closed cells that open the cheapest path to a goal out of reach; empty if the goal
/// is within reach, or if no cells open a path.
///
/// # Errors
/// As [`Explanation::of`].
pub(crate) fn openings(question: &Question<'_>, reply: &Reply) -> Result<Vec<Cell>, Failure> {
    let Some(FailureExplanation::Sealed(barrier)) = explain_failure(question, reply)? else {
        return Ok(Vec::new());
    };
    let set = barrier.smallest.into_iter().flat_map(|set| set.cells);
    Ok(barrier.single.first().map(|opening| opening.cell).into_iter().chain(set).collect())
}

/// Column and row of a cell.
type Named = Option<[u32; 2]>;

/// The object `explanation` of `--json`.
#[derive(Serialize, Debug)]
pub(crate) struct ExplanationReport {
    steps: Vec<StepReport>,
    #[serde(skip_serializing_if = "Option::is_none")]
    barrier: Option<BarrierReport>,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    no_opening: bool,
    /// The cost above the cheapest path, if the path is not proven to be the cheapest.
    #[serde(skip_serializing_if = "Option::is_none")]
    excess: Option<u32>,
}

#[derive(Serialize, Debug)]
struct StepReport {
    to: Named,
    /// The most expensive cell under the unit, if it is not the cell that the step enters.
    #[serde(skip_serializing_if = "Option::is_none")]
    ground: Named,
    /// Missing for a void cell that the unit leaves.
    class: Option<u8>,
    multiplier: u16,
    /// The sum of the overlays, if it is not 0.
    #[serde(skip_serializing_if = "Option::is_none")]
    overlays: Option<u16>,
    diagonal: bool,
    beside: Vec<BesideReport>,
    cost: u32,
    total: u32,
}

#[derive(Serialize, Debug)]
struct BesideReport {
    cell: Named,
    open: bool,
}

impl StepReport {
    fn new(step: &ReceiptStep, place: &impl Fn(Cell) -> Named) -> Self {
        let beside = step.corner.into_iter().flat_map(|corner| corner.beside);
        Self {
            to: place(step.to),
            ground: Some(step.ground).filter(|&ground| ground != step.to).and_then(place),
            class: step.terrain,
            multiplier: step.multiplier,
            overlays: Some(step.overlays).filter(|&overlays| overlays > 0),
            diagonal: step.is_diagonal(),
            beside: beside.map(|side| BesideReport { cell: place(side.cell), open: side.is_open }).collect(),
            cost: step.cost.get(),
            total: step.total.get(),
        }
    }
}

#[derive(Serialize, Debug)]
struct BarrierReport {
    opened_at: u16,
    single: Vec<OpeningReport>,
    #[serde(skip_serializing_if = "Option::is_none")]
    smallest: Option<OpeningSetReport>,
}

#[derive(Serialize, Debug)]
struct OpeningReport {
    cell: Named,
    cost: u32,
}

#[derive(Serialize, Debug)]
struct OpeningSetReport {
    cells: Vec<Named>,
    cost: u32,
}

impl BarrierReport {
    fn new(barrier: &Barrier, place: &impl Fn(Cell) -> Named) -> Self {
        let single = barrier.single.iter();
        let smallest = barrier.smallest.as_ref();
        Self {
            opened_at: barrier.opened_at,
            single: single
                .map(|door| OpeningReport { cell: place(door.cell), cost: door.cost.get() })
                .collect(),
            smallest: smallest.map(|set| OpeningSetReport {
                cells: set.cells.iter().map(|&cell| place(cell)).collect(),
                cost: set.cost.get(),
            }),
        }
    }
}

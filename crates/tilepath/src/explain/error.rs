//! Errors of explanations.

use crate::{bounds::Bounds, cell::Cell, explain::step::StepFault, finder::outcome::QueryError};
use thiserror::Error;

/// The reason why a route cannot be explained. If there are several, it is the first one. The
/// message states what to do.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum ExplainError {
    /// The route has no cells.
    #[error("the route has no cells; name at least the cell where it starts")]
    NoCells,
    /// The first cell is not on the map.
    #[error("the route starts at {cell}, which is not on the map of {bounds}; start on the map")]
    StartOutOfBounds {
        /// The first cell.
        cell: Cell,
        /// The rectangle of the map.
        bounds: Bounds,
    },
    /// A step that the rules do not allow.
    #[error("step {step} from {from} to {to} is not allowed: {fault}")]
    IllegalStep {
        /// The number of the step; the first step is 1.
        step: usize,
        /// The cell that the step leaves.
        from: Cell,
        /// The cell that the step enters.
        to: Cell,
        /// The reason why the step is not allowed.
        fault: StepFault,
    },
    /// The route starts at another cell than the query.
    #[error("the route starts at {found}, but the query starts at {expected}; use one start for both")]
    OtherStart {
        /// The start of the query.
        expected: Cell,
        /// The start of the route.
        found: Cell,
    },
    /// The route ends at another cell than the query.
    #[error("the route ends at {found}, but the goal of the query is {expected}; use one goal for both")]
    OtherGoal {
        /// The goal of the query.
        expected: Cell,
        /// The last cell of the route.
        found: Cell,
    },
    /// A turn of a path breaks the rules of the query.
    #[error("turn {turn} of the path breaks the rules of the query; cut the path with cut_into_turns first")]
    IllegalTurn {
        /// The number of the turn; the first turn is 1.
        turn: u32,
    },
    /// The steps up to this one cost more than [`Cost::MAX`](crate::Cost::MAX).
    #[error(
        "step {step} takes the cost past {max}, the maximum; make terrain multipliers or step costs smaller",
        max = u32::MAX
    )]
    CostOverflow {
        /// The number of the step; the first step is 1.
        step: usize,
    },
    /// The query itself has an error.
    #[error(transparent)]
    Query(#[from] QueryError),
}

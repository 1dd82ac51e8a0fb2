//! Why a route cannot be explained.

use crate::{bounds::Bounds, cell::Cell, explain::step::StepFault, finder::outcome::QueryError};
use thiserror::Error;

/// Why a route is none: the first thing that is wrong with it. Its text says what to do.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum ExplainError {
    /// There is no cell at all.
    #[error("the route has no cells; name at least the cell where it starts")]
    NoCells,
    /// The first cell is not on the map.
    #[error("the route starts at {cell}, which is not on the map of {bounds}; start on it")]
    StartOutOfBounds {
        /// The first cell.
        cell: Cell,
        /// The map.
        bounds: Bounds,
    },
    /// A step that the rules do not allow.
    #[error("step {step} from {from} to {to} is not allowed: {fault}")]
    IllegalStep {
        /// Its number; the first step is 1.
        step: usize,
        /// The cell left.
        from: Cell,
        /// The cell that it leads to.
        to: Cell,
        /// Why it is not allowed.
        fault: StepFault,
    },
    /// The route is compared with a query that starts elsewhere.
    #[error("the route starts at {found}, the query at {expected}; start there too")]
    OtherStart {
        /// The start of the query.
        expected: Cell,
        /// The start of the route.
        found: Cell,
    },
    /// The route is compared with a query that leads elsewhere.
    #[error("the route leads to {found}, the query to {expected}; end there too")]
    OtherGoal {
        /// The goal of the query.
        expected: Cell,
        /// The last cell of the route.
        found: Cell,
    },
    /// The steps up to this one cost more than [`Cost::MAX`](crate::Cost::MAX).
    #[error(
        "step {step} takes the cost past {max}, the largest that can be stated; make terrain multipliers or step costs smaller",
        max = u32::MAX
    )]
    CostOverflow {
        /// Its number; the first step is 1.
        step: usize,
    },
    /// The finder refuses the query that the route is compared with.
    #[error(transparent)]
    Query(#[from] QueryError),
}

//! Answers.

use crate::{
    bounds::Bounds,
    cell::Cell,
    finder::query::{Algorithm, MovementId},
    path::Path,
};
use std::fmt;
use thiserror::Error;

/// The result of a valid query. An unreachable goal is an answer, not an error.
#[derive(Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Outcome {
    /// A path to the goal was found.
    Found(Path),
    /// There is no path, for example because the goal is closed or walled off.
    Unreachable {
        /// The path to the closest reachable cell, if the query has
        /// [`PathQuery::or_closest`](crate::PathQuery::or_closest). The path may hold only the
        /// start.
        #[cfg_attr(feature = "serde", serde(default))]
        closest: Option<Path>,
    },
    /// A limit of the query stopped the search, or the path found exceeds a limit.
    LimitReached {
        /// The limit that was reached.
        #[cfg_attr(feature = "serde", serde(default))]
        limit: Limit,
        /// The best path within the limits on cost and length. The path may hold only the start.
        ///
        /// If the search found a path that is too long or too costly, `best` is the beginning of
        /// that path. Otherwise `best` is the path to the closest cell reached so far. The cost of
        /// `best` is exact and its lower bound is proven, but a cheaper path to its last cell may
        /// exist.
        best: Path,
    },
}

/// The limit of a [`PathQuery`](crate::PathQuery) that was reached.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
#[non_exhaustive]
pub enum Limit {
    /// The limit on expansions ([`PathQuery::with_limit`](crate::PathQuery::with_limit)). A higher
    /// limit may find a path.
    #[default]
    Expansions,
    /// The limit on cost ([`PathQuery::with_cost_limit`](crate::PathQuery::with_cost_limit)). After
    /// an exact algorithm, no path within this cost exists.
    Cost,
    /// The limit on length ([`PathQuery::with_length_limit`](crate::PathQuery::with_length_limit)):
    /// the path found has more steps. Another path may have fewer steps, at a higher or an equal
    /// cost.
    Length,
}

impl fmt::Display for Limit {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.pad(match self {
            Self::Expansions => "expansions",
            Self::Cost => "cost",
            Self::Length => "length",
        })
    }
}

impl Outcome {
    /// Returns the path to the goal, if one was found.
    #[must_use]
    pub const fn path(&self) -> Option<&Path> {
        match self {
            Self::Found(path) => Some(path),
            Self::Unreachable { .. } | Self::LimitReached { .. } => None,
        }
    }

    /// Returns the path to the goal without a copy, if one was found.
    #[must_use]
    pub fn into_path(self) -> Option<Path> {
        match self {
            Self::Found(path) => Some(path),
            Self::Unreachable { .. } | Self::LimitReached { .. } => None,
        }
    }

    pub(crate) const fn is_limited(&self) -> bool {
        matches!(self, Self::LimitReached { .. })
    }

    /// Returns the path to the goal. If there is no such path, it returns the path to the closest
    /// cell, if the outcome has one.
    #[must_use]
    pub const fn path_or_closest(&self) -> Option<&Path> {
        match self {
            Self::Found(path) | Self::LimitReached { best: path, .. } => Some(path),
            Self::Unreachable { closest } => closest.as_ref(),
        }
    }
}

/// The work spent on an answer.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
#[non_exhaustive]
pub struct Statistics {
    /// The number of cells whose successors were examined. The goal that ends a search does not
    /// count. The number is 0 for an answer [read from a
    /// field](crate::field::FlowField::nearest_from).
    pub expanded: u64,
    /// The number of entries put into the open list.
    pub generated: u64,
    /// The algorithm that ran: the algorithm of the query, or the algorithm that
    /// [`Algorithm::Auto`] chose.
    pub algorithm: Algorithm,
}

impl Statistics {
    /// Returns statistics with this algorithm, this many expanded cells and no generated entries.
    /// Use it for answers that another method found.
    ///
    /// ```
    /// use tilepath::{Algorithm, Statistics};
    /// let statistics = Statistics::of(Algorithm::Dijkstra, 12);
    /// assert_eq!((statistics.expanded, statistics.generated), (12, 0));
    /// ```
    #[must_use]
    pub const fn of(algorithm: Algorithm, expanded: u64) -> Self {
        Self { expanded, generated: 0, algorithm }
    }
}

/// The outcome of a query and its statistics.
#[derive(Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
#[non_exhaustive]
pub struct Answer {
    /// The outcome.
    pub outcome: Outcome,
    /// The work spent on the answer.
    pub statistics: Statistics,
}

/// The reason why a query cannot be answered. The message states what to change.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum QueryError {
    /// The start is not on the map.
    #[error("the start {cell} is not on the map of {bounds}")]
    StartOutOfBounds {
        /// The start.
        cell: Cell,
        /// The rectangle of the map.
        bounds: Bounds,
    },
    /// The goal is not on the map, or is void.
    #[error("the goal {cell} is not on the map of {bounds}")]
    GoalOutOfBounds {
        /// The goal.
        cell: Cell,
        /// The rectangle of the map.
        bounds: Bounds,
    },
    /// There may be a path, but it would cost more than [`Cost::MAX`](crate::Cost::MAX).
    #[error(
        "the path costs more than {max}, the maximum; make terrain multipliers or step costs smaller",
        max = u32::MAX
    )]
    CostOverflow,
    /// The finder has no movement with this id.
    #[error(
        "movement {0:?} does not belong to this finder, or was removed; use the id that add_movement of this finder returned"
    )]
    UnknownMovement(MovementId),
    /// The first movement of a finder cannot be removed.
    #[error("the first movement of a finder cannot be removed; replace it with set_movement")]
    FirstMovement,
    /// The footprint of the unit would extend past the border of the map.
    #[error(
        "a unit of {side} × {side} cells at {cell} passes the border of the map of {bounds}; place it by the lowest and leftmost cell that it covers"
    )]
    FootprintOutOfBounds {
        /// The lowest and leftmost cell of the unit, at the start or the goal.
        cell: Cell,
        /// The number of cells on each side of the unit.
        side: u8,
        /// The rectangle of the map.
        bounds: Bounds,
    },
    /// A unit of more than one cell cannot move on hexagons.
    #[error(
        "a unit of {side} × {side} cells cannot move on hexagons; give its movement a size of 1, or mark the cells around walls as closed"
    )]
    SizeOnHexagons {
        /// The number of cells on each side of the unit.
        side: u8,
    },
    /// The overlays of a movement could raise a multiplier above the maximum.
    #[error(
        "the highest cost {table} plus the overlays {overlays} of the movement exceed {max}; lower one of them",
        max = u16::MAX
    )]
    OverlayTooHigh {
        /// The highest multiplier of the cost table.
        table: u16,
        /// The sum of the highest values of the overlays.
        overlays: u32,
    },
    /// A step of a movement could cost more than [`Cost::MAX`](crate::Cost::MAX), with all edges that it
    /// crosses.
    #[error(
        "a step of the movement could cost {multiplier} times {step}, more than {max}; lower the costs of its edges",
        max = u32::MAX
    )]
    EdgesTooHigh {
        /// The highest multiplier of a step: the ground, the overlays, and the edges twice, because a
        /// diagonal step crosses two.
        multiplier: u64,
        /// The cost of a step on ground of cost 1.
        step: u32,
    },
    /// A unit of several cells stands on closed ground, so it cannot join a field.
    #[error(
        "a unit of {side} × {side} cells at {cell} stands on closed ground, where a field cannot lead it; search for its path alone"
    )]
    ClosedStart {
        /// The lowest and leftmost cell of the unit.
        cell: Cell,
        /// The number of cells on each side of the unit.
        side: u8,
    },
    /// Jump point search does not apply to this map and movement.
    #[error(
        "jump point search does not apply to this map; use auto. It needs one passable cost on the whole map and no closed exits. On squares with diagonals, a diagonal step must cost more than one straight step and less than two. As many diagonal steps (on hexagons: steps) as the map has columns plus rows must cost less than 2^32"
    )]
    NoJumpPoints,
    /// The percentage of an algorithm is below 100.
    #[error("a weight of {percent} percent is too low; use 100, which is exact, or more")]
    InvalidWeight {
        /// The percentage in the query.
        percent: u16,
    },
}

//! What is answered.

use crate::{
    bounds::Bounds,
    cell::Cell,
    finder::query::{Algorithm, MovementId},
    path::Path,
};
use std::fmt;
use thiserror::Error;

/// What became of a query on a sound map with sound arguments. A goal that cannot be reached is an answer, not an error.
#[derive(Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Outcome {
    /// There is a way, and this is it.
    Found(Path),
    /// There is no way. The goal may be closed itself, or walled off.
    Unreachable {
        /// If the query asked for it: the path to the closest reachable cell, which may be the start alone.
        #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
        closest: Option<Path>,
    },
    /// One of the query's limits is in the way: the search spent it, or the path that answers the query passes it.
    LimitReached {
        /// Which one.
        #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Limit::is_usual"))]
        limit: Limit,
        /// As far as the limits let it come; it keeps those on cost and length itself, and may be the start alone. Where a path was
        /// found and is too long, or costs too much, it is the beginning of that one; else the path to the closest cell reached
        /// by then. It costs what it says, and need not be a cheapest one to its end: what is proven is its lower bound.
        best: Path,
    },
}

/// Which limit of a [`PathQuery`](crate::PathQuery) is in the way.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
#[non_exhaustive]
pub enum Limit {
    /// That on expansions ([`PathQuery::with_limit`](crate::PathQuery::with_limit)): with a higher one there may be a path.
    #[default]
    Expansions,
    /// That on cost ([`PathQuery::with_cost_limit`](crate::PathQuery::with_cost_limit)). After an exact algorithm: there is
    /// no path that costs as little.
    Cost,
    /// That on length ([`PathQuery::with_length_limit`](crate::PathQuery::with_length_limit)): the path that was found takes
    /// more steps. Another one, costlier or as cheap, may take fewer.
    Length,
}

impl Limit {
    /// Whether it is the one that recordings do not name.
    #[cfg(feature = "serde")]
    #[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks with a reference")]
    pub(crate) fn is_usual(&self) -> bool {
        *self == Self::default()
    }
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
    /// The path to the goal, if one was found.
    #[must_use]
    pub const fn path(&self) -> Option<&Path> {
        match self {
            Self::Found(path) => Some(path),
            Self::Unreachable { .. } | Self::LimitReached { .. } => None,
        }
    }

    /// The path to the goal without a copy, if one was found.
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

    /// The path to the goal, or else to the closest cell, if there is either.
    #[must_use]
    pub const fn path_or_closest(&self) -> Option<&Path> {
        match self {
            Self::Found(path) | Self::LimitReached { best: path, .. } => Some(path),
            Self::Unreachable { closest } => closest.as_ref(),
        }
    }
}

/// How much work an answer took.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
#[non_exhaustive]
pub struct Statistics {
    /// Cells whose successors were looked at. The goal that ends a search does not count. 0 for an answer that was
    /// [read from a field](crate::field::FlowField::nearest_from).
    pub expanded: u64,
    /// Entries put into the open list.
    pub generated: u64,
    /// The algorithm that ran: what [`Algorithm::Auto`] chose, or the one asked for.
    pub algorithm: Algorithm,
}

impl Statistics {
    /// Returns the statistics of a search by this algorithm that has expanded this many cells, and generated no
    /// entries: for answers that were found in another way.
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

/// The outcome of a query and what it took.
#[derive(Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
#[non_exhaustive]
pub struct Answer {
    /// What became of the query.
    pub outcome: Outcome,
    /// The work.
    pub statistics: Statistics,
}

/// The query cannot be answered as it stands; the text says what to change.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum QueryError {
    /// The start is not on the map.
    #[error("the start {cell} is not on the map of {bounds}")]
    StartOutOfBounds {
        /// The start.
        cell: Cell,
        /// The map.
        bounds: Bounds,
    },
    /// The goal is not on the map, or void.
    #[error("the goal {cell} is not on the map of {bounds}")]
    GoalOutOfBounds {
        /// The goal.
        cell: Cell,
        /// The map.
        bounds: Bounds,
    },
    /// There may be a way, but it would cost more than [`Cost::MAX`](crate::Cost::MAX).
    #[error(
        "the cost of the way passes {max}, the largest that can be stated; make terrain multipliers or step costs smaller",
        max = u32::MAX
    )]
    CostOverflow,
    /// The movement is not one of this finder's.
    #[error(
        "movement {0:?} is not one of this finder's, or was removed; take the id that its add_movement returned"
    )]
    UnknownMovement(MovementId),
    /// The first movement of a finder was to be removed.
    #[error("the first movement of a finder stays; put another in its place with set_movement")]
    FirstMovement,
    /// The footprint of the unit would pass the border of the map.
    #[error(
        "a unit of {side} × {side} cells at {cell} passes the border of the map of {bounds}; its cell is the lowest and leftmost that it covers"
    )]
    FootprintOutOfBounds {
        /// The anchor, a start or a goal.
        cell: Cell,
        /// Cells a side.
        side: u8,
        /// The map.
        bounds: Bounds,
    },
    /// Units of more than one cell were asked for on hexagons.
    #[error(
        "a unit of {side} × {side} cells cannot move on hexagons; give its movement a size of 1, or mark the cells around walls as closed"
    )]
    SizeOnHexagons {
        /// Cells a side.
        side: u8,
    },
    /// The overlays that a movement names could raise a multiplier above the largest one.
    #[error(
        "the cost table goes to {table} and the overlays of the movement to {overlays}: together more than {max}; lower one of them",
        max = u16::MAX
    )]
    OverlayTooHigh {
        /// The highest multiplier of the table.
        table: u16,
        /// The sum of the highest values of the overlays.
        overlays: u32,
    },
    /// A unit of several cells stands on closed ground and was to join a field.
    #[error(
        "a unit of {side} × {side} cells at {cell} stands on closed ground, and a field does not know how it walks off; search for its way alone"
    )]
    ClosedStart {
        /// The anchor.
        cell: Cell,
        /// Cells a side.
        side: u8,
    },
    /// Jump point search was asked for where it does not apply.
    #[error(
        "jump point search needs one passable cost on the whole map without closed exits, on squares diagonals, a diagonal step costlier than a straight one and cheaper than two, and the cost of as many diagonal steps as the map has columns and rows below 2^32 (on hexagons of as many steps); ask for auto"
    )]
    NoJumpPoints,
    /// The weight of weighted A* is below 100 percent.
    #[error("a weight of {percent} percent is below 100, where A* is already exact; ask for 100 or more")]
    InvalidWeight {
        /// The weight given.
        percent: u16,
    },
}

//! How the cell on which an order ends lies to a target: each approach has a file of its own, and a row of [`Approach::with`].

mod around;
mod beside;
mod condition;
pub(crate) mod distance;
mod flee;
pub(crate) mod in_sight;
mod within;

use std::fmt;

use bevy_reflect::Reflect;
use tilepath::{Cell, Cost};

use self::{around::Held, condition::Condition};
use crate::{failure::PathFailure, map::map_view::MapView};

/// How the cell on which an order ends lies to a target.
///
/// # Units
/// Distances are in cells, from the centre of the agent's cell to that of the target's: on squares as the crow flies, on hexagons
/// the steps between them.
#[derive(Debug, Clone, Copy, PartialEq, Reflect)]
#[type_path = "bevy_tilepath"]
#[reflect(opaque)]
#[reflect(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Approach {
    /// The cell is no farther away than this, at most 128; 0: it is the target's own cell.
    Within(f32),
    /// One allowed step leads from the cell onto the target, if that were open: to gather, to talk, to strike. The target
    /// covers the cells of its [`Obstacle`](crate::Obstacle), or those of its [movement's](crate::AgentMovement) size, or one.
    Beside,
    /// The cell is no farther away than this, at most 64, and no [opaque](crate::NavMap::opaque) cell hides the target from it.
    InSight(f32),
    /// The cell is at least that far away: see [`PathGoal::flee`](crate::PathGoal::flee).
    Flee {
        /// How far away is far enough.
        distance: f32,
        /// What the way may cost.
        budget: Cost,
    },
}

impl Approach {
    /// Asks the condition that it is: a row each.
    fn with<T>(self, ask: impl FnOnce(&(dyn Condition + 'static)) -> T) -> T {
        match self {
            Self::Within(distance) => ask(&within::Within { distance }),
            Self::Beside => ask(&beside::Beside),
            Self::InSight(range) => ask(&in_sight::InSight { range }),
            Self::Flee { distance, budget } => ask(&flee::Flee { distance, budget }),
        }
    }

    /// What is wrong with its numbers.
    pub(crate) fn fault(self) -> Option<PathFailure> {
        self.with(Condition::fault)
    }

    /// Whether an order of a unit may end on a cell. The target covers these cells, at least one.
    pub(crate) fn holds(self, cell: Cell, target: &[Cell], view: &MapView) -> bool {
        self.with(|condition| condition.holds(cell, target, view))
    }

    /// All cells around a target on which an order of a unit may end, open or not: none where they may lie anywhere.
    pub(crate) fn held(self, target: &[Cell], view: &MapView) -> Option<Held> {
        self.with(|condition| Held::new(condition, target, view))
    }

    /// Whether an edit of the map may change on which cells an order ends.
    pub(crate) fn depends_on_map(self) -> bool {
        self.with(Condition::depends_on_map)
    }

    /// What the way may cost, of an order that looks at all cells which it can reach for that.
    pub(crate) fn budget(self) -> Option<Cost> {
        self.with(Condition::budget)
    }

    /// Writes it with its target.
    pub(crate) fn write(self, target: &dyn fmt::Display, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.with(|condition| condition.write(target, formatter))
    }
}

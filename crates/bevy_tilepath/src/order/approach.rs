//! Approaches: how the last cell of an order lies to a target.
//!
//! Each approach has a file of its own, and a row in [`Approach::with`].
//!
//! Decision: `docs/decisions/44-approach-goals.md`.

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
use crate::{core_types, failure::PathFailure, map::map_view::MapView};

/// The condition for the last cell of an order near a target, or away from targets: see
/// [`PathGoal::Around`](crate::PathGoal::Around).
///
/// # Units
/// Distances are in cells, from the centre of the agent's cell to the centre of the target's cell.
/// On a square map a distance is the length of the straight line. On a hexagonal map it is the
/// number of steps.
#[derive(Debug, Clone, Copy, PartialEq, Reflect)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[type_path = "bevy_tilepath"]
#[reflect(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Approach {
    /// A cell within this distance of the target. The distance is at most 128 cells. With 0, the
    /// order ends on the target's own cell.
    Within(f32),
    /// A cell beside the target: to gather, to talk, to strike. From this cell, one step onto the
    /// target would be allowed if the target were open.
    ///
    /// The target covers the cells of its [`Obstacle`](crate::Obstacle), or as many cells as the
    /// size of its [movement](crate::AgentMovement), or one cell.
    Beside,
    /// A cell within this distance of the target, from which no [opaque](crate::NavMap::opaque)
    /// cell hides the target. The distance is at most 64 cells.
    InSight(f32),
    /// A cell at least this far away from all targets: see
    /// [`PathGoal::flee`](crate::PathGoal::flee).
    Flee {
        /// The distance from the nearest target that is far enough.
        distance: f32,
        /// The highest allowed cost of the path.
        #[reflect(remote = core_types::Cost)]
        budget: Cost,
    },
}

impl Approach {
    /// Calls `ask` with the condition of this approach.
    fn with<T>(self, ask: impl FnOnce(&(dyn Condition + 'static)) -> T) -> T {
        match self {
            Self::Within(distance) => ask(&within::Within { distance }),
            Self::Beside => ask(&beside::Beside),
            Self::InSight(range) => ask(&in_sight::InSight { range }),
            Self::Flee { distance, budget } => ask(&flee::Flee { distance, budget }),
        }
    }

    /// Returns the failure if a number is invalid.
    pub(crate) fn fault(self) -> Option<PathFailure> {
        self.with(Condition::fault)
    }

    /// Returns whether a unit's order may end on a cell. The target covers these cells, at least
    /// one.
    pub(crate) fn holds(self, cell: Cell, target: &[Cell], view: &MapView) -> bool {
        self.with(|condition| condition.holds(cell, target, view))
    }

    /// Returns all cells around a target on which a unit's order may end, open or not. `None` if
    /// the cells may lie anywhere, or if none of them lies on the map.
    pub(crate) fn held(self, target: &[Cell], view: &MapView) -> Option<Held> {
        self.with(|condition| Held::new(condition, target, view))
    }

    /// Returns whether an edit of the map may change the cells on which an order may end.
    pub(crate) fn depends_on_map(self) -> bool {
        self.with(Condition::depends_on_map)
    }

    /// Returns whether the order counts only targets on the agent's own map.
    pub(crate) fn stays_on_map(self) -> bool {
        self.with(Condition::stays_on_map)
    }

    /// Returns the highest cost of the path, if the order searches all cells within that cost.
    pub(crate) fn budget(self) -> Option<Cost> {
        self.with(Condition::budget)
    }

    /// Writes the approach with its target.
    pub(crate) fn write(self, target: &dyn fmt::Display, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.with(|condition| condition.write(target, formatter))
    }
}

//! The interface of all approaches.

use std::fmt;

use tilepath::{Cell, Cost};

use crate::{failure::PathFailure, map::map_view::MapView};

/// An approach with its numbers.
pub(super) trait Condition {
    /// Returns the failure if a number is invalid.
    fn fault(&self) -> Option<PathFailure>;

    /// Returns how many columns and rows around the target the cells may lie at most. `None` if
    /// they may lie anywhere.
    fn radius(&self, view: &MapView) -> Option<i32>;

    /// Returns whether a cell satisfies the condition. The target covers at least one cell.
    fn holds(&self, cell: Cell, target: &[Cell], view: &MapView) -> bool;

    /// Returns whether an edit of the map may change which cells satisfy the condition.
    fn depends_on_map(&self) -> bool {
        false
    }

    /// Returns whether only targets on the agent's own map count. Sight and distances do not pass
    /// doors.
    fn stays_on_map(&self) -> bool {
        false
    }

    /// Returns the highest cost of the path, if all cells within that cost are searched.
    fn budget(&self) -> Option<Cost> {
        None
    }

    /// Writes the condition with its target.
    fn write(&self, target: &dyn fmt::Display, formatter: &mut fmt::Formatter<'_>) -> fmt::Result;
}

//! What an approach says about itself.

use std::fmt;

use tilepath::{Cell, Cost};

use crate::{failure::PathFailure, map::map_view::MapView};

/// An approach with its numbers.
pub(super) trait Condition {
    /// What is wrong with its numbers.
    fn fault(&self) -> Option<PathFailure>;

    /// How many columns and rows around the target the cells lie at most that satisfy it; `None` where they lie anywhere.
    fn radius(&self, view: &MapView) -> Option<i32>;

    /// Whether a cell satisfies it. The target covers at least one cell.
    fn holds(&self, cell: Cell, target: &[Cell], view: &MapView) -> bool;

    /// Whether an edit of the map may change which cells satisfy it.
    fn depends_on_map(&self) -> bool {
        false
    }

    /// What the way may cost, if all cells are looked at that can be reached for that.
    fn budget(&self) -> Option<Cost> {
        None
    }

    /// Writes it with its target.
    fn write(&self, target: &dyn fmt::Display, formatter: &mut fmt::Formatter<'_>) -> fmt::Result;
}

//! The approach "beside a target".

use std::fmt;

use tilepath::Cell;

use super::condition::Condition;
use crate::{failure::PathFailure, map::map_view::MapView};

pub(super) struct Beside;

impl Condition for Beside {
    fn fault(&self) -> Option<PathFailure> {
        None
    }

    fn radius(&self, view: &MapView) -> Option<i32> {
        Some(view.side().into())
    }

    fn holds(&self, cell: Cell, target: &[Cell], view: &MapView) -> bool {
        view.is_passable(cell) && is_beside(cell, target, view)
    }

    fn depends_on_map(&self) -> bool {
        true
    }

    fn write(&self, target: &dyn fmt::Display, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "beside {target}")
    }
}

/// Returns whether one allowed step leads onto the target, as if the target were open.
fn is_beside(cell: Cell, target: &[Cell], view: &MapView) -> bool {
    let (grid, size) = (view.finder.grid(), view.rules.size());
    let touches = |anchor: Cell| size.footprint(anchor).any(|under| target.contains(&under));
    !touches(cell)
        && grid.topology().directions().iter().any(|&direction| {
            cell.neighbour(direction).is_some_and(touches) && view.rules.is_beside(grid, cell, direction)
        })
}

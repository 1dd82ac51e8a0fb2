//! The approach "in sight of a target".

use std::fmt;

use tilepath::Cell;

use super::{condition::Condition, distance::is_within};
use crate::{
    failure::PathFailure,
    map::{map_view::MapView, nav_grid::NavGrid},
};

/// The greatest range, in cells.
const MOST: f32 = 64.0;

pub(super) struct InSight {
    pub(super) range: f32,
}

impl Condition for InSight {
    fn fault(&self) -> Option<PathFailure> {
        (!(0.0..=MOST).contains(&self.range)).then_some(PathFailure::InvalidDistance)
    }

    fn radius(&self, _: &MapView) -> Option<i32> {
        Some(self.range.floor() as i32)
    }

    fn holds(&self, cell: Cell, target: &[Cell], view: &MapView) -> bool {
        is_within(cell, target, self.range, view.grid.grid().topology()) && sees(view.grid, cell, target)
    }

    fn depends_on_map(&self) -> bool {
        true
    }

    fn stays_on_map(&self) -> bool {
        true
    }

    fn write(&self, target: &dyn fmt::Display, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "in sight of {target}, within {} cells", self.range)
    }
}

/// Returns whether a cell of the target can be seen from `cell`, at any distance.
pub(crate) fn sees(grid: &NavGrid, cell: Cell, target: &[Cell]) -> bool {
    let is_opaque = |cell: Cell| grid.grid().terrain(cell).is_none_or(|class| grid.is_opaque(class));
    target.iter().any(|&target| grid.grid().topology().sees(cell, target, is_opaque))
}

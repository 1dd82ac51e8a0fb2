//! The approach "within a distance of a target".

use std::fmt;

use tilepath::Cell;

use super::{condition::Condition, distance::is_within};
use crate::{failure::PathFailure, map::map_view::MapView};

/// The greatest distance, in cells.
const MOST: f32 = 128.0;

pub(super) struct Within {
    pub(super) distance: f32,
}

impl Condition for Within {
    fn fault(&self) -> Option<PathFailure> {
        (!(0.0..=MOST).contains(&self.distance)).then_some(PathFailure::InvalidDistance)
    }

    fn radius(&self, _: &MapView) -> Option<i32> {
        Some(self.distance.floor() as i32)
    }

    fn holds(&self, cell: Cell, target: &[Cell], view: &MapView) -> bool {
        is_within(cell, target, self.distance, view.grid.grid().topology())
    }

    fn write(&self, target: &dyn fmt::Display, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "within {} cells of {target}", self.distance)
    }
}

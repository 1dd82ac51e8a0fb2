//! The approach "far away from targets".

use std::fmt;

use tilepath::{Cell, Cost};

use super::{condition::Condition, distance::is_nearer};
use crate::{failure::PathFailure, map::map_view::MapView};

pub(super) struct Flee {
    pub(super) distance: f32,
    pub(super) budget: Cost,
}

impl Condition for Flee {
    fn fault(&self) -> Option<PathFailure> {
        // A distance may be greater than any agent can reach: the agent flees as far as it can.
        if self.distance.is_nan() || self.distance < 0.0 {
            return Some(PathFailure::InvalidDistance);
        }
        (self.budget == Cost::ZERO).then_some(PathFailure::NoBudget)
    }

    fn radius(&self, _: &MapView) -> Option<i32> {
        None
    }

    fn holds(&self, cell: Cell, target: &[Cell], view: &MapView) -> bool {
        !is_nearer(cell, target, self.distance, view.grid.grid().topology())
    }

    fn stays_on_map(&self) -> bool {
        true
    }

    fn budget(&self) -> Option<Cost> {
        Some(self.budget)
    }

    fn write(&self, target: &dyn fmt::Display, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{} cells away from {target}", self.distance)
    }
}

//! Which cells are near enough to targets, or far enough from them.

use std::sync::Arc;

use tilepath::Cell;

use crate::{
    map::map_view::MapView,
    order::approach::{Approach, distance::farness},
};

/// The cells of a map on which an order ends that leads near to a target, or away from several.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Reach {
    pub(crate) target: Covered,
    pub(crate) approach: Approach,
}

/// What targets cover on a map.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Covered {
    /// All cells, at least one.
    pub(crate) cells: Arc<[Cell]>,
    /// Those of the targets that are places, one for each.
    pub(crate) of_places: Vec<Cell>,
}

impl Reach {
    /// Whether an order of a unit may end on that cell.
    pub(crate) fn holds(&self, cell: Cell, view: &MapView) -> bool {
        self.approach.holds(cell, &self.target.cells, view)
    }

    /// The cells of them by which a way from elsewhere leads to all, by rows; none where they may lie anywhere.
    pub(crate) fn cells(&self, view: &MapView) -> Vec<Cell> {
        let held = self.approach.held(&self.target.cells, view);
        held.map_or_else(Vec::new, |held| held.outermost().collect())
    }

    /// How far a cell is from the nearest of the targets. Farther is more; of use only to compare.
    pub(crate) fn farness(&self, cell: Cell, view: &MapView) -> f64 {
        farness(cell, &self.target.cells, view.grid.grid().topology())
    }
}

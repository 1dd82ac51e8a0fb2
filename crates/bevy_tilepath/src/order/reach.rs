//! Cells near enough to targets, or far enough from them.

use std::sync::Arc;

use tilepath::Cell;

use crate::{
    map::map_view::MapView,
    order::approach::{Approach, distance::farness},
};

/// The cells of a map on which an order near a target, or away from several, may end.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(crate) struct Reach {
    pub(crate) target: Covered,
    pub(crate) approach: Approach,
}

/// The cells that targets cover on a map.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(crate) struct Covered {
    /// All cells, at least one.
    pub(crate) cells: Arc<[Cell]>,
    /// The cells of the targets that are places, one cell for each.
    #[cfg_attr(feature = "serde", serde(deserialize_with = "tilepath::read_list"))]
    pub(crate) of_places: Vec<Cell>,
}

impl Reach {
    /// Returns whether a unit's order may end on `cell`.
    pub(crate) fn holds(&self, cell: Cell, view: &MapView) -> bool {
        self.approach.holds(cell, &self.target.cells, view)
    }

    /// Returns the outermost of the cells, row by row: each path from outside to any of the cells
    /// leads over one of them. Empty if the cells may lie anywhere.
    pub(crate) fn cells(&self, view: &MapView) -> Vec<Cell> {
        let held = self.approach.held(&self.target.cells, view);
        held.map_or_else(Vec::new, |held| held.outermost().collect())
    }

    /// Returns a distance from a cell to the nearest target. Use it only to compare: a greater
    /// value is farther away.
    pub(crate) fn farness(&self, cell: Cell, view: &MapView) -> f64 {
        farness(cell, &self.target.cells, view.grid.grid().topology())
    }
}

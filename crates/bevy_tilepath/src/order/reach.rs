//! Cells near enough to targets, or far enough from them.

use bevy_ecs::entity::{Entity, MapEntities};
use smallvec::SmallVec;
use tilepath::Cell;

use std::sync::Arc;

use crate::{
    map::map_view::MapView,
    order::approach::{Approach, distance::farness},
};

/// The cells on which an order near a target, or away from several, may end. They lie on the maps
/// of the targets.
#[derive(Debug, Clone, PartialEq, MapEntities)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(crate) struct Reach {
    /// The targets of each map, at least one map.
    #[entities]
    #[cfg_attr(feature = "serde", serde(deserialize_with = "tilepath::read_list"))]
    pub(crate) targets: SmallVec<[Covered; 1]>,
    pub(crate) approach: Approach,
}

/// The cells that targets cover on a map.
#[derive(Debug, Clone, PartialEq, MapEntities)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(crate) struct Covered {
    #[entities]
    pub(crate) map: Entity,
    /// All cells, at least one.
    #[cfg_attr(feature = "serde", serde(deserialize_with = "crate::order::read_shared::list"))]
    pub(crate) cells: Arc<[Cell]>,
    /// The cells of the targets that are places, one cell for each.
    #[cfg_attr(feature = "serde", serde(deserialize_with = "tilepath::read_list"))]
    pub(crate) of_places: Vec<Cell>,
}

impl Reach {
    /// Returns the cells that targets cover on a map, or an empty list.
    fn covered(&self, view: &MapView) -> &[Cell] {
        let covered = self.targets.iter().find(|covered| covered.map == view.map);
        covered.map_or(&[], |covered| &covered.cells)
    }

    /// Returns the map and the cell of the target place with this index among the places.
    pub(crate) fn place(&self, index: usize) -> Option<(Entity, Cell)> {
        let covered = self.targets.iter().find(|covered| !covered.of_places.is_empty())?;
        Some((covered.map, *covered.of_places.get(index)?))
    }

    /// Returns whether a unit's order may end on `cell`.
    pub(crate) fn holds(&self, cell: Cell, view: &MapView) -> bool {
        let covered = self.covered(view);
        !covered.is_empty() && self.approach.holds(cell, covered, view)
    }

    /// Returns the outermost of the cells on a map, row by row: each path from outside to any of the
    /// cells leads over one of them. Empty if the cells may lie anywhere.
    pub(crate) fn cells(&self, view: &MapView) -> Vec<Cell> {
        let held = self.approach.held(self.covered(view), view);
        held.map_or_else(Vec::new, |held| held.outermost().collect())
    }

    /// Returns a distance from a cell to the nearest target. Use it only to compare: a greater
    /// value is farther away.
    pub(crate) fn farness(&self, cell: Cell, view: &MapView) -> f64 {
        farness(cell, self.covered(view), view.grid.grid().topology())
    }
}

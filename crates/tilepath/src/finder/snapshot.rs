//! A map as a search sees it from beginning to end.

use crate::{
    bounds::Bounds,
    grid::Grid,
    journal::Revision,
    jump_point::JumpPointSpace,
    movement_map::MovementMap,
    space::{
        canonical::CanonicalGrid,
        grid::{GridNode, GridSpace},
    },
};
use std::{cell::Cell as Counter, sync::Arc};

/// A map and a movement as they were when a search began. Edits made since do not reach it.
#[derive(Clone, Debug)]
pub(crate) struct MapSnapshot {
    pub(crate) bounds: Bounds,
    pub(crate) classes: Arc<Vec<u8>>,
    pub(crate) movement_map: Arc<MovementMap>,
    pub(crate) revision: Revision,
}

impl MapSnapshot {
    pub(crate) fn new(grid: &Grid, movement_map: Arc<MovementMap>) -> Self {
        Self {
            bounds: grid.bounds(),
            classes: grid.shared_classes(),
            movement_map,
            revision: grid.revision(),
        }
    }

    pub(crate) fn space(&self) -> GridSpace<'_> {
        GridSpace::new(&self.bounds, &self.classes, &self.movement_map)
    }

    /// For a search for one goal, where the ground is of many costs.
    pub(crate) fn canonical<'map>(
        &'map self,
        goal: GridNode,
        meter: Option<&'map Counter<u64>>,
    ) -> Option<CanonicalGrid<'map>> {
        let steps = self.movement_map.canonical_steps(&self.bounds)?;
        Some(CanonicalGrid::new(self.space(), steps, goal, meter))
    }

    pub(crate) fn jump_points<'map>(
        &'map self,
        goal: GridNode,
        meter: Option<&'map Counter<u64>>,
    ) -> JumpPointSpace<'map> {
        JumpPointSpace::new(&self.movement_map, &self.bounds, goal, meter)
    }
}

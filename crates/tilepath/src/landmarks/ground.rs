//! The map that landmarks describe.

use crate::{bounds::Bounds, movement_map::MovementMap, space::grid::GridNode};

/// The map as a movement sees it.
#[derive(Clone, Copy)]
pub(crate) struct MapGround<'map> {
    pub(crate) bounds: &'map Bounds,
    pub(crate) classes: &'map [u8],
    pub(crate) movement_map: &'map MovementMap,
}

impl MapGround<'_> {
    /// Returns the multiplier of the cell at a slot; zero if it is closed.
    #[inline]
    pub(super) fn multiplier(&self, slot: usize) -> u16 {
        self.movement_map.multiplier_at(self.classes, slot)
    }

    pub(super) fn slot(&self, node: GridNode) -> usize {
        node.y() as usize * self.bounds.width() as usize + node.x() as usize
    }
}

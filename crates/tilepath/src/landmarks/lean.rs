//! The correction for tables that hold both directions.

use super::ground::MapGround;
use crate::{
    movement_map::plane::{Ground as _, Plane},
    space::grid::GridNode,
};

/// The correction for a table of the kind [`OneLength`](super::table::Kind::OneLength): the cost of a
/// cell. Added to the cost of the path to the landmark, it gives the cost of the path from the landmark,
/// with the cost of the landmark's cell. A step adds at most its cost to this sum, as to a least cost.
#[derive(Clone, Copy)]
pub(crate) struct Lean<'map> {
    ground: Plane<'map>,
    width: usize,
}

impl<'map> Lean<'map> {
    pub(super) fn of(map: MapGround<'map>) -> Self {
        Self { ground: map.movement_map.plane(map.classes), width: map.bounds.width() as usize }
    }

    /// Returns what is added at a cell: its cost on the present map. A closed cell has no cost, and no
    /// bound.
    #[inline]
    pub(super) fn at(&self, node: GridNode) -> u32 {
        match self.ground.entry_cost(node.y() as usize * self.width + node.x() as usize, 0) {
            0 => u32::MAX,
            cost => cost,
        }
    }
}

//! The ground of a shape.

use crate::{cell::Cell, topology::Topology};
use rustc_hash::FxHashSet;
use std::rc::Rc;

/// The cells that units of one size may pass on the walk from their anchor to the points of a shape:
/// the cells at most one unit away from a point.
///
/// If the units cannot reach the goal, their anchor lies beside the shape. Then the cells around the
/// goal belong to the outline too, as far as the anchor is away.
pub(super) struct Outline {
    topology: Topology,
    goal: Cell,
    anchor: Cell,
    side: u8,
    points: Rc<FxHashSet<Cell>>,
}

impl Outline {
    pub(super) const fn new(
        topology: Topology,
        (anchor, goal): (Cell, Cell),
        side: u8,
        points: Rc<FxHashSet<Cell>>,
    ) -> Self {
        Self { topology, goal, anchor, side, points }
    }

    pub(super) fn contains(&self, cell: Cell) -> bool {
        let Self { topology, goal, anchor, .. } = *self;
        let margin = i32::from(self.side);
        let around = topology.steps(goal, anchor) + u64::from(self.side);
        let mut near = (-margin..=margin).flat_map(|y| (-margin..=margin).map(move |x| cell + (x, y)));
        topology.steps(goal, cell) <= around
            || near
                .any(|near| topology.steps(cell, near) <= u64::from(self.side) && self.points.contains(&near))
    }
}

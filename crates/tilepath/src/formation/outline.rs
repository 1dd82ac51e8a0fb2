//! The ground of a shape.

use crate::{cell::Cell, topology::Topology};
use rustc_hash::FxHashSet;

/// The cells that units of one size may pass on the walk from their anchor to the points of a shape:
/// the cells at most one unit away from a point.
///
/// A wall across the shape ends it: no walk passes the cells around two closed points beside each other,
/// except on open points. So a gate beside the shape does not lead on. Behind a single closed point, such
/// as a pillar, the shape goes on.
///
/// If the units cannot reach the goal, their anchor lies beside the shape. Then the cells around the
/// goal belong to the outline too, as far as the anchor is away.
pub(super) struct Outline {
    topology: Topology,
    goal: Cell,
    anchor: Cell,
    side: u8,
    points: FxHashSet<Cell>,
    /// The closed points that have another one beside them.
    walls: FxHashSet<Cell>,
}

impl Outline {
    pub(super) fn new(
        topology: Topology,
        (anchor, goal): (Cell, Cell),
        side: u8,
        points: &FxHashSet<Cell>,
        is_open: impl Fn(Cell) -> bool,
    ) -> Self {
        let is_closed = |cell: Cell| points.contains(&cell) && !is_open(cell);
        let is_wall = |&cell: &Cell| {
            is_closed(cell) && around(topology, side, cell).any(|near| near != cell && is_closed(near))
        };
        let (walls, points) = points.iter().copied().partition(is_wall);
        Self { topology, goal, anchor, side, points, walls }
    }

    pub(super) fn contains(&self, cell: Cell) -> bool {
        let Self { topology, goal, anchor, side, .. } = *self;
        let is_beside =
            |points: &FxHashSet<Cell>| around(topology, side, cell).any(|near| points.contains(&near));
        topology.steps(goal, cell) <= topology.steps(goal, anchor) + u64::from(side)
            || self.points.contains(&cell)
            || is_beside(&self.points) && !is_beside(&self.walls)
    }
}

/// Returns the cells at most one unit away from a cell.
fn around(topology: Topology, side: u8, cell: Cell) -> impl Iterator<Item = Cell> {
    let margin = i32::from(side);
    let square = (-margin..=margin).flat_map(move |y| (-margin..=margin).map(move |x| cell + (x, y)));
    square.filter(move |&near| topology.steps(cell, near) <= u64::from(side))
}

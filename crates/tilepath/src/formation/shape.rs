//! How units stand in a formation. Each formation has its shape in a file of its own.

pub(super) mod boxed;
pub(super) mod disc;
pub(super) mod line;
pub(super) mod wedge;

use super::vectors::{PART, scaled};
use crate::topology::Topology;

/// How the units of a formation stand.
pub(crate) enum Shape {
    /// As near to a cell as they can, on foot. Larger units gather behind smaller ones: the function gives how many cells, from the
    /// number of cells that smaller units cover and the side of the larger.
    Gathered(fn(usize, u8) -> i64),
    /// On points, one after the other.
    Points(Points),
}

/// A list of points without end, the most important first.
#[derive(Clone, Copy)]
pub(crate) struct Points {
    /// In how many ranks that many units stand.
    pub(super) ranks: fn(usize) -> i64,
    /// The point of that number, in parts of a cell from the goal.
    pub(super) point: fn(&Block, usize) -> (i64, i64),
    /// Whether the list goes on beyond the units, where some of its points are left out.
    pub(super) goes_on: bool,
}

impl Points {
    /// How deep the ranks of that many units are, in cells.
    pub(super) fn depth(&self, count: usize, side: u8) -> i64 {
        (self.ranks)(count) * i64::from(side)
    }
}

/// The units of one size in a formation, and the directions from one to the next.
pub(crate) struct Block {
    pub(super) count: usize,
    side: i64,
    /// Half a cell forward.
    forward: (i64, i64),
    /// To the next unit on the left.
    pub(super) left: (i64, i64),
    /// To the next unit back along the left arm of a wedge, and the right one.
    pub(super) arms: [(i64, i64); 2],
    /// How deep the ranks of smaller units are that stand in front of it, in cells.
    behind: i64,
    /// How deep all ranks are together, in cells.
    depth: i64,
}

impl Block {
    /// That many units of that size. `behind`: how deep the ranks in front of it are; `depth`: how deep all are together.
    pub(super) fn new(
        topology: Topology,
        heading: (i32, i32),
        count: usize,
        side: u8,
        behind: i64,
        depth: i64,
    ) -> Self {
        let side = i64::from(side);
        let length = PART * side;
        let ahead = (i64::from(heading.0), i64::from(heading.1));
        let left = match topology {
            Topology::Square => (-ahead.1, ahead.0),
            // A quarter of a turn in axial coordinates, but for its length.
            Topology::Hexagonal => (-(ahead.0 + 2 * ahead.1), 2 * ahead.0 + ahead.1),
        };
        let [forward, left] =
            [(ahead, PART / 2), (left, length)].map(|(step, length)| scaled(topology, step, length));
        let back = scaled(topology, ahead, length);
        let arm = |side: i64| scaled(topology, (side * left.0 - back.0, side * left.1 - back.1), length);
        Self { count, side, forward, left, arms: [arm(1), arm(-1)], behind, depth }
    }

    /// How far the first rank of a formation with its front at the goal is in front of it, in halves of a cell.
    pub(super) const fn with_front_at_goal(&self) -> i64 {
        1 - 2 * self.behind - self.side
    }

    /// How far the first rank of a formation with its middle at the goal is in front of it, in halves of a cell.
    pub(super) const fn with_middle_at_goal(&self) -> i64 {
        self.depth - 2 * self.behind - self.side
    }

    /// How far one rank is behind another, in halves of a cell.
    pub(super) const fn rank(&self) -> i64 {
        2 * self.side
    }

    /// That many halves of a step from the goal, and that many halves of a cell in front of it.
    pub(super) fn point(&self, step: (i64, i64), count: i64, in_front: i64) -> (i64, i64) {
        let along = |step: i64, forward: i64| (step * count).div_euclid(2) + forward * in_front;
        (along(step.0, self.forward.0), along(step.1, self.forward.1))
    }
}

/// One to the left, one to the right, two to the left.
pub(super) const fn outwards(number: i64) -> i64 {
    if number % 2 == 1 { (number + 1) / 2 } else { -number / 2 }
}

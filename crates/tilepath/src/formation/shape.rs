//! Shapes of formations, each in a file of its own.

pub(super) mod boxed;
pub(super) mod disc;
pub(super) mod line;
pub(super) mod wedge;

use super::vectors::{PART, scaled};
use crate::topology::Topology;

/// The shape of a formation.
pub(crate) enum Shape {
    /// Units stand as near to a cell as possible, on foot. Larger units gather behind smaller ones.
    /// The function returns how many cells behind, from the number of cells that smaller units
    /// cover and the side of the larger.
    Gathered(fn(usize, u8) -> i64),
    /// Units stand on points, one after the other.
    Points(Points),
}

/// An endless list of points, the most important first.
#[derive(Clone, Copy)]
pub(crate) struct Points {
    /// The number of ranks for a number of units.
    pub(super) ranks: fn(usize) -> i64,
    /// The point with a number, in parts of a cell from the goal.
    pub(super) point: fn(&Block, usize) -> (i64, i64),
    /// True if the list continues beyond the units when points are left out.
    pub(super) goes_on: bool,
}

impl Points {
    /// Returns the depth of the ranks of this many units, in cells.
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
    /// The vector to the next unit on the left.
    pub(super) left: (i64, i64),
    /// The vectors to the next unit back along the left and the right arm of a wedge.
    pub(super) arms: [(i64, i64); 2],
    /// The depth in cells of the ranks of smaller units in front.
    behind: i64,
    /// The depth in cells of all ranks together.
    depth: i64,
}

impl Block {
    /// Creates a block of `count` units. `behind` is the depth of the ranks in front of it; `depth`
    /// is the depth of all ranks together.
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
            // A quarter turn in axial coordinates; the length is set below.
            Topology::Hexagonal => (-(ahead.0 + 2 * ahead.1), 2 * ahead.0 + ahead.1),
        };
        let [forward, left] =
            [(ahead, PART / 2), (left, length)].map(|(step, length)| scaled(topology, step, length));
        let back = scaled(topology, ahead, length);
        let arm = |side: i64| scaled(topology, (side * left.0 - back.0, side * left.1 - back.1), length);
        Self { count, side, forward, left, arms: [arm(1), arm(-1)], behind, depth }
    }

    /// Returns how far the first rank lies in front of the goal if the front is at the goal, in
    /// half cells.
    pub(super) const fn with_front_at_goal(&self) -> i64 {
        1 - 2 * self.behind - self.side
    }

    /// Returns how far the first rank lies in front of the goal if the middle is at the goal, in
    /// half cells.
    pub(super) const fn with_middle_at_goal(&self) -> i64 {
        self.depth - 2 * self.behind - self.side
    }

    /// Returns the distance between two ranks, in half cells.
    pub(super) const fn rank(&self) -> i64 {
        2 * self.side
    }

    /// Returns the point `count` halves of `step` away from the goal and `in_front` half cells in
    /// front of it.
    pub(super) fn point(&self, step: (i64, i64), count: i64, in_front: i64) -> (i64, i64) {
        let along = |step: i64, forward: i64| (step * count).div_euclid(2) + forward * in_front;
        (along(step.0, self.forward.0), along(step.1, self.forward.1))
    }
}

/// Returns the offset of a number: one to the left, one to the right, two to the left, and so on.
pub(super) const fn outwards(number: i64) -> i64 {
    if number % 2 == 1 { (number + 1) / 2 } else { -number / 2 }
}

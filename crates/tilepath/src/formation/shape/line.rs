//! A line: one rank across the heading, its middle at the goal.

use super::{Block, Points, Shape, outwards};

pub(crate) const SHAPE: Shape = Shape::Points(Points { ranks: |_| 1, point, goes_on: true });

fn point(block: &Block, number: usize) -> (i64, i64) {
    block.point(block.left, 2 * outwards(number as i64), block.with_front_at_goal())
}

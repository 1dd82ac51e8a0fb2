//! A wedge: a point at the goal and two arms behind it.

use super::{Block, Points, Shape};

// If one arm is blocked, the other does not grow.
pub(crate) const SHAPE: Shape = Shape::Points(Points { ranks: |_| 1, point, goes_on: false });

fn point(block: &Block, number: usize) -> (i64, i64) {
    let [left, right] = block.arms;
    let arm = if number % 2 == 1 { left } else { right };
    block.point(arm, 2 * ((number as i64 + 1) / 2), block.with_front_at_goal())
}

//! A disc: units stand as near to the goal as possible.

use super::Shape;

pub(crate) const SHAPE: Shape = Shape::Gathered(away);

/// Returns how many cells behind the goal larger units gather.
fn away(smaller: usize, side: u8) -> i64 {
    // The area of a disc is a little more than three times the square of its radius.
    (smaller / 3).isqrt() as i64 + i64::from(side) / 2 + 1
}

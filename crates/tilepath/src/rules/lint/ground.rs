//! The test for a place where a unit can stand.

use crate::{grid::Grid, movement::Movement};

/// Returns whether the map has a square of open cells as large as the unit.
pub(super) fn can_stand(movement: &Movement, grid: &Grid) -> bool {
    let costs = movement.costs();
    let side = movement.size().side();
    if side == 1 {
        return (0..=u8::MAX).any(|class| costs.is_passable(class) && grid.class_count(class) > 0);
    }
    let width = grid.width() as usize;
    // The side of the largest open square that ends in each column. Columns before the current one
    // hold the current row, the others hold the row before.
    let mut squares = vec![0_u8; width];
    let (mut west, mut before_west) = (0, 0);
    for (slot, &class) in grid.classes().iter().enumerate() {
        let (x, y) = (slot % width, slot / width);
        if x == 0 {
            (west, before_west) = (0, 0);
        }
        let before = squares[x];
        let is_open = costs.is_passable(class) && !grid.is_void_at(x as u32, y as u32);
        let square = if is_open { 1 + west.min(before).min(before_west) } else { 0 };
        if square == side {
            return true;
        }
        squares[x] = square;
        (west, before_west) = (square, before);
    }
    false
}

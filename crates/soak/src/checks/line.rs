//! Which cells a straight line meets.

use bevy_math::Vec2;
use bevy_tilepath::{Cell, Diagonals};

/// By as much as this, in cells, a line may touch a cell without being in it: more than rounding on a parent that
/// turns, less than can be seen.
pub(super) const HAIR: f32 = 5e-3;

/// The cells in which the line is, by more than a hair.
pub(super) fn cells_met(from: Vec2, to: Vec2) -> Vec<Cell> {
    let (low, high) = (from.min(to).floor(), from.max(to).floor());
    (low.y as i32..=high.y as i32)
        .flat_map(|y| (low.x as i32..=high.x as i32).map(move |x| Cell::new(x, y)))
        .filter(|&cell| is_in(from, to, cell))
        .collect()
}

/// Whether some part of the line is inside of the cell, by the part of it that lies between the sides.
fn is_in(from: Vec2, to: Vec2, cell: Cell) -> bool {
    let (mut first, mut last) = (0.0_f32, 1.0_f32);
    for (from, to, low) in [(from.x, to.x, cell.x as f32), (from.y, to.y, cell.y as f32)] {
        let (low, high) = (low + HAIR, low + 1.0 - HAIR);
        let along = to - from;
        if along == 0.0 {
            if from <= low || from >= high {
                return false;
            }
        } else {
            let (enters, leaves) = ((low - from) / along, (high - from) / along);
            first = first.max(enters.min(leaves));
            last = last.min(enters.max(leaves));
        }
    }
    first < last || from == to && first <= last
}

/// The two cells between which the line passes a corner, if it passes one without being in a cell beside it.
pub(super) fn corner(from: Vec2, to: Vec2) -> Option<[Cell; 2]> {
    let [&[first], &[last]] = [&cells_met(from, from)[..], &cells_met(to, to)[..]] else { return None };
    let is_diagonal = first.x.abs_diff(last.x) == 1 && first.y.abs_diff(last.y) == 1;
    (is_diagonal && cells_met(from, to).len() == 2).then_some([first, last])
}

/// The rule, by the number of walls beside the corner.
pub(super) fn allows(rule: Diagonals, walls: usize) -> bool {
    match rule {
        Diagonals::Never => false,
        Diagonals::OnlyWhenNoObstacles => walls == 0,
        Diagonals::IfAtMostOneObstacle => walls <= 1,
        Diagonals::Always => true,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cells(cells: &[(i32, i32)]) -> Vec<Cell> {
        cells.iter().copied().map(Cell::from).collect()
    }

    #[test]
    fn line_through_a_corner_is_in_neither_cell_beside_it_and_one_past_it_is() {
        let (from, to) = (Vec2::new(1.8, 1.8), Vec2::new(2.2, 2.2));
        assert_eq!(cells_met(from, to), cells(&[(1, 1), (2, 2)]));
        assert_eq!(corner(from, to), Some([Cell::new(1, 1), Cell::new(2, 2)]));
        let aside = Vec2::new(0.05, -0.05);
        assert_eq!(cells_met(from + aside, to + aside), cells(&[(1, 1), (2, 1), (2, 2)]));
        assert_eq!(corner(from + aside, to + aside), None);
    }

    #[test]
    fn line_along_an_edge_is_in_no_cell_and_a_point_in_its_own() {
        assert_eq!(cells_met(Vec2::new(1.2, 2.0), Vec2::new(1.6, 2.0)), []);
        assert_eq!(cells_met(Vec2::splat(-0.5), Vec2::splat(-0.5)), cells(&[(-1, -1)]));
    }
}

//! Cells on a straight line.

use bevy_math::Vec2;
use bevy_tilepath::{Cell, Diagonals, tilepath::Topology};

use crate::places;

/// The depth, in cells, to which a line may touch a cell without being in it. It is more than
/// rounding on a turning parent, and less than can be seen.
pub(super) const HAIR: f32 = 5e-3;

/// Returns the cells that a line enters by more than a hair. The line is the path of the middle of
/// a unit. For a large unit, all cells that it covers count.
pub(super) fn cells_met(shape: Topology, side: i32, from: Vec2, to: Vec2) -> Vec<Cell> {
    let half = if side > 1 { side as f32 / 2.0 } else { 0.0 };
    // The corners of hexagons reach into the squares beside theirs.
    let more = if shape == Topology::Hexagonal { 1.0 } else { half };
    let (low, high) = ((from.min(to) - more).floor(), (from.max(to) + more).floor());
    (low.y as i32..=high.y as i32)
        .flat_map(|y| (low.x as i32..=high.x as i32).map(move |x| Cell::new(x, y)))
        .filter(|&cell| is_in(shape, half, from, to, cell))
        .collect()
}

/// Returns the straight parts of a walk of less than a cell. The walk can bend in the middle of the
/// unit's cells. A straight line between the ends of a bent walk would pass beside it.
pub(super) fn parts(side: i32, from: Vec2, to: Vec2) -> Vec<[Vec2; 2]> {
    let middle = side as f32 / 2.0;
    let bend = (from.midpoint(to) - middle).round() + middle;
    let is_between = bend.cmpge(from.min(to) - HAIR).all() && bend.cmple(from.max(to) + HAIR).all();
    if side > 1 && is_between { vec![[from, bend], [bend, to]] } else { vec![[from, to]] }
}

/// Returns the steps of the middle of a cell along a line: each two cells that the line enters one
/// after the other.
pub(super) fn steps(shape: Topology, from: Vec2, to: Vec2) -> Vec<[Cell; 2]> {
    let mut met: Vec<(f32, Cell)> = (cells_met(shape, 1, from, to).into_iter())
        .filter_map(|cell| Some((part_in(shape, 0.0, from, to, cell)?.0, cell)))
        .collect();
    met.sort_by(|(one, _), (other, _)| one.total_cmp(other));
    met.windows(2).map(|pair| [pair[0].1, pair[1].1]).collect()
}

/// Returns whether a part of the line is inside the cell.
fn is_in(shape: Topology, half: f32, from: Vec2, to: Vec2, cell: Cell) -> bool {
    part_in(shape, half, from, to, cell).is_some()
}

/// Returns the part of the line that is inside the cell, by the part between the sides. The cell is
/// widened by the size of the unit on the line.
fn part_in(shape: Topology, half: f32, from: Vec2, to: Vec2, cell: Cell) -> Option<(f32, f32)> {
    let (mut first, mut last) = (0.0_f32, 1.0_f32);
    let centre = Vec2::new(cell.x as f32, cell.y as f32) + 0.5;
    for &(normal, width) in places::sides(shape) {
        let [from, to, middle] = [from, to, centre].map(|point| normal.dot(point));
        let reach = width + half - HAIR * normal.length();
        let (low, high) = (middle - reach, middle + reach);
        let along = to - from;
        if along == 0.0 {
            if from <= low || from >= high {
                return None;
            }
        } else {
            let (enters, leaves) = ((low - from) / along, (high - from) / along);
            first = first.max(enters.min(leaves));
            last = last.min(enters.max(leaves));
        }
    }
    (first < last || from == to && first <= last).then_some((first, last))
}

/// Returns the two cells between which the line passes a corner, if it enters no cell beside the
/// corner.
///
/// Hexagons meet at their sides, so no step leads over a corner.
pub(super) fn corner(shape: Topology, from: Vec2, to: Vec2) -> Option<[Cell; 2]> {
    if shape == Topology::Hexagonal {
        return None;
    }
    let met = |to| cells_met(shape, 1, from, to);
    let [&[first], &[last]] = [&met(from)[..], &cells_met(shape, 1, to, to)[..]] else { return None };
    let is_diagonal = first.x.abs_diff(last.x) == 1 && first.y.abs_diff(last.y) == 1;
    (is_diagonal && met(to).len() == 2).then_some([first, last])
}

/// Returns whether the rule allows a corner with this number of walls beside it.
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

    const SQUARE: Topology = Topology::Square;

    fn cells(cells: &[(i32, i32)]) -> Vec<Cell> {
        cells.iter().copied().map(Cell::from).collect()
    }

    #[test]
    fn line_through_a_corner_is_in_neither_cell_beside_it_and_one_past_it_is() {
        let (from, to) = (Vec2::new(1.8, 1.8), Vec2::new(2.2, 2.2));
        assert_eq!(cells_met(SQUARE, 1, from, to), cells(&[(1, 1), (2, 2)]));
        assert_eq!(corner(SQUARE, from, to), Some([Cell::new(1, 1), Cell::new(2, 2)]));
        let aside = Vec2::new(0.05, -0.05);
        assert_eq!(cells_met(SQUARE, 1, from + aside, to + aside), cells(&[(1, 1), (2, 1), (2, 2)]));
        assert_eq!(corner(SQUARE, from + aside, to + aside), None);
    }

    #[test]
    fn line_steps_from_cell_to_cell_in_its_own_direction() {
        let at = |x: f32, y: f32| Vec2::new(x, y);
        let steps = |from, to| steps(SQUARE, from, to);
        let [a, b, c] = [(1, 1), (2, 1), (2, 2)].map(Cell::from);
        assert_eq!(steps(at(1.8, 1.8), at(2.2, 2.2)), [[a, c]]);
        assert_eq!(steps(at(1.85, 1.75), at(2.25, 2.15)), [[a, b], [b, c]]);
        assert_eq!(steps(at(2.25, 2.15), at(1.85, 1.75)), [[c, b], [b, a]]);
        assert_eq!(steps(at(1.2, 1.2), at(1.4, 1.4)), Vec::<[Cell; 2]>::new());
    }

    #[test]
    fn line_along_an_edge_is_in_no_cell_and_a_point_in_its_own() {
        assert_eq!(cells_met(SQUARE, 1, Vec2::new(1.2, 2.0), Vec2::new(1.6, 2.0)), []);
        assert_eq!(cells_met(SQUARE, 1, Vec2::splat(-0.5), Vec2::splat(-0.5)), cells(&[(-1, -1)]));
    }

    #[test]
    fn unit_of_two_cells_a_side_is_in_all_that_it_covers_on_its_way() {
        let at = |x: f32, y: f32| Vec2::new(x, y);
        assert_eq!(
            cells_met(SQUARE, 2, at(1.0, 1.0), at(1.0, 1.0)),
            cells(&[(0, 0), (1, 0), (0, 1), (1, 1)])
        );
        let east = cells_met(SQUARE, 2, at(1.0, 1.0), at(1.2, 1.0));
        assert_eq!(east, cells(&[(0, 0), (1, 0), (2, 0), (0, 1), (1, 1), (2, 1)]));
        assert_eq!(cells_met(SQUARE, 2, at(1.0, 1.0), at(1.1, 1.1)).len(), 9);
        // The unit turns in the middle of its cells, so it does not touch the cell beyond the
        // corner.
        let (from, to) = (at(0.8, 1.0), at(1.0, 1.2));
        assert!(cells_met(SQUARE, 2, from, to).contains(&Cell::new(-1, 2)));
        assert_eq!(parts(2, from, to), [[from, at(1.0, 1.0)], [at(1.0, 1.0), to]]);
        assert_eq!(parts(2, at(1.2, 1.2), at(1.4, 1.4)), [[at(1.2, 1.2), at(1.4, 1.4)]]);
        assert_eq!(parts(1, from, to), [[from, to]]);
    }

    #[test]
    fn line_between_hexagons_lies_in_the_crossed_cells() {
        let shape = Topology::Hexagonal;
        let centre = |x: i32, y: i32| Vec2::new(x as f32, y as f32) + 0.5;
        for (x, y) in [(1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1)] {
            let mut met = cells_met(shape, 1, centre(0, 0), centre(x, y));
            met.sort_unstable();
            let mut expected = cells(&[(0, 0), (x, y)]);
            expected.sort_unstable();
            assert_eq!(met, expected);
        }
        // From the corner of the three hexagons (0, 0), (1, 0) and (0, 1), no other hexagon lies
        // before (1, 1).
        assert_eq!(cells_met(shape, 1, centre(0, 0), centre(1, 1)), cells(&[(0, 0), (1, 1)]));
        let third = Vec2::splat(1.0 / 3.0);
        assert_eq!(cells_met(shape, 1, centre(0, 0) + third, centre(0, 0) + third), []);
        let around: Vec<Cell> = places::cells_around(shape, centre(0, 0) + third, 1e-3).collect();
        assert_eq!(around, cells(&[(0, 0), (1, 0), (0, 1)]));
    }
}

//! Assignment of very many places: by the angle around the middle.

use super::query::FormationUnit;
use crate::cell::Cell;
use std::cmp::Ordering;

/// Pairs units and places by their angles, each around the middle of its own group. There are as
/// many places as units, or fewer.
///
/// Units that stood beside each other stand beside each other again, and paths seldom cross.
///
/// # Complexity
/// O(n log n).
pub(super) fn by_angle(units: &[FormationUnit], places: &[Cell]) -> Vec<Option<usize>> {
    let known: Vec<(usize, Cell)> =
        units.iter().enumerate().filter_map(|(index, unit)| Some((index, unit.from?))).collect();
    let all: Vec<(usize, Cell)> = places.iter().copied().enumerate().collect();
    let order_of_places = around(&all);
    let elsewhere = (0..units.len()).filter(|&unit| units[unit].from.is_none());
    let mut taken = vec![None; units.len()];
    for (unit, place) in around(&known).into_iter().chain(elsewhere).zip(order_of_places) {
        taken[unit] = Some(place);
    }
    taken
}

/// Returns the indices in one turn around the middle of the cells.
fn around(cells: &[(usize, Cell)]) -> Vec<usize> {
    let count = cells.len().max(1) as i64;
    let sum = |axis: fn(Cell) -> i32| cells.iter().map(|&(_, cell)| i64::from(axis(cell))).sum::<i64>();
    let middle = (sum(|cell| cell.x), sum(|cell| cell.y));
    // The vectors from the middle, multiplied by `count`.
    let mut rays: Vec<(usize, (i64, i64))> = cells
        .iter()
        .map(|&(index, cell)| {
            (index, (i64::from(cell.x) * count - middle.0, i64::from(cell.y) * count - middle.1))
        })
        .collect();
    rays.sort_by(|(one, a), (other, b)| angle(*a, *b).then(one.cmp(other)));
    rays.into_iter().map(|(index, _)| index).collect()
}

/// Compares angles from the west, around by the south; of equal angles, the shorter vector is
/// first.
fn angle(a: (i64, i64), b: (i64, i64)) -> Ordering {
    let half = |(x, y): (i64, i64)| y > 0 || (y == 0 && x > 0);
    let [ax, ay, bx, by] = [a.0, a.1, b.0, b.1].map(i128::from);
    half(a)
        .cmp(&half(b))
        .then_with(|| 0.cmp(&(ax * by - ay * bx)))
        .then_with(|| (ax * ax + ay * ay).cmp(&(bx * bx + by * by)))
}

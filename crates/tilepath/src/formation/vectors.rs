//! Points and directions between cells: headings, and cells at points.

use crate::{cell::Cell, topology::Topology};

/// The number of parts into which a cell is divided for points.
pub(super) const PART: i64 = 1024;

/// The maximum length of a heading. Longer ones are shortened, so that products of headings fit.
const LONGEST: i64 = 1 << 20;

/// Returns the heading of a formation: the given one, or the direction from the middle of its units
/// to the goal. It is never (0, 0).
pub(super) fn heading(
    topology: Topology,
    given: Option<(i32, i32)>,
    from: &[Cell],
    goal: Cell,
) -> (i32, i32) {
    let approach = || {
        let count = from.len().max(1) as i64;
        let sum = |axis: fn(Cell) -> i32| from.iter().map(|&cell| i64::from(axis(cell))).sum::<i64>();
        let x = i64::from(goal.x) - sum(|cell| cell.x) / count;
        let y = i64::from(goal.y) - sum(|cell| cell.y) / count;
        if from.is_empty() { (0, 0) } else { (x, y) }
    };
    let given = given.map(|(x, y)| (i64::from(x), i64::from(y)));
    let wanted = given.filter(|&heading| heading != (0, 0)).unwrap_or_else(approach);
    let (x, y) = if wanted == (0, 0) { (0, 1) } else { wanted };
    let (x, y) = snapped(topology, (x, y));
    (x as i32, y as i32)
}

/// Shortens a vector to the maximum length.
fn snapped(topology: Topology, (x, y): (i64, i64)) -> (i64, i64) {
    let longest = norm(topology, (x, y));
    if longest <= LONGEST { (x, y) } else { scaled(topology, (x, y), LONGEST) }
}

/// Returns the length of a vector in steps on an empty map.
fn norm(topology: Topology, (x, y): (i64, i64)) -> i64 {
    let longer = x.abs().max(y.abs());
    match topology {
        Topology::Square => longer,
        Topology::Hexagonal => longer.max((x + y).abs()),
    }
}

/// Returns a vector of the same direction with this length in steps.
pub(super) fn scaled(topology: Topology, (x, y): (i64, i64), length: i64) -> (i64, i64) {
    let norm = norm(topology, (x, y)).max(1);
    let part = |along: i64| (2 * along * length + along.signum() * norm) / (2 * norm);
    (part(x), part(y))
}

/// Returns the point at this number of steps behind the goal, in parts of a cell.
pub(super) fn behind(topology: Topology, (x, y): (i32, i32), steps: i64) -> (i64, i64) {
    scaled(topology, (-i64::from(x), -i64::from(y)), steps * PART)
}

/// Returns the anchor of a unit whose middle is at a point, relative to the goal.
pub(super) fn anchor_at(topology: Topology, goal: Cell, (x, y): (i64, i64), side: u8) -> Option<Cell> {
    let middle = (i64::from(side) - 1) * PART / 2;
    let (x, y) = (x - middle, y - middle);
    let whole = |along: i64| (along + PART / 2).div_euclid(PART);
    let (mut column, mut row) = (whole(x), whole(y));
    if topology == Topology::Hexagonal {
        // The third axis is x + y. The axis with the largest rounding error is computed from the
        // other two.
        let sum = whole(x + y);
        let off = |exact: i64, rounded: i64| (exact - rounded * PART).abs();
        let [off_x, off_y, off_sum] = [off(x, column), off(y, row), off(x + y, sum)];
        if off_x > off_y && off_x > off_sum {
            column = sum - row;
        } else if off_y > off_sum {
            row = sum - column;
        }
    }
    let x = i32::try_from(i64::from(goal.x) + column).ok()?;
    let y = i32::try_from(i64::from(goal.y) + row).ok()?;
    Some(Cell::new(x, y))
}

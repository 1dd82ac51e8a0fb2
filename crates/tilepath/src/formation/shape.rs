//! Shapes as lists of points, the most important first.

use super::{Formation, FormationQuery};
use crate::{cell::Cell, topology::Topology};

/// Points are counted in parts of a cell.
pub(super) const PART: i64 = 1024;

/// Headings longer than this are shortened: products of them have to fit.
const LONGEST: i64 = 1 << 20;

/// Where a formation looks to. Not (0, 0).
pub(super) fn heading(topology: Topology, query: &FormationQuery) -> (i32, i32) {
    let approach = || {
        let from: Vec<Cell> = query.units.iter().filter_map(|unit| unit.from).collect();
        let count = from.len().max(1) as i64;
        let sum = |axis: fn(Cell) -> i32| from.iter().map(|&cell| i64::from(axis(cell))).sum::<i64>();
        let x = i64::from(query.goal.x) - sum(|cell| cell.x) / count;
        let y = i64::from(query.goal.y) - sum(|cell| cell.y) / count;
        if from.is_empty() { (0, 0) } else { (x, y) }
    };
    let given = query.heading.map(|(x, y)| (i64::from(x), i64::from(y)));
    let wanted = given.filter(|&heading| heading != (0, 0)).unwrap_or_else(approach);
    let (x, y) = if wanted == (0, 0) { (0, 1) } else { wanted };
    let (x, y) = snapped(topology, (x, y));
    (x as i32, y as i32)
}

/// No longer than it may be.
fn snapped(topology: Topology, (x, y): (i64, i64)) -> (i64, i64) {
    let longest = norm(topology, (x, y));
    if longest <= LONGEST { (x, y) } else { scaled(topology, (x, y), LONGEST) }
}

/// How many steps a vector is long, on an empty map.
fn norm(topology: Topology, (x, y): (i64, i64)) -> i64 {
    let longer = x.abs().max(y.abs());
    match topology {
        Topology::Square => longer,
        Topology::Hexagonal => longer.max((x + y).abs()),
    }
}

/// The same direction, that many steps long.
fn scaled(topology: Topology, (x, y): (i64, i64), length: i64) -> (i64, i64) {
    let norm = norm(topology, (x, y)).max(1);
    let part = |along: i64| (2 * along * length + along.signum() * norm) / (2 * norm);
    (part(x), part(y))
}

/// The point that many steps behind the goal, in parts of a cell.
pub(super) fn behind(topology: Topology, (x, y): (i32, i32), steps: i64) -> (i64, i64) {
    scaled(topology, (-i64::from(x), -i64::from(y)), steps * PART)
}

/// The points of a formation, one after the other without end, in parts of a cell from the goal.
pub(super) struct Shape {
    formation: Formation,
    /// Half a cell forward; to the next unit on the left, and back along the two arms of a wedge.
    steps: [(i64, i64); 4],
    /// Files of a box.
    files: i64,
    /// How far the first rank is in front of the goal, and the next behind that, in halves of a cell.
    front: i64,
    rank: i64,
}

impl Shape {
    /// The shape of that many units of that size; `behind` ranks of others, as deep as single cells, stand in front of it, and `depth`
    /// are all together.
    pub(super) fn new(
        formation: Formation,
        topology: Topology,
        heading: (i32, i32),
        (count, side): (usize, u8),
        (behind, depth): (i64, i64),
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
        let front = match formation {
            Formation::Box => depth - 2 * behind - side,
            Formation::Disc | Formation::Line | Formation::Wedge => 1 - 2 * behind - side,
        };
        let steps = [forward, left, arm(1), arm(-1)];
        Self { formation, steps, files: files(count), front, rank: 2 * side }
    }

    /// The point of that number.
    pub(super) fn point(&self, number: usize) -> (i64, i64) {
        let number = number as i64;
        let [ahead, left, left_arm, right_arm] = self.steps;
        // One to the left, one to the right, two to the left.
        let outwards = |number: i64| if number % 2 == 1 { (number + 1) / 2 } else { -number / 2 };
        let sum = |(step, count): ((i64, i64), i64), halves: i64| {
            let along = |step: i64, forward: i64| (step * count).div_euclid(2) + forward * halves;
            (along(step.0, ahead.0), along(step.1, ahead.1))
        };
        match self.formation {
            Formation::Disc | Formation::Line => sum((left, 2 * outwards(number)), self.front),
            Formation::Box => {
                let (rank, file) = (number / self.files, outwards(number % self.files));
                // Between two files, if there are as many on either side.
                let file = 2 * file - i64::from(self.files % 2 == 0);
                sum((left, file), self.front - self.rank * rank)
            }
            Formation::Wedge => {
                let arm = if number % 2 == 1 { left_arm } else { right_arm };
                sum((arm, 2 * ((number + 1) / 2)), self.front)
            }
        }
    }
}

/// Files of a box of that many.
fn files(count: usize) -> i64 {
    let root = count.isqrt();
    (root + usize::from(root * root < count)).max(1) as i64
}

/// How deep the ranks of that many units are, in cells.
pub(super) fn depth(formation: Formation, count: usize, side: u8) -> i64 {
    let ranks = match formation {
        Formation::Box => (count as i64 + files(count) - 1) / files(count),
        Formation::Disc | Formation::Line | Formation::Wedge => 1,
    };
    ranks * i64::from(side)
}

/// The anchor of a unit whose middle is at a point, from the goal.
pub(super) fn anchor_at(topology: Topology, goal: Cell, (x, y): (i64, i64), side: u8) -> Option<Cell> {
    let middle = (i64::from(side) - 1) * PART / 2;
    let (x, y) = (x - middle, y - middle);
    let whole = |along: i64| (along + PART / 2).div_euclid(PART);
    let (mut column, mut row) = (whole(x), whole(y));
    if topology == Topology::Hexagonal {
        // The third axis runs along x + y: of the three that was rounded most which follows from the others.
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

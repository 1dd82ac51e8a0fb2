//! Whether a line is clear.
//!
//! The centres of the cells form a lattice, which cuts the plane into squares, or on hexagons into
//! triangles. A square of the unit's size whose centre is inside one of them touches just the cells
//! at its corners. So the line is cut where it crosses the lattice, and each part is checked by the
//! corners of the square or triangle that it is in.

use std::cmp::Ordering;

use crate::{
    cell::{Cell, Direction},
    grid::Grid,
    movement::{Leave, StepRules},
    position::Position,
    topology::Topology,
};

/// One cell, in the unit in which positions are rounded.
const ONE: i64 = 1 << 16;

/// A point relative to the centre of cell (0, 0).
type Point = [i64; 2];

/// Returns the first cell that makes a line not clear.
pub(super) fn fault(rules: &StepRules, grid: &Grid, from: Position, to: Position) -> Option<Cell> {
    match (point(from), point(to)) {
        (Ok(from), Ok(to)) => first_fault(rules, grid.topology(), from, to),
        (Err(cell), _) | (_, Err(cell)) => Some(cell),
    }
}

/// Returns whether the line between the centres of two cells is clear.
pub(super) fn is_clear(rules: &StepRules, grid: &Grid, from: Cell, to: Cell) -> bool {
    let centre = |cell: Cell| [cell.x, cell.y].map(|place| i64::from(place) * ONE);
    first_fault(rules, grid.topology(), centre(from), centre(to)).is_none()
}

/// Returns the nearest point, or the nearest cell if the position is outside the range of cells.
fn point(position: Position) -> Result<Point, Cell> {
    let places = [position.x, position.y];
    let is_in_range = |place: &f64| *place >= f64::from(i32::MIN) && *place < -f64::from(i32::MIN);
    if places.iter().all(is_in_range) {
        Ok(places.map(|place| ((place - 0.5) * ONE as f64).round() as i64))
    } else {
        // This conversion saturates, and NaN becomes 0.
        let [x, y] = places.map(|place| place.floor() as i32);
        Err(Cell::new(x, y))
    }
}

/// The lines of the lattice in one direction, and the slab between two of them in which the line
/// is.
#[derive(Clone, Copy)]
struct Family {
    at: i64,
    towards: i64,
    /// The number of the lattice line below.
    slab: i64,
    /// True if the line runs along a lattice line, the one with this number.
    is_along: bool,
}

impl Family {
    fn new(from: i64, to: i64) -> Self {
        let towards = to - from;
        let (below, is_on) = (from.div_euclid(ONE), from.rem_euclid(ONE) == 0);
        let slab = below - i64::from(is_on && towards < 0);
        Self { at: from, towards, slab, is_along: is_on && towards == 0 }
    }

    /// Returns the part of the whole line up to the next lattice line, as numerator and
    /// denominator. Returns `None` if there is no next one.
    fn crossing(&self) -> Option<(i128, i128)> {
        let next = (self.slab + i64::from(self.towards > 0)) * ONE;
        let share = (i128::from(next - self.at).abs(), i128::from(self.towards).abs());
        (share.0 < share.1).then_some(share)
    }

    fn cross(&mut self) {
        self.slab += self.towards.signum();
    }
}

fn first_fault(rules: &StepRules, topology: Topology, from: Point, to: Point) -> Option<Cell> {
    let sum = |[x, y]: Point| x + y;
    let mut families =
        [Family::new(from[0], to[0]), Family::new(from[1], to[1]), Family::new(sum(from), sum(to))];
    let count = if topology == Topology::Hexagonal { 3 } else { 2 };
    loop {
        let fault = match topology {
            Topology::Square => square_fault(rules, &families),
            Topology::Hexagonal => triangle_fault(rules, &families),
        };
        if fault.is_some() {
            return fault;
        }
        let crossings = families[..count].iter().filter_map(Family::crossing);
        let first = crossings.min_by(compare)?;
        for family in &mut families[..count] {
            if family.crossing().is_some_and(|crossing| compare(&crossing, &first).is_eq()) {
                family.cross();
            }
        }
    }
}

fn compare(one: &(i128, i128), other: &(i128, i128)) -> Ordering {
    (one.0 * other.1).cmp(&(other.0 * one.1))
}

fn cell(x: i64, y: i64) -> Cell {
    let place = |place: i64| place.clamp(i32::MIN.into(), i32::MAX.into()) as i32;
    Cell::new(place(x), place(y))
}

/// Checks the square of the lattice in which a part of the line is.
fn square_fault(rules: &StepRules, families: &[Family; 3]) -> Option<Cell> {
    let [x, y, _] = families;
    match (x.is_along, y.is_along) {
        (true, true) => closed(rules, [cell(x.slab, y.slab)]),
        (true, false) => edge_fault(rules, cell(x.slab, y.slab), cell(x.slab, y.slab + 1), y.towards),
        (false, true) => edge_fault(rules, cell(x.slab, y.slab), cell(x.slab + 1, y.slab), x.towards),
        (false, false) => {
            let ends = |family: &Family| {
                let ends = [family.slab, family.slab + 1];
                if family.towards < 0 { [ends[1], ends[0]] } else { ends }
            };
            let ([left, right], [low, high]) = (ends(x), ends(y));
            let [from, to] = [cell(left, low), cell(right, high)];
            let corners = [from, cell(right, low), cell(left, high), to];
            // The rule of a diagonal step with both sides free checks all edges between the four.
            let step = Direction::between(from, to);
            let is_free = step
                .and_then(|step| rules.judge_as(from, step, Leave::Strict).ok())
                .is_some_and(|step| step.sides == Some([true; 2]));
            let beside = || {
                let steps = [(from, corners[1]), (from, corners[2]), (corners[1], to), (corners[2], to)];
                let mut priced = steps.into_iter().filter(|_| rules.has_prices());
                priced.find(|&(from, to)| !is_step(rules, from, to)).map(|(_, to)| to)
            };
            closed(rules, corners).or((!is_free).then_some(to)).or_else(beside)
        }
    }
}

/// Checks the triangle of the lattice in which a part of the line is.
fn triangle_fault(rules: &StepRules, families: &[Family; 3]) -> Option<Cell> {
    let [x, y, sum] = families;
    let (left, low) = (x.slab, y.slab);
    match (x.is_along, y.is_along, sum.is_along) {
        (true, true, _) => closed(rules, [cell(left, low)]),
        (true, ..) => edge_fault(rules, cell(left, low), cell(left, low + 1), y.towards),
        (_, true, _) => edge_fault(rules, cell(left, low), cell(left + 1, low), x.towards),
        (.., true) => {
            let beside = sum.slab - left;
            edge_fault(rules, cell(left, beside), cell(left + 1, beside - 1), x.towards)
        }
        _ => {
            // The third corner is the upper right one if the line is above the short diagonal.
            let third = if sum.slab > left + low { cell(left + 1, low + 1) } else { cell(left, low) };
            let corners = [third, cell(left + 1, low), cell(left, low + 1)];
            closed(rules, corners).or_else(|| {
                let towards = [x.towards, y.towards].map(i128::from);
                corners.into_iter().find(|&to| {
                    corners.into_iter().any(|from| {
                        let step = [to.x - from.x, to.y - from.y].map(i128::from);
                        // The scalar product of two vectors over hexagons, twice.
                        let along = 2 * (step[0] * towards[0] + step[1] * towards[1])
                            + step[0] * towards[1]
                            + step[1] * towards[0];
                        from != to && along >= 0 && !is_step(rules, from, to)
                    })
                })
            })
        }
    }
}

/// Returns whether a step is allowed and costs no more than the ground that it enters. A line is never
/// compared with the prices of steps, so it crosses none.
fn is_step(rules: &StepRules, from: Cell, to: Cell) -> bool {
    let judged = Direction::between(from, to).map(|step| rules.judge_as(from, step, Leave::Strict));
    judged.is_some_and(|judged| judged.is_ok_and(|step| step.surcharge() == 0))
}

/// Checks the part of a line that runs from the centre of a cell to the centre of the next, or back
/// if `towards` is negative.
fn edge_fault(rules: &StepRules, from: Cell, to: Cell, towards: i64) -> Option<Cell> {
    let [from, to] = if towards < 0 { [to, from] } else { [from, to] };
    closed(rules, [from, to]).or_else(|| (towards != 0 && !is_step(rules, from, to)).then_some(to))
}

fn closed<const COUNT: usize>(rules: &StepRules, cells: [Cell; COUNT]) -> Option<Cell> {
    cells.into_iter().find(|&cell| !rules.is_open(cell))
}

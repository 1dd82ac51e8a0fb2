//! The cost of a line, compared with the cost of the cells that it stands for.
//!
//! Both are the length over each cell times the multiplier of the cell. For the line, the length
//! over a cell is a part of its whole length, and the part is a fraction. For cells, half of each
//! step is over either cell. So the comparison is one between a square root and a sum of a whole
//! number and a multiple of √2.

use crate::{cell::Cell, movement::StepRules, topology::Topology};

/// The largest multiplier, overlays included. Over more expensive ground no line is compared.
const MOST: u32 = 1 << 24;

/// A fraction a little below √2.
const ROOT: [i128; 2] = [47_321, 33_461];

/// Returns whether the line from the first of the cells to the last one costs no more than the
/// cells. There are at most 65 cells, and the line is clear.
pub(super) fn is_no_dearer(cells: &[Cell], rules: &StepRules, topology: Topology) -> bool {
    let compared = || {
        let line = Line::new(cells[0], cells[cells.len() - 1], topology);
        let ([straight, diagonal], (cost, whole)) =
            (doubled_cost(cells, rules, topology)?, line.cost(rules)?);
        // 2 × length × cost ÷ whole ≤ straight + diagonal × √2, squared and multiplied by whole².
        let line = 4 * line.squared_length() * cost * cost;
        let rational = whole * whole * (straight * straight + 2 * diagonal * diagonal);
        let of_root = whole * whole * 2 * straight * diagonal;
        Some((line - rational) * ROOT[1] <= of_root * ROOT[0])
    };
    compared().unwrap_or(false)
}

fn multiplier(cell: Cell, rules: &StepRules) -> Option<i128> {
    rules.multiplier(cell).filter(|&multiplier| multiplier <= MOST).map(i128::from)
}

/// Returns twice the cost of the cells: of the steps of length 1, and of the steps of length √2.
fn doubled_cost(cells: &[Cell], rules: &StepRules, topology: Topology) -> Option<[i128; 2]> {
    let mut costs = [0; 2];
    for pair in cells.windows(2) {
        let is_diagonal = topology == Topology::Square && pair[0].x != pair[1].x && pair[0].y != pair[1].y;
        costs[usize::from(is_diagonal)] += multiplier(pair[0], rules)? + multiplier(pair[1], rules)?;
    }
    Some(costs)
}

/// A direction in which the borders between cells may be crossed.
#[derive(Clone, Copy)]
struct Border {
    /// A linear function. At the border of a cell it is one more than at the centre.
    function: [i128; 2],
    /// The step to the next cell.
    step: [i128; 2],
    /// The value of the function at the end of the line.
    rate: i128,
}

impl Border {
    const fn new(function: [i128; 2], step: [i128; 2]) -> Self {
        Self { function, step, rate: 0 }
    }

    fn value(&self, at: [i128; 2]) -> i128 {
        self.function[0] * at[0] + self.function[1] * at[1]
    }

    /// Returns the border turned to the direction of a line. If the line does not cross it, the rate is
    /// 0.
    fn towards(&self, end: [i128; 2]) -> Self {
        let turn = self.value(end).signum();
        Self {
            function: self.function.map(|part| part * turn),
            step: self.step.map(|part| part * turn),
            rate: self.value(end).abs(),
        }
    }
}

const OF_SQUARES: &[Border] = &[Border::new([2, 0], [1, 0]), Border::new([0, 2], [0, 1])];
const OF_HEXAGONS: &[Border] =
    &[Border::new([2, 1], [1, 0]), Border::new([1, 2], [0, 1]), Border::new([1, -1], [1, -1])];

fn plus(one: [i128; 2], other: [i128; 2]) -> [i128; 2] {
    [one[0] + other[0], one[1] + other[1]]
}

/// A line between the centres of two cells, along two neighbouring directions.
struct Line {
    start: Cell,
    along: [[i32; 2]; 2],
    to: [i128; 2],
    topology: Topology,
}

impl Line {
    fn new(start: Cell, end: Cell, topology: Topology) -> Self {
        let [x, y] = [end.x - start.x, end.y - start.y];
        let (right, up) = (if x < 0 { -1 } else { 1 }, if y < 0 { -1 } else { 1 });
        let is_across = topology == Topology::Hexagonal && right != up && x != 0 && y != 0;
        let (along, to) = if !is_across {
            ([[right, 0], [0, up]], [x.abs(), y.abs()])
        } else if x.abs() >= y.abs() {
            ([[right, 0], [right, up]], [x.abs() - y.abs(), y.abs()])
        } else {
            ([[0, up], [right, up]], [y.abs() - x.abs(), x.abs()])
        };
        Self { start, along, to: to.map(i128::from), topology }
    }

    fn squared_length(&self) -> i128 {
        let [a, b] = self.to;
        a * a + b * b + if self.topology == Topology::Hexagonal { a * b } else { 0 }
    }

    fn multiplier(&self, at: [i128; 2], rules: &StepRules) -> Option<i128> {
        let [a, b] = at.map(|place| place as i32);
        let [x, y] = [0, 1].map(|axis| a * self.along[0][axis] + b * self.along[1][axis]);
        multiplier(Cell::new(self.start.x + x, self.start.y + y), rules)
    }

    /// Returns the sum of the multipliers of the cells under the line, each times its part of the
    /// length, and the number that stands for the whole length.
    fn cost(&self, rules: &StepRules) -> Option<(i128, i128)> {
        let all = match self.topology {
            Topology::Square => OF_SQUARES,
            Topology::Hexagonal => OF_HEXAGONS,
        };
        let borders = || all.iter().map(|border| border.towards(self.to)).filter(|border| border.rate > 0);
        let whole: i128 = borders().map(|border| border.rate).product();
        let (mut at, mut passed, mut cost) = ([0, 0], 0, 0);
        loop {
            let exit = |border: &Border| (border.value(at) + 1) * (whole / border.rate);
            let Some(next) = borders().map(|border| exit(&border)).min().filter(|&next| next < whole) else {
                return Some((cost + self.multiplier(at, rules)? * (whole - passed), whole));
            };
            cost += self.multiplier(at, rules)? * (next - passed);
            passed = next;
            let mut crossed = borders().filter(|border| exit(border) == next);
            let (Some(one), other) = (crossed.next(), crossed.next()) else { return None };
            let beyond = plus(at, one.step);
            at = match other {
                None => beyond,
                Some(other) if self.topology == Topology::Square => plus(beyond, other.step),
                // Three hexagons meet here. The line enters the one towards which it leads more.
                Some(other) if one.rate > other.rate => beyond,
                Some(other) if one.rate < other.rate => plus(at, other.step),
                Some(other) => {
                    // The line runs between two hexagons: the more expensive one counts.
                    let beside = [beyond, plus(at, other.step)].map(|at| self.multiplier(at, rules));
                    let end = plus(beyond, other.step);
                    let entry = (one.value(end) - 1) * (whole / one.rate);
                    cost += beside[0]?.max(beside[1]?) * (entry - passed);
                    passed = entry;
                    end
                }
            };
        }
    }
}

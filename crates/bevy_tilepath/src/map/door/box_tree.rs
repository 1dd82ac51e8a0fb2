//! The least cost of getting to any of many cells, without looking at them all.

use tilepath::Cell;

/// How many boxes, or cells, a box holds.
const FANOUT: usize = 8;

/// Cells with a cost each and the number of what lies there, packed into boxes of boxes.
///
/// # Memory
/// 24 bytes a cell, and 24 for a box of up to eight.
#[derive(Debug, Default)]
pub(crate) struct BoxTree {
    cells: Vec<(Cell, f64, usize)>,
    /// Boxes of cells, boxes of those, and so on up to the one box of all.
    levels: Vec<Vec<Bounding>>,
    /// The least cost of what lies at no cell.
    elsewhere: f64,
}

#[derive(Debug, Clone, Copy)]
pub(crate) struct Bounding {
    pub(crate) min: Cell,
    pub(crate) max: Cell,
    /// The least cost of its cells.
    least: f64,
}

impl Bounding {
    fn of_cell(&(cell, least, _): &(Cell, f64, usize)) -> Self {
        Self { min: cell, max: cell, least }
    }

    fn with(self, other: &Self) -> Self {
        let corner = |a: Cell, b: Cell, pick: fn(i32, i32) -> i32| Cell::new(pick(a.x, b.x), pick(a.y, b.y));
        Self {
            min: corner(self.min, other.min, i32::min),
            max: corner(self.max, other.max, i32::max),
            least: self.least.min(other.least),
        }
    }

    /// The cell of the box that is nearest to a cell.
    fn nearest(&self, to: Cell) -> Cell {
        Cell::new(to.x.clamp(self.min.x, self.max.x), to.y.clamp(self.min.y, self.max.y))
    }
}

impl BoxTree {
    pub(crate) fn new(places: impl Iterator<Item = (Option<Cell>, f64, usize)>) -> Self {
        let mut elsewhere = f64::INFINITY;
        let mut cells: Vec<(Cell, f64, usize)> = Vec::new();
        for (cell, cost, number) in places {
            match cell {
                Some(cell) => cells.push((cell, cost, number)),
                None => elsewhere = elsewhere.min(cost),
            }
        }
        cells.sort_by_key(|&(cell, ..)| along_curve(cell));
        let mut levels: Vec<Vec<Bounding>> = Vec::new();
        let mut boxes: Vec<Bounding> = cells.iter().map(Bounding::of_cell).collect();
        while levels.is_empty() || boxes.len() > 1 {
            boxes = (boxes.chunks(FANOUT))
                .map(|chunk| chunk[1..].iter().fold(chunk[0], Bounding::with))
                .collect();
            levels.push(boxes.clone());
        }
        Self { cells, levels, elsewhere }
    }

    /// The box of all cells.
    pub(crate) fn bounding(&self) -> Option<Bounding> {
        self.levels.last()?.first().copied()
    }

    /// The least cost of what lies at no cell; infinite if there is none.
    pub(crate) fn least_elsewhere(&self) -> f64 {
        self.elsewhere
    }

    /// The least of distance and cost over all cells if that is below a limit, else the limit.
    ///
    /// # Complexity
    /// O(log n) boxes where few cells are about equally near.
    pub(crate) fn least(&self, from: Cell, limit: f64, distance: &impl Fn(Cell, Cell) -> f64) -> f64 {
        match self.levels.len().checked_sub(1) {
            Some(top) => self.least_within(top, 0, from, limit, distance),
            None => limit,
        }
    }

    /// Visits everything whose distance and cost are below a limit: the sum and the number, in no order that means
    /// anything.
    pub(crate) fn within(
        &self,
        from: Cell,
        limit: f64,
        distance: &impl Fn(Cell, Cell) -> f64,
        mut visit: impl FnMut(f64, usize),
    ) {
        let Some(top) = self.levels.len().checked_sub(1) else { return };
        let mut open = vec![(top, 0)];
        while let Some((level, first)) = open.pop() {
            for (index, bounding) in self.levels[level].iter().enumerate().skip(first).take(FANOUT) {
                if distance(from, bounding.nearest(from)) + bounding.least >= limit {
                    continue;
                }
                if let Some(below) = level.checked_sub(1) {
                    open.push((below, index * FANOUT));
                    continue;
                }
                for &(cell, cost, number) in self.cells.iter().skip(index * FANOUT).take(FANOUT) {
                    let sum = distance(from, cell) + cost;
                    if sum < limit {
                        visit(sum, number);
                    }
                }
            }
        }
    }

    fn least_within(
        &self,
        level: usize,
        first: usize,
        from: Cell,
        limit: f64,
        distance: &impl Fn(Cell, Cell) -> f64,
    ) -> f64 {
        let boxes = &self.levels[level];
        let mut bounds = [(f64::INFINITY, 0); FANOUT];
        let mut count = 0;
        for (index, bounding) in boxes.iter().enumerate().skip(first).take(FANOUT) {
            let bound = distance(from, bounding.nearest(from)) + bounding.least;
            if bound < limit {
                bounds[count] = (bound, index);
                count += 1;
            }
        }
        bounds[..count].sort_unstable_by(|a, b| a.0.total_cmp(&b.0));
        let mut least = limit;
        for &(bound, index) in &bounds[..count] {
            if bound >= least {
                break;
            }
            least = match level.checked_sub(1) {
                Some(below) => self.least_within(below, index * FANOUT, from, least, distance),
                None => (self.cells.iter().skip(index * FANOUT).take(FANOUT))
                    .map(|&(cell, cost, _)| distance(from, cell) + cost)
                    .fold(least, f64::min),
            };
        }
        least
    }
}

/// The place of a cell on a Z-order curve: cells close together on it are close together on the map.
fn along_curve(cell: Cell) -> u64 {
    let spread = |value: i32| {
        let mut bits = u64::from(value.wrapping_sub(i32::MIN) as u32);
        for (shift, mask) in [
            (16, 0x0000_FFFF_0000_FFFF),
            (8, 0x00FF_00FF_00FF_00FF),
            (4, 0x0F0F_0F0F_0F0F_0F0F),
            (2, 0x3333_3333_3333_3333),
            (1, 0x5555_5555_5555_5555),
        ] {
            bits = (bits | bits << shift) & mask;
        }
        bits
    };
    spread(cell.x) | spread(cell.y) << 1
}

#[cfg(test)]
#[expect(clippy::float_cmp, reason = "small whole numbers")]
mod tests {
    use std::cell::Cell as Counter;

    use super::*;

    /// Numbers without a pattern.
    fn random(count: usize, side: u32) -> Vec<(Cell, f64)> {
        let mut state = 7_u32;
        let mut next = |below: u32| {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (state >> 16) % below
        };
        let at = |value: u32| value as i32 - 20;
        (0..count).map(|_| (Cell::new(at(next(side)), at(next(side))), f64::from(next(30)))).collect()
    }

    fn straight(a: Cell, b: Cell) -> f64 {
        f64::from(a.x.abs_diff(b.x).max(a.y.abs_diff(b.y)))
    }

    fn tree(cells: &[(Cell, f64)]) -> BoxTree {
        BoxTree::new(cells.iter().enumerate().map(|(number, &(cell, cost))| (Some(cell), cost, number)))
    }

    #[test]
    fn least_and_all_within_are_those_of_looking_at_all_cells() {
        for count in [0, 1, 7, 8, 9, 64, 65, 500] {
            let cells = random(count, 200);
            let tree = tree(&cells);
            for (from, _) in random(50, 300) {
                let sum = |&(cell, cost): &(Cell, f64)| straight(from, cell) + cost;
                for limit in [0.0, 10.0, 40.0, f64::INFINITY] {
                    let least = cells.iter().map(sum).fold(limit, f64::min);
                    assert_eq!(tree.least(from, limit, &straight), least);
                    let mut within = Vec::new();
                    tree.within(from, limit, &straight, |sum, number| within.push((number, sum)));
                    within.sort_by_key(|&(number, _)| number);
                    let all = cells.iter().map(sum).enumerate().filter(|&(_, sum)| sum < limit);
                    assert_eq!(within, all.collect::<Vec<_>>());
                }
            }
        }
    }

    #[test]
    fn few_of_many_cells_are_looked_at() {
        let mut cells = random(4_096, 2_000);
        for (_, cost) in &mut cells {
            *cost = 0.0;
        }
        let tree = tree(&cells);
        let asked = Counter::new(0);
        let counting = |a, b| {
            asked.set(asked.get() + 1);
            straight(a, b)
        };
        for (from, _) in random(100, 2_000) {
            tree.least(from, f64::INFINITY, &counting);
        }
        assert!(asked.get() < 100 * 150, "{}", asked.get());
    }

    #[test]
    fn cells_at_the_ends_of_the_range_have_their_boxes() {
        let ends = [Cell::new(i32::MIN, i32::MIN), Cell::new(i32::MAX, i32::MAX)];
        let tree = tree(&ends.map(|cell| (cell, 1.0)));
        assert_eq!(tree.least(ends[1], 9.0, &straight), 1.0);
        assert_eq!(tree.bounding().map(|all| (all.min, all.max)), Some((ends[0], ends[1])));
        let nothing = BoxTree::new([(None, 3.0, 0), (None, 2.0, 1)].into_iter());
        assert_eq!(nothing.least(ends[0], 9.0, &straight), 9.0);
        assert!(nothing.bounding().is_none());
        assert_eq!(nothing.least_elsewhere(), 2.0);
    }
}

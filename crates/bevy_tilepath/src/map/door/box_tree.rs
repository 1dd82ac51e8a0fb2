//! A tree of boxes: least costs to reach any of many cells.
//!
//! Decision: `docs/decisions/49-doors.md`.

use tilepath::Cell;

/// The number of boxes, or cells, in a box.
const FANOUT: usize = 4;

/// Cells in nested boxes, each cell with a cost and the number of its item.
///
/// # Memory
/// 48 bytes a cell, and 40 for a box of up to four.
#[derive(Debug, Default)]
pub(crate) struct BoxTree {
    /// The number of the item at each cell.
    numbers: Vec<usize>,
    /// Cells, boxes of cells, boxes of boxes, and so on up to one group.
    levels: Vec<Vec<Group>>,
    /// The box of all cells.
    all: Option<Area>,
    /// The least cost of items that lie at no cell.
    elsewhere: f64,
}

/// A rectangle of cells, inclusive.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Area {
    pub(crate) min: Cell,
    pub(crate) max: Cell,
}

impl Area {
    pub(crate) fn of(cell: Cell) -> Self {
        Self { min: cell, max: cell }
    }

    pub(crate) fn with(self, other: Self) -> Self {
        let corner = |a: Cell, b: Cell, pick: fn(i32, i32) -> i32| Cell::new(pick(a.x, b.x), pick(a.y, b.y));
        Self { min: corner(self.min, other.min, i32::min), max: corner(self.max, other.max, i32::max) }
    }

    pub(crate) fn nearest(&self, to: Cell) -> Cell {
        Cell::new(to.x.clamp(self.min.x, self.max.x), to.y.clamp(self.min.y, self.max.y))
    }
}

/// A box, and the least cost of its cells.
type Bounding = (Area, f64);

/// The boxes in a box, stored by property, so that all are compared at once.
#[derive(Debug, Clone, Copy)]
struct Group {
    min_x: [f64; FANOUT],
    min_y: [f64; FANOUT],
    max_x: [f64; FANOUT],
    max_y: [f64; FANOUT],
    /// The least cost of each box; infinite for a missing box.
    least: [f64; FANOUT],
}

impl Group {
    fn of(boxes: &[Bounding]) -> Self {
        let of_each = |property: fn(&Bounding) -> f64, none: f64| {
            std::array::from_fn(|index| boxes.get(index).map_or(none, property))
        };
        Self {
            min_x: of_each(|(area, _)| area.min.x.into(), 0.0),
            min_y: of_each(|(area, _)| area.min.y.into(), 0.0),
            max_x: of_each(|(area, _)| area.max.x.into(), 0.0),
            max_y: of_each(|(area, _)| area.max.y.into(), 0.0),
            least: of_each(|&(_, least)| least, f64::INFINITY),
        }
    }

    /// Returns the lower bound of distance plus cost for each box.
    #[inline]
    fn bounds(&self, from: Cell, distance: &impl Fn(f64, f64) -> f64) -> [f64; FANOUT] {
        let outside = |at: f64, min: f64, max: f64| greater(greater(min - at, at - max), 0.0);
        let (at_x, at_y) = (f64::from(from.x), f64::from(from.y));
        let mut bounds = self.least;
        // A loop compiles to vector code; a function for each element does not.
        for (index, bound) in bounds.iter_mut().enumerate() {
            let x = outside(at_x, self.min_x[index], self.max_x[index]);
            let y = outside(at_y, self.min_y[index], self.max_y[index]);
            *bound += distance(x, y);
        }
        bounds
    }
}

/// Returns the greater number, without a check for NaN.
#[inline]
fn greater(a: f64, b: f64) -> f64 {
    if a > b { a } else { b }
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
        let mut levels: Vec<Vec<Group>> = Vec::new();
        let mut boxes: Vec<Bounding> = cells.iter().map(|&(cell, cost, _)| (Area::of(cell), cost)).collect();
        let union = |(area, least): Bounding, other: &Bounding| (area.with(other.0), least.min(other.1));
        while boxes.len() > 1 || levels.len() < boxes.len() {
            levels.push(boxes.chunks(FANOUT).map(Group::of).collect());
            boxes = boxes.chunks(FANOUT).map(|chunk| chunk[1..].iter().fold(chunk[0], union)).collect();
        }
        let numbers = cells.into_iter().map(|(.., number)| number).collect();
        Self { numbers, levels, all: boxes.first().map(|&(area, _)| area), elsewhere }
    }

    /// Returns the box of all cells.
    pub(crate) fn bounding(&self) -> Option<Area> {
        self.all
    }

    /// Returns the least cost of items that lie at no cell, or infinity if there are no such items.
    pub(crate) fn least_elsewhere(&self) -> f64 {
        self.elsewhere
    }

    /// Returns the least sum of distance and cost over all cells, or `limit` if no sum is below it.
    /// `distance` takes the distances along the two axes.
    ///
    /// # Complexity
    /// O(log n) boxes if only few cells are about equally near.
    pub(crate) fn least(&self, from: Cell, limit: f64, distance: &impl Fn(f64, f64) -> f64) -> f64 {
        match self.levels.len().checked_sub(1) {
            Some(top) => self.least_within(top, 0, from, limit, distance),
            None => limit,
        }
    }

    /// Visits each item whose distance plus cost is below `limit`, with this sum and the number of
    /// the item. The sequence has no meaning.
    pub(crate) fn within(
        &self,
        from: Cell,
        limit: f64,
        distance: &impl Fn(f64, f64) -> f64,
        mut visit: impl FnMut(f64, usize),
    ) {
        if let Some(top) = self.levels.len().checked_sub(1) {
            self.visit_within(top, 0, from, limit, distance, &mut visit);
        }
    }

    fn visit_within(
        &self,
        level: usize,
        group: usize,
        from: Cell,
        limit: f64,
        distance: &impl Fn(f64, f64) -> f64,
        visit: &mut impl FnMut(f64, usize),
    ) {
        let bounds = self.levels[level][group].bounds(from, distance);
        for (index, bound) in bounds.into_iter().enumerate().filter(|&(_, bound)| bound < limit) {
            let index = group * FANOUT + index;
            match level.checked_sub(1) {
                Some(below) => self.visit_within(below, index, from, limit, distance, visit),
                None => visit(bound, self.numbers[index]),
            }
        }
    }

    fn least_within(
        &self,
        level: usize,
        group: usize,
        from: Cell,
        limit: f64,
        distance: &impl Fn(f64, f64) -> f64,
    ) -> f64 {
        let mut bounds = self.levels[level][group].bounds(from, distance);
        let mut least = limit;
        let Some(below) = level.checked_sub(1) else {
            return bounds.into_iter().fold(least, |a, b| if b < a { b } else { a });
        };
        loop {
            let (mut nearest, mut nearest_bound) = (None, least);
            for (index, &bound) in bounds.iter().enumerate() {
                if bound < nearest_bound {
                    (nearest, nearest_bound) = (Some(index), bound);
                }
            }
            let Some(nearest) = nearest else { return least };
            bounds[nearest] = f64::INFINITY;
            least = self.least_within(below, group * FANOUT + nearest, from, least, distance);
        }
    }
}

/// Returns the place of a cell on a Z-order curve: cells close together on the curve are close
/// together on the map.
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

    /// Creates numbers without a pattern.
    fn random(count: usize, side: u32) -> Vec<(Cell, f64)> {
        let mut state = 7_u32;
        let mut next = |below: u32| {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (state >> 16) % below
        };
        let at = |value: u32| value as i32 - 20;
        (0..count).map(|_| (Cell::new(at(next(side)), at(next(side))), f64::from(next(30)))).collect()
    }

    fn straight(x: f64, y: f64) -> f64 {
        x.max(y)
    }

    fn tree(cells: &[(Cell, f64)]) -> BoxTree {
        BoxTree::new(cells.iter().enumerate().map(|(number, &(cell, cost))| (Some(cell), cost, number)))
    }

    #[test]
    fn nearest_and_all_within_equal_a_scan_of_all_cells() {
        for count in [0, 1, 7, 8, 9, 64, 65, 500] {
            let cells = random(count, 200);
            let tree = tree(&cells);
            for (from, _) in random(50, 300) {
                let sum = |&(cell, cost): &(Cell, f64)| {
                    straight(from.x.abs_diff(cell.x).into(), from.y.abs_diff(cell.y).into()) + cost
                };
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
        let counting = |x, y| {
            asked.set(asked.get() + 1);
            straight(x, y)
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

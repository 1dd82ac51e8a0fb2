//! Changed cells of a map, for paths that lead over them.
//!
//! Decision: `docs/decisions/45-quiet-journeys.md`.

use std::ops::ControlFlow;

use tilepath::Cell;

/// The most changes that are checked one by one. With more, the steps of a path are checked
/// instead.
const FEW: usize = 16;

/// The most changes that are listed.
const MOST: usize = 1 << 14;

/// The smallest side of the squares that hold many changes: 2ⁿ cells. No unit is larger.
const LEAST_SIDE: u32 = 3;

/// The greatest number of squares.
const MOST_SQUARES: i64 = 1 << 16;

/// Cells that changed.
#[derive(Clone, Debug)]
pub(crate) enum Changes {
    /// At most 16 cells.
    Few(Vec<Cell>),
    /// Squares that hold the changed cells.
    Many(ChangedSquares),
}

impl Changes {
    /// Collects the changes. Returns `None` if there are too many.
    pub(crate) fn of(mut all: impl Iterator<Item = Cell>) -> Option<Self> {
        let mut cells = Vec::new();
        // One call visits all cells. With `next`, the iterator would look up its position for each
        // cell.
        let listed = all.try_for_each(|cell| {
            cells.push(cell);
            if cells.len() > MOST { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        if listed.is_break() {
            return None;
        }
        if cells.len() <= FEW {
            cells.sort_unstable();
            cells.dedup();
            return Some(Self::Few(cells));
        }
        ChangedSquares::of(&cells).map(Self::Many)
    }
}

/// The squares of a map in which cells changed, or lie beside changed cells.
#[derive(Clone, Debug)]
pub(crate) struct ChangedSquares {
    /// The first cell of the first square.
    low: [i64; 2],
    /// The side of a square: 2ⁿ cells.
    shift: u32,
    columns: i64,
    rows: i64,
    /// For each square, row by row, the distance to the nearest changed square, in squares. 0 for a
    /// changed square.
    away: Vec<u8>,
}

impl ChangedSquares {
    /// Creates the squares. Returns `None` without cells.
    fn of(cells: &[Cell]) -> Option<Self> {
        let first = cells.first()?;
        let (low, high) = cells.iter().fold((*first, *first), |(low, high), cell| {
            let low = Cell::new(low.x.min(cell.x), low.y.min(cell.y));
            (low, Cell::new(high.x.max(cell.x), high.y.max(cell.y)))
        });
        let [west, south] = [low.x, low.y].map(|place| i64::from(place) - 1);
        let [east, north] = [high.x, high.y].map(|place| i64::from(place) + 1);
        let count = |shift: u32| [((east - west) >> shift) + 1, ((north - south) >> shift) + 1];
        let fits = |&shift: &u32| count(shift).iter().product::<i64>() <= MOST_SQUARES;
        let shift = (LEAST_SIDE..i64::BITS).find(fits)?;
        let [columns, rows] = count(shift);
        let away = vec![u8::MAX; (columns * rows) as usize];
        let mut squares = Self { low: [west, south], shift, columns, rows, away };
        for cell in cells {
            // The steps onto the cells around a changed cell may have changed. They all lie within
            // the squares.
            let (x, y) = (i64::from(cell.x) - west, i64::from(cell.y) - south);
            let (left, right) = ((x - 1) >> shift, (x + 1) >> shift);
            for row in [(y - 1) >> shift, (y + 1) >> shift] {
                squares.away[(row * columns + left) as usize] = 0;
                squares.away[(row * columns + right) as usize] = 0;
            }
        }
        squares.spread();
        Some(squares)
    }

    /// Computes the distance of each square to the changed ones: along the rows, then along the
    /// columns.
    fn spread(&mut self) {
        let (columns, count) = (self.columns as usize, self.away.len());
        let mut nearer = |from: usize, to: usize| {
            self.away[to] = self.away[to].min(self.away[from].saturating_add(1));
        };
        for index in 1..count {
            if index % columns != 0 {
                nearer(index - 1, index);
            }
        }
        for index in (1..count).rev() {
            if index % columns != 0 {
                nearer(index, index - 1);
            }
        }
        // A diagonal step also leads to the next row. So three squares of the next row are one
        // square away.
        let row_from = |nearer: &mut dyn FnMut(usize, usize), from: usize, to: usize| {
            for column in 0..columns {
                let low = column.saturating_sub(1);
                for beside in low..=(column + 1).min(columns - 1) {
                    nearer(from + beside, to + column);
                }
            }
        };
        for row in 1..count / columns {
            row_from(&mut nearer, (row - 1) * columns, row * columns);
        }
        for row in (1..count / columns).rev() {
            row_from(&mut nearer, row * columns, (row - 1) * columns);
        }
    }

    /// Returns the squares between two corners, `reach` cells apart along both axes: at most two by
    /// two.
    fn at(&self, [x, y]: [i64; 2], reach: i64) -> impl Iterator<Item = usize> + use<> {
        let Self { low: [west, south], shift, columns, rows, .. } = *self;
        let between = |place: i64, low: i64| (place - low) >> shift..=(place + reach - low) >> shift;
        let (across, upwards) = (between(x, west), between(y, south));
        upwards.filter(move |row| (0..rows).contains(row)).flat_map(move |row| {
            let columns_here = across.clone().filter(move |column| (0..columns).contains(column));
            columns_here.map(move |column| (row * columns + column) as usize)
        })
    }

    /// Returns whether a step onto a cell may have changed, for a unit of this side.
    #[inline]
    pub(crate) fn may_touch(&self, cell: Cell, side: u8) -> bool {
        let place = [i64::from(cell.x), i64::from(cell.y)];
        if side == 1 {
            return self.square_of(place).is_some_and(|index| self.away[index] == 0);
        }
        self.at(place, i64::from(side) - 1).any(|index| self.away[index] == 0)
    }

    /// Returns a number of steps that may follow the step onto `cell` before one of them comes to a
    /// changed square.
    #[inline]
    pub(crate) fn untouched_steps(&self, cell: Cell, side: u8) -> usize {
        let place = [i64::from(cell.x), i64::from(cell.y)];
        let Some(index) = self.square_of(place) else { return 0 };
        // Along each axis, a unit covers at most one more square.
        let squares = usize::from(self.away[index]).saturating_sub(if side == 1 { 1 } else { 2 });
        squares << self.shift
    }

    #[inline]
    fn square_of(&self, place: [i64; 2]) -> Option<usize> {
        let [column, row] = [0, 1].map(|axis| (place[axis] - self.low[axis]) >> self.shift);
        let is_within = (0..self.columns).contains(&column) && (0..self.rows).contains(&row);
        is_within.then_some((row * self.columns + column) as usize)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn cells(side: i32) -> impl Strategy<Value = Vec<Cell>> {
        prop::collection::vec((-side..side, -side..side).prop_map(|(x, y)| Cell::new(x, y)), FEW + 1..60)
    }

    #[test]
    fn few_changes_are_listed_once_each_and_too_many_not_at_all() {
        let cell = |n: usize| Cell::new(n as i32, 0);
        let few = Changes::of([cell(2), cell(1), cell(2)].into_iter());
        assert!(matches!(few, Some(Changes::Few(cells)) if cells == [cell(1), cell(2)]));
        assert!(matches!(Changes::of((0..MOST).map(cell)), Some(Changes::Many(_))));
        assert!(Changes::of((0..=MOST).map(cell)).is_none());
    }

    #[test]
    fn squares_far_apart_are_few() {
        let far = Cell::new(60_000, 60_000);
        let cells: Vec<Cell> = (0..=FEW as i32).map(|x| Cell::new(x, 0)).chain([far]).collect();
        let squares = ChangedSquares::of(&cells).unwrap();
        assert!(squares.away.len() <= MOST_SQUARES as usize);
        assert!(squares.may_touch(far, 1) && squares.may_touch(Cell::new(0, 0), 1));
        assert!(!squares.may_touch(Cell::new(30_000, 30_000), 8));
    }

    proptest! {
        #[test]
        fn no_step_beside_a_change_is_missed(cells in prop_oneof![cells(20), cells(3000)], side in 1..=8_u8) {
            let squares = ChangedSquares::of(&cells).unwrap();
            for change in &cells {
                let first = -i32::from(side);
                for (dx, dy) in (first..=1).flat_map(|dy| (first..=1).map(move |dx| (dx, dy))) {
                    prop_assert!(squares.may_touch(*change + (dx, dy), side), "{change} {dx} {dy}");
                }
                let far = 8 << squares.shift;
                let is_alone = cells.iter().all(|other| other.x >= change.x);
                prop_assert!(!is_alone || !squares.may_touch(*change - (far, 0), side));
            }
            for from in cells.iter().flat_map(|cell| [*cell + (40, 7), *cell - (3, 90), *cell + (0, 2000)]) {
                let untouched = squares.untouched_steps(from, side) as i32;
                for (dx, dy) in [(1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1), (0, -1), (1, -1)] {
                    let is_touched = |n: i32| squares.may_touch(from + (n * dx, n * dy), side);
                    prop_assert!(untouched == 0 || !(0..=untouched).any(is_touched), "{from} {dx} {dy} {untouched}");
                }
            }
        }
    }
}

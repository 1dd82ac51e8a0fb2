//! The cells of a map that changed in a tick, as ways that lead over them ask.

use std::ops::ControlFlow;

use tilepath::Cell;

/// With more changes than this the steps of a path are looked at one by one, and not the changes.
const FEW: usize = 16;

/// With more than this they are not listed.
const MOST: usize = 1 << 14;

/// The least side of the squares by which many changes are known, as a power of two. No unit is larger.
const LEAST_SIDE: u32 = 3;

/// The largest number of squares.
const MOST_SQUARES: i64 = 1 << 16;

/// Cells that changed.
#[derive(Debug)]
pub(crate) enum Changes {
    /// These.
    Few(Vec<Cell>),
    /// Cells in these squares.
    Many(ChangedSquares),
}

impl Changes {
    /// `None` if there are too many.
    pub(crate) fn of(mut all: impl Iterator<Item = Cell>) -> Option<Self> {
        let mut cells = Vec::new();
        // Taken in one go: asked one by one, the iterator looks each time at where it is.
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

/// The squares of a map in which cells changed, or beside them.
#[derive(Debug)]
pub(crate) struct ChangedSquares {
    /// The first cell of the first square.
    low: [i64; 2],
    /// The side of a square, as a power of two.
    shift: u32,
    columns: i64,
    rows: i64,
    /// Row by row.
    changed: Vec<bool>,
}

impl ChangedSquares {
    /// `None` without cells.
    fn of(cells: &[Cell]) -> Option<Self> {
        let along = |axis: fn(&Cell) -> i32| {
            let places = cells.iter().map(|cell| i64::from(axis(cell)));
            Some((places.clone().min()? - 1, places.max()? + 1))
        };
        let (west, east) = along(|cell| cell.x)?;
        let (south, north) = along(|cell| cell.y)?;
        let count = |shift: u32| [((east - west) >> shift) + 1, ((north - south) >> shift) + 1];
        let fits = |&shift: &u32| count(shift).iter().product::<i64>() <= MOST_SQUARES;
        let shift = (LEAST_SIDE..i64::BITS).find(fits)?;
        let [columns, rows] = count(shift);
        let changed = vec![false; (columns * rows) as usize];
        let mut squares = Self { low: [west, south], shift, columns, rows, changed };
        for cell in cells {
            // The steps onto the cells around it may have changed. All of these are within the squares.
            let across = [-1, 1].map(|step| (i64::from(cell.x) + step - west) >> shift);
            for row in [-1, 1].map(|step| (i64::from(cell.y) + step - south) >> shift) {
                for column in across {
                    squares.changed[(row * columns + column) as usize] = true;
                }
            }
        }
        Some(squares)
    }

    /// The squares between two corners, so far apart along both axes: at most two by two.
    fn at(&self, [x, y]: [i64; 2], reach: i64) -> impl Iterator<Item = usize> + use<> {
        let Self { low: [west, south], shift, columns, rows, .. } = *self;
        let between = |place: i64, low: i64| (place - low) >> shift..=(place + reach - low) >> shift;
        let (across, upwards) = (between(x, west), between(y, south));
        upwards.filter(move |row| (0..rows).contains(row)).flat_map(move |row| {
            let columns_here = across.clone().filter(move |column| (0..columns).contains(column));
            columns_here.map(move |column| (row * columns + column) as usize)
        })
    }

    /// Whether a step of a unit of that side onto a cell may be another than before.
    #[inline]
    pub(crate) fn may_touch(&self, cell: Cell, side: u8) -> bool {
        let place = [i64::from(cell.x), i64::from(cell.y)];
        if side == 1 {
            let [column, row] = [0, 1].map(|axis| (place[axis] - self.low[axis]) >> self.shift);
            let is_within = (0..self.columns).contains(&column) && (0..self.rows).contains(&row);
            return is_within && self.changed[(row * self.columns + column) as usize];
        }
        self.at(place, i64::from(side) - 1).any(|index| self.changed[index])
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
        assert!(squares.changed.len() <= MOST_SQUARES as usize);
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
        }
    }
}

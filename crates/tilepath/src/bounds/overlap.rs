//! Shared and different cells of two rectangles.

use super::Bounds;
use crate::cell::Cell;
use std::{array, ops::Range};

/// The columns and the rows, each from the first to one past the last.
type Sides = [Range<i64>; 2];

impl Bounds {
    fn sides(&self) -> Sides {
        let side = |first: i32, length: u32| i64::from(first)..i64::from(first) + i64::from(length);
        [side(self.origin.x, self.width), side(self.origin.y, self.height)]
    }

    /// Returns the rectangle of these columns and rows, which must lie on a map. If either range is
    /// empty, the rectangle has no cells.
    fn of_sides([columns, rows]: &Sides) -> Self {
        if columns.is_empty() || rows.is_empty() {
            return Self::default();
        }
        let length = |side: &Range<i64>| (side.end - side.start) as u32;
        let origin = Cell::new(columns.start as i32, rows.start as i32);
        Self { origin, width: length(columns), height: length(rows) }
    }

    /// Returns how many columns and rows a cell moves if its place is counted from the origin of
    /// `to` instead of this one.
    pub(crate) fn shift(&self, to: &Self) -> [i64; 2] {
        let shift = |from: i32, to: i32| i64::from(from) - i64::from(to);
        [shift(self.origin.x, to.origin.x), shift(self.origin.y, to.origin.y)]
    }

    /// Returns the cells that are in both rectangles.
    pub(crate) fn shared(&self, other: &Self) -> Self {
        self.undisturbed(other, 0, 0)
    }

    /// Returns the shared cells whose surroundings are the same in both: `before` columns and rows
    /// before the cell, and `ahead` after it.
    pub(crate) fn undisturbed(&self, other: &Self, before: u32, ahead: u32) -> Self {
        let shared = |one: &Range<i64>, other: &Range<i64>| {
            let margin = |is_moved: bool, cells: u32| if is_moved { i64::from(cells) } else { 0 };
            let start = one.start.max(other.start) + margin(one.start != other.start, before);
            let end = one.end.min(other.end) - margin(one.end != other.end, ahead);
            start..end
        };
        let [[columns, rows], [other_columns, other_rows]] = [self.sides(), other.sides()];
        Self::of_sides(&[shared(&columns, &other_columns), shared(&rows, &other_rows)])
    }

    /// Returns the parts of this rectangle outside `inner`, which lies within it: to the south,
    /// west, east and north of `inner`.
    pub(crate) fn outside(&self, inner: &Self) -> [Self; 4] {
        if inner.is_empty() {
            return [*self, Self::default(), Self::default(), Self::default()];
        }
        let [[columns, rows], [inner_columns, inner_rows]] = [self.sides(), inner.sides()];
        [
            [columns.clone(), rows.start..inner_rows.start],
            [columns.start..inner_columns.start, inner_rows.clone()],
            [inner_columns.end..columns.end, inner_rows.clone()],
            [columns, inner_rows.end..rows.end],
        ]
        .map(|sides| Self::of_sides(&sides))
    }

    /// Returns the cells that are in only one of the two rectangles. Cells of this rectangle come
    /// first.
    pub(crate) fn difference(&self, other: &Self) -> Difference {
        let shared = self.shared(other);
        let ([a, b, c, d], [e, f, g, h]) = (self.outside(&shared), other.outside(&shared));
        Difference { part: Self::default(), slots: 0..0, parts: [a, b, c, d, e, f, g, h].into_iter() }
    }

    /// Returns the slots of each row of `area`, a rectangle within this one.
    pub(crate) fn rows_of(&self, area: &Self) -> impl Iterator<Item = Range<usize>> + use<> {
        let (width, columns) = (self.width as usize, area.width as usize);
        let first = self.slot(area.origin).filter(|_| !area.is_empty());
        let rows = 0..first.map_or(0, |_| area.height as usize);
        rows.map(move |row| {
            let start = first.unwrap_or(0) + row * width;
            start..start + columns
        })
    }

    /// Returns the cells of `area`, a rectangle within this one, row by row, with their slots.
    pub(crate) fn slots_in(&self, area: Self) -> impl Iterator<Item = (Cell, usize)> + Clone + use<> {
        let (width, lowest) = (self.width as usize, self.slot(area.origin).unwrap_or_default());
        (0..area.height).flat_map(move |y| {
            let first = lowest + y as usize * width;
            (0..area.width).map(move |x| (area.global(x, y), first + x as usize))
        })
    }

    /// Moves the items of each cell to the slots of another rectangle. New cells get the value
    /// `other`.
    pub(crate) fn moved<T: Copy>(&self, items: &[T], to: &Self, other: T) -> Vec<T> {
        let mut moved = vec![other; to.cell_count()];
        let shared = self.shared(to);
        for (from, to) in self.rows_of(&shared).zip(to.rows_of(&shared)) {
            moved[to].copy_from_slice(&items[from]);
        }
        moved
    }
}

/// An iterator over the cells of several rectangles, one rectangle after the other.
#[derive(Clone, Debug)]
pub(crate) struct Difference {
    part: Bounds,
    /// The slots of `part` that are still to come.
    slots: Range<usize>,
    parts: array::IntoIter<Bounds, 8>,
}

impl Iterator for Difference {
    type Item = Cell;

    fn next(&mut self) -> Option<Cell> {
        loop {
            if let Some(slot) = self.slots.next() {
                return self.part.cell(slot);
            }
            self.part = self.parts.next()?;
            self.slots = 0..self.part.cell_count();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_those_found_cell_by_cell() {
        let bounds = |x, y, width, height| Bounds::new(Cell::new(x, y), width, height).unwrap();
        let all = [
            bounds(0, 0, 5, 4),
            bounds(-2, 1, 4, 6),
            bounds(1, 1, 2, 2),
            bounds(0, 0, 9, 4),
            bounds(7, 7, 3, 3),
            bounds(0, 3, 0, 5),
            bounds(i32::MAX - 9, i32::MIN, 9, 3),
        ];
        for one in all {
            for other in all {
                let shared: Vec<Cell> = one.cells().filter(|&cell| other.contains(cell)).collect();
                assert_eq!(one.shared(&other).cells().collect::<Vec<_>>(), shared, "{one} and {other}");
                let mut rest: Vec<Cell> = one.difference(&other).collect();
                let mut expected: Vec<Cell> = (one.cells().filter(|&cell| !other.contains(cell)))
                    .chain(other.cells().filter(|&cell| !one.contains(cell)))
                    .collect();
                rest.sort_unstable();
                expected.sort_unstable();
                assert_eq!(rest, expected, "{one} and {other}");
                let cells: Vec<Option<Cell>> = one.cells().map(Some).collect();
                let moved = one.moved(&cells, &other, None);
                for (cell, moved) in other.cells().zip(moved) {
                    assert_eq!(moved, one.contains(cell).then_some(cell), "{one} moved to {other}");
                }
                let same = |cell: Cell, dx: i32, dy: i32| {
                    let near = (i64::from(cell.x) + i64::from(dx), i64::from(cell.y) + i64::from(dy));
                    let [columns, rows] = one.sides();
                    let [other_columns, other_rows] = other.sides();
                    (columns.contains(&near.0) && rows.contains(&near.1))
                        == (other_columns.contains(&near.0) && other_rows.contains(&near.1))
                };
                for cell in one.undisturbed(&other, 1, 2).cells() {
                    assert!(one.contains(cell) && other.contains(cell));
                    let around = (-1..=2).flat_map(|dy| (-1..=2).map(move |dx| (dx, dy)));
                    assert!(
                        around.into_iter().all(|(dx, dy)| same(cell, dx, dy)),
                        "{one} and {other}: {cell}"
                    );
                }
            }
        }
    }
}

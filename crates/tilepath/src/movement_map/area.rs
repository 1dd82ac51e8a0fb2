//! Rectangles of edited cells.

use crate::bounds::Bounds;
use std::ops::Range;

/// A rectangle of cells, counted from the map's origin.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Area {
    pub(crate) columns: Range<u32>,
    pub(crate) rows: Range<u32>,
}

impl Area {
    pub(crate) const fn of_cell(x: u32, y: u32) -> Self {
        Self { columns: x..x + 1, rows: y..y + 1 }
    }

    /// Returns the rectangle of a whole map.
    pub(crate) const fn all(width: u32, height: u32) -> Self {
        Self { columns: 0..width, rows: 0..height }
    }

    /// Returns the index of a cell in the rectangle, row by row, or `None` if the cell is outside.
    pub(crate) fn place(&self, x: u32, y: u32) -> Option<usize> {
        let is_inside = self.columns.contains(&x) && self.rows.contains(&y);
        let place =
            || (y - self.rows.start) as usize * self.columns.len() + (x - self.columns.start) as usize;
        is_inside.then(place)
    }

    /// Returns the rectangle of a part of a map, or `None` if the part has no cells.
    pub(crate) fn of(bounds: &Bounds, part: &Bounds) -> Option<Self> {
        let (x, y) = bounds.local(part.origin()).filter(|_| !part.is_empty())?;
        Some(Self { columns: x..x + part.width(), rows: y..y + part.height() })
    }

    pub(crate) fn contains(&self, other: &Self) -> bool {
        let holds = |one: &Range<u32>, other: &Range<u32>| one.start <= other.start && other.end <= one.end;
        holds(&self.columns, &other.columns) && holds(&self.rows, &other.rows)
    }

    pub(crate) fn cell_count(&self) -> usize {
        self.columns.len() * self.rows.len()
    }

    /// Returns the rectangle with all cells of the map up to this many steps away.
    pub(crate) fn grown(&self, steps: u32, width: u32, height: u32) -> Self {
        let grown = |range: &Range<u32>, count: u32| {
            range.start.saturating_sub(steps)..range.end.saturating_add(steps).min(count)
        };
        Self { columns: grown(&self.columns, width), rows: grown(&self.rows, height) }
    }

    /// Returns the cells, row by row.
    pub(crate) fn cells(&self) -> impl Iterator<Item = (u32, u32)> + use<> {
        let columns = self.columns.clone();
        self.rows.clone().flat_map(move |y| columns.clone().map(move |x| (x, y)))
    }

    /// Returns the smallest rectangle around this one and a cell.
    fn around(&self, x: u32, y: u32) -> Self {
        let around = |range: &Range<u32>, place: u32| range.start.min(place)..range.end.max(place + 1);
        Self { columns: around(&self.columns, x), rows: around(&self.rows, y) }
    }
}

/// Edited cells, combined into few rectangles, so that data around edits that lie together is
/// renewed once. A rectangle takes the next cell if it does not become too empty.
///
/// The rectangles depend on the order of the cells. This changes only the time of the renewal.
#[derive(Debug, Default)]
pub(crate) struct EditedAreas {
    areas: Vec<Area>,
    /// The number of cells that the last rectangle was made of.
    in_last: usize,
}

impl EditedAreas {
    /// A rectangle may have this many cells for each edited cell, and `CELLS_MORE` cells in
    /// addition. A rectangle of `CELLS_MORE` cells is renewed as fast as two rectangles of one
    /// cell.
    const CELLS_FOR_ONE: usize = 4;
    const CELLS_MORE: usize = 64;

    /// Creates one rectangle around all cells.
    pub(crate) fn together(cells: impl IntoIterator<Item = (u32, u32)>) -> Self {
        let mut cells = cells.into_iter();
        let first = cells.next().map(|(x, y)| Area::of_cell(x, y));
        let area = first.map(|first| cells.fold(first, |area, (x, y)| area.around(x, y)));
        Self { in_last: area.as_ref().map_or(0, Area::cell_count), areas: area.into_iter().collect() }
    }

    pub(crate) fn of(cells: impl IntoIterator<Item = (u32, u32)>) -> Self {
        let mut edited = Self::default();
        for (x, y) in cells {
            edited.add(x, y);
        }
        edited
    }

    pub(crate) fn add(&mut self, x: u32, y: u32) {
        if let Some(last) = self.areas.last_mut() {
            if last.columns.contains(&x) && last.rows.contains(&y) {
                self.in_last += 1;
                return;
            }
            let around = last.around(x, y);
            if around.cell_count() <= Self::CELLS_MORE + Self::CELLS_FOR_ONE * (self.in_last + 1) {
                *last = around;
                self.in_last += 1;
                return;
            }
        }
        self.areas.push(Area::of_cell(x, y));
        self.in_last = 1;
    }

    pub(crate) fn areas(&self) -> &[Area] {
        &self.areas
    }
}

/// Returns the blocks of a map that stay after a resize, each with its index before and after. The
/// map is divided into blocks of `side` cells a side, from its lowest cell on.
///
/// A block stays if it lies exactly on a block of the new map, and if all cells up to `reach` steps
/// around it are kept.
pub(crate) fn kept_blocks(
    [side, reach]: [u32; 2],
    before: &Bounds,
    after: &Bounds,
    kept: &Bounds,
) -> impl Iterator<Item = [usize; 2]> {
    let shift = before.shift(after);
    let (columns, rows) = (before.width().div_ceil(side), before.height().div_ceil(side));
    let (width, height) = (before.width(), before.height());
    let columns_after = after.width().div_ceil(side) as usize;
    let kept = Area::of(before, kept).filter(|_| shift.iter().all(|cells| cells % i64::from(side) == 0));
    let blocks = kept.is_some().then_some(0..columns * rows).into_iter().flatten();
    blocks.filter_map(move |block| {
        let [x, y] = [block % columns * side, block / columns * side];
        let near = Area { columns: x..x + side, rows: y..y + side }.grown(reach, width, height);
        let is_kept = kept.as_ref().is_some_and(|kept| kept.contains(&near));
        is_kept.then(|| {
            let [column, row] = [(x, shift[0]), (y, shift[1])]
                .map(|(from, by)| (i64::from(from) + by) as usize / side as usize);
            [block as usize, row * columns_after + column]
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rectangles_hold_all_cells_that_were_edited() {
        let mut edited = EditedAreas::default();
        let mut cells: Vec<(u32, u32)> = Area { columns: 90..102, rows: 7..19 }.cells().collect();
        cells.extend((0..50_u32).map(|edit| (edit * 37 % 200, edit * 91 % 200)));
        for &(x, y) in &cells {
            edited.add(x, y);
        }
        let first = &edited.areas()[0];
        assert_eq!(*first, Area { columns: 90..102, rows: 7..19 }, "a rectangle is one area");
        for (x, y) in cells {
            let is_inside = |area: &Area| area.columns.contains(&x) && area.rows.contains(&y);
            assert!(edited.areas().iter().any(is_inside), "{x}, {y}");
        }
        assert!(edited.areas().len() > 20, "cells far apart are areas of their own");
    }
}

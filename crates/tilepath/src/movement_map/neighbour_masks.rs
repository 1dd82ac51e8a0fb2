//! Open neighbours of each cell, and counts of cells at corners.
//!
//! Decision: `docs/decisions/09-open-neighbours.md`.

use super::area::Area;
use crate::{bit_grid::BitGrid, bounds::Bounds, cell::Direction};

/// One byte a cell: bit n is set if the neighbour in the nth of [`Direction::ALL`] is open. Cells
/// off the map are not open.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct NeighbourMasks {
    open: Vec<u8>,
    width: usize,
    open_count: usize,
    corner_count: usize,
}

/// Numbers of cells of a map.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct CellCounts {
    /// The open cells beside the corner of an obstacle.
    pub(crate) corners: usize,
    pub(crate) open: usize,
    pub(crate) closed: usize,
}

/// For each set of open neighbours: true if a path may turn around an obstacle here. That is so if
/// an obstacle straight beside the cell has an open cell behind or before it.
const TURNS: [bool; 256] = {
    let mut turns = [false; 256];
    let mut open = 0;
    while open < 256 {
        let mut straight = 0;
        while straight < 8 {
            let beside = open >> (straight + 1) | open >> ((straight + 7) % 8);
            if open >> straight & 1 == 0 && beside & 1 == 1 {
                turns[open] = true;
            }
            straight += 2;
        }
        open += 1;
    }
    turns
};

impl NeighbourMasks {
    /// # Complexity
    /// O(cells).
    pub(crate) fn new(rows: &BitGrid, bounds: &Bounds) -> Self {
        let (width, height) = (bounds.width() as usize, bounds.height() as usize);
        let mut open = Vec::with_capacity(bounds.cell_count());
        let (mut open_count, mut corner_count) = (0, 0);
        for y in 0..height {
            for first in (0..width).step_by(64) {
                let row = RowPart::read(rows, first, y);
                open_count += row.open.count_ones() as usize;
                corner_count += row.corners().count_ones() as usize;
                let count = (width - first).min(64);
                open.extend((0..count).step_by(8).flat_map(|first| row.bytes(first)).take(count));
            }
        }
        Self { open, width, open_count, corner_count }
    }

    /// Returns the masks after a resize of the map. Each argument has the state before and the
    /// state after: the bounds, the rows of open cells, and the changed cells.
    pub(super) fn resized(
        &self,
        [before, after]: [&Bounds; 2],
        [old_rows, rows]: [&BitGrid; 2],
        [lost, found]: [&[Area]; 2],
    ) -> Self {
        let mut resized = Self {
            open: before.moved(&self.open, after, 0),
            width: after.width() as usize,
            open_count: self.open_count,
            corner_count: self.corner_count,
        };
        for area in lost {
            resized.count(old_rows, area, usize::wrapping_sub);
        }
        for area in found {
            resized.count(rows, area, usize::wrapping_add);
            resized.copy(rows, area);
        }
        resized
    }

    fn is_corner(&self, x: u32, y: u32) -> bool {
        TURNS[usize::from(self.at(x, y))]
    }

    /// Returns the numbers of cells at corners and of all cells.
    pub(crate) const fn cell_counts(&self) -> CellCounts {
        let closed = self.open.len() - self.open_count;
        CellCounts { corners: self.corner_count, open: self.open_count, closed }
    }

    /// Returns the open neighbours of each cell, by slot.
    #[inline]
    pub(crate) fn bytes(&self) -> &[u8] {
        &self.open
    }

    /// Returns the number of columns.
    pub(crate) const fn width(&self) -> usize {
        self.width
    }

    /// Returns the open neighbours of the cell at column x, row y.
    #[inline]
    pub(crate) fn at(&self, x: u32, y: u32) -> u8 {
        self.open[y as usize * self.width + x as usize]
    }

    /// Updates the masks for edits of cells in a rectangle: `edit` makes the edits in the rows.
    pub(crate) fn follow_edits(&mut self, rows: &mut BitGrid, area: &Area, edit: impl FnOnce(&mut BitGrid)) {
        let height = rows.lines() - 2;
        let around = area.grown(1, self.width as u32, height as u32);
        self.count(rows, &around, usize::wrapping_sub);
        edit(rows);
        self.count(rows, &around, usize::wrapping_add);
        self.copy(rows, &around);
    }

    /// Writes the bytes of a rectangle again.
    fn copy(&mut self, rows: &BitGrid, area: &Area) {
        for (first, y, count) in parts(area) {
            let row = RowPart::read(rows, first, y);
            let bytes = &mut self.open[y * self.width + first..][..count];
            for (eight, bytes) in bytes.chunks_mut(8).enumerate() {
                bytes.copy_from_slice(&row.bytes(8 * eight)[..bytes.len()]);
            }
        }
    }

    /// Adds or subtracts the open cells and the corners of a rectangle.
    fn count(&mut self, rows: &BitGrid, area: &Area, add: impl Fn(usize, usize) -> usize) {
        for (first, y, count) in parts(area) {
            let row = RowPart::read(rows, first, y);
            let cells = u64::MAX >> (64 - count);
            self.open_count = add(self.open_count, (row.open & cells).count_ones() as usize);
            self.corner_count = add(self.corner_count, (row.corners() & cells).count_ones() as usize);
        }
    }

    /// Updates the masks after one cell opened or closed. The rows of open cells must be up to
    /// date.
    pub(crate) fn follow_edit(&mut self, rows: &BitGrid, bounds: &Bounds, x: u32, y: u32) {
        let is_open = rows.get(x, y);
        let slot = y as usize * self.width + x as usize;
        let is_inside = x.wrapping_sub(1) < bounds.width().saturating_sub(2)
            && y.wrapping_sub(1) < bounds.height().saturating_sub(2);
        for direction in Direction::ALL {
            let (dx, dy) = direction.offset();
            let (beside_x, beside_y) = (x.wrapping_add_signed(dx), y.wrapping_add_signed(dy));
            if !is_inside && (beside_x >= bounds.width() || beside_y >= bounds.height()) {
                continue;
            }
            let bit = 1 << direction.opposite() as u8;
            let beside = slot.wrapping_add_signed(dy as isize * self.width as isize + dx as isize);
            let byte = &mut self.open[beside];
            let before = *byte;
            *byte = if is_open { before | bit } else { before & !bit };
            let (was_corner, is_corner) = (TURNS[usize::from(before)], TURNS[usize::from(*byte)]);
            if was_corner != is_corner && rows.get(beside_x, beside_y) {
                self.corner_count = self.corner_count + usize::from(is_corner) - usize::from(was_corner);
            }
        }
        let is_corner = usize::from(self.is_corner(x, y));
        if is_open {
            self.open_count += 1;
            self.corner_count += is_corner;
        } else {
            self.open_count -= 1;
            self.corner_count -= is_corner;
        }
    }
}

/// Returns the rows of a rectangle in parts of up to 64 cells: column, row, and number of cells.
fn parts(area: &Area) -> impl Iterator<Item = (usize, usize, usize)> {
    let columns = area.columns.start as usize..area.columns.end as usize;
    area.rows.clone().flat_map(move |y| {
        let columns = columns.clone();
        columns.clone().step_by(64).map(move |first| (first, y as usize, (columns.end - first).min(64)))
    })
}

/// Sixty-four cells of a row, a bit each: the open cells, and for each direction the cells with an
/// open neighbour there.
struct RowPart {
    open: u64,
    around: [u64; 8],
}

impl RowPart {
    /// Reads the cells from column `first` of row y on.
    #[inline]
    fn read(rows: &BitGrid, first: usize, y: usize) -> Self {
        let [below, here, above] = [y, y + 1, y + 2].map(|line| rows.three_windows(line, first));
        let around = [above[1], above[2], here[2], below[2], below[1], below[0], here[0], above[0]];
        Self { open: here[1], around }
    }

    /// Returns the open cells beside a corner.
    #[inline]
    fn corners(&self) -> u64 {
        let beside = |side: usize| self.around[(side + 1) % 8] | self.around[(side + 7) % 8];
        let turns = [0, 2, 4, 6].map(|side| !self.around[side] & beside(side));
        self.open & turns.into_iter().fold(0, |any, side| any | side)
    }

    /// Returns the open neighbours of the eight cells from the nth on.
    #[inline]
    fn bytes(&self, first: usize) -> [u8; 8] {
        let block = self.around.iter().rev().fold(0, |block, bits| block << 8 | bits >> first & 0xFF);
        transpose(block).to_le_bytes()
    }
}

/// Exchanges rows and columns of 8 × 8 bits, by exchanging larger and larger blocks.
const fn transpose(mut block: u64) -> u64 {
    let exchanged = (block ^ block >> 7) & 0x00AA_00AA_00AA_00AA;
    block ^= exchanged ^ exchanged << 7;
    let exchanged = (block ^ block >> 14) & 0x0000_CCCC_0000_CCCC;
    block ^= exchanged ^ exchanged << 14;
    let exchanged = (block ^ block >> 28) & 0x0000_0000_F0F0_F0F0;
    block ^ exchanged ^ exchanged << 28
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cell::Cell;

    #[test]
    fn surroundings_are_those_read_one_by_one() {
        for (width, height) in [(0, 2), (1, 1), (1, 5), (62, 3), (63, 3), (130, 4)] {
            let items: Vec<u32> =
                (0..width * height).map(|item: u32| item.wrapping_mul(2_654_435_761) >> 29).collect();
            let rows = BitGrid::from_rows(width, height, &items, |&item| item < 4);
            let bounds = Bounds::new(Cell::new(0, 0), width, height).unwrap();
            let neighbour_masks = NeighbourMasks::new(&rows, &bounds);
            let mut corners = 0;
            for (slot, cell) in bounds.cells().enumerate() {
                for direction in Direction::ALL {
                    let neighbour = cell.neighbour(direction).and_then(|cell| bounds.slot(cell));
                    let expected = neighbour.is_some_and(|slot| items[slot] < 4);
                    let found = neighbour_masks.bytes()[slot] >> direction as u8 & 1 == 1;
                    assert_eq!(found, expected, "{direction:?} of {cell} on {width} × {height}");
                }
                let is_open = |direction: Direction| {
                    let neighbour = cell.neighbour(direction).and_then(|cell| bounds.slot(cell));
                    neighbour.is_some_and(|slot| items[slot] < 4)
                };
                let turns = Direction::ALL.into_iter().any(|direction| {
                    let beside = [direction.turned(1), direction.turned(7)];
                    !direction.is_diagonal() && !is_open(direction) && beside.into_iter().any(is_open)
                });
                corners += usize::from(items[slot] < 4 && turns);
            }
            let open = items.iter().filter(|&&item| item < 4).count();
            let expected = CellCounts { corners, open, closed: items.len() - open };
            assert_eq!(neighbour_masks.cell_counts(), expected, "{width} × {height}");
        }
    }
}

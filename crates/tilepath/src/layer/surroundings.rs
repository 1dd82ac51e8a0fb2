//! For each cell which of its eight neighbours are open, in one byte.

use crate::{bit_grid::BitGrid, bounds::Bounds, cell::Direction};

/// One byte a cell: bit n says whether the neighbour in the nth of [`Direction::ALL`] is open. Cells off the map are not.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Surroundings {
    open: Vec<u8>,
    width: usize,
}

impl Surroundings {
    /// # Complexity
    /// O(cells).
    pub(crate) fn new(rows: &BitGrid, bounds: &Bounds) -> Self {
        // A window of three columns of three bits slides along each row; what it shows is looked up.
        let shown: [u8; 512] = std::array::from_fn(|window| {
            Direction::ALL.into_iter().fold(0, |open, direction| {
                let (dx, dy) = direction.offset();
                let is_open = window >> ((dx + 1) * 3 + dy + 1) & 1 == 1;
                open | u8::from(is_open) << direction as u8
            })
        });
        let mut open = Vec::with_capacity(bounds.cell_count());
        for y in 0..bounds.height() as usize {
            let lines = [y, y + 1, y + 2].map(|line| rows.line(line));
            let mut window = 0;
            let mut place = 0;
            for index in 0..rows.row_words() {
                let mut words = lines.map(|line| line[index]);
                for _ in 0..64 {
                    if place == bounds.width() as usize + 2 {
                        break;
                    }
                    let column = words[0] & 1 | (words[1] & 1) << 1 | (words[2] & 1) << 2;
                    words = words.map(|word| word >> 1);
                    window = window >> 3 | (column as usize) << 6;
                    // The window shows the surroundings of the cell in its middle once that is on the map.
                    if place >= 2 {
                        open.push(shown[window]);
                    }
                    place += 1;
                }
            }
        }
        Self { open, width: bounds.width() as usize }
    }

    /// The open neighbours of the cell of a slot.
    #[inline]
    pub(crate) fn of(&self, slot: usize) -> u8 {
        self.open[slot]
    }

    /// The open neighbours of the cell at column x, row y.
    #[inline]
    pub(crate) fn at(&self, x: u32, y: u32) -> u8 {
        self.open[y as usize * self.width + x as usize]
    }

    /// Follows an edit of one cell.
    pub(crate) fn follow_edit(&mut self, bounds: &Bounds, x: u32, y: u32, is_open: bool) {
        let cell = bounds.global(x, y);
        for direction in Direction::ALL {
            let Some(slot) = cell.neighbour(direction).and_then(|cell| bounds.slot(cell)) else { continue };
            let bit = 1 << direction.opposite() as u8;
            let byte = &mut self.open[slot];
            *byte = if is_open { *byte | bit } else { *byte & !bit };
        }
    }
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
            let surroundings = Surroundings::new(&rows, &bounds);
            for (slot, cell) in bounds.cells().enumerate() {
                for direction in Direction::ALL {
                    let neighbour = cell.neighbour(direction).and_then(|cell| bounds.slot(cell));
                    let expected = neighbour.is_some_and(|slot| items[slot] < 4);
                    let found = surroundings.of(slot) >> direction as u8 & 1 == 1;
                    assert_eq!(found, expected, "{direction:?} of {cell} on {width} × {height}");
                }
            }
        }
    }
}

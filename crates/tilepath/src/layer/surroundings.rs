//! For each cell which of its eight neighbours are open, in one byte, and how many cells lie at corners.

use crate::{bit_grid::BitGrid, bounds::Bounds, cell::Direction};

/// One byte a cell: bit n says whether the neighbour in the nth of [`Direction::ALL`] is open. Cells off the map are not.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Surroundings {
    open: Vec<u8>,
    width: usize,
    open_count: usize,
    corner_count: usize,
}

/// For each set of open neighbours whether an obstacle straight beside the cell has an open cell behind or before it: a way
/// may turn around it.
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
        let mut surroundings = Self { open, width: bounds.width() as usize, open_count: 0, corner_count: 0 };
        for y in 0..bounds.height() {
            for x in 0..bounds.width() {
                if rows.get(x, y) {
                    surroundings.open_count += 1;
                    surroundings.corner_count += usize::from(surroundings.is_corner(x, y));
                }
            }
        }
        surroundings
    }

    fn is_corner(&self, x: u32, y: u32) -> bool {
        TURNS[usize::from(self.at(x, y))]
    }

    /// How many cells are open, and how many of them lie beside a corner.
    pub(crate) const fn corner_share(&self) -> (usize, usize) {
        (self.corner_count, self.open_count)
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

    /// Follows an edit of one cell from closed to open, or the other way round, that the rows of open cells have taken already.
    pub(crate) fn follow_edit(&mut self, rows: &BitGrid, bounds: &Bounds, x: u32, y: u32) {
        let is_open = rows.get(x, y);
        let cell = bounds.global(x, y);
        for direction in Direction::ALL {
            let neighbour = cell.neighbour(direction).and_then(|cell| bounds.local(cell));
            let Some((beside_x, beside_y)) = neighbour else { continue };
            let was_corner = self.is_corner(beside_x, beside_y);
            let bit = 1 << direction.opposite() as u8;
            let byte = &mut self.open[beside_y as usize * self.width + beside_x as usize];
            *byte = if is_open { *byte | bit } else { *byte & !bit };
            if rows.get(beside_x, beside_y) {
                let is_corner = usize::from(self.is_corner(beside_x, beside_y));
                self.corner_count = self.corner_count + is_corner - usize::from(was_corner);
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
            let mut corners = 0;
            for (slot, cell) in bounds.cells().enumerate() {
                for direction in Direction::ALL {
                    let neighbour = cell.neighbour(direction).and_then(|cell| bounds.slot(cell));
                    let expected = neighbour.is_some_and(|slot| items[slot] < 4);
                    let found = surroundings.of(slot) >> direction as u8 & 1 == 1;
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
            assert_eq!(surroundings.corner_share(), (corners, open), "{width} × {height}");
        }
    }
}

//! Where diagonal walks must look around.
//!
//! The number of the line of bits that each cell of a map of 4 × 3 cells belongs to. It is wider than high, so its place along
//! is x and its place across, which is its bit, is y:
//!
//! ```text
//!         rising lines (north-east)    falling lines (north-west)
//! y = 2          0 1 2 3                      2 3 4 5
//! y = 1          1 2 3 4                      1 2 3 4
//! y = 0          2 3 4 5                      0 1 2 3
//! ```
//!
//! **Lemma 1.** A diagonal walk stays on one line and moves by one bit a step: on a rising line along and across change alike,
//! so that along - across stays; on a falling line they change against each other, so that along + across stays. So a walk
//! is as long as its bits are apart.
//!
//! **Lemma 2.** On every walk that may begin there is a stop. From the last open cell of the walk the step ahead is not
//! allowed, so it cannot go straight on, and its bit is set.

use crate::{bit_grid::BitGrid, cell::Direction};

/// The diagonal walks of a map: for each direction lines of bits along which they run.
///
/// A bit stands for each place across the map's shorter side, so that all lines together have no more than twice as many bits
/// as there are cells. Where that is the width, columns and rows change places, and with them the directions to the
/// south-east and to the north-west.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct DiagonalStops {
    is_upright: bool,
    /// Cells across the map.
    across: u32,
    rising: Walks,
    falling: Walks,
}

/// Open cells side by side in a row or a column.
pub(super) struct Run {
    /// The first.
    pub(super) x: u32,
    pub(super) y: u32,
    pub(super) line: Line,
    /// At least one; along a column they lie in one word of it.
    pub(super) count: u32,
}

/// A line of the map.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Line {
    Row,
    Column,
}

/// All diagonal walks in two opposite directions. A line of bits is a diagonal of the map, a bit its cell at a place across.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Walks {
    /// The cells at which a walk to higher places must look around: jump points lie beside it, or it cannot go straight on.
    upward: BitGrid,
    /// The same for walks to lower places.
    downward: BitGrid,
}

impl DiagonalStops {
    pub(super) fn new(width: u32, height: u32) -> Self {
        let is_upright = height > width;
        let across = if is_upright { width } else { height };
        let empty = BitGrid::new(across, width + height);
        let walks = Walks { upward: empty.clone(), downward: empty };
        Self { is_upright, across, rising: walks.clone(), falling: walks }
    }

    pub(super) fn bytes(&self) -> usize {
        [&self.rising, &self.falling].iter().map(|walks| walks.upward.bytes() + walks.downward.bytes()).sum()
    }

    /// Takes all bits from one bit a cell for each of the four directions in compass order.
    pub(super) fn fill(&mut self, mut cells: [BitGrid; 4], width: u32, height: u32) {
        if self.is_upright {
            cells = cells.map(|cells| cells.transposed(width, height));
            cells.swap(1, 3);
        }
        let across = self.across;
        let rising = |line: i64, place: i64| line - (i64::from(across) - 1 - place);
        let falling = |line: i64, place: i64| line - place;
        self.rising.upward.shear(&cells[0], across, rising);
        self.falling.downward.shear(&cells[1], across, falling);
        self.rising.downward.shear(&cells[2], across, rising);
        self.falling.upward.shear(&cells[3], across, falling);
    }

    /// Sets the bits of the cell at column x, row y for the four directions in compass order.
    pub(super) fn set(&mut self, x: u32, y: u32, mut must_look: [bool; 4]) {
        if self.is_upright {
            must_look.swap(1, 3);
        }
        let (along, across) = self.place(x, y);
        let (rising, falling) = (self.rising_line(along, across), falling_line(along, across));
        self.rising.upward.set(across, rising, must_look[0]);
        self.falling.downward.set(across, falling, must_look[1]);
        self.rising.downward.set(across, rising, must_look[2]);
        self.falling.upward.set(across, falling, must_look[3]);
    }

    /// Sets the bits of a run of cells for one direction: each is on a line of its own.
    #[inline]
    pub(super) fn set_run(
        &mut self,
        direction: Direction,
        run: &Run,
        must_look: impl Fn(u32, u32) -> bool,
    ) {
        let &Run { x, y, line, count } = run;
        let (along, across) = self.place(x, y);
        let (rising, falling) = (self.rising_line(along, across), falling_line(along, across));
        let (bits, first, is_rising) = match (direction, self.is_upright) {
            (Direction::NorthEast, _) => (&mut self.rising.upward, rising, true),
            (Direction::SouthWest, _) => (&mut self.rising.downward, rising, true),
            (Direction::SouthEast, false) | (Direction::NorthWest, true) => {
                (&mut self.falling.downward, falling, false)
            }
            _ => (&mut self.falling.upward, falling, false),
        };
        let is_across = (line == Line::Column) != self.is_upright;
        for step in 0..count {
            let value = if line == Line::Row { must_look(x + step, y) } else { must_look(x, y + step) };
            let (place, line) = match (is_across, is_rising) {
                (false, _) => (across, first + step),
                (true, false) => (across + step, first + step),
                (true, true) => (across + step, first - step),
            };
            bits.set(place, line, value);
        }
    }

    /// How many steps a walk goes before it must look around.
    #[inline]
    pub(super) fn walk(&self, direction: Direction, x: u32, y: u32, words: &mut u64) -> u32 {
        let (along, across) = self.place(x, y);
        let (walks, line, is_upward) = match direction {
            Direction::NorthEast => (&self.rising, self.rising_line(along, across), true),
            Direction::SouthWest => (&self.rising, self.rising_line(along, across), false),
            Direction::NorthWest => (&self.falling, falling_line(along, across), !self.is_upright),
            _ => (&self.falling, falling_line(along, across), self.is_upright),
        };
        // The border takes the first place of each line. There is a stop by lemma 2.
        let (line, place) = (line as usize + 1, across as usize + 1);
        let stop = if is_upward {
            walks.upward.next_set(line, place, words)
        } else {
            walks.downward.previous_set(line, place, words)
        };
        // Lemma 1.
        stop.abs_diff(place) as u32
    }

    /// Where along the map and where across it a cell lies.
    #[inline]
    const fn place(&self, x: u32, y: u32) -> (u32, u32) {
        if self.is_upright { (y, x) } else { (x, y) }
    }

    /// The number of the diagonal through a cell on which both places rise.
    #[inline]
    const fn rising_line(&self, along: u32, across: u32) -> u32 {
        along + self.across - 1 - across
    }
}

/// The number of the diagonal through a cell on which one place rises and the other falls.
#[inline]
const fn falling_line(along: u32, across: u32) -> u32 {
    along + across
}

//! Stops of diagonal walks: cells at which to look around.
//!
//! The figure shows the number of the line of bits to which each cell of a map of 4 × 3 cells
//! belongs. The map is wider than high, so the place of a cell along the map is x. Its place
//! across, which is its bit, is y:
//!
//! ```text
//!         rising lines (north-east)    falling lines (north-west)
//! y = 2          0 1 2 3                      2 3 4 5
//! y = 1          1 2 3 4                      1 2 3 4
//! y = 0          2 3 4 5                      0 1 2 3
//! ```
//!
//! **Lemma 1.** A diagonal walk stays on one line and moves by one bit a step. On a rising line,
//! along and across change by the same amount, so along - across stays. On a falling line, they
//! change by opposite amounts, so along + across stays. So the length of a walk is the distance
//! between its bits.
//!
//! **Lemma 2.** There is a stop on every walk whose first step is allowed. From the last open cell
//! of the walk, the step ahead is not allowed. So the walk cannot go straight on from it, and its
//! bit is set.

use super::bit_strips::{BitStrips, PLACES};
use crate::{bit_grid::BitGrid, cell::Direction};

/// The diagonal walks of a map: for each direction, lines of bits along which they run.
///
/// Bits stand for places across the map's shorter side. So all lines together have at most twice as
/// many bits as there are cells. If the width is the shorter side, columns and rows are exchanged,
/// and so are the directions south-east and north-west.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct DiagonalStops {
    is_upright: bool,
    /// The number of cells across the map.
    across: u32,
    rising: Walks,
    falling: Walks,
}

/// All diagonal walks in two opposite directions. A line of bits is a diagonal of the map. A bit is
/// the cell of this diagonal at a place across.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Walks {
    /// The cells at which a walk to higher places must look around: jump points lie beside the
    /// cell, or the walk cannot go straight on.
    upward: BitStrips,
    /// The cells at which a walk to lower places must look around.
    downward: BitStrips,
}

impl DiagonalStops {
    pub(super) fn new(width: u32, height: u32) -> Self {
        let is_upright = height > width;
        let across = if is_upright { width } else { height };
        let empty = BitStrips::new(across, width + height);
        let walks = Walks { upward: empty.clone(), downward: empty };
        Self { is_upright, across, rising: walks.clone(), falling: walks }
    }

    pub(super) fn bytes(&self) -> usize {
        [&self.rising, &self.falling].iter().map(|walks| walks.upward.bytes() + walks.downward.bytes()).sum()
    }

    /// Sets all bits, from one grid of bits for each of the four directions in compass order.
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

    /// Sets the bits of some cells of a word for one direction. The word belongs to the line of a
    /// row or of a column. Line and word are counted with the border.
    pub(super) fn set_word(
        &mut self,
        direction: Direction,
        is_row: bool,
        [line, word]: [usize; 2],
        cells: u64,
        must_look: u64,
    ) {
        let across = self.across as usize;
        let is_along = is_row != self.is_upright;
        let (bits, is_rising) = match (direction, self.is_upright) {
            (Direction::NorthEast, _) => (&mut self.rising.upward, true),
            (Direction::SouthWest, _) => (&mut self.rising.downward, true),
            (Direction::SouthEast, false) | (Direction::NorthWest, true) => {
                (&mut self.falling.downward, false)
            }
            _ => (&mut self.falling.upward, false),
        };
        let mut rest = cells;
        while rest != 0 {
            // Cells without a gap: each lies on the diagonal beside the diagonal of the cell
            // before.
            let first = rest.trailing_zeros() as usize;
            let count = (!(rest >> first)).trailing_zeros() as usize;
            rest &= !(u64::MAX >> (64 - count) << first);
            let place = word * 64 + first;
            if is_along {
                let start = if is_rising { place + across - line } else { place + line - 1 };
                bits.set_across(line, start, count, must_look >> first);
            } else if is_rising {
                let end = line + across - place + 1;
                let places = &REVERSED_PLACES[64 - first - count..64 - first];
                take_places(&mut bits.strip_mut(word)[end - count..end], must_look, places);
            } else {
                let start = line + place - 1;
                take_places(
                    &mut bits.strip_mut(word)[start..start + count],
                    must_look,
                    &PLACES[first..first + count],
                );
            }
        }
    }

    /// Returns the number of steps that a walk goes before it must look around.
    #[expect(clippy::inline_always, reason = "measured: a call costs a tenth of a whole search")]
    #[inline(always)]
    pub(super) fn walk(&self, direction: Direction, x: u32, y: u32, words: &mut u64) -> u32 {
        let (along, across) = self.place(x, y);
        let (walks, line, is_upward) = match direction {
            Direction::NorthEast => (&self.rising, self.rising_line(along, across), true),
            Direction::SouthWest => (&self.rising, self.rising_line(along, across), false),
            Direction::NorthWest => (&self.falling, falling_line(along, across), !self.is_upright),
            _ => (&self.falling, falling_line(along, across), self.is_upright),
        };
        // The border has the first place of each line. There is a stop by lemma 2.
        let (line, place) = (line as usize + 1, across as usize + 1);
        let stop = if is_upward {
            walks.upward.next_set(line, place, words)
        } else {
            walks.downward.previous_set(line, place, words)
        };
        // Lemma 1.
        stop.abs_diff(place) as u32
    }

    /// Returns the place of a cell along the map and across it.
    #[inline]
    const fn place(&self, x: u32, y: u32) -> (u32, u32) {
        if self.is_upright { (y, x) } else { (x, y) }
    }

    /// Returns the number of the diagonal through a cell on which both places rise.
    #[inline]
    const fn rising_line(&self, along: u32, across: u32) -> u32 {
        along + self.across - 1 - across
    }
}

/// The bits of a word one by one, the highest first.
const REVERSED_PLACES: [u64; 64] = {
    let mut places = PLACES;
    places.reverse();
    places
};

/// Each word takes one bit of the values, at its own place.
#[inline]
fn take_places(words: &mut [u64], values: u64, places: &[u64]) {
    let cells = places.iter().fold(0, |all, place| all | place);
    let pairs = words.iter_mut().zip(places);
    if values & cells == cells {
        pairs.for_each(|(word, place)| *word |= place);
    } else if values & cells == 0 {
        pairs.for_each(|(word, place)| *word &= !place);
    } else {
        pairs.for_each(|(word, place)| *word ^= (*word ^ values) & place);
    }
}

/// The number of the diagonal through a cell on which one place rises and the other falls.
#[inline]
const fn falling_line(along: u32, across: u32) -> u32 {
    along + across
}

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

use super::bit_strips::{BitStrips, PLACES};
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

/// All diagonal walks in two opposite directions. A line of bits is a diagonal of the map, a bit its cell at a place across.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Walks {
    /// The cells at which a walk to higher places must look around: jump points lie beside it, or it cannot go straight on.
    upward: BitStrips,
    /// The same for walks to lower places.
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

    /// Sets the bits of some cells of a word for one direction. The word is one of a row's line or a column's; line and word
    /// are counted with the border.
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
            // Cells without a gap: each is on the diagonal beside that of the one before.
            let first = rest.trailing_zeros() as usize;
            let count = (!(rest >> first)).trailing_zeros() as usize;
            rest &= !(u64::MAX >> (64 - count) << first);
            let place = word * 64 + first;
            if is_along {
                let start = if is_rising { place + across - line } else { place + line - 1 };
                let lines = &mut bits.strip_mut(line / 64)[start..start + count];
                let bit = 1_u64 << (line % 64);
                let values = must_look >> first;
                if values.trailing_ones() as usize >= count {
                    for word in lines {
                        *word |= bit;
                    }
                } else if values.trailing_zeros() as usize >= count {
                    for word in lines {
                        *word &= !bit;
                    }
                } else {
                    for (step, word) in lines.iter_mut().enumerate() {
                        *word = *word & !bit | (values >> step & 1).wrapping_neg() & bit;
                    }
                }
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

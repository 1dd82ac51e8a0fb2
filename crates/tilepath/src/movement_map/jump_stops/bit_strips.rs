//! Lines of bits, stored in strips of 64 places.

use crate::bit_grid::{BitGrid, transpose};

/// A rectangle of bits like a [`BitGrid`], with its border, but in another order in memory: one
/// strip of 64 places after the other, with a word for every line in each strip. Reading and
/// writing the bits of successive lines is fast at any place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct BitStrips {
    words: Vec<u64>,
    lines: usize,
}

/// The bits of a word one by one. Code that uses this table instead of shifts is compiled to handle
/// several words at once.
pub(super) const PLACES: [u64; 64] = {
    let mut places = [0; 64];
    let mut place = 0;
    while place < 64 {
        places[place] = 1 << place;
        place += 1;
    }
    places
};

impl BitStrips {
    pub(super) fn new(places: u32, lines: u32) -> Self {
        let lines = lines as usize + 2;
        Self { words: vec![0; (places as usize + 2).div_ceil(64) * lines], lines }
    }

    pub(super) const fn bytes(&self) -> usize {
        self.words.len() * size_of::<u64>()
    }

    /// Returns the number of words of a line.
    pub(super) fn line_words(&self) -> usize {
        self.words.len() / self.lines
    }

    /// Returns the words of all lines for the same 64 places. Lines and places are counted with the
    /// border.
    #[inline]
    pub(super) fn strip(&self, word: usize) -> &[u64] {
        &self.words[word * self.lines..][..self.lines]
    }

    /// Returns these words for writing.
    #[inline]
    pub(super) fn strip_mut(&mut self, word: usize) -> &mut [u64] {
        &mut self.words[word * self.lines..][..self.lines]
    }

    #[inline]
    pub(super) fn get(&self, place: u32, line: u32) -> bool {
        let bit = place as usize + 1;
        self.words[bit / 64 * self.lines + line as usize + 1] >> (bit % 64) & 1 == 1
    }

    /// Returns the bits at a place of the lines that `wanted` selects. Bit n is for line
    /// `first + n`; all other bits are zero. Place and lines are counted with the border.
    #[inline]
    pub(super) fn across(&self, bit: usize, first: usize, wanted: u64) -> u64 {
        if wanted == 0 {
            return 0;
        }
        let (start, end) = (wanted.trailing_zeros() as usize, 64 - wanted.leading_zeros() as usize);
        let words = &self.strip(bit / 64)[first + start..first + end];
        // In most cases no bit is set, so this check saves time.
        if words.iter().fold(0, |any, word| any | word) >> (bit % 64) & 1 == 0 {
            return 0;
        }
        let places = words.iter().zip(&PLACES[start..end]);
        let found =
            places.fold(0, |bits, (word, place)| bits | (word >> (bit % 64) & 1).wrapping_neg() & place);
        found & wanted
    }

    /// Sets or clears the bits at a place of up to 64 lines. Bit n of `values` is for line
    /// `first + n`. Place and lines are counted with the border.
    pub(super) fn set_across(&mut self, place: usize, first: usize, count: usize, values: u64) {
        let words = &mut self.strip_mut(place / 64)[first..first + count];
        let bit = 1_u64 << (place % 64);
        if values.trailing_ones() as usize >= count {
            for word in words {
                *word |= bit;
            }
        } else if values.trailing_zeros() as usize >= count {
            for word in words {
                *word &= !bit;
            }
        } else {
            for (step, word) in words.iter_mut().enumerate() {
                *word = *word & !bit | (values >> step & 1).wrapping_neg() & bit;
            }
        }
    }

    /// Sets the bits of all lines at a place.
    pub(super) fn set_all(&mut self, place: usize) {
        for word in self.strip_mut(place / 64) {
            *word |= 1 << (place % 64);
        }
    }

    /// Fills these lines, which are diagonals, from rows of bits: line n takes the bit of row y at
    /// column `column(n, y)`. The column must rise by one from line to line.
    pub(super) fn shear(&mut self, rows: &BitGrid, height: u32, column: impl Fn(i64, i64) -> i64) {
        for word in 0..self.line_words() {
            let lines = self.strip_mut(word);
            let last = lines.len() - 1;
            for (index, lines) in lines[1..last].chunks_mut(64).enumerate() {
                let mut block = [0; 64];
                for (bit, window) in block.iter_mut().enumerate() {
                    // The border has the first place of each line.
                    let y = (word * 64 + bit) as i64 - 1;
                    if (0..i64::from(height)).contains(&y) {
                        let x = column(index as i64 * 64, y);
                        *window = rows.window(y as usize + 1, x + 1);
                    }
                }
                transpose(&mut block);
                lines.copy_from_slice(&block[..lines.len()]);
            }
        }
    }

    /// Returns the bits with places and lines exchanged, in rows.
    pub(super) fn transposed(&self, places: u32, lines: u32) -> BitGrid {
        let mut rows = BitGrid::new(lines, places);
        for word in 0..self.line_words() {
            for (index, words) in self.strip(word).chunks(64).enumerate() {
                let mut block = [0; 64];
                block[..words.len()].copy_from_slice(words);
                transpose(&mut block);
                for (place, bits) in block.into_iter().enumerate() {
                    let place = word * 64 + place;
                    if place < places as usize + 2 {
                        *rows.word_mut(place, index) = bits;
                    }
                }
            }
        }
        rows
    }

    /// Returns the first set bit of a line after a place. The caller must ensure that there is one.
    #[inline]
    pub(super) fn next_set(&self, line: usize, past: usize, words: &mut u64) -> usize {
        let mut index = past / 64 * self.lines + line;
        let mut skipped = 0;
        // Two shifts, because a shift by 64 is not allowed.
        let mut word = self.words[index] & (!0 << (past % 64) << 1);
        while word == 0 {
            index += self.lines;
            skipped += 1;
            word = self.words[index];
        }
        *words += skipped as u64;
        (past / 64 + skipped) * 64 + word.trailing_zeros() as usize
    }

    /// Returns the last set bit of a line before a place. The caller must ensure that there is one.
    #[inline]
    pub(super) fn previous_set(&self, line: usize, before: usize, words: &mut u64) -> usize {
        let mut index = before / 64 * self.lines + line;
        let mut skipped = 0;
        let mut word = self.words[index] & ((1 << (before % 64)) - 1);
        while word == 0 {
            index -= self.lines;
            skipped += 1;
            word = self.words[index];
        }
        *words += skipped as u64;
        (before / 64 - skipped) * 64 + 63 - word.leading_zeros() as usize
    }
}

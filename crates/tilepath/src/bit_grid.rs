//! Grids of bits, 64 to a word, with a border of zeros.

use std::ops::Range;

/// A rectangle of bits with a border of zeros one cell wide. Because of the border, neighbours can
/// be read without a test of the bounds.
///
/// Bit `x + 1` of row `y + 1` belongs to column x, row y. Each row ends with a spare word, so bits
/// that straddle two words can always be read from both.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct BitGrid {
    words: Vec<u64>,
    row_words: usize,
}

impl BitGrid {
    pub(crate) fn new(width: u32, height: u32) -> Self {
        let row_words = (width as usize + 2).div_ceil(64) + 1;
        Self { words: vec![0; row_words * (height as usize + 2)], row_words }
    }

    /// Makes a grid with all bits inside the border set.
    pub(crate) fn filled(width: u32, height: u32) -> Self {
        let mut bits = Self::new(width, height);
        for line in 1..=height as usize {
            let words = bits.line_mut(line);
            words.fill(!0);
            clear_border(words, width);
        }
        bits
    }

    /// Returns a grid of the same size with no bits set.
    pub(crate) fn emptied(&self) -> Self {
        Self { words: vec![0; self.words.len()], row_words: self.row_words }
    }

    /// Makes a grid with a bit for every item of every row, rows from the lowest. `is_set` returns
    /// the bit of an item.
    pub(crate) fn from_rows<T>(width: u32, height: u32, items: &[T], is_set: impl Fn(&T) -> bool) -> Self {
        let mut bits = Self::new(width, height);
        if width > 0 {
            for (y, row) in items.chunks_exact(width as usize).enumerate() {
                let words = &mut bits.words[(y + 1) * bits.row_words..][..bits.row_words];
                // The first word has one item less: its lowest bit is the border.
                let (first, rest) = row.split_at(row.len().min(63));
                words[0] = pack(first, &is_set) << 1;
                for (word, items) in words[1..].iter_mut().zip(rest.chunks(64)) {
                    *word = pack(items, &is_set);
                }
            }
        }
        bits
    }

    /// Returns the grid with columns and rows exchanged.
    pub(crate) fn transposed(&self, width: u32, height: u32) -> Self {
        let mut bits = Self::new(height, width);
        for block_y in 0..(height as usize + 2).div_ceil(64) {
            for block_x in 0..(width as usize + 2).div_ceil(64) {
                let mut block = [0; 64];
                for (row, word) in block.iter_mut().enumerate() {
                    let line = block_y * 64 + row;
                    if line < height as usize + 2 {
                        *word = self.words[line * self.row_words + block_x];
                    }
                }
                transpose(&mut block);
                for (column, word) in block.into_iter().enumerate() {
                    let line = block_x * 64 + column;
                    if line < width as usize + 2 {
                        bits.words[line * bits.row_words + block_y] = word;
                    }
                }
            }
        }
        bits
    }

    /// Returns the bits moved this many columns to the east and rows to the north, cut to a new
    /// size.
    pub(crate) fn moved(&self, width: u32, height: u32, columns: i64, rows: i64) -> Self {
        let mut moved = Self::new(width, height);
        for line in 1..=height as usize {
            let source = usize::try_from(line as i64 - rows).ok();
            let Some(source) = source.filter(|&source| (1..self.lines()).contains(&source)) else { continue };
            let words = &mut moved.words[line * moved.row_words..][..moved.row_words];
            for (word, first) in words.iter_mut().zip((0..).step_by(64)) {
                *word = self.window(source, first - columns);
            }
            clear_border(words, width);
        }
        moved
    }

    pub(crate) const fn bytes(&self) -> usize {
        self.words.len() * size_of::<u64>()
    }

    /// Returns the words of a line of bits. Lines count the border: line `y + 1` is row y.
    #[inline]
    pub(crate) fn line(&self, line: usize) -> &[u64] {
        &self.words[line * self.row_words..][..self.row_words]
    }

    /// Returns the words of a line of bits, for writing.
    #[inline]
    pub(crate) fn line_mut(&mut self, line: usize) -> &mut [u64] {
        &mut self.words[line * self.row_words..][..self.row_words]
    }

    /// Returns 64 bits of a line from any place. Bits outside the line are zeros.
    pub(crate) fn window(&self, line: usize, first: i64) -> u64 {
        let line = self.line(line);
        let word =
            |index: i64| usize::try_from(index).ok().and_then(|index| line.get(index)).copied().unwrap_or(0);
        let (index, shift) = (first.div_euclid(64), first.rem_euclid(64) as u32);
        // Two shifts, because a shift by 64 is not valid.
        word(index) >> shift | word(index + 1) << 1 << (63 - shift)
    }

    /// Returns 64 bits of a line from a place that is not past the last column. The second and
    /// third word start one and two places further on.
    pub(crate) fn three_windows(&self, line: usize, first: usize) -> [u64; 3] {
        let words = &self.line(line)[first / 64..];
        let shift = first % 64;
        // Two shifts, because a shift by 64 is not valid.
        let here = words[0] >> shift | words[1] << 1 << (63 - shift);
        let next = words[1] >> shift | words.get(2).map_or(0, |word| word << 1 << (63 - shift));
        [here, here >> 1 | next << 63, here >> 2 | next << 62]
    }

    /// Returns the number of lines, including the border.
    pub(crate) fn lines(&self) -> usize {
        self.words.len() / self.row_words
    }

    pub(crate) fn word_mut(&mut self, line: usize, word: usize) -> &mut u64 {
        &mut self.words[line * self.row_words + word]
    }

    /// Returns the first set bit of a line past a place. There must be one.
    #[inline]
    pub(crate) fn next_set(&self, line: usize, past: usize, words: &mut u64) -> usize {
        let mut index = line * self.row_words + past / 64;
        // Two shifts, because a shift by 64 is not valid.
        let mut word = self.words[index] & (!0 << (past % 64) << 1);
        while word == 0 {
            index += 1;
            *words += 1;
            word = self.words[index];
        }
        (index - line * self.row_words) * 64 + word.trailing_zeros() as usize
    }

    /// Returns the last set bit of a line before a place. There must be one.
    #[inline]
    pub(crate) fn previous_set(&self, line: usize, before: usize, words: &mut u64) -> usize {
        let mut index = line * self.row_words + before / 64;
        let mut word = self.words[index] & ((1 << (before % 64)) - 1);
        while word == 0 {
            index -= 1;
            *words += 1;
            word = self.words[index];
        }
        (index - line * self.row_words) * 64 + 63 - word.leading_zeros() as usize
    }

    #[inline]
    pub(crate) fn get(&self, x: u32, y: u32) -> bool {
        self.is_set(y as usize + 1, x as usize + 1)
    }

    /// Returns a bit of a line. Line and place are counted with the border.
    #[inline]
    pub(crate) fn is_set(&self, line: usize, place: usize) -> bool {
        self.words[line * self.row_words + place / 64] >> (place % 64) & 1 == 1
    }

    #[inline]
    pub(crate) fn set(&mut self, x: u32, y: u32, value: bool) {
        let bit = x as usize + 1;
        let word = &mut self.words[(y as usize + 1) * self.row_words + bit / 64];
        *word = *word & !(1 << (bit % 64)) | u64::from(value) << (bit % 64);
    }

    /// Copies a part of another grid's bits, with columns and rows exchanged.
    pub(crate) fn exchange_from(&mut self, other: &Self, columns: Range<u32>, rows: Range<u32>) {
        for x in columns {
            for first in rows.clone().step_by(64) {
                let count = (rows.end - first).min(64);
                let taken = (first..first + count).rev();
                let taken = taken.fold(0, |bits, y| bits << 1 | u64::from(other.get(x, y)));
                let turned = (taken ^ self.bits(first, x)) & u64::MAX >> (64 - count);
                self.turn(first, x, turned);
            }
        }
    }

    /// Inverts cells of a row. Bit n of `cells` is column `x + n`.
    pub(crate) fn turn(&mut self, x: u32, y: u32, cells: u64) {
        let bit = x as usize + 1;
        let index = (y as usize + 1) * self.row_words + bit / 64;
        self.words[index] ^= cells << (bit % 64);
        // Two shifts, because a shift by 64 is not valid.
        self.words[index + 1] ^= cells >> 1 >> (63 - bit % 64);
    }

    /// Inverts a range of cells of a row.
    pub(crate) fn turn_run(&mut self, columns: Range<u32>, y: u32) {
        for first in columns.clone().step_by(64) {
            let count = (columns.end - first).min(64);
            self.turn(first, y, u64::MAX >> (64 - count));
        }
    }

    /// Returns 64 bits of a row, the lowest for column x. Bits past the last column are zeros.
    #[inline]
    pub(crate) fn bits(&self, x: u32, y: u32) -> u64 {
        let bit = x as usize + 1;
        let index = (y as usize + 1) * self.row_words + bit / 64;
        // Two shifts, because a shift by 64 is not valid.
        self.words[index] >> (bit % 64) | self.words[index + 1] << 1 << (63 - bit % 64)
    }
}

/// Packs up to 64 items into bits, the first item into the lowest bit.
fn pack<T>(items: &[T], is_set: impl Fn(&T) -> bool) -> u64 {
    items.iter().rev().fold(0, |word, item| word << 1 | u64::from(is_set(item)))
}

/// Clears the bits of a line outside a row of this width.
fn clear_border(words: &mut [u64], width: u32) {
    words[0] &= !1;
    let past = width as usize + 1;
    words[past / 64] &= (1 << (past % 64)) - 1;
    words[past / 64 + 1..].fill(0);
}

/// Transposes 64 × 64 bits by exchanging smaller and smaller blocks.
pub(crate) fn transpose(block: &mut [u64; 64]) {
    let mut size = 32;
    let mut mask = u64::from(u32::MAX);
    while size > 0 {
        for row in (0..64).filter(|row| row & size == 0) {
            let exchanged = (block[row] >> size ^ block[row + size]) & mask;
            block[row] ^= exchanged << size;
            block[row + size] ^= exchanged;
        }
        size /= 2;
        mask ^= mask << size;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bits_from_rows_and_their_transpose_are_those_set_one_by_one() {
        for (width, height) in [(0, 3), (1, 1), (62, 2), (63, 65), (64, 64), (65, 63), (200, 130)] {
            let items: Vec<u32> =
                (0..width * height).map(|item: u32| item.wrapping_mul(2_654_435_761) >> 29).collect();
            let bits = BitGrid::from_rows(width, height, &items, |&item| item < 3);
            let mut expected = BitGrid::new(width, height);
            let mut transposed = BitGrid::new(height, width);
            for y in 0..height {
                for x in 0..width {
                    let is_set = items[(y * width + x) as usize] < 3;
                    expected.set(x, y, is_set);
                    transposed.set(y, x, is_set);
                }
            }
            assert_eq!(bits, expected, "{width} × {height}");
            let all = BitGrid::from_rows(width, height, &items, |_| true);
            assert_eq!(BitGrid::filled(width, height), all, "{width} × {height} filled");
            assert_eq!(bits.transposed(width, height), transposed, "{width} × {height} transposed");
        }
    }

    #[test]
    fn run_of_bits_is_turned_as_one_by_one() {
        for (first, past) in [(0, 0), (0, 1), (3, 67), (62, 63), (63, 64), (0, 200), (5, 199), (130, 200)] {
            let mut bits = BitGrid::new(200, 3);
            bits.set(64, 1, true);
            let mut expected = bits.clone();
            bits.turn_run(first..past, 1);
            (first..past).for_each(|x| expected.set(x, 1, !expected.get(x, 1)));
            assert_eq!(bits, expected, "{first}..{past}");
        }
    }

    #[test]
    fn moved_bits_are_those_set_one_by_one() {
        let (width, height) = (70, 5);
        let items: Vec<u32> =
            (0..width * height).map(|item: u32| item.wrapping_mul(2_654_435_761) >> 29).collect();
        let bits = BitGrid::from_rows(width, height, &items, |&item| item < 3);
        for (new_width, new_height) in
            [(70, 5), (0, 3), (1, 9), (62, 5), (63, 4), (64, 7), (134, 5), (200, 1)]
        {
            for (columns, rows) in [(0, 0), (64, 0), (-64, 2), (3, -1), (-1, 1), (-70, 0), (500, 9)] {
                let mut expected = BitGrid::new(new_width, new_height);
                for y in 0..height {
                    for x in 0..width {
                        let (to_x, to_y) = (i64::from(x) + columns, i64::from(y) + rows);
                        let is_inside = (0..i64::from(new_width)).contains(&to_x)
                            && (0..i64::from(new_height)).contains(&to_y);
                        if is_inside && bits.get(x, y) {
                            expected.set(to_x as u32, to_y as u32, true);
                        }
                    }
                }
                let moved = bits.moved(new_width, new_height, columns, rows);
                assert_eq!(moved, expected, "{new_width} × {new_height} by {columns}, {rows}");
            }
        }
    }
}

//! One bit a cell, packed 64 to a word, with a border of zeros all round.

/// A rectangle of bits with a border of zeros one cell wide, so that the neighbourhood of every cell can be read
/// without a look at the bounds.
///
/// Bit `x + 1` of row `y + 1` belongs to column x, row y. Each row ends with a spare word, so that three bits that
/// straddle two words can always be read from both.
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

    #[inline]
    pub(crate) fn get(&self, x: u32, y: u32) -> bool {
        let bit = x as usize + 1;
        self.words[(y as usize + 1) * self.row_words + bit / 64] >> (bit % 64) & 1 == 1
    }

    #[inline]
    pub(crate) fn set(&mut self, x: u32, y: u32, value: bool) {
        let bit = x as usize + 1;
        let word = &mut self.words[(y as usize + 1) * self.row_words + bit / 64];
        *word = *word & !(1 << (bit % 64)) | u64::from(value) << (bit % 64);
    }

    /// The nine bits around a cell: bit `3 * row + column`, row and column counted from the lower left of the block.
    #[inline]
    pub(crate) fn neighbourhood(&self, x: u32, y: u32) -> usize {
        let (word, shift) = (x as usize / 64, x % 64);
        let lowest = y as usize * self.row_words + word;
        let three = |row: usize| {
            let index = lowest + row * self.row_words;
            // Two shifts, because a shift by 64 is not a shift.
            ((self.words[index] >> shift | self.words[index + 1] << 1 << (63 - shift)) & 7) as usize
        };
        three(0) | three(1) << 3 | three(2) << 6
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neighbourhood_is_right_at_word_borders_and_map_edges() {
        let (width, height) = (131, 4);
        let open = |x: i64, y: i64| {
            (0..i64::from(width)).contains(&x)
                && (0..i64::from(height)).contains(&y)
                && (x * 7 + y * 3) % 5 < 3
        };
        let mut bits = BitGrid::new(width, height);
        for y in 0..height {
            for x in 0..width {
                bits.set(x, y, open(x.into(), y.into()));
            }
        }
        for y in 0..height {
            for x in 0..width {
                assert_eq!(bits.get(x, y), open(x.into(), y.into()));
                let mut expected = 0;
                for row in 0..3 {
                    for column in 0..3 {
                        let here = open(i64::from(x) + column - 1, i64::from(y) + row - 1);
                        expected |= usize::from(here) << (row * 3 + column);
                    }
                }
                assert_eq!(bits.neighbourhood(x, y), expected, "at {x}, {y}");
            }
        }
    }
}

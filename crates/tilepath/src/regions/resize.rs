//! Regions of a map that grows or shrinks.

use super::{Regions, SIDE, chunk::Chunk, patch::Edited};
use crate::bounds::Bounds;

impl Regions {
    /// The regions for a map that now covers other bounds. What is labelled in chunks stays as far as their cells and their
    /// borders are those of before; the other chunks are marked.
    ///
    /// `None` where the chunks of the new map do not lie on those of the old one, because its lowest column or row moved by other
    /// than a multiple of 64.
    ///
    /// # Complexity
    /// O(chunks).
    pub(crate) fn resized(mut self, from: &Bounds, to: &Bounds) -> Option<Self> {
        let columns_moved = chunks_moved(from.origin().x, to.origin().x)?;
        let rows_moved = chunks_moved(from.origin().y, to.origin().y)?;
        let columns = to.width().div_ceil(SIDE) as usize;
        let rows = to.height().div_ceil(SIDE) as usize;
        let mut chunks: Vec<Chunk> = (0..columns * rows).map(|_| Chunk::marked()).collect();
        for (index, chunk) in self.chunks.drain(..).enumerate() {
            let (column, row) = (index % self.columns, index / self.columns);
            let (new_column, new_row) = (column as i64 + columns_moved, row as i64 + rows_moved);
            let is_kept = chunk.edited == Edited::Nothing
                && is_same((column as i64, self.width), (new_column, to.width()))
                && is_same((row as i64, self.height), (new_row, to.height()));
            if is_kept {
                chunks[new_row as usize * columns + new_column as usize] = chunk;
            }
        }
        let marked = (0..).zip(&chunks).filter(|(_, chunk)| chunk.edited != Edited::Nothing);
        self.edited = marked.map(|(index, _)| index).collect();
        (self.width, self.height, self.columns, self.chunks) = (to.width(), to.height(), columns, chunks);
        self.must_join = true;
        Some(self)
    }
}

/// How many chunks further on the same cell lies.
fn chunks_moved(from: i32, to: i32) -> Option<i64> {
    let moved = i64::from(from) - i64::from(to);
    (moved % i64::from(SIDE) == 0).then_some(moved / i64::from(SIDE))
}

/// Whether two chunks, told by their place along a side of this many cells, hold as many of them and have the same neighbours.
fn is_same((chunk, length): (i64, u32), (other, other_length): (i64, u32)) -> bool {
    let shape = |chunk: i64, length: u32| {
        let left = i64::from(length) - chunk * i64::from(SIDE);
        (chunk > 0, left > i64::from(SIDE), left.min(i64::from(SIDE)))
    };
    other >= 0
        && other * i64::from(SIDE) < i64::from(other_length)
        && shape(chunk, length) == shape(other, other_length)
}

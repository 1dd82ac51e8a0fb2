//! Regions of a map that grows or shrinks.

use super::{Regions, SIDE, chunk::Chunk, patch::Edited};
use crate::{bounds::Bounds, size::Size};

impl Regions {
    /// Returns the regions for a map that now covers other bounds. Labels stay if the cells and
    /// borders of their chunk are unchanged; all other chunks are marked.
    ///
    /// Whether a cell is open depends on the cell itself. For larger units it also depends on the
    /// next columns and rows, up to `size`.
    ///
    /// Returns `None` if the chunks of the new map do not lie on chunks of the old one. This is so
    /// if its lowest column or row moved by a number of cells that is not a multiple of 64.
    ///
    /// # Complexity
    /// O(chunks).
    pub(crate) fn resized(mut self, from: &Bounds, to: &Bounds, size: Size) -> Option<Self> {
        let [columns_moved, rows_moved] = chunks_moved(from, to)?;
        let ahead = i64::from(size.side()) - 1;
        let columns = to.width().div_ceil(SIDE) as usize;
        let rows = to.height().div_ceil(SIDE) as usize;
        let mut chunks: Vec<Chunk> = (0..columns * rows).map(|_| Chunk::marked()).collect();
        for (index, chunk) in self.chunks.drain(..).enumerate() {
            let (column, row) = (index % self.columns, index / self.columns);
            let (new_column, new_row) = (column as i64 + columns_moved, row as i64 + rows_moved);
            let is_kept = chunk.edited == Edited::Nothing
                && is_same((column as i64, self.width), (new_column, to.width()), ahead)
                && is_same((row as i64, self.height), (new_row, to.height()), ahead);
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

/// Returns by how many chunks a cell moves, to the east and to the north.
fn chunks_moved(from: &Bounds, to: &Bounds) -> Option<[i64; 2]> {
    let (shift, side) = (from.shift(to), i64::from(SIDE));
    shift.iter().all(|cells| cells % side == 0).then(|| shift.map(|cells| cells / side))
}

/// Returns about how many chunks a resize labels: all of them, or those around the cells that
/// changed.
pub(crate) fn chunks_to_label(from: &Bounds, to: &Bounds) -> u64 {
    let chunks = |bounds: &Bounds| {
        let [columns, rows] =
            [bounds.width(), bounds.height()].map(|length| u64::from(length.div_ceil(SIDE)));
        columns * rows
    };
    let kept = chunks_moved(from, to).map_or(0, |_| chunks(&from.undisturbed(to, SIDE, SIDE)));
    chunks(to).saturating_sub(kept)
}

/// Returns whether two chunks have the same shape and the same neighbours. A chunk is given by its
/// place along a side of `length` cells; only cells with `ahead` more cells in front count.
fn is_same((chunk, length): (i64, u32), (other, other_length): (i64, u32), ahead: i64) -> bool {
    let shape = |chunk: i64, length: u32| {
        let left = i64::from(length) - chunk * i64::from(SIDE);
        (chunk > 0, left > i64::from(SIDE), (left - ahead).min(i64::from(SIDE)))
    };
    other >= 0
        && other * i64::from(SIDE) < i64::from(other_length)
        && shape(chunk, length) == shape(other, other_length)
}

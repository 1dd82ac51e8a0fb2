//! One-time preprocessing of a map, charged to the first sliced search that needs it.
//!
//! Decision: `docs/decisions/04-counted-work.md`.

use crate::{
    bounds::Bounds,
    regions::{SIDE, chunks_to_label},
};
use std::sync::atomic::{AtomicU64, Ordering};

/// Cells whose movement map is made and labelled for one unit of work.
const CELLS_SEEN: u64 = 16;
/// Cells whose jump point lines are made for one unit of work.
const CELLS_LINED: u64 = 32;
/// Units of work that an edit adds to the next query if it opens or closes a cell.
const EDIT_WORK: u64 = 64;

/// The preprocessing that the next searches of one movement must pay for, in units of work.
///
/// It depends only on the edits and on the searches begun. Other queries may do the same
/// preprocessing, but they may run on another thread or on only one of several machines in
/// lockstep. So they do not count.
#[derive(Debug)]
pub(crate) struct DeferredWork {
    looked: AtomicU64,
    lines: AtomicU64,
    /// The upper limit of `looked`: the work of examining the whole map again.
    most: u64,
}

impl DeferredWork {
    /// Returns the work for a movement that has not been queried yet, on a map of this many cells.
    pub(crate) const fn new(cell_count: usize) -> Self {
        let cells = cell_count as u64;
        let looked = cells / CELLS_SEEN;
        Self { looked: AtomicU64::new(looked), lines: AtomicU64::new(cells / CELLS_LINED), most: looked }
    }

    /// Adds the work for one cell that opened or closed.
    pub(crate) fn follow_edit(&mut self) {
        let looked = self.looked.get_mut();
        *looked = (*looked + EDIT_WORK).min(self.most);
    }

    /// Adds the work for cells that opened or closed together: the next query examines each chunk
    /// of the regions once.
    pub(crate) fn follow_edits(&mut self, cells: impl Iterator<Item = (u32, u32)>) {
        let mut last = None;
        for chunk in cells.map(|(x, y)| (x / SIDE, y / SIDE)) {
            if last.replace(chunk) != Some(chunk) {
                self.follow_edit();
            }
        }
    }

    /// Adds the work after the map grew or shrank: new parts are examined for the first time, and
    /// all jump point lines are made again.
    pub(crate) fn follow_resize(&mut self, before: &Bounds, after: &Bounds) {
        let most = Self::new(after.cell_count());
        let labelled = chunks_to_label(before, after) * u64::from(SIDE * SIDE) / CELLS_SEEN;
        let looked = (*self.looked.get_mut() + labelled).min(most.most);
        *self = Self { looked: AtomicU64::new(looked), ..most };
    }

    /// Returns the work that a search beginning now must pay for, and clears it.
    pub(crate) fn take(&self, takes_jump_points: bool) -> u64 {
        let due = |is_due: bool, work: &AtomicU64| if is_due { work.swap(0, Ordering::Relaxed) } else { 0 };
        due(takes_jump_points, &self.lines) + due(true, &self.looked)
    }
}

impl Clone for DeferredWork {
    fn clone(&self) -> Self {
        let copied = |due: &AtomicU64| AtomicU64::new(due.load(Ordering::Relaxed));
        Self { looked: copied(&self.looked), lines: copied(&self.lines), most: self.most }
    }
}

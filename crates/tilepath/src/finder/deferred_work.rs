//! What is found out of a map once for all searches, and put on the bill of the first that runs in slices.

use crate::{
    bounds::Bounds,
    regions::{SIDE, chunks_to_label},
};
use std::sync::atomic::{AtomicU64, Ordering};

/// Cells whose movement map is made and labelled in the time of a unit of work.
const CELLS_SEEN: u64 = 16;
/// Cells whose lines for jump points are made in that time.
const CELLS_LINED: u64 = 32;
/// Cells of which it is found in that time what they cost at least on a lattice.
const CELLS_COMPARED: u64 = 16;
/// Units of work for what an edit that opens or closes a cell leaves to the next question.
const EDIT_WORK: u64 = 64;

/// What searches by one movement owe for what the map has had to be looked at as a whole for.
///
/// It depends on the edits and on the searches begun, and not on what else was asked, which finds out the same: that may be
/// another thread's business, or that of one of several machines that play the same game.
#[derive(Debug)]
pub(crate) struct DeferredWork {
    looked: AtomicU64,
    lines: AtomicU64,
    lattice: AtomicU64,
    /// No number of edits makes more work than to look at everything again.
    most: u64,
}

impl DeferredWork {
    /// Of a movement by which nothing was asked yet, on a map of this many cells.
    pub(crate) const fn new(cell_count: usize) -> Self {
        let cells = cell_count as u64;
        let looked = cells / CELLS_SEEN;
        Self {
            looked: AtomicU64::new(looked),
            lines: AtomicU64::new(cells / CELLS_LINED),
            lattice: AtomicU64::new(cells / CELLS_COMPARED),
            most: looked,
        }
    }

    /// A cell opened or closed.
    pub(crate) fn follow_edit(&mut self) {
        let looked = self.looked.get_mut();
        *looked = (*looked + EDIT_WORK).min(self.most);
    }

    /// Cells opened or closed at once, at these places: the next question looks once at each chunk of the regions.
    pub(crate) fn follow_edits(&mut self, cells: impl Iterator<Item = (u32, u32)>) {
        let mut last = None;
        for chunk in cells.map(|(x, y)| (x / SIDE, y / SIDE)) {
            if last.replace(chunk) != Some(chunk) {
                self.follow_edit();
            }
        }
    }

    /// The map has grown or shrunk: what is new is looked at for the first time, and all lines for jump points are made again.
    pub(crate) fn follow_resize(&mut self, before: &Bounds, after: &Bounds) {
        let most = Self::new(after.cell_count());
        let labelled = chunks_to_label(before, after) * u64::from(SIDE * SIDE) / CELLS_SEEN;
        let looked = (*self.looked.get_mut() + labelled).min(most.most);
        *self = Self { looked: AtomicU64::new(looked), ..most };
    }

    /// What a search has to pay that begins now.
    pub(crate) fn take(&self, takes_jump_points: bool, asks_lattice: bool) -> u64 {
        let due = |is_due: bool, work: &AtomicU64| if is_due { work.swap(0, Ordering::Relaxed) } else { 0 };
        due(takes_jump_points, &self.lines) + due(asks_lattice, &self.lattice) + due(true, &self.looked)
    }
}

impl Clone for DeferredWork {
    fn clone(&self) -> Self {
        let copied = |due: &AtomicU64| AtomicU64::new(due.load(Ordering::Relaxed));
        Self {
            looked: copied(&self.looked),
            lines: copied(&self.lines),
            lattice: copied(&self.lattice),
            most: self.most,
        }
    }
}

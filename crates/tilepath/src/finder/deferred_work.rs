//! One-time preprocessing of a map, charged to the first sliced search that needs it.
//!
//! Decision: `docs/decisions/04-counted-work.md`.

use crate::{
    bounds::Bounds,
    movement::Movement,
    movement_map::{area::Area, near_samples::Windows, plane},
    regions::{SIDE, chunks_to_label},
};
use std::sync::atomic::{AtomicU16, AtomicU64, Ordering};

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
    /// The windows whose samples for the automatic choice no search has paid for, a bit each.
    samples: AtomicU16,
    windows: Windows,
    /// The upper limit of `looked`: the work of examining the whole map again.
    most: u64,
}

impl DeferredWork {
    /// Returns the work for a movement that has not been queried yet.
    pub(crate) const fn new(bounds: &Bounds) -> Self {
        let cells = bounds.cell_count() as u64;
        let looked = cells / CELLS_SEEN;
        Self {
            looked: AtomicU64::new(looked),
            lines: AtomicU64::new(cells / CELLS_LINED),
            samples: AtomicU16::new(u16::MAX),
            windows: Windows::of(bounds),
            most: looked,
        }
    }

    /// Adds the work for one cell that opened or closed for a movement.
    pub(crate) fn follow_edit(&mut self, movement: &Movement, cell: (u32, u32)) {
        self.add_edit();
        self.add_samples(movement, cell);
    }

    fn add_edit(&mut self) {
        let looked = self.looked.get_mut();
        *looked = (*looked + EDIT_WORK).min(self.most);
    }

    /// Adds the samples of the windows in which anchors may have opened or closed.
    fn add_samples(&mut self, movement: &Movement, (x, y): (u32, u32)) {
        let samples = self.samples.get_mut();
        if *samples != u16::MAX {
            *samples |= self.windows.touched(&plane::covering(movement, &Area::of_cell(x, y)));
        }
    }

    /// Adds the work for cells that opened or closed together: the next query examines each chunk
    /// of the regions once.
    pub(crate) fn follow_edits(&mut self, movement: &Movement, cells: impl Iterator<Item = (u32, u32)>) {
        let mut last = None;
        for (x, y) in cells {
            let chunk = (x / SIDE, y / SIDE);
            if last.replace(chunk) != Some(chunk) {
                self.add_edit();
            }
            self.add_samples(movement, (x, y));
        }
    }

    /// Adds the work after the map grew or shrank: new parts are examined for the first time, and
    /// all jump point lines and samples are made again.
    pub(crate) fn follow_resize(&mut self, before: &Bounds, after: &Bounds) {
        let most = Self::new(after);
        let labelled = chunks_to_label(before, after) * u64::from(SIDE * SIDE) / CELLS_SEEN;
        let looked = (*self.looked.get_mut() + labelled).min(most.most);
        *self = Self { looked: AtomicU64::new(looked), ..most };
    }

    /// Returns the windows whose samples a search beginning now must pay for, and clears them.
    pub(crate) fn take_samples(&self) -> u16 {
        self.samples.swap(0, Ordering::Relaxed)
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
        Self {
            looked: copied(&self.looked),
            lines: copied(&self.lines),
            samples: AtomicU16::new(self.samples.load(Ordering::Relaxed)),
            windows: self.windows,
            most: self.most,
        }
    }
}

//! A journal of edited cells, for data derived from a map.

use crate::{
    bounds::{Bounds, overlap::Difference},
    cell::Cell,
};
use std::{
    collections::{VecDeque, vec_deque::Iter},
    fmt,
    iter::Zip,
};

/// The number of the state of a map. Every edit that changes a cell raises the number by one.
///
/// Revisions of different maps cannot be compared.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Debug)]
pub struct Revision(u64);

impl Revision {
    /// The revision of a new map.
    pub const FIRST: Self = Self(0);

    /// Returns the number of edits up to this state.
    pub(crate) const fn number(self) -> u64 {
        self.0
    }

    /// Returns the next state.
    pub(crate) fn next(self) -> Self {
        Self(self.0 + 1)
    }

    /// Returns the number of edits from an earlier state to this one, or `None` if `earlier` is
    /// later.
    pub(crate) fn edits_since(self, earlier: Self) -> Option<u64> {
        self.0.checked_sub(earlier.0)
    }
}

impl fmt::Display for Revision {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(formatter)
    }
}

/// The part of an edit that the present state of its cell does not show.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Change {
    /// The class changed. The value is the old class.
    Class(u8),
    /// A cell became part of the map, exits opened, or the map was resized.
    Opened,
    /// A cell became void, or exits closed.
    Closed,
    /// The value of an overlay fell.
    OverlayFell,
    /// The value of an overlay rose.
    OverlayRose,
    /// A cell lost sides that were named edges.
    EdgesWent,
    /// A cell got sides that are named edges, and lost none.
    EdgesCame,
}

/// The slots of the last edits, oldest first, one entry for each revision.
#[derive(Clone, Debug, Default)]
pub(crate) struct Journal {
    /// The slots, with [`RESIZED`] for a resize. Slots before it belong to the rectangle before the
    /// resize.
    slots: VecDeque<u32>,
    /// The change of each slot.
    changes: VecDeque<Change>,
    /// The rectangle before each resize, oldest first.
    former: VecDeque<Bounds>,
    capacity: usize,
}

/// A value instead of a slot, larger than the slots of any map.
const RESIZED: u32 = u32::MAX;

impl Journal {
    /// Makes a journal of at most an eighth of the map. After more edits, it is cheaper to read the
    /// whole map again.
    pub(crate) fn for_cells(cell_count: usize) -> Self {
        Self { capacity: cell_count / 8, ..Self::default() }
    }

    pub(crate) fn record(&mut self, slot: usize, change: Change) {
        self.push(slot as u32, change);
    }

    /// Records that the map was resized and now has `cell_count` cells.
    pub(crate) fn record_resize(&mut self, before: Bounds, cell_count: usize) {
        self.capacity = cell_count / 8;
        self.former.push_back(before);
        self.push(RESIZED, Change::Opened);
        while self.slots.len() > self.capacity {
            self.forget_oldest();
        }
    }

    fn push(&mut self, entry: u32, change: Change) {
        if self.slots.len() == self.capacity {
            self.forget_oldest();
        }
        self.slots.push_back(entry);
        self.changes.push_back(change);
        if self.capacity == 0 {
            self.forget_oldest();
        }
    }

    fn forget_oldest(&mut self) {
        self.changes.pop_front();
        if self.slots.pop_front() == Some(RESIZED) {
            self.former.pop_front();
        }
    }

    /// Returns the cells of the last `edits` edits, on a map with bounds `now`. For a resize these
    /// are the cells added or removed. Returns `None` if the journal does not reach back that far.
    pub(crate) fn last(&self, edits: u64, now: Bounds) -> Option<Edits<'_>> {
        let edits = usize::try_from(edits).ok()?;
        let first = self.slots.len().checked_sub(edits)?;
        let slots = self.slots.range(first..);
        let is_resize = |&&entry: &&u32| entry == RESIZED;
        let resizes = if self.former.is_empty() { 0 } else { slots.clone().filter(is_resize).count() };
        let mut later = self.former.range(self.former.len() - resizes..);
        let bounds = later.next().copied().unwrap_or(now);
        Some(Edits { entries: slots.zip(self.changes.range(first..)), later, now, bounds, moved: None })
    }
}

/// The cells of edits, oldest first, with their changes.
#[derive(Clone, Debug)]
pub(crate) struct Edits<'a> {
    entries: Zip<Iter<'a, u32>, Iter<'a, Change>>,
    /// The rectangles between the resizes that follow.
    later: Iter<'a, Bounds>,
    now: Bounds,
    /// The rectangle at the time of the next entry.
    bounds: Bounds,
    /// The cells of the last resize that are still to return.
    moved: Option<(Difference, Change)>,
}

impl Iterator for Edits<'_> {
    type Item = (Cell, Change);

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        loop {
            if let Some((cells, change)) = &mut self.moved {
                if let Some(cell) = cells.next() {
                    return Some((cell, *change));
                }
                self.moved = None;
            }
            let (&entry, &change) = self.entries.next()?;
            if entry == RESIZED {
                let after = self.later.next().copied().unwrap_or(self.now);
                self.moved = Some((self.bounds.difference(&after), change));
                self.bounds = after;
            } else if let Some(cell) = self.bounds.cell(entry as usize) {
                return Some((cell, change));
            }
        }
    }
}

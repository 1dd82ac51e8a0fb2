//! Which cells were edited, for readers that keep something derived from a map.

use crate::{
    bounds::{Bounds, overlap::Difference},
    cell::Cell,
};
use std::{
    collections::{VecDeque, vec_deque::Iter},
    fmt,
    iter::Zip,
};

/// The number of a map's state: every edit that changes a cell raises it by one.
///
/// Revisions of different maps say nothing about each other.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Debug)]
pub struct Revision(u64);

impl Revision {
    /// How many edits led here.
    pub(crate) const fn number(self) -> u64 {
        self.0
    }

    /// The next state.
    pub(crate) fn next(self) -> Self {
        Self(self.0 + 1)
    }

    /// How many edits lie between an earlier state and this one; `None` where `earlier` is the later one.
    pub(crate) fn edits_since(self, earlier: Self) -> Option<u64> {
        self.0.checked_sub(earlier.0)
    }
}

impl fmt::Display for Revision {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(formatter)
    }
}

/// What an edit did to a cell, as far as the cell as it is now does not tell.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Change {
    /// It has another class. This was the one before.
    Class(u8),
    /// It became a cell of the map, exits of it were opened, or the map has grown or shrunk.
    Opened,
    /// It is void now, or exits of it were closed.
    Closed,
    /// The value of an overlay fell.
    OverlayFell,
    /// The value of an overlay rose.
    OverlayRose,
}

/// The slots of the last edits, oldest first, one entry per revision.
#[derive(Clone, Debug, Default)]
pub(crate) struct Journal {
    /// [`RESIZED`] where the map has grown or shrunk: slots before that are those of the rectangle of then.
    slots: VecDeque<u32>,
    /// What was done there.
    changes: VecDeque<Change>,
    /// The rectangle before each of these, oldest first.
    former: VecDeque<Bounds>,
    capacity: usize,
}

/// In the place of a slot: larger than the slots of any map.
const RESIZED: u32 = u32::MAX;

impl Journal {
    /// A journal of at most an eighth of the map: past that, reading the whole map is the cheaper way to catch up.
    pub(crate) fn for_cells(cell_count: usize) -> Self {
        Self { capacity: cell_count / 8, ..Self::default() }
    }

    pub(crate) fn record(&mut self, slot: usize, change: Change) {
        self.push(slot as u32, change);
    }

    /// The map has grown or shrunk, and has this many cells now.
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

    /// The cells of the last edits, this many of them, on a map that covers these bounds now; or `None` where the journal does
    /// not reach back that far. Where it has grown or shrunk, the cells that came or went.
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

/// The cells of edits, oldest first, with what was done there.
#[derive(Clone, Debug)]
pub(crate) struct Edits<'a> {
    entries: Zip<Iter<'a, u32>, Iter<'a, Change>>,
    /// The rectangles between resizes that are still to come.
    later: Iter<'a, Bounds>,
    now: Bounds,
    /// The rectangle at the time of the next entry.
    bounds: Bounds,
    /// The rest of the cells that came or went with the last resize.
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

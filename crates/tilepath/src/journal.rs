//! Which cells were edited, for readers that keep something derived from a map.

use std::{collections::VecDeque, fmt};

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

/// The slots of the last edits, oldest first, one entry per revision.
#[derive(Clone, Debug, Default)]
pub(crate) struct Journal {
    slots: VecDeque<u32>,
    capacity: usize,
}

impl Journal {
    /// A journal of at most an eighth of the map: past that, reading the whole map is the cheaper way to catch up.
    pub(crate) fn for_cells(cell_count: usize) -> Self {
        Self { slots: VecDeque::new(), capacity: cell_count / 8 }
    }

    pub(crate) fn record(&mut self, slot: usize) {
        if self.capacity == 0 {
            return;
        }
        if self.slots.len() == self.capacity {
            self.slots.pop_front();
        }
        self.slots.push_back(slot as u32);
    }

    /// The slots of the last edits, this many of them, or `None` where the journal does not reach back that far.
    pub(crate) fn last(&self, edits: u64) -> Option<impl Iterator<Item = usize> + '_> {
        let edits = usize::try_from(edits).ok()?;
        let skipped = self.slots.len().checked_sub(edits)?;
        Some(self.slots.iter().skip(skipped).map(|&slot| slot as usize))
    }
}

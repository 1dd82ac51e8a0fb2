//! Which state of a map, or of a door, it is.

use std::sync::atomic::{AtomicU64, Ordering};

use tilepath::Revision;

/// One state of a map, of a door, or of all doors: what was found by it holds as long as it stays the same.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Version {
    state: u64,
    /// What was edited of a grid since it came into that state.
    revision: Revision,
}

impl Version {
    /// Another one than all before.
    pub(crate) fn next() -> Self {
        Self { state: next_number(), ..Self::default() }
    }

    /// The same state, after these edits.
    pub(crate) fn with_revision(self, revision: Revision) -> Self {
        Self { revision, ..self }
    }

    /// The revision from which edits alone lead to a later version, if they do.
    pub(crate) fn revision_before(self, later: Self) -> Option<Revision> {
        (self.state == later.state).then_some(self.revision)
    }
}

/// A number that nothing else has, so that nothing new is taken for something known.
pub(crate) fn next_number() -> u64 {
    static LAST: AtomicU64 = AtomicU64::new(0);
    LAST.fetch_add(1, Ordering::Relaxed) + 1
}

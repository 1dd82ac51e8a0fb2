//! Versions of maps and doors.

use std::sync::atomic::{AtomicU64, Ordering};

use tilepath::Revision;

/// One state of a map, of a door, or of all doors. A path that was found in it is valid while it
/// stays the same.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Version {
    state: u64,
    /// The edits of a grid since this state began.
    revision: Revision,
}

/// Versions are written as whether they were the present one: their numbers mean nothing in another
/// run.
#[cfg(feature = "serde")]
impl serde::Serialize for Version {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_bool(*self == Self::PRESENT)
    }
}

#[cfg(feature = "serde")]
impl<'de> serde::Deserialize<'de> for Version {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        bool::deserialize(deserializer)
            .map(|is_present| if is_present { Self::PRESENT } else { Self::default() })
    }
}

impl Version {
    /// Stands for the present version in a [`TilepathState`](crate::TilepathState).
    pub(crate) const PRESENT: Self = Self { state: u64::MAX, revision: Revision::FIRST };

    /// Returns a version that differs from all before.
    pub(crate) fn next() -> Self {
        Self { state: next_number(), ..Self::default() }
    }

    /// Returns the same state after these edits.
    pub(crate) fn with_revision(self, revision: Revision) -> Self {
        Self { revision, ..self }
    }

    /// Returns the revision from which edits alone lead to a later version, if they do.
    pub(crate) fn revision_before(self, later: Self) -> Option<Revision> {
        (self.state == later.state).then_some(self.revision)
    }
}

/// Returns a number that nothing else has, so that nothing new looks like something known.
pub(crate) fn next_number() -> u64 {
    static LAST: AtomicU64 = AtomicU64::new(0);
    LAST.fetch_add(1, Ordering::Relaxed) + 1
}

//! Slices of a search for places.

use crate::finder::outcome::QueryError;

/// The work of one slice.
pub(super) struct Slice {
    left: u64,
    done: u64,
}

/// The reason why a slice ends before the answer.
pub(super) enum Stop {
    /// The work of the slice is done. The search goes on in the next slice.
    Later,
    Failed(QueryError),
}

impl From<QueryError> for Stop {
    fn from(error: QueryError) -> Self {
        Self::Failed(error)
    }
}

impl Slice {
    pub(super) const fn new(budget: u64) -> Self {
        Self { left: budget, done: 0 }
    }

    pub(super) const fn left(&self) -> u64 {
        self.left
    }

    pub(super) const fn done(&self) -> u64 {
        self.done
    }

    /// Counts work that was done.
    pub(super) const fn spend(&mut self, work: u64) {
        self.left = self.left.saturating_sub(work);
        self.done = self.done.saturating_add(work);
    }

    /// Returns an error if nothing is left of the slice. Call it before each piece of work.
    pub(super) const fn check(&self) -> Result<(), Stop> {
        if self.left == 0 { Err(Stop::Later) } else { Ok(()) }
    }
}

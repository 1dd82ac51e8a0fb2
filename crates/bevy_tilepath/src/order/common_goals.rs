//! Numbers for goals that several orders share.

use std::sync::Arc;

/// A number shared by all routes to the same goals on one map with one movement. It is valid while
/// one of these routes exists.
#[derive(Debug, Clone)]
pub(crate) struct CommonGoals {
    number: u32,
    alive: Arc<()>,
}

impl CommonGoals {
    pub(crate) fn new(number: u32) -> Self {
        Self { number, alive: Arc::new(()) }
    }

    /// Returns the number, small and counted from 0, so that it can index a table.
    pub(crate) fn number(&self) -> usize {
        self.number as usize
    }

    /// Returns whether a route holds the number, besides the table that gave it.
    pub(crate) fn is_held(&self) -> bool {
        Arc::strong_count(&self.alive) > 1
    }
}

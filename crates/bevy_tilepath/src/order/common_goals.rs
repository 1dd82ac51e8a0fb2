//! Goals that several orders have at once, by a number.

use std::sync::Arc;

/// What routes to the same goals have in common, on one map and by one movement: a number, as long as one of them is there.
#[derive(Debug, Clone)]
pub(crate) struct CommonGoals {
    number: u32,
    alive: Arc<()>,
}

impl CommonGoals {
    pub(crate) fn new(number: u32) -> Self {
        Self { number, alive: Arc::new(()) }
    }

    /// Small, from 0, so that tables can be kept by it.
    pub(crate) fn number(&self) -> usize {
        self.number as usize
    }

    /// Whether a route has it, besides the table that gave the number.
    pub(crate) fn is_held(&self) -> bool {
        Arc::strong_count(&self.alive) > 1
    }
}

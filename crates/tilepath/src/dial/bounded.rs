//! Dijkstra's order up to a largest cost.

use crate::{cost::Cost, search::Heuristic};

/// Knows nothing of goals and drops every node that costs more than the budget.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bounded {
    pub(crate) budget: Cost,
}

impl<N> Heuristic<N, Cost> for Bounded {
    #[inline]
    fn estimate(&self, _: N) -> Cost {
        Cost::ZERO
    }

    #[inline]
    fn priority(&self, g: Cost, _: N) -> Option<Cost> {
        (g <= self.budget).then_some(g)
    }
}

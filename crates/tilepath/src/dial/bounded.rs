//! Dijkstra's order up to a largest cost.

use crate::{
    cost::Cost,
    search::{ByPriority, Strategy},
};

/// The order of Dijkstra's algorithm without goals. It drops every node that costs more than the
/// budget.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bounded {
    pub(crate) budget: Cost,
}

impl<N> Strategy<N, Cost> for Bounded {
    type Order = ByPriority;
    type Priority = Cost;

    #[inline]
    fn priority(&self, g: Cost, _: N) -> Option<Cost> {
        (g <= self.budget).then_some(g)
    }

    #[inline]
    fn cost_of(priority: Cost) -> Option<Cost> {
        Some(priority)
    }
}

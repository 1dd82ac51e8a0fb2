//! The expanded cell that is closest to the goal.

pub(crate) mod cost_limit;
pub(crate) mod target;
pub(crate) mod ties;

use self::{cost_limit::CostLimit, ties::Ties};
use crate::{
    cost::Cost,
    search::Heuristic,
    space::{grid::GridNode, octile_distance::OctileDistance},
};

/// Keeps the expanded cell closest to the goal, if it is wanted: the smallest
/// distance, then the smallest cost, then the smallest slot.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Closest {
    metric: OctileDistance,
    is_wanted: bool,
    /// The key of the best cell, in the order of comparison. Packed nodes compare as their slots
    /// do.
    best: (Cost, Cost, u32),
    node: GridNode,
    ties: Option<Ties>,
    cost_limit: Option<CostLimit>,
}

impl Closest {
    /// Makes an observer. With `ties`, the search is for the best of these cells. Otherwise the
    /// closest cell is kept if it is wanted.
    pub(crate) fn new(
        metric: OctileDistance,
        start: GridNode,
        is_wanted: bool,
        ties: Option<Ties>,
        cost_limit: Option<CostLimit>,
    ) -> Self {
        let best = (metric.estimate(start), Cost::ZERO, start.packed());
        let is_wanted = is_wanted || ties.is_some() || cost_limit.is_some();
        Self { metric, is_wanted, best, node: start, ties, cost_limit }
    }

    /// Returns whether the search may end at a cost.
    pub(crate) const fn has_cost_limit(&self) -> bool {
        self.cost_limit.is_some()
    }

    /// Returns whether all paths are known to cost more than the query's limit.
    pub(crate) fn is_past_cost_limit(&self) -> bool {
        self.cost_limit.is_some_and(CostLimit::is_passed)
    }

    /// Returns whether the search is for the best of several closest cells.
    pub(crate) const fn has_ties(&self) -> bool {
        self.ties.is_some()
    }

    /// Returns whether one of the closest cells was reached.
    pub(crate) fn has_found(&self) -> bool {
        self.ties.is_some_and(Ties::has_found)
    }

    /// Returns whether no cell that is not expanded yet can be better.
    pub(crate) fn is_settled(&self) -> bool {
        self.ties.is_some_and(Ties::is_settled)
    }

    /// Returns the closest cell and its cost. Before the first expansion this is the start.
    pub(crate) fn best(&self) -> (GridNode, Cost) {
        (self.node, self.best.1)
    }
}

impl Closest {
    /// Compares an expanded cell with the best so far, if it is wanted. `rank` returns the priority
    /// with which the cell waited in the open list.
    #[inline]
    pub(crate) fn observe(&mut self, node: GridNode, g: Cost, rank: impl Fn() -> u64) {
        if self.is_wanted {
            self.follow(node, g, rank);
        }
    }

    fn follow(&mut self, node: GridNode, g: Cost, rank: impl Fn() -> u64) {
        if self.cost_limit.as_mut().is_some_and(|limit| limit.follow(rank())) {
            return;
        }
        let candidate = (self.metric.estimate(node), g, node.packed());
        if candidate < self.best {
            self.best = candidate;
            self.node = node;
        }
        if let Some(ties) = &mut self.ties {
            ties.follow(candidate, self.best, rank);
        }
    }
}

//! Which of the cells reached is closest to the goal.

use crate::{
    cost::Cost,
    heuristic::{Heuristic, OctileDistance},
    search::Observer,
    space::grid::GridNode,
};

/// Remembers the last cell expanded, and, where it is wanted, the one closest to the goal: smallest distance, then
/// smallest cost, then smallest slot.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Closest {
    metric: OctileDistance,
    is_wanted: bool,
    /// Ordered as the rule says: packed nodes compare as their slots do.
    best: (Cost, Cost, u32),
    node: GridNode,
}

impl Closest {
    pub(crate) fn new(metric: OctileDistance, start: GridNode, is_wanted: bool) -> Self {
        Self { metric, is_wanted, best: (metric.estimate(start), Cost::ZERO, start.packed()), node: start }
    }

    /// The closest cell and what it costs to get there. The start, before anything was expanded.
    pub(crate) fn best(&self) -> (GridNode, Cost) {
        (self.node, self.best.1)
    }
}

impl Observer<GridNode, Cost> for Closest {
    #[inline]
    fn expanded(&mut self, node: GridNode, g: Cost) {
        if !self.is_wanted {
            return;
        }
        let candidate = (self.metric.estimate(node), g, node.packed());
        if candidate < self.best {
            self.best = candidate;
            self.node = node;
        }
    }
}

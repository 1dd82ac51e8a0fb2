//! Repairs of the costs of a field after edits.

use crate::{
    cost::Cost,
    dial::{
        dial_queue::DialQueue,
        reversed::{FieldNode, ReversedGrid},
        values::FieldValues,
    },
    search::{OpenList, SearchSpace},
    space::grid::GridNode,
};

/// A repair of a field whose map was edited.
pub(crate) struct Repair<'a> {
    /// The map as it is now.
    pub(crate) space: ReversedGrid<'a>,
    pub(crate) values: &'a mut FieldValues,
    /// The open list of the search that made the field. Its entries are at least `settled_to`.
    pub(crate) frontier: &'a mut DialQueue<FieldNode>,
    /// The upper limit of final costs.
    pub(crate) settled_to: Cost,
    /// An empty queue for costs of any range.
    pub(crate) queue: &'a mut DialQueue<GridNode>,
    /// The goals that are open now, in slot order.
    pub(crate) goals: &'a [GridNode],
    /// The most cells without support before the repair gives up.
    pub(crate) most_invalid: usize,
    /// The most work before the repair gives up.
    pub(crate) most_cells: u64,
    /// The work so far: costs dropped plus cells expanded again.
    pub(crate) cells: u64,
}

/// The result of a repair.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Repaired {
    /// The costs up to `settled_to` are equal to the costs of a new field.
    Done {
        /// The largest cost of a cell expanded again.
        farthest: Cost,
    },
    /// Too many cells lost their support or became cheaper, or a cost was too large. The costs are
    /// now invalid.
    GaveUp,
}

impl Repair<'_> {
    /// Repairs the costs after the given cells have changed.
    ///
    /// An edit changes the steps into a cell, the steps out of it, and the diagonal steps past it.
    /// All these steps begin on the cell or on a cell that touches it.
    ///
    /// First, all costs that no step supports any more are dropped, in the order of the old costs.
    /// So each cell is judged after all cells that may support it. The costs left are costs of
    /// paths that still exist.
    ///
    /// Then the dropped cells and the cells near the edits get the best cost that their neighbours
    /// offer. Cells that became cheaper are expanded again in the order of cost.
    ///
    /// # Complexity
    /// O(cells whose cost changes), times the logarithm if the queue is a heap.
    ///
    /// # Source
    /// After Ramalingam and Reps, "An incremental algorithm for a generalization of the
    /// shortest-path problem", Journal of Algorithms 21, 1996. Here all edits are repaired at once,
    /// and only up to the settled cost.
    pub(crate) fn run(&mut self, edited: &[GridNode]) -> Repaired {
        let Some(mut stale) = self.drop_unsupported(edited) else {
            return Repaired::GaveUp;
        };
        for &cell in edited {
            stale.push(cell);
            stale.extend(self.space.around(cell).map(|(_, node)| node));
        }
        let Some(seeds) = self.offers(stale) else {
            return Repaired::GaveUp;
        };
        for (node, cost) in seeds {
            self.improve(node, cost);
        }
        self.expand_again()
    }

    fn cost(&self, node: GridNode) -> Option<Cost> {
        self.values.cost(self.space.slot(node))
    }

    fn is_goal(&self, node: GridNode) -> bool {
        self.goals.binary_search_by_key(&node.packed(), |goal| goal.packed()).is_ok()
    }

    /// Drops every cost that no step supports any more. Returns the open cells among them, or
    /// `None` if they are too many.
    fn drop_unsupported(&mut self, edited: &[GridNode]) -> Option<Vec<GridNode>> {
        for &cell in edited {
            if !self.space.is_passable(cell) {
                self.values.forget(self.space.slot(cell));
            }
        }
        for &cell in edited {
            for node in std::iter::once(cell).chain(self.space.around(cell).map(|(_, node)| node)) {
                if let Some(cost) = self.cost(node) {
                    self.queue.push(cost, node);
                }
            }
        }
        let mut dropped = Vec::new();
        while let Some((cost, node)) = self.queue.pop() {
            // A candidate may be in the queue more than once.
            if self.cost(node) != Some(cost) || self.is_supported(node, cost) {
                continue;
            }
            if dropped.len() == self.most_invalid || self.cells == self.most_cells {
                return None;
            }
            self.cells += 1;
            self.values.forget(self.space.slot(node));
            dropped.push(node);
            // Queues the neighbours whose best step led here. If an edit changed or closed that
            // step, the neighbour is in the queue already.
            for (direction, neighbour) in self.space.around(node) {
                let step = self.space.step_cost(neighbour, direction.opposite(), node);
                let through = cost.checked_add(step);
                if let Some(through) = through
                    && self.cost(neighbour) == Some(through)
                {
                    self.queue.push(through, neighbour);
                }
            }
        }
        Some(dropped)
    }

    /// Returns whether a path with the known cost of a cell still exists. All cheaper cells must
    /// have been judged before.
    fn is_supported(&self, node: GridNode, cost: Cost) -> bool {
        if cost == Cost::ZERO {
            return self.is_goal(node);
        }
        self.space.steps_from(node).any(|(_, entered, step)| {
            self.cost(entered).and_then(|rest| rest.checked_add(step)).is_some_and(|through| through <= cost)
        })
    }

    fn offers(&self, cells: Vec<GridNode>) -> Option<Vec<(GridNode, Cost)>> {
        // Costs that are not settled wait in the frontier and are offered later.
        let settled = |node| self.cost(node).filter(|&rest| rest <= self.settled_to);
        best_offers(&self.space, settled, |node| self.is_goal(node), cells.into_iter())
    }

    /// Sets a cost if it is better than the known one.
    #[inline]
    fn improve(&mut self, node: GridNode, cost: Cost) {
        let slot = self.space.slot(node);
        if self.values.cost(slot).is_none_or(|known| cost < known) {
            self.values.set(slot, cost);
            self.queue.push(cost, node);
        }
    }

    /// Expands the cells that became cheaper, up to the settled cost. The others join the frontier.
    fn expand_again(&mut self) -> Repaired {
        let mut farthest = Cost::ZERO;
        let mut has_overflowed = false;
        while let Some((cost, node)) = self.queue.pop() {
            if self.cost(node) != Some(cost) {
                continue;
            }
            if cost > self.settled_to {
                self.frontier.push(cost, node.into());
                continue;
            }
            if self.cells == self.most_cells {
                return Repaired::GaveUp;
            }
            self.cells += 1;
            farthest = cost;
            let grid = self.space;
            let offer = |neighbour: FieldNode, step, _| match stated_sum(cost, step) {
                Some(through) => self.improve(neighbour.node, through),
                None => has_overflowed = true,
            };
            grid.expand(node.into(), None, offer);
        }
        if has_overflowed {
            return Repaired::GaveUp;
        }
        self.renew_frontier();
        Repaired::Done { farthest }
    }

    /// Leaves one entry for each waiting cell, and drops the directions of arrival. Edits may have
    /// closed the path that allowed to leave out directions.
    fn renew_frontier(&mut self) {
        let mut waiting = Vec::new();
        while let Some((cost, FieldNode { node, .. })) = self.frontier.pop() {
            if self.cost(node) == Some(cost) {
                waiting.push((cost, node.packed()));
            }
        }
        waiting.sort_unstable();
        waiting.dedup();
        for (cost, packed) in waiting {
            self.frontier.push(cost, GridNode::from_packed(packed).into());
        }
    }
}

/// Returns the best cost that settled neighbours offer to each open cell. Returns `None` if a cost
/// is too large.
///
/// All offers are computed before the first of them is used. So two offers differ by at most the
/// range of costs in the field plus one step.
pub(crate) fn best_offers(
    space: &ReversedGrid<'_>,
    settled: impl Fn(GridNode) -> Option<Cost>,
    is_goal: impl Fn(GridNode) -> bool,
    cells: impl Iterator<Item = GridNode>,
) -> Option<Vec<(GridNode, Cost)>> {
    let mut offers = Vec::new();
    for node in cells.filter(|&node| space.is_passable(node)) {
        let mut best = is_goal(node).then_some(Cost::ZERO);
        for (_, entered, step) in space.steps_from(node) {
            if let Some(rest) = settled(entered) {
                let through = stated_sum(rest, step)?;
                best = Some(best.map_or(through, |best| best.min(through)));
            }
        }
        offers.extend(best.map(|best| (node, best)));
    }
    Some(offers)
}

/// Returns the sum, if a field can keep it.
fn stated_sum(rest: Cost, step: Cost) -> Option<Cost> {
    rest.checked_add(step).filter(|&sum| sum < Cost::MAX)
}

//! Starts that are opened while a search is under way, at costs of their own.

use super::{
    Search,
    open_list::{BinaryHeapQueue, ByPriority, OpenList},
    records::NodeRecords,
    step::Problem,
};
use crate::search::{space::SearchSpace, strategy::Strategy};

impl<N: Copy + PartialEq, R: NodeRecords> Search<N, R, BinaryHeapQueue<N, R::Cost>> {
    /// Opens one more start at a cost of its own, unless a way there that costs no more is known. Says whether it did.
    ///
    /// Costs stay final as nodes are expanded as long as no start comes in below
    /// [`next_priority`](Self::next_priority).
    pub(crate) fn enter<S, A, G>(&mut self, problem: &Problem<'_, S, A, G>, start: N, cost: R::Cost) -> bool
    where
        S: SearchSpace<Node = N, Cost = R::Cost, Link = R::Link, Records = R>,
        A: Strategy<N, R::Cost, Order = ByPriority>,
    {
        let key = problem.space.key(start);
        if self.records.knows(key, cost) {
            return false;
        }
        let Some(priority) = problem.strategy.priority(cost, start) else {
            self.has_overflowed = true;
            return false;
        };
        self.records.open(key, cost, None);
        self.open.push(priority, start);
        self.generated += 1;
        self.is_done = false;
        true
    }

    /// The priority of the node that is expanded next; `None` where none waits. Entries that are out of date are dropped.
    pub(crate) fn next_priority<S>(&mut self, space: &S) -> Option<R::Cost>
    where
        S: SearchSpace<Node = N, Cost = R::Cost, Link = R::Link, Records = R>,
    {
        loop {
            let (priority, node) = self.open.first()?;
            let is_out_of_date = self.records.get(space.key(node)).is_none_or(|record| record.is_closed);
            if !is_out_of_date {
                return Some(priority);
            }
            self.open.drop_first();
        }
    }
}

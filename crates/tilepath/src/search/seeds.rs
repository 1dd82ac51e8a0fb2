//! Starts that are added to a running search, each at its own cost.

use super::{
    Search,
    open_list::{BinaryHeapQueue, ByPriority, OpenList},
    records::NodeRecords,
    step::Problem,
};
use crate::search::{space::SearchSpace, strategy::Strategy};

impl<N: Copy + PartialEq, R: NodeRecords> Search<N, R, BinaryHeapQueue<N, R::Cost>> {
    /// Opens one more start at a given cost, if no path of at most this cost is known. Returns true
    /// if it was opened.
    ///
    /// Expanded nodes keep their final costs if no start has a cost below
    /// [`next_priority`](Self::next_priority).
    pub(crate) fn enter<S, A, G>(&mut self, problem: &Problem<'_, S, A, G>, start: N, cost: R::Cost) -> bool
    where
        S: SearchSpace<Node = N, Cost = R::Cost, Link = R::Link, Records = R>,
        A: Strategy<N, R::Cost, Order = ByPriority, Priority = R::Cost>,
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

    /// Returns the priority of the next node to be expanded; `None` if the open list is empty. It
    /// drops outdated entries.
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

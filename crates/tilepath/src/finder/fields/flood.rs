//! A search from a unit in the order of cost.

use crate::{
    dial::dial_queue::{DialQueue, QueueKind},
    finder::scratch::{PooledScratch, ScratchPool},
    search::Search,
    space::grid::{GridNode, GridRecords},
};
use std::{mem, sync::Arc};

/// Dijkstra's algorithm over the cells of a map.
pub(crate) type FloodSearch = Search<GridNode, GridRecords, DialQueue<GridNode>>;

/// A search that spreads from a unit. Its memory comes from a pool and goes back when it is
/// dropped.
#[derive(Clone, Debug)]
pub(crate) struct Flood {
    pub(crate) search: FloodSearch,
    spare: PooledScratch,
}

impl Flood {
    /// Makes a search that has not begun, for a map on which no step costs more than
    /// `max_step_cost`.
    pub(crate) fn new(pool: &Arc<ScratchPool>, max_step_cost: u32) -> Self {
        let mut spare = pool.take();
        let queue = match QueueKind::for_few(max_step_cost) {
            QueueKind::Heap => DialQueue::Heap(mem::take(&mut spare.heap)),
            _ => DialQueue::Buckets(mem::take(&mut spare.buckets)),
        };
        let search = Search::from_parts(mem::take(&mut spare.records), queue);
        Self { search, spare }
    }
}

impl Drop for Flood {
    fn drop(&mut self) {
        let scratch = &mut self.spare;
        let nothing = Search::from_parts(GridRecords::default(), DialQueue::default());
        let (records, queue) = mem::replace(&mut self.search, nothing).into_parts();
        scratch.records = records;
        match queue {
            DialQueue::Buckets(buckets) => scratch.buckets = buckets,
            DialQueue::Heap(heap) => scratch.heap = heap,
            DialQueue::Stacks(_) => {}
        }
    }
}

//! The memory of searches, kept for the next one.

use crate::{
    cost::Cost,
    dial::spread::SpreadRecords,
    finder::near::PortalScratch,
    jump_point::records::JumpRecords,
    search::{BinaryHeapQueue, BucketQueue, FifoQueue, LifoQueue, holding_queue::HoldingQueue},
    space::grid::{GridNode, GridRecords},
};
use std::sync::{Mutex, PoisonError};

/// What one search needs at a time: records and an open list, of each kind.
#[derive(Default, Debug)]
pub(crate) struct Scratch {
    pub(crate) records: GridRecords,
    pub(crate) buckets: BucketQueue<GridNode>,
    pub(crate) holding: HoldingQueue<GridNode>,
    pub(crate) heap: BinaryHeapQueue<GridNode, Cost>,
    pub(crate) fifo: FifoQueue<GridNode, Cost>,
    pub(crate) lifo: LifoQueue<GridNode, Cost>,
    pub(crate) spread: SpreadRecords,
    pub(crate) jump_records: JumpRecords,
    /// Of its own, because jumps make its ring longer than steps would.
    pub(crate) jump_queue: BucketQueue<GridNode>,
    pub(crate) portals: PortalScratch,
}

/// Scratch that is not in use. As much is kept as was ever in use at once, up to a bound.
#[derive(Default)]
pub(crate) struct ScratchPool {
    idle: Mutex<Vec<Scratch>>,
}

/// Past this many searches at once the memory of the others is given back when they end.
const KEPT: usize = 16;

impl ScratchPool {
    pub(crate) fn take(&self) -> Scratch {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner).pop().unwrap_or_default()
    }

    pub(crate) fn give_back(&self, scratch: Scratch) {
        let mut idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner);
        if idle.len() < KEPT {
            idle.push(scratch);
        }
    }
}

impl std::fmt::Debug for ScratchPool {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("ScratchPool").finish_non_exhaustive()
    }
}

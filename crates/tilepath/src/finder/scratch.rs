//! The memory of searches, kept for the next one.

use crate::{
    cost::Cost,
    dial::spread::SpreadRecords,
    finder::near::PortalScratch,
    jump_point::records::JumpRecords,
    search::{BinaryHeapQueue, BucketQueue, FifoQueue, LifoQueue, holding_queue::HoldingQueue},
    space::{
        grid::{GridNode, GridRecords},
        lattice_distance::LatticeSearch,
    },
};
use std::{
    ops::{Deref, DerefMut},
    sync::{Arc, Mutex, PoisonError},
};

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
    pub(crate) lattice: LatticeSearch,
}

/// Scratch that is not in use. As much is kept as was ever in use at once, up to a bound.
#[derive(Default)]
pub(crate) struct ScratchPool {
    /// Boxed, because a short search takes as long as to move some of them.
    #[expect(clippy::vec_box, reason = "moved with each search")]
    idle: Mutex<Vec<Box<Scratch>>>,
}

/// Past this many searches at once the memory of the others is given back when they end.
const KEPT: usize = 16;

impl ScratchPool {
    pub(crate) fn take(self: &Arc<Self>) -> PooledScratch {
        let idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner).pop();
        PooledScratch { scratch: Some(idle.unwrap_or_default()), pool: Arc::clone(self) }
    }

    fn give_back(&self, scratch: Box<Scratch>) {
        let mut idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner);
        if idle.len() < KEPT {
            idle.push(scratch);
        }
    }
}

/// Scratch in use. It goes back to its pool when this is dropped; what was taken out of it must be in it again by then.
#[derive(Debug)]
pub(crate) struct PooledScratch {
    /// Always there until the end.
    scratch: Option<Box<Scratch>>,
    pool: Arc<ScratchPool>,
}

impl PooledScratch {
    /// Gives it to another pool.
    pub(crate) fn give_to(mut self, pool: &Arc<ScratchPool>) {
        self.pool = Arc::clone(pool);
    }
}

const IN_USE: &str = "scratch goes back to its pool when it is dropped, and no sooner";

impl Deref for PooledScratch {
    type Target = Scratch;

    fn deref(&self) -> &Scratch {
        self.scratch.as_ref().expect(IN_USE)
    }
}

impl DerefMut for PooledScratch {
    fn deref_mut(&mut self) -> &mut Scratch {
        self.scratch.as_mut().expect(IN_USE)
    }
}

impl Drop for PooledScratch {
    fn drop(&mut self) {
        if let Some(scratch) = self.scratch.take() {
            self.pool.give_back(scratch);
        }
    }
}

impl std::fmt::Debug for ScratchPool {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("ScratchPool").finish_non_exhaustive()
    }
}

//! The memory of searches, kept for later searches.

use crate::{
    cost::Cost,
    dial::spread::SpreadRecords,
    jump_point::records::JumpRecords,
    search::{BinaryHeapQueue, BucketQueue, FifoQueue, LifoQueue, holding_queue::HoldingQueue},
    space::grid::{GridNode, GridRecords},
};
use std::{
    mem,
    ops::{Deref, DerefMut},
    sync::{Arc, Mutex, PoisonError},
};

/// The memory of one search: records and an open list, of each kind.
#[derive(Default, Debug)]
pub(crate) struct Scratch {
    pub(crate) records: GridRecords,
    pub(crate) buckets: BucketQueue<GridNode>,
    pub(crate) holding: HoldingQueue<GridNode>,
    pub(crate) heap: BinaryHeapQueue<GridNode, Cost>,
    pub(crate) weighted: BinaryHeapQueue<GridNode, u64>,
    pub(crate) fifo: FifoQueue<GridNode, Cost>,
    pub(crate) lifo: LifoQueue<GridNode, Cost>,
    pub(crate) spread: SpreadRecords,
    pub(crate) jump_records: JumpRecords,
    /// A separate queue, because jumps make its ring longer than steps do.
    pub(crate) jump_queue: BucketQueue<GridNode>,
    is_lone: bool,
}

/// The scratch memory that is not in use. It keeps as many as were ever in use at once, up to
/// `KEPT`.
#[derive(Default)]
pub(crate) struct ScratchPool {
    idle: Mutex<Idle>,
}

#[derive(Default)]
struct Idle {
    /// The scratch memory for the case that one search runs at once. It takes more memory than the
    /// others to save time. There is only one of this kind.
    lone: Option<Box<Scratch>>,
    has_made_lone: bool,
    /// Boxed, because moving some of them takes as long as a short search.
    #[expect(clippy::vec_box, reason = "moved with each search")]
    others: Vec<Box<Scratch>>,
}

/// The most scratch memories that are kept; more are freed when their searches end.
const KEPT: usize = 16;

impl Idle {
    fn take(&mut self) -> Box<Scratch> {
        self.lone.take().or_else(|| self.others.pop()).unwrap_or_else(|| {
            if mem::replace(&mut self.has_made_lone, true) {
                return Box::default();
            }
            let jump_records = JumpRecords::keeping_pages();
            Box::new(Scratch { is_lone: true, jump_records, ..Scratch::default() })
        })
    }

    fn put(&mut self, scratch: Box<Scratch>) {
        if scratch.is_lone {
            self.lone = Some(scratch);
        } else if self.others.len() < KEPT {
            self.others.push(scratch);
        }
    }
}

impl ScratchPool {
    pub(crate) fn take(self: &Arc<Self>) -> PooledScratch {
        let scratch = self.idle.lock().unwrap_or_else(PoisonError::into_inner).take();
        PooledScratch { scratch: Some(scratch), pool: Arc::clone(self) }
    }

    fn give_back(&self, scratch: Box<Scratch>) {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner).put(scratch);
    }
}

/// Scratch memory in use. It returns to its pool when dropped. Parts that were taken out must be
/// put back before.
#[derive(Debug)]
pub(crate) struct PooledScratch {
    /// The scratch memory; `None` only while it is dropped.
    scratch: Option<Box<Scratch>>,
    pool: Arc<ScratchPool>,
}

impl Clone for PooledScratch {
    /// Takes other memory from the pool: a clone shares none.
    fn clone(&self) -> Self {
        self.pool.take()
    }
}

const IN_USE: &str = "scratch memory returns to its pool only when it is dropped";

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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pool_has_one_scratch_memory_for_a_lone_search_and_gives_it_out_first() {
        let pool = Arc::new(ScratchPool::default());
        let taken: Vec<PooledScratch> = (0..3).map(|_| pool.take()).collect();
        assert_eq!(taken.iter().map(|scratch| scratch.is_lone).collect::<Vec<_>>(), [true, false, false]);
        drop(taken);
        for _ in 0..3 {
            assert!(pool.take().is_lone);
        }
    }
}

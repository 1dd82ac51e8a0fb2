//! The open list of Dial's algorithm.

use crate::{
    cost::Cost,
    dial::bucket_stacks::BucketStacks,
    search::{BinaryHeapQueue, BucketQueue, OpenList},
};

/// A queue of buckets, or a heap if costs lie so far apart that buckets would take too much memory.
/// All kinds return equal costs in the same order.
#[derive(Clone, Debug)]
pub(crate) enum DialQueue<N> {
    Stacks(BucketStacks<N>),
    Buckets(BucketQueue<N>),
    Heap(BinaryHeapQueue<N, Cost>),
}

/// The kind of queue, chosen by the largest difference (span) between waiting costs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum QueueKind {
    Stacks,
    Buckets,
    Heap,
}

/// The limit of stacks in a field: 24 bytes each, so at most 100 KB.
const MOST_STACKS: u32 = 1 << 12;

impl QueueKind {
    /// Returns the kind for a search that spreads in all directions.
    pub(crate) const fn for_span(span: u32) -> Self {
        if span < MOST_STACKS { Self::Stacks } else { Self::for_few(span) }
    }

    /// Returns the kind if few cells wait at each cost.
    pub(crate) const fn for_few(span: u32) -> Self {
        if span < BucketQueue::<()>::WIDEST { Self::Buckets } else { Self::Heap }
    }
}

impl<N> DialQueue<N> {
    /// Makes an empty queue.
    pub(crate) fn new(kind: QueueKind) -> Self {
        match kind {
            QueueKind::Stacks => Self::Stacks(BucketStacks::default()),
            QueueKind::Buckets => Self::Buckets(BucketQueue::default()),
            QueueKind::Heap => Self::Heap(BinaryHeapQueue::default()),
        }
    }
}

impl<N> Default for DialQueue<N> {
    fn default() -> Self {
        Self::new(QueueKind::Buckets)
    }
}

impl<N: Copy> OpenList<N, Cost> for DialQueue<N> {
    #[expect(clippy::inline_always, reason = "a call costs a tenth of a whole search")]
    #[inline(always)]
    fn push(&mut self, priority: Cost, node: N) {
        match self {
            Self::Stacks(queue) => queue.push(priority, node),
            Self::Buckets(queue) => queue.push(priority, node),
            Self::Heap(queue) => queue.push(priority, node),
        }
    }

    #[expect(clippy::inline_always, reason = "a call costs a tenth of a whole search")]
    #[inline(always)]
    fn pop(&mut self) -> Option<(Cost, N)> {
        match self {
            Self::Stacks(queue) => queue.pop(),
            Self::Buckets(queue) => queue.pop(),
            Self::Heap(queue) => queue.pop(),
        }
    }

    fn clear(&mut self) {
        match self {
            Self::Stacks(queue) => queue.clear(),
            Self::Buckets(queue) => OpenList::<N, Cost>::clear(queue),
            Self::Heap(queue) => queue.clear(),
        }
    }
}

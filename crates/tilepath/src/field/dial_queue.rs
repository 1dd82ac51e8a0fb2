//! The open list of Dial's algorithm.

use crate::{
    cost::Cost,
    search::{BinaryHeapQueue, BucketQueue, OpenList},
};

/// Buckets, or a heap where costs lie so far apart that buckets would fill the memory. Both take equal costs in the
/// same order.
#[derive(Debug)]
pub(crate) enum DialQueue<N> {
    Buckets(BucketQueue<N>),
    Heap(BinaryHeapQueue<N, Cost>),
}

impl<N> DialQueue<N> {
    /// An empty queue for costs of which those that wait lie no further apart than `span`.
    pub(crate) fn for_span(span: u32) -> Self {
        if fits_buckets(span) {
            Self::Buckets(BucketQueue::default())
        } else {
            Self::Heap(BinaryHeapQueue::default())
        }
    }
}

/// Whether buckets are taken for costs of which those that wait lie no further apart than this.
pub(crate) const fn fits_buckets(span: u32) -> bool {
    span < BucketQueue::<()>::WIDEST
}

impl<N> Default for DialQueue<N> {
    fn default() -> Self {
        Self::for_span(0)
    }
}

impl<N: Copy> OpenList<N, Cost> for DialQueue<N> {
    #[inline]
    fn push(&mut self, priority: Cost, node: N) {
        match self {
            Self::Buckets(queue) => queue.push(priority, node),
            Self::Heap(queue) => queue.push(priority, node),
        }
    }

    #[inline]
    fn pop(&mut self) -> Option<(Cost, N)> {
        match self {
            Self::Buckets(queue) => queue.pop(),
            Self::Heap(queue) => queue.pop(),
        }
    }

    fn clear(&mut self) {
        match self {
            Self::Buckets(queue) => OpenList::<N, Cost>::clear(queue),
            Self::Heap(queue) => queue.clear(),
        }
    }
}

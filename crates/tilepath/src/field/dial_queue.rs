//! The open list of Dial's algorithm.

use crate::{
    cost::Cost,
    search::{BinaryHeapQueue, BucketQueue, OpenList},
    space::grid::GridNode,
};

/// Buckets, or a heap where costs lie so far apart that buckets would fill the memory. Both take equal costs in the
/// same order.
#[derive(Debug)]
pub(crate) enum DialQueue {
    Buckets(BucketQueue<GridNode>),
    Heap(BinaryHeapQueue<GridNode, Cost>),
}

impl DialQueue {
    /// The widest range of waiting costs for which buckets are taken: a quarter of a mebibyte.
    pub(crate) const MAX_SPAN: u32 = 1 << 16;

    /// An empty queue for costs of which those that wait lie no further apart than `span`.
    pub(crate) fn for_span(span: u32) -> Self {
        if Self::has_buckets(span) {
            Self::Buckets(BucketQueue::default())
        } else {
            Self::Heap(BinaryHeapQueue::default())
        }
    }

    pub(crate) const fn has_buckets(span: u32) -> bool {
        span < Self::MAX_SPAN
    }
}

impl Default for DialQueue {
    fn default() -> Self {
        Self::for_span(0)
    }
}

impl OpenList<GridNode, Cost> for DialQueue {
    #[inline]
    fn push(&mut self, priority: Cost, g: Cost, node: GridNode) {
        match self {
            Self::Buckets(queue) => queue.push(priority, g, node),
            Self::Heap(queue) => queue.push(priority, g, node),
        }
    }

    #[inline]
    fn pop(&mut self) -> Option<(GridNode, Cost)> {
        match self {
            Self::Buckets(queue) => queue.pop(),
            Self::Heap(queue) => queue.pop(),
        }
    }

    fn clear(&mut self) {
        match self {
            Self::Buckets(queue) => OpenList::<GridNode, Cost>::clear(queue),
            Self::Heap(queue) => queue.clear(),
        }
    }
}

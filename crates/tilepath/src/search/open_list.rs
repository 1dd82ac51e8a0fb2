//! Open lists: the nodes that wait to be expanded.

use crate::search::strategy::{BreadthFirst, DepthFirst};
use std::{
    cmp::Ordering,
    collections::{BinaryHeap, VecDeque},
};

/// The order by priority: the node with the smallest priority comes first. Of nodes with equal
/// priority, the node that was added last comes first.
#[derive(Clone, Copy, Default, Debug)]
pub struct ByPriority;

/// The nodes that wait to be expanded, in the order of an algorithm.
///
/// # Contract
/// Nodes come out in the order `O`. [`ByPriority`] is the order of priorities. [`BreadthFirst`] is
/// first in, first out, and [`DepthFirst`] is last in, first out; both ignore priorities.
pub trait OpenList<N, P, O = ByPriority> {
    /// Adds a node with this priority. The node may be in the list already.
    fn push(&mut self, priority: P, node: N);

    /// Removes the first node in the order `O`, and returns it with its priority.
    fn pop(&mut self) -> Option<(P, N)>;

    /// Removes all nodes and keeps the memory.
    fn clear(&mut self);
}

/// An open list in a binary heap. It accepts all priorities, in any order.
///
/// # Complexity
/// O(log n) for push and pop.
#[derive(Clone, Debug)]
pub struct BinaryHeapQueue<N, P> {
    heap: BinaryHeap<HeapEntry<N, P>>,
    pushed: u64,
}

impl<N, P: PartialOrd> Default for BinaryHeapQueue<N, P> {
    fn default() -> Self {
        Self { heap: BinaryHeap::new(), pushed: 0 }
    }
}

impl<N, P: PartialOrd> OpenList<N, P> for BinaryHeapQueue<N, P> {
    #[inline]
    fn push(&mut self, priority: P, node: N) {
        self.pushed += 1;
        self.heap.push(HeapEntry { priority, number: self.pushed, node });
    }

    #[inline]
    fn pop(&mut self) -> Option<(P, N)> {
        self.heap.pop().map(|entry| (entry.priority, entry.node))
    }

    fn clear(&mut self) {
        self.heap.clear();
        self.pushed = 0;
    }
}

impl<N: Copy, P: Copy + PartialOrd> BinaryHeapQueue<N, P> {
    /// Returns the node that comes out next.
    pub(crate) fn first(&self) -> Option<(P, N)> {
        self.heap.peek().map(|entry| (entry.priority, entry.node))
    }

    pub(crate) fn drop_first(&mut self) {
        self.heap.pop();
    }
}

#[derive(Clone, Debug)]
struct HeapEntry<N, P> {
    priority: P,
    /// The number of the push, so that the later of two equal entries comes out first.
    number: u64,
    node: N,
}

impl<N, P: PartialOrd> Ord for HeapEntry<N, P> {
    fn cmp(&self, other: &Self) -> Ordering {
        // The heap returns its greatest entry, so a smaller priority must be the greater entry.
        // Priorities have a total order by the contract of `Strategy`.
        other
            .priority
            .partial_cmp(&self.priority)
            .unwrap_or(Ordering::Equal)
            .then(self.number.cmp(&other.number))
    }
}

impl<N, P: PartialOrd> PartialOrd for HeapEntry<N, P> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl<N, P: PartialOrd> PartialEq for HeapEntry<N, P> {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl<N, P: PartialOrd> Eq for HeapEntry<N, P> {}

/// An open list for breadth-first search: first in, first out. It ignores priorities.
///
/// # Complexity
/// O(1).
#[derive(Clone, Debug)]
pub struct FifoQueue<N, P> {
    entries: VecDeque<(P, N)>,
}

impl<N, P> Default for FifoQueue<N, P> {
    fn default() -> Self {
        Self { entries: VecDeque::new() }
    }
}

impl<N, P> OpenList<N, P, BreadthFirst> for FifoQueue<N, P> {
    #[inline]
    fn push(&mut self, priority: P, node: N) {
        self.entries.push_back((priority, node));
    }

    #[inline]
    fn pop(&mut self) -> Option<(P, N)> {
        self.entries.pop_front()
    }

    fn clear(&mut self) {
        self.entries.clear();
    }
}

/// An open list for depth-first search: last in, first out. It ignores priorities.
///
/// # Complexity
/// O(1).
#[derive(Clone, Debug)]
pub struct LifoQueue<N, P> {
    entries: Vec<(P, N)>,
}

impl<N, P> Default for LifoQueue<N, P> {
    fn default() -> Self {
        Self { entries: Vec::new() }
    }
}

impl<N, P> OpenList<N, P, DepthFirst> for LifoQueue<N, P> {
    #[inline]
    fn push(&mut self, priority: P, node: N) {
        self.entries.push((priority, node));
    }

    #[inline]
    fn pop(&mut self) -> Option<(P, N)> {
        self.entries.pop()
    }

    fn clear(&mut self) {
        self.entries.clear();
    }
}

/// Tests for every list that orders by priority.
#[cfg(test)]
pub(crate) mod contract {
    use super::{BinaryHeapQueue, OpenList};
    use crate::cost::Cost;

    /// Runs calls on a list and on a heap. A call of kind 0 is a pop, any other is a push of the
    /// priority.
    pub(crate) fn check_order(mut list: impl OpenList<usize, Cost>, calls: Vec<(u32, u32)>) {
        let mut heap = BinaryHeapQueue::default();
        for (number, (priority, kind)) in calls.into_iter().enumerate() {
            if kind == 0 {
                assert_eq!(list.pop(), heap.pop());
            } else {
                list.push(Cost::new(priority), number);
                heap.push(Cost::new(priority), number);
            }
        }
        while let Some(entry) = heap.pop() {
            assert_eq!(list.pop(), Some(entry));
        }
        assert_eq!(list.pop(), None);
    }

    pub(crate) fn check_extremes(mut list: impl OpenList<usize, Cost>) {
        for priority in [u32::MAX - 10, 5, u32::MAX, 0] {
            list.push(Cost::new(priority), 1);
            assert_eq!(list.pop(), Some((Cost::new(priority), 1)), "the only entry of the list");
        }
    }

    pub(crate) fn check_clear(mut list: impl OpenList<usize, Cost>) {
        for (number, priority) in [7, 7, 300].into_iter().enumerate() {
            list.push(Cost::new(priority), number);
        }
        list.clear();
        assert_eq!(list.pop(), None);
        list.push(Cost::new(6), 8);
        assert_eq!((list.pop(), list.pop()), (Some((Cost::new(6), 8)), None));
    }
}

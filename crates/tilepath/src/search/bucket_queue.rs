//! A queue with one bucket for each priority.
//!
//! Decision: `docs/decisions/05-bucket-queue.md`.

use crate::{
    cost::Cost,
    search::{bucket_ring::BucketRing, open_list::OpenList},
};

/// An open list with one bucket for each priority. A bucket is a stack of nodes. The buckets form a
/// ring, which moves on with the search to higher priorities. Push and pop take a few instructions.
///
/// Use it for priorities that rise and lie close together, as in Dijkstra's algorithm and in A*
/// with a consistent heuristic. In these searches, a new priority is at least the priority that was
/// popped last. It exceeds that priority by at most the cost of two steps.
///
/// Other priorities come out in the right order too. But the ring grows to the widest range of
/// priorities that ever waited together. Each priority in this range takes four bytes. If the range
/// is wider than some 65,536 priorities, use the
/// [`BinaryHeapQueue`](crate::search::BinaryHeapQueue).
///
/// # Complexity
/// O(1) for a push. A pop skips empty buckets 64 at a time.
///
/// # Source
/// Dial, "Algorithm 360: shortest-path forest with topological ordering", Communications of the ACM 12, 1969.
#[derive(Clone, Debug)]
pub struct BucketQueue<N> {
    /// The top entry of the stack in each bucket.
    ring: BucketRing<u32>,
    /// All entries, in stacks linked by index. Free entries form a stack of their own.
    entries: Vec<Entry<N>>,
    free: u32,
}

#[derive(Clone, Copy, Debug)]
struct Entry<N> {
    node: N,
    below: u32,
}

const NOTHING: u32 = u32::MAX;

impl<N> Default for BucketQueue<N> {
    fn default() -> Self {
        Self { ring: BucketRing::default(), entries: Vec::new(), free: NOTHING }
    }
}

impl<N: Copy> BucketQueue<N> {
    /// The widest range of priorities for which buckets are faster than a heap.
    pub(crate) const WIDEST: u32 = 1 << 16;
}

impl<N: Copy> OpenList<N, Cost> for BucketQueue<N> {
    #[expect(clippy::inline_always, reason = "a call costs a tenth of a whole search")]
    #[inline(always)]
    fn push(&mut self, priority: Cost, node: N) {
        let priority = priority.get();
        if self.ring.lacks(priority) {
            self.ring.make_room(priority, || NOTHING);
        }
        let bucket = priority as usize & (self.ring.buckets.len() - 1);
        let entry = Entry { node, below: self.ring.buckets[bucket] };
        let place = if self.free == NOTHING {
            self.entries.push(entry);
            (self.entries.len() - 1) as u32
        } else {
            let place = self.free;
            self.free = self.entries[place as usize].below;
            self.entries[place as usize] = entry;
            place
        };
        self.ring.buckets[bucket] = place;
        self.ring.occupied[bucket / 64] |= 1 << (bucket % 64);
        self.ring.waiting += 1;
    }

    #[expect(clippy::inline_always, reason = "a call costs a tenth of a whole search")]
    #[inline(always)]
    fn pop(&mut self) -> Option<(Cost, N)> {
        if self.ring.waiting == 0 {
            return None;
        }
        let bucket = self.ring.move_on();
        let place = self.ring.buckets[bucket];
        let entry = &mut self.entries[place as usize];
        let popped = (Cost::new(self.ring.lowest), entry.node);
        self.ring.buckets[bucket] = entry.below;
        // There is no branch here, because it would be unpredictable.
        self.ring.occupied[bucket / 64] ^= u64::from(entry.below == NOTHING) << (bucket % 64);
        entry.below = self.free;
        self.free = place;
        self.ring.waiting -= 1;
        Some(popped)
    }

    fn clear(&mut self) {
        let entries = &self.entries;
        self.ring.clear(|top| {
            let mut count = 0;
            while *top != NOTHING {
                *top = entries[*top as usize].below;
                count += 1;
            }
            count
        });
        self.entries.clear();
        self.free = NOTHING;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::open_list::contract;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn any_priorities_come_out_in_the_order_of_a_heap(
            calls in proptest::collection::vec((0_u32..3000, 0_u32..3), 0..400)
        ) {
            contract::check_order(BucketQueue::default(), calls);
        }
    }

    #[test]
    fn after_the_largest_priorities_come_the_smallest() {
        contract::check_extremes(BucketQueue::default());
    }

    #[test]
    fn a_cleared_list_is_as_good_as_new() {
        contract::check_clear(BucketQueue::default());
    }
}

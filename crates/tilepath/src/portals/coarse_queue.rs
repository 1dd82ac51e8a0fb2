//! A queue for searches whose order need not be exact.

use crate::{cost::Cost, search::OpenList, space::grid::GridNode};

/// The number of highest bits of a priority that count.
const BITS: u32 = 13;
/// The number of buckets that are allocated at a time.
const BUCKETS_MADE: usize = 1 << 12;
const NOTHING: u32 = u32::MAX;

/// Buckets for priorities with a precision of one part in 4096, over the whole range. A search
/// needs a few thousand of them.
///
/// # Contract
/// Nodes come out in the order of their priorities, within this precision; among equals, the last
/// one in is the first one out. Priorities may decrease, because the estimate of a search may be
/// too large.
///
/// # Complexity
/// O(1) for a push. A pop tests 64 empty buckets at a time.
#[derive(Debug)]
pub(crate) struct CoarseQueue {
    /// The top entry of each bucket's stack.
    tops: Vec<u32>,
    /// One bit for each bucket that has entries.
    occupied: Vec<u64>,
    /// All entries, in stacks linked by index. Popped entries are in a stack of free places.
    entries: Vec<Entry>,
    free: u32,
    waiting: usize,
    /// The first word of `occupied` that may have a bit set.
    first: usize,
}

#[derive(Clone, Copy, Debug)]
struct Entry {
    node: GridNode,
    below: u32,
}

impl Default for CoarseQueue {
    fn default() -> Self {
        Self {
            tops: Vec::new(),
            occupied: Vec::new(),
            entries: Vec::new(),
            free: NOTHING,
            waiting: 0,
            first: 0,
        }
    }
}

impl OpenList<GridNode, Cost> for CoarseQueue {
    #[inline]
    fn push(&mut self, priority: Cost, node: GridNode) {
        let bucket = coarse(priority);
        if bucket >= self.tops.len() {
            let count = (bucket + 1).next_multiple_of(BUCKETS_MADE);
            self.tops.resize(count, NOTHING);
            self.occupied.resize(count / 64, 0);
        }
        let entry = Entry { node, below: self.tops[bucket] };
        let place = if self.free == NOTHING {
            self.entries.push(entry);
            (self.entries.len() - 1) as u32
        } else {
            let place = self.free;
            self.free = self.entries[place as usize].below;
            self.entries[place as usize] = entry;
            place
        };
        self.tops[bucket] = place;
        self.occupied[bucket / 64] |= 1 << (bucket % 64);
        self.first = self.first.min(bucket / 64);
        self.waiting += 1;
    }

    /// Returns the next node. Its priority is the number of the bucket.
    #[inline]
    fn pop(&mut self) -> Option<(Cost, GridNode)> {
        if self.waiting == 0 {
            return None;
        }
        while self.occupied[self.first] == 0 {
            self.first += 1;
        }
        let bucket = 64 * self.first + self.occupied[self.first].trailing_zeros() as usize;
        let place = self.tops[bucket];
        let entry = &mut self.entries[place as usize];
        let node = entry.node;
        self.tops[bucket] = entry.below;
        self.occupied[bucket / 64] ^= u64::from(entry.below == NOTHING) << (bucket % 64);
        entry.below = self.free;
        self.free = place;
        self.waiting -= 1;
        Some((Cost::new(bucket as u32), node))
    }

    fn clear(&mut self) {
        for (index, word) in self.occupied.iter_mut().enumerate() {
            while *word != 0 {
                self.tops[index * 64 + word.trailing_zeros() as usize] = NOTHING;
                *word &= *word - 1;
            }
        }
        self.entries.clear();
        (self.free, self.waiting, self.first) = (NOTHING, 0, self.occupied.len());
    }
}

/// Returns the bucket of a priority. Small priorities have one each; of larger ones the highest
/// bits count.
#[inline]
const fn coarse(priority: Cost) -> usize {
    let priority = priority.get();
    let dropped = (u32::BITS - priority.leading_zeros()).saturating_sub(BITS);
    ((dropped << (BITS - 1)) + (priority >> dropped)) as usize
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn priorities_keep_their_order_and_take_few_buckets() {
        let mut before = 0;
        let all =
            (0..32).flat_map(|bit| (0..64_u64).map(move |part| (1 << bit) + (((1 << bit) * part) >> 6)));
        for priority in all.chain([u32::MAX.into()]) {
            let now = coarse(Cost::new(priority as u32));
            assert!(before <= now, "{priority}");
            before = now;
        }
        assert_eq!(coarse(Cost::new(8191)), 8191);
        assert!(before < 1 << 17);
    }

    proptest! {
        #[test]
        fn nodes_come_out_in_the_order_of_their_buckets(calls in proptest::collection::vec((0_u32..4_000_000, 0..3), 1..80)) {
            let (mut queue, mut expected) = (CoarseQueue::default(), Vec::new());
            for (number, &(priority, kind)) in calls.iter().enumerate() {
                if kind == 0 {
                    let first = expected.iter().map(|&(bucket, _)| bucket).min();
                    let place = expected.iter().rposition(|&(bucket, _)| Some(bucket) == first);
                    let next = place.map(|place| expected.remove(place).1);
                    prop_assert_eq!(queue.pop().map(|(_, node)| node), next);
                } else {
                    let node = GridNode::new(number as u32, 0);
                    queue.push(Cost::new(priority), node);
                    expected.push((coarse(Cost::new(priority)), node));
                }
            }
            queue.clear();
            prop_assert_eq!(queue.pop(), None);
            queue.push(Cost::new(7), GridNode::new(1, 1));
            prop_assert_eq!(queue.pop(), Some((Cost::new(7), GridNode::new(1, 1))));
        }
    }
}

//! A queue with one bucket for each priority.

use crate::{cost::Cost, search::open_list::OpenList};

/// One stack for each priority, in a ring of buckets that moves on with the search: push and pop cost a few
/// instructions.
///
/// Made for priorities that rise and lie close together, as those of A* with a consistent heuristic and of Dijkstra's
/// algorithm do: there no priority falls below the last one popped, and none passes it by more than two steps' cost.
/// Any others come out in the right order too, but the ring grows to hold the widest range of priorities that ever
/// waited together, four bytes each: past some 65,536 take the [`BinaryHeapQueue`](crate::search::BinaryHeapQueue).
///
/// # Complexity
/// O(1) for a push; a pop looks through empty buckets 64 at a time.
///
/// # Source
/// Dial, "Algorithm 360: shortest-path forest with topological ordering", Communications of the ACM 12, 1969.
#[derive(Clone, Debug)]
pub struct BucketQueue<N> {
    /// For each bucket the entry on top of its stack. The length is a power of two.
    tops: Vec<u32>,
    /// One bit a bucket: whether there is an entry.
    occupied: Vec<u64>,
    /// All entries, in stacks linked by index; those popped make a stack of free places.
    entries: Vec<Entry<N>>,
    free: u32,
    waiting: usize,
    /// No priority that waits is smaller.
    lowest: u32,
}

#[derive(Clone, Copy, Debug)]
struct Entry<N> {
    node: N,
    below: u32,
}

const NOTHING: u32 = u32::MAX;
const FEWEST_BUCKETS: usize = 256;

impl<N> Default for BucketQueue<N> {
    fn default() -> Self {
        Self {
            tops: Vec::new(),
            occupied: Vec::new(),
            entries: Vec::new(),
            free: NOTHING,
            waiting: 0,
            lowest: 0,
        }
    }
}

impl<N: Copy> BucketQueue<N> {
    /// The widest range of priorities for which buckets beat a heap.
    pub(crate) const WIDEST: u32 = 1 << 16;

    #[inline]
    fn mask(&self) -> usize {
        self.tops.len() - 1
    }

    /// How far the bucket lies ahead of the lowest priority's.
    #[inline]
    fn ahead(&self, bucket: usize) -> usize {
        bucket.wrapping_sub(self.lowest as usize) & self.mask()
    }

    /// The first bucket that holds an entry, from the lowest priority on; the caller knows that there is one.
    #[inline]
    fn first_occupied(&self) -> usize {
        let start = self.lowest as usize & self.mask();
        let word_mask = self.occupied.len() - 1;
        let mut index = start / 64;
        let mut word = self.occupied[index] & (!0 << (start % 64));
        while word == 0 {
            index = (index + 1) & word_mask;
            word = self.occupied[index];
        }
        index * 64 + word.trailing_zeros() as usize
    }

    /// Makes room for a priority that is lower than all, or further ahead than the ring is long. Stacks move whole: each
    /// holds one priority.
    #[cold]
    fn make_room(&mut self, priority: u32) {
        if self.waiting == 0 {
            self.lowest = priority;
        }
        let waiting: Vec<(u32, u32)> = (self.tops.iter().enumerate())
            .filter(|&(_, &top)| top != NOTHING)
            .map(|(bucket, &top)| (self.lowest + self.ahead(bucket) as u32, top))
            .collect();
        let highest = waiting.iter().map(|&(waiting, _)| waiting).fold(priority, u32::max);
        self.lowest = self.lowest.min(priority);
        let span = (highest - self.lowest) as usize + 1;
        if span <= self.tops.len() {
            return;
        }
        let buckets = span.next_power_of_two().max(FEWEST_BUCKETS);
        self.tops = vec![NOTHING; buckets];
        self.occupied = vec![0; buckets / 64];
        for (priority, top) in waiting {
            let bucket = priority as usize & (buckets - 1);
            self.tops[bucket] = top;
            self.occupied[bucket / 64] |= 1 << (bucket % 64);
        }
    }
}

impl<N: Copy> OpenList<N, Cost> for BucketQueue<N> {
    #[expect(clippy::inline_always, reason = "a call costs a tenth of a whole search")]
    #[inline(always)]
    fn push(&mut self, priority: Cost, node: N) {
        let priority = priority.get();
        // There is no bucket at all before the first entry.
        let ahead = priority.checked_sub(self.lowest);
        if ahead.is_none_or(|ahead| ahead as usize >= self.tops.len()) {
            self.make_room(priority);
        }
        let bucket = priority as usize & self.mask();
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
        self.waiting += 1;
    }

    #[expect(clippy::inline_always, reason = "a call costs a tenth of a whole search")]
    #[inline(always)]
    fn pop(&mut self) -> Option<(Cost, N)> {
        if self.waiting == 0 {
            return None;
        }
        let bucket = self.first_occupied();
        self.lowest += self.ahead(bucket) as u32;
        let place = self.tops[bucket];
        let entry = &mut self.entries[place as usize];
        let popped = (Cost::new(self.lowest), entry.node);
        self.tops[bucket] = entry.below;
        // Without a branch, because it is unpredictable.
        self.occupied[bucket / 64] ^= u64::from(entry.below == NOTHING) << (bucket % 64);
        entry.below = self.free;
        self.free = place;
        self.waiting -= 1;
        Some(popped)
    }

    fn clear(&mut self) {
        for (index, word) in self.occupied.iter_mut().enumerate() {
            while *word != 0 {
                self.tops[index * 64 + word.trailing_zeros() as usize] = NOTHING;
                *word &= *word - 1;
            }
        }
        self.entries.clear();
        self.free = NOTHING;
        self.waiting = 0;
        self.lowest = 0;
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

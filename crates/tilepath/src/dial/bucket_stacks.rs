//! A queue with one growing stack for each priority.
//!
//! Decision: `docs/decisions/22-flow-fields.md`.

use crate::{
    cost::Cost,
    search::{OpenList, bucket_ring::BucketRing},
};

/// One stack for each priority, in a ring that moves on with the search, as in
/// [`BucketQueue`](crate::search::BucketQueue).
///
/// In a `BucketQueue` all entries share one list, which suits many priorities with few entries
/// each. Here each stack has its own memory. This suits a search that spreads in all directions at
/// once: thousands of cells wait at a few hundred costs.
///
/// # Complexity
/// O(1) for a push. A pop tests 64 empty stacks at a time.
///
/// # Source
/// Dial, "Algorithm 360: shortest-path forest with topological ordering", Communications of the ACM
/// 12, 1969.
#[derive(Clone, Debug)]
pub(crate) struct BucketStacks<N>(BucketRing<Vec<N>>);

impl<N> Default for BucketStacks<N> {
    fn default() -> Self {
        Self(BucketRing::default())
    }
}

impl<N: Copy> OpenList<N, Cost> for BucketStacks<N> {
    #[expect(clippy::inline_always, reason = "a call costs a tenth of a whole search")]
    #[inline(always)]
    fn push(&mut self, priority: Cost, node: N) {
        let (ring, priority) = (&mut self.0, priority.get());
        if ring.lacks(priority) {
            ring.make_room(priority, Vec::new);
        }
        let stack = ring.place(priority);
        ring.buckets[stack].push(node);
        ring.occupied[stack / 64] |= 1 << (stack % 64);
        ring.waiting += 1;
    }

    #[expect(clippy::inline_always, reason = "a call costs a tenth of a whole search")]
    #[inline(always)]
    fn pop(&mut self) -> Option<(Cost, N)> {
        let ring = &mut self.0;
        ring.waiting = ring.waiting.checked_sub(1)?;
        let mut place = ring.place(ring.lowest);
        if ring.buckets[place].is_empty() {
            place = ring.move_on();
        }
        let stack = &mut ring.buckets[place];
        let node = stack.pop()?;
        if stack.is_empty() {
            ring.occupied[place / 64] &= !(1 << (place % 64));
        }
        Some((Cost::new(ring.lowest), node))
    }

    fn clear(&mut self) {
        self.0.clear(|stack| stack.drain(..).count());
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
            contract::check_order(BucketStacks::default(), calls);
        }
    }

    #[test]
    fn after_the_largest_priorities_come_the_smallest() {
        contract::check_extremes(BucketStacks::default());
    }

    #[test]
    fn a_cleared_list_is_as_good_as_new() {
        contract::check_clear(BucketStacks::default());
    }
}

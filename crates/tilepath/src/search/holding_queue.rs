//! A queue that holds its next entry back.

use crate::{
    cost::Cost,
    search::{BucketQueue, OpenList},
};
use std::cmp::Ordering;

/// A [`BucketQueue`] in front of which the last entry waits if it came at the lowest priority: it is the next one out, and no
/// bucket need see it.
///
/// On even ground a search mostly goes on from what it pushed last, and is a tenth to a fifth faster so; where that is rare,
/// on ground of many costs and from jump point to jump point, to look for it costs some hundredths.
///
/// # Complexity
/// That of the buckets.
#[derive(Clone, Debug)]
pub(crate) struct HoldingQueue<N> {
    buckets: BucketQueue<N>,
    held: Option<N>,
    /// No priority that waits is smaller, and the entry held has it.
    lowest: Cost,
}

impl<N> Default for HoldingQueue<N> {
    fn default() -> Self {
        Self { buckets: BucketQueue::default(), held: None, lowest: Cost::ZERO }
    }
}

impl<N: Copy> OpenList<N, Cost> for HoldingQueue<N> {
    #[expect(clippy::inline_always, reason = "a call costs a tenth of a whole search")]
    #[inline(always)]
    fn push(&mut self, priority: Cost, node: N) {
        let (priority, pushed) = match priority.cmp(&self.lowest) {
            Ordering::Greater => (priority, Some(node)),
            Ordering::Equal => (priority, self.held.replace(node)),
            Ordering::Less => (std::mem::replace(&mut self.lowest, priority), self.held.replace(node)),
        };
        if let Some(pushed) = pushed {
            self.buckets.push(priority, pushed);
        }
    }

    #[expect(clippy::inline_always, reason = "a call costs a tenth of a whole search")]
    #[inline(always)]
    fn pop(&mut self) -> Option<(Cost, N)> {
        if let Some(node) = self.held.take() {
            return Some((self.lowest, node));
        }
        let popped = self.buckets.pop();
        if let Some((priority, _)) = popped {
            self.lowest = priority;
        }
        popped
    }

    fn clear(&mut self) {
        self.buckets.clear();
        self.held = None;
        self.lowest = Cost::ZERO;
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
            contract::check_order(HoldingQueue::default(), calls);
        }

        #[test]
        fn entries_of_few_priorities_come_out_in_the_order_of_a_heap(
            calls in proptest::collection::vec((0_u32..4, 0_u32..3), 0..400)
        ) {
            contract::check_order(HoldingQueue::default(), calls);
        }
    }

    #[test]
    fn after_the_largest_priorities_come_the_smallest() {
        contract::check_extremes(HoldingQueue::default());
    }

    #[test]
    fn a_cleared_list_is_as_good_as_new() {
        contract::check_clear(HoldingQueue::default());
    }
}

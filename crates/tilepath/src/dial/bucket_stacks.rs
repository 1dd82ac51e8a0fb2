//! A queue with one growing stack for each priority.

use crate::{cost::Cost, search::OpenList};

/// One stack for each priority, in a ring that moves on with the search, as [`BucketQueue`](crate::search::BucketQueue) has
/// them too. There all entries share one list, which suits many priorities with few entries each; here each stack has its
/// own memory, which suits a search that spreads in all directions at once: thousands of cells wait at a few hundred costs.
///
/// # Complexity
/// O(1) for a push; a pop looks through empty stacks 64 at a time.
///
/// # Source
/// Dial, "Algorithm 360: shortest-path forest with topological ordering", Communications of the ACM 12, 1969.
#[derive(Clone, Debug)]
pub(crate) struct BucketStacks<N> {
    /// The length is a power of two, or zero before the first entry.
    stacks: Vec<Vec<N>>,
    /// One bit a stack: whether it holds an entry.
    occupied: Vec<u64>,
    waiting: usize,
    /// No priority that waits is smaller.
    lowest: u32,
}

const FEWEST_STACKS: usize = 256;

impl<N> Default for BucketStacks<N> {
    fn default() -> Self {
        Self { stacks: Vec::new(), occupied: Vec::new(), waiting: 0, lowest: 0 }
    }
}

impl<N> BucketStacks<N> {
    #[inline]
    fn mask(&self) -> usize {
        self.stacks.len().wrapping_sub(1)
    }

    /// How far the stack lies ahead of the lowest priority's.
    #[inline]
    fn ahead(&self, stack: usize) -> usize {
        stack.wrapping_sub(self.lowest as usize) & self.mask()
    }

    /// Moves the lowest priority on to the first that has an entry; the caller knows that there is one.
    #[inline]
    fn move_on(&mut self) {
        let start = self.lowest as usize & self.mask();
        let word_mask = self.occupied.len() - 1;
        let mut index = start / 64;
        let mut word = self.occupied[index] & (!0 << (start % 64));
        while word == 0 {
            index = (index + 1) & word_mask;
            word = self.occupied[index];
        }
        self.lowest += self.ahead(index * 64 + word.trailing_zeros() as usize) as u32;
    }

    /// Makes room for a priority that is lower than all, or further ahead than the ring is long. Stacks move whole: each holds
    /// one priority.
    #[cold]
    fn make_room(&mut self, priority: u32) {
        if self.waiting == 0 {
            self.lowest = priority;
        }
        let waits = |stack: usize| (self.occupied[stack / 64] >> (stack % 64) & 1) == 1;
        let waiting: Vec<(u32, usize)> = (0..self.stacks.len())
            .filter(|&stack| waits(stack))
            .map(|stack| (self.lowest + self.ahead(stack) as u32, stack))
            .collect();
        let highest = waiting.iter().map(|&(waiting, _)| waiting).fold(priority, u32::max);
        self.lowest = self.lowest.min(priority);
        let span = (highest - self.lowest) as usize + 1;
        if span <= self.stacks.len() {
            return;
        }
        let count = span.next_power_of_two().max(FEWEST_STACKS);
        let mut stacks: Vec<Vec<N>> = Vec::new();
        stacks.resize_with(count, Vec::new);
        let mut occupied = vec![0; count / 64];
        for (priority, stack) in waiting {
            let place = priority as usize & (count - 1);
            stacks[place] = std::mem::take(&mut self.stacks[stack]);
            occupied[place / 64] |= 1 << (place % 64);
        }
        (self.stacks, self.occupied) = (stacks, occupied);
    }
}

impl<N: Copy> OpenList<N, Cost> for BucketStacks<N> {
    #[expect(clippy::inline_always, reason = "a call costs a tenth of a whole search")]
    #[inline(always)]
    fn push(&mut self, priority: Cost, node: N) {
        let priority = priority.get();
        // There is no stack at all before the first entry.
        let ahead = priority.checked_sub(self.lowest);
        if ahead.is_none_or(|ahead| ahead as usize >= self.stacks.len()) {
            self.make_room(priority);
        }
        let stack = priority as usize & self.mask();
        self.stacks[stack].push(node);
        self.occupied[stack / 64] |= 1 << (stack % 64);
        self.waiting += 1;
    }

    #[expect(clippy::inline_always, reason = "a call costs a tenth of a whole search")]
    #[inline(always)]
    fn pop(&mut self) -> Option<(Cost, N)> {
        self.waiting = self.waiting.checked_sub(1)?;
        let mut place = self.lowest as usize & self.mask();
        if self.stacks[place].is_empty() {
            self.move_on();
            place = self.lowest as usize & self.mask();
        }
        let stack = &mut self.stacks[place];
        let node = stack.pop()?;
        if stack.is_empty() {
            self.occupied[place / 64] &= !(1 << (place % 64));
        }
        Some((Cost::new(self.lowest), node))
    }

    fn clear(&mut self) {
        for (index, word) in self.occupied.iter_mut().enumerate() {
            while *word != 0 {
                self.stacks[index * 64 + word.trailing_zeros() as usize].clear();
                *word &= *word - 1;
            }
        }
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

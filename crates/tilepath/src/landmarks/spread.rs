//! A search that spreads from some cells over all ground.

use super::{
    ground::{Pruned, START, Steps},
    table::{HIGHEST, UNKNOWN},
};
use std::{cmp::Reverse, collections::BinaryHeap};

/// The slots that are read, or the empty buckets that are passed, for one unit of work.
pub(super) const READ: usize = 64;
/// The flag of the cost of a settled cell.
const SETTLED: u32 = 1 << 31;
/// The place of the arrival in an entry, above the slot.
const ARRIVAL: u32 = 28;
/// The most buckets. Costs that lie farther apart wait in a heap.
const MOST_BUCKETS: u32 = 1 << 12;

const _: () = assert!(crate::bounds::Bounds::MAX_CELLS <= 1 << ARRIVAL && START < 16, "an entry holds both");

/// The costs of cells, and the cells that wait.
#[derive(Clone, Debug)]
pub(super) struct Spread {
    /// The least cost of each cell, by slot; [`UNKNOWN`] for cells that are not reached.
    costs: Vec<u32>,
    queue: Queue,
    /// The highest cost of a settled cell.
    highest: u32,
    is_too_expensive: bool,
}

#[derive(Clone, Debug)]
enum Queue {
    Buckets(Buckets),
    Heap(BinaryHeap<Reverse<(u32, u32)>>),
}

/// One list for each range of costs, in a ring that moves on with the search.
///
/// A bucket is at most as wide as the cheapest step. So no cell improves another one of its bucket, and
/// the order within a bucket does not matter.
#[derive(Clone, Debug)]
struct Buckets {
    lists: Vec<Vec<u32>>,
    /// The binary logarithm of the width.
    shift: u32,
    /// The present bucket, counted from cost 0.
    bucket: u32,
    waiting: usize,
    /// The empty buckets passed that are not yet counted as work.
    passed: u64,
}

impl Queue {
    /// Makes an empty queue for steps of these least and highest costs.
    fn new(least: u32, highest: u32) -> Self {
        let shift = least.max(1).ilog2();
        let span = (highest >> shift).saturating_add(2).next_power_of_two();
        if span > MOST_BUCKETS {
            return Self::Heap(BinaryHeap::new());
        }
        let lists = vec![Vec::new(); span as usize];
        Self::Buckets(Buckets { lists, shift, bucket: 0, waiting: 0, passed: 0 })
    }

    #[inline]
    fn push(&mut self, cost: u32, entry: u32) {
        match self {
            Self::Buckets(Buckets { lists, shift, waiting, .. }) => {
                let place = (cost >> *shift) as usize & (lists.len() - 1);
                lists[place].push(entry);
                *waiting += 1;
            }
            Self::Heap(heap) => heap.push(Reverse((cost, entry))),
        }
    }

    #[inline]
    fn pop(&mut self) -> Option<u32> {
        let Buckets { lists, bucket, waiting, passed, .. } = match self {
            Self::Buckets(buckets) => buckets,
            Self::Heap(heap) => return heap.pop().map(|Reverse((_, entry))| entry),
        };
        *waiting = waiting.checked_sub(1)?;
        loop {
            let place = *bucket as usize & (lists.len() - 1);
            if let Some(entry) = lists[place].pop() {
                return Some(entry);
            }
            (*bucket, *passed) = (*bucket + 1, *passed + 1);
        }
    }

    /// Lets an empty queue begin at a cost.
    const fn begin_at(&mut self, cost: u32) {
        if let Self::Buckets(buckets) = self {
            buckets.bucket = cost >> buckets.shift;
        }
    }

    /// Returns the work for the empty buckets passed, and counts it as taken.
    fn take_work(&mut self) -> u64 {
        let Self::Buckets(Buckets { passed, .. }) = self else { return 0 };
        let work = *passed / READ as u64;
        *passed %= READ as u64;
        work
    }
}

impl Spread {
    /// Begins on a map of this many cells, whose steps have these least and highest costs.
    pub(super) fn new(cells: usize, [least, highest]: [u32; 2]) -> Self {
        Self {
            costs: vec![UNKNOWN; cells],
            queue: Queue::new(least, highest),
            highest: 0,
            is_too_expensive: false,
        }
    }

    pub(super) const fn is_too_expensive(&self) -> bool {
        self.is_too_expensive
    }

    pub(super) const fn highest(&self) -> u32 {
        self.highest
    }

    pub(super) fn bytes(&self) -> usize {
        size_of_val(&*self.costs)
    }

    pub(super) fn is_known(&self, slot: usize) -> bool {
        self.costs[slot] != UNKNOWN
    }

    /// Lets the next paths begin at a cell, with a cost. No cell may wait.
    pub(super) fn seed(&mut self, slot: usize, cost: u32) {
        self.costs[slot] = cost;
        self.queue.begin_at(cost);
        self.queue.push(cost, slot as u32 | (START as u32) << ARRIVAL);
    }

    /// Settles cells for at most this much work, and at least one cell. Calls `settle` with the slot and
    /// the cost of each. Returns the work, and whether no cell is left.
    pub(super) fn run(
        &mut self,
        (steps, pruned): (&Steps<'_>, &Pruned),
        to_landmark: bool,
        most: u64,
        mut settle: impl FnMut(usize, u32),
    ) -> (u64, bool) {
        let Self { costs, queue, highest, is_too_expensive } = self;
        let mut work = 0;
        loop {
            let Some(entry) = queue.pop() else { return (work + queue.take_work(), true) };
            let slot = (entry & !(u32::MAX << ARRIVAL)) as usize;
            let cost = costs[slot];
            if cost & SETTLED != 0 {
                continue;
            }
            costs[slot] = cost | SETTLED;
            *highest = cost.max(*highest);
            settle(slot, cost);
            let arrival = (entry >> ARRIVAL) as usize;
            steps.offer((slot, arrival), (cost, to_landmark), pruned, |slot, place, over| {
                // Most neighbours are settled, and need no sum.
                let known = costs[slot];
                if known & SETTLED == 0 || known == UNKNOWN {
                    let cost = over();
                    if cost > HIGHEST {
                        *is_too_expensive = true;
                    } else if cost < known {
                        costs[slot] = cost;
                        queue.push(cost, slot as u32 | (place as u32) << ARRIVAL);
                    }
                }
            });
            work += 1 + queue.take_work();
            if work >= most {
                return (work, false);
            }
        }
    }

    /// Returns the cost of a settled cell, and forgets it.
    pub(super) fn take(&mut self, slot: usize) -> u32 {
        match std::mem::replace(&mut self.costs[slot], UNKNOWN) {
            UNKNOWN => UNKNOWN,
            cost => cost & !SETTLED,
        }
    }
}

impl Spread {
    /// Forgets all cells.
    pub(super) fn clear(&mut self) {
        self.costs.fill(UNKNOWN);
        self.highest = 0;
    }
}

//! The costs of a field, one number for each cell.

use crate::{
    bounds::Bounds,
    cell::Direction,
    cost::Cost,
    search::{
        ByPriority, Strategy,
        records::{NodeRecords, Record},
    },
};

/// The cost of every cell that was reached, four bytes a cell.
///
/// Directions are read from the costs around a cell, so they do not depend on the order in which
/// cells were reached. A cell is final if its cost is not above the cost of the cell expanded last.
///
/// The memory is allocated as zeros. The operating system provides only the pages that are touched.
/// Zero means that a cell was not reached. So a cost is kept as its distance from [`Cost::MAX`],
/// and `Cost::MAX` itself cannot be kept: [`BelowMax`] drops it.
#[derive(Clone, Default)]
pub(crate) struct FieldValues {
    words: Vec<u32>,
}

impl FieldValues {
    #[inline]
    pub(crate) fn cost(&self, slot: usize) -> Option<Cost> {
        let word = self.words[slot];
        (word != 0).then_some(Cost::new(!word))
    }

    /// Returns the cost of a cell, or [`Cost::MAX`] if the cell was not reached.
    #[inline]
    pub(crate) fn cost_or_max(&self, slot: usize) -> Cost {
        Cost::new(!self.words[slot])
    }

    #[inline]
    pub(crate) fn set(&mut self, slot: usize, cost: Cost) {
        self.words[slot] = !cost.get();
    }

    /// Returns the smallest kept value of a path that costs at most this much.
    #[inline]
    fn bound(cost: Cost) -> u32 {
        (!cost.get()).max(1)
    }

    /// Moves the costs to a map with other bounds. New cells count as not reached.
    pub(crate) fn move_to(&mut self, from: &Bounds, to: &Bounds) {
        self.words = from.moved(&self.words, to, 0);
    }

    pub(crate) fn forget(&mut self, slot: usize) {
        self.words[slot] = 0;
    }
}

impl std::fmt::Debug for FieldValues {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("FieldValues").field("cells", &self.words.len()).finish_non_exhaustive()
    }
}

impl NodeRecords for FieldValues {
    type Key = usize;
    type Cost = Cost;
    type Link = Direction;

    fn begin(&mut self, key_count: usize) {
        if self.words.len() == key_count {
            self.words.fill(0);
        } else {
            self.words = vec![0; key_count];
        }
    }

    /// Returns a record that is never closed. In the order of costs, a cell is expanded only once
    /// anyway: all its open entries except the cheapest are out of date.
    #[inline]
    fn get(&self, key: usize) -> Option<Record<Cost, Direction>> {
        self.cost(key).map(|cost| Record { cost, link: None, is_closed: false })
    }

    #[inline]
    fn open(&mut self, key: usize, cost: Cost, _: Option<Direction>) {
        self.set(key, cost);
    }

    #[inline]
    fn close(&mut self, _: usize) {}

    #[inline]
    fn knows(&self, key: usize, cost: Cost) -> bool {
        self.words[key] >= Self::bound(cost)
    }

    /// Returns the cost if the cell is recorded at this cost. The strategy must return a cost for
    /// each priority.
    #[inline]
    fn settle(&mut self, key: usize, cost: Option<Cost>) -> Option<(Cost, Option<Direction>)> {
        let cost = cost?;
        (self.words[key] == Self::bound(cost)).then_some((cost, None))
    }
}

/// The order of Dijkstra's algorithm for costs that [`FieldValues`] can keep.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BelowMax;

impl<N> Strategy<N, Cost> for BelowMax {
    type Order = ByPriority;
    type Priority = Cost;

    #[inline]
    fn priority(&self, g: Cost, _: N) -> Option<Cost> {
        (g < Cost::MAX).then_some(g)
    }

    #[inline]
    fn cost_of(priority: Cost) -> Option<Cost> {
        Some(priority)
    }
}

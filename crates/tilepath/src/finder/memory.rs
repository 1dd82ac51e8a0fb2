//! How much is kept of the map for all movements together.

use crate::finder::{PathFinder, movements::KeptMovement};
use std::cmp::Reverse;

/// The bytes that movements may take together, and when it was looked at last.
#[derive(Clone, Copy, Debug)]
pub(crate) struct MemoryLimit {
    bytes: usize,
    /// The state of the map at which what is kept was counted: only questions since then have added to it.
    counted_at: u64,
}

impl Default for MemoryLimit {
    /// No limit.
    fn default() -> Self {
        Self { bytes: usize::MAX, counted_at: 0 }
    }
}

impl PathFinder {
    /// Limits what is kept of the map for all movements together, now and from now on; `usize::MAX`, as it is at first, is no limit.
    /// Says how many bytes are kept now.
    ///
    /// What takes more is given back, first that of the movement that was not asked for the longest. This is done here, and
    /// after each edit, each [`resize`](Self::resize) and each [`add_movement`](Self::add_movement) since which questions were asked.
    /// Questions themselves take no lock, so they give nothing back: what they have made since the last edit comes on top until the
    /// next one. What paused searches and fields hold stays until they end.
    ///
    /// What is given back is made again with the next question by the movement, in O(cells). No answer changes; a search in slices
    /// may count work once more that an earlier one has paid for. So let the limit be larger than what the movements take that
    /// are in use between two edits.
    ///
    /// For games with many kinds of units of which few are about at a time.
    ///
    /// # Complexity
    /// O(movements²), and for each movement O(cells ÷ 256). Without a limit edits are as fast as ever.
    ///
    /// # Examples
    /// ```
    /// use tilepath::{Cell, Diagonals, Grid, Movement, PathFinder, PathQuery};
    /// let mut finder = PathFinder::new(Grid::new(200, 200, 1)?, Movement::new());
    /// let query = PathQuery::new(Cell::new(0, 0), Cell::new(99, 99));
    /// let crab = finder.add_movement(Movement::new().with_diagonals(Diagonals::Never));
    /// finder.solve(&query)?;
    /// let one = finder.limit_memory(1_000_000);
    /// assert!((1..1_000_000).contains(&one));
    /// finder.limit_memory(one); // no more than that
    ///
    /// finder.set_terrain(Cell::new(50, 50), 0)?;
    /// finder.solve(&query.with_movement(crab))?; // asked for last
    /// finder.set_terrain(Cell::new(60, 60), 0)?; // what is kept for the first movement goes
    /// assert!(finder.limit_memory(one) <= one);
    /// assert!(finder.solve(&query)?.outcome.path().is_some());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn limit_memory(&mut self, bytes: usize) -> usize {
        self.memory.bytes = bytes;
        self.give_back()
    }

    /// Gives back what is too much after an edit.
    #[inline]
    pub(crate) fn keep_within_limit(&mut self) {
        if self.memory.bytes < usize::MAX && self.was_asked() {
            self.give_back();
        }
    }

    /// Keeps no more than another finder may.
    pub(crate) const fn take_limit_of(&mut self, other: &Self) {
        self.memory.bytes = other.memory.bytes;
    }

    /// Whether questions may have added to what is kept.
    fn was_asked(&self) -> bool {
        self.movements.iter().any(|kept| kept.last_used() >= self.memory.counted_at)
    }

    /// Gives back what is too much; says how many bytes are kept then.
    fn give_back(&mut self) -> usize {
        self.memory.counted_at = self.grid.revision().number();
        let mut kept: usize = self.movements.iter().map(KeptMovement::bytes).sum();
        while kept > self.memory.bytes {
            let made = self.movements.iter_mut().filter(|kept| kept.bytes() > 0);
            // Of those asked for last at the same time the later one goes.
            let oldest = made.min_by_key(|kept| (kept.last_used(), Reverse(kept.generation())));
            let Some(oldest) = oldest else { break };
            kept -= oldest.bytes();
            oldest.give_back();
        }
        kept
    }
}

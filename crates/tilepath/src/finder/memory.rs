//! Memory limits for the data kept of a map.
//!
//! Decision: `docs/decisions/08-movement-maps-on-demand.md`.

use crate::finder::{PathFinder, kept_movement::KeptMovement};
use std::cmp::Reverse;

impl PathFinder {
    /// Limits the memory that queries make the finder keep for all movements together, now and in the
    /// future. Returns the number of bytes kept now. `usize::MAX`, the default, is no limit.
    ///
    /// A movement with [landmarks](Self::make_landmarks) does not count and is not freed:
    /// [`drop_landmarks`](Self::drop_landmarks) frees its tables. So no query decides which landmarks
    /// there are.
    ///
    /// If the memory is over the limit, it is freed movement by movement; the least recently
    /// queried movement is first. This happens in this call. It also happens after each edit,
    /// [`resize`](Self::resize) and [`add_movement`](Self::add_movement) that follows a query.
    ///
    /// Queries take no lock and free nothing, so the memory that they add stays until the next
    /// edit. Paused searches and fields keep their memory until they end.
    ///
    /// Freed data is made again by the next query of that movement, in O(cells). No answer changes, but a
    /// sliced search may be charged again for work for which an earlier search was charged.
    /// So set the limit above the memory of the movements that are used between two edits.
    ///
    /// Use a limit in games that have many kinds of units, but few kinds at a time.
    ///
    /// # Complexity
    /// O(movements²), and O(cells ÷ 256) for each movement. Without a limit, edits have no extra
    /// cost.
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
    /// finder.limit_memory(one); // keep at most this
    ///
    /// finder.set_terrain(Cell::new(50, 50), 0)?;
    /// finder.solve(&query.with_movement(crab))?; // queried last
    /// finder.set_terrain(Cell::new(60, 60), 0)?; // frees the memory of the first movement
    /// assert!(finder.limit_memory(one) <= one);
    /// assert!(finder.solve(&query)?.outcome.path().is_some());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn limit_memory(&mut self, bytes: usize) -> usize {
        self.memory.bytes = bytes;
        self.give_back()
    }

    /// Frees the memory over the limit, after an edit.
    #[inline]
    pub(crate) fn keep_within_limit(&mut self) {
        if self.memory.bytes < usize::MAX && self.was_asked() {
            self.give_back();
        }
    }

    /// Takes over the limit of another finder.
    pub(crate) const fn take_limit_of(&mut self, other: &Self) {
        self.memory.bytes = other.memory.bytes;
    }

    /// Returns whether a query may have added memory since the last count.
    fn was_asked(&self) -> bool {
        self.movements.iter().any(|kept| kept.last_used() >= self.memory.counted_at)
    }

    /// Frees the memory over the limit; returns the bytes kept afterwards.
    fn give_back(&mut self) -> usize {
        self.memory.counted_at = self.grid.revision().number();
        let mut kept: usize = self.movements.iter().map(KeptMovement::query_bytes).sum();
        while kept > self.memory.bytes {
            let made = self.movements.iter_mut().filter(|kept| kept.query_bytes() > 0);
            // If several were last queried at the same time, the latest added is freed.
            let oldest = made.min_by_key(|kept| (kept.last_used(), Reverse(kept.generation())));
            let Some(oldest) = oldest else { break };
            kept -= oldest.query_bytes();
            oldest.give_back();
        }
        kept
    }
}

//! Searches run in slices: one after the other, or side by side.

use super::PathSearch;
use crate::{finder::snapshot::MapSnapshot, movement_map::meter::Finding, search::SearchStatus};

impl PathSearch {
    /// Runs until so much work is done, in the unit of [`PathSearch::work`]. The last expansions may pass the budget: by what a scan
    /// for jump points takes, or, where ground of many costs is new, some hundred units.
    ///
    /// # Guarantee
    /// The answer does not depend on the slices.
    pub fn advance(&mut self, budget: u64) -> SearchStatus {
        self.run_slice(budget, false)
    }

    /// The same for one of several searches on a finder that are advanced side by side, in any order or on several threads:
    /// what each costs does not depend on the others.
    ///
    /// What a search finds out of the map is charged to the one that comes there first ([`PathSearch::work`]), and on threads
    /// that is now the one and now the other. Advanced apart, each is charged for what it is the first to find as things were
    /// before, and whatever two find at once both are charged for. Call [`PathSearch::settle`] on all of them afterwards, in
    /// an order of your own, so that later searches find it paid for.
    ///
    /// # Guarantee
    /// The answer is that of [`PathSearch::advance`]. As long as no search on the finder is settled or advanced in another way
    /// meanwhile, the work of each is the same for every order and every number of threads. Advanced apart and
    /// settled before any other, a search does the work that it does by [`PathSearch::advance`].
    ///
    /// # Examples
    /// ```
    /// use std::thread;
    /// use tilepath::{Cell, Grid, Movement, PathFinder, PathQuery, PathSearch, search::SearchStatus};
    ///
    /// let mut finder = PathFinder::new(Grid::new(64, 64, 1)?, Movement::new());
    /// finder.set_terrain(Cell::new(9, 6), 7)?; // mud: what is worth following is found out block by block
    /// let begin = |x| finder.begin(&PathQuery::new(Cell::new(x, 0), Cell::new(63 - x, 63)));
    /// let mut searches: Vec<PathSearch> = (0..4).map(begin).collect::<Result<_, _>>()?;
    /// while searches.iter().any(|search| !search.is_done()) {
    ///     thread::scope(|threads| {
    ///         for search in &mut searches {
    ///             threads.spawn(|| search.advance_apart(100));
    ///         }
    ///     });
    ///     searches.iter_mut().for_each(PathSearch::settle);
    /// }
    /// let mut again = begin(0)?;
    /// assert_eq!(again.advance(u64::MAX), SearchStatus::Done);
    /// assert!(again.work() < searches[0].work(), "the blocks are known and paid for");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn advance_apart(&mut self, budget: u64) -> SearchStatus {
        self.run_slice(budget, true)
    }

    /// Lets other searches know what this one has paid for since it is [advanced apart](Self::advance_apart). A search that is
    /// dropped before has paid for itself alone.
    ///
    /// # Complexity
    /// O(blocks and chunks that it was charged for).
    pub fn settle(&mut self) {
        let MapSnapshot { bounds, movement_map, .. } = &self.map;
        self.bill.settle(|finding, block| match finding {
            Finding::Steps => {
                if let Some(steps) = movement_map.canonical_steps(bounds) {
                    steps.pay(block);
                }
            }
            Finding::Portals => movement_map.portals(bounds).pay(block),
            Finding::Paces => movement_map.portals(bounds).pay_paces(block),
        });
    }

    fn run_slice(&mut self, budget: u64, is_apart: bool) -> SearchStatus {
        let mut left = budget;
        while left > 0 && !self.is_done() {
            let (_, spent) = self.run_stage(left, self.allowance(), is_apart);
            left = left.saturating_sub(spent);
        }
        if self.is_done() { SearchStatus::Done } else { SearchStatus::Running }
    }
}

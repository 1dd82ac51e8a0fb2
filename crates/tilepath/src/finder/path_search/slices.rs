//! Slices of searches, one after the other or side by side.

use super::PathSearch;
use crate::{finder::snapshot::MapSnapshot, search::SearchStatus};

impl PathSearch {
    /// Runs the search for `budget` units of [`PathSearch::work`]. The last expansions may exceed
    /// the budget. With jump points, the excess is at most one scan. On ground of many costs that
    /// no search has used yet, the excess is some hundred units.
    ///
    /// # Guarantee
    /// The answer does not depend on the slices.
    pub fn advance(&mut self, budget: u64) -> SearchStatus {
        self.run_slice(budget, false)
    }

    /// Runs a slice beside other searches on the same finder, in any order or on several threads.
    /// The work of each search does not depend on the others.
    ///
    /// With `advance`, the first search that needs preprocessing of the map is charged for it
    /// ([`PathSearch::work`]). On several threads, the first search can be another one in each run.
    /// With `advance_apart`, each search is charged for the preprocessing that it needs and that was
    /// not paid before. So two searches can both be charged for the same part.
    ///
    /// After the slices, call [`PathSearch::settle`] on all these searches, in an order of your
    /// choice. Then later searches do not pay again for the same preprocessing.
    ///
    /// # Guarantee
    /// The answer is the same as with [`PathSearch::advance`]. The work of each search is the same
    /// for every order and number of threads. Condition: until all slices have run, no search on
    /// the finder is settled or advanced in another way.
    ///
    /// If a search is advanced apart and settled before any other search is advanced, it does the
    /// same work as with [`PathSearch::advance`].
    ///
    /// # Examples
    /// ```
    /// use std::thread;
    /// use tilepath::{Cell, Grid, Movement, PathFinder, PathQuery, PathSearch, search::SearchStatus};
    ///
    /// let mut finder = PathFinder::new(Grid::new(64, 64, 1)?, Movement::new());
    /// finder.set_terrain(Cell::new(9, 6), 7)?; // mud: each block needs preprocessing
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

    /// Marks the preprocessing for which this search was charged as paid, so that other searches do
    /// not pay for it again. This covers the slices that were [advanced
    /// apart](Self::advance_apart). If a search is dropped before `settle`, other searches pay
    /// again.
    ///
    /// # Complexity
    /// O(blocks that the search was charged for).
    pub fn settle(&mut self) {
        let MapSnapshot { bounds, movement_map, .. } = &self.map;
        self.bill.settle(|block| {
            if let Some(steps) = movement_map.canonical_steps(bounds) {
                steps.pay(block);
            }
        });
    }

    fn run_slice(&mut self, budget: u64, is_apart: bool) -> SearchStatus {
        let mut left = budget;
        while left > 0 && !self.is_done() {
            let (_, spent) = self.run(left, self.allowance(), is_apart);
            left = left.saturating_sub(spent);
        }
        if self.is_done() { SearchStatus::Done } else { SearchStatus::Running }
    }
}

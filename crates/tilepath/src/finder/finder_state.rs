//! The state of a finder, to which it can go back.

use crate::{finder::PathFinder, finder::path_search::PathSearch, movement_map::MovementMap};
use std::sync::Arc;

/// The state of a [`PathFinder`], to which it can go back: the map, the movements, and everything
/// that decides the work of later searches.
///
/// Use it to take back ticks of a game, as rollback networking does. A state shares memory with the
/// finder until an edit changes it.
///
/// ```
/// use tilepath::{Cell, Grid, Movement, PathFinder, PathQuery, PathSearch};
/// let mut finder = PathFinder::new(Grid::new(9, 9, 1)?, Movement::default());
/// let query = PathQuery::new(Cell::new(0, 0), Cell::new(8, 0));
/// let mut search = finder.begin(&query)?;
/// search.advance(3);
/// let (state, paused) = (finder.state([&search]), search.clone());
///
/// finder.set_terrain(Cell::new(4, 0), 0)?;
/// let before = finder.grid().revision();
/// finder.put_back(&state);
/// assert!(finder.grid().revision() < before);
/// let cost = |search: PathSearch| search.finish().map(|answer| answer.outcome.into_path().unwrap().cost());
/// assert_eq!(cost(paused), cost(search));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct FinderState {
    finder: PathFinder,
    /// Each map that is in use, and its blocks that are paid for.
    paid: Vec<(Arc<MovementMap>, Vec<bool>)>,
}

impl PathFinder {
    /// Returns the state of the finder. `searches` are the paused searches on its map that go on if
    /// the state is put back: clones of them.
    ///
    /// # Complexity
    /// O(movements + searches + cells / 256), if the map has no exits, voids and overlays; else O(cells).
    #[must_use]
    pub fn state<'a>(&self, searches: impl IntoIterator<Item = &'a PathSearch>) -> FinderState {
        let mut paid: Vec<(Arc<MovementMap>, Vec<bool>)> = Vec::new();
        let mut note = |map: &Arc<MovementMap>| {
            if !paid.iter().any(|(known, _)| Arc::ptr_eq(known, map)) {
                paid.push((Arc::clone(map), map.paid()));
            }
        };
        self.kept_movements().iter().filter_map(|kept| kept.map.made()).for_each(&mut note);
        searches.into_iter().map(PathSearch::movement_map).for_each(&mut note);
        FinderState { finder: self.with_pool(), paid }
    }

    /// Goes back to a state. Clones of searches that were under way then go on.
    ///
    /// # Complexity
    /// As of [`state`](Self::state).
    pub fn put_back(&mut self, state: &FinderState) {
        *self = state.finder.with_pool();
        for (map, paid) in &state.paid {
            map.set_paid(paid);
        }
    }

    /// Returns a clone that takes the memory of its searches from the same pool. Fields know their
    /// finder by it.
    fn with_pool(&self) -> Self {
        let pool = Arc::clone(self.pool());
        Self { pool, ..self.clone() }
    }
}

impl Clone for FinderState {
    fn clone(&self) -> Self {
        Self { finder: self.finder.with_pool(), paid: self.paid.clone() }
    }
}

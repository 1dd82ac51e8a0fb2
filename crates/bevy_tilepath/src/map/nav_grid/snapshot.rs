//! A map as it was, for snapshots.

use tilepath::{FinderState, Grid, PathFinder, PathSearch};

use crate::map::nav_grid::{NavGrid, WALL};

/// A map with everything that was derived from it. It shares memory with the map until an edit
/// changes it.
#[derive(Debug)]
pub(crate) struct NavGridSnapshot {
    finder: FinderState,
    /// All else. Its finder is empty.
    rest: NavGrid,
}

impl NavGrid {
    /// Returns the map as it is. `searches` are the searches under way.
    pub(crate) fn snapshot<'a>(&self, searches: impl IntoIterator<Item = &'a PathSearch>) -> NavGridSnapshot {
        let empty = Grid::new(0, 0, WALL).expect("an empty grid is within every limit");
        let rest = self.with_finder(PathFinder::new(empty, self.rules().clone()));
        NavGridSnapshot { finder: self.finder.state(searches), rest }
    }

    /// Makes the map as it was.
    pub(crate) fn put_back(&mut self, snapshot: &NavGridSnapshot) {
        self.finder.put_back(&snapshot.finder);
        let finder = std::mem::replace(&mut self.finder, snapshot.rest.finder.clone());
        *self = snapshot.rest.with_finder(finder);
    }

    fn with_finder(&self, finder: PathFinder) -> Self {
        Self {
            finder,
            movements: self.movements.clone(),
            generation: self.generation,
            state: self.state,
            ready: self.ready,
            opaque: self.opaque.clone(),
            #[cfg(feature = "rules_asset")]
            awaits_rules: self.awaits_rules,
            without_tiles: self.without_tiles,
            tilemaps: self.tilemaps.clone(),
            first_edit: self.first_edit,
            covered: self.covered.clone(),
            closed: self.closed.clone(),
            area_overlays: self.area_overlays.clone(),
            resizes: self.resizes,
        }
    }
}

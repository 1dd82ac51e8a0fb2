//! Finders of maps that grow and shrink.

use crate::{
    bounds::Bounds,
    finder::{
        PathFinder, lazy_movement_map::LazyMovementMap, movements::KeptMovement, reachability::LazyRegions,
    },
    size::Size,
};

impl PathFinder {
    /// Grows or shrinks the map at any side, until it covers these bounds; says whether that made a difference. Cells keep their
    /// coordinates and their classes; new ones hold the class given, or are [void](crate::Grid::set_void) without one. Movements keep
    /// their ids.
    ///
    /// Searches under way go on on the map as it was; a flow field is made again when it is
    /// [updated](crate::field::FlowField::update). Limits are those of [`Bounds::new`], which refuses what is too large
    /// before anything is changed.
    ///
    /// # Complexity
    /// O(cells of the new map), and for each movement in use as much again with the next question by it. Where the lowest
    /// column and row move by multiples of 64, what can be reached is labelled again only along the sides that moved.
    ///
    /// # Examples
    /// ```
    /// use tilepath::{Bounds, Cell, Grid, Movement, Outcome, PathFinder};
    /// let mut finder = PathFinder::new(Grid::new(64, 64, 1)?, Movement::new());
    /// let (from, to) = (Cell::new(3, 3), Cell::new(-30, 3));
    /// assert!(finder.find(from, to).is_err(), "the world ends there");
    /// finder.resize(Bounds::new(Cell::new(-64, 0), 128, 64)?, 1); // a chunk to the west
    /// assert!(matches!(finder.find(from, to)?, Outcome::Found(path) if path.steps() == 33));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[doc(alias = "grow")]
    pub fn resize(&mut self, bounds: Bounds, class: impl Into<Option<u8>>) -> bool {
        let before = self.grid.bounds();
        if !self.grid.resize(bounds, class) {
            return false;
        }
        for KeptMovement { map: movement_map, regions, .. } in &mut self.movements {
            *movement_map = LazyMovementMap::new(movement_map.movement().clone(), &self.grid);
            // Anchors of larger units depend on cells across the border of a chunk.
            if movement_map.movement().size() == Size::ONE {
                regions.follow_resize(&before, &bounds);
            } else {
                *regions = LazyRegions::default();
            }
        }
        true
    }
}

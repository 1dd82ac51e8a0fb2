//! Finders of maps that grow and shrink.

use crate::{
    bounds::Bounds,
    finder::{PathFinder, movements::KeptMovement},
};

impl PathFinder {
    /// Grows or shrinks the map at any side, until it covers these bounds; says whether that made a difference. Cells keep their
    /// coordinates and their classes, new ones hold the class given or, with `None`, are [void](crate::Edit::void). Movements
    /// keep their ids.
    ///
    /// Searches under way go on on the map as it was, as their revision says
    /// ([`PathSearch::revision`](crate::PathSearch::revision)); a flow field takes what it knows along when it is
    /// [updated](crate::field::FlowField::update), and so does a [`WhatIf`](crate::WhatIf) with its next question. Limits are those
    /// of [`Bounds::new`], which refuses what is too large before anything is changed.
    ///
    /// # Complexity
    /// O(cells of the new map) for each movement in use, at the speed of copying them, and a few nanoseconds for each cell that is
    /// new. Where the lowest column and row move by multiples of 64, what can be reached is labelled again only along the sides
    /// that moved. Where jump points are in use, their lines are made again with the next search, a nanosecond or two a cell.
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
            movement_map.follow_resize(&self.grid, &before);
            regions.follow_resize(&before, &bounds, movement_map.movement().size());
        }
        self.keep_within_limit();
        true
    }
}

//! Maps that grow and shrink.
//!
//! Decision: `docs/decisions/12-growing-maps.md`.

use crate::{
    bounds::Bounds,
    finder::{PathFinder, kept_movement::KeptMovement},
};

impl PathFinder {
    /// Grows or shrinks the map at any side until it covers these bounds; returns whether the
    /// bounds changed. Cells keep their coordinates and terrain classes. New cells get the class
    /// `class`; if it is `None`, they are [void](crate::Edit::void).
    ///
    /// Movements keep their ids. Running searches continue on the old map; they keep its revision
    /// ([`PathSearch::revision`](crate::PathSearch::revision)). The next
    /// [update](crate::field::FlowField::update) of a flow field keeps the data of the field. The
    /// next query to a [`WhatIf`](crate::WhatIf) keeps the data of the `WhatIf`.
    ///
    /// [`Bounds::new`] rejects bounds that are too large, so this function cannot fail.
    ///
    /// # Complexity
    /// For each movement in use: O(cells of the new map), at the speed of a memory copy. Each new
    /// cell adds a few nanoseconds.
    ///
    /// If the lowest column and row move by multiples of 64, reachability is labelled again only
    /// along the sides that moved. If jump points are in use, the next search prepares the map for
    /// them again. This takes one to two nanoseconds a cell.
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
        for KeptMovement { map: movement_map, regions, landmarks, .. } in &mut self.movements {
            movement_map.follow_resize(&self.grid, &before);
            landmarks.follow_resize();
            regions.follow_resize(&before, &bounds, movement_map.movement().size());
        }
        self.keep_within_limit();
        true
    }
}

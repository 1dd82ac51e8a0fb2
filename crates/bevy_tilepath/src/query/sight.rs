//! Sight: the cells that are visible from a place.

use tilepath::{Bounds, Cell};

use crate::{failure::PathFailure, map::place::Place, order::approach::Approach, query::view::NavView};

impl NavView<'_> {
    /// Returns whether the place `to` can be seen from the place `from`. It can be seen if it is at
    /// most `range` away and no [opaque](crate::NavMap::opaque) cell hides it.
    ///
    /// For an order to a cell from which a place can be seen, use
    /// [`PathGoal::in_sight`](crate::PathGoal::in_sight).
    ///
    /// # Units
    /// `range` is in cells, at most 64. On squares the distance is the length of the straight line.
    /// On hexagons it is the number of steps.
    ///
    /// # Errors
    /// - [`PathFailure::InvalidDistance`]
    /// - The errors of [`find`](Self::find) for a place that is not on the map.
    ///
    /// # Examples
    /// ```
    /// use bevy_ecs::{prelude::*, system::RunSystemOnce};
    /// use bevy_tilepath::{Cell, NavGrid, NavMap, NavQuery, tilepath::format::parse_ascii};
    ///
    /// let mut world = World::new();
    /// world.spawn((NavMap::default(), NavGrid::new(parse_ascii("
    ///     ..#.
    ///     ....
    /// ")?)));
    /// world.run_system_once(|nav: NavQuery| {
    ///     let map = nav.only_map().unwrap();
    ///     assert_eq!(map.sees(Cell::new(0, 0), Cell::new(3, 0), 8.0), Ok(true));
    ///     assert_eq!(map.sees(Cell::new(0, 0), Cell::new(3, 0), 2.0), Ok(false), "too far");
    ///     assert_eq!(map.sees(Cell::new(0, 1), Cell::new(3, 1), 8.0), Ok(false), "behind the wall");
    ///     assert_eq!(map.cells_in_sight(Cell::new(0, 1), 3.0).unwrap().len(), 6);
    /// }).unwrap();
    /// # Ok::<(), bevy_tilepath::tilepath::format::MapTextError>(())
    /// ```
    #[doc(alias = "line of sight")]
    pub fn sees(
        &self,
        from: impl Into<Place>,
        to: impl Into<Place>,
        range: f32,
    ) -> Result<bool, PathFailure> {
        let sight = Self::sight(range)?;
        let from = self.cell_on_map(&from.into(), PathFailure::start_off)?;
        let to = self.cell_on_map(&to.into(), PathFailure::goal_off)?;
        Ok(sight.holds(from, &[to], &self.view))
    }

    /// Returns the cells that can be [seen](Self::sees) from a place. They are sorted by row
    /// number, and in each row by column number, both from the lowest. An opaque cell is included
    /// if no other opaque cell hides it.
    ///
    /// # Units
    /// The units of [`sees`](Self::sees).
    ///
    /// # Errors
    /// The errors of [`sees`](Self::sees).
    ///
    /// # Complexity
    /// O(range³): for each cell within the range, the cells on the line of sight to it are read.
    #[doc(alias = "field of view", alias = "fog of war")]
    pub fn cells_in_sight(&self, from: impl Into<Place>, range: f32) -> Result<Vec<Cell>, PathFailure> {
        let sight = Self::sight(range)?;
        let from = self.cell_on_map(&from.into(), PathFailure::start_off)?;
        let held = sight.held(&[from], &self.view);
        let grid = self.view.grid.grid();
        Ok(held.map_or_else(Vec::new, |held| held.cells().filter(|&cell| grid.contains(cell)).collect()))
    }

    fn sight(range: f32) -> Result<Approach, PathFailure> {
        let sight = Approach::InSight(range);
        sight.fault().map_or(Ok(sight), Err)
    }

    fn cell_on_map(&self, place: &Place, off: fn(Cell, Bounds) -> PathFailure) -> Result<Cell, PathFailure> {
        let cell = self.view.cell_of(place, off)?;
        let grid = self.view.grid.grid();
        if grid.contains(cell) { Ok(cell) } else { Err(off(cell, grid.bounds())) }
    }
}

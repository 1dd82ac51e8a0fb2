//! Sight and views: what can be shot at, and what can be seen, from a place.

use tilepath::{Bounds, Cell};

use crate::{
    failure::PathFailure,
    map::place::Place,
    order::approach::{Approach, distance::is_within},
    query::view::NavView,
};

impl NavView<'_> {
    /// Returns whether the place `to` can be seen from the place `from`. It can be seen if it is at
    /// most `range` away and no [opaque](crate::NavMap::opaque) cell lies on the line between the two
    /// centres. Use it for shots. For what a unit sees, use [`cells_in_view`](Self::cells_in_view).
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
    /// Use it for the cells that a unit can shoot at. In fog of war, most walls of a corridor would
    /// be missing: there use [`cells_in_view`](Self::cells_in_view).
    ///
    /// # Units
    /// The units of [`sees`](Self::sees).
    ///
    /// # Errors
    /// The errors of [`sees`](Self::sees).
    ///
    /// # Complexity
    /// O(range³): for each cell within the range, the cells on the line of sight to it are read.
    pub fn cells_in_sight(&self, from: impl Into<Place>, range: f32) -> Result<Vec<Cell>, PathFailure> {
        let sight = Self::sight(range)?;
        let from = self.cell_on_map(&from.into(), PathFailure::start_off)?;
        let held = sight.held(&[from], &self.view);
        let grid = self.view.grid.grid();
        Ok(held.map_or_else(Vec::new, |held| held.cells().filter(|&cell| grid.contains(cell)).collect()))
    }

    /// Returns the cells that a unit sees from a place, with the walls that end its view. They are
    /// sorted by row number, and in each row by column number, both from the lowest. Use it for fog of
    /// war, and for a danger that walls stop.
    ///
    /// A cell hides what is behind it if its class is [opaque](crate::NavMap::opaque). The view is
    /// symmetric: if an open cell sees another open cell, it is seen from there. What
    /// [`sees`](Self::sees) finds on open cells is in view, too.
    /// [`Topology::view`](tilepath::Topology::view) has the exact rule, and calls a closure for each
    /// cell without a list.
    ///
    /// # Units
    /// The units of [`sees`](Self::sees).
    ///
    /// # Errors
    /// The errors of [`sees`](Self::sees).
    ///
    /// # Complexity
    /// O(n log n) for n visible cells.
    ///
    /// # Examples
    /// A corridor, and what a unit at its west end sees of it:
    /// ```
    /// use bevy_ecs::{prelude::*, system::RunSystemOnce};
    /// use bevy_tilepath::{Cell, NavGrid, NavMap, NavQuery, tilepath::format::parse_ascii};
    ///
    /// let mut world = World::new();
    /// world.spawn((NavMap::default(), NavGrid::new(parse_ascii("########\n........\n########")?)));
    /// world.run_system_once(|nav: NavQuery| {
    ///     let map = nav.only_map().unwrap();
    ///     assert_eq!(map.cells_in_view(Cell::new(0, 1), 20.0).unwrap().len(), 24, "with all walls");
    ///     assert_eq!(map.cells_in_sight(Cell::new(0, 1), 20.0).unwrap().len(), 12);
    /// }).unwrap();
    /// # Ok::<(), bevy_tilepath::tilepath::format::MapTextError>(())
    /// ```
    #[doc(alias = "field of view", alias = "fog of war", alias = "shadow casting")]
    pub fn cells_in_view(&self, from: impl Into<Place>, range: f32) -> Result<Vec<Cell>, PathFailure> {
        self.cells_in_view_by(from, range, |class| self.view.grid.is_opaque(class))
    }

    /// Returns the cells that a unit sees from a place, as [`cells_in_view`](Self::cells_in_view) does,
    /// if these classes hide what is behind them. Use it if the eye follows other rules than a shot: one
    /// sees through a window, but a forest that lets arrows pass hides an ambush.
    ///
    /// Cells outside the map and void cells hide what is behind them.
    ///
    /// # Errors
    /// The errors of [`sees`](Self::sees).
    ///
    /// # Examples
    /// ```
    /// use bevy_ecs::{prelude::*, system::RunSystemOnce};
    /// use bevy_tilepath::{Cell, NavGrid, NavMap, NavQuery, maps::OpaqueClasses, tilepath::format::parse_ascii};
    ///
    /// /// `3` is a window: nothing flies through it.
    /// const HOUSE: &str = "..3..";
    /// let mut world = World::new();
    /// let rules = NavMap { opaque: OpaqueClasses::new([0, 3]), ..NavMap::default() };
    /// world.spawn((rules, NavGrid::new(parse_ascii(HOUSE)?)));
    /// world.run_system_once(|nav: NavQuery| {
    ///     let map = nav.only_map().unwrap();
    ///     let from = Cell::new(0, 0);
    ///     assert_eq!(map.cells_in_view(from, 8.0).unwrap().len(), 3);
    ///     assert_eq!(map.cells_in_view_by(from, 8.0, |class| class == 0).unwrap().len(), 5);
    /// }).unwrap();
    /// # Ok::<(), bevy_tilepath::tilepath::format::MapTextError>(())
    /// ```
    pub fn cells_in_view_by(
        &self,
        from: impl Into<Place>,
        range: f32,
        mut is_opaque: impl FnMut(u8) -> bool,
    ) -> Result<Vec<Cell>, PathFailure> {
        Self::sight(range)?;
        let from = self.cell_on_map(&from.into(), PathFailure::start_off)?;
        let grid = self.view.grid.grid();
        let topology = grid.topology();
        let mut seen = Vec::new();
        // The range is at most 64. Cells between it and the next whole number are left out.
        topology.view(
            from,
            range.ceil() as u8,
            |cell| grid.terrain(cell).is_none_or(&mut is_opaque),
            |cell| {
                if grid.contains(cell) && is_within(cell, &[from], range, topology) {
                    seen.push(cell);
                }
            },
        );
        seen.sort_unstable_by_key(|cell| (cell.y, cell.x));
        Ok(seen)
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

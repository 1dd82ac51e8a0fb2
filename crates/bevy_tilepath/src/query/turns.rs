//! Turn-based ranges and paths.

use tilepath::{
    Cost,
    turns::{TurnPath, TurnQuery, TurnRange},
};

use crate::{failure::PathFailure, map::place::Place, query::view::NavView};

impl NavView<'_> {
    /// Returns a query for a unit that stands at a place and has this number of movement points in
    /// each turn. You can add to the query: the points that are left in the first turn, the number
    /// of turns, and the cells that the unit may pass but not stop on. You can also add zones of
    /// control, other points at sea, and the only cells to stop on.
    ///
    /// Orders, [`range`](Self::range) and fields obey none of these rules. To walk the first turn of a
    /// path, give the unit `PathRequest::along(path.leg(1))`.
    ///
    /// A unit may not stop where a friend stands: exclude the friend's [cell](Self::cell_at). For a
    /// unit of several cells exclude every cell from which it would cover the friend's cell.
    ///
    /// # Units
    /// `points` is in cost units. With the classic step costs, five straight steps on ground of
    /// cost 1 cost 50.
    ///
    /// # Errors
    /// - [`PathFailure::PositionNotFinite`]
    /// - [`PathFailure::MapWithoutArea`]
    /// - [`PathFailure::WrongKindOfMap`] if the start is a waypoint.
    /// - [`PathFailure::StartOutOfBounds`] if the position is beyond the range of cell coordinates.
    pub fn turn_query(&self, start: impl Into<Place>, points: Cost) -> Result<TurnQuery, PathFailure> {
        let start = self.view.cell_of(&start.into(), PathFailure::start_off)?;
        Ok(TurnQuery::new(start, points).with_movement(self.view.movement))
    }

    /// Returns every cell on which a unit may stop, with the turn in which it gets there. In a
    /// tactics game these are the blue squares, in one shade for each turn. The range also has the
    /// path to each cell.
    ///
    /// # Errors
    /// A [`QueryError`](tilepath::QueryError) of `tilepath`, as a [`PathFailure`].
    ///
    /// # Complexity
    /// The complexity of [`PathFinder::solve_turns`](tilepath::PathFinder::solve_turns).
    ///
    /// # Examples
    /// ```
    /// use bevy_ecs::{prelude::*, system::RunSystemOnce};
    /// use bevy_math::Vec2;
    /// use bevy_tilepath::{Cell, Cost, NavGrid, NavMap, NavProjection, NavQuery, tilepath::format::parse_ascii};
    ///
    /// let mut world = World::new();
    /// let grid = parse_ascii("
    ///     .....
    ///     .###.
    ///     .....
    /// ")?;
    /// world.spawn((NavMap::default(), NavGrid::new(grid), NavProjection::square(Vec2::splat(10.0), Vec2::splat(5.0))));
    ///
    /// world.run_system_once(|nav: NavQuery| {
    ///     let map = nav.only_map().unwrap();
    ///     let friend = map.cell_at(Vec2::new(25.0, 5.0)).unwrap();
    ///     let knight = map.turn_query(Vec2::new(5.0, 5.0), Cost::new(20)).unwrap(); // two straight steps a turn
    ///     let range = map.solve_turns(&knight.with_turns(3).with_no_stop([friend])).unwrap();
    ///     let [now, next] = [1, 2].map(|turn| range.cells_of_turn(turn).len());
    ///     assert_eq!((now, next), (4, 3));
    ///     assert!(!range.contains(friend));
    ///     // The second turn leads past the friend, from the cell in front of it.
    ///     let way = range.path_to(Cell::new(3, 0)).unwrap();
    ///     assert_eq!((way.turns(), way.stops()), (2, &[1, 3][..]));
    /// }).unwrap();
    /// # Ok::<(), bevy_tilepath::tilepath::format::MapTextError>(())
    /// ```
    pub fn solve_turns(&self, query: &TurnQuery) -> Result<TurnRange, PathFailure> {
        Ok(self.view.finder.solve_turns(query)?)
    }

    /// Returns the path to one place that takes the fewest turns. If several paths take as few
    /// turns, returns the path that leaves the most points in the last turn. Returns `None` if
    /// there is no path within the turns of the query, or the unit may not stop there.
    ///
    /// # Errors
    /// - [`PathFailure::PositionNotFinite`]
    /// - [`PathFailure::MapWithoutArea`]
    /// - [`PathFailure::WrongKindOfMap`] if the goal is a waypoint.
    /// - A [`QueryError`](tilepath::QueryError) of `tilepath`, as a [`PathFailure`].
    ///
    /// # Examples
    /// ```
    /// use bevy_ecs::{prelude::*, system::RunSystemOnce};
    /// use bevy_tilepath::{Cell, Cost, NavGrid, NavMap, NavQuery, tilepath::Grid};
    ///
    /// let mut world = World::new();
    /// world.spawn((NavMap::default(), NavGrid::new(Grid::new(9, 1, 1)?)));
    /// world.run_system_once(|nav: NavQuery| {
    ///     let map = nav.only_map().unwrap();
    ///     let unit = map.turn_query(Cell::new(0, 0), Cost::new(35)).unwrap().with_points_left(Cost::new(10));
    ///     let way = map.solve_turn_path(&unit, Cell::new(8, 0)).unwrap().unwrap();
    ///     assert_eq!(way.stops(), [1, 4, 7, 8]);
    /// }).unwrap();
    /// # Ok::<(), bevy_tilepath::tilepath::GridError>(())
    /// ```
    pub fn solve_turn_path(
        &self,
        query: &TurnQuery,
        goal: impl Into<Place>,
    ) -> Result<Option<TurnPath>, PathFailure> {
        let goal = self.view.cell_of(&goal.into(), PathFailure::goal_off)?;
        Ok(self.view.finder.solve_turn_path(query, goal)?)
    }
}

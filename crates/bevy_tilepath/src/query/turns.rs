//! Ranges and ways of units that move a number of points a turn.

use tilepath::{
    Cost,
    turns::{TurnPath, TurnQuery, TurnRange},
};

use crate::{failure::PathFailure, map::place::Place, query::view::NavView};

impl NavView<'_> {
    /// A unit at a place with a number of points a turn, to add to: points it has left, turns, cells that it may pass and not
    /// stop on.
    ///
    /// Where a friend stands the unit may not stop: that is the friend's [cell](Self::cell_at), and for a unit of several cells
    /// each cell at which it would cover that.
    ///
    /// # Units
    /// Cost units: five straight steps on ground of cost 1 are 50 with the classic steps.
    ///
    /// # Errors
    /// - [`PathFailure::PositionNotFinite`]
    /// - [`PathFailure::MapWithoutArea`]
    /// - [`PathFailure::WrongKindOfMap`] for a waypoint.
    /// - [`PathFailure::StartOutOfBounds`] for positions beyond all cells.
    pub fn turn_query(&self, start: impl Into<Place>, points: Cost) -> Result<TurnQuery, PathFailure> {
        let start = self.view.cell_of(&start.into(), PathFailure::start_off)?;
        Ok(TurnQuery::new(start, points).with_movement(self.view.movement))
    }

    /// Every cell on which a unit may stop, with the turn in which it gets there: a tactics game's blue squares, in as many
    /// shades as there are turns. It knows the way to each of them.
    ///
    /// # Errors
    /// The core's [`QueryError`](tilepath::QueryError), as the plugin words it.
    ///
    /// # Complexity
    /// As [`PathFinder::solve_turns`](tilepath::PathFinder::solve_turns).
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
    ///     // Past the friend in the second turn, from the cell before it.
    ///     let way = range.path_to(Cell::new(3, 0)).unwrap();
    ///     assert_eq!((way.turns(), way.stops()), (2, &[1, 3][..]));
    /// }).unwrap();
    /// # Ok::<(), bevy_tilepath::tilepath::format::MapTextError>(())
    /// ```
    pub fn solve_turns(&self, query: &TurnQuery) -> Result<TurnRange, PathFailure> {
        Ok(self.view.finder.solve_turns(query)?)
    }

    /// The way to one place in the fewest turns, and of these the one that leaves most of the last. `None` where there is none, not
    /// within the query's turns, or the unit may not stop there.
    ///
    /// # Errors
    /// - [`PathFailure::PositionNotFinite`]
    /// - [`PathFailure::MapWithoutArea`]
    /// - [`PathFailure::WrongKindOfMap`] for a waypoint.
    /// - The core's [`QueryError`](tilepath::QueryError), as the plugin words it.
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

//! Many paths in one search: ranges, nearest places, flow fields.

use tilepath::{
    Cell, Cost, MoveRange, NearestGoal, NearestQuery, RangeQuery,
    field::{FieldQuery, FlowField},
};

use crate::{failure::PathFailure, map::place::Place, query::view::NavView};

impl NavView<'_> {
    /// Returns every cell that a unit at a place can reach at a cost of at most `budget`.
    ///
    /// The start cell is always included.
    ///
    /// # Units
    /// `budget` is in cost units. With the classic step costs, five straight steps on ground of
    /// cost 1 cost 50.
    ///
    /// # Errors
    /// - [`PathFailure::PositionNotFinite`]
    /// - [`PathFailure::MapWithoutArea`], [`PathFailure::MapWithoutCells`]
    /// - [`PathFailure::WrongKindOfMap`] if the start is a waypoint.
    /// - [`PathFailure::StartOutOfBounds`]
    ///
    /// # Complexity
    /// O(cells reached).
    ///
    /// # Examples
    /// ```
    /// use bevy_ecs::{prelude::*, system::RunSystemOnce};
    /// use bevy_math::Vec2;
    /// use bevy_tilepath::{
    ///     Cell, Cost, NavGrid, NavMap, NavProjection, NavQuery, tilepath::format::parse_ascii,
    /// };
    ///
    /// #[derive(Component)]
    /// struct BlueSquare { position: Vec2, costs: Cost }
    ///
    /// let mut world = World::new();
    /// let grid = parse_ascii("
    ///     ....#
    ///     .#.3.
    ///     ...#.
    /// ")?;
    /// world.spawn((NavMap::default(), NavGrid::new(grid), NavProjection::square(Vec2::splat(10.0), Vec2::splat(5.0))));
    ///
    /// world.run_system_once(|nav: NavQuery, mut commands: Commands| {
    ///     let map = nav.only_map().unwrap();
    ///     let range = map.range(Vec2::new(5.0, 5.0), Cost::new(40)).unwrap();
    ///     for reached in range.cells() {
    ///         let position = map.world_of(reached.cell).unwrap();
    ///         commands.spawn(BlueSquare { position, costs: reached.cost });
    ///     }
    ///     // The square under the cursor, and the path to it.
    ///     let cell = map.cell_at(Vec2::new(24.0, 12.0)).unwrap();
    ///     assert_eq!(map.points(&range.path_to(cell).unwrap()).len(), 4);
    /// }).unwrap();
    ///
    /// let mut squares = world.query::<&BlueSquare>();
    /// assert_eq!(squares.iter(&world).count(), 8);
    /// let far = squares.iter(&world).find(|square| square.position == Vec2::new(25.0, 25.0)).unwrap();
    /// assert_eq!(far.costs, Cost::new(40));
    /// # Ok::<(), bevy_tilepath::tilepath::format::MapTextError>(())
    /// ```
    pub fn range(&self, start: impl Into<Place>, budget: Cost) -> Result<MoveRange, PathFailure> {
        let start = self.view.cell_of(&start.into(), PathFailure::start_off)?;
        let query = RangeQuery::new(start, budget).with_movement(self.view.movement);
        Ok(self.view.finder.solve_range(&query)?)
    }

    /// Returns the place that is cheapest to reach, with the path to this place. If several places
    /// cost the same, returns the first of them in the list. Returns `None` if no place can be
    /// reached or the list is empty.
    ///
    /// To send an agent there, give it [`PathRequest::to_nearest`](crate::PathRequest::to_nearest).
    ///
    /// # Errors
    /// - [`PathFailure::PositionNotFinite`]
    /// - [`PathFailure::MapWithoutArea`], [`PathFailure::MapWithoutCells`]
    /// - [`PathFailure::WrongKindOfMap`] if the start or a place is a waypoint.
    /// - [`PathFailure::StartOutOfBounds`]
    /// - [`PathFailure::GoalOutOfBounds`] if a place is not on the map.
    /// - [`PathFailure::CostOverflow`] if nothing was found because the costs are too large to be
    ///   counted.
    ///
    /// # Examples
    /// ```
    /// use bevy_ecs::{prelude::*, system::RunSystemOnce};
    /// use bevy_math::Vec2;
    /// use bevy_tilepath::{Cell, NavGrid, NavMap, NavProjection, NavQuery, tilepath::format::parse_ascii};
    ///
    /// let mut world = World::new();
    /// let grid = parse_ascii("
    ///     .....
    ///     .###.
    ///     ...#.
    /// ")?;
    /// world.spawn((NavMap::default(), NavGrid::new(grid), NavProjection::square(Vec2::splat(10.0), Vec2::splat(5.0))));
    ///
    /// world.run_system_once(|nav: NavQuery| {
    ///     let map = nav.only_map().unwrap();
    ///     let hero = Vec2::new(25.0, 5.0);
    ///     // In a straight line the first is nearer, but it is behind a wall.
    ///     let chests = [Vec2::new(45.0, 5.0), Vec2::new(5.0, 15.0)];
    ///     let nearest = map.nearest(hero, chests).unwrap().unwrap();
    ///     assert_eq!((nearest.index, nearest.path.cost().get()), (1, 30));
    ///
    ///     // Cells instead of positions.
    ///     let cells = [Cell::new(4, 0), Cell::new(0, 1)];
    ///     assert_eq!(map.nearest(hero, cells).unwrap().unwrap(), nearest);
    /// }).unwrap();
    /// # Ok::<(), bevy_tilepath::tilepath::format::MapTextError>(())
    /// ```
    pub fn nearest<P: Into<Place>>(
        &self,
        start: impl Into<Place>,
        places: impl IntoIterator<Item = P>,
    ) -> Result<Option<NearestGoal>, PathFailure> {
        Ok(self.k_nearest(start, places, 1)?.pop())
    }

    /// Returns the `k` places that are cheapest to reach, sorted by cost from the lowest. One
    /// search finds all of them. If fewer than `k` places can be reached, returns all places that
    /// can be reached.
    ///
    /// # Errors
    /// The errors of [`nearest`](Self::nearest). Also [`PathFailure::CostOverflow`] if one more
    /// place may be reachable, but at a cost that is too large to be counted.
    pub fn k_nearest<P: Into<Place>>(
        &self,
        start: impl Into<Place>,
        places: impl IntoIterator<Item = P>,
        k: usize,
    ) -> Result<Vec<NearestGoal>, PathFailure> {
        let start = self.view.cell_of(&start.into(), PathFailure::start_off)?;
        let query =
            NearestQuery::new(start, self.cells_of(places)?).with_count(k).with_movement(self.view.movement);
        Ok(self.view.finder.solve_nearest(&query)?.goals)
    }

    /// Returns a flow field. From every cell of the map, the field leads to the nearest of some
    /// places. One search serves any number of units.
    ///
    /// Put the field into an `Arc` to share it. The field is valid for the map and rules at the
    /// time of the call. After edits of the map, and after a change of the rules in
    /// [`NavMap`](crate::NavMap), update the field with [`FlowField::update`] and the map's
    /// [`finder`](crate::NavGrid::finder). If the size of the tilemap changes, make a new field.
    ///
    /// # Errors
    /// - [`PathFailure::PositionNotFinite`]
    /// - [`PathFailure::MapWithoutArea`], [`PathFailure::MapWithoutCells`]
    /// - [`PathFailure::WrongKindOfMap`] if a place is a waypoint.
    /// - [`PathFailure::GoalOutOfBounds`] if a place is not on the map.
    ///
    /// # Complexity
    /// O(cells).
    ///
    /// # Examples
    /// ```
    /// use std::sync::Arc;
    /// use bevy_ecs::{prelude::*, system::RunSystemOnce};
    /// use bevy_math::Vec2;
    /// use bevy_tilepath::{
    ///     tilepath::{field::FlowField, format::parse_ascii, Direction}, Cell, Cost, NavGrid, NavMap,
    ///     NavProjection, NavQuery,
    /// };
    ///
    /// #[derive(Resource)]
    /// struct WayToTheGate(Arc<FlowField>);
    ///
    /// let mut world = World::new();
    /// let grid = parse_ascii("
    ///     ....
    ///     .##.
    ///     ....
    /// ")?;
    /// world.spawn((NavMap::default(), NavGrid::new(grid), NavProjection::square(Vec2::splat(10.0), Vec2::splat(5.0))));
    ///
    /// world.run_system_once(|nav: NavQuery, mut commands: Commands| {
    ///     let map = nav.only_map().unwrap();
    ///     let field = map.field([Vec2::new(35.0, 5.0)]).unwrap();
    ///     commands.insert_resource(WayToTheGate(Arc::new(field)));
    /// }).unwrap();
    /// world.run_system_once(|nav: NavQuery, gate: Res<WayToTheGate>| {
    ///     let cell = nav.only_map().unwrap().cell_at(Vec2::new(5.0, 15.0)).unwrap();
    ///     assert_eq!(gate.0.direction(cell), Some(Direction::South));
    ///     assert_eq!(gate.0.cost(cell), Some(Cost::new(40)));
    /// }).unwrap();
    /// # Ok::<(), bevy_tilepath::tilepath::format::MapTextError>(())
    /// ```
    #[doc(alias = "flow field", alias = "Dijkstra map", alias = "vector field")]
    pub fn field<P: Into<Place>>(
        &self,
        places: impl IntoIterator<Item = P>,
    ) -> Result<FlowField, PathFailure> {
        let query = FieldQuery::new(self.cells_of(places)?).with_movement(self.view.movement);
        Ok(self.view.finder.solve_field(&query)?)
    }

    fn cells_of<P: Into<Place>>(
        &self,
        places: impl IntoIterator<Item = P>,
    ) -> Result<Vec<Cell>, PathFailure> {
        places.into_iter().map(|place| self.view.cell_of(&place.into(), PathFailure::goal_off)).collect()
    }
}

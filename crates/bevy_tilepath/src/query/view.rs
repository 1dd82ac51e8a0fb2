//! Views of tile maps: paths, cells and positions.

use std::fmt;

use bevy_ecs::entity::Entity;
use bevy_math::Vec2;
use tilepath::{Answer, Cell, MovementId, Path, PathFinder, PathQuery};

use crate::{
    failure::PathFailure,
    map::{
        map_view::MapView, movement::AgentMovement, nav_grid::NavGrid, place::Place,
        projection::NavProjection,
    },
    query::NavQuery,
};

/// A view of one tile map. Its methods answer at once: see [`NavQuery`].
///
/// All answers are for one movement: the map's own rules, or [another
/// movement](Self::with_movement). If a unit covers several cells, the cell of the unit is the
/// lowest and leftmost of them. The position of the unit is the centre of all its cells.
#[derive(Clone, Copy)]
pub struct NavView<'a> {
    pub(super) view: MapView<'a>,
    /// The query that made this view. It has the other maps, the doors and the positions of
    /// entities.
    pub(super) nav: &'a NavQuery<'a, 'a>,
}

impl fmt::Debug for NavView<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.view.fmt(formatter)
    }
}

impl<'a> NavView<'a> {
    /// Returns a view of this map for another movement. All answers of the new view are for units
    /// with this movement.
    ///
    /// # Errors
    /// [`PathFailure::UnknownMovement`] if the map does not define a movement of this name, or if
    /// the movement is an unnamed one that no unit and no order has.
    ///
    /// # Examples
    /// ```
    /// use bevy_app::App;
    /// use bevy_ecs::{prelude::*, system::RunSystemOnce};
    /// use bevy_tilepath::{
    ///     Cell, CostTable, Movement, NavGrid, NavMap, NavQuery, TilepathPlugin, sync_maps_now,
    ///     tilepath::format::parse_ascii,
    /// };
    ///
    /// let mut app = App::new();
    /// app.add_plugins(TilepathPlugin::default());
    /// let world = app.world_mut();
    /// let boat = Movement::new().with_costs(CostTable::impassable().with(4, 1));
    /// world.spawn((NavMap::default().with_movement("boat", boat), NavGrid::new(parse_ascii("4#4\n444")?)));
    /// sync_maps_now(world)?;
    ///
    /// world.run_system_once(|nav: NavQuery| {
    ///     let map = nav.only_map().unwrap();
    ///     let (from, to) = (Cell::new(0, 1), Cell::new(2, 1));
    ///     let walked = map.find(from, to).unwrap().outcome.path().unwrap().cost();
    ///     let sailed = map.with_movement("boat").unwrap().find(from, to).unwrap().outcome.path().unwrap().cost();
    ///     assert_eq!((walked.get(), sailed.get()), (160, 40));
    ///     assert!(map.with_movement("cart").unwrap_err().to_string().contains("NavMap::with_movement"));
    /// }).unwrap();
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn with_movement(self, movement: impl Into<AgentMovement>) -> Result<Self, PathFailure> {
        self.by(Some(&movement.into()))
    }

    /// Returns a view for this movement, or for the map's own rules.
    pub(super) fn by(self, movement: Option<&AgentMovement>) -> Result<Self, PathFailure> {
        Ok(Self { view: self.view.by(movement)?, ..self })
    }

    /// Returns the id of this view's movement, for queries to the [`finder`](NavGrid::finder).
    #[must_use]
    pub fn movement(&self) -> MovementId {
        self.view.movement
    }

    /// Returns the map's entity.
    #[must_use]
    pub fn entity(&self) -> Entity {
        self.view.map
    }

    /// Returns the finder that answers the queries of this view. It is the finder of the map's
    /// grid. In a view of [`NavWhatIf`](crate::queries::NavWhatIf), it is a second finder with the
    /// additional walls.
    #[must_use]
    pub fn finder(&self) -> &'a PathFinder {
        self.view.finder
    }

    /// Returns the map's grid. A view of [`NavWhatIf`](crate::queries::NavWhatIf) returns the grid
    /// of the real map too.
    #[must_use]
    pub fn grid(&self) -> &'a NavGrid {
        self.view.grid
    }

    /// Returns the projection of the map: where its cells lie in the world.
    #[must_use]
    pub fn projection(&self) -> &'a NavProjection {
        self.view.projection
    }

    /// Returns a query for a path between two places, with the movement of this view. Add options
    /// to the query if you need them.
    ///
    /// # Errors
    /// - [`PathFailure::PositionNotFinite`]
    /// - [`PathFailure::MapWithoutArea`]
    /// - [`PathFailure::WrongKindOfMap`] if a place is a waypoint: use [`NavQuery::graph`].
    /// - [`PathFailure::StartOutOfBounds`] and [`PathFailure::GoalOutOfBounds`] if a position is
    ///   beyond the range of cell coordinates. [`solve`](Self::solve) returns them also for cells
    ///   that are merely off the map.
    pub fn query(&self, start: impl Into<Place>, goal: impl Into<Place>) -> Result<PathQuery, PathFailure> {
        let start = self.view.cell_of(&start.into(), PathFailure::start_off)?;
        let goal = self.view.cell_of(&goal.into(), PathFailure::goal_off)?;
        Ok(PathQuery::new(start, goal).with_movement(self.view.movement))
    }

    /// Answers a query. The movement is the movement of the query, not of this view.
    ///
    /// # Errors
    /// A [`QueryError`](tilepath::QueryError) of `tilepath`, as a [`PathFailure`].
    pub fn solve(&self, query: &PathQuery) -> Result<Answer, PathFailure> {
        Ok(self.view.finder.solve(query)?)
    }

    /// Returns the cheapest path between two places. If there is no path, the answer is `Ok` and
    /// its outcome is not a path.
    ///
    /// # Errors
    /// - [`PathFailure::PositionNotFinite`]
    /// - [`PathFailure::MapWithoutArea`], [`PathFailure::MapWithoutCells`]
    /// - [`PathFailure::WrongKindOfMap`] if a place is a waypoint: use [`NavQuery::graph`].
    /// - [`PathFailure::StartOutOfBounds`]
    /// - [`PathFailure::GoalOutOfBounds`]
    /// - [`PathFailure::CostOverflow`]
    pub fn find(&self, start: impl Into<Place>, goal: impl Into<Place>) -> Result<Answer, PathFailure> {
        self.solve(&self.query(start, goal)?)
    }

    /// Returns the cheapest path between two places. If the goal cannot be reached, the path leads
    /// to the reachable cell closest to it. See [`find`](Self::find).
    ///
    /// # Errors
    /// The errors of [`find`](Self::find).
    pub fn find_closest(
        &self,
        start: impl Into<Place>,
        goal: impl Into<Place>,
    ) -> Result<Answer, PathFailure> {
        self.solve(&self.query(start, goal)?.or_closest())
    }

    /// Returns whether there is a path from one place to another. The answer is exact, and no
    /// search runs.
    ///
    /// # Errors
    /// The errors of [`find`](Self::find), except [`PathFailure::CostOverflow`]: the cost of the
    /// path does not matter.
    ///
    /// # Complexity
    /// Two look-ups in the regions of the map, which all searches share. The first call on a map
    /// computes the regions of the whole map. The first call after edits of the map updates the
    /// regions, in microseconds for one edit.
    pub fn is_reachable(&self, start: impl Into<Place>, goal: impl Into<Place>) -> Result<bool, PathFailure> {
        let query = self.query(start, goal)?;
        Ok(self.view.finder.is_reachable(&query)?)
    }

    /// Returns the cell of this map under a position in the world. If the movement covers several
    /// cells, returns the cell of a unit whose centre is at this position.
    #[must_use]
    pub fn cell_at(&self, world: Vec2) -> Option<Cell> {
        self.view.unbounded_cell_at(world).filter(|&cell| self.view.grid.grid().contains(cell))
    }

    /// Returns the centre of a cell in the world, or `None` if the cell is not on the map. If the
    /// movement covers several cells, returns the centre of a unit whose lowest and leftmost cell
    /// is `cell`.
    #[must_use]
    pub fn world_of(&self, cell: Cell) -> Option<Vec2> {
        self.view.grid.grid().contains(cell).then(|| self.view.position_of(cell))
    }

    /// Returns the points of a path in the world, to draw the path. The points are the centres of
    /// the path's cells. If the movement covers several cells, they are the centres of the unit.
    #[must_use]
    pub fn points(&self, path: &Path) -> Vec<Vec2> {
        path.cells().iter().map(|&cell| self.view.position_of(cell)).collect()
    }
}

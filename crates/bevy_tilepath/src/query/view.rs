//! A tile map to ask: paths, cells and positions.

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

/// One tile map as a unit sees it, to be asked at once: see [`NavQuery`].
///
/// All answers are for one movement: that of the map's own rules, or [another](Self::with_movement). The cell of a unit of
/// several cells is the lowest and leftmost one, and positions are those of the centre of all.
#[derive(Clone, Copy)]
pub struct NavView<'a> {
    pub(super) view: MapView<'a>,
    /// The query that gave it: other maps, doors, and where entities are.
    pub(super) nav: &'a NavQuery<'a, 'a>,
}

impl fmt::Debug for NavView<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.view.fmt(formatter)
    }
}

impl<'a> NavView<'a> {
    /// The same map as a unit sees it that moves like this: all answers are for that.
    ///
    /// # Errors
    /// [`PathFailure::UnknownMovement`] for a name that the map does not define, and for a movement that no unit and no order
    /// has of its own.
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

    /// The map as a unit sees it that moves like this, or by the map's rules.
    pub(super) fn by(self, movement: Option<&AgentMovement>) -> Result<Self, PathFailure> {
        Ok(Self { view: self.view.by(movement)?, ..self })
    }

    /// The movement by which it answers, as queries to the [`finder`](NavGrid::finder) name it.
    #[must_use]
    pub fn movement(&self) -> MovementId {
        self.view.movement
    }

    /// Returns the map's entity.
    #[must_use]
    pub fn entity(&self) -> Entity {
        self.view.map
    }

    /// What answers: the finder of the map's grid, or of the map as it [would be](crate::queries::NavWhatIf).
    #[must_use]
    pub fn finder(&self) -> &'a PathFinder {
        self.view.finder
    }

    /// The map's grid as it is.
    #[must_use]
    pub fn grid(&self) -> &'a NavGrid {
        self.view.grid
    }

    /// Where the map's cells lie.
    #[must_use]
    pub fn projection(&self) -> &'a NavProjection {
        self.view.projection
    }

    /// A query between two places by the map's rules, to add options to.
    ///
    /// # Errors
    /// - [`PathFailure::PositionNotFinite`]
    /// - [`PathFailure::MapWithoutArea`]
    /// - [`PathFailure::WrongKindOfMap`] for a waypoint: ask [`NavQuery::graph`].
    /// - [`PathFailure::StartOutOfBounds`] and [`PathFailure::GoalOutOfBounds`] for positions beyond all
    ///   cells; those that are merely off the map are noticed by [`solve`](Self::solve).
    pub fn query(&self, start: impl Into<Place>, goal: impl Into<Place>) -> Result<PathQuery, PathFailure> {
        let start = self.view.cell_of(&start.into(), PathFailure::start_off)?;
        let goal = self.view.cell_of(&goal.into(), PathFailure::goal_off)?;
        Ok(PathQuery::new(start, goal).with_movement(self.view.movement))
    }

    /// Answers a query, by whatever rules it names.
    ///
    /// # Errors
    /// The core's [`QueryError`](tilepath::QueryError), as the plugin words it.
    pub fn solve(&self, query: &PathQuery) -> Result<Answer, PathFailure> {
        Ok(self.view.finder.solve(query)?)
    }

    /// The cheapest path between two places. That there is no way is an answer, not an
    /// error.
    ///
    /// # Errors
    /// - [`PathFailure::PositionNotFinite`]
    /// - [`PathFailure::MapWithoutArea`], [`PathFailure::MapWithoutCells`]
    /// - [`PathFailure::WrongKindOfMap`] for a waypoint: ask [`NavQuery::graph`].
    /// - [`PathFailure::StartOutOfBounds`]
    /// - [`PathFailure::GoalOutOfBounds`]
    /// - [`PathFailure::CostOverflow`]
    pub fn find(&self, start: impl Into<Place>, goal: impl Into<Place>) -> Result<Answer, PathFailure> {
        self.solve(&self.query(start, goal)?)
    }

    /// Like [`find`](Self::find), with the path to the closest reachable cell if there is no way.
    ///
    /// # Errors
    /// Those of [`find`](Self::find).
    pub fn find_closest(
        &self,
        start: impl Into<Place>,
        goal: impl Into<Place>,
    ) -> Result<Answer, PathFailure> {
        self.solve(&self.query(start, goal)?.or_closest())
    }

    /// Whether a way leads from one place to another. Exact, and no search is made.
    ///
    /// # Errors
    /// Those of [`find`](Self::find) but for [`PathFailure::CostOverflow`]: what the way costs plays no part.
    ///
    /// # Complexity
    /// Two look-ups in the regions of the map, which every search shares. The first question after edits
    /// brings these in step, in microseconds for an edit; the first of all labels the whole map.
    pub fn is_reachable(&self, start: impl Into<Place>, goal: impl Into<Place>) -> Result<bool, PathFailure> {
        let query = self.query(start, goal)?;
        Ok(self.view.finder.is_reachable(&query)?)
    }

    /// The cell of this map under a position in the world. By a movement of several cells it is the cell of a unit there.
    #[must_use]
    pub fn cell_at(&self, world: Vec2) -> Option<Cell> {
        self.view.unbounded_cell_at(world).filter(|&cell| self.view.grid.grid().contains(cell))
    }

    /// The centre of a cell in the world; `None` if the cell is not on the map. By a movement of several cells it is where a
    /// unit stands that has this cell.
    #[must_use]
    pub fn world_of(&self, cell: Cell) -> Option<Vec2> {
        self.view.grid.grid().contains(cell).then(|| self.view.position_of(cell))
    }

    /// The points of a path in the world, to draw it: the centres of its cells or, by a movement of several cells, where the
    /// unit stands.
    #[must_use]
    pub fn points(&self, path: &Path) -> Vec<Vec2> {
        path.cells().iter().map(|&cell| self.view.position_of(cell)).collect()
    }
}

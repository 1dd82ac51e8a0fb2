//! Routes: the paths that orders would walk, through doors too.

use bevy_ecs::entity::Entity;
use bevy_math::Vec2;
use tilepath::{Path, SearchStatus, Statistics};

use crate::{
    failure::PathFailure,
    map::{
        door::known::KnownDoors,
        maps::AnyMap,
        place::{MapPlace, Place},
        version::Version,
    },
    order::{
        goal::PathGoal,
        queue::{NotYet, RequestId},
        request::PathRequest,
        route::{Known, Legs, Route},
    },
    query::view::NavView,
    route::leg::PathLeg,
    search::{
        observers::SearchNotes, order_search::OrderSearch, problem::SearchProblem,
        target_places::TargetPlaces,
    },
};

/// The route that a unit would walk for an order, over one map or through doors: see
/// [`NavView::route`].
#[derive(Debug, Clone)]
pub struct NavRoute {
    legs: Legs,
    points: Vec<Vec2>,
    cost: f64,
    chosen: usize,
    is_partial: bool,
    statistics: Statistics,
}

impl NavRoute {
    /// Returns the legs of the route, in walking order. There is at least one leg, and a new leg
    /// begins at each door.
    #[must_use]
    pub fn legs(&self) -> &[PathLeg] {
        &self.legs
    }

    /// Returns the path over cells if the route stays on one tile map. Returns `None` for any other
    /// route.
    #[must_use]
    pub fn path(&self) -> Option<&Path> {
        match &*self.legs {
            [leg] => leg.path(),
            _ => None,
        }
    }

    /// Returns the points of all legs in the world, to draw the route.
    #[must_use]
    pub fn points(&self) -> &[Vec2] {
        &self.points
    }

    /// Returns the cost of the whole route. The costs of its doors are included.
    ///
    /// # Units
    /// World units, see [`Door`](crate::doors::Door).
    #[must_use]
    pub const fn cost(&self) -> f64 {
        self.cost
    }

    /// Returns the index of the goal to which the route leads, if the order is to the nearest of
    /// several goals. For any other order, returns 0.
    #[must_use]
    pub const fn chosen(&self) -> usize {
        self.chosen
    }

    /// Returns whether the route ends before the goal, at the reachable place nearest to the goal.
    #[must_use]
    pub const fn is_partial(&self) -> bool {
        self.is_partial
    }

    /// Returns the statistics of the search.
    #[must_use]
    pub const fn statistics(&self) -> Statistics {
        self.statistics
    }
}

impl NavView<'_> {
    /// Returns the route that a unit would walk for an order if it started at a place. The route
    /// may lead through [doors](crate::doors::Door), and over other maps and graphs. The order may
    /// have any kind of goal.
    ///
    /// If nothing changes until you give the order to the unit, the unit walks this route.
    ///
    /// If the order has several stops, the route leads to the first one. On a map of
    /// [`NavWhatIf`](crate::queries::NavWhatIf) the route passes no doors.
    ///
    /// If a goal is an entity, the goal is the position of its `GlobalTransform`. For an agent
    /// without a parent, it is the position in the last tick. If the entity is an
    /// [`Obstacle`](crate::Obstacle), the goal is the cells that the obstacle blocks.
    ///
    /// # Errors
    /// - The [`PathFailure`] with which the order would fail.
    /// - [`PathFailure::TargetElsewhere`] on a map of `NavWhatIf`, if the goal is on another map or the
    ///   order leads [through](PathRequest::through) a door.
    ///
    /// # Complexity
    /// One search. The search runs to its end: the budget of work does not limit it.
    ///
    /// # Examples
    /// ```
    /// use bevy_app::App;
    /// use bevy_ecs::{prelude::*, system::RunSystemOnce};
    /// use bevy_math::Vec2;
    /// use bevy_tilepath::{
    ///     doors::{Door, DoorEnd}, sync_maps_now, tilepath::Grid, Cell, NavGrid, NavMap, NavProjection,
    ///     NavQuery, PathRequest, TilepathPlugin,
    /// };
    ///
    /// let mut app = App::new();
    /// app.add_plugins(TilepathPlugin::default());
    /// let world = app.world_mut();
    /// let mut floor = |x: f32| -> Result<Entity, Box<dyn std::error::Error>> {
    ///     let projection = NavProjection::square(Vec2::ONE, Vec2::new(x, 0.0));
    ///     Ok(world.spawn((NavMap::default(), NavGrid::new(Grid::new(4, 1, 1)?), projection)).id())
    /// };
    /// let (cellar, hall) = (floor(0.0)?, floor(100.0)?);
    /// let stairs = world.spawn(Door::new(DoorEnd::cell(cellar, Cell::new(3, 0)), DoorEnd::cell(hall, Cell::new(0, 0)))).id();
    /// sync_maps_now(world)?;
    ///
    /// world.run_system_once(move |nav: NavQuery| {
    ///     let order = PathRequest::to(Cell::new(2, 0)).on_map(hall);
    ///     let route = nav.map(cellar).unwrap().route(Cell::new(0, 0), &order).unwrap();
    ///     let maps: Vec<Entity> = route.legs().iter().map(|leg| leg.map()).collect();
    ///     assert_eq!((maps, route.legs()[1].door()), (vec![cellar, hall], Some(stairs)));
    ///     assert_eq!(route.points().last(), Some(&Vec2::new(102.0, 0.0)));
    /// }).unwrap();
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[doc(alias = "path preview")]
    pub fn route(&self, start: impl Into<Place>, order: &PathRequest) -> Result<NavRoute, PathFailure> {
        self.answer(&start.into(), order, !self.is_supposed())
    }

    /// Returns the route from a place to a goal, over this map alone. Every goal of an order is
    /// possible. A goal may be near something, beside it, in sight of it, away from it, or the
    /// nearest of several places. [`route`](Self::route) also passes doors.
    ///
    /// # Errors
    /// - The [`PathFailure`] with which an order to this goal would fail.
    /// - [`PathFailure::TargetElsewhere`] if the goal is an entity on another map.
    ///
    /// # Complexity
    /// The complexity of [`route`](Self::route).
    ///
    /// # Examples
    /// ```
    /// use bevy_ecs::{prelude::*, system::RunSystemOnce};
    /// use bevy_tilepath::{Cell, NavGrid, NavMap, NavQuery, PathGoal, tilepath::format::parse_ascii};
    ///
    /// let mut world = World::new();
    /// world.spawn((NavMap::default(), NavGrid::new(parse_ascii("
    ///     ..#..
    ///     ..#..
    ///     .....
    /// ")?)));
    /// world.run_system_once(|nav: NavQuery| {
    ///     let map = nav.only_map().unwrap();
    ///     let shot = map.find_goal(Cell::new(0, 2), PathGoal::in_sight(Cell::new(4, 2), 8.0)).unwrap();
    ///     assert_eq!(shot.path().unwrap().goal(), Cell::new(2, 0));
    /// }).unwrap();
    /// # Ok::<(), bevy_tilepath::tilepath::format::MapTextError>(())
    /// ```
    pub fn find_goal(
        &self,
        start: impl Into<Place>,
        goal: impl Into<PathGoal>,
    ) -> Result<NavRoute, PathFailure> {
        self.answer(&start.into(), &PathRequest::to(goal), false)
    }

    /// Returns whether this is a view of [`NavWhatIf`](crate::queries::NavWhatIf).
    fn is_supposed(&self) -> bool {
        !std::ptr::eq(self.view.finder, self.view.grid.finder())
    }

    fn answer(
        &self,
        start: &Place,
        order: &PathRequest,
        through_doors: bool,
    ) -> Result<NavRoute, PathFailure> {
        let start = self.view.cell_of(start, PathFailure::start_off)?;
        if let Some(fault) = order.fault() {
            return Err(fault);
        }
        let view = self.view.by(order.movement())?;
        let movement = order.movement().cloned().or_else(|| view.grid.agent_movement(view.movement));
        let maps = self.nav.maps.of(movement.as_ref());
        let own = AnyMap::Tiles(view);
        let goals = self.nav.goals(None, order, &maps, &own, None).map_err(NotYet::reason)?;
        if !through_doors && (!goals.are_on(view.map) || order.through_door().is_some()) {
            return Err(PathFailure::TargetElsewhere);
        }
        let problem = SearchProblem {
            order: RequestId { entity: Entity::PLACEHOLDER, number: 0 },
            request: order.clone(),
            map: view.map,
            start: MapPlace::Cell(start),
            goals,
            movement: movement.clone(),
            replan: false,
            known: Known::default(),
        };
        let mut notes = SearchNotes::nothing();
        let no_doors = KnownDoors::default();
        let doors = self.nav.doors.as_deref().unwrap_or(&no_doors);
        let mut search = match problem.given_path() {
            Some(path) => OrderSearch::OneMap(problem.begin_along(path, &own)?),
            None if through_doors => problem.begin(&maps, doors, &mut notes)?,
            None => OrderSearch::OneMap(problem.begin_on(&own, &mut notes)?),
        };
        while search.advance(u64::MAX, &maps, &mut notes) == SearchStatus::Running {}
        self.placed(search.finish(&problem, &maps, &mut notes)?)
    }

    /// Returns the route with its points in the world.
    fn placed(&self, mut route: Route) -> Result<NavRoute, PathFailure> {
        let (cost, chosen) = (route.cost(), route.chosen_of_list());
        let mut points = Vec::new();
        for leg in &mut route.legs {
            let map = self.nav.maps.get(leg.map()).ok_or(PathFailure::NoMap)?;
            leg.add_points(map.projection(), Version::default(), &mut points);
        }
        let Route { legs, partial: is_partial, statistics, .. } = route;
        Ok(NavRoute { legs, points, cost, chosen, is_partial, statistics })
    }
}

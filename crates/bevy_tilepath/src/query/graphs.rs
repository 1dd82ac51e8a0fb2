//! Queries about waypoint graphs.

use bevy_ecs::entity::Entity;
use bevy_math::Vec2;
use tilepath::{
    graph::Position,
    waypoint::{
        NearestOnEdge, Waypoint, WaypointError, WaypointPath, WaypointRoute, WithinCost, WithinSteps,
    },
};

use crate::{
    failure::PathFailure,
    map::{
        graph_view::NavGraphView,
        maps::{AnyMap, only},
        nav_graph::NavGraph,
        place::{Place, local_point},
    },
    query::NavQuery,
};

impl NavQuery<'_, '_> {
    /// Returns the waypoint graph with this entity.
    ///
    /// # Errors
    /// - [`PathFailure::NoMap`] if the entity has no [`NavGraph`].
    /// - [`PathFailure::NotReadYet`] if the file of the graph has not been read yet.
    ///
    /// # Examples
    /// ```
    /// use bevy_ecs::{prelude::*, system::RunSystemOnce};
    /// use bevy_math::Vec2;
    /// use bevy_tilepath::{graphs::WaypointGraph, NavGraph, NavQuery};
    ///
    /// let mut town = WaypointGraph::new();
    /// for (id, x, y) in [("gate", 0.0, 0.0), ("market", 30.0, 40.0), ("well", 30.0, 0.0)] {
    ///     town.add(id, (x, y))?;
    /// }
    /// town.join("gate", "market")?;
    /// town.join("gate", "well")?;
    ///
    /// let mut world = World::new();
    /// let roads = world.spawn(NavGraph::new(town)).id();
    /// world.run_system_once(move |nav: NavQuery| {
    ///     let town = nav.graph(roads).unwrap();
    ///     assert_eq!(town.find_path("well", "market").unwrap().ids(), ["well", "gate", "market"]);
    ///     assert_eq!(town.within_steps("well", 1).unwrap().len(), 2);
    ///     assert_eq!(town.nearest_waypoint(Vec2::new(25.0, 5.0)).unwrap().id, "well");
    ///     // From a position beside the road, to draw the route.
    ///     let route = town.route(Vec2::new(15.0, -5.0), "well").unwrap();
    ///     assert_eq!(town.points(&route), [(15.0, -5.0), (15.0, 0.0), (30.0, 0.0)].map(Vec2::from));
    /// }).unwrap();
    /// # Ok::<(), bevy_tilepath::tilepath::waypoint::WaypointError>(())
    /// ```
    pub fn graph(&self, graph: Entity) -> Result<NavGraphView<'_>, PathFailure> {
        match self.maps.get(graph) {
            Some(AnyMap::Graph(view)) if view.nav_graph.is_ready() => Ok(view),
            Some(AnyMap::Graph(_)) => Err(PathFailure::NotReadYet { map: graph }),
            Some(AnyMap::Tiles(_)) | None => Err(PathFailure::NoMap),
        }
    }

    /// Returns the waypoint graph of a world that has only one.
    ///
    /// # Errors
    /// - [`PathFailure::NoMap`] if there is no graph.
    /// - [`PathFailure::NotReadYet`] if the graph has not been read yet.
    /// - [`PathFailure::AmbiguousMap`] if there are several graphs.
    pub fn only_graph(&self) -> Result<NavGraphView<'_>, PathFailure> {
        self.graph(only(self.maps.graphs(), PathFailure::NoMap)?.map)
    }
}

impl<'a> NavGraphView<'a> {
    /// Returns the entity of the graph.
    #[must_use]
    pub fn entity(&self) -> Entity {
        self.map
    }

    /// Returns the [`NavGraph`] component of the graph.
    #[must_use]
    pub fn nav_graph(&self) -> &'a NavGraph {
        self.nav_graph
    }

    /// Returns the cheapest path from one waypoint to another.
    ///
    /// # Errors
    /// - [`PathFailure::Unreachable`]
    /// - [`PathFailure::UnknownWaypoint`]
    pub fn find_path(&self, start: &str, goal: &str) -> Result<WaypointPath, PathFailure> {
        self.graph().find(start, goal)?.ok_or(PathFailure::Unreachable)
    }

    /// Returns all waypoints within this many edges of a waypoint, see
    /// [`WaypointGraph::within_steps`](crate::graphs::WaypointGraph::within_steps).
    ///
    /// # Errors
    /// The errors of [`WaypointGraph::within_steps`](crate::graphs::WaypointGraph::within_steps).
    pub fn within_steps(&self, id: &str, steps: u32) -> Result<Vec<WithinSteps>, WaypointError> {
        self.graph().within_steps(id, steps)
    }

    /// Returns all waypoints that can be reached from a waypoint for at most `budget`, see
    /// [`WaypointGraph::within_cost`](crate::graphs::WaypointGraph::within_cost).
    ///
    /// # Errors
    /// The errors of [`WaypointGraph::within_cost`](crate::graphs::WaypointGraph::within_cost).
    pub fn within_cost(&self, id: &str, budget: f64) -> Result<Vec<WithinCost>, WaypointError> {
        self.graph().within_cost(id, budget)
    }

    /// Returns the cheapest route between two places. An agent would walk this route. A place is a
    /// waypoint or a position in the world. A position is joined to the graph at the point that
    /// makes the whole route cheapest. A start at a waypoint that no edge leaves counts as a
    /// position.
    ///
    /// # Errors
    /// - [`PathFailure::Unreachable`]
    /// - [`PathFailure::UnknownWaypoint`]
    /// - [`PathFailure::PositionNotFinite`]
    /// - [`PathFailure::MapWithoutArea`]
    /// - [`PathFailure::PositionTooFar`]
    /// - [`PathFailure::WrongKindOfMap`] if a place is a cell: graphs have no cells.
    pub fn route(
        &self,
        start: impl Into<Place>,
        goal: impl Into<Place>,
    ) -> Result<WaypointRoute, PathFailure> {
        let [start, goal] = [self.map_place_of(&start.into())?, self.map_place_of(&goal.into())?];
        let ends = self.start_on_graph(&start).zip(goal.on_graph());
        let (start, goal) = ends.ok_or(PathFailure::QueryRefused)?;
        self.graph().find_route(start, goal, self.nav_graph.route_options())?.ok_or(PathFailure::Unreachable)
    }

    /// Returns the waypoint nearest to a position in the world. Distances are measured in a
    /// straight line. The returned waypoint has its position in the coordinates of the graph.
    #[must_use]
    pub fn nearest_waypoint(&self, world: Vec2) -> Option<Waypoint<'a>> {
        self.graph().nearest_waypoint(self.local(world))
    }

    /// Returns the point on an edge that is nearest to a position in the world. The returned point
    /// has its position in the coordinates of the graph.
    #[must_use]
    pub fn nearest_on_edge(&self, world: Vec2) -> Option<NearestOnEdge<'a>> {
        self.graph().nearest_on_edge(self.local(world))
    }

    /// Returns the position of a waypoint in the world.
    #[must_use]
    pub fn position_of(&self, id: &str) -> Option<Vec2> {
        self.graph().position(id).map(|position| self.world_of(position))
    }

    /// Converts a position of the graph into a position in the world.
    #[must_use]
    pub fn world_of(&self, position: Position) -> Vec2 {
        self.projection.world_of(local_point(position))
    }

    /// Converts a position in the world into a position of the graph, for example to place a
    /// waypoint that the player drags. The result is not finite if the scale of the graph's entity
    /// is zero.
    #[must_use]
    pub fn local(&self, world: Vec2) -> Position {
        let local = self.projection.local_of(world);
        Position::new(f64::from(local.x), f64::from(local.y))
    }

    /// Returns the points of a route in the world, to draw the route.
    #[must_use]
    pub fn points(&self, route: &WaypointRoute) -> Vec<Vec2> {
        route.points().iter().map(|point| self.world_of(point.position)).collect()
    }
}

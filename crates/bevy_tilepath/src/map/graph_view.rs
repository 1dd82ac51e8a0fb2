//! A waypoint graph with its place in the world.

use std::sync::Arc;

use bevy_ecs::entity::Entity;
use bevy_math::Vec2;
use tilepath::{
    graph::Position,
    waypoint::{RouteEnd, WaypointGraph},
};

use crate::{
    failure::PathFailure,
    map::{
        map_view::ROUNDING,
        nav_graph::NavGraph,
        place::{MapPlace, Place, local_point, position_of},
        projection::NavProjection,
    },
};

/// A view of one waypoint graph, which answers queries at once: see
/// [`NavQuery::graph`](crate::NavQuery::graph).
///
/// Positions are world positions. Lengths and costs are in the graph's own units.
#[derive(Debug, Clone, Copy)]
pub struct NavGraphView<'a> {
    pub(crate) map: Entity,
    pub(crate) nav_graph: &'a NavGraph,
    pub(crate) projection: &'a NavProjection,
}

impl<'a> NavGraphView<'a> {
    /// Returns the waypoints and the edges between them, in the graph's own space.
    #[must_use]
    pub fn graph(&self) -> &'a WaypointGraph {
        self.nav_graph.graph()
    }

    /// Converts a position in the world to a position on this graph.
    pub(crate) fn position_at(&self, world: Vec2) -> Result<Position, PathFailure> {
        let local = self.projection.local_of(world);
        if local.is_finite() {
            let is_in_range = f64::from(local.abs().max_element()) <= WaypointGraph::MAX_COORDINATE;
            if is_in_range { Ok(position_of(local)) } else { Err(PathFailure::PositionTooFar) }
        } else if world.is_finite() {
            Err(PathFailure::MapWithoutArea)
        } else {
            Err(PathFailure::PositionNotFinite)
        }
    }

    /// Returns the place of the graph for `place`.
    pub(crate) fn map_place_of(&self, place: &Place) -> Result<MapPlace, PathFailure> {
        match place {
            Place::Position(position) => {
                let position = self.position_at(*position)?;
                Ok(self.nav_graph.map_place_at(position, self.rounding_at(position)))
            }
            Place::Waypoint(id) if self.graph().contains(id) => Ok(MapPlace::Waypoint(id.clone())),
            Place::Waypoint(_) => Err(PathFailure::UnknownWaypoint),
            Place::Cell(_) | Place::Tile { .. } => Err(PathFailure::WrongKindOfMap),
        }
    }

    /// Returns the place at which a route begins, for the search core.
    ///
    /// A waypoint that no edge leaves counts as a position. So an agent on it enters the graph where
    /// the route is cheapest, as an agent beside it does.
    pub(crate) fn start_on_graph<'b>(&self, start: &'b MapPlace) -> Option<RouteEnd<'b>> {
        let graph = self.graph();
        let waypoint = match start {
            MapPlace::Waypoint(id) => Some(id),
            MapPlace::OnEdge { to, share, .. } if *share >= 1.0 => Some(to),
            _ => None,
        };
        let has_no_edge = |id: &&Arc<str>| graph.edges_from(id).is_ok_and(|mut edges| edges.next().is_none());
        let position = waypoint.filter(has_no_edge).and_then(|id| graph.position(id));
        position.map(RouteEnd::Position).or_else(|| start.on_graph())
    }

    /// Returns the possible rounding error of a position that comes from the world. World positions
    /// are `f32`, which has few digits far from the origin.
    pub(crate) fn rounding_at(&self, position: Position) -> f64 {
        let world = self.projection.world_of(local_point(position)).abs().as_dvec2();
        let in_world = (world.x + world.y) / self.projection.scale().max(f64::MIN_POSITIVE);
        f64::from(ROUNDING) * (1.0 + position.x.abs() + position.y.abs() + in_world)
    }

    /// Returns the reachable waypoint with the least straight-line distance to a goal. If several
    /// are equally near, it is the cheapest to reach.
    pub(crate) fn closest(&self, start: &MapPlace, goal: &MapPlace) -> Option<Arc<str>> {
        let graph = self.graph();
        let goal = graph.position_of(goal.on_graph()?).ok()?;
        let ways_on: [Option<&str>; 2] = match start {
            MapPlace::Waypoint(id) => [Some(id), None],
            MapPlace::OnEdge { from, share, .. } if *share <= 0.0 => [Some(from), None],
            MapPlace::OnEdge { from, to, .. } => [Some(to), graph.edge(from, to)?.is_two_way.then_some(from)],
            MapPlace::Cell(_) | MapPlace::Position(_) => [None, None],
        };
        let mut closest: Option<(f64, f64, Arc<str>)> = None;
        for reached in ways_on
            .into_iter()
            .flatten()
            .flat_map(|id| graph.within_cost(id, f64::INFINITY).into_iter().flatten())
        {
            let distance = graph.position(&reached.id)?.distance(goal);
            let is_better = closest.as_ref().is_none_or(|(least, cost, _)| {
                distance.total_cmp(least).then(reached.cost.total_cmp(cost)).is_lt()
            });
            if is_better {
                closest = Some((distance, reached.cost, reached.id.into()));
            }
        }
        closest.map(|(_, _, id)| id)
    }
}

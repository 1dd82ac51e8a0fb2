//! Routes between any two places, along a waypoint graph.

use super::{
    WaypointGraph, edge::WaypointEdge, error::WaypointError, path::length_of, route_end::RouteEnd,
    search::RouteEngine,
};
use crate::position::Position;
use thiserror::Error;

/// The cost of ground off the graph for a route.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct RouteOptions {
    /// The cost of a unit of length off the graph. On an edge with default settings a unit of
    /// length costs 1.
    ///
    /// The larger the factor, the sooner a walker keeps to the edges.
    pub access_factor: f64,
}

impl Default for RouteOptions {
    /// An access factor of 4.
    fn default() -> Self {
        Self { access_factor: 4.0 }
    }
}

/// The cheapest route between two places along a waypoint graph.
///
/// # Units
/// The cost is the sum of two parts: the cost of the edges walked, in part or in whole, and the
/// length of the ground off the graph × the access factor.
/// factor.
#[derive(Clone, PartialEq, Debug)]
pub struct WaypointRoute {
    pub(super) points: Vec<RoutePoint>,
    pub(super) cost: f64,
    pub(super) expanded: u64,
}

/// A point of a route, and the leg that leads to it.
#[derive(Clone, PartialEq, Debug)]
pub struct RoutePoint {
    /// Its position.
    pub position: Position,
    /// The id of the waypoint at this point, if there is one.
    pub waypoint: Option<String>,
    /// The leg from the point before.
    pub leg: RouteLeg,
}

/// The leg from one point of a route to the next.
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub enum RouteLeg {
    /// The point is the first of the route.
    Start,
    /// A straight line over ground off the graph.
    OffGraph,
    /// An edge, the whole of it or a part.
    Edge {
        /// The waypoint at which the edge begins. The leg may begin further along the edge.
        from: String,
        /// The waypoint at which the edge ends.
        to: String,
        /// Its speed and cost factor when the route was found.
        edge: WaypointEdge,
        /// The positions of its two ends when the route was found.
        ends: (Position, Position),
    },
}

impl RoutePoint {
    /// Returns the factor on the walker's speed on the leg to this point. Off the graph it is 1.
    #[must_use]
    pub const fn speed(&self) -> f64 {
        match &self.leg {
            RouteLeg::Edge { edge, .. } => edge.speed,
            RouteLeg::Start | RouteLeg::OffGraph => 1.0,
        }
    }
}

impl WaypointRoute {
    /// Returns the points from start to goal; there is at least one.
    #[must_use]
    pub fn points(&self) -> &[RoutePoint] {
        &self.points
    }

    /// Returns the names of the waypoints on the route.
    pub fn ids(&self) -> impl Iterator<Item = &str> {
        self.points.iter().filter_map(|point| point.waypoint.as_deref())
    }

    /// Returns the cost of the route.
    #[must_use]
    pub const fn cost(&self) -> f64 {
        self.cost
    }

    /// Returns the length of the route, with the ground off the graph.
    #[must_use]
    pub fn length(&self) -> f64 {
        length_of(self.points.iter().map(|point| point.position))
    }

    /// Returns the number of waypoints that the search expanded: its work, for budgets.
    #[must_use]
    pub const fn expanded(&self) -> u64 {
        self.expanded
    }

    /// Checks that the route can still be walked unchanged. Every waypoint must be in its old
    /// place, and every edge must exist with its old settings.
    ///
    /// A route that is no longer the cheapest is still valid.
    ///
    /// # Errors
    /// The first [`RouteFault`] from the start.
    ///
    /// # Complexity
    /// O(points × edges of a waypoint).
    pub fn verify(&self, graph: &WaypointGraph) -> Result<(), RouteFault> {
        let check_place = |id: &str, position: Position| match graph.position(id) {
            None => Err(RouteFault::WaypointGone { id: id.to_owned() }),
            Some(present) if present != position => Err(RouteFault::WaypointMoved { id: id.to_owned() }),
            Some(_) => Ok(()),
        };
        for point in &self.points {
            if let RouteLeg::Edge { from, to, edge, ends } = &point.leg {
                check_place(from, ends.0)?;
                check_place(to, ends.1)?;
                match graph.edge(from, to) {
                    None => return Err(RouteFault::EdgeGone { from: from.clone(), to: to.clone() }),
                    Some(present) if present.edge != *edge => {
                        return Err(RouteFault::EdgeChanged { from: from.clone(), to: to.clone() });
                    }
                    Some(_) => {}
                }
            }
            if let Some(id) = &point.waypoint {
                check_place(id, point.position)?;
            }
        }
        Ok(())
    }
}

/// A reason why a route can no longer be walked.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum RouteFault {
    /// A waypoint was removed or renamed.
    #[error("the waypoint `{id}` is gone; find the route again")]
    WaypointGone {
        /// The waypoint.
        id: String,
    },
    /// A waypoint was moved.
    #[error("the waypoint `{id}` has moved; find the route again")]
    WaypointMoved {
        /// The waypoint.
        id: String,
    },
    /// An edge was removed.
    #[error("the edge from `{from}` to `{to}` is gone; find the route again")]
    EdgeGone {
        /// The waypoint at which it began.
        from: String,
        /// The waypoint at which it ended.
        to: String,
    },
    /// An edge has another speed or cost factor.
    #[error("the edge from `{from}` to `{to}` has changed; find the route again")]
    EdgeChanged {
        /// The waypoint at which it begins.
        from: String,
        /// The waypoint at which it ends.
        to: String,
    },
}

impl WaypointGraph {
    /// Returns the cheapest route between two places along the graph; `None` if there is no route.
    ///
    /// Straight lines join a place off the graph to every waypoint, and to the foot of the
    /// perpendicular on every edge. From a foot the edge can be walked in the directions that it
    /// has. The search considers all these connections at both ends and finds the smallest total
    /// cost.
    ///
    /// The route leads along the graph even if a straight line past it is shorter. There is one
    /// exception: a route from a place to itself is that place alone.
    ///
    /// # Errors
    /// - [`WaypointError::NoWaypoints`] if the graph is empty.
    /// - [`WaypointError::UnknownWaypoint`], [`WaypointError::NotJoined`],
    ///   [`WaypointError::InvalidShare`], [`WaypointError::InvalidPosition`] and
    ///   [`WaypointError::InvalidAccessFactor`] if an argument is invalid.
    ///
    /// # Guarantee
    /// Optimal among these routes, up to the rounding of float sums.
    ///
    /// # Complexity
    /// O(waypoints + edges) to join the two places to the graph, and then an A* search.
    pub fn find_route<'a>(
        &self,
        start: impl Into<RouteEnd<'a>>,
        goal: impl Into<RouteEnd<'a>>,
        options: RouteOptions,
    ) -> Result<Option<WaypointRoute>, WaypointError> {
        Ok(self.nearest_route(start, &[goal.into()], options)?.map(|(_, route)| route))
    }

    /// Returns the cheapest of the routes to several goals, and the index of its goal. If costs are
    /// equal, the first goal in the list counts. Returns `None` if no goal can be reached.
    ///
    /// # Errors
    /// [`WaypointError::NoGoals`] for an empty list, else the errors of
    /// [`find_route`](Self::find_route).
    ///
    /// # Complexity
    /// O(waypoints + edges) for each goal that is not a waypoint, and one search in the order of
    /// cost, up to the goal found.
    pub fn nearest_route<'a>(
        &self,
        start: impl Into<RouteEnd<'a>>,
        goals: &[RouteEnd<'_>],
        options: RouteOptions,
    ) -> Result<Option<(usize, WaypointRoute)>, WaypointError> {
        if goals.is_empty() {
            return Err(WaypointError::NoGoals);
        }
        let mut engine = RouteEngine::begin(self, Some(start.into()), goals, options, false)?;
        engine.advance_to_goal(self, u64::MAX);
        Ok(engine.route(self))
    }
}

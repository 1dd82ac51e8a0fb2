//! Routes between any two places, along a waypoint graph.

use super::{
    edge::WaypointEdge, error::WaypointError, graph::WaypointGraph, path::length_of, route_end::RouteEnd,
    search::RouteEngine,
};
use crate::position::Position;
use thiserror::Error;

/// The options of a route: the cost of ground off the graph.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct RouteOptions {
    /// The cost of one unit of length off the graph. For comparison: on an edge with the default
    /// cost factor, one unit of length costs 1.
    ///
    /// With a larger factor, the cheapest route leads over less ground off the graph.
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
/// The cost of a route is the sum of two parts. The first part is the cost of its edges; a partly
/// used edge counts in part. The second part is the distance beside the graph × the
/// [access factor](RouteOptions::access_factor).
#[derive(Clone, PartialEq, Debug)]
pub struct WaypointRoute {
    pub(super) points: Vec<RoutePoint>,
    pub(super) cost: f64,
    pub(super) expanded: u64,
}

/// A point of a route, and the leg that leads to this point from the point before.
#[derive(Clone, PartialEq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub struct RoutePoint {
    /// The position of the point.
    pub position: Position,
    /// The id of the waypoint at this point, if there is one.
    pub waypoint: Option<String>,
    /// The leg that leads to this point from the point before.
    pub leg: RouteLeg,
}

/// A leg of a route: the part from one point to the next point.
#[derive(Clone, PartialEq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
#[non_exhaustive]
pub enum RouteLeg {
    /// No leg: the point is the first point of the route.
    Start,
    /// A straight line over ground off the graph.
    OffGraph,
    /// A part of an edge, or the whole edge.
    Edge {
        /// The waypoint at which the edge begins. The leg may begin at a later point of the edge.
        from: String,
        /// The waypoint at which the edge ends.
        to: String,
        /// The speed and the cost factor of the edge when the route was found.
        edge: WaypointEdge,
        /// The positions of the edge's two waypoints when the route was found: first `from`, then
        /// `to`.
        ends: (Position, Position),
    },
}

impl RoutePoint {
    /// Returns the factor by which the speed of a unit is multiplied on the leg to this point. Off
    /// the graph, the factor is 1.
    #[must_use]
    pub const fn speed(&self) -> f64 {
        match &self.leg {
            RouteLeg::Edge { edge, .. } => edge.speed,
            RouteLeg::Start | RouteLeg::OffGraph => 1.0,
        }
    }
}

impl WaypointRoute {
    /// Returns the points of the route, from start to goal. There is at least one point.
    #[must_use]
    pub fn points(&self) -> &[RoutePoint] {
        &self.points
    }

    /// Returns the names of the waypoints on the route, from start to goal.
    pub fn ids(&self) -> impl Iterator<Item = &str> {
        self.points.iter().filter_map(|point| point.waypoint.as_deref())
    }

    /// Returns the cost of the route.
    #[must_use]
    pub const fn cost(&self) -> f64 {
        self.cost
    }

    /// Returns the length of the route, including the ground off the graph.
    #[must_use]
    pub fn length(&self) -> f64 {
        length_of(self.points.iter().map(|point| point.position))
    }

    /// Returns the number of waypoints that the search expanded. It measures the work of the
    /// search.
    #[must_use]
    pub const fn expanded(&self) -> u64 {
        self.expanded
    }

    /// Checks that the route can still be walked unchanged. Every waypoint of the route must be at
    /// its old position. Every edge of the route must exist with its old speed and cost factor.
    ///
    /// A route that is no longer the cheapest is still valid.
    ///
    /// # Errors
    /// The first [`RouteFault`], counted from the start.
    ///
    /// # Complexity
    /// O(points of the route × edges of a waypoint).
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
        /// The name of the waypoint.
        id: String,
    },
    /// A waypoint was moved.
    #[error("the waypoint `{id}` has moved; find the route again")]
    WaypointMoved {
        /// The name of the waypoint.
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
    /// Returns the cheapest route between two places along the graph, or `None` if there is no
    /// route.
    ///
    /// From a place off the graph, straight lines lead to every waypoint. They also lead to the
    /// foot of the perpendicular on every edge. From this foot, the route can follow the edge in
    /// each direction in which there is an edge.
    ///
    /// The search considers all these lines, at the start and at the goal. It finds the route with
    /// the smallest total cost.
    ///
    /// The route always leads over the graph, even if the straight line from start to goal is
    /// shorter. There is one exception: if start and goal are the same place, the route is only
    /// this place.
    ///
    /// # Errors
    /// - [`WaypointError::NoWaypoints`] if the graph is empty, and start and goal are not the same
    ///   place.
    /// - [`WaypointError::UnknownWaypoint`], [`WaypointError::NotJoined`],
    ///   [`WaypointError::InvalidShare`], [`WaypointError::InvalidPosition`] and
    ///   [`WaypointError::InvalidAccessFactor`] if an argument is invalid.
    ///
    /// # Guarantee
    /// The route is optimal among all routes that these lines and the edges allow, up to the
    /// rounding of float sums.
    ///
    /// # Complexity
    /// O(waypoints + edges) to find the lines from the two places to the graph. The rest is an A*
    /// search.
    pub fn find_route<'a>(
        &self,
        start: impl Into<RouteEnd<'a>>,
        goal: impl Into<RouteEnd<'a>>,
        options: RouteOptions,
    ) -> Result<Option<WaypointRoute>, WaypointError> {
        Ok(self.nearest_route(start, &[goal.into()], options)?.map(|(_, route)| route))
    }

    /// Returns the cheapest of the routes to several goals, and the index of its goal in the list.
    /// If two routes cost the same, the goal that comes first in the list counts. Returns `None` if
    /// no goal can be reached.
    ///
    /// # Errors
    /// [`WaypointError::NoGoals`] if the list of goals is empty, and the errors of
    /// [`find_route`](Self::find_route).
    ///
    /// # Complexity
    /// O(waypoints + edges) for each goal that is not a waypoint. The rest is one search in the
    /// order of cost, which ends at the nearest goal.
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

//! The way between any two places, by way of the graph.

use super::{
    WaypointGraph, edge::WaypointEdge, error::WaypointError, path::length_of, route_end::RouteEnd,
    search::RouteEngine,
};
use crate::position::Position;
use thiserror::Error;

/// How a route treats ground off the graph.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct RouteOptions {
    /// What a unit of length costs between a place off the graph and the graph: this many times what an edge of usual cost
    /// does. The larger it is, the sooner a walker keeps to the ways.
    pub access_factor: f64,
}

impl Default for RouteOptions {
    /// An access factor of 4.
    fn default() -> Self {
        Self { access_factor: 4.0 }
    }
}

/// The cheapest way between two places by way of the graph.
///
/// # Units
/// The cost is that of the edges walked, in part or in whole, and the length of the ground off the graph × the access
/// factor.
#[derive(Clone, PartialEq, Debug)]
pub struct WaypointRoute {
    pub(super) points: Vec<RoutePoint>,
    pub(super) cost: f64,
    pub(super) expanded: u64,
}

/// A point of a route, and how it is reached from the one before.
#[derive(Clone, PartialEq, Debug)]
pub struct RoutePoint {
    /// Where it lies.
    pub position: Position,
    /// The waypoint there, if there is one.
    pub waypoint: Option<String>,
    /// How it is reached from the point before.
    pub leg: RouteLeg,
}

/// How a point of a route is reached.
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub enum RouteLeg {
    /// It is the first.
    Start,
    /// Straight over ground off the graph.
    OffGraph,
    /// Along an edge, the whole of it or a part.
    Edge {
        /// The waypoint where the edge begins; not where the leg does if it begins between waypoints.
        from: String,
        /// The waypoint where the edge ends.
        to: String,
        /// How fast it is walked, and what it cost when the route was made.
        edge: WaypointEdge,
        /// The positions of its two ends when the route was made.
        ends: (Position, Position),
    },
}

impl RoutePoint {
    /// What multiplies a walker's speed on the way here: 1 off the graph.
    #[must_use]
    pub const fn speed(&self) -> f64 {
        match &self.leg {
            RouteLeg::Edge { edge, .. } => edge.speed,
            RouteLeg::Start | RouteLeg::OffGraph => 1.0,
        }
    }
}

impl WaypointRoute {
    /// From start to goal; at least one.
    #[must_use]
    pub fn points(&self) -> &[RoutePoint] {
        &self.points
    }

    /// The names of the waypoints that it leads over.
    pub fn ids(&self) -> impl Iterator<Item = &str> {
        self.points.iter().filter_map(|point| point.waypoint.as_deref())
    }

    /// What it costs.
    #[must_use]
    pub const fn cost(&self) -> f64 {
        self.cost
    }

    /// How long it is, ground off the graph included.
    #[must_use]
    pub fn length(&self) -> f64 {
        length_of(self.points.iter().map(|point| point.position))
    }

    /// The waypoints whose edges were looked at to find it: the work, for budgets.
    #[must_use]
    pub const fn expanded(&self) -> u64 {
        self.expanded
    }

    /// Whether it can still be walked as it is: every waypoint and edge of it is there, where it was and as it was. (That
    /// another way is now cheaper does not count.)
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

/// Why a route cannot be walked any more.
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
    /// An edge was taken away.
    #[error("the edge from `{from}` to `{to}` is gone; find the route again")]
    EdgeGone {
        /// Where it began.
        from: String,
        /// Where it ended.
        to: String,
    },
    /// An edge has another speed or cost factor.
    #[error("the edge from `{from}` to `{to}` has changed; find the route again")]
    EdgeChanged {
        /// Where it begins.
        from: String,
        /// Where it ends.
        to: String,
    },
}

impl WaypointGraph {
    /// The cheapest way between two places by way of the graph; `None` if there is none.
    ///
    /// A place off the graph is joined to it by straight lines: to every waypoint, and to the foot of the perpendicular
    /// on every edge, which may then be walked in the directions that it has. All of these are considered, at both ends,
    /// and the total decides. The route leads by way of the graph even where walking past it would be shorter; only the
    /// way from a place to itself is that place alone.
    ///
    /// # Errors
    /// [`WaypointError::NoWaypoints`]; [`WaypointError::UnknownWaypoint`], [`WaypointError::NotJoined`],
    /// [`WaypointError::InvalidShare`], [`WaypointError::InvalidPosition`] and [`WaypointError::InvalidAccessFactor`] for
    /// what was asked.
    ///
    /// # Guarantee
    /// Optimal among those ways, as far as sums of floats tell.
    ///
    /// # Complexity
    /// O(waypoints + edges) to find the places of access, and an A* search.
    pub fn find_route<'a>(
        &self,
        start: impl Into<RouteEnd<'a>>,
        goal: impl Into<RouteEnd<'a>>,
        options: RouteOptions,
    ) -> Result<Option<WaypointRoute>, WaypointError> {
        Ok(self.nearest_route(start, &[goal.into()], options)?.map(|(_, route)| route))
    }

    /// The cheapest of the routes to several goals, and the index of its goal; of equals the first in the list. `None` if no
    /// goal can be reached.
    ///
    /// # Errors
    /// [`WaypointError::NoGoals`] for an empty list, else as [`find_route`](Self::find_route).
    ///
    /// # Complexity
    /// O(waypoints + edges) for each goal that is no waypoint, and one search in the order of cost, up to the goal found.
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

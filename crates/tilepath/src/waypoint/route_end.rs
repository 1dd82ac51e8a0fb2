//! Places on a graph and off it.

use super::{edit::checked, error::WaypointError, graph::WaypointGraph};
use crate::position::Position;
use std::fmt;

/// A place at which a route begins or ends: a waypoint, any position, or a place on an edge.
///
/// `&str`, [`Position`] and pairs of numbers convert into this type.
#[derive(Clone, Copy, PartialEq, Debug)]
#[non_exhaustive]
pub enum RouteEnd<'a> {
    /// The waypoint of this name. A route from this place always begins at the waypoint.
    Waypoint(&'a str),
    /// A position on the plane. A route from this place enters the graph at the waypoint or edge
    /// for which the total cost of the route is smallest.
    Position(Position),
    /// A place on an edge, for an agent that walks along this edge. The agent can walk on to the
    /// end of the edge. It can also walk back if there is an edge in the opposite direction.
    ///
    /// Use this variant instead of [`Position`](Self::Position) if edges cross. From a mere
    /// position, the agent could change to the crossing edge.
    OnEdge {
        /// The waypoint at which the edge begins.
        from: &'a str,
        /// The waypoint at which the edge ends.
        to: &'a str,
        /// The share of the edge's length that lies behind the agent, from 0 to 1.
        share: f64,
    },
}

impl<'a> From<&'a str> for RouteEnd<'a> {
    fn from(id: &'a str) -> Self {
        Self::Waypoint(id)
    }
}

impl<'a> From<&'a String> for RouteEnd<'a> {
    fn from(id: &'a String) -> Self {
        Self::Waypoint(id)
    }
}

impl From<Position> for RouteEnd<'_> {
    fn from(position: Position) -> Self {
        Self::Position(position)
    }
}

impl From<(f64, f64)> for RouteEnd<'_> {
    fn from(position: (f64, f64)) -> Self {
        Self::Position(position.into())
    }
}

impl fmt::Display for RouteEnd<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Waypoint(id) => write!(formatter, "`{id}`"),
            Self::Position(position) => write!(formatter, "({}, {})", position.x, position.y),
            Self::OnEdge { from, to, share } => {
                write!(formatter, "{:.0} % of the edge from `{from}` to `{to}`", share * 100.0)
            }
        }
    }
}

impl WaypointGraph {
    /// Returns the position of a place.
    ///
    /// # Errors
    /// [`WaypointError::UnknownWaypoint`], [`WaypointError::NotJoined`], [`WaypointError::InvalidShare`],
    /// [`WaypointError::InvalidPosition`].
    pub fn position_of<'a>(&self, place: impl Into<RouteEnd<'a>>) -> Result<Position, WaypointError> {
        match place.into() {
            RouteEnd::Waypoint(id) => Ok(self.place(self.find_node(id)?)),
            RouteEnd::Position(position) => checked(position),
            RouteEnd::OnEdge { from, to, share } => {
                let (begin, end) = (self.find_node(from)?, self.find_node(to)?);
                if !self.has_edge(begin, end) {
                    return Err(WaypointError::NotJoined { from: from.to_owned(), to: to.to_owned() });
                }
                if !(0.0..=1.0).contains(&share) {
                    return Err(WaypointError::InvalidShare { share });
                }
                Ok(between(self.place(begin), self.place(end), share))
            }
        }
    }
}

/// Returns the place at a share of the line from one place to another. The shares 0 and 1 give
/// exactly the ends.
pub(super) fn between(from: Position, to: Position, share: f64) -> Position {
    let mix = |from: f64, to: f64| if share < 1.0 { from + (to - from) * share } else { to };
    Position::new(mix(from.x, to.x), mix(from.y, to.y))
}

/// Returns the share of the line between two places that lies before the foot of the perpendicular
/// from a point.
///
/// If the share is below 0 or above 1, the foot lies beyond an end. Returns `None` if the line has
/// length 0.
pub(super) fn foot(point: Position, from: Position, to: Position) -> Option<f64> {
    let (dx, dy) = (to.x - from.x, to.y - from.y);
    let squared = dx * dx + dy * dy;
    (squared > 0.0).then(|| ((point.x - from.x) * dx + (point.y - from.y) * dy) / squared)
}

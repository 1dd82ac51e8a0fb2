//! The errors of waypoint graphs.

use super::{edge::WaypointEdge, graph::WaypointGraph};
use crate::position::Position;
use thiserror::Error;

/// The error of a query or an edit of a waypoint graph. If an edit returns this error, the graph is
/// unchanged.
///
/// The `Display` text of the error states what to do.
///
/// # Examples
/// ```
/// use tilepath::waypoint::{WaypointError, WaypointGraph};
/// let mut graph = WaypointGraph::new();
/// graph.add("harbour", (10.0, 20.0))?;
/// let error = graph.find("habour", "harbour").unwrap_err();
/// assert_eq!(
///     error.to_string(),
///     "there is no waypoint `habour`; add it first, or did you mean `harbour`?"
/// );
/// # Ok::<(), WaypointError>(())
/// ```
#[derive(Clone, PartialEq, Debug, Error)]
#[non_exhaustive]
pub enum WaypointError {
    /// The id is empty.
    #[error("the empty text names no waypoint; give it at least one character")]
    EmptyId,
    /// The id is already in use.
    #[error("there is a waypoint `{id}` already; choose another id, or remove or rename that one first")]
    DuplicateWaypoint {
        /// The id that is in use.
        id: String,
    },
    /// A [merge](super::WaypointGraph::merge) would give two waypoints the same id.
    #[error("merged under the key `{key}`, two waypoints would be called `{id}`; choose another key")]
    MergeCollision {
        /// The id with the key at its end.
        id: String,
        /// The key of the merge.
        key: String,
    },
    /// There is no waypoint with this id.
    #[error("there is no waypoint `{id}`; add it first{}", hint(.similar.as_deref()))]
    UnknownWaypoint {
        /// The unknown id.
        id: String,
        /// The most similar id in the graph, if there is a similar id.
        similar: Option<String>,
    },
    /// The position is NaN, infinite, or out of range.
    #[error(
        "{position} is not a place for a waypoint; both coordinates must be numbers from -{max:e} to {max:e}",
        max = WaypointGraph::MAX_COORDINATE
    )]
    InvalidPosition {
        /// The invalid position.
        position: Position,
    },
    /// The speed or the cost factor of an edge is out of range.
    #[error(
        "the edge from `{from}` to `{to}` cannot have speed {} and cost factor {}; both must be from {min:e} to {max:e}, and the cost factor may be 0",
        .edge.speed, .edge.cost_factor, min = WaypointEdge::MIN_FACTOR, max = WaypointEdge::MAX_FACTOR
    )]
    InvalidEdge {
        /// The waypoint at which the edge begins.
        from: String,
        /// The waypoint at which the edge ends.
        to: String,
        /// The invalid values.
        edge: WaypointEdge,
    },
    /// A waypoint cannot be joined with itself.
    #[error("`{id}` cannot be joined with itself; name two waypoints")]
    SelfJoin {
        /// The id of the waypoint.
        id: String,
    },
    /// There is no edge between the two waypoints in this direction.
    #[error("no edge leads from `{from}` to `{to}`; join them first")]
    NotJoined {
        /// The waypoint at which the edge would begin.
        from: String,
        /// The waypoint at which the edge would end.
        to: String,
    },
    /// The graph has no waypoints, so it cannot answer the query.
    #[error("the graph has no waypoints; add some, or load them")]
    NoWaypoints,
    /// The list of goals is empty.
    #[error("there is no goal to choose from; give at least one")]
    NoGoals,
    /// The share of an edge's length is not from 0 to 1.
    #[error("{share} is not a place on an edge; give a share from 0, where it begins, to 1, where it ends")]
    InvalidShare {
        /// The invalid share.
        share: f64,
    },
    /// The [access factor](super::RouteOptions::access_factor) is out of range.
    #[error(
        "walking off the graph cannot cost {factor} times the distance; give an access factor from 0 to {max:e}",
        max = WaypointEdge::MAX_FACTOR
    )]
    InvalidAccessFactor {
        /// The invalid factor.
        factor: f64,
    },
    /// The budget is NaN.
    #[error("NaN is not a budget; give a number")]
    InvalidBudget,
    /// The graph has used all its node numbers.
    #[error("a graph numbers at most {limit} waypoints, those removed included; clear it and begin again")]
    TooManyWaypoints {
        /// The largest number of waypoints.
        limit: usize,
    },
}

fn hint(similar: Option<&str>) -> String {
    similar.map_or_else(String::new, |id| format!(", or did you mean `{id}`?"))
}

//! What can be wrong with a question to a waypoint graph, or with a change of it.

use super::{WaypointGraph, edge::WaypointEdge};
use crate::position::Position;
use thiserror::Error;

/// Why a waypoint graph does not do what it was told, or does not know the answer. Nothing was changed.
///
/// Its `Display` says what to do.
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
    /// An id without a character.
    #[error("the empty text names no waypoint; give it at least one character")]
    EmptyId,
    /// An id that is taken.
    #[error("there is a waypoint `{id}` already; choose another id, or remove or rename that one first")]
    DuplicateWaypoint {
        /// The id.
        id: String,
    },
    /// An id that two merged graphs would share.
    #[error("merged under the key `{key}`, two waypoints would be called `{id}`; choose another key")]
    MergeCollision {
        /// The id, with the key.
        id: String,
        /// The key.
        key: String,
    },
    /// An id that names nothing.
    #[error("there is no waypoint `{id}`; add it first{}", hint(.similar.as_deref()))]
    UnknownWaypoint {
        /// The id.
        id: String,
        /// The id that is spelt most like it, if one is close enough.
        similar: Option<String>,
    },
    /// A position that is NaN, infinite, or too far out to be counted with.
    #[error(
        "{position} is no place for a waypoint; both coordinates must be numbers from -{max:e} to {max:e}",
        max = WaypointGraph::MAX_COORDINATE
    )]
    InvalidPosition {
        /// The position.
        position: Position,
    },
    /// A speed or cost factor out of range.
    #[error(
        "the edge from `{from}` to `{to}` cannot have speed {} and cost factor {}; both must be from {min:e} to {max:e}, and the cost factor may be 0",
        .edge.speed, .edge.cost_factor, min = WaypointEdge::MIN_FACTOR, max = WaypointEdge::MAX_FACTOR
    )]
    InvalidEdge {
        /// Where the edge begins.
        from: String,
        /// Where it ends.
        to: String,
        /// What was to be set.
        edge: WaypointEdge,
    },
    /// A waypoint that would be joined with itself.
    #[error("`{id}` cannot be joined with itself; name two waypoints")]
    SelfJoin {
        /// The waypoint.
        id: String,
    },
    /// Two waypoints between which there is no edge in this direction.
    #[error("no edge leads from `{from}` to `{to}`; join them first")]
    NotJoined {
        /// Where the edge would begin.
        from: String,
        /// Where it would end.
        to: String,
    },
    /// A question about a graph without waypoints.
    #[error("the graph has no waypoints; add some, or load them")]
    NoWaypoints,
    /// There is no goal to choose from.
    #[error("there is no goal to choose from; give at least one")]
    NoGoals,
    /// A place on an edge that is not between its ends.
    #[error("{share} is no place on an edge; give a share from 0, where it begins, to 1, where it ends")]
    InvalidShare {
        /// The share of the edge's length.
        share: f64,
    },
    /// An access factor that cannot be counted with.
    #[error(
        "walking off the graph cannot cost {factor} times the distance; give an access factor from 0 to {max:e}",
        max = WaypointEdge::MAX_FACTOR
    )]
    InvalidAccessFactor {
        /// The factor.
        factor: f64,
    },
    /// A budget that is no number.
    #[error("NaN is no budget; give a number")]
    InvalidBudget,
    /// No number is left for another waypoint.
    #[error("a graph numbers at most {limit} waypoints, those removed included; clear it and begin again")]
    TooManyWaypoints {
        /// How many there may be.
        limit: usize,
    },
}

fn hint(similar: Option<&str>) -> String {
    similar.map_or_else(String::new, |id| format!(", or did you mean `{id}`?"))
}

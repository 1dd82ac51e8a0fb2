//! Why there is no way.

use bevy_reflect::Reflect;
use thiserror::Error;
use tilepath::{QueryError, WaypointError};

/// Why a request failed or a journey ended early. Its `Display` says what to do about it.
///
/// ```
/// use bevy_tilepath::PathFailure;
/// assert!(PathFailure::AmbiguousMap.to_string().contains("OnMap"));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Error, Reflect)]
#[reflect(Debug, Clone, PartialEq, Hash)]
#[non_exhaustive]
pub enum PathFailure {
    /// The map is gone: it was despawned, or it is no map any more.
    #[error("there is no map: spawn one with NavMap, or point OnMap at one that exists")]
    NoMap,
    /// There are several maps and nothing says which one is meant.
    #[error("there are several maps: say which one is meant with OnMap")]
    AmbiguousMap,
    /// The map's transform or cell size makes its cells vanish, so that no position lies on it.
    #[error("the map's cells have no area: give its transform a scale and its cells a size other than zero")]
    MapWithoutArea,
    /// The position of the goal, of the entity, or of its parent is NaN or infinite, or the entity has
    /// no `Transform`.
    #[error("a position is not a finite number: check the goal and the transforms of entity and parents")]
    PositionNotFinite,
    /// The entity does not stand on the map.
    #[error("the start is not on the map: move the entity onto it first")]
    StartOutOfBounds,
    /// The goal does not lie on the map.
    #[error("the goal is not on the map: choose a cell within its bounds")]
    GoalOutOfBounds,
    /// No graph has a waypoint of this id.
    #[error(
        "no graph has a waypoint of this id: check its spelling, or say on which graph it is with on_map"
    )]
    UnknownWaypoint,
    /// The request names no goal at all.
    #[error("there is no goal to choose from: give to_nearest at least one, or do not order")]
    NoGoals,
    /// No way leads to the goal, or to any of several.
    #[error("no way leads to the goal: open one, or ask with or_closest() to get as near as possible")]
    Unreachable,
    /// The request's own limit of work was reached before there was an answer.
    #[error("the search reached the limit of the request: raise with_limit, or leave it out")]
    LimitReached,
    /// The cost of every way is larger than a cost can be.
    #[error("the cost of the way is too large to be counted: use smaller terrain or step costs")]
    CostOverflow,
    /// The weight of the weighted algorithm is out of range.
    #[error("the weight of the algorithm is out of range: give at least 100 percent")]
    InvalidWeight,
    /// The algorithm asked for does not work with this map and its rules.
    #[error("the algorithm does not work on this map: leave it out to have one chosen")]
    AlgorithmNotApplicable,
    /// The search core refused the query, although the plugin asked it in order.
    #[error("the search refused the query: please report this with the map and the request")]
    QueryRefused,
    /// `PathAgent` was removed from an entity on its way.
    #[error("PathAgent was removed on the way: insert it and order again to go on")]
    AgentRemoved,
}

impl From<QueryError> for PathFailure {
    fn from(error: QueryError) -> Self {
        match error {
            QueryError::StartOutOfBounds { .. } => Self::StartOutOfBounds,
            QueryError::GoalOutOfBounds { .. } => Self::GoalOutOfBounds,
            QueryError::CostOverflow => Self::CostOverflow,
            QueryError::InvalidWeight { .. } => Self::InvalidWeight,
            QueryError::NoJumpPoints => Self::AlgorithmNotApplicable,
            _ => Self::QueryRefused,
        }
    }
}

impl From<WaypointError> for PathFailure {
    fn from(error: WaypointError) -> Self {
        match error {
            WaypointError::Unreachable { .. } | WaypointError::NoWaypoints => Self::Unreachable,
            WaypointError::UnknownWaypoint { .. } => Self::UnknownWaypoint,
            WaypointError::InvalidPosition { .. } => Self::GoalOutOfBounds,
            WaypointError::NoGoals => Self::NoGoals,
            _ => Self::QueryRefused,
        }
    }
}

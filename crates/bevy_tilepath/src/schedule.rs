//! The order of a tick.

use bevy_ecs::schedule::SystemSet;

/// The steps of a tick, chained in this order in the plugin's schedule.
///
/// Order your own systems against them: what a step reads must be written before it.
#[derive(SystemSet, Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum TilepathSystems {
    /// Tiles, layers, obstacles and rules are read into each map's [`NavGrid`](crate::NavGrid), and where maps and
    /// graphs stand in the world.
    ///
    /// Edit tiles, graphs and doors before it and the same tick's searches and walkers see the change.
    SyncMaps,
    /// New [`PathRequest`](crate::PathRequest)s get their map, start and goals, and journeys whose way is
    /// blocked are put up for a new search.
    ///
    /// Order agents before it and the search starts in the same tick.
    AcceptRequests,
    /// Searches advance, fairly, within the tick's budget of work.
    Search,
    /// Answers go out: components are written, events triggered.
    ///
    /// After it [`AgentPath`](crate::AgentPath) and [`PathStatus`](crate::PathStatus) are those of this tick.
    Publish,
    /// All agents walk; [`WaypointReached`](crate::WaypointReached), [`DoorPassed`](crate::DoorPassed) and
    /// [`Arrived`](crate::Arrived) are told.
    ///
    /// Change [`PathAgent::speed`](crate::PathAgent::speed) before it; read
    /// [`Motion`](crate::Motion) and the new `Transform` after it.
    Follow,
}

/// The steps of [`TilepathSystems::SyncMaps`]: tiles make grids, rules and places come next, and
/// obstacles stand on the result.
#[derive(SystemSet, Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum SyncSteps {
    Tiles,
    Maps,
    Obstacles,
}

//! Reasons why an order fails.

use bevy_ecs::entity::{Entity, EntityMapper, MapEntities};
use bevy_reflect::Reflect;
use thiserror::Error;
use tilepath::{Bounds, Cell, PathFault, QueryError, waypoint::WaypointError};

use crate::core_types;

/// The reason why a request failed, or why an order ended before the agent reached the goal. The
/// `Display` text of the reason also has the remedy.
///
/// ```
/// use bevy_tilepath::{Cell, PathFailure};
///
/// assert!(PathFailure::AmbiguousMap.to_string().contains("OnMap"));
/// let blocked = PathFailure::GoalBlocked { cell: Cell::new(3, 4) };
/// assert!(blocked.to_string().starts_with("the goal (3, 4) is itself a wall: "));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Error, Reflect)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[type_path = "bevy_tilepath"]
#[reflect(Debug, Clone, PartialEq, Hash)]
#[non_exhaustive]
pub enum PathFailure {
    /// There is no map of the kind that is needed, a tile map or a graph. Or the entity of the map
    /// was despawned, or has no map component any more.
    #[error("there is no map: spawn one with NavMap, or point OnMap at one that exists")]
    NoMap,
    /// The map exists, but its tiles, the file of its rules, or the file of its graph have not been
    /// read yet.
    #[error(
        "the map {map} has not been read yet: call sync_maps_now, or wait for its first tick; \
        a map without a tilemap needs a NavGrid, and files of rules and graphs must be loaded"
    )]
    NotReadYet {
        /// The entity of the map.
        map: Entity,
    },
    /// There are several maps, and none of them is chosen. An entity without `OnMap` chooses no map
    /// for itself. A goal without [`PathRequest::on_map`](crate::PathRequest::on_map) is ambiguous
    /// if it is a waypoint that several graphs have, or a cell and the agent is on a graph.
    #[error("there are several maps: insert OnMap to choose one")]
    AmbiguousMap,
    /// The map's transform or cell size makes its cells vanish, so that no position lies on the
    /// map.
    #[error("the map's cells have no area: give its transform a scale and its cells a size other than zero")]
    MapWithoutArea,
    /// The map has a width or a height of zero.
    #[error("the map has no cells: give its TilemapSize, or the Grid of its NavGrid, sides above zero")]
    MapWithoutCells,
    /// No tile of the tilemap was found, and cells without a tile are walls.
    #[error(
        "0 of the map's {cells} cells have a tile: do its tiles carry a TilePos and this map's TilemapId, and \
         does a TilemapChunk have any tile? Where cells without tiles are ground, set NavMap::missing_tile"
    )]
    MapWithoutTiles {
        /// The number of cells of the map.
        cells: usize,
    },
    /// The position of the goal, of the entity, or of the entity's parent is NaN or infinite. Or
    /// the entity has no `Transform`.
    #[error("a position is not a finite number: check the goal and the transforms of entity and parents")]
    PositionNotFinite,
    /// The position of the goal or of the entity is too far from a waypoint graph for exact
    /// numbers.
    #[error("a position is too far from the graph: keep positions within 1e15 of its origin")]
    PositionTooFar,
    /// The entity does not stand on the map.
    #[error("the start {cell} is not on the map of {bounds}: move the entity onto it first")]
    StartOutOfBounds {
        /// The cell of the entity. A coordinate out of the range of `i32` is replaced by the limit
        /// of the range.
        #[reflect(remote = core_types::Cell)]
        cell: Cell,
        /// The bounds of the map.
        #[reflect(remote = core_types::Bounds)]
        bounds: Bounds,
    },
    /// The goal does not lie on the map.
    #[error("the goal {cell} is not on the map of {bounds}: choose a cell within these bounds")]
    GoalOutOfBounds {
        /// The goal. A coordinate out of the range of `i32` is replaced by the limit of the range.
        #[reflect(remote = core_types::Cell)]
        cell: Cell,
        /// The bounds of the map.
        #[reflect(remote = core_types::Bounds)]
        bounds: Bounds,
    },
    /// The requested place is a waypoint on a tile map, or a cell on a waypoint graph.
    #[error(
        "a tile map has no waypoints and a graph has no cells: use on_map \
        to name the map of the goal, or query that map"
    )]
    WrongKindOfMap,
    /// The tilemap of a [`Place::Tile`](crate::Place::Tile) does not lie on the map.
    #[error(
        "the tilemap of this tile is not a layer of the map: give it a NavLayer of the map, \
        or use on_map to name its map"
    )]
    NotALayer,
    /// No graph has a waypoint with this id.
    #[error("no graph has a waypoint with this id: check the spelling, or use on_map to name its graph")]
    UnknownWaypoint,
    /// The map does not define the movement that the agent or its order has by name.
    #[error(
        "the map {map} defines no movement of that name: add it with NavMap::with_movement or in the file of its NavRules, or \
         choose one of NavGrid::movement_names"
    )]
    UnknownMovement {
        /// The entity of the map.
        map: Entity,
    },
    /// A unit of several cells would lie partly outside the map, at its start or at its goal.
    #[error(
        "a unit of {side} by {side} cells at {cell} passes the border of the map of {bounds}: its cell is the lowest and \
         leftmost one that it covers; choose a cell farther inside"
    )]
    FootprintOutOfBounds {
        /// The start or the goal.
        #[reflect(remote = core_types::Cell)]
        cell: Cell,
        /// The number of cells on a side of the unit.
        side: u8,
        /// The bounds of the map.
        #[reflect(remote = core_types::Bounds)]
        bounds: Bounds,
    },
    /// The unit covers several cells, and the cells of the map are hexagons.
    #[error("a unit of {side} by {side} cells cannot move on hexagons: give its movement a size of 1")]
    SizeOnHexagons {
        /// The number of cells on a side of the unit.
        side: u8,
    },
    /// The cost of a terrain class plus the overlay values of the movement is greater than the
    /// highest multiplier.
    #[error(
        "the costs of the movement and of the overlays and edges that it names add up to too much: lower one of them"
    )]
    OverlayTooHigh,
    /// The agent is itself the map: the goal would always move with the agent.
    #[error(
        "the agent is itself the map on which it would walk: put PathAgent on the units, and not on the map"
    )]
    OwnMap,
    /// The request has no goal.
    #[error("there is no goal to choose from: name at least one, or do not order")]
    NoGoals,
    /// The only goal is a cell that no agent can enter: a wall, or under an
    /// [`Obstacle`](crate::Obstacle). An entity that already stands on this cell gets a path.
    #[error("the goal {cell} is itself a wall: choose a cell beside it, or use or_closest() to stop there")]
    GoalBlocked {
        /// The goal.
        #[reflect(remote = core_types::Cell)]
        cell: Cell,
    },
    /// The only goal is closed by an overlay that the agent's movement names. Its ground may be open.
    /// [`Movement::closing_overlays`](crate::Movement::closing_overlays) returns the name of the
    /// overlay, and [`NavView::why`](crate::NavView::why) names it in words.
    #[error(
        "an overlay closes the goal {cell} to this movement: choose another cell, or use or_closest() to stop beside it"
    )]
    GoalUnderOverlay {
        /// The goal.
        #[reflect(remote = core_types::Cell)]
        cell: Cell,
    },
    /// No path leads to the goal, although the goal itself is open. If the order has several goals,
    /// no path leads to any of them.
    #[error("no path leads to the goal: open a wall, or use or_closest() to get as near as possible")]
    Unreachable,
    /// The path of [`PathRequest::along`](crate::PathRequest::along) does not begin at the cell and
    /// on the map where the entity stands.
    #[error("the path begins at {start}, but the entity stands at {standing}: find a path from there")]
    PathBeginsElsewhere {
        /// The first cell of the path.
        #[reflect(remote = core_types::Cell)]
        start: Cell,
        /// The cell where the entity stands, on the entity's own map.
        #[reflect(remote = core_types::Cell)]
        standing: Cell,
    },
    /// The path of [`PathRequest::along`](crate::PathRequest::along) cannot be walked on the map as
    /// it is now.
    #[error("the path cannot be walked any more: {0}; ask for a new one, or order to its last cell")]
    PathOutdated(#[reflect(remote = core_types::PathFault)] PathFault),
    /// The search reached the limit of [`PathRequest::with_limit`](crate::PathRequest::with_limit)
    /// before it had an answer.
    #[error("the search reached the limit of the request: raise with_limit, or leave it out")]
    LimitReached,
    /// The cost of every path is greater than the highest [`Cost`](crate::Cost).
    #[error("the cost of the path is too large: use smaller terrain or step costs")]
    CostOverflow,
    /// The weight of the weighted algorithm is out of range.
    #[error("the weight of the algorithm is out of range: give at least 100 percent")]
    InvalidWeight,
    /// The requested algorithm does not work with this map and its rules.
    #[error("the algorithm does not work on this map: leave it out to have one chosen")]
    AlgorithmNotApplicable,
    /// The target entity is despawned or disabled, or has no `Transform`.
    #[error(
        "the entity to go to is despawned, disabled or has no Transform: order to a place, or to another entity"
    )]
    TargetGone,
    /// The target is on a waypoint graph, or on another map than an agent that flees from it or goes
    /// in sight of it. Or a query that passes no doors has its goal on another map.
    #[error(
        "the target is on a waypoint graph, or on another map than an order in sight of it or away from it: order to a waypoint, or to the target's map first"
    )]
    TargetElsewhere,
    /// A distance of the request is negative, NaN or too large.
    #[error(
        "the distance of the request is negative, NaN or too large: give 0 to 128 cells, in sight 0 to 64"
    )]
    InvalidDistance,
    /// The request to flee has a budget of zero.
    #[error("the request to flee has a budget of 0: give it the highest cost that the path may have")]
    NoBudget,
    /// The request's tolerance is negative or NaN.
    #[error("the tolerance of the request is negative or NaN: give with_tolerance 0 or more")]
    InvalidTolerance,
    /// The time that an agent is to stand at a stop is negative or NaN.
    #[error("the time at the stop is negative or NaN: give Stop::wait 0 or more seconds")]
    InvalidWait,
    /// The search core refused a query of the plugin.
    #[error("the search refused the query: please report this with the map and the request")]
    QueryRefused,
    /// Another [`Body`](crate::Body) is in the way and does not move, and this body has no patience
    /// left.
    #[error(
        "the body {by} is in the way and does not move: send it away, or give this one more BodyPatience"
    )]
    Blocked {
        /// The other body.
        by: Entity,
    },
    /// `PathAgent` was removed from an entity whose order had not ended.
    #[error("PathAgent was removed before the agent arrived: insert it and order again to go on")]
    AgentRemoved,
}

impl MapEntities for PathFailure {
    fn map_entities<M: EntityMapper>(&mut self, mapper: &mut M) {
        if let Self::NotReadYet { map: entity }
        | Self::UnknownMovement { map: entity }
        | Self::Blocked { by: entity } = self
        {
            entity.map_entities(mapper);
        }
    }
}

impl PathFailure {
    /// Returns whether edits of maps may remove the reason.
    pub(crate) fn may_pass(self) -> bool {
        matches!(
            self,
            Self::Unreachable
                | Self::GoalBlocked { .. }
                | Self::GoalUnderOverlay { .. }
                | Self::MapWithoutTiles { .. }
                | Self::MapWithoutCells
                | Self::StartOutOfBounds { .. }
                | Self::GoalOutOfBounds { .. }
                | Self::FootprintOutOfBounds { .. }
        )
    }

    /// Returns the failure of a search that begins at a cell off the map.
    pub(crate) fn start_off(cell: Cell, bounds: Bounds) -> Self {
        if bounds.is_empty() { Self::MapWithoutCells } else { Self::StartOutOfBounds { cell, bounds } }
    }

    /// Returns the failure of a search that ends at a cell off the map.
    pub(crate) fn goal_off(cell: Cell, bounds: Bounds) -> Self {
        if bounds.is_empty() { Self::MapWithoutCells } else { Self::GoalOutOfBounds { cell, bounds } }
    }
}

impl From<QueryError> for PathFailure {
    fn from(error: QueryError) -> Self {
        match error {
            QueryError::StartOutOfBounds { cell, bounds } => Self::start_off(cell, bounds),
            QueryError::GoalOutOfBounds { cell, bounds } => Self::goal_off(cell, bounds),
            QueryError::CostOverflow => Self::CostOverflow,
            QueryError::FootprintOutOfBounds { cell, side, bounds } => {
                Self::FootprintOutOfBounds { cell, side, bounds }
            }
            QueryError::SizeOnHexagons { side } => Self::SizeOnHexagons { side },
            QueryError::OverlayTooHigh { .. } | QueryError::EdgesTooHigh { .. } => Self::OverlayTooHigh,
            QueryError::InvalidWeight { .. } => Self::InvalidWeight,
            QueryError::NoJumpPoints => Self::AlgorithmNotApplicable,
            _ => Self::QueryRefused,
        }
    }
}

impl From<WaypointError> for PathFailure {
    fn from(error: WaypointError) -> Self {
        match error {
            WaypointError::NoWaypoints => Self::Unreachable,
            WaypointError::UnknownWaypoint { .. } => Self::UnknownWaypoint,
            WaypointError::InvalidPosition { .. } => Self::PositionTooFar,
            WaypointError::NoGoals => Self::NoGoals,
            _ => Self::QueryRefused,
        }
    }
}

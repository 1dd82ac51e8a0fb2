//! Pathfinding for Bevy tile maps.

mod agent;
#[cfg(feature = "debug_draw")]
mod debug_draw;
mod diagnostics;
mod events;
mod failure;
mod follow;
mod interpolate;
#[cfg(feature = "tilemap")]
mod layer;
mod nav_map;
mod obstacle;
mod plugin;
mod projection;
mod publish;
mod query;
mod replan;
mod request;
mod resolve;
mod schedule;
mod settings;
#[cfg(feature = "tilemap")]
mod terrain;
#[cfg(feature = "tilemap")]
mod tilemap_sync;

pub use tilepath as core;
pub use tilepath::{Algorithm, Cell, Cost, CostTable, Diagonals, Movement, Path, StepCosts};

pub use crate::agent::{AgentPath, MapAgents, Motion, OnMap, PathAgent, PathStatus};
#[cfg(feature = "debug_draw")]
pub use crate::debug_draw::{TilepathDebugPlugin, TilepathGizmos};
pub use crate::diagnostics::TilepathDiagnostics;
pub use crate::events::{Arrived, PathBlocked, PathFailed, PathFound, PathLost, Replanned, WaypointReached};
pub use crate::failure::PathFailure;
pub use crate::request::{PathGoal, PathRequest};
#[cfg(feature = "tilemap")]
pub use crate::{
    layer::{NavLayer, NavLayers},
    terrain::{Terrain, TextureTerrain},
};
pub use crate::{
    nav_map::{MissingTile, NavGrid, NavMap},
    obstacle::Obstacle,
    plugin::TilepathPlugin,
    projection::NavProjection,
    query::{NavQuery, NavView},
    schedule::TilepathSystems,
    settings::TilepathSettings,
};

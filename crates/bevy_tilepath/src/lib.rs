//! Pathfinding for Bevy tile maps.

mod agent;
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

pub use crate::agent::{MapAgents, OnMap, PathAgent};
pub use crate::failure::PathFailure;
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

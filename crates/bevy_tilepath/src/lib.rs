//! Pathfinding for Bevy tile maps.

mod agent;
mod diagnostics;
mod events;
mod failure;
mod follow;
mod interpolate;
mod nav_map;
mod obstacle;
mod plugin;
mod projection;
mod publish;
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

#[cfg(feature = "tilemap")]
pub use crate::terrain::Terrain;
pub use crate::{
    nav_map::{MissingTile, NavGrid, NavMap},
    obstacle::Obstacle,
    plugin::TilepathPlugin,
    projection::NavProjection,
    schedule::TilepathSystems,
    settings::TilepathSettings,
};

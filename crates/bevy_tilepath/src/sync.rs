//! Inputs of maps: tilemaps, obstacles, files of rules and waypoints.

pub(crate) mod obstacle;
pub(crate) mod overlay_area;
pub(crate) mod room;
#[cfg(feature = "rules_asset")]
pub(crate) mod rules_asset;
pub(crate) mod tilemap;
#[cfg(feature = "waypoint_asset")]
pub(crate) mod waypoint_asset;

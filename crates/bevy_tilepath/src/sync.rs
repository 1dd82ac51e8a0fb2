//! What maps are filled from: tilemaps, obstacles, and files of waypoints.

pub(crate) mod obstacle;
#[cfg(feature = "tilemap")]
pub(crate) mod tilemap;
#[cfg(feature = "waypoint_asset")]
pub(crate) mod waypoint_asset;

//! Maps, what is on them, and the doors between them.

pub(crate) mod cells;
pub(crate) mod changes;
pub(crate) mod door;
#[cfg(feature = "tilemap")]
pub(crate) mod edges;
pub(crate) mod graph_view;
pub(crate) mod lattice;
#[cfg(feature = "tilemap")]
pub(crate) mod layer;
pub(crate) mod maps;
pub(crate) mod movement;
pub(crate) mod nav_graph;
pub(crate) mod nav_grid;
pub(crate) mod nav_map;
pub(crate) mod nav_view;
pub(crate) mod on_map;
pub(crate) mod opaque;
pub(crate) mod place;
pub(crate) mod projection;
#[cfg(feature = "tilemap")]
pub(crate) mod terrain;
pub(crate) mod version;
pub(crate) mod watch;
pub(crate) mod waypoint_slowdown;
pub(crate) mod world_places;

//! Maps, the units and obstacles on them, and doors.

pub(crate) mod cells;
pub(crate) mod changes;
pub(crate) mod door;
#[cfg(feature = "tilemap")]
pub(crate) mod edges;
pub(crate) mod graph_changes;
pub(crate) mod graph_view;
pub(crate) mod lattice;
#[cfg(any(feature = "tilemap", feature = "tilemap_chunk"))]
pub(crate) mod layer;
pub(crate) mod log;
pub(crate) mod map_view;
pub(crate) mod maps;
pub(crate) mod memory;
pub(crate) mod movement;
pub(crate) mod nav_graph;
pub(crate) mod nav_grid;
pub(crate) mod nav_map;
pub(crate) mod on_map;
pub(crate) mod opaque;
pub(crate) mod place;
pub(crate) mod projection;
pub(crate) mod span;
pub(crate) mod template_error;
#[cfg(any(feature = "tilemap", feature = "tilemap_chunk"))]
pub(crate) mod terrain;
pub(crate) mod unknown_names;
pub(crate) mod version;
pub(crate) mod watch;
pub(crate) mod waypoint_slowdown;
pub(crate) mod world_places;

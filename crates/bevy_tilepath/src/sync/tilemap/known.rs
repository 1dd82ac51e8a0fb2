//! What is known of all tilemaps that are read.

use bevy_ecs::{
    entity::{Entity, EntityHashMap, EntityHashSet},
    resource::Resource,
};
use tilepath::Bounds;

use crate::sync::tilemap::claims::LayerClaims;

/// What the adapter knows of all tilemaps that are read.
#[derive(Resource, Default)]
pub(crate) struct TilemapSync {
    /// The cells of every tilemap that is a map or a layer of one.
    pub(crate) claims: EntityHashMap<LayerClaims>,
    /// The maps that can be read, as of this tick.
    pub(crate) plans: Vec<MapPlan>,
    /// What each map's grid was last written from.
    pub(crate) written: EntityHashMap<WrittenGrid>,
    /// Tilemaps that were refused, with the reason that was told.
    pub(crate) refused: EntityHashMap<String>,
    pub(crate) next_epoch: u32,
    pub(crate) watches_textures: bool,
    /// Tilemaps whose cells were emptied in this tick.
    pub(crate) to_fill: EntityHashSet,
    /// Tiles to look at in this tick; kept for its allocation.
    pub(crate) changed_tiles: Vec<Entity>,
}

/// A map to be read from its tilemaps.
pub(crate) struct MapPlan {
    pub(crate) map: Entity,
    pub(crate) bounds: Bounds,
    /// The class of cells without any tile.
    pub(crate) missing: u8,
    /// The tilemaps, from the lowest to the topmost.
    pub(crate) layers: Vec<Entity>,
}

/// What a grid was last written from. While it stays the same only changed cells are decided again.
#[derive(PartialEq, Eq)]
pub(crate) struct WrittenGrid {
    pub(crate) generation: u64,
    pub(crate) bounds: Bounds,
    pub(crate) missing: u8,
    /// The tilemaps with the filling of their cells.
    pub(crate) layers: Vec<(Entity, u32)>,
}

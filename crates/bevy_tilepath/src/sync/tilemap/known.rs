//! What is known of all tilemaps that are read.

use bevy_ecs::{
    entity::{Entity, EntityHashMap, EntityHashSet},
    resource::Resource,
};
use bevy_math::IVec2;
use tilepath::{Bounds, Cell, Lattice};

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
    /// Layers that do not stand where their offset says, and maps whose chunks overlap: each is told once.
    pub(crate) warned: EntityHashSet,
    pub(crate) next_epoch: u32,
    pub(crate) watches_textures: bool,
    /// Tilemaps whose cells were emptied in this tick.
    pub(crate) to_fill: EntityHashSet,
    /// Tiles that left a cell in this tick, and have yet to enter another; kept for its allocation.
    pub(crate) moved_tiles: Vec<Entity>,
}

/// A map to be read from its tilemaps.
pub(crate) struct MapPlan {
    pub(crate) map: Entity,
    pub(crate) lattice: Lattice,
    pub(crate) bounds: Bounds,
    /// The class of cells within a tilemap that have no tile.
    pub(crate) missing: u8,
    /// Whether `NavMap::missing_tile` is the default.
    pub(crate) is_missing_default: bool,
    /// The tilemaps, from the lowest to the topmost.
    pub(crate) layers: Vec<PlannedLayer>,
}

/// A tilemap as it lies on its map.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct PlannedLayer {
    pub(crate) tilemap: Entity,
    pub(crate) order: i32,
    pub(crate) offset: IVec2,
    /// The rectangle around its cells.
    pub(crate) bounds: Bounds,
    /// Whether its tiles that name no class are ground.
    pub(crate) is_ground: bool,
    /// Whether it is a chunk of a map that has no tilemap of its own: it shares its order with others.
    pub(crate) is_chunk: bool,
}

impl PlannedLayer {
    /// The tile that lies on a cell, if the tilemap were endless.
    pub(crate) fn tile_of(&self, lattice: Lattice, cell: Cell) -> IVec2 {
        let IVec2 { x, y } = self.offset;
        lattice.tile_of(Cell::new(cell.x.saturating_sub(x), cell.y.saturating_sub(y))).into()
    }
}

/// What a grid was last written from. While it stays the same only changed cells are decided again.
#[derive(PartialEq, Eq)]
pub(crate) struct WrittenGrid {
    pub(crate) generation: u64,
    pub(crate) lattice: Lattice,
    pub(crate) bounds: Bounds,
    pub(crate) missing: u8,
    /// The tilemaps with the filling of their cells.
    pub(crate) layers: Vec<(PlannedLayer, u32)>,
}

//! The state of all tilemaps that are read.

use bevy_ecs::{
    entity::{Entity, EntityHashMap, EntityHashSet},
    resource::Resource,
};
use bevy_math::IVec2;
use tilepath::{Bounds, Cell, Lattice};

use crate::sync::tilemap::claims::LayerClaims;

/// The state of all tilemaps that are read.
#[derive(Resource, Default)]
pub(crate) struct TilemapSync {
    /// The cells of every tilemap that is a map or a layer of a map.
    pub(crate) claims: EntityHashMap<LayerClaims>,
    /// The maps that can be read in this tick.
    pub(crate) plans: Vec<MapPlan>,
    /// The layers from which each map's grid was last written.
    pub(crate) written: EntityHashMap<WrittenGrid>,
    /// Tilemaps that were refused, with the reason that was logged.
    pub(crate) refused: EntityHashMap<String>,
    /// Layers that are not at the place of their offset, and maps whose chunks overlap. Each causes
    /// one warning.
    pub(crate) warned: EntityHashSet,
    pub(crate) next_epoch: u32,
    #[cfg(feature = "tilemap")]
    pub(crate) watches_textures: bool,
    /// Tilemaps whose cells were emptied in this tick.
    pub(crate) to_fill: EntityHashSet,
    /// Tiles that left a cell in this tick, and have yet to enter another. Kept for its allocation.
    #[cfg(feature = "tilemap")]
    pub(crate) moved_tiles: Vec<Entity>,
}

/// A map to be read from its tilemaps.
pub(crate) struct MapPlan {
    pub(crate) map: Entity,
    pub(crate) lattice: Lattice,
    pub(crate) bounds: Bounds,
    /// The class of cells within a tilemap that have no tile.
    pub(crate) missing: u8,
    /// True if `NavMap::missing_tile` is the default.
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
    /// The arrangement of its tiles on cells: of a grid, each tile is a cell.
    pub(crate) lattice: Lattice,
    /// True if it is a chunk of a map without a tilemap of its own: it may share its order with
    /// other chunks.
    pub(crate) is_chunk: bool,
}

impl PlannedLayer {
    /// Returns the tile that lies on a cell, as if the tilemap had no bounds.
    pub(crate) fn tile_of(&self, cell: Cell) -> IVec2 {
        let IVec2 { x, y } = self.offset;
        self.lattice.tile_of(Cell::new(cell.x.saturating_sub(x), cell.y.saturating_sub(y))).into()
    }
}

/// The state from which a grid was last written. While it stays the same, only changed cells are
/// decided again.
#[derive(PartialEq, Eq)]
pub(crate) struct WrittenGrid {
    pub(crate) generation: u64,
    pub(crate) lattice: Lattice,
    pub(crate) bounds: Bounds,
    pub(crate) missing: u8,
    /// The tilemaps, with the number of the filling of their cells.
    pub(crate) layers: Vec<(PlannedLayer, u32)>,
}

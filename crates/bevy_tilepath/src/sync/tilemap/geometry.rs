//! The geometry of tilemaps of all kinds.

#[cfg(feature = "tilemap")]
use bevy_ecs::query::QueryData;
use bevy_ecs::{
    entity::Entity,
    query::{With, Without},
    system::{Query, SystemParam},
};
#[cfg(feature = "tilemap")]
use bevy_ecs_tilemap::{
    anchor::TilemapAnchor,
    map::{TilemapGridSize, TilemapSize, TilemapTileSize, TilemapType},
    tiles::TilePos,
};
use bevy_math::{IVec2, Vec2};
#[cfg(feature = "tilemap_chunk")]
use bevy_math::{UVec2, Vec3Swizzles};
#[cfg(feature = "tilemap_chunk")]
use bevy_sprite_render::{TilemapChunk, TilemapChunkTileData};
use tilepath::Lattice;

#[cfg(feature = "tilemap")]
use crate::map::lattice::lattice_of;
use crate::{
    map::{cells::ToCell, layer::NavLayer, nav_grid::NavGrid, nav_map::NavMap},
    sync::tilemap::refusal::Refusal,
};

/// The place of a tilemap's tiles.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum TilemapKind {
    /// Every tile is an entity: a tilemap of `bevy_ecs_tilemap`.
    #[cfg(feature = "tilemap")]
    Entities,
    /// One component holds all tiles: Bevy's own `TilemapChunk`.
    #[cfg(feature = "tilemap_chunk")]
    Data,
    /// No tiles: the cells of a [`NavGrid`] with a [`NavLayer`].
    Grid,
}

/// The geometry of one tilemap.
pub(crate) struct TilemapGeometry {
    pub(crate) kind: TilemapKind,
    pub(crate) width: u32,
    pub(crate) height: u32,
    /// `None` if no component states it.
    lattice: Option<Lattice>,
    /// `None` if no component states it.
    cell_size: Option<Vec2>,
    /// The centre of tile (0, 0) in the tilemap's space, as it is drawn.
    pub(crate) first_centre: Vec2,
    /// The cell of tile (0, 0): not (0, 0) if a grid begins elsewhere.
    pub(crate) first_cell: IVec2,
    /// The number of tiles that a component holds.
    #[cfg(feature = "tilemap_chunk")]
    held: Option<usize>,
}

impl TilemapGeometry {
    /// Returns the lattice of its tiles, and the size of one.
    pub(crate) fn cells(&self) -> Result<(Lattice, Vec2), Refusal> {
        #[cfg(feature = "tilemap_chunk")]
        if let Some(held) = self.held
            && held as u64 != u64::from(self.width) * u64::from(self.height)
        {
            return Err(Refusal::TileCount { width: self.width, height: self.height, held });
        }
        let cell_size = self.cell_size.filter(|size| size.is_finite() && size.min_element() > 0.0);
        let cell_size = cell_size.ok_or(Refusal::CellSize { kind: self.kind, size: self.cell_size })?;
        Ok((self.lattice.unwrap_or(Lattice::Square), cell_size))
    }

    /// Returns why it cannot be a part of a map with such cells, if there is a reason. Missing
    /// components count as equal to the map's.
    pub(crate) fn refusal_as_part_of(&self, lattice: Lattice, map: Vec2) -> Option<Refusal> {
        if let Some(own) = self.lattice.filter(|&own| own != lattice) {
            return Some(Refusal::OtherLattice { kind: self.kind, own, map: lattice });
        }
        let own = self.cell_size?;
        if let Err(refusal) = self.cells() {
            return Some(refusal);
        }
        (own != map).then_some(Refusal::OtherCellSize { kind: self.kind, own, map })
    }

    /// Returns a tilemap without a place whose tiles are entities.
    #[cfg(all(test, feature = "tilemap"))]
    pub(crate) fn of_entities(width: u32, height: u32) -> Self {
        Self {
            kind: TilemapKind::Entities,
            width,
            height,
            lattice: None,
            cell_size: None,
            first_centre: Vec2::ZERO,
            first_cell: IVec2::ZERO,
            #[cfg(feature = "tilemap_chunk")]
            held: None,
        }
    }
}

/// The tilemaps of all kinds. An entity of several kinds is read as the first of them.
#[derive(SystemParam)]
pub(crate) struct Tilemaps<'w, 's> {
    #[cfg(feature = "tilemap")]
    of_entities: Query<'w, 's, TilemapParts>,
    #[cfg(feature = "tilemap_chunk")]
    of_data: Query<'w, 's, (&'static TilemapChunk, &'static TilemapChunkTileData)>,
    grids: Query<'w, 's, &'static NavGrid, IsGridLayer>,
}

/// The filter for grids that are layers of maps.
pub(crate) type IsGridLayer = (With<NavLayer>, Without<NavMap>);

impl Tilemaps<'_, '_> {
    /// Returns the geometry of a tilemap, or `None` if the entity is not a tilemap.
    pub(crate) fn get(&self, tilemap: Entity) -> Option<TilemapGeometry> {
        #[cfg(feature = "tilemap")]
        if let Ok(parts) = self.of_entities.get(tilemap) {
            return Some(parts.geometry());
        }
        #[cfg(feature = "tilemap_chunk")]
        if let Ok((chunk, tiles)) = self.of_data.get(tilemap) {
            return Some(TilemapGeometry::of_data(chunk, tiles));
        }
        self.grids.get(tilemap).ok().map(TilemapGeometry::of_grid)
    }
}

impl TilemapGeometry {
    /// A grid states neither a lattice nor the size of a cell: the map's own count.
    fn of_grid(grid: &NavGrid) -> Self {
        let bounds = grid.bounds();
        Self {
            kind: TilemapKind::Grid,
            width: bounds.width(),
            height: bounds.height(),
            lattice: None,
            cell_size: None,
            first_centre: Vec2::ZERO,
            first_cell: bounds.origin().to_ivec2(),
            #[cfg(feature = "tilemap_chunk")]
            held: None,
        }
    }
}

#[cfg(feature = "tilemap_chunk")]
impl TilemapGeometry {
    fn of_data(chunk: &TilemapChunk, tiles: &TilemapChunkTileData) -> Self {
        let UVec2 { x: width, y: height } = chunk.chunk_size;
        Self {
            kind: TilemapKind::Data,
            width,
            height,
            lattice: Some(Lattice::Square),
            cell_size: Some(chunk.tile_display_size.as_vec2()),
            first_centre: chunk.calculate_tile_transform(UVec2::ZERO).translation.xy(),
            first_cell: IVec2::ZERO,
            held: Some(tiles.len()),
        }
    }
}

/// The components of a tilemap of `bevy_ecs_tilemap`.
#[cfg(feature = "tilemap")]
#[derive(QueryData)]
struct TilemapParts {
    size: &'static TilemapSize,
    grid_size: Option<&'static TilemapGridSize>,
    tile_size: Option<&'static TilemapTileSize>,
    map_type: Option<&'static TilemapType>,
    anchor: Option<&'static TilemapAnchor>,
}

#[cfg(feature = "tilemap")]
impl TilemapPartsItem<'_, '_> {
    fn geometry(&self) -> TilemapGeometry {
        TilemapGeometry {
            kind: TilemapKind::Entities,
            width: self.size.x,
            height: self.size.y,
            lattice: self.map_type.copied().map(lattice_of),
            cell_size: self.grid_size.map(Vec2::from),
            first_centre: self.first_centre(),
            first_cell: IVec2::ZERO,
            #[cfg(feature = "tilemap_chunk")]
            held: None,
        }
    }

    fn first_centre(&self) -> Vec2 {
        // The anchor of a map without cells is not defined: there is no last tile to measure to.
        if self.size.x == 0 || self.size.y == 0 {
            return Vec2::ZERO;
        }
        let grid_size = self.grid_size.copied().unwrap_or_default();
        let tile_size = self.tile_size.copied().unwrap_or(TilemapTileSize::new(grid_size.x, grid_size.y));
        TilePos::new(0, 0).center_in_world(
            self.size,
            &grid_size,
            &tile_size,
            &self.map_type.copied().unwrap_or_default(),
            &self.anchor.copied().unwrap_or_default(),
        )
    }
}

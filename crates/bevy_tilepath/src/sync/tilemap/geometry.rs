//! The shape of a tilemap, and reasons not to read it.

use std::fmt;

use bevy_ecs::query::QueryData;
use bevy_ecs_tilemap::{
    anchor::TilemapAnchor,
    map::{TilemapGridSize, TilemapSize, TilemapTileSize, TilemapType},
    tiles::TilePos,
};
use bevy_math::Vec2;
use tilepath::{GridError, Lattice};

use crate::map::lattice::lattice_of;

/// The reason why a tilemap is not read.
#[derive(Debug)]
pub(crate) enum Refusal {
    GridSize(Option<Vec2>),
    TooLarge { width: u32, height: u32, error: GridError },
    OtherType { own: TilemapType, lattice: Lattice },
    OtherGridSize { own: Vec2, map: Vec2 },
}

impl fmt::Display for Refusal {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::GridSize(Some(size)) => write!(
                formatter,
                "its grid size is {} by {}: give it a TilemapGridSize above zero, usually the size of its tiles",
                size.x, size.y
            ),
            Self::GridSize(None) => {
                write!(formatter, "it has no TilemapGridSize: give it one, usually the size of its tiles")
            }
            Self::TooLarge { width, height, error } => write!(
                formatter,
                "with its {width} by {height} tiles {error}; give it a smaller TilemapSize, or a NavLayer offset nearer to \
                 the map's other tilemaps"
            ),
            Self::OtherType { own, lattice } => write!(
                formatter,
                "its type is {own:?}, but its map has {lattice:?}: all tilemaps of a map need the same TilemapType"
            ),
            Self::OtherGridSize { own, map } => write!(
                formatter,
                "its grid size is {} by {}, but its map has {} by {}: all tilemaps of a map need the same TilemapGridSize",
                own.x, own.y, map.x, map.y
            ),
        }
    }
}

#[derive(QueryData)]
pub(crate) struct TilemapGeometry {
    pub(crate) size: &'static TilemapSize,
    grid_size: Option<&'static TilemapGridSize>,
    tile_size: Option<&'static TilemapTileSize>,
    map_type: Option<&'static TilemapType>,
    anchor: Option<&'static TilemapAnchor>,
}

impl TilemapGeometryItem<'_, '_> {
    /// Returns the lattice of its tiles, and the size of one.
    pub(crate) fn cells(&self) -> Result<(Lattice, Vec2), Refusal> {
        let grid_size = self.grid_size.map(Vec2::from).ok_or(Refusal::GridSize(None))?;
        if !grid_size.is_finite() || grid_size.min_element() <= 0.0 {
            return Err(Refusal::GridSize(Some(grid_size)));
        }
        Ok((lattice_of(self.map_type.copied().unwrap_or_default()), grid_size))
    }

    /// Returns why it cannot be a part of a map with such cells, if there is a reason. Missing
    /// components count as equal to the map's.
    pub(crate) fn refusal_as_part_of(&self, lattice: Lattice, map: Vec2) -> Option<Refusal> {
        if let Some(&own) = self.map_type.filter(|&&own| lattice_of(own) != lattice) {
            return Some(Refusal::OtherType { own, lattice });
        }
        let own = Vec2::from(*self.grid_size?);
        if let Err(refusal) = self.cells() {
            return Some(refusal);
        }
        (own != map).then_some(Refusal::OtherGridSize { own, map })
    }

    /// Returns the centre of tile (0, 0) in the tilemap's space, as it is drawn.
    pub(crate) fn first_centre(&self) -> Vec2 {
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

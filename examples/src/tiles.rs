//! Tilemaps of square tiles.

use bevy::prelude::*;
use bevy_ecs_tilemap::prelude::*;

/// Side of a tile in world units, which are pixels of the art.
pub const TILE: f32 = 16.0;

/// A tilemap whose first tile, the lower left one, is centred at `origin`.
#[must_use]
pub fn tilemap(size: TilemapSize, storage: TileStorage, origin: Vec3) -> TilemapBundle {
    let tile_size = TilemapTileSize { x: TILE, y: TILE };
    TilemapBundle {
        size,
        storage,
        tile_size,
        grid_size: tile_size.into(),
        transform: Transform::from_translation(origin),
        ..default()
    }
}

//! Tilemaps of square tiles.

use bevy::prelude::*;
use bevy_ecs_tilemap::prelude::*;
use bevy_tilepath::Cell;

/// The side of a tile, in world units, which are pixels of the pictures.
pub const TILE: f32 = 16.0;

/// Returns the centre of a cell in the world, on a map whose lower left corner is the origin.
#[must_use]
pub fn centre_of(cell: Cell) -> Vec2 {
    (IVec2::new(cell.x, cell.y).as_vec2() + 0.5) * TILE
}

/// Returns the centre of the lower left cell of such a map, at a height.
#[must_use]
pub fn first_cell(height: f32) -> Vec3 {
    centre_of(Cell::new(0, 0)).extend(height)
}

/// Returns a tilemap whose first tile, the lower left one, is centred at `origin`.
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

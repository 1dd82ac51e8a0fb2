//! Tiles as entities.

use bevy_app::App;
use bevy_ecs_tilemap::prelude::*;
use bevy_tilepath::{NavMap, Terrain};
use bevy_transform::components::Transform;

use crate::apps::{CELL, app};

/// A square tilemap of that side in which nothing happens.
pub(crate) fn idle_tiles(side: u32) -> App {
    let mut app = app();
    let tile_size = TilemapTileSize { x: CELL, y: CELL };
    let map = app
        .world_mut()
        .spawn((
            NavMap::default(),
            TilemapSize::new(side, side),
            tile_size,
            TilemapGridSize::from(tile_size),
            TilemapType::Square,
            TilemapAnchor::BottomLeft,
            Transform::default(),
        ))
        .id();
    let tiles = (0..side * side).map(move |index| {
        let position = TilePos::new(index % side, index / side);
        (position, TilemapId(map), TileTextureIndex(0), Terrain(1))
    });
    app.world_mut().spawn_batch(tiles);
    app
}

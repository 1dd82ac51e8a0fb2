//! Terrain on a tilemap, where it has no effect.

use bevy_ecs::{
    entity::Entity,
    query::{Added, Or, With, Without},
    system::Query,
};
use bevy_ecs_tilemap::{map::TilemapSize, tiles::TilePos};
use tracing::warn;

use crate::map::terrain::Terrain;

type TilemapWithTerrain =
    (With<Terrain>, With<TilemapSize>, Without<TilePos>, Or<(Added<Terrain>, Added<TilemapSize>)>);

/// Warns of each `Terrain` that is put on a tilemap: it has no effect there.
pub(crate) fn warn_of_terrain(tilemaps: Query<Entity, TilemapWithTerrain>) {
    for tilemap in &tilemaps {
        warn!(
            "tilemap {tilemap} has a Terrain, which counts on tiles alone: put it on each of its tiles, or \
            put a TextureTerrain on the tilemap"
        );
    }
}

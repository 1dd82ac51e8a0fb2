//! Components on a tilemap that have no effect there.

#[cfg(feature = "tilemap")]
use bevy_ecs::query::Without;
use bevy_ecs::{
    entity::Entity,
    query::{Added, Or, With},
    system::Query,
};
#[cfg(feature = "tilemap")]
use bevy_ecs_tilemap::{map::TilemapSize, tiles::TilePos};
#[cfg(feature = "tilemap_chunk")]
use bevy_sprite_render::TilemapChunk;
use tracing::warn;

use crate::map::terrain::Terrain;

#[cfg(feature = "tilemap")]
type TilemapWithTerrain =
    (With<Terrain>, With<TilemapSize>, Without<TilePos>, Or<(Added<Terrain>, Added<TilemapSize>)>);

/// Warns of each `Terrain` that is put on a tilemap: it has no effect there.
#[cfg(feature = "tilemap")]
pub(crate) fn warn_of_terrain(tilemaps: Query<Entity, TilemapWithTerrain>) {
    for tilemap in &tilemaps {
        warn!(
            "tilemap {tilemap} has a Terrain, which counts on tiles alone: put it on each of its tiles, or \
            put a TextureTerrain on the tilemap"
        );
    }
}

#[cfg(feature = "tilemap_chunk")]
type ChunkWithTerrain = (With<Terrain>, With<TilemapChunk>, Or<(Added<Terrain>, Added<TilemapChunk>)>);

/// Warns of each `Terrain` that is put on a `TilemapChunk`: it has no effect there.
#[cfg(feature = "tilemap_chunk")]
pub(crate) fn warn_of_terrain_of_chunks(chunks: Query<Entity, ChunkWithTerrain>) {
    for chunk in &chunks {
        warn!(
            "TilemapChunk {chunk} has a Terrain, which has no effect there: put a TextureTerrain on it, with a class for \
            each tileset_index"
        );
    }
}

#[cfg(all(feature = "tilemap", feature = "tilemap_chunk"))]
type TilemapAndChunk = (With<TilemapSize>, With<TilemapChunk>, Or<(Added<TilemapSize>, Added<TilemapChunk>)>);

/// Warns of each entity that is a tilemap of both kinds.
#[cfg(all(feature = "tilemap", feature = "tilemap_chunk"))]
pub(crate) fn warn_of_both_kinds(tilemaps: Query<Entity, TilemapAndChunk>) {
    for tilemap in &tilemaps {
        warn!(
            "tilemap {tilemap} has a TilemapSize and a TilemapChunk, and only its tile entities are read: put the TilemapChunk \
             on an entity of its own, as another NavLayer"
        );
    }
}

//! Bevy's own `TilemapChunk`s as maps and as layers of maps.

mod journeys;
mod lives;
mod mistakes;
mod places;
mod random_edits;
#[cfg(feature = "tilemap")]
mod with_tilemaps;
mod with_units;

use bevy::{
    prelude::*,
    sprite_render::{
        TileData, TilemapChunk, TilemapChunkMaterial, TilemapChunkMeshCache, TilemapChunkTileData,
    },
};
use bevy_tilepath::{NavMap, TextureTerrain};

use crate::harness::*;

/// The side of a tile of [`Chunks::chunk`].
const SIDE: u32 = CELL as u32;

/// The texture without a class in the table of [`Chunks::chunk`].
const UNNAMED: u16 = 99;

/// Chunks from pictures.
trait Chunks {
    /// Spawns a chunk from a picture. The texture of `#` has class 0, of `.` class 1, and of a
    /// digit that class. `?` is a tile without a class, and `_` is no tile.
    ///
    /// The bottom left corner of the chunk is the origin of the world. Tiles are [`CELL`] wide.
    fn chunk(&mut self, picture: &str) -> Entity;

    /// Spawns a chunk from a picture with [`NavMap`].
    fn chunk_map(&mut self, picture: &str) -> Entity;

    /// Returns the tiles of a chunk.
    fn tiles(&mut self, chunk: Entity) -> Mut<'_, TilemapChunkTileData>;

    /// Replaces the tile of a chunk in this column and row.
    fn set_tile(&mut self, chunk: Entity, x: u32, y: u32, letter: char);
}

impl Chunks for Game {
    fn chunk(&mut self, picture: &str) -> Entity {
        bring_what_draws(self);
        let (chunk, tiles) = parts_of(picture);
        let corner = (chunk.chunk_size * chunk.tile_display_size).as_vec2() / 2.0;
        let place = Transform::from_translation(corner.extend(0.0));
        self.world_mut().spawn((chunk, tiles, table(), place)).id()
    }

    fn chunk_map(&mut self, picture: &str) -> Entity {
        let chunk = self.chunk(picture);
        self.world_mut().entity_mut(chunk).insert(NavMap::default());
        chunk
    }

    fn tiles(&mut self, chunk: Entity) -> Mut<'_, TilemapChunkTileData> {
        self.world_mut().get_mut(chunk).unwrap()
    }

    fn set_tile(&mut self, chunk: Entity, x: u32, y: u32, letter: char) {
        let width = self.world().get::<TilemapChunk>(chunk).unwrap().chunk_size.x;
        self.tiles(chunk)[(y * width + x) as usize] = tile(letter);
    }
}

/// Inserts the resources that `TilemapChunk` needs when it is inserted. In a game they come with
/// Bevy's renderer.
fn bring_what_draws(app: &mut App) {
    app.init_resource::<TilemapChunkMeshCache>()
        .init_resource::<Assets<Mesh>>()
        .init_resource::<Assets<Image>>()
        .init_resource::<Assets<TilemapChunkMaterial>>();
}

/// Returns the components of the chunk in a picture.
fn parts_of(picture: &str) -> (TilemapChunk, TilemapChunkTileData) {
    let rows = rows(picture);
    let chunk_size = UVec2::new(rows.first().map_or(0, |row| row.len() as u32), rows.len() as u32);
    let chunk = TilemapChunk { chunk_size, tile_display_size: UVec2::splat(SIDE), ..default() };
    let tiles = rows.iter().rev().flat_map(|row| row.chars().map(tile)).collect();
    (chunk, TilemapChunkTileData(tiles))
}

fn tile(letter: char) -> Option<TileData> {
    let texture = match letter {
        '_' => return None,
        '?' => UNNAMED,
        '#' => 0,
        '.' => 1,
        digit => digit.to_digit(10).expect("a digit names a class") as u16,
    };
    Some(TileData::from_tileset_index(texture))
}

/// The table of textures: texture n has class n.
fn table() -> TextureTerrain {
    TextureTerrain::new((0..10).map(|class| (class, class as u8)))
}

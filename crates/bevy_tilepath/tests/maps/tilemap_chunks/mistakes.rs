//! Chunks that cannot be read, and components without effect. Each has one log.

use bevy::{
    prelude::*,
    sprite_render::{TileData, TilemapChunk, TilemapChunkTileData},
};
use bevy_tilepath::{Cell, NavGrid, NavLayer, NavMap, Terrain};

use super::{Chunks, SIDE, bring_what_draws, parts_of, table};
use crate::harness::*;

/// Returns the logs of three ticks. Bevy's own logs of a chunk come before, when the chunk is inserted.
fn logs(game: &mut Game) -> Vec<String> {
    game.logs_of_ticks(3)
}

fn assert_one(logs: &[String], parts: &[&str]) {
    assert_eq!(logs.len(), 1, "{logs:?}");
    assert!(parts.iter().all(|part| logs[0].contains(part)), "{logs:?}");
}

#[test]
fn data_of_another_length_is_refused_until_it_fits() {
    let mut game = Game::new();
    let map = game.chunk_map("..\n.#");
    game.tick();
    game.tiles(map).push(None);
    assert_one(
        &logs(&mut game),
        &[&map.to_string(), "TilemapChunkTileData", "5 entries", "2 by 2", "one entry for each tile"],
    );
    assert!(!game.is_ready(map));
    game.tiles(map).pop();
    game.set_tile(map, 0, 0, '7');
    assert_eq!(logs(&mut game), Vec::<String>::new());
    assert!(game.is_ready(map));
    game.assert_map(map, "..\n7#");
}

#[test]
fn data_that_is_too_short_for_a_larger_chunk_is_refused_until_it_comes() {
    let mut game = Game::new();
    let map = game.chunk_map("..");
    game.tick();
    let (chunk, tiles) = parts_of("..\n34");
    game.world_mut().entity_mut(map).insert(chunk);
    assert_one(&logs(&mut game), &["2 entries", "2 by 2"]);
    assert!(!game.is_ready(map));
    game.world_mut().entity_mut(map).insert(tiles);
    assert_eq!(logs(&mut game), Vec::<String>::new());
    game.assert_map(map, "..\n34");
}

#[test]
fn layer_with_data_of_another_length_is_left_out() {
    let mut game = Game::new();
    let map = game.chunk_map("...");
    let layer = game.chunk("###");
    game.world_mut().entity_mut(layer).insert(NavLayer::new(map).with_order(1));
    game.tiles(layer).clear();
    assert_one(&logs(&mut game), &[&layer.to_string(), "0 entries"]);
    game.assert_map(map, "...");
}

#[test]
fn chunk_with_tiles_without_area_is_refused() {
    for size in [UVec2::ZERO, UVec2::new(SIDE, 0)] {
        let mut game = Game::new();
        let map = game.chunk_map("..");
        let (chunk, _) = parts_of("..");
        game.world_mut().entity_mut(map).insert(TilemapChunk { tile_display_size: size, ..chunk });
        assert_one(&logs(&mut game), &[&map.to_string(), "tile_display_size", "above zero"]);
        assert!(!game.is_ready(map));
    }
}

#[test]
fn layer_of_another_tile_size_is_refused() {
    let mut game = Game::new();
    let map = game.chunk_map("..");
    let layer = game.chunk("##");
    let (chunk, _) = parts_of("##");
    let other = TilemapChunk { tile_display_size: UVec2::new(SIDE, SIDE + 1), ..chunk.clone() };
    game.world_mut().entity_mut(layer).insert((other, NavLayer::new(map).with_order(1)));
    assert_one(&logs(&mut game), &[&layer.to_string(), "16 by 17", "16 by 16", "tile_display_size"]);
    game.assert_map(map, "..");
    game.world_mut().entity_mut(layer).insert(chunk);
    assert_eq!(logs(&mut game), Vec::<String>::new());
    game.assert_map(map, "##");
}

#[test]
fn offset_past_the_limits_is_refused_and_the_rest_stays() {
    let mut game = Game::new();
    bring_what_draws(&mut game);
    let map = game.world_mut().spawn(NavMap::default()).id();
    let near = game.chunk("2");
    game.world_mut().entity_mut(near).insert(NavLayer::new(map));
    let far = game.chunk("3");
    game.world_mut().entity_mut(far).insert(NavLayer::new(map).with_offset(IVec2::new(70_000, 0)));
    let logs = logs(&mut game);
    let told: Vec<_> = logs.iter().filter(|log| log.contains("cannot be searched")).collect();
    assert!(told.len() == 1 && told[0].contains("chunk_size") && told[0].contains("NavLayer"), "{logs:?}");
    assert_eq!(game.world().get::<NavGrid>(map).unwrap().terrain(Cell::new(0, 0)), Some(2));
}

#[test]
fn chunk_without_data_is_not_read_yet() {
    let mut game = Game::new();
    bring_what_draws(&mut game);
    let (chunk, tiles) = parts_of("5#");
    let map = game.world_mut().spawn((chunk, NavMap::default(), table())).id();
    game.tick();
    assert!(!game.is_ready(map));
    game.world_mut().entity_mut(map).insert(tiles);
    game.tick();
    game.assert_map(map, "5#");
}

#[test]
fn terrain_on_a_chunk_warns_once() {
    let mut game = Game::new();
    let map = game.chunk_map("..");
    game.world_mut().entity_mut(map).insert(Terrain::WALL);
    assert_one(&logs(&mut game), &[&map.to_string(), "Terrain", "TextureTerrain"]);
    game.assert_map(map, "..");
}

#[test]
fn overlapping_chunks_are_reported_once_and_a_wall_wins() {
    let mut game = Game::new();
    let map = game.world_mut().spawn(NavMap::default()).id();
    for picture in ["3#9", "52#"] {
        let chunk = game.chunk(picture);
        game.world_mut().entity_mut(chunk).insert(NavLayer::new(map));
    }
    assert_one(&logs(&mut game), &[&map.to_string(), "overlap"]);
    game.assert_map(map, "5##");
}

#[test]
fn half_empty_chunk_warns_once_with_the_number() {
    let mut game = Game::new();
    let map = game.chunk_map("._\n._");
    assert_one(&logs(&mut game), &[&map.to_string(), "2 of the 4 cells", "NavMap::missing_tile"]);
    let tiles = TilemapChunkTileData(vec![None, Some(TileData::default()), None, None]);
    game.world_mut().entity_mut(map).insert(tiles);
    assert_eq!(logs(&mut game), Vec::<String>::new());
}

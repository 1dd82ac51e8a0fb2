//! Chunks and tilemaps of `bevy_ecs_tilemap` on one map.

use bevy::prelude::*;
use bevy_ecs_tilemap::prelude::*;
use bevy_tilepath::{Cell, NavGrid, NavLayer, NavMap, NavProjection, Terrain};

use super::{Chunks, parts_of};
use crate::harness::*;

#[test]
fn chunk_lies_above_a_tilemap_and_a_tilemap_above_a_chunk() {
    let mut game = Game::new();
    let tilemap = game.tilemap("2345");
    let chunk_above = game.chunk("_#?_");
    game.world_mut().entity_mut(chunk_above).insert(NavLayer::new(tilemap).with_order(1));
    let chunk = game.chunk_map("2345");
    let tilemap_above = game.layer(chunk, 1, "_#?_");
    assert_eq!(game.logs_of_ticks(2), Vec::<String>::new());
    game.assert_map(tilemap, "2#45");
    game.assert_map(chunk, "2#45");
    // Both change in one tick.
    game.set_tile(chunk_above, 0, 0, '9');
    let tile = game.tile_at(tilemap, 2, 0);
    game.world_mut().entity_mut(tile).insert(Terrain(7));
    game.set_tile(chunk, 2, 0, '7');
    game.spawn_tile(tilemap_above, TilePos::new(0, 0), Some(9));
    game.tick();
    game.assert_map(tilemap, "9#75");
    game.assert_map(chunk, "9#75");
}

#[test]
fn chunk_and_tilemap_lie_side_by_side_as_drawn() {
    let mut game = Game::new();
    let map = game.world_mut().spawn((NavMap::default(), Transform::default())).id();
    let west = game.bare_tilemap("23\n45");
    game.world_mut().entity_mut(west).insert(NavLayer::new(map));
    let east = game.chunk("67\n8#");
    let place = Transform::from_xyz(3.0 * CELL, CELL, 0.0);
    let layer = NavLayer::new(map).with_offset(IVec2::new(2, 0));
    game.world_mut().entity_mut(east).insert((layer, place));
    assert_eq!(game.logs_of_ticks(2), Vec::<String>::new());
    game.assert_map(map, "2367\n458#");
    let projection = game.world().get::<NavProjection>(map).unwrap();
    assert_eq!(projection.world_position_of(Cell::new(3, 1)), centre(3, 1));
}

#[test]
fn tilemap_of_another_kind_or_size_is_refused_by_name() {
    for (kind, size, parts) in [
        (TilemapType::Hexagon(HexCoordSystem::Row), TILE, ["HexRow", "Square", "TilemapType"]),
        (TilemapType::Square, TILE + 1.0, ["17 by 17", "16 by 16", "TilemapGridSize"]),
    ] {
        let mut game = Game::new();
        let map = game.chunk_map("..");
        let layer = game.layer(map, 1, "##");
        game.world_mut().entity_mut(layer).insert((kind, TilemapGridSize::new(size, size)));
        let logs = game.logs_of_ticks(3);
        assert!(logs.len() == 1 && logs[0].contains(&layer.to_string()), "{logs:?}");
        assert!(parts.iter().all(|part| logs[0].contains(part)), "{logs:?}");
        game.assert_map(map, "..");
    }
}

#[test]
fn chunk_on_a_map_of_hexagons_or_of_another_size_is_refused_by_name() {
    for (kind, size, parts) in [
        (TilemapType::Hexagon(HexCoordSystem::Row), TILE, ["Square", "HexRow", "TilemapChunk"]),
        (TilemapType::Square, TILE + 1.0, ["16 by 16", "17 by 17", "tile_display_size"]),
    ] {
        let mut game = Game::new();
        let map = game.tilemap("..");
        game.world_mut().entity_mut(map).insert((kind, TilemapGridSize::new(size, size)));
        let layer = game.chunk("##");
        game.world_mut().entity_mut(layer).insert(NavLayer::new(map).with_order(1));
        let logs = game.logs_of_ticks(3);
        assert!(logs.len() == 1 && logs[0].contains(&layer.to_string()), "{logs:?}");
        assert!(parts.iter().all(|part| logs[0].contains(part)), "{logs:?}");
        let grid = game.world().get::<NavGrid>(map).unwrap();
        assert_eq!(grid.terrain(Cell::new(0, 0)), Some(1));
    }
}

#[test]
fn entity_of_both_kinds_is_a_tilemap_and_warns_once() {
    let mut game = Game::new();
    let map = game.tilemap("23");
    super::bring_what_draws(&mut game);
    game.world_mut().entity_mut(map).insert(parts_of("##"));
    let logs = game.logs_of_ticks(3);
    assert!(logs.len() == 1 && logs[0].contains(&map.to_string()), "{logs:?}");
    assert!(logs[0].contains("TilemapSize") && logs[0].contains("TilemapChunk"), "{logs:?}");
    game.assert_map(map, "23");
    // The chunk is read as soon as the entity is no tilemap of the other kind.
    game.world_mut().entity_mut(map).remove::<TilemapSize>();
    game.tick();
    assert!(game.is_ready(map));
    let grid = game.world().get::<NavGrid>(map).unwrap();
    assert_eq!(grid.terrain(Cell::new(0, 0)), Some(1), "a chunk without a table is open ground");
}

#[test]
fn tile_entities_of_a_chunk_do_not_count() {
    let mut game = Game::new();
    let map = game.chunk_map("2_");
    let first = game.spawn_tile(map, TilePos::new(0, 0), Some(0));
    game.spawn_tile(map, TilePos::new(1, 0), Some(5));
    game.tick();
    game.assert_map(map, "2#");
    game.world_mut().despawn(first);
    game.set_tile(map, 0, 0, '3');
    game.tick();
    game.assert_map(map, "3#");
}

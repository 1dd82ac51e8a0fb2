//! Classes of tiles, and the tile that decides if several lie on a cell.

use bevy::prelude::*;
use bevy_ecs_tilemap::prelude::*;
use bevy_tilepath::{NavMap, Terrain, TextureTerrain};

use crate::harness::*;

fn set_texture(game: &mut Game, tile: Entity, index: u32) {
    game.world_mut().entity_mut(tile).insert(TileTextureIndex(index));
}

#[test]
fn a_bottom_tile_that_names_no_class_is_class_1() {
    let mut game = Game::new();
    let map = game.tilemap("2?_");
    game.tick();
    game.assert_map(map, "2.#");
}

#[test]
fn terrain_removed_and_inserted_on_a_tile_that_stays() {
    let mut game = Game::new();
    let map = game.tilemap("2?5");
    game.tick();
    let (named, unnamed) = (game.tile_at(map, 0, 0), game.tile_at(map, 1, 0));
    game.world_mut().entity_mut(named).remove::<Terrain>();
    game.world_mut().entity_mut(unnamed).insert(Terrain(0));
    game.tick();
    game.assert_map(map, ".#5");
}

#[test]
fn the_texture_table_classes_tiles_without_terrain() {
    let mut game = Game::new();
    let map = game.tilemap("???5");
    game.world_mut().entity_mut(map).insert(TextureTerrain::new([(7, 0), (8, 3)]));
    for (x, index) in [(0, 7), (1, 8), (2, 9), (3, 7)] {
        let tile = game.tile_at(map, x, 0);
        set_texture(&mut game, tile, index);
    }
    game.tick();
    game.assert_map(map, "#3.5");
}

#[test]
fn a_changed_texture_index_changes_the_class() {
    let mut game = Game::new();
    let map = game.tilemap("??");
    game.world_mut().entity_mut(map).insert(TextureTerrain::new([(7, 0), (8, 3)]));
    game.tick();
    game.assert_map(map, "..");
    let tile = game.tile_at(map, 0, 0);
    game.world_mut().get_mut::<TileTextureIndex>(tile).unwrap().0 = 7;
    game.tick();
    game.assert_map(map, "#.");
    game.world_mut().get_mut::<TileTextureIndex>(tile).unwrap().0 = 8;
    game.tick();
    game.assert_map(map, "3.");
    game.world_mut().entity_mut(tile).remove::<TileTextureIndex>();
    game.tick();
    game.assert_map(map, "..");
}

#[test]
fn the_texture_table_may_come_change_and_go() {
    let mut game = Game::new();
    let map = game.tilemap("?4");
    game.tick();
    game.assert_map(map, ".4");
    game.world_mut().entity_mut(map).insert(TextureTerrain::new([(0, 6)]));
    game.tick();
    game.assert_map(map, "64");
    let mut table = game.world_mut().get_mut::<TextureTerrain>(map).unwrap();
    *table = table.clone().with(0, 0);
    game.tick();
    game.assert_map(map, "#4");
    game.world_mut().entity_mut(map).remove::<TextureTerrain>();
    game.tick();
    game.assert_map(map, ".4");
}

#[test]
fn cell_with_several_tiles_takes_the_wall_then_the_larger_class() {
    let mut game = Game::new();
    let map = game.tilemap("3");
    game.tick();
    let cell = TilePos::new(0, 0);
    let mut shown = vec![];
    let mut show = |game: &mut Game| {
        game.tick();
        shown.push(game.drawing(map));
    };
    let unnamed = game.spawn_tile(map, cell, None);
    show(&mut game);
    let larger = game.spawn_tile(map, cell, Some(8));
    show(&mut game);
    let wall = game.spawn_tile(map, cell, Some(0));
    show(&mut game);
    game.world_mut().despawn(larger);
    show(&mut game);
    game.world_mut().despawn(wall);
    show(&mut game);
    let first = game.tile_at(map, 0, 0);
    game.world_mut().despawn(first);
    show(&mut game);
    game.world_mut().despawn(unnamed);
    show(&mut game);
    assert_eq!(shown, ["3", "8", "#", "#", "3", ".", "#"]);
}

#[test]
fn tiles_on_one_cell_are_reported_once() {
    let mut game = Game::new();
    let map = game.tilemap("..");
    let logs = logs_of(|| {
        for _ in 0..3 {
            game.spawn_tile(map, TilePos::new(1, 0), Some(2));
            game.tick();
        }
        game.world_mut().entity_mut(map).insert(TextureTerrain::default());
        game.tick();
    });
    assert_eq!(logs.len(), 1, "{logs:?}");
    assert!(logs[0].contains("(1, 0)"), "{}", logs[0]);
}

#[test]
fn a_map_of_one_kind_of_tile_needs_no_terrain_at_all() {
    let mut game = Game::new();
    let map = game
        .world_mut()
        .spawn((TilemapSize::new(2, 1), TilemapGridSize::new(8.0, 8.0), NavMap::default()))
        .id();
    let tile = game.world_mut().spawn((TilePos::new(0, 0), TilemapId(map))).id();
    game.tick();
    game.assert_map(map, ".#");
    game.world_mut().despawn(tile);
    game.tick();
    game.assert_map(map, "##");
}

//! How tiles name their class, and who wins a cell.

use bevy::prelude::*;
use bevy_ecs_tilemap::prelude::*;
use bevy_tilepath::{NavMap, Terrain, TextureTerrain};

use crate::harness::*;

fn set_texture(app: &mut App, tile: Entity, index: u32) {
    app.world_mut().entity_mut(tile).insert(TileTextureIndex(index));
}

#[test]
fn a_bottom_tile_that_names_no_class_is_class_1() {
    let mut app = app();
    let map = tilemap(&mut app, "2?_");
    tick(&mut app);
    assert_map(&app, map, "2.#");
}

#[test]
fn terrain_removed_and_inserted_on_a_tile_that_stays() {
    let mut app = app();
    let map = tilemap(&mut app, "2?5");
    tick(&mut app);
    let (named, unnamed) = (tile_at(&app, map, 0, 0), tile_at(&app, map, 1, 0));
    app.world_mut().entity_mut(named).remove::<Terrain>();
    app.world_mut().entity_mut(unnamed).insert(Terrain(0));
    tick(&mut app);
    assert_map(&app, map, ".#5");
}

#[test]
fn the_texture_table_classes_tiles_without_terrain() {
    let mut app = app();
    let map = tilemap(&mut app, "???5");
    app.world_mut().entity_mut(map).insert(TextureTerrain::new([(7, 0), (8, 3)]));
    for (x, index) in [(0, 7), (1, 8), (2, 9), (3, 7)] {
        let tile = tile_at(&app, map, x, 0);
        set_texture(&mut app, tile, index);
    }
    tick(&mut app);
    assert_map(&app, map, "#3.5");
}

#[test]
fn a_changed_texture_index_changes_the_class() {
    let mut app = app();
    let map = tilemap(&mut app, "??");
    app.world_mut().entity_mut(map).insert(TextureTerrain::new([(7, 0), (8, 3)]));
    tick(&mut app);
    assert_map(&app, map, "..");
    let tile = tile_at(&app, map, 0, 0);
    app.world_mut().get_mut::<TileTextureIndex>(tile).unwrap().0 = 7;
    tick(&mut app);
    assert_map(&app, map, "#.");
    app.world_mut().get_mut::<TileTextureIndex>(tile).unwrap().0 = 8;
    tick(&mut app);
    assert_map(&app, map, "3.");
    app.world_mut().entity_mut(tile).remove::<TileTextureIndex>();
    tick(&mut app);
    assert_map(&app, map, "..");
}

#[test]
fn the_texture_table_may_come_change_and_go() {
    let mut app = app();
    let map = tilemap(&mut app, "?4");
    tick(&mut app);
    assert_map(&app, map, ".4");
    app.world_mut().entity_mut(map).insert(TextureTerrain::new([(0, 6)]));
    tick(&mut app);
    assert_map(&app, map, "64");
    let mut table = app.world_mut().get_mut::<TextureTerrain>(map).unwrap();
    *table = table.clone().with(0, 0);
    tick(&mut app);
    assert_map(&app, map, "#4");
    app.world_mut().entity_mut(map).remove::<TextureTerrain>();
    tick(&mut app);
    assert_map(&app, map, ".4");
}

#[test]
fn of_several_tiles_on_a_cell_the_wall_wins_then_the_larger_class() {
    let mut app = app();
    let map = tilemap(&mut app, "3");
    tick(&mut app);
    let cell = TilePos::new(0, 0);
    let mut shown = vec![];
    let mut show = |app: &mut App| {
        tick(app);
        shown.push(drawing(app, map));
    };
    let unnamed = spawn_tile(&mut app, map, cell, None);
    show(&mut app);
    let larger = spawn_tile(&mut app, map, cell, Some(8));
    show(&mut app);
    let wall = spawn_tile(&mut app, map, cell, Some(0));
    show(&mut app);
    app.world_mut().despawn(larger);
    show(&mut app);
    app.world_mut().despawn(wall);
    show(&mut app);
    let first = tile_at(&app, map, 0, 0);
    app.world_mut().despawn(first);
    show(&mut app);
    app.world_mut().despawn(unnamed);
    show(&mut app);
    assert_eq!(shown, ["3", "8", "#", "#", "3", ".", "#"]);
}

#[test]
fn tiles_on_one_cell_are_told_of_once() {
    let mut app = app();
    let map = tilemap(&mut app, "..");
    let logs = logs_of(|| {
        for _ in 0..3 {
            spawn_tile(&mut app, map, TilePos::new(1, 0), Some(2));
            tick(&mut app);
        }
        app.world_mut().entity_mut(map).insert(TextureTerrain::default());
        tick(&mut app);
    });
    assert_eq!(logs.len(), 1, "{logs:?}");
    assert!(logs[0].contains("(1, 0)"), "{}", logs[0]);
}

#[test]
fn a_map_of_one_kind_of_tile_needs_no_terrain_at_all() {
    let mut app = app();
    let map = app
        .world_mut()
        .spawn((TilemapSize::new(2, 1), TilemapGridSize::new(8.0, 8.0), NavMap::default()))
        .id();
    let tile = app.world_mut().spawn((TilePos::new(0, 0), TilemapId(map))).id();
    tick(&mut app);
    assert_map(&app, map, ".#");
    app.world_mut().despawn(tile);
    tick(&mut app);
    assert_map(&app, map, "##");
}

//! Maps that cannot be searched. Each one logs one error and does no harm.

use bevy::prelude::*;
use bevy_ecs_tilemap::prelude::*;
use bevy_tilepath::{NavGrid, NavLayer, NavMap};

use crate::harness::*;

fn spawn_sized(game: &mut Game, width: u32, height: u32) -> Entity {
    game.world_mut()
        .spawn((TilemapSize::new(width, height), TilemapGridSize::new(8.0, 8.0), NavMap::default()))
        .id()
}

#[test]
fn a_map_over_the_limits_is_refused_with_one_error() {
    for (width, height) in [(65_536, 1), (1, 65_536), (20_000, 20_000), (u32::MAX, u32::MAX)] {
        let mut game = Game::new();
        let map = spawn_sized(&mut game, width, height);
        game.spawn_tile(map, TilePos::new(0, 0), Some(1));
        let logs = game.logs_of_ticks(3);
        assert_eq!(logs.len(), 1, "{logs:?}");
        assert!(logs[0].contains(&width.to_string()), "{}", logs[0]);
        assert!(!game.is_ready(map));
    }
}

#[test]
fn a_map_shrunk_below_the_limits_becomes_ready() {
    let mut game = Game::new();
    let map = spawn_sized(&mut game, 70_000, 2);
    game.spawn_tile(map, TilePos::new(1, 0), Some(4));
    game.tick();
    *game.world_mut().get_mut::<TilemapSize>(map).unwrap() = TilemapSize::new(2, 1);
    game.tick();
    assert!(game.is_ready(map));
    game.assert_map(map, "#4");
}

#[test]
fn map_grown_over_the_limits_becomes_unready() {
    let mut game = Game::new();
    let map = spawn_sized(&mut game, 3, 2);
    game.tick();
    assert!(game.is_ready(map));
    *game.world_mut().get_mut::<TilemapSize>(map).unwrap() = TilemapSize::new(70_000, 2);
    game.tick();
    assert!(!game.is_ready(map));
}

#[test]
fn a_layer_over_the_limits_is_left_out_with_one_error() {
    let mut game = Game::new();
    let map = game.tilemap("..");
    let fence = game.world_mut().spawn((TilemapSize::new(70_000, 2), NavLayer::new(map).with_order(1))).id();
    game.spawn_tile(fence, TilePos::new(0, 0), Some(0));
    let logs = game.logs_of_ticks(3);
    assert_eq!(logs.len(), 1, "{logs:?}");
    assert!(logs[0].contains("70000"), "{}", logs[0]);
    game.assert_map(map, "..");
    *game.world_mut().get_mut::<TilemapSize>(fence).unwrap() = TilemapSize::new(2, 1);
    game.tick();
    game.assert_map(map, "#.");
}

#[test]
fn a_tilemap_without_a_usable_grid_size_is_refused_with_one_error() {
    for grid_size in [(0.0, 8.0), (8.0, -1.0), (f32::NAN, 8.0), (8.0, f32::INFINITY)] {
        let mut game = Game::new();
        let map = game.tilemap("..");
        game.world_mut().entity_mut(map).insert(TilemapGridSize::new(grid_size.0, grid_size.1));
        let logs = game.logs_of_ticks(3);
        assert_eq!(logs.len(), 1, "{logs:?}");
        assert!(logs[0].contains("TilemapGridSize"), "{}", logs[0]);
        assert!(!game.is_ready(map));
    }
    let mut game = Game::new();
    let map = game.world_mut().spawn((TilemapSize::new(2, 2), NavMap::default())).id();
    assert_eq!(game.logs_of_ticks(3).len(), 1);
    assert!(!game.is_ready(map));
}

#[test]
fn a_map_without_cells_is_ready_and_empty() {
    for (width, height) in [(0, 0), (0, 5), (5, 0)] {
        let mut game = Game::new();
        let map = spawn_sized(&mut game, width, height);
        game.world_mut().entity_mut(map).insert(TilemapAnchor::Center);
        game.spawn_tile(map, TilePos::new(0, 0), Some(1));
        let logs = game.logs_of_ticks(3);
        assert_eq!(logs, Vec::<String>::new());
        assert!(game.is_ready(map));
        assert_eq!(game.world().get::<NavGrid>(map).unwrap().bounds().cell_count(), 0);
    }
}

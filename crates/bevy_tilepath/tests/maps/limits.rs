//! Maps that cannot be searched say so once and do no harm.

use bevy::prelude::*;
use bevy_ecs_tilemap::prelude::*;
use bevy_tilepath::{NavGrid, NavLayer, NavMap};

use crate::harness::*;

/// What is logged in three ticks.
fn logs_of_ticks(app: &mut App) -> Vec<String> {
    logs_of(|| {
        for _ in 0..3 {
            tick(app);
        }
    })
}

fn spawn_sized(app: &mut App, width: u32, height: u32) -> Entity {
    app.world_mut()
        .spawn((TilemapSize::new(width, height), TilemapGridSize::new(8.0, 8.0), NavMap::default()))
        .id()
}

#[test]
fn a_map_over_the_limits_is_refused_with_one_error() {
    for (width, height) in [(65_536, 1), (1, 65_536), (20_000, 20_000), (u32::MAX, u32::MAX)] {
        let mut app = app();
        let map = spawn_sized(&mut app, width, height);
        spawn_tile(&mut app, map, TilePos::new(0, 0), Some(1));
        let logs = logs_of_ticks(&mut app);
        assert_eq!(logs.len(), 1, "{logs:?}");
        assert!(logs[0].contains(&width.to_string()), "{}", logs[0]);
        assert!(!is_ready(&app, map));
    }
}

#[test]
fn a_map_shrunk_below_the_limits_becomes_ready() {
    let mut app = app();
    let map = spawn_sized(&mut app, 70_000, 2);
    spawn_tile(&mut app, map, TilePos::new(1, 0), Some(4));
    tick(&mut app);
    *app.world_mut().get_mut::<TilemapSize>(map).unwrap() = TilemapSize::new(2, 1);
    tick(&mut app);
    assert!(is_ready(&app, map));
    assert_map(&app, map, "#4");
}

#[test]
fn a_map_grown_over_the_limits_is_not_ready_any_more() {
    let mut app = app();
    let map = spawn_sized(&mut app, 3, 2);
    tick(&mut app);
    assert!(is_ready(&app, map));
    *app.world_mut().get_mut::<TilemapSize>(map).unwrap() = TilemapSize::new(70_000, 2);
    tick(&mut app);
    assert!(!is_ready(&app, map));
}

#[test]
fn a_layer_over_the_limits_is_left_out_with_one_error() {
    let mut app = app();
    let map = tilemap(&mut app, "..");
    let fence = app.world_mut().spawn((TilemapSize::new(70_000, 2), NavLayer::new(map).with_order(1))).id();
    spawn_tile(&mut app, fence, TilePos::new(0, 0), Some(0));
    let logs = logs_of_ticks(&mut app);
    assert_eq!(logs.len(), 1, "{logs:?}");
    assert!(logs[0].contains("70000"), "{}", logs[0]);
    assert_map(&app, map, "..");
    *app.world_mut().get_mut::<TilemapSize>(fence).unwrap() = TilemapSize::new(2, 1);
    tick(&mut app);
    assert_map(&app, map, "#.");
}

#[test]
fn a_tilemap_without_a_usable_grid_size_is_refused_with_one_error() {
    for grid_size in [(0.0, 8.0), (8.0, -1.0), (f32::NAN, 8.0), (8.0, f32::INFINITY)] {
        let mut app = app();
        let map = tilemap(&mut app, "..");
        app.world_mut().entity_mut(map).insert(TilemapGridSize::new(grid_size.0, grid_size.1));
        let logs = logs_of_ticks(&mut app);
        assert_eq!(logs.len(), 1, "{logs:?}");
        assert!(logs[0].contains("TilemapGridSize"), "{}", logs[0]);
        assert!(!is_ready(&app, map));
    }
    let mut app = app();
    let map = app.world_mut().spawn((TilemapSize::new(2, 2), NavMap::default())).id();
    assert_eq!(logs_of_ticks(&mut app).len(), 1);
    assert!(!is_ready(&app, map));
}

#[test]
fn a_map_without_cells_is_ready_and_empty() {
    for (width, height) in [(0, 0), (0, 5), (5, 0)] {
        let mut app = app();
        let map = spawn_sized(&mut app, width, height);
        app.world_mut().entity_mut(map).insert(TilemapAnchor::Center);
        spawn_tile(&mut app, map, TilePos::new(0, 0), Some(1));
        let logs = logs_of_ticks(&mut app);
        assert_eq!(logs, Vec::<String>::new());
        assert!(is_ready(&app, map));
        assert_eq!(app.world().get::<NavGrid>(map).unwrap().bounds().cell_count(), 0);
    }
}

//! Tiles that come, change, move and go.

use std::time::Duration;

use bevy::{ecs::entity_disabling::Disabled, prelude::*, time::TimeUpdateStrategy};
use bevy_ecs_tilemap::prelude::*;
use bevy_tilepath::{NavGrid, NavMap, Terrain, TilepathPlugin};

use crate::harness::*;

const FIELD: &str = "
    .5.
    .#.
    ...
";

#[test]
fn tiles_fill_the_grid_in_the_first_tick() {
    let mut app = app();
    let map = tilemap(&mut app, FIELD);
    assert!(!is_ready(&app, map));
    tick(&mut app);
    assert!(is_ready(&app, map));
    assert_map(&app, map, FIELD);
}

#[test]
fn a_tile_spawned_late_enters_its_cell() {
    let mut app = app();
    let map = tilemap(&mut app, "._.");
    tick(&mut app);
    assert_map(&app, map, ".#.");
    spawn_tile(&mut app, map, TilePos::new(1, 0), Some(4));
    tick(&mut app);
    assert_map(&app, map, ".4.");
}

#[test]
fn a_class_changed_in_place_shows() {
    let mut app = app();
    let map = tilemap(&mut app, FIELD);
    tick(&mut app);
    let tile = tile_at(&app, map, 0, 0);
    app.world_mut().get_mut::<Terrain>(tile).unwrap().0 = 0;
    tick(&mut app);
    assert_map(
        &app,
        map,
        "
        .5.
        .#.
        #..
        ",
    );
}

#[test]
fn a_class_inserted_again_shows() {
    let mut app = app();
    let map = tilemap(&mut app, "...");
    tick(&mut app);
    let tile = tile_at(&app, map, 1, 0);
    app.world_mut().entity_mut(tile).insert(Terrain(7));
    tick(&mut app);
    assert_map(&app, map, ".7.");
}

#[test]
fn an_idle_tick_leaves_the_grid_and_its_change_tick_alone() {
    let mut app = app();
    let map = tilemap(&mut app, FIELD);
    tick(&mut app);
    let revision = app.world().get::<NavGrid>(map).unwrap().revision();
    app.world_mut().clear_trackers();
    tick(&mut app);
    assert_eq!(app.world().get::<NavGrid>(map).unwrap().revision(), revision);
    assert!(!app.world().entity(map).get_ref::<NavGrid>().unwrap().is_changed());
}

#[test]
fn a_tile_that_moves_leaves_its_old_cell() {
    let mut app = app();
    let map = tilemap(&mut app, "3._");
    tick(&mut app);
    let tile = tile_at(&app, map, 0, 0);
    app.world_mut().get_mut::<TilePos>(tile).unwrap().x = 2;
    tick(&mut app);
    assert_map(&app, map, "#.3");
}

#[test]
fn tiles_that_change_places_are_no_conflict() {
    let mut app = app();
    let map = tilemap(&mut app, "3.5");
    tick(&mut app);
    let (left, right) = (tile_at(&app, map, 0, 0), tile_at(&app, map, 2, 0));
    app.world_mut().get_mut::<TilePos>(left).unwrap().x = 2;
    app.world_mut().get_mut::<TilePos>(right).unwrap().x = 0;
    let logs = logs_of(|| tick(&mut app));
    assert_map(&app, map, "5.3");
    assert_eq!(logs, Vec::<String>::new());
}

#[test]
fn a_tile_out_of_bounds_counts_nowhere_and_may_come_back() {
    let mut app = app();
    let map = tilemap(&mut app, "3..");
    tick(&mut app);
    let tile = tile_at(&app, map, 0, 0);
    for outside in [TilePos::new(3, 0), TilePos::new(0, 1), TilePos::new(u32::MAX, u32::MAX)] {
        *app.world_mut().get_mut::<TilePos>(tile).unwrap() = outside;
        tick(&mut app);
        assert_map(&app, map, "#..");
    }
    *app.world_mut().get_mut::<TilePos>(tile).unwrap() = TilePos::new(0, 0);
    tick(&mut app);
    assert_map(&app, map, "3..");
}

#[test]
fn a_despawned_tile_frees_its_cell_though_the_storage_still_names_it() {
    let mut app = app();
    let map = tilemap(&mut app, "...");
    tick(&mut app);
    let tile = tile_at(&app, map, 1, 0);
    app.world_mut().despawn(tile);
    tick(&mut app);
    assert_eq!(tile_at(&app, map, 1, 0), tile, "the storage is stale");
    assert_map(&app, map, ".#.");
}

#[test]
fn a_tile_moved_and_despawned_in_one_tick_leaves_the_cell_it_had() {
    let mut app = app();
    let map = tilemap(&mut app, "3..");
    tick(&mut app);
    let tile = tile_at(&app, map, 0, 0);
    app.world_mut().get_mut::<TilePos>(tile).unwrap().x = 2;
    app.world_mut().despawn(tile);
    tick(&mut app);
    assert_map(&app, map, "#..");
}

#[test]
fn a_tile_replaced_within_one_tick_gives_way_to_the_new_one() {
    let mut app = app();
    let map = tilemap(&mut app, ".#.");
    tick(&mut app);
    spawn_tile(&mut app, map, TilePos::new(1, 0), Some(9));
    let old = tile_at(&app, map, 1, 0);
    app.world_mut().despawn(old);
    let logs = logs_of(|| tick(&mut app));
    assert_map(&app, map, ".9.");
    assert_eq!(logs, Vec::<String>::new());
}

#[test]
fn despawns_are_seen_however_many_frames_lie_between_ticks() {
    let mut app = app();
    let map = tilemap(&mut app, "........");
    tick(&mut app);
    app.insert_resource(TimeUpdateStrategy::ManualDuration(Duration::from_millis(2)));
    for x in 0..8 {
        let tile = tile_at(&app, map, x, 0);
        app.world_mut().despawn(tile);
        for _ in 0..3 {
            app.update();
        }
    }
    for _ in 0..20 {
        app.update();
    }
    assert_map(&app, map, "########");
}

#[test]
fn a_tile_without_tilemap_or_position_is_no_tile() {
    let mut app = app();
    let map = tilemap(&mut app, "234");
    tick(&mut app);
    let (first, second) = (tile_at(&app, map, 0, 0), tile_at(&app, map, 1, 0));
    app.world_mut().entity_mut(first).remove::<TilemapId>();
    app.world_mut().entity_mut(second).remove::<TilePos>();
    tick(&mut app);
    assert_map(&app, map, "##4");
    app.world_mut().entity_mut(first).insert(TilemapId(map));
    app.world_mut().entity_mut(second).insert(TilePos::new(1, 0));
    tick(&mut app);
    assert_map(&app, map, "234");
}

#[test]
fn a_disabled_tile_counts_as_missing_until_it_is_enabled() {
    let mut app = app();
    let map = tilemap(&mut app, "234");
    tick(&mut app);
    let tile = tile_at(&app, map, 1, 0);
    app.world_mut().entity_mut(tile).insert(Disabled);
    tick(&mut app);
    assert_map(&app, map, "2#4");
    app.world_mut().entity_mut(tile).remove::<Disabled>();
    tick(&mut app);
    assert_map(&app, map, "234");
}

#[test]
fn a_tile_edited_while_disabled_is_read_when_it_is_enabled() {
    let mut app = app();
    let map = tilemap(&mut app, "234");
    tick(&mut app);
    let tile = tile_at(&app, map, 1, 0);
    app.world_mut().entity_mut(tile).insert(Disabled).remove::<Terrain>();
    tick(&mut app);
    assert_map(&app, map, "2#4");
    app.world_mut().entity_mut(tile).remove::<Disabled>();
    tick(&mut app);
    assert_map(&app, map, "2.4");
}

#[test]
fn a_cloned_tile_is_a_tile_of_its_own() {
    let mut app = app();
    let map = tilemap(&mut app, "3__");
    tick(&mut app);
    let tile = tile_at(&app, map, 0, 0);
    let clone = app.world_mut().entity_mut(tile).clone_and_spawn();
    app.world_mut().get_mut::<TilePos>(clone).unwrap().x = 2;
    tick(&mut app);
    assert_map(&app, map, "3#3");
    app.world_mut().despawn(clone);
    tick(&mut app);
    assert_map(&app, map, "3##");
}

#[test]
fn a_tile_that_changes_its_map_leaves_the_old_one() {
    let mut app = app();
    let first = tilemap(&mut app, "35");
    let second = tilemap(&mut app, "._");
    tick(&mut app);
    let tile = tile_at(&app, first, 1, 0);
    app.world_mut().entity_mut(tile).insert(TilemapId(second));
    tick(&mut app);
    assert_map(&app, first, "3#");
    assert_map(&app, second, ".5");
}

#[test]
fn tiles_spawned_before_the_plugin_are_read_and_freed() {
    let mut app = App::new();
    app.add_plugins((MinimalPlugins, TransformPlugin));
    let map = tilemap(&mut app, "2?5");
    app.add_plugins(TilepathPlugin::default());
    start(&mut app);
    tick(&mut app);
    assert_map(&app, map, "2.5");
    let tile = tile_at(&app, map, 2, 0);
    app.world_mut().despawn(tile);
    tick(&mut app);
    assert_map(&app, map, "2.#");
}

#[test]
fn tiles_of_no_map_touch_nothing() {
    let mut app = app();
    let map = tilemap(&mut app, "..");
    let backdrop = bare_tilemap(&mut app, "##");
    let nowhere = spawn_tile(&mut app, Entity::PLACEHOLDER, TilePos::new(0, 0), Some(0));
    tick(&mut app);
    assert_map(&app, map, "..");
    assert!(!app.world().entity(backdrop).contains::<NavGrid>());
    app.world_mut().despawn(nowhere);
    tick(&mut app);
    assert_map(&app, map, "..");
}

#[test]
fn several_maps_keep_their_tiles_apart() {
    let mut app = app();
    let maps = ["2#", "#2", "..."].map(|picture| tilemap(&mut app, picture));
    tick(&mut app);
    for (map, picture) in maps.into_iter().zip(["2#", "#2", "..."]) {
        assert_map(&app, map, picture);
        assert!(app.world().entity(map).contains::<NavMap>());
    }
}

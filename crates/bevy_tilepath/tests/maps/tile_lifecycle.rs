//! Tiles that appear, change, move and disappear.

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
    let mut game = Game::new();
    let map = game.tilemap(FIELD);
    assert!(!game.is_ready(map));
    game.tick();
    assert!(game.is_ready(map));
    game.assert_map(map, FIELD);
}

#[test]
fn a_tile_spawned_late_enters_its_cell() {
    let mut game = Game::new();
    let map = game.tilemap("._.");
    game.tick();
    game.assert_map(map, ".#.");
    game.spawn_tile(map, TilePos::new(1, 0), Some(4));
    game.tick();
    game.assert_map(map, ".4.");
}

#[test]
fn a_class_changed_in_place_shows() {
    let mut game = Game::new();
    let map = game.tilemap(FIELD);
    game.tick();
    let tile = game.tile_at(map, 0, 0);
    game.world_mut().get_mut::<Terrain>(tile).unwrap().0 = 0;
    game.tick();
    game.assert_map(
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
    let mut game = Game::new();
    let map = game.tilemap("...");
    game.tick();
    let tile = game.tile_at(map, 1, 0);
    game.world_mut().entity_mut(tile).insert(Terrain(7));
    game.tick();
    game.assert_map(map, ".7.");
}

#[test]
fn an_idle_tick_leaves_the_grid_and_its_change_tick_alone() {
    let mut game = Game::new();
    let map = game.tilemap(FIELD);
    game.tick();
    let revision = game.world().get::<NavGrid>(map).unwrap().grid().revision();
    game.world_mut().clear_trackers();
    game.tick();
    assert_eq!(game.world().get::<NavGrid>(map).unwrap().grid().revision(), revision);
    assert!(!game.world().entity(map).get_ref::<NavGrid>().unwrap().is_changed());
}

#[test]
fn a_tile_that_moves_leaves_its_old_cell() {
    let mut game = Game::new();
    let map = game.tilemap("3._");
    game.tick();
    let tile = game.tile_at(map, 0, 0);
    game.world_mut().get_mut::<TilePos>(tile).unwrap().x = 2;
    game.tick();
    game.assert_map(map, "#.3");
}

#[test]
fn tiles_that_change_places_are_no_conflict() {
    let mut game = Game::new();
    let map = game.tilemap("3.5");
    game.tick();
    let (left, right) = (game.tile_at(map, 0, 0), game.tile_at(map, 2, 0));
    game.world_mut().get_mut::<TilePos>(left).unwrap().x = 2;
    game.world_mut().get_mut::<TilePos>(right).unwrap().x = 0;
    let logs = logs_of(|| game.tick());
    game.assert_map(map, "5.3");
    assert_eq!(logs, Vec::<String>::new());
}

#[test]
fn a_tile_out_of_bounds_counts_nowhere_and_may_come_back() {
    let mut game = Game::new();
    let map = game.tilemap("3..");
    game.tick();
    let tile = game.tile_at(map, 0, 0);
    for outside in [TilePos::new(3, 0), TilePos::new(0, 1), TilePos::new(u32::MAX, u32::MAX)] {
        *game.world_mut().get_mut::<TilePos>(tile).unwrap() = outside;
        game.tick();
        game.assert_map(map, "#..");
    }
    *game.world_mut().get_mut::<TilePos>(tile).unwrap() = TilePos::new(0, 0);
    game.tick();
    game.assert_map(map, "3..");
}

#[test]
fn a_despawned_tile_frees_its_cell_though_the_storage_still_names_it() {
    let mut game = Game::new();
    let map = game.tilemap("...");
    game.tick();
    let tile = game.tile_at(map, 1, 0);
    game.world_mut().despawn(tile);
    game.tick();
    assert_eq!(game.tile_at(map, 1, 0), tile, "the storage is stale");
    game.assert_map(map, ".#.");
}

#[test]
fn a_tile_moved_and_despawned_in_one_tick_leaves_the_cell_it_had() {
    let mut game = Game::new();
    let map = game.tilemap("3..");
    game.tick();
    let tile = game.tile_at(map, 0, 0);
    game.world_mut().get_mut::<TilePos>(tile).unwrap().x = 2;
    game.world_mut().despawn(tile);
    game.tick();
    game.assert_map(map, "#..");
}

#[test]
fn a_tile_replaced_within_one_tick_gives_way_to_the_new_one() {
    let mut game = Game::new();
    let map = game.tilemap(".#.");
    game.tick();
    game.spawn_tile(map, TilePos::new(1, 0), Some(9));
    let old = game.tile_at(map, 1, 0);
    game.world_mut().despawn(old);
    let logs = logs_of(|| game.tick());
    game.assert_map(map, ".9.");
    assert_eq!(logs, Vec::<String>::new());
}

#[test]
fn despawns_are_seen_however_many_frames_lie_between_ticks() {
    let mut game = Game::new();
    let map = game.tilemap("........");
    game.tick();
    game.insert_resource(TimeUpdateStrategy::ManualDuration(Duration::from_millis(2)));
    for x in 0..8 {
        let tile = game.tile_at(map, x, 0);
        game.world_mut().despawn(tile);
        for _ in 0..3 {
            game.update();
        }
    }
    for _ in 0..20 {
        game.update();
    }
    game.assert_map(map, "########");
}

#[test]
fn a_tile_without_tilemap_or_position_is_no_tile() {
    let mut game = Game::new();
    let map = game.tilemap("234");
    game.tick();
    let (first, second) = (game.tile_at(map, 0, 0), game.tile_at(map, 1, 0));
    game.world_mut().entity_mut(first).remove::<TilemapId>();
    game.world_mut().entity_mut(second).remove::<TilePos>();
    game.tick();
    game.assert_map(map, "##4");
    game.world_mut().entity_mut(first).insert(TilemapId(map));
    game.world_mut().entity_mut(second).insert(TilePos::new(1, 0));
    game.tick();
    game.assert_map(map, "234");
}

#[test]
fn a_disabled_tile_counts_as_missing_until_it_is_enabled() {
    let mut game = Game::new();
    let map = game.tilemap("234");
    game.tick();
    let tile = game.tile_at(map, 1, 0);
    game.world_mut().entity_mut(tile).insert(Disabled);
    game.tick();
    game.assert_map(map, "2#4");
    game.world_mut().entity_mut(tile).remove::<Disabled>();
    game.tick();
    game.assert_map(map, "234");
}

#[test]
fn a_tile_edited_while_disabled_is_read_when_it_is_enabled() {
    let mut game = Game::new();
    let map = game.tilemap("234");
    game.tick();
    let tile = game.tile_at(map, 1, 0);
    game.world_mut().entity_mut(tile).insert(Disabled).remove::<Terrain>();
    game.tick();
    game.assert_map(map, "2#4");
    game.world_mut().entity_mut(tile).remove::<Disabled>();
    game.tick();
    game.assert_map(map, "2.4");
}

#[test]
fn tile_disabled_by_game_counts_as_missing_until_it_is_enabled() {
    #[derive(Component)]
    struct Hidden;

    let mut game = Game::with_disabling::<Hidden>();
    let map = game.tilemap("234");
    game.tick();
    let tile = game.tile_at(map, 1, 0);
    for _ in 0..2 {
        game.world_mut().entity_mut(tile).insert(Hidden);
        game.tick();
        game.assert_map(map, "2#4");
        game.world_mut().entity_mut(tile).remove::<Hidden>();
        game.tick();
        game.assert_map(map, "234");
    }
    game.world_mut().entity_mut(tile).insert(Hidden).remove::<Terrain>();
    game.tick();
    game.world_mut().entity_mut(tile).remove::<Hidden>();
    game.tick();
    game.assert_map(map, "2.4");
}

#[test]
fn a_cloned_tile_is_a_tile_of_its_own() {
    let mut game = Game::new();
    let map = game.tilemap("3__");
    game.tick();
    let tile = game.tile_at(map, 0, 0);
    let clone = game.world_mut().entity_mut(tile).clone_and_spawn();
    game.world_mut().get_mut::<TilePos>(clone).unwrap().x = 2;
    game.tick();
    game.assert_map(map, "3#3");
    game.world_mut().despawn(clone);
    game.tick();
    game.assert_map(map, "3##");
}

#[test]
fn a_tile_that_changes_its_map_leaves_the_old_one() {
    let mut game = Game::new();
    let first = game.tilemap("35");
    let second = game.tilemap("._");
    game.tick();
    let tile = game.tile_at(first, 1, 0);
    game.world_mut().entity_mut(tile).insert(TilemapId(second));
    game.tick();
    game.assert_map(first, "3#");
    game.assert_map(second, ".5");
}

#[test]
fn tiles_spawned_before_the_plugin_are_read_and_freed() {
    let mut game = Game(App::new());
    game.add_plugins((MinimalPlugins, TransformPlugin));
    let map = game.tilemap("2?5");
    game.add_plugins(TilepathPlugin::default());
    game.start();
    game.tick();
    game.assert_map(map, "2.5");
    let tile = game.tile_at(map, 2, 0);
    game.world_mut().despawn(tile);
    game.tick();
    game.assert_map(map, "2.#");
}

#[test]
fn tiles_of_no_map_touch_nothing() {
    let mut game = Game::new();
    let map = game.tilemap("..");
    let backdrop = game.bare_tilemap("##");
    let nowhere = game.spawn_tile(Entity::PLACEHOLDER, TilePos::new(0, 0), Some(0));
    game.tick();
    game.assert_map(map, "..");
    assert!(!game.world().entity(backdrop).contains::<NavGrid>());
    game.world_mut().despawn(nowhere);
    game.tick();
    game.assert_map(map, "..");
}

#[test]
fn several_maps_keep_their_tiles_apart() {
    let mut game = Game::new();
    let maps = ["2#", "#2", "..."].map(|picture| game.tilemap(picture));
    game.tick();
    for (map, picture) in maps.into_iter().zip(["2#", "#2", "..."]) {
        game.assert_map(map, picture);
        assert!(game.world().entity(map).contains::<NavMap>());
    }
}

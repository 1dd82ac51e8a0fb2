//! Maps that appear late, change, and disappear.

use bevy::prelude::*;
use bevy_ecs_tilemap::prelude::*;
use bevy_tilepath::{
    Diagonals, NavGrid, NavMap, NavProjection, Terrain, maps::MissingTile, tilepath::PathQuery,
};

use crate::harness::*;

fn generation(game: &Game, map: Entity) -> u64 {
    game.world().get::<NavGrid>(map).unwrap().generation()
}

#[test]
fn nav_map_added_late_reads_the_tiles_that_are_there() {
    let mut game = Game::new();
    let map = game.bare_tilemap("2#5");
    game.tick();
    game.tick();
    game.world_mut().entity_mut(map).insert(NavMap::default());
    game.tick();
    game.assert_map(map, "2#5");
}

#[test]
fn the_tilemap_may_come_after_nav_map_and_tiles() {
    let mut game = Game::new();
    let map = game.world_mut().spawn(NavMap::default()).id();
    game.spawn_tile(map, TilePos::new(1, 0), Some(3));
    game.tick();
    assert!(!game.is_ready(map));
    game.world_mut().entity_mut(map).insert((TilemapSize::new(2, 1), TilemapGridSize::new(8.0, 8.0)));
    game.tick();
    game.assert_map(map, "#3");
    assert!(game.is_ready(map));
}

#[test]
fn nav_map_removed_and_inserted_again_reads_what_happened_meanwhile() {
    let mut game = Game::new();
    let map = game.tilemap("...");
    game.tick();
    game.world_mut().entity_mut(map).remove::<NavMap>();
    game.tick();
    assert!(!game.is_ready(map));
    let (changed, gone) = (game.tile_at(map, 0, 0), game.tile_at(map, 1, 0));
    game.world_mut().get_mut::<Terrain>(changed).unwrap().0 = 6;
    game.world_mut().despawn(gone);
    game.tick();
    game.world_mut().entity_mut(map).insert(NavMap::default());
    game.tick();
    game.assert_map(map, "6#.");
    assert!(game.is_ready(map));
}

#[test]
fn a_despawned_map_leaves_its_tiles_without_harm() {
    let mut game = Game::new();
    let map = game.tilemap("23");
    let other = game.tilemap("._");
    game.tick();
    let (first, second) = (game.tile_at(map, 0, 0), game.tile_at(map, 1, 0));
    game.world_mut().despawn(map);
    game.world_mut().get_mut::<Terrain>(first).unwrap().0 = 9;
    game.tick();
    game.world_mut().despawn(first);
    game.world_mut().entity_mut(second).insert(TilemapId(other));
    game.tick();
    game.assert_map(other, ".3");
}

#[test]
fn a_resized_map_keeps_its_grid_and_reads_what_came() {
    let mut game = Game::new();
    let map = game.tilemap(
        "
        234
        567
        ",
    );
    game.tick();
    let before = generation(&game, map);
    *game.world_mut().get_mut::<TilemapSize>(map).unwrap() = TilemapSize::new(2, 3);
    game.tick();
    game.assert_map(
        map,
        "
        ##
        23
        56
        ",
    );
    assert_eq!(generation(&game, map), before, "the grid was replaced, although only its size changed");
    // The tile beyond the edge is out of bounds. It leaves nothing behind.
    let beyond = game.tile_at(map, 2, 0);
    game.world_mut().despawn(beyond);
    *game.world_mut().get_mut::<TilemapSize>(map).unwrap() = TilemapSize::new(3, 2);
    game.tick();
    game.assert_map(
        map,
        "
        234
        56#
        ",
    );
}

#[test]
fn edits_keep_the_grid_and_move_its_revision() {
    let mut game = Game::new();
    let map = game.tilemap("...");
    game.tick();
    let (before, revision) =
        (generation(&game, map), game.world().get::<NavGrid>(map).unwrap().grid().revision());
    let tile = game.tile_at(map, 1, 0);
    game.world_mut().get_mut::<Terrain>(tile).unwrap().0 = 0;
    game.tick();
    let grid = game.world().get::<NavGrid>(map).unwrap();
    assert_eq!(grid.generation(), before);
    let changed: Vec<_> = grid.grid().changes_since(revision).into_iter().flatten().collect();
    // A map this small keeps no journal. Only the new revision counts.
    assert_ne!(grid.grid().revision(), revision);
    assert!(changed.len() <= 1);
}

#[test]
fn missing_tiles_are_what_the_map_says_at_any_time() {
    let mut game = Game::new();
    let map = game.tilemap("2_3");
    game.tick();
    game.assert_map(map, "2#3");
    game.world_mut().get_mut::<NavMap>(map).unwrap().missing_tile = MissingTile::Class(4);
    game.tick();
    game.assert_map(map, "243");
    let tile = game.tile_at(map, 0, 0);
    game.world_mut().despawn(tile);
    game.tick();
    game.assert_map(map, "443");
}

#[test]
fn rules_changed_at_run_time_are_the_default_movement_of_the_next_tick() {
    let mut game = Game::new();
    let map = game.tilemap(
        "
        ..
        ..
        ",
    );
    let cost = |game: &Game| {
        let grid = game.world().get::<NavGrid>(map).unwrap();
        let query = PathQuery::new((0, 0).into(), (1, 1).into()).with_movement(grid.movement());
        grid.finder().solve(&query).unwrap().outcome.path().unwrap().cost().get()
    };
    game.tick();
    assert_eq!(cost(&game), 14);
    let first = game.world().get::<NavGrid>(map).unwrap().movement();

    game.world_mut().get_mut::<NavMap>(map).unwrap().diagonals = Diagonals::Never;
    game.tick();
    assert_eq!(cost(&game), 20);
    assert_eq!(
        game.world().get::<NavGrid>(map).unwrap().movement(),
        first,
        "the id of the default movement must stay"
    );

    game.world_mut().get_mut::<NavMap>(map).unwrap().diagonals = Diagonals::default();
    game.tick();
    assert_eq!(cost(&game), 14);

    let costs = bevy_tilepath::CostTable::identity().with(1, 3);
    game.world_mut().get_mut::<NavMap>(map).unwrap().costs = costs;
    game.tick();
    assert_eq!(cost(&game), 42);
    // A new grid keeps the rules.
    *game.world_mut().get_mut::<TilemapSize>(map).unwrap() = TilemapSize::new(2, 3);
    game.tick();
    assert_eq!(cost(&game), 42);
}

#[test]
fn rules_that_change_all_the_time_leave_no_rules_behind() {
    let mut game = Game::new();
    let map = game.tilemap("..");
    for cost in 1..20 {
        let costs = bevy_tilepath::CostTable::identity().with(1, cost);
        game.world_mut().get_mut::<NavMap>(map).unwrap().costs = costs.clone();
        game.tick();
        let grid = game.world().get::<NavGrid>(map).unwrap();
        assert_eq!(grid.finder().movement(grid.movement()).unwrap().costs(), &costs);
        assert_eq!(
            grid.finder().movements().count(),
            1,
            "an unused movement costs memory and time in each edit"
        );
    }
}

#[test]
fn a_map_stands_where_its_parents_stand() {
    let mut game = Game::new();
    let map = game.tilemap("...");
    let parent = game.world_mut().spawn(Transform::from_xyz(1000.0, 0.0, 0.0)).id();
    game.world_mut().entity_mut(map).insert(ChildOf(parent));
    game.tick();
    let projection = game.world().get::<NavProjection>(map).unwrap();
    assert_eq!(projection.world_position_of((2, 0).into()), centre(2, 0) + Vec2::new(1000.0, 0.0));
    game.world_mut().get_mut::<Transform>(parent).unwrap().translation.x = -8.0;
    game.tick();
    let projection = game.world().get::<NavProjection>(map).unwrap();
    assert_eq!(projection.cell_at_world(Vec2::new(0.0, 8.0)), Some((0, 0).into()));
}

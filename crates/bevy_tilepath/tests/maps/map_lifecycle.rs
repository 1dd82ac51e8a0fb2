//! Maps that come late, change, and go.

use bevy::prelude::*;
use bevy_ecs_tilemap::prelude::*;
use bevy_tilepath::{
    Diagonals, NavGrid, NavMap, NavProjection, Terrain, maps::MissingTile, tilepath::PathQuery,
};

use crate::harness::*;

fn generation(app: &App, map: Entity) -> u64 {
    app.world().get::<NavGrid>(map).unwrap().generation()
}

#[test]
fn nav_map_added_late_reads_the_tiles_that_are_there() {
    let mut app = app();
    let map = bare_tilemap(&mut app, "2#5");
    tick(&mut app);
    tick(&mut app);
    app.world_mut().entity_mut(map).insert(NavMap::default());
    tick(&mut app);
    assert_map(&app, map, "2#5");
}

#[test]
fn the_tilemap_may_come_after_nav_map_and_tiles() {
    let mut app = app();
    let map = app.world_mut().spawn(NavMap::default()).id();
    spawn_tile(&mut app, map, TilePos::new(1, 0), Some(3));
    tick(&mut app);
    assert!(!is_ready(&app, map));
    app.world_mut().entity_mut(map).insert((TilemapSize::new(2, 1), TilemapGridSize::new(8.0, 8.0)));
    tick(&mut app);
    assert_map(&app, map, "#3");
    assert!(is_ready(&app, map));
}

#[test]
fn nav_map_removed_and_inserted_again_reads_what_happened_meanwhile() {
    let mut app = app();
    let map = tilemap(&mut app, "...");
    tick(&mut app);
    app.world_mut().entity_mut(map).remove::<NavMap>();
    tick(&mut app);
    assert!(!is_ready(&app, map));
    let (changed, gone) = (tile_at(&app, map, 0, 0), tile_at(&app, map, 1, 0));
    app.world_mut().get_mut::<Terrain>(changed).unwrap().0 = 6;
    app.world_mut().despawn(gone);
    tick(&mut app);
    app.world_mut().entity_mut(map).insert(NavMap::default());
    tick(&mut app);
    assert_map(&app, map, "6#.");
    assert!(is_ready(&app, map));
}

#[test]
fn a_despawned_map_leaves_its_tiles_without_harm() {
    let mut app = app();
    let map = tilemap(&mut app, "23");
    let other = tilemap(&mut app, "._");
    tick(&mut app);
    let (first, second) = (tile_at(&app, map, 0, 0), tile_at(&app, map, 1, 0));
    app.world_mut().despawn(map);
    app.world_mut().get_mut::<Terrain>(first).unwrap().0 = 9;
    tick(&mut app);
    app.world_mut().despawn(first);
    app.world_mut().entity_mut(second).insert(TilemapId(other));
    tick(&mut app);
    assert_map(&app, other, ".3");
}

#[test]
fn a_resized_map_keeps_its_grid_and_reads_what_came() {
    let mut app = app();
    let map = tilemap(
        &mut app,
        "
        234
        567
        ",
    );
    tick(&mut app);
    let before = generation(&app, map);
    *app.world_mut().get_mut::<TilemapSize>(map).unwrap() = TilemapSize::new(2, 3);
    tick(&mut app);
    assert_map(
        &app,
        map,
        "
        ##
        23
        56
        ",
    );
    assert_eq!(generation(&app, map), before, "what did not change stays");
    // The tile beyond the edge is out of bounds, and goes without a trace.
    let beyond = tile_at(&app, map, 2, 0);
    app.world_mut().despawn(beyond);
    *app.world_mut().get_mut::<TilemapSize>(map).unwrap() = TilemapSize::new(3, 2);
    tick(&mut app);
    assert_map(
        &app,
        map,
        "
        234
        56#
        ",
    );
}

#[test]
fn edits_keep_the_grid_and_move_its_revision() {
    let mut app = app();
    let map = tilemap(&mut app, "...");
    tick(&mut app);
    let (before, revision) = (generation(&app, map), app.world().get::<NavGrid>(map).unwrap().revision());
    let tile = tile_at(&app, map, 1, 0);
    app.world_mut().get_mut::<Terrain>(tile).unwrap().0 = 0;
    tick(&mut app);
    let grid = app.world().get::<NavGrid>(map).unwrap();
    assert_eq!(grid.generation(), before);
    let changed: Vec<_> = grid.grid().changes_since(revision).into_iter().flatten().collect();
    // A map this small keeps no journal: what counts is that the revision moved.
    assert_ne!(grid.revision(), revision);
    assert!(changed.len() <= 1);
}

#[test]
fn missing_tiles_are_what_the_map_says_at_any_time() {
    let mut app = app();
    let map = tilemap(&mut app, "2_3");
    tick(&mut app);
    assert_map(&app, map, "2#3");
    app.world_mut().get_mut::<NavMap>(map).unwrap().missing_tile = MissingTile::Class(4);
    tick(&mut app);
    assert_map(&app, map, "243");
    let tile = tile_at(&app, map, 0, 0);
    app.world_mut().despawn(tile);
    tick(&mut app);
    assert_map(&app, map, "443");
}

#[test]
fn rules_changed_at_run_time_are_the_default_movement_of_the_next_tick() {
    let mut app = app();
    let map = tilemap(
        &mut app,
        "
        ..
        ..
        ",
    );
    let cost = |app: &App| {
        let grid = app.world().get::<NavGrid>(map).unwrap();
        let query = PathQuery::new((0, 0).into(), (1, 1).into()).with_movement(grid.movement());
        grid.finder().solve(&query).unwrap().outcome.path().unwrap().cost().get()
    };
    tick(&mut app);
    assert_eq!(cost(&app), 14);
    let first = app.world().get::<NavGrid>(map).unwrap().movement();

    app.world_mut().get_mut::<NavMap>(map).unwrap().diagonals = Diagonals::Never;
    tick(&mut app);
    assert_eq!(cost(&app), 20);
    assert_eq!(app.world().get::<NavGrid>(map).unwrap().movement(), first, "whatever the rules are");

    app.world_mut().get_mut::<NavMap>(map).unwrap().diagonals = Diagonals::default();
    tick(&mut app);
    assert_eq!(cost(&app), 14);

    let costs = bevy_tilepath::CostTable::identity().with(1, 3);
    app.world_mut().get_mut::<NavMap>(map).unwrap().costs = costs;
    tick(&mut app);
    assert_eq!(cost(&app), 42);
    // Another grid keeps the rules.
    *app.world_mut().get_mut::<TilemapSize>(map).unwrap() = TilemapSize::new(2, 3);
    tick(&mut app);
    assert_eq!(cost(&app), 42);
}

#[test]
fn rules_that_change_all_the_time_leave_no_rules_behind() {
    let mut app = app();
    let map = tilemap(&mut app, "..");
    for cost in 1..20 {
        let costs = bevy_tilepath::CostTable::identity().with(1, cost);
        app.world_mut().get_mut::<NavMap>(map).unwrap().costs = costs.clone();
        tick(&mut app);
        let grid = app.world().get::<NavGrid>(map).unwrap();
        assert_eq!(grid.finder().movement(grid.movement()).unwrap().costs(), &costs);
        assert_eq!(grid.finder().movements().count(), 1, "each takes memory and time in every edit");
    }
}

#[test]
fn a_map_stands_where_its_parents_stand() {
    let mut app = app();
    let map = tilemap(&mut app, "...");
    let parent = app.world_mut().spawn(Transform::from_xyz(1000.0, 0.0, 0.0)).id();
    app.world_mut().entity_mut(map).insert(ChildOf(parent));
    tick(&mut app);
    let projection = app.world().get::<NavProjection>(map).unwrap();
    assert_eq!(projection.world_position_of((2, 0).into()), centre(2, 0) + Vec2::new(1000.0, 0.0));
    app.world_mut().get_mut::<Transform>(parent).unwrap().translation.x = -8.0;
    tick(&mut app);
    let projection = app.world().get::<NavProjection>(map).unwrap();
    assert_eq!(projection.cell_at_world(Vec2::new(0.0, 8.0)), Some((0, 0).into()));
}

//! Obstacles stand, move, overlap and go.

use std::f32::consts::FRAC_PI_4;

use bevy::{ecs::entity_disabling::Disabled, prelude::*};
use bevy_tilepath::{
    Cell, NavGrid, NavMap, NavProjection, Obstacle, OnMap, PathAgent, PathRequest, PathStatus, tilepath::Grid,
};

use crate::harness::*;

/// A map of `width` × `height` cells of class 1 and side 10, its bottom left corner at the given x.
fn field(app: &mut App, width: u32, height: u32, x: f32) -> Entity {
    app.world_mut()
        .spawn((
            NavMap::default(),
            NavGrid::new(Grid::new(width, height, 1).unwrap()),
            NavProjection::square(Vec2::splat(10.0), Vec2::splat(5.0)),
            Transform::from_xyz(x, 0.0, 0.0),
        ))
        .id()
}

fn obstacle(app: &mut App, x: f32, y: f32, size: Vec2) -> Entity {
    app.world_mut().spawn((Obstacle { size, ..default() }, Transform::from_xyz(x, y, 0.0))).id()
}

fn move_to(app: &mut App, entity: Entity, x: f32, y: f32) {
    app.world_mut().get_mut::<Transform>(entity).unwrap().translation = Vec3::new(x, y, 0.0);
}

#[test]
fn an_obstacle_without_size_blocks_the_one_cell_under_it() {
    let mut app = app();
    let map = field(&mut app, 3, 2, 0.0);
    obstacle(&mut app, 19.9, 3.0, Vec2::ZERO);
    // On the edge between two cells it stands in the one to the east.
    obstacle(&mut app, 20.0, 15.0, Vec2::ZERO);
    tick(&mut app);
    assert_map(
        &app,
        map,
        "
        ..#
        .#.
        ",
    );
}

#[test]
fn an_obstacle_on_an_agent_blocks_nothing_and_is_said_once() {
    let mut app = app();
    let map = field(&mut app, 6, 1, 0.0);
    let walker = obstacle(&mut app, 5.0, 5.0, Vec2::splat(10.0));
    app.world_mut()
        .entity_mut(walker)
        .insert((PathAgent { speed: 100.0.into(), ..default() }, PathRequest::to_cell(Cell::new(5, 0))));
    let logs = logs_of(|| {
        for _ in 0..60 {
            tick(&mut app);
        }
    });
    assert_eq!(logs.len(), 1, "{logs:?}");
    assert!(logs[0].contains(&walker.to_string()) && logs[0].contains("Obstacle"), "{}", logs[0]);
    assert_eq!(app.world().get::<PathStatus>(walker), Some(&PathStatus::Arrived));
    assert_map(&app, map, "......");
    // What stops walking blocks again, and what begins to walk stops blocking.
    app.world_mut().entity_mut(walker).remove::<PathAgent>();
    tick(&mut app);
    assert_map(&app, map, ".....#");
    let logs = logs_of(|| {
        app.world_mut().entity_mut(walker).insert(PathAgent::default());
        tick(&mut app);
    });
    assert_map(&app, map, "......");
    assert_eq!(logs.len(), 1, "{logs:?}");
}

#[test]
fn an_obstacle_blocks_every_cell_it_overlaps_by_more_than_a_hair() {
    let mut app = app();
    let map = field(&mut app, 6, 4, 0.0);
    // Two by two cells, aligned but for rounding.
    obstacle(&mut app, 20.03, 20.0, Vec2::splat(20.0));
    // A wall as thin as paper, across three cells.
    obstacle(&mut app, 45.0, 5.0, Vec2::new(12.0, 0.0));
    tick(&mut app);
    assert_map(
        &app,
        map,
        "
        ......
        .##...
        .##...
        ...###
        ",
    );
}

#[test]
fn an_obstacle_follows_its_transform() {
    let mut app = app();
    let map = field(&mut app, 4, 1, 0.0);
    let cart = obstacle(&mut app, 5.0, 5.0, Vec2::ZERO);
    tick(&mut app);
    assert_map(&app, map, "#...");
    move_to(&mut app, cart, 35.0, 5.0);
    tick(&mut app);
    assert_map(&app, map, "...#");
    move_to(&mut app, cart, 45.0, 5.0);
    tick(&mut app);
    assert_map(&app, map, "....");
    move_to(&mut app, cart, f32::NAN, 5.0);
    tick(&mut app);
    assert_map(&app, map, "....");
    move_to(&mut app, cart, 15.0, 5.0);
    tick(&mut app);
    assert_map(&app, map, ".#..");
}

#[test]
fn an_obstacle_follows_its_parents() {
    let mut app = app();
    let map = field(&mut app, 4, 1, 0.0);
    let train = app.world_mut().spawn(Transform::from_xyz(10.0, 0.0, 0.0)).id();
    let wagon = obstacle(&mut app, 5.0, 5.0, Vec2::ZERO);
    app.world_mut().entity_mut(wagon).insert(ChildOf(train));
    tick(&mut app);
    assert_map(&app, map, ".#..");
    move_to(&mut app, train, 20.0, 0.0);
    tick(&mut app);
    assert_map(&app, map, "..#.");
    app.world_mut().entity_mut(wagon).remove::<ChildOf>();
    tick(&mut app);
    assert_map(&app, map, "#...");
}

#[test]
fn a_turned_obstacle_blocks_what_it_covers_and_not_its_bounding_box() {
    let mut app = app();
    let map = field(&mut app, 5, 5, 0.0);
    app.world_mut().spawn((
        Obstacle { size: Vec2::new(40.0, 2.0), ..default() },
        Transform::from_xyz(25.0, 25.0, 0.0).with_rotation(Quat::from_rotation_z(FRAC_PI_4)),
    ));
    tick(&mut app);
    assert_map(
        &app,
        map,
        "
        .....
        ..##.
        .###.
        .##..
        .....
        ",
    );
}

#[test]
fn an_obstacle_on_a_turned_and_scaled_map_blocks_what_it_covers() {
    let mut app = app();
    let map = field(&mut app, 3, 3, 0.0);
    let turned = Transform::from_xyz(100.0, 0.0, 0.0)
        .with_rotation(Quat::from_rotation_z(FRAC_PI_4))
        .with_scale(Vec3::splat(2.0));
    app.world_mut().entity_mut(map).insert(turned);
    let centre = turned.transform_point(Vec3::new(15.0, 25.0, 0.0));
    let rock = obstacle(&mut app, centre.x, centre.y, Vec2::ZERO);
    tick(&mut app);
    let one = "
        .#.
        ...
        ...
    ";
    assert_map(&app, map, one);
    // 19 wide in the world is less than a cell of 20, but stands across its corners.
    app.world_mut().entity_mut(rock).insert(Obstacle { size: Vec2::splat(19.0), ..default() });
    tick(&mut app);
    assert_map(
        &app,
        map,
        "
        ###
        .#.
        ...
        ",
    );
    // Turned with the map it fits.
    app.world_mut().get_mut::<Transform>(rock).unwrap().rotation = turned.rotation;
    tick(&mut app);
    assert_map(&app, map, one);
}

#[test]
fn overlapping_obstacles_are_counted() {
    let mut app = app();
    let map = field(&mut app, 4, 1, 0.0);
    let first = obstacle(&mut app, 15.0, 5.0, Vec2::new(20.0, 10.0));
    let second = obstacle(&mut app, 25.0, 5.0, Vec2::new(20.0, 10.0));
    let third = obstacle(&mut app, 15.0, 5.0, Vec2::ZERO);
    tick(&mut app);
    assert_map(&app, map, "####");
    app.world_mut().despawn(first);
    tick(&mut app);
    assert_map(&app, map, ".###");
    app.world_mut().entity_mut(third).remove::<Obstacle>();
    tick(&mut app);
    assert_map(&app, map, ".###");
    app.world_mut().despawn(second);
    tick(&mut app);
    assert_map(&app, map, "....");
}

#[test]
fn a_step_of_an_obstacle_edits_only_the_cells_that_change() {
    let mut app = app();
    let map = field(&mut app, 30, 10, 0.0);
    let tank = obstacle(&mut app, 20.0, 20.0, Vec2::splat(20.0));
    tick(&mut app);
    let before = app.world().get::<NavGrid>(map).unwrap().revision();
    move_to(&mut app, tank, 30.0, 20.0);
    tick(&mut app);
    let grid = app.world().get::<NavGrid>(map).unwrap();
    let mut changed: Vec<Cell> = grid.grid().changes_since(before).unwrap().collect();
    changed.sort_by_key(|cell| (cell.x, cell.y));
    assert_eq!(changed, [(1, 1), (1, 2), (3, 1), (3, 2)].map(Cell::from));
}

#[test]
fn terrain_edited_under_an_obstacle_shows_when_it_leaves() {
    let mut app = app();
    let map = field(&mut app, 2, 1, 0.0);
    let crate_of_apples = obstacle(&mut app, 5.0, 5.0, Vec2::ZERO);
    tick(&mut app);
    let mut grid = app.world_mut().get_mut::<NavGrid>(map).unwrap();
    assert_eq!(grid.set_terrain(Cell::new(0, 0), 6), Ok(true));
    tick(&mut app);
    assert_map(&app, map, "#.");
    app.world_mut().despawn(crate_of_apples);
    tick(&mut app);
    assert_map(&app, map, "6.");
}

#[test]
fn an_obstacle_inserted_again_with_another_size_blocks_again() {
    let mut app = app();
    let map = field(&mut app, 3, 1, 0.0);
    let house = obstacle(&mut app, 15.0, 5.0, Vec2::ZERO);
    tick(&mut app);
    app.world_mut().entity_mut(house).insert(Obstacle { size: Vec2::new(30.0, 10.0), ..default() });
    tick(&mut app);
    assert_map(&app, map, "###");
    app.world_mut().get_mut::<Obstacle>(house).unwrap().size.x = 10.0;
    tick(&mut app);
    assert_map(&app, map, ".#.");
}

#[test]
fn sizes_that_make_no_sense_have_defined_answers() {
    let mut app = app();
    let map = field(&mut app, 3, 1, 0.0);
    let thing = obstacle(&mut app, 15.0, 5.0, Vec2::ZERO);
    for (size, picture) in [
        (Vec2::splat(-50.0), ".#."),
        (Vec2::splat(f32::NAN), "..."),
        (Vec2::new(f32::INFINITY, 1.0), "..."),
        (Vec2::splat(1e30), "###"),
    ] {
        app.world_mut().entity_mut(thing).insert(Obstacle { size, ..default() });
        tick(&mut app);
        assert_map(&app, map, picture);
    }
}

#[test]
fn an_obstacle_blocks_on_every_map_it_lies_on_unless_it_names_one() {
    let mut app = app();
    let (left, right) = (field(&mut app, 2, 1, 0.0), field(&mut app, 2, 1, 20.0));
    let beam = obstacle(&mut app, 20.0, 5.0, Vec2::new(20.0, 2.0));
    tick(&mut app);
    assert_map(&app, left, ".#");
    assert_map(&app, right, "#.");
    app.world_mut().entity_mut(beam).insert(OnMap(right));
    tick(&mut app);
    assert_map(&app, left, "..");
    assert_map(&app, right, "#.");
    app.world_mut().entity_mut(beam).insert(OnMap(left));
    tick(&mut app);
    assert_map(&app, left, ".#");
    assert_map(&app, right, "..");
    app.world_mut().despawn(left);
    tick(&mut app);
    assert!(!app.world().entity(beam).contains::<OnMap>());
    assert_map(&app, right, "#.");
}

#[test]
fn maps_may_come_move_and_be_replaced_under_an_obstacle() {
    let mut app = app();
    obstacle(&mut app, 15.0, 5.0, Vec2::ZERO);
    tick(&mut app);
    let map = field(&mut app, 3, 1, 0.0);
    tick(&mut app);
    assert_map(&app, map, ".#.");
    app.world_mut().get_mut::<Transform>(map).unwrap().translation.x = 10.0;
    tick(&mut app);
    assert_map(&app, map, "#..");
    app.world_mut().entity_mut(map).insert(NavGrid::new(Grid::new(2, 1, 3).unwrap()));
    tick(&mut app);
    assert_map(&app, map, "#3");
    app.world_mut().entity_mut(map).remove::<NavMap>();
    tick(&mut app);
    assert_map(&app, map, "33");
    app.world_mut().entity_mut(map).insert(NavMap::default());
    tick(&mut app);
    assert_map(&app, map, "#3");
}

#[test]
fn a_disabled_obstacle_blocks_nothing() {
    let mut app = app();
    let map = field(&mut app, 2, 1, 0.0);
    let gate = obstacle(&mut app, 5.0, 5.0, Vec2::ZERO);
    tick(&mut app);
    app.world_mut().entity_mut(gate).insert(Disabled);
    tick(&mut app);
    assert_map(&app, map, "..");
    app.world_mut().entity_mut(gate).remove::<Disabled>();
    tick(&mut app);
    assert_map(&app, map, "#.");
    app.world_mut().entity_mut(gate).insert(Disabled);
    app.world_mut().despawn(gate);
    tick(&mut app);
    assert_map(&app, map, "..");
}

#[test]
fn a_cloned_obstacle_is_an_obstacle_of_its_own() {
    let mut app = app();
    let map = field(&mut app, 3, 1, 0.0);
    let barrel = obstacle(&mut app, 5.0, 5.0, Vec2::ZERO);
    tick(&mut app);
    let clone = app.world_mut().entity_mut(barrel).clone_and_spawn();
    tick(&mut app);
    app.world_mut().despawn(barrel);
    tick(&mut app);
    assert_map(&app, map, "#..");
    move_to(&mut app, clone, 25.0, 5.0);
    tick(&mut app);
    assert_map(&app, map, "..#");
}

#[cfg(feature = "tilemap")]
#[test]
fn tiles_edited_under_an_obstacle_show_when_it_leaves() {
    use bevy_ecs_tilemap::prelude::*;
    use bevy_tilepath::Terrain;

    let mut app = app();
    let map = tilemap(&mut app, "23_");
    let at = centre(1, 0);
    let cart = obstacle(&mut app, at.x, at.y, Vec2::ZERO);
    tick(&mut app);
    assert_map(&app, map, "2##");
    let tile = tile_at(&app, map, 1, 0);
    app.world_mut().get_mut::<Terrain>(tile).unwrap().0 = 8;
    tick(&mut app);
    assert_map(&app, map, "2##");
    // A resized map has the obstacle from its first tick.
    *app.world_mut().get_mut::<TilemapSize>(map).unwrap() = TilemapSize::new(2, 1);
    tick(&mut app);
    assert_map(&app, map, "2#");
    app.world_mut().despawn(cart);
    tick(&mut app);
    assert_map(&app, map, "28");
}

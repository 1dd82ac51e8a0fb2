//! Obstacles that stand, move, overlap and disappear.

use std::f32::consts::FRAC_PI_4;

use bevy::{ecs::entity_disabling::Disabled, prelude::*};
use bevy_tilepath::{
    Cell, NavGrid, NavMap, NavProjection, Obstacle, OnMap, PathAgent, PathRequest, PathStatus, tilepath::Grid,
};

use crate::harness::*;

/// Spawns a map of `width` × `height` cells of class 1 and side 10. Its bottom left corner is at
/// `x`.
fn field(game: &mut Game, width: u32, height: u32, x: f32) -> Entity {
    game.world_mut()
        .spawn((
            NavMap::default(),
            NavGrid::new(Grid::new(width, height, 1).unwrap()),
            NavProjection::square(Vec2::splat(10.0), Vec2::splat(5.0)),
            Transform::from_xyz(x, 0.0, 0.0),
        ))
        .id()
}

fn obstacle(game: &mut Game, x: f32, y: f32, size: Vec2) -> Entity {
    game.world_mut().spawn((Obstacle { size, ..default() }, Transform::from_xyz(x, y, 0.0))).id()
}

fn move_to(game: &mut Game, entity: Entity, x: f32, y: f32) {
    game.world_mut().get_mut::<Transform>(entity).unwrap().translation = Vec3::new(x, y, 0.0);
}

#[test]
fn an_obstacle_without_size_blocks_the_one_cell_under_it() {
    let mut game = Game::new();
    let map = field(&mut game, 3, 2, 0.0);
    obstacle(&mut game, 19.9, 3.0, Vec2::ZERO);
    // On the border of two cells, the obstacle stands in the eastern one.
    obstacle(&mut game, 20.0, 15.0, Vec2::ZERO);
    game.tick();
    game.assert_map(
        map,
        "
        ..#
        .#.
        ",
    );
}

#[test]
fn obstacle_on_an_agent_blocks_nothing_and_warns_once() {
    let mut game = Game::new();
    let map = field(&mut game, 6, 1, 0.0);
    let walker = obstacle(&mut game, 5.0, 5.0, Vec2::splat(10.0));
    game.world_mut()
        .entity_mut(walker)
        .insert((PathAgent { speed: 100.0.into(), ..default() }, PathRequest::to_cell(Cell::new(5, 0))));
    let logs = logs_of(|| {
        game.ticks(60);
    });
    assert_eq!(logs.len(), 1, "{logs:?}");
    assert!(logs[0].contains(&walker.to_string()) && logs[0].contains("Obstacle"), "{}", logs[0]);
    assert_eq!(game.world().get::<PathStatus>(walker), Some(&PathStatus::Arrived));
    game.assert_map(map, "......");
    // An obstacle that stops being an agent blocks again. An obstacle that becomes an agent stops
    // blocking.
    game.world_mut().entity_mut(walker).remove::<PathAgent>();
    game.tick();
    game.assert_map(map, ".....#");
    let logs = logs_of(|| {
        game.world_mut().entity_mut(walker).insert(PathAgent::default());
        game.tick();
    });
    game.assert_map(map, "......");
    assert_eq!(logs.len(), 1, "{logs:?}");
}

#[test]
fn an_obstacle_blocks_every_cell_it_overlaps_by_more_than_a_hair() {
    let mut game = Game::new();
    let map = field(&mut game, 6, 4, 0.0);
    // The obstacle has two by two cells, and is aligned except for rounding.
    obstacle(&mut game, 20.03, 20.0, Vec2::splat(20.0));
    // A wall of zero thickness, across three cells.
    obstacle(&mut game, 45.0, 5.0, Vec2::new(12.0, 0.0));
    game.tick();
    game.assert_map(
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
    let mut game = Game::new();
    let map = field(&mut game, 4, 1, 0.0);
    let cart = obstacle(&mut game, 5.0, 5.0, Vec2::ZERO);
    game.tick();
    game.assert_map(map, "#...");
    move_to(&mut game, cart, 35.0, 5.0);
    game.tick();
    game.assert_map(map, "...#");
    move_to(&mut game, cart, 45.0, 5.0);
    game.tick();
    game.assert_map(map, "....");
    move_to(&mut game, cart, f32::NAN, 5.0);
    game.tick();
    game.assert_map(map, "....");
    move_to(&mut game, cart, 15.0, 5.0);
    game.tick();
    game.assert_map(map, ".#..");
}

#[test]
fn an_obstacle_follows_its_parents() {
    let mut game = Game::new();
    let map = field(&mut game, 4, 1, 0.0);
    let train = game.world_mut().spawn(Transform::from_xyz(10.0, 0.0, 0.0)).id();
    let wagon = obstacle(&mut game, 5.0, 5.0, Vec2::ZERO);
    game.world_mut().entity_mut(wagon).insert(ChildOf(train));
    game.tick();
    game.assert_map(map, ".#..");
    move_to(&mut game, train, 20.0, 0.0);
    game.tick();
    game.assert_map(map, "..#.");
    game.world_mut().entity_mut(wagon).remove::<ChildOf>();
    game.tick();
    game.assert_map(map, "#...");
}

#[test]
fn a_turned_obstacle_blocks_what_it_covers_and_not_its_bounding_box() {
    let mut game = Game::new();
    let map = field(&mut game, 5, 5, 0.0);
    game.world_mut().spawn((
        Obstacle { size: Vec2::new(40.0, 2.0), ..default() },
        Transform::from_xyz(25.0, 25.0, 0.0).with_rotation(Quat::from_rotation_z(FRAC_PI_4)),
    ));
    game.tick();
    game.assert_map(
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
    let mut game = Game::new();
    let map = field(&mut game, 3, 3, 0.0);
    let turned = Transform::from_xyz(100.0, 0.0, 0.0)
        .with_rotation(Quat::from_rotation_z(FRAC_PI_4))
        .with_scale(Vec3::splat(2.0));
    game.world_mut().entity_mut(map).insert(turned);
    let centre = turned.transform_point(Vec3::new(15.0, 25.0, 0.0));
    let rock = obstacle(&mut game, centre.x, centre.y, Vec2::ZERO);
    game.tick();
    let one = "
        .#.
        ...
        ...
    ";
    game.assert_map(map, one);
    // The rock is 19 wide, less than a cell of 20 in the world. It stands across the corners of the
    // cell.
    game.world_mut().entity_mut(rock).insert(Obstacle { size: Vec2::splat(19.0), ..default() });
    game.tick();
    game.assert_map(
        map,
        "
        ###
        .#.
        ...
        ",
    );
    // If the rock turns with the map, it fits into the cell.
    game.world_mut().get_mut::<Transform>(rock).unwrap().rotation = turned.rotation;
    game.tick();
    game.assert_map(map, one);
}

#[test]
fn overlapping_obstacles_are_counted() {
    let mut game = Game::new();
    let map = field(&mut game, 4, 1, 0.0);
    let first = obstacle(&mut game, 15.0, 5.0, Vec2::new(20.0, 10.0));
    let second = obstacle(&mut game, 25.0, 5.0, Vec2::new(20.0, 10.0));
    let third = obstacle(&mut game, 15.0, 5.0, Vec2::ZERO);
    game.tick();
    game.assert_map(map, "####");
    game.world_mut().despawn(first);
    game.tick();
    game.assert_map(map, ".###");
    game.world_mut().entity_mut(third).remove::<Obstacle>();
    game.tick();
    game.assert_map(map, ".###");
    game.world_mut().despawn(second);
    game.tick();
    game.assert_map(map, "....");
}

#[test]
fn a_step_of_an_obstacle_edits_only_the_cells_that_change() {
    let mut game = Game::new();
    let map = field(&mut game, 30, 10, 0.0);
    let tank = obstacle(&mut game, 20.0, 20.0, Vec2::splat(20.0));
    game.tick();
    let before = game.world().get::<NavGrid>(map).unwrap().grid().revision();
    move_to(&mut game, tank, 30.0, 20.0);
    game.tick();
    let grid = game.world().get::<NavGrid>(map).unwrap();
    let mut changed: Vec<Cell> = grid.grid().changes_since(before).unwrap().collect();
    changed.sort_by_key(|cell| (cell.x, cell.y));
    assert_eq!(changed, [(1, 1), (1, 2), (3, 1), (3, 2)].map(Cell::from));
}

#[test]
fn terrain_edited_under_an_obstacle_shows_when_it_leaves() {
    let mut game = Game::new();
    let map = field(&mut game, 2, 1, 0.0);
    let crate_of_apples = obstacle(&mut game, 5.0, 5.0, Vec2::ZERO);
    game.tick();
    let mut grid = game.world_mut().get_mut::<NavGrid>(map).unwrap();
    assert_eq!(grid.set_terrain(Cell::new(0, 0), 6), Ok(true));
    game.tick();
    game.assert_map(map, "#.");
    game.world_mut().despawn(crate_of_apples);
    game.tick();
    game.assert_map(map, "6.");
}

#[test]
fn an_obstacle_inserted_again_with_another_size_blocks_again() {
    let mut game = Game::new();
    let map = field(&mut game, 3, 1, 0.0);
    let house = obstacle(&mut game, 15.0, 5.0, Vec2::ZERO);
    game.tick();
    game.world_mut().entity_mut(house).insert(Obstacle { size: Vec2::new(30.0, 10.0), ..default() });
    game.tick();
    game.assert_map(map, "###");
    game.world_mut().get_mut::<Obstacle>(house).unwrap().size.x = 10.0;
    game.tick();
    game.assert_map(map, ".#.");
}

#[test]
fn sizes_that_make_no_sense_have_defined_answers() {
    let mut game = Game::new();
    let map = field(&mut game, 3, 1, 0.0);
    let thing = obstacle(&mut game, 15.0, 5.0, Vec2::ZERO);
    for (size, picture) in [
        (Vec2::splat(-50.0), ".#."),
        (Vec2::splat(f32::NAN), "..."),
        (Vec2::new(f32::INFINITY, 1.0), "..."),
        (Vec2::splat(1e30), "###"),
    ] {
        game.world_mut().entity_mut(thing).insert(Obstacle { size, ..default() });
        game.tick();
        game.assert_map(map, picture);
    }
}

#[test]
fn an_obstacle_blocks_on_every_map_it_lies_on_unless_it_names_one() {
    let mut game = Game::new();
    let (left, right) = (field(&mut game, 2, 1, 0.0), field(&mut game, 2, 1, 20.0));
    let beam = obstacle(&mut game, 20.0, 5.0, Vec2::new(20.0, 2.0));
    game.tick();
    game.assert_map(left, ".#");
    game.assert_map(right, "#.");
    game.world_mut().entity_mut(beam).insert(OnMap(right));
    game.tick();
    game.assert_map(left, "..");
    game.assert_map(right, "#.");
    game.world_mut().entity_mut(beam).insert(OnMap(left));
    game.tick();
    game.assert_map(left, ".#");
    game.assert_map(right, "..");
    game.world_mut().despawn(left);
    game.tick();
    assert!(!game.world().entity(beam).contains::<OnMap>());
    game.assert_map(right, "#.");
}

#[test]
fn maps_may_come_move_and_be_replaced_under_an_obstacle() {
    let mut game = Game::new();
    obstacle(&mut game, 15.0, 5.0, Vec2::ZERO);
    game.tick();
    let map = field(&mut game, 3, 1, 0.0);
    game.tick();
    game.assert_map(map, ".#.");
    game.world_mut().get_mut::<Transform>(map).unwrap().translation.x = 10.0;
    game.tick();
    game.assert_map(map, "#..");
    game.world_mut().entity_mut(map).insert(NavGrid::new(Grid::new(2, 1, 3).unwrap()));
    game.tick();
    game.assert_map(map, "#3");
    game.world_mut().entity_mut(map).remove::<NavMap>();
    game.tick();
    game.assert_map(map, "33");
    game.world_mut().entity_mut(map).insert(NavMap::default());
    game.tick();
    game.assert_map(map, "#3");
}

#[test]
fn a_disabled_obstacle_blocks_nothing() {
    let mut game = Game::new();
    let map = field(&mut game, 2, 1, 0.0);
    let gate = obstacle(&mut game, 5.0, 5.0, Vec2::ZERO);
    game.tick();
    game.world_mut().entity_mut(gate).insert(Disabled);
    game.tick();
    game.assert_map(map, "..");
    game.world_mut().entity_mut(gate).remove::<Disabled>();
    game.tick();
    game.assert_map(map, "#.");
    game.world_mut().entity_mut(gate).insert(Disabled);
    game.world_mut().despawn(gate);
    game.tick();
    game.assert_map(map, "..");
}

#[test]
fn obstacle_disabled_by_game_blocks_nothing() {
    #[derive(Component)]
    struct Ruined;

    let mut game = Game::with_disabling::<Ruined>();
    let map = field(&mut game, 2, 1, 0.0);
    let house = obstacle(&mut game, 5.0, 5.0, Vec2::ZERO);
    game.tick();
    game.assert_map(map, "#.");
    game.world_mut().entity_mut(house).insert(Ruined);
    game.tick();
    game.assert_map(map, "..");
    game.world_mut().entity_mut(house).insert(Disabled).remove::<Ruined>();
    game.tick();
    game.assert_map(map, "..");
    game.world_mut().entity_mut(house).remove::<Disabled>();
    game.tick();
    game.assert_map(map, "#.");
    game.world_mut().entity_mut(house).insert(Ruined);
    game.world_mut().despawn(house);
    game.tick();
    game.assert_map(map, "..");
}

#[test]
fn a_cloned_obstacle_is_an_obstacle_of_its_own() {
    let mut game = Game::new();
    let map = field(&mut game, 3, 1, 0.0);
    let barrel = obstacle(&mut game, 5.0, 5.0, Vec2::ZERO);
    game.tick();
    let clone = game.world_mut().entity_mut(barrel).clone_and_spawn();
    game.tick();
    game.world_mut().despawn(barrel);
    game.tick();
    game.assert_map(map, "#..");
    move_to(&mut game, clone, 25.0, 5.0);
    game.tick();
    game.assert_map(map, "..#");
}

#[cfg(feature = "tilemap")]
#[test]
fn tiles_edited_under_an_obstacle_show_when_it_leaves() {
    use bevy_ecs_tilemap::prelude::*;
    use bevy_tilepath::Terrain;

    let mut game = Game::new();
    let map = game.tilemap("23_");
    let at = centre(1, 0);
    let cart = obstacle(&mut game, at.x, at.y, Vec2::ZERO);
    game.tick();
    game.assert_map(map, "2##");
    let tile = game.tile_at(map, 1, 0);
    game.world_mut().get_mut::<Terrain>(tile).unwrap().0 = 8;
    game.tick();
    game.assert_map(map, "2##");
    // A resized map has the obstacle from its first tick.
    *game.world_mut().get_mut::<TilemapSize>(map).unwrap() = TilemapSize::new(2, 1);
    game.tick();
    game.assert_map(map, "2#");
    game.world_mut().despawn(cart);
    game.tick();
    game.assert_map(map, "28");
}

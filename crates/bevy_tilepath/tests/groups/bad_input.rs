//! Invalid orders, and groups in odd states.

use bevy::prelude::*;
use bevy_tilepath::{
    AgentMovement, Body, Cell, Movement, NavGraph, NavGrid, NavMap, NavProjection, OnMap, PathFailure,
    entries_kept,
    graphs::WaypointGraph,
    groups::{Group, GroupFailure, GroupOrder},
    maps::Lattice,
    tilepath::{Grid, Size, Topology},
};

use crate::harness::*;

/// Returns the reason why the only group has failed.
#[track_caller]
fn only_failure(game: &Game) -> GroupFailure {
    assert_eq!(
        (game.group_news().failed.len(), game.group_news().arrived.len()),
        (1, 0),
        "{:?}",
        game.group_news()
    );
    game.group_news().failed[0].reason
}

#[test]
fn a_group_without_agents_fails() {
    let (mut game, _) = Game::open(9, 9);
    let crate_ = game.world_mut().spawn(Transform::default()).id();
    let gone = game.world_mut().spawn_empty().id();
    game.world_mut().despawn(gone);
    let group = game.order_group(GroupOrder::to([crate_, gone], Cell::new(2, 2)));
    game.tick();
    assert_eq!(only_failure(&game), GroupFailure::NoMembers);
    assert!(game.world().get::<GroupOrder>(group).is_none());
    assert!(game.world().get_entity(group).is_ok(), "the entity of the group is kept");
    assert_eq!(game.world().get::<Group>(group), Some(&Group::default()));
}

#[test]
fn a_goal_off_the_map_fails_and_one_in_a_wall_is_approached() {
    let (mut game, _) = Game::drawn_as("....#....\n....#....");
    let units: Vec<Entity> = (0..3).map(|x| game.body(x, 0, 96.0)).collect();
    game.order_group(GroupOrder::to(units.iter().copied(), Cell::new(50, 2)));
    game.tick();
    let GroupFailure::Path(PathFailure::GoalOutOfBounds { cell, .. }) = only_failure(&game) else {
        panic!("{:?}", game.group_news());
    };
    assert_eq!(cell, Cell::new(50, 2));
    for goal in [Cell::new(4, 0), Cell::new(7, 1)] {
        let group = game.order_group(GroupOrder::to(units.iter().copied(), goal));
        game.run_to_end(group, 500);
        let cells = game.cells_of(&units);
        assert!(cells.iter().all(|cell| (2..4).contains(&cell.x)), "{cells:?}");
    }
    assert_eq!(game.group_news().arrived.len(), 2);
}

#[test]
fn a_position_that_is_no_number_fails() {
    let (mut game, _) = Game::open(9, 9);
    let unit = game.body(1, 1, 96.0);
    game.order_group(GroupOrder::to([unit], Vec2::new(f32::NAN, 0.0)));
    game.tick();
    assert_eq!(only_failure(&game), GroupFailure::Path(PathFailure::PositionNotFinite));
}

#[test]
fn a_graph_has_no_places() {
    let mut game = Game::new();
    let mut town = WaypointGraph::new();
    town.add("gate", (0.0, 0.0)).expect("the place is sound");
    town.add("well", (90.0, 0.0)).expect("the place is sound");
    town.join("gate", "well").expect("both are there");
    let town = game.world_mut().spawn((NavGraph::new(town), Transform::default())).id();
    let unit = game.body(0, 0, 96.0);
    game.world_mut().entity_mut(unit).insert(OnMap(town));
    game.tick();
    game.order_group(GroupOrder::to([unit], "well"));
    game.tick();
    assert_eq!(only_failure(&game), GroupFailure::OnGraph);
}

#[test]
fn waypoints_are_no_places_of_tile_maps() {
    let (mut game, _) = Game::open(9, 9);
    let unit = game.body(1, 1, 96.0);
    game.order_group(GroupOrder::to([unit], "well"));
    game.tick();
    assert_eq!(only_failure(&game), GroupFailure::Path(PathFailure::WrongKindOfMap));
}

#[test]
fn several_maps_and_none_named_fail_and_a_map_to_come_is_waited_for() {
    let mut game = Game::new();
    let unit = game.body(1, 1, 96.0);
    let group = game.order_group(GroupOrder::to([unit], Cell::new(5, 5)));
    game.ticks(5);
    assert!(game.world().get::<GroupOrder>(group).is_some(), "the order waits for a map");
    game.open_map(9, 9);
    game.run_to_end(group, 300);
    assert_eq!(game.only_end(), [1, 0, 0, 0]);
    game.world_mut().resource_mut::<GroupNews>().arrived.clear();

    game.open_map(9, 9);
    game.world_mut().entity_mut(unit).remove::<OnMap>();
    game.order_group(GroupOrder::to([unit], Cell::new(5, 5)));
    game.tick();
    assert_eq!(only_failure(&game), GroupFailure::Path(PathFailure::AmbiguousMap));
}

#[test]
fn more_units_than_cells_leave_some_without_a_place() {
    let (mut game, _) = Game::drawn_as("...");
    let units: Vec<Entity> = (0..5).map(|n| game.agent(n % 3, 0, 96.0)).collect();
    let group = game.order_group(GroupOrder::to(units.iter().copied(), Cell::new(1, 0)));
    game.run_to_end(group, 300);
    assert_eq!(game.only_end(), [3, 0, 2, 0]);
}

#[test]
fn member_with_unknown_movement_is_lost_and_others_go() {
    let (mut game, _) = Game::open(20, 9);
    let units: Vec<Entity> = (0..3).map(|x| game.body(x, 0, 96.0)).collect();
    game.world_mut().entity_mut(units[1]).insert(AgentMovement::from("balloon"));
    let group = game.order_group(GroupOrder::to(units.iter().copied(), Cell::new(15, 4)));
    game.run_to_end(group, 600);
    assert_eq!(game.only_end(), [2, 0, 1, 0]);
}

#[test]
fn one_off_the_map_is_lost_and_the_others_go() {
    let (mut game, _) = Game::open(20, 9);
    let units: Vec<Entity> = (0..3).map(|x| game.body(x, 0, 96.0)).collect();
    let away = game.body(-40, 900, 96.0);
    let all = units.iter().copied().chain([away]);
    let group = game.order_group(GroupOrder::to(all, Cell::new(15, 4)));
    game.run_to_end(group, 600);
    assert_eq!(game.only_end(), [3, 0, 1, 0]);
    assert_eq!(game.cells_of(&units).len(), 3);
}

#[test]
fn a_unit_of_several_cells_on_hexagons_is_lost_and_the_others_go() {
    let mut game = Game::new();
    let grid = Grid::new(20, 20, 1).expect("the map is small").with_topology(Topology::Hexagonal);
    let projection = NavProjection::new(Lattice::HexRow, Vec2::splat(CELL), Vec2::ZERO);
    let wagon = Movement::new().with_size(Size::new(2).expect("2 is a size"));
    let rules = NavMap::default().with_movement("wagon", wagon);
    game.world_mut().spawn((rules, NavGrid::new(grid), projection));
    game.tick();
    let units: Vec<Entity> = (0..3).map(|x| game.body(6 + x, 2, 96.0)).collect();
    game.world_mut().entity_mut(units[2]).insert(AgentMovement::from("wagon"));
    let group = game.order_group(GroupOrder::to(units.iter().copied(), Cell::new(9, 9)));
    game.run_to_end(group, 600);
    assert_eq!(game.only_end(), [2, 0, 1, 0]);
}

#[test]
fn members_end_short_if_crates_wall_off_their_places() {
    let (mut game, _) = Game::drawn_as("......................");
    let units: Vec<Entity> = (0..3).map(|x| game.body(x, 0, 96.0)).collect();
    let group = game.order_group(GroupOrder::to(units.iter().copied(), Cell::new(18, 0)));
    game.ticks(20);
    game.world_mut().spawn((Body::default(), Transform::from_translation(centre(12, 0).extend(0.0))));
    game.run_to_end(group, 4000);
    assert_eq!(game.only_end(), [0, 3, 0, 0]);
    assert_eq!(game.cells_of(&units), (9..12).map(|x| Cell::new(x, 0)).collect());
}

#[test]
fn member_named_twice_counts_once() {
    let (mut game, map) = Game::open(20, 9);
    let unit = game.body(0, 0, 96.0);
    let group = game.order_group(GroupOrder::to([unit; 5], Cell::new(9, 4)).facing(Vec2::NAN));
    game.run_to_end(group, 600);
    assert_eq!(game.only_end(), [1, 0, 0, 0]);
    for entity in [map, unit, group] {
        game.world_mut().despawn(entity);
    }
    game.tick();
    game.tick();
    assert_eq!(entries_kept(game.world()), 0);
}

//! Orders that make no sense, and groups in odd states.

use bevy::prelude::*;
use bevy_tilepath::{
    AgentMovement, Body, Cell, Movement, NavGraph, NavGrid, NavMap, NavProjection, OnMap, PathFailure,
    entries_kept,
    graphs::WaypointGraph,
    groups::{Group, GroupFailure, GroupOrder},
    maps::Lattice,
    tilepath::{Grid, Size, Topology},
};

use super::fixtures::*;
use crate::harness::tick;

/// The reason for which the only group has failed.
#[track_caller]
fn only_failure(app: &App) -> GroupFailure {
    assert_eq!((heard(app).failed.len(), heard(app).arrived.len()), (1, 0), "{:?}", heard(app));
    heard(app).failed[0].reason
}

#[test]
fn a_group_without_agents_fails() {
    let mut app = app();
    open_map(&mut app, 9, 9);
    let crate_ = app.world_mut().spawn(Transform::default()).id();
    let gone = app.world_mut().spawn_empty().id();
    app.world_mut().despawn(gone);
    let group = order(&mut app, GroupOrder::to([crate_, gone], Cell::new(2, 2)));
    tick(&mut app);
    assert_eq!(only_failure(&app), GroupFailure::NoMembers);
    assert!(app.world().get::<GroupOrder>(group).is_none());
    assert!(app.world().get_entity(group).is_ok(), "the entity stays");
    assert_eq!(app.world().get::<Group>(group), Some(&Group::default()));
}

#[test]
fn a_goal_off_the_map_fails_and_one_in_a_wall_is_approached() {
    let mut app = app();
    map(&mut app, "....#....\n....#....");
    let units: Vec<Entity> = (0..3).map(|x| body(&mut app, x, 0, 96.0)).collect();
    order(&mut app, GroupOrder::to(units.iter().copied(), Cell::new(50, 2)));
    tick(&mut app);
    let GroupFailure::Path(PathFailure::GoalOutOfBounds { cell, .. }) = only_failure(&app) else {
        panic!("{:?}", heard(&app));
    };
    assert_eq!(cell, Cell::new(50, 2));
    for goal in [Cell::new(4, 0), Cell::new(7, 1)] {
        let group = order(&mut app, GroupOrder::to(units.iter().copied(), goal));
        run_to_end(&mut app, group, 500);
        let cells = cells(&mut app, &units);
        assert!(cells.iter().all(|cell| (2..4).contains(&cell.x)), "{cells:?}");
    }
    assert_eq!(heard(&app).arrived.len(), 2);
}

#[test]
fn a_position_that_is_no_number_fails() {
    let mut app = app();
    open_map(&mut app, 9, 9);
    let unit = body(&mut app, 1, 1, 96.0);
    order(&mut app, GroupOrder::to([unit], Vec2::new(f32::NAN, 0.0)));
    tick(&mut app);
    assert_eq!(only_failure(&app), GroupFailure::Path(PathFailure::PositionNotFinite));
}

#[test]
fn a_graph_has_no_places() {
    let mut app = app();
    let mut town = WaypointGraph::new();
    town.add("gate", (0.0, 0.0)).expect("the place is sound");
    town.add("well", (90.0, 0.0)).expect("the place is sound");
    town.join("gate", "well").expect("both are there");
    let town = app.world_mut().spawn((NavGraph::new(town), Transform::default())).id();
    let unit = body(&mut app, 0, 0, 96.0);
    app.world_mut().entity_mut(unit).insert(OnMap(town));
    tick(&mut app);
    order(&mut app, GroupOrder::to([unit], "well"));
    tick(&mut app);
    assert_eq!(only_failure(&app), GroupFailure::OnGraph);
}

#[test]
fn waypoints_are_no_places_of_tile_maps() {
    let mut app = app();
    open_map(&mut app, 9, 9);
    let unit = body(&mut app, 1, 1, 96.0);
    order(&mut app, GroupOrder::to([unit], "well"));
    tick(&mut app);
    assert_eq!(only_failure(&app), GroupFailure::Path(PathFailure::WrongKindOfMap));
}

#[test]
fn several_maps_and_none_named_fail_and_a_map_to_come_is_waited_for() {
    let mut app = app();
    let unit = body(&mut app, 1, 1, 96.0);
    let group = order(&mut app, GroupOrder::to([unit], Cell::new(5, 5)));
    ticks(&mut app, 5);
    assert!(app.world().get::<GroupOrder>(group).is_some(), "it waits");
    open_map(&mut app, 9, 9);
    run_to_end(&mut app, group, 300);
    assert_eq!(only_end(&app), [1, 0, 0, 0]);
    app.world_mut().resource_mut::<Heard>().arrived.clear();

    open_map(&mut app, 9, 9);
    app.world_mut().entity_mut(unit).remove::<OnMap>();
    order(&mut app, GroupOrder::to([unit], Cell::new(5, 5)));
    tick(&mut app);
    assert_eq!(only_failure(&app), GroupFailure::Path(PathFailure::AmbiguousMap));
}

#[test]
fn more_units_than_cells_leave_some_without_a_place() {
    let mut app = app();
    map(&mut app, "...");
    let units: Vec<Entity> = (0..5).map(|n| ghost(&mut app, n % 3, 0, 96.0)).collect();
    let group = order(&mut app, GroupOrder::to(units.iter().copied(), Cell::new(1, 0)));
    run_to_end(&mut app, group, 300);
    assert_eq!(only_end(&app), [3, 0, 2, 0]);
}

#[test]
fn one_whose_movement_the_map_does_not_know_is_lost_and_the_others_go() {
    let mut app = app();
    open_map(&mut app, 20, 9);
    let units: Vec<Entity> = (0..3).map(|x| body(&mut app, x, 0, 96.0)).collect();
    app.world_mut().entity_mut(units[1]).insert(AgentMovement::from("balloon"));
    let group = order(&mut app, GroupOrder::to(units.iter().copied(), Cell::new(15, 4)));
    run_to_end(&mut app, group, 600);
    assert_eq!(only_end(&app), [2, 0, 1, 0]);
}

#[test]
fn one_off_the_map_is_lost_and_the_others_go() {
    let mut app = app();
    open_map(&mut app, 20, 9);
    let units: Vec<Entity> = (0..3).map(|x| body(&mut app, x, 0, 96.0)).collect();
    let away = body(&mut app, -40, 900, 96.0);
    let all = units.iter().copied().chain([away]);
    let group = order(&mut app, GroupOrder::to(all, Cell::new(15, 4)));
    run_to_end(&mut app, group, 600);
    assert_eq!(only_end(&app), [3, 0, 1, 0]);
    assert_eq!(cells(&mut app, &units).len(), 3);
}

#[test]
fn a_unit_of_several_cells_on_hexagons_is_lost_and_the_others_go() {
    let mut app = app();
    let grid = Grid::new(20, 20, 1).expect("the map is small").with_topology(Topology::Hexagonal);
    let projection = NavProjection::new(Lattice::HexRow, Vec2::splat(CELL), Vec2::ZERO);
    let wagon = Movement::new().with_size(Size::new(2).expect("2 is a size"));
    let rules = NavMap::default().with_movement("wagon", wagon);
    app.world_mut().spawn((rules, NavGrid::new(grid), projection));
    tick(&mut app);
    let units: Vec<Entity> = (0..3).map(|x| body(&mut app, 6 + x, 2, 96.0)).collect();
    app.world_mut().entity_mut(units[2]).insert(AgentMovement::from("wagon"));
    let group = order(&mut app, GroupOrder::to(units.iter().copied(), Cell::new(9, 9)));
    run_to_end(&mut app, group, 600);
    assert_eq!(only_end(&app), [2, 0, 1, 0]);
}

#[test]
fn places_behind_a_wall_of_crates_leave_those_short_who_cannot_come_there() {
    let mut app = app();
    map(&mut app, "......................");
    let units: Vec<Entity> = (0..3).map(|x| body(&mut app, x, 0, 96.0)).collect();
    let group = order(&mut app, GroupOrder::to(units.iter().copied(), Cell::new(18, 0)));
    ticks(&mut app, 20);
    app.world_mut().spawn((Body::default(), Transform::from_translation(centre(12, 0).extend(0.0))));
    run_to_end(&mut app, group, 4000);
    assert_eq!(only_end(&app), [0, 3, 0, 0]);
    assert_eq!(cells(&mut app, &units), (9..12).map(|x| Cell::new(x, 0)).collect());
}

#[test]
fn who_is_named_twice_counts_once_and_nothing_is_kept() {
    let mut app = app();
    let map = open_map(&mut app, 20, 9);
    let unit = body(&mut app, 0, 0, 96.0);
    let group = order(&mut app, GroupOrder::to([unit; 5], Cell::new(9, 4)).facing(Vec2::NAN));
    run_to_end(&mut app, group, 600);
    assert_eq!(only_end(&app), [1, 0, 0, 0]);
    for entity in [map, unit, group] {
        app.world_mut().despawn(entity);
    }
    tick(&mut app);
    tick(&mut app);
    assert_eq!(entries_kept(app.world()), 0);
}

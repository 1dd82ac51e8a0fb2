//! Which map: none yet, one, several.

use std::time::Duration;

use bevy::{prelude::*, time::TimeUpdateStrategy};
use bevy_tilepath::{
    AgentMovement, Algorithm, Cell, Movement, NavGrid, NavMap, NavProjection, OnMap, PathAgent, PathFailure,
    PathRequest, PathStatus, TilepathSettings,
    doors::{Door, DoorEnd},
    tilepath::Grid,
};

use super::fixtures::*;
use crate::harness::{logs_of, tick};

#[test]
fn request_waits_for_a_map() {
    let mut app = app();
    let soldier = agent(&mut app, 0, 0, 1e6);
    order(&mut app, soldier, 3, 0);
    for _ in 0..5 {
        tick(&mut app);
        assert_eq!(status(&app, soldier), PathStatus::WaitingForMap);
    }
    assert_eq!(told(&mut app), []);
    let map = open_map(&mut app, 4, 1);
    tick(&mut app);
    assert_eq!(status(&app, soldier), PathStatus::Arrived);
    assert_eq!(app.world().get::<OnMap>(soldier), Some(&OnMap(map)));
}

#[test]
fn waiting_is_warned_about_once_after_a_second() {
    let mut app = app();
    app.insert_resource(TimeUpdateStrategy::ManualDuration(Duration::from_millis(125)));
    let agents: Vec<Entity> = (0..3).map(|x| agent(&mut app, x, 0, 1e6)).collect();
    for &soldier in &agents {
        order(&mut app, soldier, 3, 0);
    }
    let early = logs_of(|| {
        for _ in 0..7 {
            app.update();
        }
    });
    assert_eq!(early, [""; 0]);
    let late = logs_of(|| {
        for _ in 0..40 {
            app.update();
        }
    });
    let [warning] = &late[..] else { panic!("{late:?}") };
    assert!(warning.contains("3 path request(s)") && warning.contains("NavMap"), "{warning}");

    // Another spell of waiting is warned about again.
    let map = open_map(&mut app, 4, 1);
    app.update();
    app.world_mut().despawn(map);
    order(&mut app, agents[0], 2, 0);
    let again = logs_of(|| {
        for _ in 0..20 {
            app.update();
        }
    });
    assert_eq!(again.len(), 1, "{again:?}");
}

#[test]
fn request_waits_for_the_map_it_names_until_that_is_despawned() {
    let mut app = app();
    open_map(&mut app, 4, 1);
    let not_yet = app.world_mut().spawn_empty().id();
    let (one, two) = (agent(&mut app, 0, 0, 1e6), agent(&mut app, 0, 0, 1e6));
    for soldier in [one, two] {
        app.world_mut().entity_mut(soldier).insert(OnMap(not_yet));
        order(&mut app, soldier, 3, 0);
    }
    for _ in 0..3 {
        tick(&mut app);
        assert_eq!(status(&app, one), PathStatus::WaitingForMap);
    }
    // Taken off by hand: the only map is meant again.
    app.world_mut().entity_mut(one).remove::<OnMap>();
    tick(&mut app);
    assert_eq!(status(&app, one), PathStatus::Arrived);
    told(&mut app);
    app.world_mut().despawn(not_yet);
    tick(&mut app);
    assert_eq!(told(&mut app), [(two, Told::Failed(PathFailure::NoMap))]);
}

#[test]
fn several_maps_need_on_map() {
    let mut app = app();
    let here = open_map(&mut app, 4, 4);
    let there = map(&mut app, "....\n....\n.##.\n....");
    let soldier = agent(&mut app, 0, 0, 160.0);
    order(&mut app, soldier, 3, 0);
    tick(&mut app);
    assert_eq!(told_of(&mut app, soldier), [Told::Failed(PathFailure::AmbiguousMap)]);

    let on_here = agent(&mut app, 0, 1, 160.0);
    let on_there = agent(&mut app, 0, 1, 160.0);
    app.world_mut().entity_mut(on_here).insert(OnMap(here));
    app.world_mut().entity_mut(on_there).insert(OnMap(there));
    for soldier in [on_here, on_there] {
        order(&mut app, soldier, 3, 1);
    }
    tick(&mut app);
    assert_eq!(path(&app, on_here).map(), here);
    assert_eq!(cost(&app, on_here).get(), 30);
    assert_eq!(path(&app, on_there).map(), there);
    assert_eq!(cost(&app, on_there).get(), 50);
}

#[test]
fn agent_on_its_way_is_not_disturbed_by_a_second_map() {
    let mut app = app();
    open_map(&mut app, 8, 1);
    let soldier = agent(&mut app, 0, 0, 160.0);
    order(&mut app, soldier, 7, 0);
    tick(&mut app);
    open_map(&mut app, 8, 1);
    run_until_quiet(&mut app, 100);
    assert_eq!(status(&app, soldier), PathStatus::Arrived);
    // And it still knows its map.
    order(&mut app, soldier, 0, 0);
    run_until_quiet(&mut app, 100);
    assert_eq!(status(&app, soldier), PathStatus::Arrived);
}

#[test]
fn journey_goes_on_on_the_map_it_is_given() {
    let mut app = app();
    let first = open_map(&mut app, 8, 8);
    let soldier = agent(&mut app, 0, 0, 160.0);
    app.world_mut().entity_mut(soldier).insert((OnMap(first), PathRequest::to_position(centre(7, 0))));
    for _ in 0..5 {
        tick(&mut app);
    }
    let second = map(&mut app, "........\n........\n....#...");
    told(&mut app);
    app.world_mut().entity_mut(soldier).insert(OnMap(second));
    tick(&mut app);
    let told = told_of(&mut app, soldier);
    assert!(matches!(told[..], [Told::Replanned { goal: Cell { x: 7, y: 0 }, .. }]), "{told:?}");
    assert_eq!(path(&app, soldier).map(), second);
    // The first map is no longer needed.
    app.world_mut().despawn(first);
    run_until_quiet(&mut app, 200);
    assert_eq!(status(&app, soldier), PathStatus::Arrived);

    // A map that is none: the way is lost.
    let nothing = app.world_mut().spawn_empty().id();
    order(&mut app, soldier, 0, 0);
    tick(&mut app);
    app.world_mut().entity_mut(soldier).insert(OnMap(nothing));
    tick(&mut app);
    assert_eq!(status(&app, soldier), PathStatus::Failed(PathFailure::NoMap));
}

#[test]
fn on_map_of_an_agent_without_orders_does_nothing() {
    let mut app = app();
    let map = open_map(&mut app, 8, 8);
    let soldier = app.world_mut().spawn((PathAgent::default(), OnMap(map))).id();
    for _ in 0..3 {
        tick(&mut app);
    }
    assert_eq!(status(&app, soldier), PathStatus::Idle);
    assert_eq!(told(&mut app), []);
}

#[test]
fn goal_stays_on_its_map_when_the_agent_passes_a_door_and_moves_in_another_way() {
    let mut app = app();
    let near = open_map(&mut app, 40, 40);
    let rules = NavMap::default().with_movement("cart", Movement::new());
    app.world_mut().entity_mut(near).insert(rules.clone());
    let projection = NavProjection::square(Vec2::splat(CELL), Vec2::new(44.5 * CELL, CELL / 2.0));
    let grid = NavGrid::new(Grid::new(8, 1, 1).expect("the map is small"));
    let far = app.world_mut().spawn((rules, grid, projection)).id();
    let ends = [DoorEnd::cell(near, Cell::new(39, 0)), DoorEnd::cell(far, Cell::new(0, 0))];
    let [near_end, far_end] = ends;
    app.world_mut().spawn(Door::new(near_end, far_end));
    let walker = agent(&mut app, 38, 0, 64.0);
    app.world_mut().entity_mut(walker).insert((OnMap(near), PathRequest::to_cell((6, 0)).on_map(far)));
    while position(&app, walker).x < centre(39, 0).x {
        tick(&mut app);
    }
    // The next order waits for its answer, while the agent goes on by its old way.
    app.insert_resource(TilepathSettings { work_per_tick: 1 });
    let order = PathRequest::to_cell((0, 39)).with_algorithm(Algorithm::Dijkstra);
    app.world_mut().entity_mut(walker).insert(order);
    while position(&app, walker).x < centre(44, 0).x {
        tick(&mut app);
        assert_ne!(status(&app, walker), PathStatus::Following, "the order is answered too soon");
    }
    app.world_mut().entity_mut(walker).insert(AgentMovement::from("cart"));
    tick(&mut app);
    app.insert_resource(TilepathSettings::default());
    run_until_quiet(&mut app, 1200);
    assert_eq!((status(&app, walker), position(&app, walker)), (PathStatus::Arrived, centre(0, 39)));
}

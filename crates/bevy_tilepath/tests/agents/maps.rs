//! The map of an agent: none yet, one, or several.

use std::time::Duration;

use bevy::{prelude::*, time::TimeUpdateStrategy};
use bevy_tilepath::{
    AgentMovement, Algorithm, Cell, Movement, NavGrid, NavMap, NavProjection, OnMap, PathAgent, PathFailure,
    PathRequest, PathStatus, TilepathSettings,
    doors::{Door, DoorEnd},
    tilepath::Grid,
};

use crate::harness::*;

#[test]
fn request_waits_for_a_map() {
    let mut game = Game::new();
    let soldier = game.ordered_agent((0, 0), 1e6, (3, 0));
    for _ in 0..5 {
        game.tick();
        assert_eq!(game.status(soldier), PathStatus::WaitingForMap);
    }
    assert_eq!(game.told(), []);
    let map = game.open_map(4, 1);
    game.tick();
    assert_eq!(game.status(soldier), PathStatus::Arrived);
    assert_eq!(game.world().get::<OnMap>(soldier), Some(&OnMap(map)));
}

#[test]
fn waiting_is_warned_about_once_after_a_second() {
    let mut game = Game::new();
    game.insert_resource(TimeUpdateStrategy::ManualDuration(Duration::from_millis(125)));
    let agents: Vec<Entity> = (0..3).map(|x| game.agent(x, 0, 1e6)).collect();
    for &soldier in &agents {
        game.order_to(soldier, 3, 0);
    }
    let early = logs_of(|| {
        for _ in 0..7 {
            game.update();
        }
    });
    assert_eq!(early, [""; 0]);
    let late = logs_of(|| {
        for _ in 0..40 {
            game.update();
        }
    });
    let [warning] = &late[..] else { panic!("{late:?}") };
    assert!(warning.contains("3 path request(s)") && warning.contains("NavMap"), "{warning}");

    // If requests wait again later, the warning comes again.
    let map = game.open_map(4, 1);
    game.update();
    game.world_mut().despawn(map);
    game.order_to(agents[0], 2, 0);
    let again = logs_of(|| {
        for _ in 0..20 {
            game.update();
        }
    });
    assert_eq!(again.len(), 1, "{again:?}");
}

#[test]
fn request_waits_for_the_map_it_names_until_that_is_despawned() {
    let (mut game, _) = Game::open(4, 1);
    let not_yet = game.world_mut().spawn_empty().id();
    let (one, two) = (game.agent(0, 0, 1e6), game.agent(0, 0, 1e6));
    for soldier in [one, two] {
        game.world_mut().entity_mut(soldier).insert(OnMap(not_yet));
        game.order_to(soldier, 3, 0);
    }
    for _ in 0..3 {
        game.tick();
        assert_eq!(game.status(one), PathStatus::WaitingForMap);
    }
    // Without `OnMap`, the request uses the only map again.
    game.world_mut().entity_mut(one).remove::<OnMap>();
    game.tick();
    assert_eq!(game.status(one), PathStatus::Arrived);
    game.told();
    game.world_mut().despawn(not_yet);
    game.tick();
    assert_eq!(game.told(), [(two, Told::Failed(PathFailure::NoMap))]);
}

#[test]
fn several_maps_need_on_map() {
    let (mut game, here) = Game::open(4, 4);
    let there = game.map("....\n....\n.##.\n....");
    let soldier = game.ordered_agent((0, 0), 160.0, (3, 0));
    game.tick();
    assert_eq!(game.told_of(soldier), [Told::Failed(PathFailure::AmbiguousMap)]);

    let on_here = game.agent(0, 1, 160.0);
    let on_there = game.agent(0, 1, 160.0);
    game.world_mut().entity_mut(on_here).insert(OnMap(here));
    game.world_mut().entity_mut(on_there).insert(OnMap(there));
    for soldier in [on_here, on_there] {
        game.order_to(soldier, 3, 1);
    }
    game.tick();
    assert_eq!(game.path(on_here).map(), here);
    assert_eq!(game.cost(on_here).get(), 30);
    assert_eq!(game.path(on_there).map(), there);
    assert_eq!(game.cost(on_there).get(), 50);
}

#[test]
fn agent_on_its_way_is_not_disturbed_by_a_second_map() {
    let (mut game, _) = Game::open(8, 1);
    let soldier = game.ordered_agent((0, 0), 160.0, (7, 0));
    game.tick();
    game.open_map(8, 1);
    game.run_until_quiet(100);
    assert_eq!(game.status(soldier), PathStatus::Arrived);
    // The agent still has its map.
    game.order_to(soldier, 0, 0);
    game.run_until_quiet(100);
    assert_eq!(game.status(soldier), PathStatus::Arrived);
}

#[test]
fn journey_goes_on_on_the_map_it_is_given() {
    let (mut game, first) = Game::open(8, 8);
    let soldier = game.agent(0, 0, 160.0);
    game.world_mut().entity_mut(soldier).insert((OnMap(first), PathRequest::to_position(centre(7, 0))));
    game.ticks(5);
    let second = game.map("........\n........\n....#...");
    game.told();
    game.world_mut().entity_mut(soldier).insert(OnMap(second));
    game.tick();
    let told = game.told_of(soldier);
    assert!(matches!(told[..], [Told::Replanned { goal: Cell { x: 7, y: 0 }, .. }]), "{told:?}");
    assert_eq!(game.path(soldier).map(), second);
    // The first map is not needed any longer.
    game.world_mut().despawn(first);
    game.run_until_quiet(200);
    assert_eq!(game.status(soldier), PathStatus::Arrived);

    // `OnMap` names an entity that is not a map, so the path is lost.
    let nothing = game.world_mut().spawn_empty().id();
    game.order_to(soldier, 0, 0);
    game.tick();
    game.world_mut().entity_mut(soldier).insert(OnMap(nothing));
    game.tick();
    assert_eq!(game.status(soldier), PathStatus::Failed(PathFailure::NoMap));
}

#[test]
fn on_map_of_an_agent_without_orders_does_nothing() {
    let (mut game, map) = Game::open(8, 8);
    let soldier = game.world_mut().spawn((PathAgent::default(), OnMap(map))).id();
    game.ticks(3);
    assert_eq!(game.status(soldier), PathStatus::Idle);
    assert_eq!(game.told(), []);
}

#[test]
fn goal_stays_on_its_map_when_the_agent_passes_a_door_and_moves_in_another_way() {
    let (mut game, near) = Game::open(40, 40);
    let rules = NavMap::default().with_movement("cart", Movement::new());
    game.world_mut().entity_mut(near).insert(rules.clone());
    let projection = NavProjection::square(Vec2::splat(CELL), Vec2::new(44.5 * CELL, CELL / 2.0));
    let grid = NavGrid::new(Grid::new(8, 1, 1).expect("the map is small"));
    let far = game.world_mut().spawn((rules, grid, projection)).id();
    let ends = [DoorEnd::cell(near, Cell::new(39, 0)), DoorEnd::cell(far, Cell::new(0, 0))];
    let [near_end, far_end] = ends;
    game.world_mut().spawn(Door::new(near_end, far_end));
    let walker = game.agent(38, 0, 64.0);
    game.world_mut().entity_mut(walker).insert((OnMap(near), PathRequest::to_cell((6, 0)).on_map(far)));
    while game.position(walker).x < centre(39, 0).x {
        game.tick();
    }
    // The next order waits for its answer, and the agent follows its old path.
    game.insert_resource(TilepathSettings { work_per_tick: 1 });
    let order = PathRequest::to_cell((0, 39)).with_algorithm(Algorithm::Dijkstra);
    game.world_mut().entity_mut(walker).insert(order);
    while game.position(walker).x < centre(44, 0).x {
        game.tick();
        assert_ne!(game.status(walker), PathStatus::Following, "the order was answered too soon");
    }
    game.world_mut().entity_mut(walker).insert(AgentMovement::from("cart"));
    game.tick();
    game.insert_resource(TilepathSettings::default());
    game.run_until_quiet(1200);
    assert_eq!((game.status(walker), game.position(walker)), (PathStatus::Arrived, centre(0, 39)));
}

//! Orders along a path that a preview showed before.

use bevy::{ecs::system::RunSystemOnce, prelude::*};
use bevy_tilepath::{
    Cell, Diagonals, NavGrid, NavMap, NavQuery, OnMap, PathAgent, PathFailure, PathRequest, PathStatus,
    TilepathDiagnostics, TilepathSettings,
    graphs::WaypointGraph,
    tilepath::{Path, PathFault},
};

use crate::harness::*;

/// The cheapest path, as a preview shows it.
fn preview(game: &mut Game, from: (i32, i32), to: (i32, i32)) -> Path {
    let (from, to) = (Cell::from(from), Cell::from(to));
    let answer = game
        .world_mut()
        .run_system_once(move |nav: NavQuery| nav.only_map()?.find(from, to))
        .expect("it runs")
        .expect("a map");
    answer.outcome.path_or_closest().expect("there is a path").clone()
}

#[test]
fn path_of_a_preview_is_walked_as_it_is() {
    let (mut game, map) = Game::drawn_as(".....\n.###.\n.....");
    let soldier = game.agent(0, 0, 160.0);
    game.tick();
    // While (2, 0) costs 9, this path is the cheapest. Later it is one of two cheapest paths.
    game.set_terrain(map, 2, 0, 9);
    let above = preview(&mut game, (0, 0), (4, 0));
    assert!(above.cells().contains(&Cell::new(2, 2)));
    game.set_terrain(map, 2, 0, 1);
    game.order(soldier, PathRequest::along(above.clone()));
    game.tick();
    assert_eq!(game.cell_path(soldier), &above, "the path need not be the cheapest");
    let cost = above.cost().get();
    assert_eq!(game.told_of(soldier), [Told::Found { goal: Cell::new(4, 0), cost, partial: false }]);
    game.run_until_quiet(200);
    assert_eq!(game.told_of(soldier), [Told::Arrived(Cell::new(4, 0))]);
    assert_eq!(game.position(soldier), centre(4, 0));
}

#[test]
fn path_that_holds_no_longer_fails_by_its_first_fault() {
    let (mut game, map) = Game::open(5, 2);
    let soldier = game.agent(0, 0, 160.0);
    game.tick();
    let path = preview(&mut game, (0, 0), (4, 0));
    let (from, to) = (Cell::new(2, 0), Cell::new(3, 0));
    for (class, fault) in [
        (0, PathFault::StepNotAllowed { step: 2, from, to }),
        (3, PathFault::WrongCost { stated: path.cost(), actual: bevy_tilepath::Cost::new(60) }),
    ] {
        game.set_terrain(map, 3, 0, class);
        game.order(soldier, PathRequest::along(path.clone()));
        game.tick();
        assert_eq!(game.told_of(soldier), [Told::Failed(PathFailure::PathOutdated(fault))]);
        assert_eq!(game.status(soldier), PathStatus::Failed(PathFailure::PathOutdated(fault)));
        assert!(!game.is_ordered(soldier));
        assert_eq!(game.position(soldier), centre(0, 0));
    }
    // Another rule forbids it in the same way.
    game.set_terrain(map, 3, 0, 1);
    let diagonal = preview(&mut game, (0, 0), (1, 1));
    game.world_mut().get_mut::<NavMap>(map).unwrap().diagonals = Diagonals::Never;
    game.order(soldier, PathRequest::along(diagonal));
    game.tick();
    let told = game.told_of(soldier);
    let is_fault =
        |reason| matches!(reason, PathFailure::PathOutdated(PathFault::StepNotAllowed { step: 0, .. }));
    assert!(matches!(told[..], [Told::Failed(reason)] if is_fault(reason)), "{told:?}");
}

#[test]
fn path_that_begins_elsewhere_is_refused() {
    let (mut game, here) = Game::open(5, 1);
    let soldier = game.agent(1, 0, 160.0);
    game.tick();
    let path = preview(&mut game, (0, 0), (4, 0));
    let elsewhere = PathFailure::PathBeginsElsewhere { start: Cell::new(0, 0), standing: Cell::new(1, 0) };
    game.order(soldier, PathRequest::along(path.clone()));
    game.tick();
    assert_eq!(game.told_of(soldier), [Told::Failed(elsewhere)]);

    // The agent stands on the right cell, but the order names another map.
    let there = game.open_map(9, 1);
    game.world_mut().entity_mut(there).insert(Transform::from_xyz(0.0, 500.0, 0.0));
    game.world_mut()
        .entity_mut(soldier)
        .insert((OnMap(here), Transform::from_translation(centre(0, 0).extend(0.0))));
    game.order(soldier, PathRequest::along(path.clone()).on_map(there));
    game.tick();
    let elsewhere = PathFailure::PathBeginsElsewhere { start: Cell::new(0, 0), standing: Cell::new(0, 0) };
    assert_eq!(game.told_of(soldier), [Told::Failed(elsewhere)]);
    game.order(soldier, PathRequest::along(path.clone()).on_map(here));
    game.tick();
    assert_eq!(game.status(soldier), PathStatus::Following);

    // Beyond the map, and on a graph.
    let mut lane = WaypointGraph::new();
    lane.add("well", (0.0, 0.0)).unwrap();
    let lane = game.world_mut().spawn(bevy_tilepath::NavGraph::new(lane)).id();
    game.told();
    game.world_mut().entity_mut(soldier).insert(OnMap(lane));
    game.tick();
    game.told();
    game.order(soldier, PathRequest::along(path).on_map(here));
    game.tick();
    assert_eq!(game.told_of(soldier), [Told::Failed(PathFailure::WrongKindOfMap)]);
}

#[test]
fn journey_along_a_path_is_replanned_to_its_end_when_it_is_blocked() {
    let (mut game, map) = Game::drawn_as(".......\n.......");
    let soldier = game.agent(0, 0, 160.0);
    game.tick();
    let path = preview(&mut game, (0, 0), (6, 0));
    game.order(soldier, PathRequest::along(path));
    game.tick();
    game.set_terrain(map, 4, 0, 0);
    game.run_until_quiet(200);
    let told = game.told_of(soldier);
    assert!(
        matches!(told[..], [Told::Found { .. }, Told::Blocked(_), Told::Replanned { .. }, Told::Arrived(_)]),
        "{told:?}"
    );
    assert_eq!(game.position(soldier), centre(6, 0));

    // No path exists: first without, then with `or_closest`.
    for (closest, arrives) in [(false, false), (true, true)] {
        game.world_mut().entity_mut(soldier).insert(Transform::from_translation(centre(0, 0).extend(0.0)));
        for y in 0..2 {
            game.set_terrain(map, 4, y, 1);
        }
        game.tick();
        let request = PathRequest::along(preview(&mut game, (0, 0), (6, 0)));
        game.order(soldier, if closest { request.or_closest() } else { request });
        game.tick();
        for y in 0..2 {
            game.set_terrain(map, 4, y, 0);
        }
        game.run_until_quiet(200);
        let last = game.told_of(soldier).pop();
        let expected =
            if arrives { Told::Arrived(Cell::new(3, 0)) } else { Told::Lost(PathFailure::Unreachable) };
        assert_eq!(last, Some(expected));
    }
}

#[test]
fn path_of_one_cell_arrives_and_a_partial_one_ends_where_it_ends() {
    let (mut game, _) = Game::drawn_as("..#.");
    let soldier = game.agent(0, 0, 160.0);
    game.tick();
    let path = preview(&mut game, (0, 0), (0, 0));
    game.order(soldier, PathRequest::along(path));
    game.run_until_quiet(9);
    assert_eq!(game.told_of(soldier).pop(), Some(Told::Arrived(Cell::new(0, 0))));
    let answer = game
        .world_mut()
        .run_system_once(|nav: NavQuery| {
            nav.only_map().unwrap().find_closest(Cell::new(0, 0), Cell::new(3, 0)).unwrap()
        })
        .unwrap();
    let closest = answer.outcome.path_or_closest().unwrap().clone();
    game.order(soldier, PathRequest::along(closest));
    game.run_until_quiet(99);
    assert_eq!(game.told_of(soldier).pop(), Some(Told::Arrived(Cell::new(1, 0))));
}

#[test]
fn to_check_paths_is_paid_from_the_budget() {
    let (mut game, _) = Game::open(30, 1);
    let soldiers: Vec<Entity> = (0..8).map(|_| game.agent(0, 0, 0.0)).collect();
    game.tick();
    let request = PathRequest::along(preview(&mut game, (0, 0), (29, 0)));
    game.insert_resource(TilepathSettings { work_per_tick: 60 });
    for &soldier in &soldiers {
        game.order(soldier, request.clone());
    }
    let following = |game: &Game| {
        soldiers.iter().filter(|&&soldier| game.status(soldier) == PathStatus::Following).count()
    };
    let mut spent = 0;
    for tick_number in 1..=12 {
        game.tick();
        let work = game.world().resource::<TilepathDiagnostics>().work;
        assert!(work <= 60 + 30, "more than the budget and one path: {work}");
        spent += work;
        assert!(following(&game) <= 2 * tick_number, "{tick_number}: {}", following(&game));
    }
    assert_eq!(following(&game), 8);
    assert!(spent >= 8 * 30, "{spent}");
}

#[test]
fn map_edited_between_acceptance_and_answer_is_the_one_that_counts() {
    let (mut game, map) = Game::open(5, 1);
    let soldier = game.agent(0, 0, 160.0);
    game.tick();
    let path = preview(&mut game, (0, 0), (4, 0));
    game.order(soldier, PathRequest::along(path));
    // Edits the map in the frame of the order, after the preview.
    game.set_terrain(map, 2, 0, 0);
    game.tick();
    let told = game.told_of(soldier);
    assert!(matches!(told[..], [Told::Failed(PathFailure::PathOutdated(_))]), "{told:?}");
    assert!(game.world().get::<NavGrid>(map).is_some());
    // Without `PathAgent`, the order is answered and nothing moves.
    game.set_terrain(map, 2, 0, 1);
    game.tick();
    let path = preview(&mut game, (0, 0), (4, 0));
    game.world_mut().entity_mut(soldier).remove::<PathAgent>();
    game.order(soldier, PathRequest::along(path));
    game.tick();
    assert!(matches!(game.told_of(soldier)[..], [Told::Found { .. }]));
    assert_eq!(game.position(soldier), centre(0, 0));
}

#[test]
fn agent_of_speed_zero_is_moved_one_cell_a_turn() {
    let (mut game, map) = Game::drawn_as("....\n.##.\n....");
    let soldier = game.ordered_agent((0, 1), 0.0, (3, 1));
    game.tick();
    let planned = game.cell_path(soldier).cells().to_vec();
    let mut turns = 0;
    while game.is_ordered(soldier) {
        assert!(turns < planned.len(), "the journey does not end");
        let remaining = game.path(soldier).remaining_cells();
        let next =
            remaining.iter().copied().find(|&cell| cell != planned[turns]).expect("there are cells ahead");
        let centre = game
            .world_mut()
            .run_system_once(move |nav: NavQuery| nav.map(map).unwrap().world_of(next).unwrap())
            .unwrap();
        game.world_mut().get_mut::<Transform>(soldier).unwrap().translation = centre.extend(0.0);
        turns += 1;
        assert_eq!(next, planned[turns]);
        game.ticks(3);
    }
    assert_eq!(turns, planned.len() - 1);
    let told = game.told_of(soldier);
    assert!(matches!(told[..], [Told::Found { .. }, Told::Arrived(_)]), "{told:?}");
}

#[test]
fn paths_of_other_maps_and_observers_that_despawn_do_no_harm() {
    let (mut game, large) = Game::open(30, 30);
    game.tick();
    let path = preview(&mut game, (0, 0), (29, 29));
    game.world_mut().despawn(large);
    game.open_map(4, 4);
    let soldier = game.agent(0, 0, 160.0);
    game.order(soldier, PathRequest::along(path.clone()));
    game.tick();
    let (from, to) = (Cell::new(3, 3), Cell::new(4, 4));
    let fault = PathFault::StepNotAllowed { step: 3, from, to };
    assert_eq!(game.told_of(soldier), [Told::Failed(PathFailure::PathOutdated(fault))]);

    // Gives the order again inside each answer, until the entity is gone.
    game.world_mut().entity_mut(soldier).observe(
        move |failed: On<bevy_tilepath::events::PathFailed>,
              mut tries: Local<u32>,
              mut commands: Commands| {
            *tries += 1;
            if *tries == 3 {
                commands.entity(failed.entity).despawn();
            } else {
                commands.entity(failed.entity).insert(PathRequest::along(path.clone()));
            }
        },
    );
    game.order_to(soldier, 9, 9);
    game.ticks(5);
    assert!(game.world().get_entity(soldier).is_err());
    assert_eq!(game.told_of(soldier).len(), 3);
}

#[test]
fn equal_path_given_again_is_the_same_order() {
    let (mut game, _) = Game::open(9, 1);
    let soldier = game.agent(0, 0, 160.0);
    game.tick();
    let path = preview(&mut game, (0, 0), (8, 0));
    for _ in 0..20 {
        game.order(soldier, PathRequest::along(path.clone()));
        game.tick();
    }
    let told = game.told_of(soldier);
    assert!(matches!(told[..], [Told::Found { .. }]), "{told:?}");
    assert!(
        game.position(soldier).x > centre(2, 0).x,
        "it walks on, although the path begins at an earlier cell"
    );
}

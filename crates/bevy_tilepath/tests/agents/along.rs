//! Orders along a path that was shown before.

use bevy::{ecs::system::RunSystemOnce, prelude::*};
use bevy_tilepath::{
    Cell, Diagonals, NavGrid, NavMap, NavQuery, OnMap, PathAgent, PathFailure, PathRequest, PathStatus,
    TilepathDiagnostics, TilepathSettings,
    graphs::WaypointGraph,
    tilepath::{Path, PathFault},
};

use super::fixtures::*;
use crate::harness::tick;

/// The cheapest path, as a preview shows it.
fn preview(app: &mut App, from: (i32, i32), to: (i32, i32)) -> Path {
    let (from, to) = (Cell::from(from), Cell::from(to));
    let answer = app
        .world_mut()
        .run_system_once(move |nav: NavQuery| nav.only_map().unwrap().find(from, to))
        .expect("it runs")
        .expect("a map");
    answer.outcome.path_or_closest().expect("there is a way").clone()
}

fn give(app: &mut App, entity: Entity, request: PathRequest) {
    app.world_mut().entity_mut(entity).insert(request);
}

#[test]
fn path_of_a_preview_is_walked_as_it_is() {
    let mut app = app();
    let map = map(&mut app, ".....\n.###.\n.....");
    let soldier = agent(&mut app, 0, 0, 160.0);
    tick(&mut app);
    // By a rule under which it is cheapest; later it is one of two.
    set_terrain(&mut app, map, 2, 0, 9);
    let above = preview(&mut app, (0, 0), (4, 0));
    assert!(above.cells().contains(&Cell::new(2, 2)));
    set_terrain(&mut app, map, 2, 0, 1);
    give(&mut app, soldier, PathRequest::along(above.clone()));
    tick(&mut app);
    assert_eq!(cell_path(&app, soldier), &above, "it need not be the cheapest");
    let cost = above.cost().get();
    assert_eq!(told_of(&mut app, soldier), [Told::Found { goal: Cell::new(4, 0), cost, partial: false }]);
    run_until_quiet(&mut app, 200);
    assert_eq!(told_of(&mut app, soldier), [Told::Arrived(Cell::new(4, 0))]);
    assert_eq!(position(&app, soldier), centre(4, 0));
}

#[test]
fn path_that_holds_no_longer_fails_by_its_first_fault() {
    let mut app = app();
    let map = open_map(&mut app, 5, 2);
    let soldier = agent(&mut app, 0, 0, 160.0);
    tick(&mut app);
    let path = preview(&mut app, (0, 0), (4, 0));
    let (from, to) = (Cell::new(2, 0), Cell::new(3, 0));
    for (class, fault) in [
        (0, PathFault::StepNotAllowed { step: 2, from, to }),
        (3, PathFault::WrongCost { stated: path.cost(), actual: bevy_tilepath::Cost::new(60) }),
    ] {
        set_terrain(&mut app, map, 3, 0, class);
        give(&mut app, soldier, PathRequest::along(path.clone()));
        tick(&mut app);
        assert_eq!(told_of(&mut app, soldier), [Told::Failed(PathFailure::PathOutdated(fault))]);
        assert_eq!(status(&app, soldier), PathStatus::Failed(PathFailure::PathOutdated(fault)));
        assert!(!is_ordered(&app, soldier));
        assert_eq!(position(&app, soldier), centre(0, 0));
    }
    // Another rule forbids it in the same way.
    set_terrain(&mut app, map, 3, 0, 1);
    let diagonal = preview(&mut app, (0, 0), (1, 1));
    app.world_mut().get_mut::<NavMap>(map).unwrap().diagonals = Diagonals::Never;
    give(&mut app, soldier, PathRequest::along(diagonal));
    tick(&mut app);
    let told = told_of(&mut app, soldier);
    let is_fault =
        |reason| matches!(reason, PathFailure::PathOutdated(PathFault::StepNotAllowed { step: 0, .. }));
    assert!(matches!(told[..], [Told::Failed(reason)] if is_fault(reason)), "{told:?}");
}

#[test]
fn path_that_begins_elsewhere_is_refused() {
    let mut app = app();
    let here = open_map(&mut app, 5, 1);
    let soldier = agent(&mut app, 1, 0, 160.0);
    tick(&mut app);
    let path = preview(&mut app, (0, 0), (4, 0));
    let elsewhere = PathFailure::PathBeginsElsewhere { start: Cell::new(0, 0), standing: Cell::new(1, 0) };
    give(&mut app, soldier, PathRequest::along(path.clone()));
    tick(&mut app);
    assert_eq!(told_of(&mut app, soldier), [Told::Failed(elsewhere)]);

    // The right cell of another map than the one it is said to be on.
    let there = open_map(&mut app, 9, 1);
    app.world_mut().entity_mut(there).insert(Transform::from_xyz(0.0, 500.0, 0.0));
    app.world_mut()
        .entity_mut(soldier)
        .insert((OnMap(here), Transform::from_translation(centre(0, 0).extend(0.0))));
    give(&mut app, soldier, PathRequest::along(path.clone()).on_map(there));
    tick(&mut app);
    let elsewhere = PathFailure::PathBeginsElsewhere { start: Cell::new(0, 0), standing: Cell::new(0, 0) };
    assert_eq!(told_of(&mut app, soldier), [Told::Failed(elsewhere)]);
    give(&mut app, soldier, PathRequest::along(path.clone()).on_map(here));
    tick(&mut app);
    assert_eq!(status(&app, soldier), PathStatus::Following);

    // Beyond the map, and on a graph.
    let mut lane = WaypointGraph::new();
    lane.add("well", (0.0, 0.0)).unwrap();
    let lane = app.world_mut().spawn(bevy_tilepath::NavGraph::new(lane)).id();
    told(&mut app);
    app.world_mut().entity_mut(soldier).insert(OnMap(lane));
    tick(&mut app);
    told(&mut app);
    give(&mut app, soldier, PathRequest::along(path).on_map(here));
    tick(&mut app);
    assert_eq!(told_of(&mut app, soldier), [Told::Failed(PathFailure::WrongKindOfMap)]);
}

#[test]
fn journey_along_a_path_is_replanned_to_its_end_when_it_is_blocked() {
    let mut app = app();
    let map = map(&mut app, ".......\n.......");
    let soldier = agent(&mut app, 0, 0, 160.0);
    tick(&mut app);
    let path = preview(&mut app, (0, 0), (6, 0));
    give(&mut app, soldier, PathRequest::along(path));
    tick(&mut app);
    set_terrain(&mut app, map, 4, 0, 0);
    run_until_quiet(&mut app, 200);
    let told = told_of(&mut app, soldier);
    assert!(
        matches!(told[..], [Told::Found { .. }, Told::Blocked(_), Told::Replanned { .. }, Told::Arrived(_)]),
        "{told:?}"
    );
    assert_eq!(position(&app, soldier), centre(6, 0));

    // No way at all any more, and with or_closest.
    for (closest, arrives) in [(false, false), (true, true)] {
        app.world_mut().entity_mut(soldier).insert(Transform::from_translation(centre(0, 0).extend(0.0)));
        for y in 0..2 {
            set_terrain(&mut app, map, 4, y, 1);
        }
        tick(&mut app);
        let request = PathRequest::along(preview(&mut app, (0, 0), (6, 0)));
        give(&mut app, soldier, if closest { request.or_closest() } else { request });
        tick(&mut app);
        for y in 0..2 {
            set_terrain(&mut app, map, 4, y, 0);
        }
        run_until_quiet(&mut app, 200);
        let last = told_of(&mut app, soldier).pop();
        let expected =
            if arrives { Told::Arrived(Cell::new(3, 0)) } else { Told::Lost(PathFailure::Unreachable) };
        assert_eq!(last, Some(expected));
    }
}

#[test]
fn path_of_one_cell_arrives_and_a_partial_one_ends_where_it_ends() {
    let mut app = app();
    map(&mut app, "..#.");
    let soldier = agent(&mut app, 0, 0, 160.0);
    tick(&mut app);
    let path = preview(&mut app, (0, 0), (0, 0));
    give(&mut app, soldier, PathRequest::along(path));
    run_until_quiet(&mut app, 9);
    assert_eq!(told_of(&mut app, soldier).pop(), Some(Told::Arrived(Cell::new(0, 0))));
    let answer = app
        .world_mut()
        .run_system_once(|nav: NavQuery| {
            nav.only_map().unwrap().find_closest(Cell::new(0, 0), Cell::new(3, 0)).unwrap()
        })
        .unwrap();
    let closest = answer.outcome.path_or_closest().unwrap().clone();
    give(&mut app, soldier, PathRequest::along(closest));
    run_until_quiet(&mut app, 99);
    assert_eq!(told_of(&mut app, soldier).pop(), Some(Told::Arrived(Cell::new(1, 0))));
}

#[test]
fn to_check_paths_is_paid_from_the_budget() {
    let mut app = app();
    open_map(&mut app, 30, 1);
    let soldiers: Vec<Entity> = (0..8).map(|_| agent(&mut app, 0, 0, 0.0)).collect();
    tick(&mut app);
    let request = PathRequest::along(preview(&mut app, (0, 0), (29, 0)));
    app.insert_resource(TilepathSettings { work_per_tick: 60 });
    for &soldier in &soldiers {
        give(&mut app, soldier, request.clone());
    }
    let following =
        |app: &App| soldiers.iter().filter(|&&soldier| status(app, soldier) == PathStatus::Following).count();
    let mut spent = 0;
    for tick_number in 1..=12 {
        tick(&mut app);
        let work = app.world().resource::<TilepathDiagnostics>().work;
        assert!(work <= 60 + 30, "one path more than the budget at most: {work}");
        spent += work;
        assert!(following(&app) <= 2 * tick_number, "{tick_number}: {}", following(&app));
    }
    assert_eq!(following(&app), 8);
    assert!(spent >= 8 * 30, "{spent}");
}

#[test]
fn map_edited_between_acceptance_and_answer_is_the_one_that_counts() {
    let mut app = app();
    let map = open_map(&mut app, 5, 1);
    let soldier = agent(&mut app, 0, 0, 160.0);
    tick(&mut app);
    let path = preview(&mut app, (0, 0), (4, 0));
    give(&mut app, soldier, PathRequest::along(path));
    // In the same frame as the order, after the preview.
    set_terrain(&mut app, map, 2, 0, 0);
    tick(&mut app);
    let told = told_of(&mut app, soldier);
    assert!(matches!(told[..], [Told::Failed(PathFailure::PathOutdated(_))]), "{told:?}");
    assert!(app.world().get::<NavGrid>(map).is_some());
    // Without PathAgent it is answered, and moves nothing.
    set_terrain(&mut app, map, 2, 0, 1);
    tick(&mut app);
    let path = preview(&mut app, (0, 0), (4, 0));
    app.world_mut().entity_mut(soldier).remove::<PathAgent>();
    give(&mut app, soldier, PathRequest::along(path));
    tick(&mut app);
    assert!(matches!(told_of(&mut app, soldier)[..], [Told::Found { .. }]));
    assert_eq!(position(&app, soldier), centre(0, 0));
}

#[test]
fn agent_of_speed_zero_is_moved_one_cell_a_turn() {
    let mut app = app();
    let map = map(&mut app, "....\n.##.\n....");
    let soldier = agent(&mut app, 0, 1, 0.0);
    order(&mut app, soldier, 3, 1);
    tick(&mut app);
    let planned = cell_path(&app, soldier).cells().to_vec();
    let mut turns = 0;
    while is_ordered(&app, soldier) {
        assert!(turns < planned.len(), "the journey does not end");
        let remaining = path(&app, soldier).remaining_cells();
        let next =
            remaining.iter().copied().find(|&cell| cell != planned[turns]).expect("there are cells ahead");
        let centre = app
            .world_mut()
            .run_system_once(move |nav: NavQuery| nav.map(map).unwrap().world_of(next).unwrap())
            .unwrap();
        app.world_mut().get_mut::<Transform>(soldier).unwrap().translation = centre.extend(0.0);
        turns += 1;
        assert_eq!(next, planned[turns]);
        for _ in 0..3 {
            tick(&mut app);
        }
    }
    assert_eq!(turns, planned.len() - 1);
    let told = told_of(&mut app, soldier);
    assert!(matches!(told[..], [Told::Found { .. }, Told::Arrived(_)]), "{told:?}");
}

#[test]
fn paths_of_other_maps_and_observers_that_despawn_do_no_harm() {
    let mut app = app();
    let large = open_map(&mut app, 30, 30);
    tick(&mut app);
    let path = preview(&mut app, (0, 0), (29, 29));
    app.world_mut().despawn(large);
    open_map(&mut app, 4, 4);
    let soldier = agent(&mut app, 0, 0, 160.0);
    give(&mut app, soldier, PathRequest::along(path.clone()));
    tick(&mut app);
    let (from, to) = (Cell::new(3, 3), Cell::new(4, 4));
    let fault = PathFault::StepNotAllowed { step: 3, from, to };
    assert_eq!(told_of(&mut app, soldier), [Told::Failed(PathFailure::PathOutdated(fault))]);

    // Again and again from within the answer, until the entity is gone.
    app.world_mut().entity_mut(soldier).observe(
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
    order(&mut app, soldier, 9, 9);
    for _ in 0..5 {
        tick(&mut app);
    }
    assert!(app.world().get_entity(soldier).is_err());
    assert_eq!(told_of(&mut app, soldier).len(), 3);
}

#[test]
fn equal_path_given_again_is_the_same_order() {
    let mut app = app();
    open_map(&mut app, 9, 1);
    let soldier = agent(&mut app, 0, 0, 160.0);
    tick(&mut app);
    let path = preview(&mut app, (0, 0), (8, 0));
    for _ in 0..20 {
        give(&mut app, soldier, PathRequest::along(path.clone()));
        tick(&mut app);
    }
    let told = told_of(&mut app, soldier);
    assert!(matches!(told[..], [Told::Found { .. }]), "{told:?}");
    assert!(
        position(&app, soldier).x > centre(2, 0).x,
        "it is on its way, although the path begins where it was"
    );
}

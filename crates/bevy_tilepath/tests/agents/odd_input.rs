//! Odd positions, goals, limits and maps: each has its typed answer.

use bevy::{
    app::{RunFixedMainLoop, TaskPoolPlugin},
    ecs::schedule::{ScheduleLabel, SingleThreadedExecutor},
    prelude::*,
};
use bevy_tilepath::{Algorithm, Cell, PathFailure, PathRequest, PathStatus, TilepathPlugin};

use super::fixtures::*;
use crate::harness::{goal_off, logs_of, start_off, tick};

#[test]
fn start_is_the_goal() {
    let mut app = app();
    map(&mut app, ".#");
    let soldier = agent_at(&mut app, centre(0, 0) + Vec2::new(3.0, -4.0), 160.0);
    order(&mut app, soldier, 0, 0);
    run_until_quiet(&mut app, 10);
    assert_eq!(
        told_of(&mut app, soldier),
        [Told::Found { goal: Cell::new(0, 0), cost: 0, partial: false }, Told::Arrived(Cell::new(0, 0))]
    );
    assert_eq!(position(&app, soldier), centre(0, 0));

    // Inside a wall, too.
    let stuck = agent(&mut app, 1, 0, 160.0);
    order(&mut app, stuck, 1, 0);
    tick(&mut app);
    assert_eq!(told_of(&mut app, stuck).len(), 2);
}

#[test]
fn blocked_start_may_be_left_and_blocked_goal_not_entered() {
    let mut app = app();
    map(&mut app, "#..#");
    let soldier = agent(&mut app, 0, 0, 1e6);
    order(&mut app, soldier, 2, 0);
    tick(&mut app);
    assert_eq!(status(&app, soldier), PathStatus::Arrived);
    order(&mut app, soldier, 0, 0);
    tick(&mut app);
    let blocked = PathFailure::GoalBlocked { cell: Cell::new(0, 0) };
    assert_eq!(status(&app, soldier), PathStatus::Failed(blocked));
}

#[test]
fn limit_ends_a_search() {
    let mut app = app();
    open_map(&mut app, 30, 30);
    let soldier = agent(&mut app, 0, 0, 160.0);
    let far = PathRequest::to_cell(Cell::new(29, 29)).with_algorithm(Algorithm::AStar).with_limit(3);
    app.world_mut().entity_mut(soldier).insert(far.clone());
    tick(&mut app);
    assert_eq!(status(&app, soldier), PathStatus::Failed(PathFailure::LimitReached));
    app.world_mut().entity_mut(soldier).insert(far.or_closest());
    tick(&mut app);
    assert!(path(&app, soldier).is_partial());
}

#[test]
fn bad_positions_have_typed_answers() {
    let mut app = app();
    let map = open_map(&mut app, 4, 4);
    let soldier = agent(&mut app, 0, 0, 160.0);
    for (goal, reason) in [
        (Vec2::new(f32::NAN, 8.0), PathFailure::PositionNotFinite),
        (Vec2::splat(f32::INFINITY), PathFailure::PositionNotFinite),
        (Vec2::splat(-1.0), goal_off((-1, -1), 4, 4)),
        (Vec2::splat(f32::MAX), goal_off((i32::MAX, i32::MAX), 4, 4)),
        (Vec2::new(-1e30, 8.0), goal_off((i32::MIN, 0), 4, 4)),
        (Vec2::splat(1.6e9), goal_off((100_000_000, 100_000_000), 4, 4)),
    ] {
        app.world_mut().entity_mut(soldier).insert(PathRequest::to_position(goal));
        tick(&mut app);
        assert_eq!(told_of(&mut app, soldier), [Told::Failed(reason)], "{goal}");
    }
    for (cell, reason) in [
        (Cell::new(i32::MAX, i32::MIN), goal_off((i32::MAX, i32::MIN), 4, 4)),
        (Cell::new(0, 4), goal_off((0, 4), 4, 4)),
    ] {
        app.world_mut().entity_mut(soldier).insert(PathRequest::to_cell(cell).or_closest());
        tick(&mut app);
        assert_eq!(told_of(&mut app, soldier), [Told::Failed(reason)], "{cell}");
    }
    for (at, reason) in [
        (Vec2::new(0.0, f32::NAN), PathFailure::PositionNotFinite),
        (Vec2::new(f32::NEG_INFINITY, 0.0), PathFailure::PositionNotFinite),
        (Vec2::splat(-1.0), start_off((-1, -1), 4, 4)),
        (Vec2::splat(f32::MAX), start_off((i32::MAX, i32::MAX), 4, 4)),
    ] {
        let lost = agent_at(&mut app, at, 160.0);
        order(&mut app, lost, 1, 1);
        tick(&mut app);
        assert_eq!(told_of(&mut app, lost), [Told::Failed(reason)], "{at}");
    }
    app.world_mut().entity_mut(map).insert(Transform::from_scale(Vec3::ZERO));
    app.world_mut().entity_mut(soldier).insert(PathRequest::to_position(centre(1, 1)));
    tick(&mut app);
    assert_eq!(told_of(&mut app, soldier), [Told::Failed(PathFailure::MapWithoutArea)]);
}

#[test]
fn map_without_cells_is_named_as_such() {
    for (width, height) in [(0, 0), (7, 0), (0, 7)] {
        let mut app = app();
        open_map(&mut app, width, height);
        let soldier = agent(&mut app, 0, 0, 160.0);
        order(&mut app, soldier, 0, 0);
        tick(&mut app);
        assert_eq!(told_of(&mut app, soldier), [Told::Failed(PathFailure::MapWithoutCells)]);
        app.world_mut().entity_mut(soldier).insert(PathRequest::to_nearest([Vec2::ZERO, Vec2::splat(1e30)]));
        tick(&mut app);
        assert_eq!(told_of(&mut app, soldier), [Told::Failed(PathFailure::MapWithoutCells)]);
    }
    assert!(PathFailure::MapWithoutCells.to_string().contains("TilemapSize"));
}

#[test]
fn goal_that_is_a_wall_is_told_apart_from_one_that_is_cut_off() {
    let mut app = app();
    let map = map(&mut app, ".#.#");
    let soldier = agent(&mut app, 0, 0, 160.0);
    let reason_for = |app: &mut App, request: PathRequest| {
        app.world_mut().entity_mut(soldier).insert(request);
        tick(app);
        let told = told_of(app, soldier);
        let [Told::Failed(reason)] = told[..] else { panic!("{told:?}") };
        reason
    };
    let blocked = PathFailure::GoalBlocked { cell: Cell::new(3, 0) };
    assert_eq!(reason_for(&mut app, PathRequest::to_cell(Cell::new(3, 0))), blocked);
    assert_eq!(reason_for(&mut app, PathRequest::to_position(centre(3, 0))), blocked);
    assert_eq!(reason_for(&mut app, PathRequest::to_nearest([Cell::new(3, 0)])), blocked);
    assert_eq!(reason_for(&mut app, PathRequest::to_cell(Cell::new(2, 0))), PathFailure::Unreachable);
    let walls = [Cell::new(1, 0), Cell::new(3, 0)];
    assert_eq!(reason_for(&mut app, PathRequest::to_nearest(walls)), PathFailure::Unreachable);
    // By the rules of the map, not by its class.
    let costs = bevy_tilepath::CostTable::identity().with(1, 0).with(0, 1);
    app.world_mut().get_mut::<bevy_tilepath::NavMap>(map).unwrap().costs = costs;
    let blocked = PathFailure::GoalBlocked { cell: Cell::new(2, 0) };
    assert_eq!(reason_for(&mut app, PathRequest::to_cell(Cell::new(2, 0))), blocked);
    assert_eq!(blocked.to_string().split(':').next(), Some("the goal (2, 0) is itself a wall"));
}

#[test]
fn agent_without_transform_has_no_position() {
    let mut app = app();
    open_map(&mut app, 8, 8);
    let soldier = agent(&mut app, 0, 0, 160.0);
    order(&mut app, soldier, 7, 0);
    tick(&mut app);
    app.world_mut().entity_mut(soldier).remove::<Transform>();
    tick(&mut app);
    assert_eq!(told_of(&mut app, soldier)[1..], [Told::Lost(PathFailure::PositionNotFinite)]);
    order(&mut app, soldier, 6, 0);
    app.world_mut().entity_mut(soldier).remove::<Transform>();
    tick(&mut app);
    assert_eq!(told_of(&mut app, soldier), [Told::Failed(PathFailure::PositionNotFinite)]);
}

#[test]
fn app_without_a_clock_says_which_plugin_is_missing_and_does_not_panic() {
    for schedule in [FixedUpdate.intern(), Update.intern()] {
        let mut app = App::new();
        app.add_plugins((TaskPoolPlugin::default(), TilepathPlugin::in_schedule(schedule)));
        app.edit_schedule(schedule, |schedule| {
            schedule.set_executor(SingleThreadedExecutor::new());
        });
        app.edit_schedule(RunFixedMainLoop, |schedule| {
            schedule.set_executor(SingleThreadedExecutor::new());
        });
        open_map(&mut app, 8, 8);
        let soldier = agent(&mut app, 0, 0, 160.0);
        order(&mut app, soldier, 7, 0);
        let logs = logs_of(|| {
            for _ in 0..200 {
                app.update();
            }
        });
        assert_eq!(logs.len(), 1, "{schedule:?}: {logs:?}");
        assert!(logs[0].contains("TimePlugin"), "{}", logs[0]);
        assert_eq!(position(&app, soldier), centre(0, 0));
    }
}

#[test]
fn app_whose_clock_is_wound_by_hand_hears_nothing() {
    let mut app = long_step_app();
    open_map(&mut app, 8, 8);
    let soldier = agent(&mut app, 0, 0, 1.0);
    order(&mut app, soldier, 7, 0);
    let logs = logs_of(|| {
        for _ in 0..100 {
            step(&mut app, 0.01);
        }
    });
    assert_eq!(logs, Vec::<String>::new());
}

#[test]
fn every_failure_says_what_to_do() {
    let cell = Cell::new(3, 4);
    let outdated = bevy_tilepath::tilepath::PathFault::OutOfBounds { cell };
    for reason in [
        PathFailure::NoMap,
        PathFailure::AmbiguousMap,
        PathFailure::MapWithoutArea,
        PathFailure::MapWithoutCells,
        PathFailure::MapWithoutTiles { cells: 400 },
        PathFailure::PositionNotFinite,
        PathFailure::PositionTooFar,
        start_off((3, 4), 2, 2),
        goal_off((3, 4), 2, 2),
        PathFailure::WrongKindOfMap,
        PathFailure::UnknownWaypoint,
        PathFailure::NoGoals,
        PathFailure::GoalBlocked { cell },
        PathFailure::Unreachable,
        PathFailure::PathBeginsElsewhere { start: cell, standing: cell },
        PathFailure::PathOutdated(outdated),
        PathFailure::LimitReached,
        PathFailure::CostOverflow,
        PathFailure::InvalidWeight,
        PathFailure::AlgorithmNotApplicable,
        PathFailure::QueryRefused,
        PathFailure::AgentRemoved,
    ] {
        assert!(reason.to_string().contains(": "), "{reason}");
    }
    for reason in [start_off((3, 4), 2, 9), goal_off((3, 4), 2, 9)] {
        let text = reason.to_string();
        assert!(text.contains("(3, 4)") && text.contains("2 × 9 cells from (0, 0)"), "{text}");
    }
}

#[test]
fn algorithm_of_the_request_is_used() {
    let mut app = app();
    open_map(&mut app, 8, 8);
    let soldier = agent(&mut app, 0, 0, 0.0);
    let request = PathRequest::to_cell(Cell::new(7, 7));
    app.world_mut().entity_mut(soldier).insert(request.clone().with_algorithm(Algorithm::Dijkstra));
    tick(&mut app);
    assert_eq!(path(&app, soldier).statistics().algorithm, Algorithm::Dijkstra);
    let weighted = request.with_algorithm(Algorithm::WeightedAStar { percent: 1 });
    app.world_mut().entity_mut(soldier).insert(weighted);
    tick(&mut app);
    assert_eq!(status(&app, soldier), PathStatus::Failed(PathFailure::InvalidWeight));
}

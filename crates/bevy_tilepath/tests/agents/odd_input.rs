//! Odd positions, goals, limits and maps. Each one has a typed answer.

use bevy::{
    app::{RunFixedMainLoop, TaskPoolPlugin},
    ecs::schedule::{ScheduleLabel, SingleThreadedExecutor},
    prelude::*,
};
use bevy_tilepath::{Algorithm, Cell, PathFailure, PathRequest, PathStatus, TilepathPlugin};

use crate::harness::*;

#[test]
fn start_is_the_goal() {
    let (mut game, _) = Game::drawn_as(".#");
    let soldier = game.agent_at(centre(0, 0) + Vec2::new(3.0, -4.0), 160.0);
    game.order_to(soldier, 0, 0);
    game.run_until_quiet(10);
    assert_eq!(
        game.told_of(soldier),
        [Told::Found { goal: Cell::new(0, 0), cost: 0, partial: false }, Told::Arrived(Cell::new(0, 0))]
    );
    assert_eq!(game.position(soldier), centre(0, 0));

    // The rule also holds inside a wall.
    let stuck = game.ordered_agent((1, 0), 160.0, (1, 0));
    game.tick();
    assert_eq!(game.told_of(stuck).len(), 2);
}

#[test]
fn blocked_start_may_be_left_and_blocked_goal_not_entered() {
    let (mut game, _) = Game::drawn_as("#..#");
    let soldier = game.ordered_agent((0, 0), 1e6, (2, 0));
    game.tick();
    assert_eq!(game.status(soldier), PathStatus::Arrived);
    game.order_to(soldier, 0, 0);
    game.tick();
    let blocked = PathFailure::GoalBlocked { cell: Cell::new(0, 0) };
    assert_eq!(game.status(soldier), PathStatus::Failed(blocked));
}

#[test]
fn limit_ends_a_search() {
    let (mut game, _) = Game::open(30, 30);
    let soldier = game.agent(0, 0, 160.0);
    let far = PathRequest::to_cell(Cell::new(29, 29)).with_algorithm(Algorithm::AStar).with_limit(3);
    game.world_mut().entity_mut(soldier).insert(far.clone());
    game.tick();
    assert_eq!(game.status(soldier), PathStatus::Failed(PathFailure::LimitReached));
    game.world_mut().entity_mut(soldier).insert(far.or_closest());
    game.tick();
    assert!(game.path(soldier).is_partial());
}

#[test]
fn bad_positions_have_typed_answers() {
    let (mut game, map) = Game::open(4, 4);
    let soldier = game.agent(0, 0, 160.0);
    for (goal, reason) in [
        (Vec2::new(f32::NAN, 8.0), PathFailure::PositionNotFinite),
        (Vec2::splat(f32::INFINITY), PathFailure::PositionNotFinite),
        (Vec2::splat(-1.0), goal_off((-1, -1), 4, 4)),
        (Vec2::splat(f32::MAX), goal_off((i32::MAX, i32::MAX), 4, 4)),
        (Vec2::new(-1e30, 8.0), goal_off((i32::MIN, 0), 4, 4)),
        (Vec2::splat(1.6e9), goal_off((100_000_000, 100_000_000), 4, 4)),
    ] {
        game.world_mut().entity_mut(soldier).insert(PathRequest::to_position(goal));
        game.tick();
        assert_eq!(game.told_of(soldier), [Told::Failed(reason)], "{goal}");
    }
    for (cell, reason) in [
        (Cell::new(i32::MAX, i32::MIN), goal_off((i32::MAX, i32::MIN), 4, 4)),
        (Cell::new(0, 4), goal_off((0, 4), 4, 4)),
    ] {
        game.world_mut().entity_mut(soldier).insert(PathRequest::to_cell(cell).or_closest());
        game.tick();
        assert_eq!(game.told_of(soldier), [Told::Failed(reason)], "{cell}");
    }
    for (at, reason) in [
        (Vec2::new(0.0, f32::NAN), PathFailure::PositionNotFinite),
        (Vec2::new(f32::NEG_INFINITY, 0.0), PathFailure::PositionNotFinite),
        (Vec2::splat(-1.0), start_off((-1, -1), 4, 4)),
        (Vec2::splat(f32::MAX), start_off((i32::MAX, i32::MAX), 4, 4)),
    ] {
        let lost = game.agent_at(at, 160.0);
        game.order_to(lost, 1, 1);
        game.tick();
        assert_eq!(game.told_of(lost), [Told::Failed(reason)], "{at}");
    }
    game.world_mut().entity_mut(map).insert(Transform::from_scale(Vec3::ZERO));
    game.world_mut().entity_mut(soldier).insert(PathRequest::to_position(centre(1, 1)));
    game.tick();
    assert_eq!(game.told_of(soldier), [Told::Failed(PathFailure::MapWithoutArea)]);
}

#[test]
fn map_without_cells_is_named_as_such() {
    for (width, height) in [(0, 0), (7, 0), (0, 7)] {
        let (mut game, _) = Game::open(width, height);
        let soldier = game.ordered_agent((0, 0), 160.0, (0, 0));
        game.tick();
        assert_eq!(game.told_of(soldier), [Told::Failed(PathFailure::MapWithoutCells)]);
        game.world_mut().entity_mut(soldier).insert(PathRequest::to_nearest([Vec2::ZERO, Vec2::splat(1e30)]));
        game.tick();
        assert_eq!(game.told_of(soldier), [Told::Failed(PathFailure::MapWithoutCells)]);
    }
    assert!(PathFailure::MapWithoutCells.to_string().contains("TilemapSize"));
}

#[test]
fn goal_that_is_a_wall_is_told_apart_from_one_that_is_cut_off() {
    let (mut game, map) = Game::drawn_as(".#.#");
    let soldier = game.agent(0, 0, 160.0);
    let reason_for = |game: &mut Game, request: PathRequest| {
        game.world_mut().entity_mut(soldier).insert(request);
        game.tick();
        let told = game.told_of(soldier);
        let [Told::Failed(reason)] = told[..] else { panic!("{told:?}") };
        reason
    };
    let blocked = PathFailure::GoalBlocked { cell: Cell::new(3, 0) };
    assert_eq!(reason_for(&mut game, PathRequest::to_cell(Cell::new(3, 0))), blocked);
    assert_eq!(reason_for(&mut game, PathRequest::to_position(centre(3, 0))), blocked);
    assert_eq!(reason_for(&mut game, PathRequest::to_nearest([Cell::new(3, 0)])), blocked);
    assert_eq!(reason_for(&mut game, PathRequest::to_cell(Cell::new(2, 0))), PathFailure::Unreachable);
    let walls = [Cell::new(1, 0), Cell::new(3, 0)];
    assert_eq!(reason_for(&mut game, PathRequest::to_nearest(walls)), PathFailure::Unreachable);
    // The rules of the map, not the class, decide which cells are walls.
    let costs = bevy_tilepath::CostTable::identity().with(1, 0).with(0, 1);
    game.world_mut().get_mut::<bevy_tilepath::NavMap>(map).unwrap().costs = costs;
    let blocked = PathFailure::GoalBlocked { cell: Cell::new(2, 0) };
    assert_eq!(reason_for(&mut game, PathRequest::to_cell(Cell::new(2, 0))), blocked);
    assert_eq!(blocked.to_string().split(':').next(), Some("the goal (2, 0) is itself a wall"));
}

#[test]
fn agent_without_transform_has_no_position() {
    let (mut game, _) = Game::open(8, 8);
    let soldier = game.ordered_agent((0, 0), 160.0, (7, 0));
    game.tick();
    game.world_mut().entity_mut(soldier).remove::<Transform>();
    game.tick();
    assert_eq!(game.told_of(soldier)[1..], [Told::Lost(PathFailure::PositionNotFinite)]);
    game.order_to(soldier, 6, 0);
    game.world_mut().entity_mut(soldier).remove::<Transform>();
    game.tick();
    assert_eq!(game.told_of(soldier), [Told::Failed(PathFailure::PositionNotFinite)]);
}

#[test]
fn app_without_a_clock_says_which_plugin_is_missing_and_does_not_panic() {
    for schedule in [FixedUpdate.intern(), Update.intern()] {
        let mut game = Game(App::new());
        game.add_plugins((TaskPoolPlugin::default(), TilepathPlugin::in_schedule(schedule)));
        game.edit_schedule(schedule, |schedule| {
            schedule.set_executor(SingleThreadedExecutor::new());
        });
        game.edit_schedule(RunFixedMainLoop, |schedule| {
            schedule.set_executor(SingleThreadedExecutor::new());
        });
        game.open_map(8, 8);
        let soldier = game.ordered_agent((0, 0), 160.0, (7, 0));
        let logs = logs_of(|| {
            for _ in 0..200 {
                game.update();
            }
        });
        assert_eq!(logs.len(), 1, "{schedule:?}: {logs:?}");
        assert!(logs[0].contains("TimePlugin"), "{}", logs[0]);
        assert_eq!(game.position(soldier), centre(0, 0));
    }
}

#[test]
fn app_whose_clock_is_wound_by_hand_hears_nothing() {
    let mut game = Game::long_steps();
    game.open_map(8, 8);
    game.ordered_agent((0, 0), 1.0, (7, 0));
    let logs = logs_of(|| {
        game.steps(100, 0.01);
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
    let (mut game, _) = Game::open(8, 8);
    let soldier = game.agent(0, 0, 0.0);
    let request = PathRequest::to_cell(Cell::new(7, 7));
    game.world_mut().entity_mut(soldier).insert(request.clone().with_algorithm(Algorithm::Dijkstra));
    game.tick();
    assert_eq!(game.path(soldier).statistics().algorithm, Algorithm::Dijkstra);
    let weighted = request.with_algorithm(Algorithm::WeightedAStar { percent: 1 });
    game.world_mut().entity_mut(soldier).insert(weighted);
    game.tick();
    assert_eq!(game.status(soldier), PathStatus::Failed(PathFailure::InvalidWeight));
}

//! Odd positions, goals, limits and maps: each has its typed answer.

use bevy::prelude::*;
use bevy_tilepath::{Algorithm, Cell, PathFailure, PathRequest, PathStatus};

use super::stage::*;
use crate::harness::tick;

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
fn blocked_start_may_be_left_and_blocked_goal_is_unreachable() {
    let mut app = app();
    map(&mut app, "#..#");
    let soldier = agent(&mut app, 0, 0, 1e6);
    order(&mut app, soldier, 2, 0);
    tick(&mut app);
    assert_eq!(status(&app, soldier), PathStatus::Arrived);
    order(&mut app, soldier, 0, 0);
    tick(&mut app);
    assert_eq!(status(&app, soldier), PathStatus::Failed(PathFailure::Unreachable));
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
        (Vec2::splat(-1.0), PathFailure::GoalOutOfBounds),
        (Vec2::splat(f32::MAX), PathFailure::GoalOutOfBounds),
        (Vec2::splat(1e9), PathFailure::GoalOutOfBounds),
    ] {
        app.world_mut().entity_mut(soldier).insert(PathRequest::to_position(goal));
        tick(&mut app);
        assert_eq!(told_of(&mut app, soldier), [Told::Failed(reason)], "{goal}");
    }
    for (cell, reason) in [
        (Cell::new(i32::MAX, i32::MIN), PathFailure::GoalOutOfBounds),
        (Cell::new(0, 4), PathFailure::GoalOutOfBounds),
    ] {
        app.world_mut().entity_mut(soldier).insert(PathRequest::to_cell(cell).or_closest());
        tick(&mut app);
        assert_eq!(told_of(&mut app, soldier), [Told::Failed(reason)], "{cell}");
    }
    for (at, reason) in [
        (Vec2::new(0.0, f32::NAN), PathFailure::PositionNotFinite),
        (Vec2::new(f32::NEG_INFINITY, 0.0), PathFailure::PositionNotFinite),
        (Vec2::splat(-1.0), PathFailure::StartOutOfBounds),
        (Vec2::splat(f32::MAX), PathFailure::StartOutOfBounds),
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
fn map_without_cells_has_no_start() {
    let mut app = app();
    open_map(&mut app, 0, 0);
    let soldier = agent(&mut app, 0, 0, 160.0);
    order(&mut app, soldier, 0, 0);
    tick(&mut app);
    assert_eq!(told_of(&mut app, soldier), [Told::Failed(PathFailure::StartOutOfBounds)]);
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
fn every_failure_says_what_to_do() {
    for reason in [
        PathFailure::NoMap,
        PathFailure::AmbiguousMap,
        PathFailure::MapWithoutArea,
        PathFailure::PositionNotFinite,
        PathFailure::StartOutOfBounds,
        PathFailure::GoalOutOfBounds,
        PathFailure::Unreachable,
        PathFailure::LimitReached,
        PathFailure::CostOverflow,
        PathFailure::InvalidWeight,
        PathFailure::AlgorithmNotApplicable,
        PathFailure::QueryRefused,
        PathFailure::AgentRemoved,
    ] {
        assert!(reason.to_string().contains(": "), "{reason}");
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

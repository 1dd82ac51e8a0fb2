//! Maps and agents anywhere in the world: moved, turned, scaled, parented; and teleports.

use bevy::prelude::*;
use bevy_tilepath::{Cell, NavProjection, PathFailure, PathRequest, PathStatus};

use super::fixtures::*;
use crate::harness::{start_off, tick};

/// Odd transforms a map or a parent may have.
fn odd() -> [Transform; 5] {
    [
        Transform::from_xyz(-1000.0, 333.0, 5.0),
        Transform::from_rotation(Quat::from_rotation_z(2.1)),
        Transform::from_scale(Vec3::new(3.0, 0.5, 1.0)),
        Transform::from_scale(Vec3::new(-1.0, 1.0, 1.0)),
        Transform::from_xyz(70.0, -9.0, 0.0)
            .with_rotation(Quat::from_rotation_z(-0.7))
            .with_scale(Vec3::new(2.0, 1.5, 1.0)),
    ]
}

fn global(app: &App, entity: Entity) -> Vec2 {
    let local = |entity| *app.world().get::<Transform>(entity).expect("it has a place");
    let mut at = GlobalTransform::from(local(entity));
    let mut entity = entity;
    while let Some(parent) = app.world().get::<ChildOf>(entity) {
        entity = parent.parent();
        at = local(entity) * at;
    }
    at.translation().truncate()
}

#[test]
fn map_may_be_moved_turned_scaled_and_parented() {
    for transform in odd() {
        for parent in
            [None, Some(Transform::from_xyz(5.0, 6.0, 7.0).with_rotation(Quat::from_rotation_z(0.4)))]
        {
            let mut app = app();
            let map = map(&mut app, "....\n.##.\n....");
            app.world_mut().entity_mut(map).insert(transform);
            let mut whole = transform.compute_affine();
            if let Some(parent) = parent {
                let world = app.world_mut().spawn(parent).id();
                app.world_mut().entity_mut(map).insert(ChildOf(world));
                whole = parent.compute_affine() * whole;
            }
            let place = |x, y| whole.transform_point3(centre(x, y).extend(0.0)).truncate();
            let soldier = agent_at(&mut app, place(0, 0), 400.0);
            app.world_mut().entity_mut(soldier).insert(PathRequest::to_position(place(3, 2)));
            tick(&mut app);
            for (point, cell) in path(&app, soldier).points().iter().zip(cell_path(&app, soldier).cells()) {
                assert!(point.distance(place(cell.x, cell.y)) < 1e-2);
            }
            run_until_quiet(&mut app, 300);
            assert_eq!(status(&app, soldier), PathStatus::Arrived);
            assert!(position(&app, soldier).distance(place(3, 2)) < 1e-2);
        }
    }
}

#[test]
fn speed_is_in_world_units_for_children_of_scaled_parents() {
    for transform in odd() {
        let mut app = long_step_app();
        open_map(&mut app, 30, 1);
        let parent = app.world_mut().spawn(transform).id();
        let local = transform.compute_affine().inverse().transform_point3(centre(0, 0).extend(3.0));
        let soldier = agent(&mut app, 0, 0, 16.0);
        app.world_mut().entity_mut(soldier).insert((Transform::from_translation(local), ChildOf(parent)));
        order(&mut app, soldier, 29, 0);
        for n in 1..=29 {
            step(&mut app, 1.0);
            let error = global(&app, soldier).distance(centre(n, 0));
            assert!(error < 0.01, "{error} off at {n} under {transform:?}");
            let at = app.world().get::<Transform>(soldier).unwrap().translation;
            assert_eq!(at, at.truncate().extend(local.z));
        }
        // The start, turned there and back, was off by a rounding.
        step(&mut app, 0.001);
        assert_eq!(status(&app, soldier), PathStatus::Arrived);
    }
}

#[test]
fn moving_parent_carries_map_and_agent_without_a_replan() {
    let mut app = long_step_app();
    let raft = app.world_mut().spawn(Transform::default()).id();
    let map = map(&mut app, "..........");
    app.world_mut().entity_mut(map).insert((Transform::default(), ChildOf(raft)));
    let soldier = agent(&mut app, 0, 0, 16.0);
    app.world_mut().entity_mut(soldier).insert(ChildOf(raft));
    order(&mut app, soldier, 9, 0);
    for n in 1..=36 {
        let mut transform = app.world_mut().get_mut::<Transform>(raft).unwrap();
        transform.translation.x += 5.0;
        transform.rotate_z(0.1);
        step(&mut app, 0.25);
        let local = position(&app, soldier);
        assert!(local.distance(centre(0, 0) + Vec2::new(4.0 * n as f32, 0.0)) < 0.05, "{local} at {n}");
    }
    step(&mut app, 0.25);
    assert!(matches!(told_of(&mut app, soldier)[..], [Told::Found { .. }, Told::Arrived(_)]));
}

#[test]
fn parent_that_turns_far_from_the_origin_needs_no_replan() {
    for place in [Vec3::new(60_000.0, -40_000.0, 0.0), Vec3::new(-200_000.0, 9_000.0, 0.0)] {
        let mut app = long_step_app();
        let raft = app.world_mut().spawn(Transform::from_translation(place)).id();
        // Diagonal steps past corners: there the cell below is one of four.
        let map = map(&mut app, "....\n....\n....\n....");
        app.world_mut().entity_mut(map).insert((Transform::default(), ChildOf(raft)));
        let soldiers = [(0, 0, 3, 3), (3, 0, 0, 3), (0, 3, 3, 0)].map(|(x, y, to_x, to_y)| {
            let soldier = agent(&mut app, x, y, 16.0);
            app.world_mut().entity_mut(soldier).insert(ChildOf(raft));
            order(&mut app, soldier, to_x, to_y);
            soldier
        });
        for _ in 0..200 {
            app.world_mut().get_mut::<Transform>(raft).unwrap().rotate_z(0.1);
            step(&mut app, 0.05);
        }
        let told = told(&mut app);
        for soldier in soldiers {
            let of_it: Vec<Told> = told
                .iter()
                .filter(|(who, what)| *who == soldier && !matches!(what, Told::Reached(_)))
                .map(|(_, what)| *what)
                .collect();
            assert!(matches!(of_it[..], [Told::Found { .. }, Told::Arrived(_)]), "{of_it:?} at {place}");
        }
    }
}

#[test]
fn map_moved_under_the_feet_is_followed() {
    let mut app = app();
    let map = open_map(&mut app, 20, 20);
    app.world_mut().entity_mut(map).insert(Transform::default());
    let soldier = agent(&mut app, 10, 10, 160.0);
    order(&mut app, soldier, 18, 10);
    for n in 0..30 {
        app.world_mut().get_mut::<Transform>(map).unwrap().translation.y = n as f32 * 0.7;
        tick(&mut app);
    }
    run_until_quiet(&mut app, 200);
    let end = app.world().get::<NavProjection>(map).unwrap().world_position_of(Cell::new(18, 10));
    assert_eq!(position(&app, soldier), end);
}

#[test]
fn parent_without_area_is_no_place_to_be() {
    let mut app = app();
    open_map(&mut app, 8, 8);
    let parent = app.world_mut().spawn(Transform::default()).id();
    let soldier = agent(&mut app, 0, 0, 160.0);
    app.world_mut().entity_mut(soldier).insert(ChildOf(parent));
    order(&mut app, soldier, 7, 7);
    tick(&mut app);
    app.world_mut().get_mut::<Transform>(parent).unwrap().scale = Vec3::ZERO;
    tick(&mut app);
    assert_eq!(told_of(&mut app, soldier)[1..], [Told::Lost(PathFailure::PositionNotFinite)]);
    app.world_mut().get_mut::<Transform>(parent).unwrap().translation.x = f32::NAN;
    order(&mut app, soldier, 7, 7);
    tick(&mut app);
    assert_eq!(told_of(&mut app, soldier), [Told::Failed(PathFailure::PositionNotFinite)]);
}

#[test]
fn teleported_agent_goes_on_from_where_it_is() {
    let mut app = app();
    open_map(&mut app, 20, 20);
    let soldier = agent(&mut app, 0, 0, 160.0);
    order(&mut app, soldier, 19, 0);
    for _ in 0..5 {
        tick(&mut app);
    }
    told(&mut app);
    // Off the path: planned again in the next tick.
    app.world_mut().get_mut::<Transform>(soldier).unwrap().translation = centre(10, 10).extend(3.0);
    tick(&mut app);
    let told = told_of(&mut app, soldier);
    assert!(matches!(told[..], [Told::Replanned { goal: Cell { x: 19, y: 0 }, .. }]), "{told:?}");
    assert_eq!(cell_path(&app, soldier).start(), Cell::new(10, 10));
    assert!((position(&app, soldier).distance(centre(10, 10)) - 2.5).abs() < 1e-3);
    run_until_quiet(&mut app, 200);
    assert_eq!(told_of(&mut app, soldier), [Told::Arrived(Cell::new(19, 0))]);
}

#[test]
fn agent_put_farther_along_its_path_goes_on_without_a_replan() {
    let mut app = app();
    open_map(&mut app, 20, 1);
    let soldier = agent(&mut app, 0, 0, 160.0);
    order(&mut app, soldier, 19, 0);
    for _ in 0..5 {
        tick(&mut app);
    }
    app.world_mut().get_mut::<Transform>(soldier).unwrap().translation.x = centre(15, 0).x - 3.0;
    run_until_quiet(&mut app, 50);
    assert!(matches!(told_of(&mut app, soldier)[..], [Told::Found { .. }, Told::Arrived(_)]));
}

#[test]
fn agent_nudged_in_every_tick_still_arrives() {
    let mut app = app();
    map(&mut app, "..........\n..........");
    let soldier = agent(&mut app, 0, 0, 160.0);
    app.add_systems(FixedPostUpdate, move |mut transforms: Query<&mut Transform>, mut n: Local<u32>| {
        *n += 1;
        let nudge = if n.is_multiple_of(2) { 0.6 } else { -0.6 };
        transforms.get_mut(soldier).unwrap().translation.y += nudge;
    });
    order(&mut app, soldier, 9, 0);
    run_until_quiet(&mut app, 100);
    assert!(matches!(told_of(&mut app, soldier)[..], [Told::Found { .. }, Told::Arrived(_)]));
}

#[test]
fn agent_put_off_the_map_or_nowhere_loses_its_way() {
    for (at, reason) in [
        (Vec2::splat(-500.0), start_off((-32, -32), 20, 20)),
        (Vec2::NAN, PathFailure::PositionNotFinite),
        (Vec2::splat(f32::INFINITY), PathFailure::PositionNotFinite),
    ] {
        let mut app = app();
        open_map(&mut app, 20, 20);
        let soldier = agent(&mut app, 0, 0, 160.0);
        order(&mut app, soldier, 19, 0);
        for _ in 0..5 {
            tick(&mut app);
        }
        app.world_mut().get_mut::<Transform>(soldier).unwrap().translation = at.extend(0.0);
        for _ in 0..3 {
            tick(&mut app);
        }
        assert_eq!(told_of(&mut app, soldier)[1..], [Told::Lost(reason)], "{at}");
    }
}

#[test]
fn goal_position_is_resolved_when_the_request_is_accepted() {
    let mut app = app();
    let map = open_map(&mut app, 20, 1);
    let soldier = agent(&mut app, 0, 0, 160.0);
    // The map was moved in the same frame: its transform counts, not its global transform of the last one.
    app.world_mut().entity_mut(map).insert(Transform::from_xyz(-CELL, 0.0, 0.0));
    app.world_mut().entity_mut(soldier).insert(PathRequest::to_position(centre(3, 0)));
    tick(&mut app);
    assert_eq!(cell_path(&app, soldier).cells()[0], Cell::new(1, 0));
    assert_eq!(path(&app, soldier).goal().cell(), Some(Cell::new(4, 0)));
}

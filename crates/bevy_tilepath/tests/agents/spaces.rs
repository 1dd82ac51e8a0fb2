//! Maps and agents anywhere in the world: moved, turned, scaled, with parents, and teleported.

use bevy::prelude::*;
use bevy_tilepath::{Cell, NavProjection, PathFailure, PathRequest, PathStatus};

use crate::harness::*;

/// Returns unusual transforms that a map or a parent may have.
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

fn global(game: &Game, entity: Entity) -> Vec2 {
    let local = |entity| *game.world().get::<Transform>(entity).expect("it has a place");
    let mut at = GlobalTransform::from(local(entity));
    let mut entity = entity;
    while let Some(parent) = game.world().get::<ChildOf>(entity) {
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
            let (mut game, map) = Game::drawn_as("....\n.##.\n....");
            game.world_mut().entity_mut(map).insert(transform);
            let mut whole = transform.compute_affine();
            if let Some(parent) = parent {
                let world = game.world_mut().spawn(parent).id();
                game.world_mut().entity_mut(map).insert(ChildOf(world));
                whole = parent.compute_affine() * whole;
            }
            let place = |x, y| whole.transform_point3(centre(x, y).extend(0.0)).truncate();
            let soldier = game.agent_at(place(0, 0), 400.0);
            game.world_mut().entity_mut(soldier).insert(PathRequest::to_position(place(3, 2)));
            game.tick();
            for (point, cell) in game.path(soldier).points().iter().zip(game.cell_path(soldier).cells()) {
                assert!(point.distance(place(cell.x, cell.y)) < 1e-2);
            }
            game.run_until_quiet(300);
            assert_eq!(game.status(soldier), PathStatus::Arrived);
            assert!(game.position(soldier).distance(place(3, 2)) < 1e-2);
        }
    }
}

#[test]
fn speed_is_in_world_units_for_children_of_scaled_parents() {
    for transform in odd() {
        let mut game = Game::long_steps();
        game.open_map(30, 1);
        let parent = game.world_mut().spawn(transform).id();
        let local = transform.compute_affine().inverse().transform_point3(centre(0, 0).extend(3.0));
        let soldier = game.agent(0, 0, 16.0);
        game.world_mut().entity_mut(soldier).insert((Transform::from_translation(local), ChildOf(parent)));
        game.order_to(soldier, 29, 0);
        for n in 1..=29 {
            game.step(1.0);
            let error = global(&game, soldier).distance(centre(n, 0));
            assert!(error < 0.01, "wrong by {error} at step {n} under {transform:?}");
            let at = game.world().get::<Transform>(soldier).unwrap().translation;
            assert_eq!(at, at.truncate().extend(local.z));
        }
        // The start has a rounding error, because it was turned there and back.
        game.step(0.001);
        assert_eq!(game.status(soldier), PathStatus::Arrived);
    }
}

#[test]
fn moving_parent_carries_map_and_agent_without_a_replan() {
    let mut game = Game::long_steps();
    let raft = game.world_mut().spawn(Transform::default()).id();
    let map = game.map("..........");
    game.world_mut().entity_mut(map).insert((Transform::default(), ChildOf(raft)));
    let soldier = game.agent(0, 0, 16.0);
    game.world_mut().entity_mut(soldier).insert(ChildOf(raft));
    game.order_to(soldier, 9, 0);
    for n in 1..=36 {
        let mut transform = game.world_mut().get_mut::<Transform>(raft).unwrap();
        transform.translation.x += 5.0;
        transform.rotate_z(0.1);
        game.step(0.25);
        let local = game.position(soldier);
        assert!(local.distance(centre(0, 0) + Vec2::new(4.0 * n as f32, 0.0)) < 0.05, "{local} at {n}");
    }
    game.step(0.25);
    assert!(matches!(game.told_of(soldier)[..], [Told::Found { .. }, Told::Arrived(_)]));
}

#[test]
fn parent_that_turns_far_from_the_origin_needs_no_replan() {
    for place in [Vec3::new(60_000.0, -40_000.0, 0.0), Vec3::new(-200_000.0, 9_000.0, 0.0)] {
        let mut game = Game::long_steps();
        let raft = game.world_mut().spawn(Transform::from_translation(place)).id();
        // The diagonal steps pass corners. At a corner, the cell below the agent is one of four.
        let map = game.map("....\n....\n....\n....");
        game.world_mut().entity_mut(map).insert((Transform::default(), ChildOf(raft)));
        let soldiers = [(0, 0, 3, 3), (3, 0, 0, 3), (0, 3, 3, 0)].map(|(x, y, to_x, to_y)| {
            let soldier = game.agent(x, y, 16.0);
            game.world_mut().entity_mut(soldier).insert(ChildOf(raft));
            game.order_to(soldier, to_x, to_y);
            soldier
        });
        for _ in 0..200 {
            game.world_mut().get_mut::<Transform>(raft).unwrap().rotate_z(0.1);
            game.step(0.05);
        }
        let told = game.told();
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
    let (mut game, map) = Game::open(20, 20);
    game.world_mut().entity_mut(map).insert(Transform::default());
    let soldier = game.ordered_agent((10, 10), 160.0, (18, 10));
    for n in 0..30 {
        game.world_mut().get_mut::<Transform>(map).unwrap().translation.y = n as f32 * 0.7;
        game.tick();
    }
    game.run_until_quiet(200);
    let end = game.world().get::<NavProjection>(map).unwrap().world_position_of(Cell::new(18, 10));
    assert_eq!(game.position(soldier), end);
}

#[test]
fn parent_without_area_is_no_place_to_be() {
    let (mut game, _) = Game::open(8, 8);
    let parent = game.world_mut().spawn(Transform::default()).id();
    let soldier = game.agent(0, 0, 160.0);
    game.world_mut().entity_mut(soldier).insert(ChildOf(parent));
    game.order_to(soldier, 7, 7);
    game.tick();
    game.world_mut().get_mut::<Transform>(parent).unwrap().scale = Vec3::ZERO;
    game.tick();
    assert_eq!(game.told_of(soldier)[1..], [Told::Lost(PathFailure::PositionNotFinite)]);
    game.world_mut().get_mut::<Transform>(parent).unwrap().translation.x = f32::NAN;
    game.order_to(soldier, 7, 7);
    game.tick();
    assert_eq!(game.told_of(soldier), [Told::Failed(PathFailure::PositionNotFinite)]);
}

#[test]
fn teleported_agent_goes_on_from_where_it_is() {
    let (mut game, _) = Game::open(20, 20);
    let soldier = game.ordered_agent((0, 0), 160.0, (19, 0));
    game.ticks(5);
    game.told();
    // Off its path, the agent is replanned in the next tick.
    game.world_mut().get_mut::<Transform>(soldier).unwrap().translation = centre(10, 10).extend(3.0);
    game.tick();
    let told = game.told_of(soldier);
    assert!(matches!(told[..], [Told::Replanned { goal: Cell { x: 19, y: 0 }, .. }]), "{told:?}");
    assert_eq!(game.cell_path(soldier).start(), Cell::new(10, 10));
    assert!((game.position(soldier).distance(centre(10, 10)) - 2.5).abs() < 1e-3);
    game.run_until_quiet(200);
    assert_eq!(game.told_of(soldier), [Told::Arrived(Cell::new(19, 0))]);
}

#[test]
fn agent_put_farther_along_its_path_goes_on_without_a_replan() {
    let (mut game, _) = Game::open(20, 1);
    let soldier = game.ordered_agent((0, 0), 160.0, (19, 0));
    game.ticks(5);
    game.world_mut().get_mut::<Transform>(soldier).unwrap().translation.x = centre(15, 0).x - 3.0;
    game.run_until_quiet(50);
    assert!(matches!(game.told_of(soldier)[..], [Told::Found { .. }, Told::Arrived(_)]));
}

#[test]
fn agent_nudged_in_every_tick_still_arrives() {
    let (mut game, _) = Game::drawn_as("..........\n..........");
    let soldier = game.agent(0, 0, 160.0);
    game.add_systems(FixedPostUpdate, move |mut transforms: Query<&mut Transform>, mut n: Local<u32>| {
        *n += 1;
        let nudge = if n.is_multiple_of(2) { 0.6 } else { -0.6 };
        transforms.get_mut(soldier).unwrap().translation.y += nudge;
    });
    game.order_to(soldier, 9, 0);
    game.run_until_quiet(100);
    assert!(matches!(game.told_of(soldier)[..], [Told::Found { .. }, Told::Arrived(_)]));
}

#[test]
fn agent_put_off_the_map_or_nowhere_loses_its_way() {
    for (at, reason) in [
        (Vec2::splat(-500.0), start_off((-32, -32), 20, 20)),
        (Vec2::NAN, PathFailure::PositionNotFinite),
        (Vec2::splat(f32::INFINITY), PathFailure::PositionNotFinite),
    ] {
        let (mut game, _) = Game::open(20, 20);
        let soldier = game.ordered_agent((0, 0), 160.0, (19, 0));
        game.ticks(5);
        game.world_mut().get_mut::<Transform>(soldier).unwrap().translation = at.extend(0.0);
        game.ticks(3);
        assert_eq!(game.told_of(soldier)[1..], [Told::Lost(reason)], "{at}");
    }
}

#[test]
fn goal_position_is_resolved_when_the_request_is_accepted() {
    let (mut game, map) = Game::open(20, 1);
    let soldier = game.agent(0, 0, 160.0);
    // The map was moved in this frame. Its `Transform` counts, not the `GlobalTransform` of the
    // last frame.
    game.world_mut().entity_mut(map).insert(Transform::from_xyz(-CELL, 0.0, 0.0));
    game.world_mut().entity_mut(soldier).insert(PathRequest::to_position(centre(3, 0)));
    game.tick();
    assert_eq!(game.cell_path(soldier).cells()[0], Cell::new(1, 0));
    assert_eq!(game.path(soldier).goal().cell(), Some(Cell::new(4, 0)));
}

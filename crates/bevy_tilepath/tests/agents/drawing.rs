//! Positions on the screen between fixed steps.

use std::time::Duration;

use bevy::{prelude::*, time::TimeUpdateStrategy, transform::TransformPlugin};
use bevy_tilepath::{PathRequest, TilepathPlugin, events::PathPointReached};

use crate::harness::*;

fn frames(game: &mut Game, hertz: f64) {
    game.insert_resource(TimeUpdateStrategy::ManualDuration(Duration::from_secs_f64(1.0 / hertz)));
}

fn global(game: &Game, entity: Entity) -> Vec2 {
    game.world().get::<GlobalTransform>(entity).expect("it has a place").translation().truncate()
}

#[test]
fn every_frame_is_drawn_as_far_as_the_one_before() {
    for hertz in [30.0, 60.0, 64.0, 75.0, 144.0, 240.0, 1000.0] {
        let mut game = Game::new();
        frames(&mut game, hertz);
        game.open_map(200, 1);
        let soldier = game.ordered_agent((0, 0), 96.0, (199, 0));
        while game.drawn(soldier).x < centre(1, 0).x {
            game.update();
        }
        let ideal = 96.0 / hertz as f32;
        let mut last = game.drawn(soldier).x;
        for _ in 0..(hertz as usize) {
            game.update();
            let now = game.drawn(soldier).x;
            assert!(
                (now - last - ideal).abs() < 0.02 * ideal + 1e-3,
                "{} at {hertz} Hz, not {ideal}",
                now - last
            );
            assert_eq!(global(&game, soldier), game.drawn(soldier));
            last = now;
        }
    }
}

#[test]
fn child_of_an_agent_and_agent_are_drawn_in_step() {
    let mut game = Game::new();
    frames(&mut game, 144.0);
    game.open_map(20, 1);
    let soldier = game.agent(0, 0, 96.0);
    let hat = game.world_mut().spawn((Transform::from_xyz(0.0, 9.0, 0.0), ChildOf(soldier))).id();
    game.order_to(soldier, 19, 0);
    for _ in 0..100 {
        game.update();
        assert_eq!(global(&game, hat), game.drawn(soldier) + Vec2::new(0.0, 9.0));
    }
}

#[test]
fn agent_that_has_arrived_is_drawn_exactly_there() {
    let mut game = Game::new();
    frames(&mut game, 144.0);
    game.open_map(4, 1);
    let soldier = game.ordered_agent((0, 0), 96.0, (3, 0));
    while game.is_ordered(soldier) {
        game.update();
    }
    for _ in 0..6 {
        game.update();
    }
    assert_eq!(game.drawn(soldier), centre(3, 0));
    assert_eq!(global(&game, soldier), centre(3, 0));
}

#[test]
fn frame_rate_does_not_show_in_the_simulation() {
    let mut walks = Vec::new();
    for hertz in [20.0, 64.0, 144.0, 501.0] {
        #[derive(Resource, Default)]
        struct Walk(Vec<Vec2>);
        let mut game = Game::new();
        frames(&mut game, hertz);
        game.map(".....\n.###.\n.....");
        let soldier = game.agent(0, 0, 96.0);
        game.init_resource::<Walk>().add_systems(
            FixedPreUpdate,
            move |mut walk: ResMut<Walk>, transforms: Query<&Transform>| {
                walk.0.push(transforms.get(soldier).unwrap().translation.truncate());
            },
        );
        game.order_to(soldier, 4, 2);
        while game.world().resource::<Walk>().0.len() < 80 {
            game.update();
        }
        walks.push(game.world().resource::<Walk>().0[..80].to_vec());
    }
    assert!(walks.windows(2).all(|pair| pair[0] == pair[1]));
    assert_eq!(walks[0][79], centre(4, 2));
}

#[test]
fn teleport_between_frames_wins_and_is_not_smeared() {
    let mut game = Game::new();
    frames(&mut game, 144.0);
    game.open_map(40, 1);
    let soldier = game.ordered_agent((0, 0), 96.0, (30, 0));
    for _ in 0..50 {
        game.update();
    }
    let back = centre(2, 0).extend(3.0);
    game.world_mut().get_mut::<Transform>(soldier).unwrap().translation = back;
    let mut last = back.x;
    for _ in 0..40 {
        game.update();
        let now = game.drawn(soldier).x;
        assert!(now >= last && now - last < 2.0, "{last} to {now}");
        last = now;
    }
    assert!(last > back.x + 10.0, "the agent walks on from its new place");
}

#[test]
fn resting_agent_may_be_moved_freely() {
    let mut game = Game::new();
    frames(&mut game, 144.0);
    let soldier = game.agent(0, 0, 96.0);
    for n in 0..50 {
        let at = Vec3::new(n as f32 * 3.0, 1.0, n as f32);
        game.world_mut().get_mut::<Transform>(soldier).unwrap().translation = at;
        game.update();
        assert_eq!(game.world().get::<Transform>(soldier).unwrap().translation, at);
    }
}

#[test]
fn height_written_between_frames_is_kept() {
    let mut game = Game::new();
    frames(&mut game, 144.0);
    game.open_map(20, 1);
    let soldier = game.ordered_agent((0, 0), 96.0, (19, 0));
    for n in 0..100 {
        game.world_mut().get_mut::<Transform>(soldier).unwrap().translation.z = n as f32;
        game.update();
        let at = game.world().get::<Transform>(soldier).unwrap().translation;
        assert_eq!(at, at.truncate().extend(n as f32));
    }
    assert!(game.drawn(soldier).x > centre(2, 0).x);
    assert!(matches!(game.told_of(soldier)[..], [Told::Found { .. }]));
}

#[test]
fn nothing_is_interpolated_in_update() {
    let mut game = Game(App::new());
    game.add_plugins((MinimalPlugins, TransformPlugin, TilepathPlugin::in_schedule(Update)));
    game.start();
    game.insert_resource(TimeUpdateStrategy::ManualDuration(Duration::from_millis(100)));
    game.open_map(20, 1);
    let soldier = game.ordered_agent((0, 0), 80.0, (19, 0));
    for n in 1..=10 {
        game.update();
        assert!((game.drawn(soldier).x - centre(0, 0).x - 8.0 * n as f32).abs() < 1e-3);
        assert_eq!(global(&game, soldier), game.drawn(soldier));
    }
}

#[test]
fn child_is_drawn_in_its_parents_space() {
    let mut game = Game::new();
    frames(&mut game, 144.0);
    game.open_map(60, 1);
    let squad = game
        .world_mut()
        .spawn(
            Transform::from_xyz(-50.0, 20.0, 0.0)
                .with_rotation(Quat::from_rotation_z(1.0))
                .with_scale(Vec3::splat(2.0)),
        )
        .id();
    let local = game
        .world()
        .get::<Transform>(squad)
        .unwrap()
        .compute_affine()
        .inverse()
        .transform_point3(centre(0, 0).extend(0.0));
    let soldier = game.agent(0, 0, 96.0);
    game.world_mut().entity_mut(soldier).insert((Transform::from_translation(local), ChildOf(squad)));
    game.order_to(soldier, 59, 0);
    for _ in 0..40 {
        game.update();
    }
    let mut last = global(&game, soldier);
    for _ in 0..144 {
        game.update();
        let now = global(&game, soldier);
        assert!((now.distance(last) - 96.0 / 144.0).abs() < 0.02, "{}", now.distance(last));
        assert!((now.y - centre(0, 0).y).abs() < 1e-3);
        last = now;
    }
}

#[test]
fn cancelled_agent_stops_at_once() {
    let mut game = Game::new();
    frames(&mut game, 144.0);
    game.open_map(20, 1);
    let soldier = game.ordered_agent((0, 0), 96.0, (19, 0));
    for _ in 0..50 {
        game.update();
    }
    let before = game.drawn(soldier);
    game.world_mut().entity_mut(soldier).remove::<PathRequest>();
    for _ in 0..10 {
        game.update();
    }
    // The agent moves at most by the step that was already being drawn.
    assert!(game.drawn(soldier).distance(before) <= 96.0 / 64.0 + 1e-3);
    assert_eq!(global(&game, soldier), game.drawn(soldier));
}

#[test]
fn agent_that_gets_another_parent_in_a_tick_is_drawn_where_it_was() {
    for is_in_place in [true, false] {
        let mut game = Game::new();
        frames(&mut game, 144.0);
        game.open_map(40, 1);
        let [ship, quay] = [100.0, -200.0].map(|x| {
            let turned = Transform::from_xyz(x, 30.0, 0.0).with_rotation(Quat::from_rotation_z(x));
            game.world_mut().spawn(turned).id()
        });
        let soldier = game.agent(0, 0, 96.0);
        game.world_mut().entity_mut(soldier).insert(ChildOf(ship));
        game.update();
        let there = game.world().get::<GlobalTransform>(ship).expect("it has a place").affine().inverse();
        let start = there.transform_point3(centre(0, 0).extend(0.0));
        game.world_mut().entity_mut(soldier).insert(Transform::from_translation(start));
        game.order_to(soldier, 39, 0);
        let boards = move |on: On<PathPointReached>, mut commands: Commands, all: Query<&Transform>| {
            if on.entity != soldier {
                return;
            }
            if is_in_place {
                commands.entity(soldier).set_parent_in_place(quay);
            } else {
                let place = |entity| all.get(entity).expect("it has a place").compute_affine();
                let here = place(ship) * place(soldier);
                let local = Transform::from_matrix((place(quay).inverse() * here).into());
                commands.entity(soldier).insert((ChildOf(quay), local));
            }
        };
        let observer = game.world_mut().add_observer(boards).id();
        let mut last = None;
        for _ in 0..60 {
            game.update();
            let now = global(&game, soldier);
            if let Some(last) = last.replace(now) {
                let step = now.distance(last);
                assert!(step < 3.0, "{step} world units in a frame, in place: {is_in_place}");
            }
            if game.world().get::<ChildOf>(soldier) == Some(&ChildOf(quay)) {
                game.world_mut().try_despawn(observer).ok();
            }
        }
        assert_eq!(game.world().get::<ChildOf>(soldier), Some(&ChildOf(quay)));
    }
}

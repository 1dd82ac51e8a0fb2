//! What is seen between fixed steps.

use std::time::Duration;

use bevy::{prelude::*, time::TimeUpdateStrategy, transform::TransformPlugin};
use bevy_tilepath::{PathRequest, TilepathPlugin, events::PathPointReached};

use super::fixtures::*;
use crate::harness::start;

fn frames(app: &mut App, hertz: f64) {
    app.insert_resource(TimeUpdateStrategy::ManualDuration(Duration::from_secs_f64(1.0 / hertz)));
}

fn global(app: &App, entity: Entity) -> Vec2 {
    app.world().get::<GlobalTransform>(entity).expect("it has a place").translation().truncate()
}

#[test]
fn every_frame_is_drawn_as_far_as_the_one_before() {
    for hertz in [30.0, 60.0, 64.0, 75.0, 144.0, 240.0, 1000.0] {
        let mut app = app();
        frames(&mut app, hertz);
        open_map(&mut app, 200, 1);
        let soldier = agent(&mut app, 0, 0, 96.0);
        order(&mut app, soldier, 199, 0);
        while drawn(&app, soldier).x < centre(1, 0).x {
            app.update();
        }
        let ideal = 96.0 / hertz as f32;
        let mut last = drawn(&app, soldier).x;
        for _ in 0..(hertz as usize) {
            app.update();
            let now = drawn(&app, soldier).x;
            assert!(
                (now - last - ideal).abs() < 0.02 * ideal + 1e-3,
                "{} at {hertz} Hz, not {ideal}",
                now - last
            );
            assert_eq!(global(&app, soldier), drawn(&app, soldier));
            last = now;
        }
    }
}

#[test]
fn child_of_an_agent_and_agent_are_drawn_in_step() {
    let mut app = app();
    frames(&mut app, 144.0);
    open_map(&mut app, 20, 1);
    let soldier = agent(&mut app, 0, 0, 96.0);
    let hat = app.world_mut().spawn((Transform::from_xyz(0.0, 9.0, 0.0), ChildOf(soldier))).id();
    order(&mut app, soldier, 19, 0);
    for _ in 0..100 {
        app.update();
        assert_eq!(global(&app, hat), drawn(&app, soldier) + Vec2::new(0.0, 9.0));
    }
}

#[test]
fn agent_that_has_arrived_is_drawn_exactly_there() {
    let mut app = app();
    frames(&mut app, 144.0);
    open_map(&mut app, 4, 1);
    let soldier = agent(&mut app, 0, 0, 96.0);
    order(&mut app, soldier, 3, 0);
    while is_ordered(&app, soldier) {
        app.update();
    }
    for _ in 0..6 {
        app.update();
    }
    assert_eq!(drawn(&app, soldier), centre(3, 0));
    assert_eq!(global(&app, soldier), centre(3, 0));
}

#[test]
fn frame_rate_does_not_show_in_the_simulation() {
    let mut walks = Vec::new();
    for hertz in [20.0, 64.0, 144.0, 501.0] {
        #[derive(Resource, Default)]
        struct Walk(Vec<Vec2>);
        let mut app = app();
        frames(&mut app, hertz);
        map(&mut app, ".....\n.###.\n.....");
        let soldier = agent(&mut app, 0, 0, 96.0);
        app.init_resource::<Walk>().add_systems(
            FixedPreUpdate,
            move |mut walk: ResMut<Walk>, transforms: Query<&Transform>| {
                walk.0.push(transforms.get(soldier).unwrap().translation.truncate());
            },
        );
        order(&mut app, soldier, 4, 2);
        while app.world().resource::<Walk>().0.len() < 80 {
            app.update();
        }
        walks.push(app.world().resource::<Walk>().0[..80].to_vec());
    }
    assert!(walks.windows(2).all(|pair| pair[0] == pair[1]));
    assert_eq!(walks[0][79], centre(4, 2));
}

#[test]
fn teleport_between_frames_wins_and_is_not_smeared() {
    let mut app = app();
    frames(&mut app, 144.0);
    open_map(&mut app, 40, 1);
    let soldier = agent(&mut app, 0, 0, 96.0);
    order(&mut app, soldier, 30, 0);
    for _ in 0..50 {
        app.update();
    }
    let back = centre(2, 0).extend(3.0);
    app.world_mut().get_mut::<Transform>(soldier).unwrap().translation = back;
    let mut last = back.x;
    for _ in 0..40 {
        app.update();
        let now = drawn(&app, soldier).x;
        assert!(now >= last && now - last < 2.0, "{last} to {now}");
        last = now;
    }
    assert!(last > back.x + 10.0, "it walks on from there");
}

#[test]
fn resting_agent_may_be_moved_freely() {
    let mut app = app();
    frames(&mut app, 144.0);
    let soldier = agent(&mut app, 0, 0, 96.0);
    for n in 0..50 {
        let at = Vec3::new(n as f32 * 3.0, 1.0, n as f32);
        app.world_mut().get_mut::<Transform>(soldier).unwrap().translation = at;
        app.update();
        assert_eq!(app.world().get::<Transform>(soldier).unwrap().translation, at);
    }
}

#[test]
fn height_written_between_frames_is_kept() {
    let mut app = app();
    frames(&mut app, 144.0);
    open_map(&mut app, 20, 1);
    let soldier = agent(&mut app, 0, 0, 96.0);
    order(&mut app, soldier, 19, 0);
    for n in 0..100 {
        app.world_mut().get_mut::<Transform>(soldier).unwrap().translation.z = n as f32;
        app.update();
        let at = app.world().get::<Transform>(soldier).unwrap().translation;
        assert_eq!(at, at.truncate().extend(n as f32));
    }
    assert!(drawn(&app, soldier).x > centre(2, 0).x);
    assert!(matches!(told_of(&mut app, soldier)[..], [Told::Found { .. }]));
}

#[test]
fn nothing_is_interpolated_in_update() {
    let mut app = App::new();
    app.add_plugins((MinimalPlugins, TransformPlugin, TilepathPlugin::in_schedule(Update)));
    listen(&mut app);
    start(&mut app);
    app.insert_resource(TimeUpdateStrategy::ManualDuration(Duration::from_millis(100)));
    open_map(&mut app, 20, 1);
    let soldier = agent(&mut app, 0, 0, 80.0);
    order(&mut app, soldier, 19, 0);
    for n in 1..=10 {
        app.update();
        assert!((drawn(&app, soldier).x - centre(0, 0).x - 8.0 * n as f32).abs() < 1e-3);
        assert_eq!(global(&app, soldier), drawn(&app, soldier));
    }
}

#[test]
fn child_is_drawn_in_its_parents_space() {
    let mut app = app();
    frames(&mut app, 144.0);
    open_map(&mut app, 60, 1);
    let squad = app
        .world_mut()
        .spawn(
            Transform::from_xyz(-50.0, 20.0, 0.0)
                .with_rotation(Quat::from_rotation_z(1.0))
                .with_scale(Vec3::splat(2.0)),
        )
        .id();
    let local = app
        .world()
        .get::<Transform>(squad)
        .unwrap()
        .compute_affine()
        .inverse()
        .transform_point3(centre(0, 0).extend(0.0));
    let soldier = agent(&mut app, 0, 0, 96.0);
    app.world_mut().entity_mut(soldier).insert((Transform::from_translation(local), ChildOf(squad)));
    order(&mut app, soldier, 59, 0);
    for _ in 0..40 {
        app.update();
    }
    let mut last = global(&app, soldier);
    for _ in 0..144 {
        app.update();
        let now = global(&app, soldier);
        assert!((now.distance(last) - 96.0 / 144.0).abs() < 0.02, "{}", now.distance(last));
        assert!((now.y - centre(0, 0).y).abs() < 1e-3);
        last = now;
    }
}

#[test]
fn cancelled_agent_stops_at_once() {
    let mut app = app();
    frames(&mut app, 144.0);
    open_map(&mut app, 20, 1);
    let soldier = agent(&mut app, 0, 0, 96.0);
    order(&mut app, soldier, 19, 0);
    for _ in 0..50 {
        app.update();
    }
    let before = drawn(&app, soldier);
    app.world_mut().entity_mut(soldier).remove::<PathRequest>();
    for _ in 0..10 {
        app.update();
    }
    // Not farther than the step that was already being drawn.
    assert!(drawn(&app, soldier).distance(before) <= 96.0 / 64.0 + 1e-3);
    assert_eq!(global(&app, soldier), drawn(&app, soldier));
}

#[test]
fn agent_that_gets_another_parent_in_a_tick_is_drawn_where_it_was() {
    for is_in_place in [true, false] {
        let mut app = app();
        frames(&mut app, 144.0);
        open_map(&mut app, 40, 1);
        let [ship, quay] = [100.0, -200.0].map(|x| {
            let turned = Transform::from_xyz(x, 30.0, 0.0).with_rotation(Quat::from_rotation_z(x));
            app.world_mut().spawn(turned).id()
        });
        let soldier = agent(&mut app, 0, 0, 96.0);
        app.world_mut().entity_mut(soldier).insert(ChildOf(ship));
        app.update();
        let there = app.world().get::<GlobalTransform>(ship).expect("it has a place").affine().inverse();
        let start = there.transform_point3(centre(0, 0).extend(0.0));
        app.world_mut().entity_mut(soldier).insert(Transform::from_translation(start));
        order(&mut app, soldier, 39, 0);
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
        let observer = app.world_mut().add_observer(boards).id();
        let mut last = None;
        for _ in 0..60 {
            app.update();
            let now = global(&app, soldier);
            if let Some(last) = last.replace(now) {
                let step = now.distance(last);
                assert!(step < 3.0, "{step} world units in a frame, in place: {is_in_place}");
            }
            if app.world().get::<ChildOf>(soldier) == Some(&ChildOf(quay)) {
                app.world_mut().try_despawn(observer).ok();
            }
        }
        assert_eq!(app.world().get::<ChildOf>(soldier), Some(&ChildOf(quay)));
    }
}

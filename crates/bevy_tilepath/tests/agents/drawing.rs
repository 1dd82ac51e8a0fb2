//! Positions on the screen between fixed steps.

use std::time::Duration;

use bevy::{ecs::entity::EntityHashMap, prelude::*, time::TimeUpdateStrategy, transform::TransformPlugin};
use bevy_tilepath::{
    PathAgent, PathRequest, PathStatus, TilepathPlugin, TilepathState, TilepathSystems,
    events::PathPointReached, queries::WhyNot,
};

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

/// Draws units at whole pixels.
fn round(mut units: Query<&mut Transform, With<PathAgent>>) {
    for mut at in &mut units {
        at.translation = at.translation.round();
    }
}

/// Draws units that bob up and down.
fn bob(mut units: Query<&mut Transform, With<PathAgent>>, time: Res<Time>) {
    for mut at in &mut units {
        at.translation.y += 0.02 * (12.0 * time.elapsed_secs()).sin();
    }
}

#[test]
fn rounding_and_bobs_of_the_drawn_place_change_nothing() {
    let walk = |speed: f32, hertz: f64, draw: fn(&mut Game)| {
        let (mut game, _) = Game::open(20, 20);
        frames(&mut game, hertz);
        let unit = game.ordered_agent((0, 0), speed, (9, 5));
        // A write before the first tick is the place where the unit begins.
        while game.status(unit) != PathStatus::Following {
            game.update();
        }
        draw(&mut game);
        let mut walk = Vec::new();
        while game.is_ordered(unit) {
            let before = game.position(unit);
            game.update();
            if game.position(unit) != before {
                walk.push(game.position(unit));
            }
            assert!(walk.len() < 2000);
        }
        for _ in 0..200 {
            game.update();
        }
        assert_eq!(game.position(unit), centre(9, 5));
        assert!(game.drawn(unit).distance(centre(9, 5)) < 1.0);
        walk
    };
    for speed in [20.0, 90.0] {
        let plain = walk(speed, 64.0, |_| ());
        for hertz in [64.0, 144.0] {
            let rounded = walk(speed, hertz, |game| _ = game.add_systems(PostUpdate, round));
            assert!(rounded == plain, "rounded at {hertz} Hz");
            let bobbing = walk(speed, hertz, |game| _ = game.add_systems(PostUpdate, bob));
            assert!(bobbing == plain, "bobbing at {hertz} Hz");
        }
    }
}

#[test]
fn rounded_drawing_is_not_in_the_state() {
    let (mut old, _) = Game::open(20, 20);
    old.add_systems(PostUpdate, round);
    frames(&mut old, 100.0);
    let unit = old.ordered_agent((0, 0), 20.0, (9, 5));
    for _ in 0..100 {
        old.update();
    }
    assert_ne!(old.position(unit), old.drawn(unit));
    let mut entities = EntityHashMap::default();
    let state = TilepathState::take(old.world_mut()).expect("no tick is running");
    let mut new = Game::new();
    state.put(new.world_mut(), &mut entities).expect("the world has room");
    let start = old.position(unit);
    let [old, new] = [(old, unit), (new, entities[&unit])].map(|(mut game, unit)| {
        let mut walk = vec![start];
        while walk.len() < 40 {
            game.update();
            walk.push(game.position(unit));
            walk.dedup();
        }
        walk
    });
    assert_eq!(old, new);
}

#[test]
fn small_pushes_of_the_drawn_place_add_up_for_a_unit_at_rest() {
    let push = |mut units: Query<&mut Transform, With<PathAgent>>| {
        for mut at in &mut units {
            at.translation.x += 0.3;
        }
    };
    for (is_drawn, has_walked) in [(true, false), (true, true), (false, true)] {
        let (mut game, _) = Game::open(20, 5);
        let unit = game.agent(1, 1, 320.0);
        if has_walked {
            game.order_to(unit, 2, 1);
            game.run_until_quiet(20);
            game.ticks(2);
        }
        let start = game.drawn(unit);
        if is_drawn {
            game.add_systems(Update, push);
        } else {
            game.add_systems(FixedUpdate, push.before(TilepathSystems::SyncMaps));
        }
        game.ticks(161);
        let moved = game.drawn(unit).x - start.x;
        assert!((moved - 48.0).abs() < 1.0, "{is_drawn} {has_walked}: moved by {moved}");
        game.order_to(unit, 10, 1);
        game.tick();
        let x = (start.x / CELL) as i32 + 3;
        assert_eq!(game.cell_path(unit).start().x, x, "{is_drawn} {has_walked}");
    }
}

#[test]
fn unit_that_is_put_back_in_any_schedule_is_held_and_warned_of_once() {
    /// Draws units at the centres of cells.
    fn snap(mut units: Query<&mut Transform, With<PathAgent>>) {
        for mut at in &mut units {
            let cell = (at.translation.truncate() / CELL).floor();
            at.translation = centre(cell.x as i32, cell.y as i32).extend(3.0);
        }
    }
    let schedules: [fn(&mut Game); 3] = [
        |game| _ = game.add_systems(PostUpdate, snap),
        |game| _ = game.add_systems(Update, snap),
        |game| _ = game.add_systems(FixedPostUpdate, snap),
    ];
    for (number, add) in schedules.into_iter().enumerate() {
        for speed in [10.0, 40.0, 160.0, 500.0] {
            let (mut game, _) = Game::open(20, 3);
            add(&mut game);
            let unit = game.ordered_agent((0, 1), speed, (19, 1));
            let logs = game.logs_of_ticks(200);
            assert_eq!(game.why_not(unit), Some(WhyNot::PutBack), "schedule {number}, speed {speed}");
            assert_eq!(game.status(unit), PathStatus::Following);
            let warnings = logs.iter().filter(|log| log.contains("Transform")).count();
            assert_eq!((warnings, logs.len()), (1, 1), "schedule {number}, speed {speed}: {logs:?}");
        }
    }
}

#[test]
fn child_in_a_scaled_space_has_cells_of_that_space() {
    for scale in [0.1, 8.0] {
        let mut game = Game::new();
        game.open_map(20, 3);
        game.add_systems(PostUpdate, move |mut units: Query<&mut Transform, With<PathAgent>>| {
            for mut at in &mut units {
                // Three hundredths of a cell in the world.
                at.translation.y += 0.03 * CELL / scale;
            }
        });
        let parent = game.world_mut().spawn(Transform::from_scale(Vec3::splat(scale))).id();
        let start = centre(0, 1) / scale;
        let unit = game.agent_at(start, 40.0);
        game.world_mut().entity_mut(unit).insert(ChildOf(parent));
        game.order_to(unit, 19, 1);
        game.ticks(100);
        assert!((game.position(unit).y * scale - centre(0, 1).y).abs() < 1e-3, "scale {scale}");
        assert!((game.position(unit).x - start.x) * scale > 60.0, "scale {scale}");
    }
}

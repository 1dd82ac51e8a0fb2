//! Walking: speed, step lengths, arrival, pause.

use bevy::prelude::*;
use bevy_tilepath::{
    Cell, Diagonals, Motion, PathAgent, PathRequest, PathStatus, events::PathPointReached, tilepath::Grid,
};

use crate::harness::*;

/// Returns the position of an agent that has walked this far along a line.
fn along(line: &[Vec2], mut distance: f64) -> Vec2 {
    for pair in line.windows(2) {
        let (from, to) = (pair[0].as_dvec2(), pair[1].as_dvec2());
        let length = from.distance(to);
        if distance < length {
            return from.lerp(to, distance / length).as_vec2();
        }
        distance -= length;
    }
    line[line.len() - 1]
}

fn length(line: &[Vec2]) -> f64 {
    line.windows(2).map(|pair| pair[0].as_dvec2().distance(pair[1].as_dvec2())).sum()
}

const BEND: &str = "
    ......
    .####.
    .####.
    .####.
    ......
";

#[test]
fn no_distance_is_lost_at_any_speed_and_step_length() {
    for speed in [0.3, 1.0, 7.0, 64.0, 96.0, 100.0, 333.3, 1000.0, 12345.6, 1e6] {
        for seconds in [1.0 / 1000.0, 1.0 / 144.0, 1.0 / 64.0, 1.0 / 60.0, 0.1, 0.25, 1.0, 10.0] {
            let mut game = Game::long_steps();
            game.map(BEND);
            // The map lies far from the origin. There, rounding swallows small steps that are added
            // to a position.
            let far = Vec2::new(65_536.0, -32_768.0);
            let mut maps = game.world_mut().query_filtered::<Entity, With<bevy_tilepath::NavMap>>();
            let map = maps.single(game.world()).unwrap();
            game.world_mut().entity_mut(map).insert(Transform::from_translation(far.extend(0.0)));
            let soldier = game.agent_at(centre(1, 4) + far + Vec2::new(2.0, -3.0), speed);
            game.order_to(soldier, 4, 0);
            let stride = f64::from(speed) * seconds;

            game.step(0.0);
            let mut line = vec![game.position(soldier)];
            line.extend(&game.path(soldier).points()[game.path(soldier).next_point()..]);
            let whole = length(&line);
            let steps = ((whole / stride).ceil() as usize).min(400);
            for n in 1..=steps {
                game.step(seconds);
                let expected = along(&line, stride * n as f64);
                let error = game.position(soldier).distance(expected);
                assert!(error <= 0.02, "wrong by {error} after {n} steps of {seconds} s at {speed}");
            }
            if (whole / stride).ceil() as usize == steps {
                assert_eq!(game.status(soldier), PathStatus::Arrived, "{seconds} s at {speed}");
                assert_eq!(game.position(soldier), centre(4, 0) + far);
            }
        }
    }
}

#[test]
fn arrival_takes_exactly_as_many_steps_as_the_way_is_long() {
    for (speed, steps) in [(16.0, 5), (20.0, 4), (40.0, 2), (79.0, 2), (80.0, 1), (1e9, 1)] {
        let mut game = Game::long_steps();
        game.open_map(6, 1);
        let soldier = game.ordered_agent((0, 0), speed, (5, 0));
        for n in 1..=steps {
            assert_ne!(game.status(soldier), PathStatus::Arrived, "step {n} at {speed}");
            game.step(1.0);
        }
        assert_eq!(game.status(soldier), PathStatus::Arrived, "{speed}");
        game.step(10.0);
        let arrivals = game.told().iter().filter(|told| matches!(told.1, Told::Arrived(_))).count();
        assert_eq!(arrivals, 1);
        assert_eq!(game.position(soldier), centre(5, 0));
    }
}

#[test]
fn odd_speeds_stand_still_or_arrive_at_once() {
    let (mut game, _) = Game::open(8, 8);
    for speed in [0.0, -0.0, -5.0, f32::NAN, f32::NEG_INFINITY] {
        let soldier = game.ordered_agent((2, 2), speed, (7, 7));
        game.ticks(5);
        assert_eq!(game.position(soldier), centre(2, 2), "{speed}");
        assert_eq!(game.status(soldier), PathStatus::Following);
        assert_eq!(game.world().get::<Motion>(soldier).unwrap().velocity, Vec2::ZERO);
    }
    let flash = game.ordered_agent((2, 2), f32::INFINITY, (7, 6));
    game.tick();
    assert_eq!(game.position(flash), centre(7, 6));
    assert_eq!(game.status(flash), PathStatus::Arrived);
    assert_eq!(game.world().get::<Motion>(flash).unwrap().velocity, Vec2::ZERO);
}

#[test]
fn motion_is_a_number_at_infinite_speed_too() {
    let mut game = Game::long_steps();
    game.open_map(4, 1);
    let soldier = game.agent(0, 0, f32::INFINITY);
    game.add_observer(|on: On<PathPointReached>, motions: Query<&Motion>| {
        assert!(motions.get(on.entity).unwrap().velocity.is_finite());
    });
    game.order_to(soldier, 3, 0);
    game.step(1.0);
    assert_eq!(game.status(soldier), PathStatus::Arrived);
    let motion = *game.world().get::<Motion>(soldier).unwrap();
    assert_eq!(motion, Motion { velocity: Vec2::ZERO, facing: Vec2::X });
}

#[test]
fn infinite_speed_takes_no_time_at_all() {
    let mut game = Game::long_steps();
    game.open_map(8, 8);
    let flash = game.ordered_agent((2, 2), f32::INFINITY, (7, 6));
    game.step(0.0);
    assert_eq!((game.position(flash), game.status(flash)), (centre(7, 6), PathStatus::Arrived));
    assert_eq!(game.world().get::<Motion>(flash).unwrap().velocity, Vec2::ZERO);
}

#[test]
fn speed_that_is_a_mistake_is_said_once_and_names_the_agent() {
    let mut game = Game::long_steps();
    game.open_map(8, 1);
    let [slow, still, held] = [f32::NAN, -3.0, 0.0].map(|speed| game.agent(0, 0, speed));
    for soldier in [slow, still, held] {
        game.order_to(soldier, 7, 0);
    }
    let run = |game: &mut Game| {
        logs_of(|| {
            game.steps(5, 0.1);
        })
    };
    let logs = run(&mut game);
    assert_eq!(logs.len(), 2, "{logs:?}");
    for (soldier, speed) in [(slow, "NaN"), (still, "-3")] {
        let names = |log: &&String| log.contains(&soldier.to_string()) && log.contains(speed);
        assert_eq!(logs.iter().filter(names).count(), 1, "{logs:?}");
    }
    assert_eq!(run(&mut game), Vec::<String>::new());
    // The warning comes again if the speed is corrected and made wrong again.
    game.world_mut().get_mut::<PathAgent>(slow).unwrap().speed = 1.0.into();
    assert_eq!(run(&mut game), Vec::<String>::new());
    assert_eq!(game.status(slow), PathStatus::Following);
    game.world_mut().get_mut::<PathAgent>(slow).unwrap().speed = (-1.0).into();
    assert_eq!(run(&mut game).len(), 1);
}

#[test]
fn speed_is_read_again_in_every_tick() {
    let mut game = Game::long_steps();
    game.open_map(8, 1);
    let soldier = game.ordered_agent((0, 0), 16.0, (7, 0));
    for (speed, x) in [(16.0, 1.5), (32.0, 3.5), (0.0, 3.5), (8.0, 4.0)] {
        game.world_mut().get_mut::<PathAgent>(soldier).unwrap().speed = speed.into();
        game.step(1.0);
        assert_eq!(game.position(soldier), Vec2::new(x, 0.5) * CELL);
    }
}

#[test]
fn pause_holds_and_goes_on() {
    let (mut game, _) = Game::open(8, 1);
    let soldier = game.ordered_agent((0, 0), 160.0, (7, 0));
    game.ticks(7);
    let held = game.position(soldier);
    game.world_mut().get_mut::<PathAgent>(soldier).unwrap().paused = true;
    for _ in 0..7 {
        game.tick();
        assert_eq!((game.position(soldier), game.status(soldier)), (held, PathStatus::Paused));
        assert_eq!(game.world().get::<Motion>(soldier).unwrap().velocity, Vec2::ZERO);
    }
    game.world_mut().get_mut::<PathAgent>(soldier).unwrap().paused = false;
    game.tick();
    assert_eq!(game.status(soldier), PathStatus::Following);
    assert_eq!(game.position(soldier), held + Vec2::new(2.5, 0.0));
    game.run_until_quiet(100);
    assert!(matches!(game.told_of(soldier)[..], [Told::Found { .. }, Told::Arrived(_)]));
}

#[test]
fn order_to_a_paused_agent_is_answered_and_kept() {
    let (mut game, _) = Game::open(8, 1);
    let soldier = game.agent(0, 0, 160.0);
    game.world_mut().get_mut::<PathAgent>(soldier).unwrap().paused = true;
    game.order_to(soldier, 7, 0);
    game.tick();
    assert_eq!(game.status(soldier), PathStatus::Paused);
    assert!(matches!(game.told_of(soldier)[..], [Told::Found { .. }]));
}

#[test]
fn motion_tells_velocity_and_facing() {
    let (mut game, _) = Game::drawn_as("..\n..");
    let soldier = game.agent(0, 0, 64.0);
    let motion = |game: &Game| *game.world().get::<Motion>(soldier).unwrap();
    assert_eq!(motion(&game), Motion { velocity: Vec2::ZERO, facing: Vec2::NEG_Y });
    game.order_to(soldier, 1, 1);
    game.tick();
    let diagonal = Vec2::ONE.normalize();
    assert!(motion(&game).velocity.distance(64.0 * diagonal) < 1e-4);
    assert!(motion(&game).facing.distance(diagonal) < 1e-6);
    game.run_until_quiet(100);
    assert_eq!(motion(&game).velocity, Vec2::ZERO);
    assert!(motion(&game).facing.distance(diagonal) < 1e-6);
    game.order_to(soldier, 0, 1);
    game.tick();
    assert_eq!(motion(&game), Motion { velocity: Vec2::new(-64.0, 0.0), facing: Vec2::NEG_X });
    game.world_mut().entity_mut(soldier).remove::<PathRequest>();
    assert_eq!(motion(&game), Motion { velocity: Vec2::ZERO, facing: Vec2::NEG_X });
}

#[test]
fn waypoints_are_told_in_order_and_once() {
    for seconds in [0.01, 0.3, 10.0] {
        let mut game = Game::long_steps();
        game.map(BEND);
        let soldier = game.agent_at(centre(0, 0) + 5.0, 64.0);
        game.order_to(soldier, 5, 3);
        let mut steps = 0;
        while game.status(soldier) != PathStatus::Arrived {
            game.step(seconds);
            steps += 1;
            assert!(steps < 1000);
        }
        let cells = game.cell_path(soldier).cells()[1..].to_vec();
        let told: Vec<Told> = game.told().into_iter().map(|told| told.1).collect();
        let reached: Vec<Told> = cells.iter().map(|&cell| Told::Reached(cell)).collect();
        assert_eq!(told[1..=cells.len()], reached);
        assert_eq!(told[cells.len() + 1..], [Told::Arrived(Cell::new(5, 3))]);
    }
}

#[test]
fn only_x_and_y_are_written() {
    let (mut game, _) = Game::open(8, 8);
    let soldier = game.agent(0, 0, 160.0);
    let tilted = Quat::from_rotation_x(0.3);
    *game.world_mut().get_mut::<Transform>(soldier).unwrap() =
        Transform { translation: centre(0, 0).extend(7.5), rotation: tilted, scale: Vec3::splat(2.0) };
    game.order_to(soldier, 5, 3);
    game.run_until_quiet(100);
    game.tick(); // draws the agent at its last position
    let at = *game.world().get::<Transform>(soldier).unwrap();
    let expected =
        Transform { translation: centre(5, 3).extend(7.5), rotation: tilted, scale: Vec3::splat(2.0) };
    assert_eq!(at, expected);
}

#[test]
fn remaining_cost_and_cells_shrink_along_the_way() {
    let (mut game, _) = Game::drawn_as("1234");
    let soldier = game.ordered_agent((0, 0), 256.0, (3, 0));
    let mut seen = Vec::new();
    while game.status(soldier) != PathStatus::Arrived {
        game.tick();
        let path = game.path(soldier);
        seen.push((path.remaining_cells().len(), path.remaining_cost().get()));
    }
    seen.dedup();
    assert_eq!(seen, [(3, 90), (2, 70), (1, 40), (0, 0)]);
}

#[test]
fn patrol_goes_on_from_inside_arrived() {
    let (mut game, _) = Game::open(8, 1);
    let soldier = game.agent(0, 0, 640.0);
    game.world_mut().entity_mut(soldier).observe(
        |on: On<bevy_tilepath::events::Arrived>, mut commands: Commands| {
            let next = if on.place == Cell::new(0, 0).into() { 7 } else { 0 };
            commands.entity(on.entity).insert(PathRequest::to_cell(Cell::new(next, 0)));
        },
    );
    game.order_to(soldier, 7, 0);
    game.ticks(200);
    let told = game.told_of(soldier);
    assert!(told.len() > 20, "{told:?}");
    for (n, told) in told.iter().enumerate() {
        let cell = Cell::new(if n / 2 % 2 == 0 { 7 } else { 0 }, 0);
        match n % 2 {
            0 => assert_eq!(*told, Told::Found { goal: cell, cost: 70, partial: false }),
            _ => assert_eq!(*told, Told::Arrived(cell)),
        }
    }
}

#[test]
fn order_half_way_turns_round_on_the_spot() {
    let mut game = Game::long_steps();
    game.map_of(Grid::new(9, 9, 1).unwrap(), Diagonals::OnlyWhenNoObstacles);
    for (there, back) in [((8, 4), (0, 4)), ((8, 8), (0, 0)), ((4, 0), (4, 8))] {
        for steps in 1..12 {
            let soldier = game.ordered_agent((4, 4), 32.0, (there.0, there.1));
            game.steps(steps, 0.1);
            let turned = game.position(soldier);
            game.order_to(soldier, back.0, back.1);
            game.step(0.1);
            let towards = centre(back.0, back.1) - turned;
            let walked = game.position(soldier) - turned;
            assert!((walked.length() - 3.2).abs() < 1e-3);
            assert!(
                walked.normalize().dot(towards.normalize()) > 0.9999,
                "{there:?} after {steps}: {walked}"
            );
            game.world_mut().despawn(soldier);
        }
    }
}

#[test]
fn repeated_orders_to_changing_goals_ahead_do_not_slow_him_down() {
    let mut game = Game::long_steps();
    game.open_map(40, 3);
    let soldier = game.agent(0, 1, 32.0);
    for n in 0..60 {
        // Both goals are far ahead in one row. For both, the path leads straight on.
        game.order_to(soldier, 38 + n % 2, 1);
        game.step(0.1);
        let expected = centre(0, 1).x + 3.2 * (n + 1) as f32;
        assert!((game.position(soldier).x - expected).abs() < 0.01, "order {n}");
    }
}

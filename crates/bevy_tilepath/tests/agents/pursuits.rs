//! Agents with orders to each other, or to themselves.

use bevy::prelude::*;
use bevy_tilepath::{
    Body, Cell, Cost, Motion, PathAgent, PathGoal, PathRequest, PathStatus, Stepwise, agents::Drive,
};

use crate::harness::*;

const ENDS: [(i32, i32); 12] =
    [(1, 0), (2, 0), (3, 0), (4, 0), (5, 0), (10, 0), (11, 0), (1, 1), (39, 39), (38, 7), (7, 5), (12, 11)];

/// The number of steps from one cell to the other, with diagonals.
fn steps(game: &Game, a: Entity, b: Entity) -> i32 {
    let (a, b) = (game.cell_at(a), game.cell_at(b));
    (a.x - b.x).abs().max((a.y - b.y).abs())
}

/// Ticks until no order is left. Fails if an order does not end once, with `Arrived`. Returns the
/// number of replans.
#[track_caller]
fn run_to_arrivals(game: &mut Game, units: &[Entity], most: usize) -> usize {
    game.run_until_quiet(most);
    let told = game.told();
    for &unit in units {
        let arrived = told.iter().filter(|(who, what)| *who == unit && matches!(what, Told::Arrived(_)));
        assert_eq!(arrived.count(), 1, "{told:?}");
        assert_eq!(game.status(unit), PathStatus::Arrived);
    }
    told.iter().filter(|(_, what)| matches!(what, Told::Replanned { .. })).count()
}

type Goal = fn(Entity) -> PathGoal;

#[test]
fn two_that_go_to_each_other_meet_at_any_distance() {
    let goals: [(Goal, Goal); 5] = [
        (PathGoal::Entity, PathGoal::Entity),
        (PathGoal::beside, PathGoal::beside),
        (|unit| PathGoal::within(unit, 1.5), |unit| PathGoal::within(unit, 1.5)),
        (PathGoal::Entity, PathGoal::beside),
        (|unit| PathGoal::within(unit, 0.0), PathGoal::Entity),
    ];
    for end in ENDS {
        for (number, (first, second)) in goals.into_iter().enumerate() {
            for bodies in [[false, false], [true, true], [true, false], [false, true]] {
                if bodies == [true, true] && number == 4 {
                    // A body never comes onto the cell of another.
                    continue;
                }
                let (mut game, _) = Game::open(40, 40);
                let [a, b] = [(0, 0), end].map(|(x, y)| game.agent(x, y, 128.0));
                for (unit, _) in [a, b].into_iter().zip(bodies).filter(|(_, body)| *body) {
                    game.world_mut().entity_mut(unit).insert(Body::default());
                }
                game.order(a, PathRequest::to(first(b)));
                game.order(b, PathRequest::to(second(a)));
                let replans = run_to_arrivals(&mut game, &[a, b], 400);
                assert!(steps(&game, a, b) <= 1, "{end:?}, goals {number}, bodies {bodies:?}");
                let is_line = end.1 == 0 || end.0 == end.1;
                assert!(
                    number > 0 || !is_line || replans <= 6,
                    "{end:?}, bodies {bodies:?}: {replans} replans"
                );
            }
        }
    }
}

#[test]
fn three_in_a_ring_meet() {
    let rings = [[(0, 0), (1, 0), (0, 1)], [(0, 0), (5, 0), (2, 7)], [(0, 0), (39, 39), (38, 7)]];
    let goals: [Goal; 3] = [PathGoal::Entity, PathGoal::beside, |unit| PathGoal::within(unit, 2.0)];
    for ring in rings {
        for goal in goals {
            let (mut game, _) = Game::open(40, 40);
            let units = ring.map(|(x, y)| game.agent(x, y, 128.0));
            for number in 0..3 {
                game.order(units[number], PathRequest::to(goal(units[(number + 1) % 3])));
            }
            run_to_arrivals(&mut game, &units, 800);
            assert!(units.iter().all(|&unit| steps(&game, unit, units[0]) <= 4));
        }
    }
}

#[test]
fn two_of_any_speed_meet() {
    for (first, second) in [(16.0, 128.0), (128.0, 16.0), (128.0, 3000.0), (5000.0, 3000.0), (9000.0, 9000.0)]
    {
        for distance in [1, 2, 7, 30] {
            let (mut game, _) = Game::open(40, 3);
            let (a, b) = (game.agent(0, 1, first), game.agent(distance, 1, second));
            game.order(a, PathRequest::to(b));
            game.order(b, PathRequest::to(a));
            run_to_arrivals(&mut game, &[a, b], 3000);
            assert!(steps(&game, a, b) <= 1, "{first} and {second}, {distance} cells");
        }
    }
}

#[test]
fn two_that_follow_each_other_stand_on_one_cell() {
    let (mut game, _) = Game::open(20, 3);
    let (a, b) = (game.agent(0, 1, 128.0), game.agent(7, 1, 128.0));
    game.order(a, PathRequest::to(b).following());
    game.order(b, PathRequest::to(a).following());
    game.ticks(300);
    assert_eq!(game.position(a), game.position(b));
    let here = game.position(a);
    game.ticks(50);
    assert_eq!((game.position(a), game.position(b)), (here, here), "they stand");
}

#[test]
fn one_goes_on_to_another_that_is_paused_or_replaced_its_order() {
    for is_paused in [false, true] {
        let (mut game, _) = Game::open(20, 3);
        let (a, b) = (game.agent(0, 1, 128.0), game.agent(9, 1, 128.0));
        game.order(a, PathRequest::to(b));
        game.order(b, PathRequest::to(a));
        game.tick_until(300, |game| steps(game, a, b) <= 2);
        if is_paused {
            game.world_mut().get_mut::<PathAgent>(b).expect("it is an agent").paused = true;
        } else {
            game.order_to(b, 19, 1);
        }
        game.tick_until(400, |game| !game.is_ordered(a));
        assert!(steps(&game, a, b) <= 1, "paused: {is_paused}");
    }
}

#[test]
fn stepwise_agents_that_go_to_each_other_meet() {
    for is_animated in [false, true] {
        for distance in [1, 2, 3, 6, 9] {
            let (mut game, _) = Game::open(20, 3);
            let units = [0, distance].map(|x| game.agent(x, 1, 128.0));
            for (unit, target) in [(units[0], units[1]), (units[1], units[0])] {
                game.world_mut().entity_mut(unit).insert(Stepwise { steps: 0, is_animated });
                game.order(unit, PathRequest::to(target));
            }
            for _ in 0..12 {
                for unit in units {
                    game.world_mut().get_mut::<Stepwise>(unit).expect("it walks step by step").steps = 3;
                }
                game.ticks(60);
            }
            run_to_arrivals(&mut game, &units, 10);
            assert!(steps(&game, units[0], units[1]) <= 1, "{distance} cells, animated: {is_animated}");
        }
    }
}

#[test]
fn agents_that_other_code_moves_meet() {
    fn move_on(mut units: Query<(&PathAgent, &Motion, &mut Transform)>) {
        let driven = units.iter_mut().filter(|(agent, ..)| agent.drive == Drive::Velocity);
        for (_, motion, mut at) in driven {
            at.translation += (motion.velocity / 64.0).extend(0.0);
        }
    }
    for driven in [[true, true], [true, false], [false, true]] {
        for distance in [1, 2, 5, 12] {
            let (mut game, _) = Game::open(20, 3);
            game.add_systems(FixedPostUpdate, move_on);
            let units = [0, distance].map(|x| game.agent(x, 1, 96.0));
            for (&unit, _) in units.iter().zip(driven).filter(|(_, driven)| *driven) {
                game.world_mut().get_mut::<PathAgent>(unit).expect("it is an agent").drive = Drive::Velocity;
            }
            game.order(units[0], PathRequest::to(units[1]));
            game.order(units[1], PathRequest::to(units[0]));
            run_to_arrivals(&mut game, &units, 800);
            assert!(steps(&game, units[0], units[1]) <= 1, "{driven:?}, {distance} cells");
        }
    }
}

#[test]
fn agent_that_goes_near_to_itself_has_arrived() {
    let goals: [Goal; 4] = [
        PathGoal::beside,
        |unit| PathGoal::within(unit, 3.0),
        |unit| PathGoal::in_sight(unit, 3.0),
        |unit| PathGoal::flee([unit], 6.0, Cost::new(400)),
    ];
    for goal in goals {
        for is_body in [false, true] {
            let (mut game, _) = Game::open(20, 20);
            let unit = if is_body { game.body(7, 9, 96.0) } else { game.agent(7, 9, 96.0) };
            game.order(unit, PathRequest::to(goal(unit)));
            run_to_arrivals(&mut game, &[unit], 3);
            assert_eq!(game.position(unit), centre(7, 9));
        }
    }
}

#[test]
fn stop_beside_itself_is_where_the_stop_before_it_is() {
    let (mut game, _) = Game::open(20, 20);
    let unit = game.agent(2, 2, 96.0);
    let (there, last) = (Cell::new(9, 2), Cell::new(9, 7));
    game.order(unit, PathRequest::to_cell(there).then(PathGoal::beside(unit)).then(last));
    let mut places = Vec::new();
    game.tick_until(600, |game| {
        places.push(game.cell_at(unit));
        !game.is_ordered(unit)
    });
    places.dedup();
    let walked: Vec<Cell> =
        (2..=9).map(|x| Cell::new(x, 2)).chain((3..=7).map(|y| Cell::new(9, y))).collect();
    assert_eq!(places, walked);
}

#[test]
fn agent_that_flees_from_itself_and_a_wolf_flees_from_the_wolf() {
    let (mut game, _) = Game::open(30, 5);
    let (deer, wolf) = (game.agent(10, 2, 96.0), game.thing(9, 2));
    game.order(deer, PathRequest::to(PathGoal::flee([deer, wolf], 8.0, Cost::new(400))));
    run_to_arrivals(&mut game, &[deer], 600);
    assert!(steps(&game, deer, wolf) >= 8);
}

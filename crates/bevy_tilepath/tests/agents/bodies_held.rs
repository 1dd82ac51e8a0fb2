//! Bodies that may not begin a step, and bodies that wait for them.

use bevy::prelude::*;
use bevy_tilepath::{
    Body, Cell, Motion, NavMap, OnMap, PathAgent, PathFailure, PathRequest, PathStatus, Stepwise,
    agents::BodyPatience,
    queries::WhyNot,
    tilepath::crowd::{Patience, Policy},
};

use crate::harness::*;

#[test]
fn why_not_gives_bodies_the_same_reasons() {
    type Hold = fn(&mut World, Entity);
    let holds: [(Hold, Hold, WhyNot); 3] = [
        (
            |world, unit| world.get_mut::<PathAgent>(unit).unwrap().speed = 0.0.into(),
            |world, unit| world.get_mut::<PathAgent>(unit).unwrap().speed = 32.0.into(),
            WhyNot::NoSpeed,
        ),
        (
            |world, unit| {
                world.entity_mut(unit).insert(Stepwise::default());
            },
            |world, unit| {
                world.entity_mut(unit).remove::<Stepwise>();
            },
            WhyNot::NoSteps,
        ),
        (
            |world, unit| world.get_mut::<PathAgent>(unit).unwrap().paused = true,
            |world, unit| world.get_mut::<PathAgent>(unit).unwrap().paused = false,
            WhyNot::Paused,
        ),
    ];
    for is_body in [false, true] {
        for (hold, let_go, why) in holds {
            let (mut game, _) = Game::open(40, 6);
            let unit = game.agent(1, 1, 32.0);
            if is_body {
                game.world_mut().entity_mut(unit).insert(Body::default());
            }
            game.order_to(unit, 38, 3);
            hold(game.world_mut(), unit);
            game.ticks(20);
            assert_eq!(game.why_not(unit), Some(why), "body {is_body}");
            let_go(game.world_mut(), unit);
            let before = game.position(unit);
            game.ticks(20);
            assert!(game.position(unit) != before, "body {is_body}: it must move, because {why:?} is over");
            assert_eq!(game.why_not(unit), None, "body {is_body}: it walks");
        }
    }
}

#[test]
fn why_not_is_of_the_walker_that_it_is_now() {
    let (mut game, _) = Game::open(40, 6);
    let unit = game.ordered_agent((1, 1), 0.0, (38, 3));
    game.ticks(20);
    assert_eq!(game.why_not(unit), Some(WhyNot::NoSpeed));
    game.world_mut().entity_mut(unit).insert(Body::default());
    game.world_mut().get_mut::<PathAgent>(unit).unwrap().speed = 32.0.into();
    game.ticks(20);
    assert_eq!(game.why_not(unit), None);
}

#[test]
fn one_that_would_cross_the_step_of_a_held_one_waits_by_its_patience() {
    let (mut game, _) = Game::drawn_as(
        "
        ####
        #..#
        #..#
        ####
        ",
    );
    let (held, other) = (game.body(1, 1, 32.0), game.body(2, 1, 64.0));
    game.order_to(held, 2, 2);
    game.ticks(12);
    game.world_mut().get_mut::<PathAgent>(held).unwrap().paused = true;
    game.order_to(other, 1, 2);
    game.ticks(30);
    assert_eq!(
        game.body_news().waits.iter().map(|&(who, by, _)| (who, by)).collect::<Vec<_>>(),
        [(other, held)]
    );
    assert_eq!(game.why_not(other), Some(WhyNot::WaitingFor { by: held }));
    game.ticks(60);
    assert_eq!(game.body_news().lost, [(other, PathFailure::Blocked { by: held })]);
}

#[test]
fn one_that_would_cross_the_step_of_a_held_one_goes_round() {
    let (mut game, _) = Game::open(6, 6);
    let (held, other) = (game.body(1, 1, 32.0), game.body(2, 1, 64.0));
    game.order_to(held, 2, 2);
    game.ticks(12);
    game.world_mut().get_mut::<PathAgent>(held).unwrap().paused = true;
    game.order_to(other, 1, 2);
    game.ticks(300);
    assert_eq!((game.status(other), game.position(other)), (PathStatus::Arrived, centre(1, 2)));
}

#[test]
fn a_map_is_no_body_on_itself() {
    let (mut game, map) = Game::open(10, 10);
    let warnings = logs_of(|| {
        game.world_mut().entity_mut(map).insert((
            PathAgent::default(),
            Body::default(),
            Transform::from_translation(centre(1, 1).extend(0.0)),
        ));
        game.order_to(map, 8, 8);
        game.ticks(400);
    });
    assert!(game.world().get::<NavMap>(map).is_some());
    assert_eq!(warnings.iter().filter(|text| text.contains("on itself")).count(), 1, "{warnings:?}");
    assert_eq!(game.position(map), centre(1, 1), "the map does not move");
    assert!(matches!(game.status(map), PathStatus::Failed(_)), "{:?}", game.status(map));
}

/// Returns a corridor with a paused body, and another one that waits for it. `WaitingFor` was
/// triggered once.
fn waiting_game() -> (Game, Entity, Entity) {
    let (mut game, _) = Game::drawn_as(
        "
        .########
        .........
        .########
        ",
    );
    let (held, other) = (game.body(5, 1, 64.0), game.body(1, 1, 64.0));
    game.world_mut().get_mut::<PathAgent>(held).expect("an agent").paused = true;
    game.world_mut().entity_mut(other).insert(PathRequest::to_cell(Cell::new(8, 1)).or_wait());
    game.ticks(120);
    assert_eq!(game.body_news().waits.len(), 1);
    assert!(game.body_news().over.is_empty());
    (game, held, other)
}

#[test]
fn a_wait_is_over_for_the_order_of_which_it_was_told_and_for_no_other() {
    let (mut game, held, other) = waiting_game();
    game.order_to(other, 0, 0);
    game.ticks(120);
    assert_eq!(game.status(other), PathStatus::Arrived);
    assert!(game.body_news().over.is_empty(), "the order that waited was replaced");
    game.world_mut().entity_mut(other).insert(PathRequest::to_cell(Cell::new(8, 1)).or_wait());
    game.ticks(200);
    assert_eq!(game.body_news().waits.len(), 2, "it waits again, and the event is triggered again");
    game.world_mut().despawn(held);
    game.ticks(200);
    assert_eq!(game.body_news().over, [other]);
    assert_eq!(game.status(other), PathStatus::Arrived);
}

#[test]
fn a_wait_is_over_when_the_agent_is_a_body_no_more() {
    let (mut game, _, other) = waiting_game();
    game.world_mut().entity_mut(other).remove::<Body>();
    game.tick();
    game.tick();
    assert_eq!(game.body_news().over, [other]);
}

#[test]
fn a_wait_is_over_when_the_way_is_blocked_by_an_edit() {
    let (mut game, _, other) = waiting_game();
    let map = game.world_mut().query_filtered::<Entity, With<NavMap>>().single(game.world()).unwrap();
    game.set_terrain(map, 7, 1, 0);
    game.ticks(20);
    assert_eq!(game.body_news().over, [other]);
    game.set_terrain(map, 7, 1, 1);
    game.ticks(200);
    assert_eq!(game.body_news().waits.len(), 2, "it waits for the other one again");
}

#[test]
fn body_that_leaves_its_map_in_a_step_has_no_velocity() {
    let (mut game, _) = Game::open(20, 4);
    let unit = game.body(1, 1, 32.0);
    game.order_to(unit, 18, 1);
    game.tick_until(200, |game| game.position(unit).x > centre(3, 1).x + 2.0);
    let velocity = |game: &Game| game.world().get::<Motion>(unit).expect("it is an agent").velocity;
    game.cancel(unit);
    game.tick();
    assert!(velocity(&game) != Vec2::ZERO, "it ends its step");
    let no_map = game.world_mut().spawn_empty().id();
    game.world_mut().entity_mut(unit).insert(OnMap(no_map));
    game.tick();
    assert_eq!(velocity(&game), Vec2::ZERO);
}

/// In a lane, bodies that have not moved for a second have a reason: behind a paused body, and where two
/// columns stand head to head.
#[test]
fn each_body_in_a_jam_has_a_reason() {
    for (width, each, is_head_on) in [(60, 40, false), (8, 4, true), (20, 4, true)] {
        let (mut game, _) = Game::open(width, 1);
        let last = width as i32 - 1;
        let mut bodies = Vec::new();
        let mut send = |game: &mut Game, x: i32, to: i32| {
            let body = game.body(x, 0, 64.0);
            let waits = BodyPatience(Patience::of([(Policy::Wait, u32::MAX)]));
            let order = PathRequest::to_cell((to, 0)).or_wait();
            game.world_mut().entity_mut(body).insert((waits, order));
            bodies.push(body);
        };
        for n in 0..each {
            send(&mut game, n, last - n);
            if is_head_on {
                send(&mut game, last - n, n);
            }
        }
        if !is_head_on {
            let stone = game.body(last - 4, 0, 64.0);
            game.order_to(stone, last, 0);
            game.tick();
            game.world_mut().get_mut::<PathAgent>(stone).expect("it is an agent").paused = true;
        }
        game.ticks(600);
        let places = |game: &Game| bodies.iter().map(|&body| game.position(body)).collect::<Vec<_>>();
        let before = places(&game);
        let mut stands = vec![true; bodies.len()];
        for _ in 0..64 {
            game.tick();
            for ((stands, before), now) in stands.iter_mut().zip(&before).zip(places(&game)) {
                *stands &= *before == now;
            }
        }
        let standing: Vec<Entity> =
            bodies.iter().zip(stands).filter(|(_, stands)| *stands).map(|(&body, _)| body).collect();
        assert!(standing.len() >= 6, "{width}: {} stand", standing.len());
        for body in standing {
            let why = game.why_not(body);
            assert!(why.is_some(), "{width}: the body at {} has no reason", game.cell_at(body));
        }
    }
}

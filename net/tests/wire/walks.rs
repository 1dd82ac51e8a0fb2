//! Units that walk on the server, as clients show them.

use std::collections::BTreeMap;

use bevy::prelude::*;
use bevy_tilepath::agents::PathOutline;
use rand::Rng;
use testkit::Seed;

use super::{
    game::{Game, SPEED},
    relay::Line,
};

const SECOND: usize = 64;

/// 5 % of the datagrams are lost, and each is under way for 100 ms.
const BAD: Line = Line { loss: 0.05, delay: 7 };

/// The picture of a client, compared with the server.
#[derive(Debug, Default)]
struct Seen {
    worst: f32,
    worst_jump: f32,
    sum: f64,
    count: usize,
    far: usize,
}

/// Lets a client order all units about, and compares what it shows in each tick.
fn walk_about(game: &mut Game, ticks: usize) -> Seen {
    let mut random = Seed::named("orders").generator();
    let mut seen = Seen::default();
    let mut before: BTreeMap<Entity, Vec2> = BTreeMap::new();
    for tick in 0..ticks {
        let units = game.units.clone();
        for (number, &unit) in units.iter().enumerate() {
            if (tick + 3 * number).is_multiple_of(5 * SECOND) {
                game.order(0, unit, Game::street(random.random()));
            }
        }
        game.tick();
        for (unit, (place, _)) in game.shown(0) {
            if let Some(&before) = before.get(&unit) {
                seen.worst_jump = seen.worst_jump.max(before.distance(place));
            }
            before.insert(unit, place);
            let Some(there) = game.place_then(0, unit) else { continue };
            let error = place.distance(there);
            seen.worst = seen.worst.max(error);
            seen.sum += f64::from(error);
            seen.count += 1;
            seen.far += usize::from(error > 0.2);
        }
    }
    seen
}

/// Joins a client, and waits until it shows all units.
fn joined(units: usize, line: Line) -> Game {
    let mut game = Game::new(units);
    game.join(line);
    game.ticks(3 * SECOND);
    assert!(game.is_connected(0));
    assert_eq!(game.shown(0).len(), units);
    game
}

#[test]
fn hundred_walkers_are_shown_where_they_were() {
    let mut game = joined(100, BAD);
    let down = game.clients[0].relay.bytes_down;
    let seen = walk_about(&mut game, 20 * SECOND);
    let rate = (game.clients[0].relay.bytes_down - down) / 20;
    assert!(rate <= 30_000, "{rate} bytes a second");
    assert!(seen.worst <= 0.2, "{seen:?}");
    assert!(seen.worst_jump <= 4.0 * SPEED / SECOND as f32, "{seen:?}");
}

#[test]
fn units_that_stand_cost_little_and_each_path_is_given_once() {
    let mut game = joined(100, BAD);
    for (number, unit) in (0_u32..).zip(game.units.clone()) {
        game.order(0, unit, Game::street(7919 * number));
    }
    game.ticks(60 * SECOND);
    let down = game.clients[0].relay.bytes_down;
    game.ticks(10 * SECOND);
    let rate = (game.clients[0].relay.bytes_down - down) / 10;
    assert!(rate <= 2_000, "{rate} bytes a second");

    let mut paths = game.clients[0].paths.clone();
    let count = paths.len();
    paths.sort_by_key(|(unit, outline)| (*unit, outline.revision));
    paths.dedup_by_key(|(unit, outline)| (*unit, outline.revision));
    assert_eq!(paths.len(), count, "no path is given twice");
    assert!(count >= 100, "{count} paths");
    for (unit, (place, outline)) in game.shown(0) {
        assert_eq!(Some(outline), game.outline(unit));
        let there = game.server.world().get::<Transform>(unit).expect("it has a place");
        assert!(place.distance(there.translation.truncate()) < 0.01);
    }
}

#[test]
fn late_joiner_shows_all_paths_within_a_second() {
    let mut game = joined(100, Line::default());
    walk_about(&mut game, 8 * SECOND);
    let late = game.join(BAD);
    while !game.is_connected(late) {
        game.tick();
    }
    game.ticks(SECOND / 2);
    let outlines =
        |game: &Game| game.units.iter().map(|&unit| game.outline(unit)).collect::<Vec<Option<PathOutline>>>();
    let before = outlines(&game);
    game.ticks(SECOND / 2);
    let (now, shown) = (outlines(&game), game.shown(late));
    let mut compared = 0;
    for ((unit, before), now) in game.units.iter().zip(before).zip(now) {
        // A path of the last moment is still under way.
        if before == now {
            assert_eq!(Some(&shown[unit].1), now.as_ref());
            compared += 1;
        }
    }
    assert!(compared > 80, "{compared} paths");
}

//! Agents that other code moves, with orders that may end on many cells.

use bevy::prelude::*;
use bevy_tilepath::{
    Cell, Cost, Motion, PathAgent, PathGoal, PathRequest, PathStatus, Place, TilepathSystems,
    agents::{Drive, PathLine},
    events::StopReached,
    queries::WhyNot,
};

use super::driven::{TICK, driven, tick_and_move, wanted};
use crate::harness::*;

/// A physics engine: circles of 0.7 cells that are kept apart.
fn push_apart(mut units: Query<(&Motion, &mut Transform), With<PathAgent>>) {
    let mut at: Vec<Vec2> =
        units.iter().map(|(motion, at)| at.translation.truncate() + motion.velocity * TICK).collect();
    for _ in 0..4 {
        for first in 0..at.len() {
            for second in 0..first {
                let apart = at[first] - at[second];
                let push = apart.normalize_or(Vec2::X) * (0.7 * CELL - apart.length()).max(0.0) / 2.0;
                at[first] += push;
                at[second] -= push;
            }
        }
    }
    for ((_, mut place), at) in units.iter_mut().zip(at) {
        place.translation = at.extend(0.0);
    }
}

fn crowd(game: &mut Game, count: i32, line: PathLine) -> Vec<Entity> {
    game.add_systems(FixedUpdate, push_apart.after(TilepathSystems::Follow));
    (0..count)
        .map(|n| {
            let unit = game.agent(2 + n % 4, 6 + n / 4, 64.0);
            let mut agent = game.world_mut().get_mut::<PathAgent>(unit).expect("it is there");
            (agent.drive, agent.line) = (Drive::Velocity, line);
            unit
        })
        .collect()
}

#[test]
fn units_anywhere_in_their_goal_region_have_arrived() {
    let centre_of = |game: &Game, unit| {
        let cell = game.cell_at(unit);
        centre(cell.x, cell.y)
    };
    for line in [PathLine::Cells, PathLine::Straight] {
        let (mut game, _) = Game::open(40, 24);
        let units = crowd(&mut game, 20, line);
        for &unit in &units {
            game.order(unit, PathRequest::to(PathGoal::within(Cell::new(30, 12), 4.0)));
        }
        game.ticks(1000);
        let mut arrived = 0;
        for &unit in &units {
            let has_arrived = game.status(unit) == PathStatus::Arrived;
            arrived += usize::from(has_arrived);
            let is_in = centre_of(&game, unit).distance(centre(30, 12)) <= 4.0 * CELL;
            assert!(has_arrived || !is_in, "{line:?}: {}", game.drawn(unit) / CELL);
        }
        assert!(arrived > 8, "{line:?}: {arrived} have arrived");
        for (unit, told) in game.told() {
            if let Told::Arrived(cell) = told {
                assert!(centre(cell.x, cell.y).distance(centre(30, 12)) <= 4.0 * CELL, "{unit}: {cell}");
            }
        }
    }
}

#[test]
fn unit_in_the_region_of_its_stop_goes_on_from_where_it_stands() {
    for line in [PathLine::Cells, PathLine::Straight] {
        let (mut game, map) = Game::open(30, 12);
        let unit = game.agent(1, 1, 100.0);
        let mut agent = game.world_mut().get_mut::<PathAgent>(unit).expect("it is there");
        (agent.drive, agent.line) = (Drive::Velocity, line);
        game.world_mut().init_resource::<StopPlaces>();
        game.world_mut()
            .add_observer(|on: On<StopReached>, mut all: ResMut<StopPlaces>| all.0.push(on.place.clone()));
        let stops = [(12, 6), (24, 6)].map(|(x, y)| Cell::new(x, y));
        let order = PathRequest::to(PathGoal::within(stops[0], 3.0))
            .then(PathGoal::beside(stops[1]))
            .then(Cell::new(28, 1));
        game.order(unit, order);
        // A push takes it into the first region, beside its path.
        for _ in 0..20 {
            tick_and_move(&mut game, map, unit, Vec2::ZERO);
        }
        game.put(unit, 13, 8);
        for _ in 0..400 {
            tick_and_move(&mut game, map, unit, Vec2::ZERO);
        }
        assert_eq!(game.status(unit), PathStatus::Arrived, "{line:?}: {}", game.drawn(unit) / CELL);
        let places: Vec<Option<Cell>> =
            game.world().resource::<StopPlaces>().0.iter().map(Place::cell).collect();
        let [first, Some(second), last] = places[..] else { panic!("{line:?}: {places:?}") };
        assert_eq!((first, last), (Some(Cell::new(13, 8)), Some(Cell::new(28, 1))), "{line:?}");
        assert!(second.x.abs_diff(24).max(second.y.abs_diff(6)) == 1, "{line:?}: {second}");
    }
}

/// The places of the stops that were reached.
#[derive(Resource, Default)]
struct StopPlaces(Vec<Place>);

#[test]
fn driven_follower_waits_anywhere_near_its_target_and_goes_on_with_it() {
    let (mut game, map) = Game::open(40, 12);
    let target = game.thing(12, 6);
    let unit = driven(&mut game, (1, 6), (2, 6));
    game.order(unit, PathRequest::to(PathGoal::within(target, 3.0)).following());
    for _ in 0..200 {
        tick_and_move(&mut game, map, unit, Vec2::ZERO);
    }
    assert_eq!((game.why_not(unit), wanted(&game, unit)), (Some(WhyNot::AtGoal), Vec2::ZERO));
    // A push to another cell of the region changes nothing.
    game.told();
    game.put(unit, 12, 8);
    for _ in 0..100 {
        tick_and_move(&mut game, map, unit, Vec2::ZERO);
        assert_eq!(wanted(&game, unit), Vec2::ZERO);
    }
    assert_eq!(game.why_not(unit), Some(WhyNot::AtGoal));
    assert_eq!(game.told_of(unit), []);
    // A push out of it, or a step of the target, lets the unit walk again.
    game.put(unit, 20, 8);
    for _ in 0..200 {
        tick_and_move(&mut game, map, unit, Vec2::ZERO);
    }
    assert!(game.drawn(unit).distance(centre(12, 6)) < 3.8 * CELL, "{}", game.drawn(unit) / CELL);
    assert_eq!(game.why_not(unit), Some(WhyNot::AtGoal));
    game.put(target, 30, 6);
    for _ in 0..300 {
        tick_and_move(&mut game, map, unit, Vec2::ZERO);
    }
    assert!(game.drawn(unit).distance(centre(30, 6)) < 3.8 * CELL, "{}", game.drawn(unit) / CELL);
    assert_eq!((game.why_not(unit), game.status(unit)), (Some(WhyNot::AtGoal), PathStatus::Following));
}

#[test]
fn driven_unit_that_stands_in_its_region_arrives_at_once_unless_it_is_held() {
    for (is_paused, goal) in [
        (false, PathGoal::within(Cell::new(6, 6), 2.0)),
        (true, PathGoal::within(Cell::new(6, 6), 2.0)),
        (false, PathGoal::flee([Cell::new(11, 11)], 5.0, Cost::new(400))),
        (false, PathGoal::in_sight(Cell::new(6, 6), 4.0)),
    ] {
        let (mut game, _) = Game::open(12, 12);
        let unit = game.agent_at(centre(5, 5) + Vec2::new(6.0, -5.0), 100.0);
        let mut agent = game.world_mut().get_mut::<PathAgent>(unit).expect("it is there");
        (agent.drive, agent.paused) = (Drive::Velocity, is_paused);
        game.order(unit, PathRequest::to(goal.clone()));
        game.tick();
        assert_eq!(game.is_ordered(unit), is_paused, "{goal:?}");
        game.world_mut().get_mut::<PathAgent>(unit).expect("it is there").paused = false;
        game.tick();
        assert_eq!(game.status(unit), PathStatus::Arrived, "{goal:?}");
        assert_eq!(game.path(unit).goal(), &Place::Cell(Cell::new(5, 5)), "{goal:?}");
    }
}

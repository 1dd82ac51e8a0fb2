//! Bodies that the game moves to another place.

use bevy::prelude::*;
use bevy_tilepath::{
    Algorithm, Body, Cell, Cost, PathAgent, PathRequest, PathStatus, TilepathSettings,
    orders::{PathStops, Repeat},
};

use super::bodies::least_distance;
use crate::harness::*;

#[test]
fn one_put_off_its_centre_walks_there_first() {
    let (mut game, _) = Game::open(10, 10);
    let unit = game.agent_at(centre(2, 2) + Vec2::new(5.0, -6.0), 64.0);
    game.world_mut().entity_mut(unit).insert(Body::default());
    game.order_to(unit, 7, 7);
    let mut last = game.position(unit);
    while game.is_ordered(unit) {
        game.tick();
        let here = game.position(unit);
        assert!(last.distance(here) < 1.001, "{last} to {here}");
        last = here;
    }
    assert_eq!(last, centre(7, 7));
}

#[test]
fn one_put_beside_the_centre_of_its_goal_arrives_at_the_centre() {
    for far in [false, true] {
        let (mut game, _) = Game::open(10, 10);
        let off = Vec2::new(5.0, -6.0);
        let unit = game.agent_at(if far { centre(2, 2) } else { centre(7, 7) + off }, 64.0);
        game.world_mut().entity_mut(unit).insert(Body::default());
        game.order_to(unit, 7, 7);
        game.tick();
        if far {
            let mut transform = game.world_mut().get_mut::<Transform>(unit).expect("it is there");
            transform.translation = (centre(7, 7) + off).extend(3.0);
        }
        // A paused body comes no nearer.
        game.world_mut().get_mut::<PathAgent>(unit).expect("it is an agent").paused = true;
        game.ticks(5);
        assert!(game.is_ordered(unit));
        game.world_mut().get_mut::<PathAgent>(unit).expect("it is an agent").paused = false;
        let mut ticks = 0;
        while game.is_ordered(unit) {
            assert!(ticks < 100);
            game.tick();
            ticks += 1;
        }
        assert_eq!((game.position(unit), game.status(unit)), (centre(7, 7), PathStatus::Arrived));
    }
}

#[test]
fn one_ordered_to_the_cell_that_it_steps_onto_arrives_when_it_has_come_there() {
    let (mut game, _) = Game::open(10, 10);
    let unit = game.body(2, 2, 64.0);
    game.order_to(unit, 7, 2);
    while game.position(unit).x < centre(4, 2).x + 3.0 {
        game.tick();
    }
    game.order_to(unit, 5, 2);
    let mut ticks = 0;
    while game.is_ordered(unit) {
        assert!(ticks < 100);
        game.tick();
        ticks += 1;
    }
    assert!(ticks > 3, "it walks: {ticks}");
    assert_eq!((game.position(unit), game.status(unit)), (centre(5, 2), PathStatus::Arrived));
}

#[test]
fn one_that_stops_being_an_agent_between_two_cells_sets_out_again_from_the_nearer_one() {
    for (walked, start) in [(4.0, (2, 2)), (12.0, (3, 2))] {
        let (mut game, _) = Game::open(10, 10);
        let unit = game.body(2, 2, 64.0);
        game.order_to(unit, 7, 2);
        while game.position(unit).x < centre(2, 2).x + walked {
            game.tick();
        }
        game.world_mut().entity_mut(unit).remove::<PathAgent>();
        game.ticks(3);
        game.world_mut().entity_mut(unit).insert(PathAgent::default());
        game.order_to(unit, 2, 7);
        game.tick();
        assert_eq!(game.cell_path(unit).start(), Cell::from(start));
        game.run_until_quiet(300);
        assert_eq!((game.position(unit), game.status(unit)), (centre(2, 7), PathStatus::Arrived));
    }
}

#[test]
fn one_that_waits_for_more_stops_and_is_put_aside_arrives_when_it_is_back() {
    for aside in [centre(7, 2), centre(5, 2) + Vec2::new(3.0, 2.0)] {
        let (mut game, _) = Game::open(10, 10);
        let unit = game.body(2, 2, 64.0);
        game.world_mut().entity_mut(unit).insert(PathRequest::to_cell(Cell::new(5, 2)).looped());
        game.ticks(100);
        assert_eq!((game.position(unit), game.body_news().arrived.len()), (centre(5, 2), 0));
        game.world_mut().get_mut::<Transform>(unit).expect("it is somewhere").translation = aside.extend(0.0);
        game.ticks(2);
        game.world_mut().get_mut::<PathStops>(unit).expect("it has an order").set_repeat(Repeat::Once);
        while game.body_news().arrived.is_empty() {
            game.tick();
        }
        assert_eq!((game.position(unit), game.body_news().arrived[0].1), (centre(5, 2), Cost::ZERO));
    }
}

#[test]
fn one_that_waits_for_more_stops_on_a_map_that_moves_has_come_to_its_cell_once() {
    for is_body in [false, true] {
        let (mut game, map) = Game::open(10, 10);
        game.world_mut().entity_mut(map).insert(Transform::default());
        let unit = game.agent(2, 2, 64.0);
        game.world_mut().entity_mut(unit).insert(ChildOf(map));
        if is_body {
            game.world_mut().entity_mut(unit).insert(Body::default());
        }
        game.world_mut().entity_mut(unit).insert(PathRequest::to_cell(Cell::new(5, 2)).looped());
        for round in 0..150 {
            let mut carrier = game.world_mut().get_mut::<Transform>(map).expect("it was given");
            carrier.translation += Vec3::new(0.37, -0.11, 0.0);
            carrier.rotation = Quat::from_rotation_z(round as f32 * 0.01);
            game.tick();
        }
        let come_to = game.told().into_iter().filter(|(_, what)| *what == Told::Reached(Cell::new(5, 2)));
        assert_eq!(come_to.count(), 1, "body {is_body}");
    }
}

#[test]
fn one_that_is_teleported_goes_on_from_there() {
    let (mut game, _) = Game::open(20, 20);
    let unit = game.body(0, 0, 64.0);
    game.order_to(unit, 10, 10);
    game.ticks(30);
    let mut transform = game.world_mut().get_mut::<Transform>(unit).expect("it is there");
    transform.translation = centre(18, 3).extend(3.0);
    game.run_until_quiet(1000);
    assert_eq!(game.position(unit), centre(10, 10));
}

#[test]
fn an_idle_one_that_is_teleported_stays_there() {
    let (mut game, _) = Game::open(20, 20);
    let idle = game.body(5, 5, 64.0);
    game.tick();
    let mut transform = game.world_mut().get_mut::<Transform>(idle).expect("it is there");
    transform.translation = centre(8, 5).extend(3.0);
    game.ticks(200);
    assert_eq!(game.position(idle), centre(8, 5));
}

#[test]
fn position_on_a_map_that_moves_stays_its_cell_while_the_old_way_comes_to_its_end() {
    let (mut game, map) = Game::open(20, 20);
    let carrier = game.world_mut().spawn(Transform::default()).id();
    let busy = game.agent(0, 0, 0.0);
    let unit = game.body(2, 2, 64.0);
    for entity in [map, busy, unit] {
        game.world_mut().entity_mut(entity).insert(ChildOf(carrier));
    }
    game.order_to(unit, 4, 2);
    game.tick();
    game.insert_resource(TilepathSettings { work_per_tick: 1 });
    let long = PathRequest::to_cell(Cell::new(19, 19)).with_algorithm(Algorithm::Dijkstra);
    game.world_mut().entity_mut(busy).insert(long);
    game.tick();
    game.world_mut().entity_mut(unit).insert(PathRequest::to_position(centre(9, 9)));
    game.tick();
    for _ in 0..60 {
        game.world_mut().get_mut::<Transform>(carrier).expect("it is there").translation.x += 1.0;
        game.tick();
        assert_eq!(game.status(unit), PathStatus::Queued);
    }
    game.told();
    game.insert_resource(TilepathSettings::default());
    game.tick();
    // The path begins at the end of the old path: five diagonal and two straight steps.
    assert_eq!(game.told_of(unit), [Told::Found { goal: Cell::new(9, 9), cost: 90, partial: false }]);
}

#[test]
fn those_put_onto_each_other_part() {
    let (mut game, _) = Game::open(20, 20);
    let bodies: Vec<Entity> = (0..12).map(|_| game.body(9, 9, 64.0)).collect();
    game.ticks(300);
    let least = least_distance(&game, &bodies);
    assert!(least > 0.99, "{least}");
}

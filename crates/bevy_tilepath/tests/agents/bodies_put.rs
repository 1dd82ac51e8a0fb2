//! Agents that do not share their cells, and are put elsewhere.

use bevy::prelude::*;
use bevy_tilepath::{
    Algorithm, Body, Cell, Cost, PathAgent, PathRequest, PathStatus, TilepathSettings,
    orders::{PathStops, Repeat},
};

use super::{
    bodies::{body, body_app, heard, least_distance},
    fixtures::*,
};
use crate::harness::tick;

#[test]
fn one_put_off_its_centre_walks_there_first() {
    let mut app = body_app();
    open_map(&mut app, 10, 10);
    let unit = agent_at(&mut app, centre(2, 2) + Vec2::new(5.0, -6.0), 64.0);
    app.world_mut().entity_mut(unit).insert(Body::default());
    order(&mut app, unit, 7, 7);
    let mut last = position(&app, unit);
    while is_ordered(&app, unit) {
        tick(&mut app);
        let here = position(&app, unit);
        assert!(last.distance(here) < 1.001, "{last} to {here}");
        last = here;
    }
    assert_eq!(last, centre(7, 7));
}

#[test]
fn one_put_beside_the_centre_of_its_goal_arrives_at_the_centre() {
    for far in [false, true] {
        let mut app = body_app();
        open_map(&mut app, 10, 10);
        let off = Vec2::new(5.0, -6.0);
        let unit = agent_at(&mut app, if far { centre(2, 2) } else { centre(7, 7) + off }, 64.0);
        app.world_mut().entity_mut(unit).insert(Body::default());
        order(&mut app, unit, 7, 7);
        tick(&mut app);
        if far {
            let mut transform = app.world_mut().get_mut::<Transform>(unit).expect("it is there");
            transform.translation = (centre(7, 7) + off).extend(3.0);
        }
        // Held, it comes no nearer.
        app.world_mut().get_mut::<PathAgent>(unit).expect("it is an agent").paused = true;
        for _ in 0..5 {
            tick(&mut app);
        }
        assert!(is_ordered(&app, unit));
        app.world_mut().get_mut::<PathAgent>(unit).expect("it is an agent").paused = false;
        let mut ticks = 0;
        while is_ordered(&app, unit) {
            assert!(ticks < 100);
            tick(&mut app);
            ticks += 1;
        }
        assert_eq!((position(&app, unit), status(&app, unit)), (centre(7, 7), PathStatus::Arrived));
    }
}

#[test]
fn one_ordered_to_the_cell_that_it_steps_onto_arrives_when_it_has_come_there() {
    let mut app = body_app();
    open_map(&mut app, 10, 10);
    let unit = body(&mut app, 2, 2, 64.0);
    order(&mut app, unit, 7, 2);
    while position(&app, unit).x < centre(4, 2).x + 3.0 {
        tick(&mut app);
    }
    order(&mut app, unit, 5, 2);
    let mut ticks = 0;
    while is_ordered(&app, unit) {
        assert!(ticks < 100);
        tick(&mut app);
        ticks += 1;
    }
    assert!(ticks > 3, "it walks: {ticks}");
    assert_eq!((position(&app, unit), status(&app, unit)), (centre(5, 2), PathStatus::Arrived));
}

#[test]
fn one_that_stops_being_an_agent_between_two_cells_sets_out_again_from_the_nearer_one() {
    for (walked, start) in [(4.0, (2, 2)), (12.0, (3, 2))] {
        let mut app = body_app();
        open_map(&mut app, 10, 10);
        let unit = body(&mut app, 2, 2, 64.0);
        order(&mut app, unit, 7, 2);
        while position(&app, unit).x < centre(2, 2).x + walked {
            tick(&mut app);
        }
        app.world_mut().entity_mut(unit).remove::<PathAgent>();
        for _ in 0..3 {
            tick(&mut app);
        }
        app.world_mut().entity_mut(unit).insert(PathAgent::default());
        order(&mut app, unit, 2, 7);
        tick(&mut app);
        assert_eq!(cell_path(&app, unit).start(), Cell::from(start));
        run_until_quiet(&mut app, 300);
        assert_eq!((position(&app, unit), status(&app, unit)), (centre(2, 7), PathStatus::Arrived));
    }
}

#[test]
fn one_that_waits_for_more_stops_and_is_put_aside_arrives_when_it_is_back() {
    for aside in [centre(7, 2), centre(5, 2) + Vec2::new(3.0, 2.0)] {
        let mut app = body_app();
        open_map(&mut app, 10, 10);
        let unit = body(&mut app, 2, 2, 64.0);
        app.world_mut().entity_mut(unit).insert(PathRequest::to_cell(Cell::new(5, 2)).looped());
        for _ in 0..100 {
            tick(&mut app);
        }
        assert_eq!((position(&app, unit), heard(&app).arrived.len()), (centre(5, 2), 0));
        app.world_mut().get_mut::<Transform>(unit).expect("it is somewhere").translation = aside.extend(0.0);
        for _ in 0..2 {
            tick(&mut app);
        }
        app.world_mut().get_mut::<PathStops>(unit).expect("it has an order").set_repeat(Repeat::Once);
        while heard(&app).arrived.is_empty() {
            tick(&mut app);
        }
        assert_eq!((position(&app, unit), heard(&app).arrived[0].1), (centre(5, 2), Cost::ZERO));
    }
}

#[test]
fn one_that_waits_for_more_stops_on_a_map_that_moves_has_come_to_its_cell_once() {
    for is_body in [false, true] {
        let mut app = body_app();
        let map = open_map(&mut app, 10, 10);
        app.world_mut().entity_mut(map).insert(Transform::default());
        let unit = agent(&mut app, 2, 2, 64.0);
        app.world_mut().entity_mut(unit).insert(ChildOf(map));
        if is_body {
            app.world_mut().entity_mut(unit).insert(Body::default());
        }
        app.world_mut().entity_mut(unit).insert(PathRequest::to_cell(Cell::new(5, 2)).looped());
        for round in 0..150 {
            let mut carrier = app.world_mut().get_mut::<Transform>(map).expect("it was given");
            carrier.translation += Vec3::new(0.37, -0.11, 0.0);
            carrier.rotation = Quat::from_rotation_z(round as f32 * 0.01);
            tick(&mut app);
        }
        let come_to = told(&mut app).into_iter().filter(|(_, what)| *what == Told::Reached(Cell::new(5, 2)));
        assert_eq!(come_to.count(), 1, "body {is_body}");
    }
}

#[test]
fn one_that_is_teleported_goes_on_from_there() {
    let mut app = body_app();
    open_map(&mut app, 20, 20);
    let unit = body(&mut app, 0, 0, 64.0);
    order(&mut app, unit, 10, 10);
    for _ in 0..30 {
        tick(&mut app);
    }
    let mut transform = app.world_mut().get_mut::<Transform>(unit).expect("it is there");
    transform.translation = centre(18, 3).extend(3.0);
    run_until_quiet(&mut app, 1000);
    assert_eq!(position(&app, unit), centre(10, 10));
}

#[test]
fn an_idle_one_that_is_teleported_stays_there() {
    let mut app = body_app();
    open_map(&mut app, 20, 20);
    let idle = body(&mut app, 5, 5, 64.0);
    tick(&mut app);
    let mut transform = app.world_mut().get_mut::<Transform>(idle).expect("it is there");
    transform.translation = centre(8, 5).extend(3.0);
    for _ in 0..200 {
        tick(&mut app);
    }
    assert_eq!(position(&app, idle), centre(8, 5));
}

#[test]
fn position_on_a_map_that_moves_stays_its_cell_while_the_old_way_comes_to_its_end() {
    let mut app = body_app();
    let map = open_map(&mut app, 20, 20);
    let carrier = app.world_mut().spawn(Transform::default()).id();
    let busy = agent(&mut app, 0, 0, 0.0);
    let unit = body(&mut app, 2, 2, 64.0);
    for entity in [map, busy, unit] {
        app.world_mut().entity_mut(entity).insert(ChildOf(carrier));
    }
    order(&mut app, unit, 4, 2);
    tick(&mut app);
    app.insert_resource(TilepathSettings { work_per_tick: 1 });
    let long = PathRequest::to_cell(Cell::new(19, 19)).with_algorithm(Algorithm::Dijkstra);
    app.world_mut().entity_mut(busy).insert(long);
    tick(&mut app);
    app.world_mut().entity_mut(unit).insert(PathRequest::to_position(centre(9, 9)));
    tick(&mut app);
    for _ in 0..60 {
        app.world_mut().get_mut::<Transform>(carrier).expect("it is there").translation.x += 1.0;
        tick(&mut app);
        assert_eq!(status(&app, unit), PathStatus::Queued);
    }
    told(&mut app);
    app.insert_resource(TilepathSettings::default());
    tick(&mut app);
    // Five steps aslant and two straight on from the end of the old way.
    assert_eq!(told_of(&mut app, unit), [Told::Found { goal: Cell::new(9, 9), cost: 90, partial: false }]);
}

#[test]
fn those_put_onto_each_other_part() {
    let mut app = body_app();
    open_map(&mut app, 20, 20);
    let bodies: Vec<Entity> = (0..12).map(|_| body(&mut app, 9, 9, 64.0)).collect();
    for _ in 0..300 {
        tick(&mut app);
    }
    let least = least_distance(&app, &bodies);
    assert!(least > 0.99, "{least}");
}

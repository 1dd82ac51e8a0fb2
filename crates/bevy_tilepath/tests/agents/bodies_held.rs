//! Bodies that begin no step, and those that wait for them.

use bevy::prelude::*;
use bevy_tilepath::{
    Body, Cell, NavMap, NavQuery, PathAgent, PathFailure, PathRequest, PathStatus, Stepwise, queries::WhyNot,
};

use super::{
    bodies::{body, body_app, heard},
    fixtures::*,
};
use crate::harness::{logs_of, tick};

fn why_not(app: &mut App, unit: Entity) -> Option<WhyNot> {
    app.world_mut()
        .run_system_cached_with(|unit: In<Entity>, nav: NavQuery| nav.why_not(*unit), unit)
        .expect("the query runs")
}

#[test]
fn why_not_says_of_bodies_what_it_says_of_all_agents() {
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
            let mut app = body_app();
            open_map(&mut app, 40, 6);
            let unit = agent(&mut app, 1, 1, 32.0);
            if is_body {
                app.world_mut().entity_mut(unit).insert(Body::default());
            }
            order(&mut app, unit, 38, 3);
            hold(app.world_mut(), unit);
            for _ in 0..20 {
                tick(&mut app);
            }
            assert_eq!(why_not(&mut app, unit), Some(why), "body {is_body}");
            let_go(app.world_mut(), unit);
            let before = position(&app, unit);
            for _ in 0..20 {
                tick(&mut app);
            }
            assert!(position(&app, unit) != before, "body {is_body}: {why:?} is over");
            assert_eq!(why_not(&mut app, unit), None, "body {is_body}: it walks");
        }
    }
}

#[test]
fn why_not_is_of_the_walker_that_it_is_now() {
    let mut app = body_app();
    open_map(&mut app, 40, 6);
    let unit = agent(&mut app, 1, 1, 0.0);
    order(&mut app, unit, 38, 3);
    for _ in 0..20 {
        tick(&mut app);
    }
    assert_eq!(why_not(&mut app, unit), Some(WhyNot::NoSpeed));
    app.world_mut().entity_mut(unit).insert(Body::default());
    app.world_mut().get_mut::<PathAgent>(unit).unwrap().speed = 32.0.into();
    for _ in 0..20 {
        tick(&mut app);
    }
    assert_eq!(why_not(&mut app, unit), None);
}

#[test]
fn one_that_would_cross_the_step_of_a_held_one_waits_by_its_patience() {
    let mut app = body_app();
    map(
        &mut app,
        "
        ####
        #..#
        #..#
        ####
        ",
    );
    let (held, other) = (body(&mut app, 1, 1, 32.0), body(&mut app, 2, 1, 64.0));
    order(&mut app, held, 2, 2);
    for _ in 0..12 {
        tick(&mut app);
    }
    app.world_mut().get_mut::<PathAgent>(held).unwrap().paused = true;
    order(&mut app, other, 1, 2);
    for _ in 0..30 {
        tick(&mut app);
    }
    assert_eq!(heard(&app).waits.iter().map(|&(who, by, _)| (who, by)).collect::<Vec<_>>(), [(other, held)]);
    assert_eq!(why_not(&mut app, other), Some(WhyNot::WaitingFor { by: held }));
    for _ in 0..60 {
        tick(&mut app);
    }
    assert_eq!(heard(&app).lost, [(other, PathFailure::Blocked { by: held })]);
}

#[test]
fn one_that_would_cross_the_step_of_a_held_one_goes_round() {
    let mut app = body_app();
    open_map(&mut app, 6, 6);
    let (held, other) = (body(&mut app, 1, 1, 32.0), body(&mut app, 2, 1, 64.0));
    order(&mut app, held, 2, 2);
    for _ in 0..12 {
        tick(&mut app);
    }
    app.world_mut().get_mut::<PathAgent>(held).unwrap().paused = true;
    order(&mut app, other, 1, 2);
    for _ in 0..300 {
        tick(&mut app);
    }
    assert_eq!((status(&app, other), position(&app, other)), (PathStatus::Arrived, centre(1, 2)));
}

#[test]
fn a_map_is_no_body_on_itself() {
    let mut app = body_app();
    let map = open_map(&mut app, 10, 10);
    let warnings = logs_of(|| {
        app.world_mut().entity_mut(map).insert((
            PathAgent::default(),
            Body::default(),
            Transform::from_translation(centre(1, 1).extend(0.0)),
        ));
        order(&mut app, map, 8, 8);
        for _ in 0..400 {
            tick(&mut app);
        }
    });
    assert!(app.world().get::<NavMap>(map).is_some());
    assert_eq!(warnings.iter().filter(|text| text.contains("on itself")).count(), 1, "{warnings:?}");
    assert_eq!(position(&app, map), centre(1, 1), "it stays where it is");
    assert!(matches!(status(&app, map), PathStatus::Failed(_)), "{:?}", status(&app, map));
}

/// A corridor in which one waits for a paused one, and has told so.
fn waiting_app() -> (App, Entity, Entity) {
    let mut app = body_app();
    map(
        &mut app,
        "
        .########
        .........
        .########
        ",
    );
    let (held, other) = (body(&mut app, 5, 1, 64.0), body(&mut app, 1, 1, 64.0));
    app.world_mut().get_mut::<PathAgent>(held).expect("an agent").paused = true;
    app.world_mut().entity_mut(other).insert(PathRequest::to_cell(Cell::new(8, 1)).or_wait());
    for _ in 0..120 {
        tick(&mut app);
    }
    assert_eq!(heard(&app).waits.len(), 1);
    assert!(heard(&app).over.is_empty());
    (app, held, other)
}

#[test]
fn a_wait_is_over_for_the_order_of_which_it_was_told_and_for_no_other() {
    let (mut app, held, other) = waiting_app();
    order(&mut app, other, 0, 0);
    for _ in 0..120 {
        tick(&mut app);
    }
    assert_eq!(status(&app, other), PathStatus::Arrived);
    assert!(heard(&app).over.is_empty(), "the order that waited was replaced");
    app.world_mut().entity_mut(other).insert(PathRequest::to_cell(Cell::new(8, 1)).or_wait());
    for _ in 0..200 {
        tick(&mut app);
    }
    assert_eq!(heard(&app).waits.len(), 2, "it waits again and tells so");
    app.world_mut().despawn(held);
    for _ in 0..200 {
        tick(&mut app);
    }
    assert_eq!(heard(&app).over, [other]);
    assert_eq!(status(&app, other), PathStatus::Arrived);
}

#[test]
fn a_wait_is_over_when_the_agent_is_a_body_no_more() {
    let (mut app, _, other) = waiting_app();
    app.world_mut().entity_mut(other).remove::<Body>();
    tick(&mut app);
    tick(&mut app);
    assert_eq!(heard(&app).over, [other]);
}

#[test]
fn a_wait_is_over_when_the_way_is_blocked_by_an_edit() {
    let (mut app, _, other) = waiting_app();
    let map = app.world_mut().query_filtered::<Entity, With<NavMap>>().single(app.world()).unwrap();
    set_terrain(&mut app, map, 7, 1, 0);
    for _ in 0..20 {
        tick(&mut app);
    }
    assert_eq!(heard(&app).over, [other]);
    set_terrain(&mut app, map, 7, 1, 1);
    for _ in 0..200 {
        tick(&mut app);
    }
    assert_eq!(heard(&app).waits.len(), 2, "it waits for the other one again");
}

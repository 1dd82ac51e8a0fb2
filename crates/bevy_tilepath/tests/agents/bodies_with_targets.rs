//! Bodies that go to other bodies.

use bevy::prelude::*;
use bevy_tilepath::{Body, Cell, NavQuery, PathAgent, PathGoal, PathRequest, queries::WhyNot};

use super::{
    bodies::{body, body_app, cell_at, heard, least_distance},
    fixtures::*,
};
use crate::harness::tick;

/// Something that stands there and is no agent.
fn thing(app: &mut App, x: i32, y: i32) -> Entity {
    app.world_mut().spawn((Body::default(), Transform::from_translation(centre(x, y).extend(1.0)))).id()
}

fn run(app: &mut App, ticks: usize) {
    for _ in 0..ticks {
        tick(app);
    }
}

/// How many steps lie between the cells of two.
fn steps_between(app: &App, one: Entity, other: Entity) -> i32 {
    let (one, other) = (cell_at(app, one), cell_at(app, other));
    (one.x - other.x).abs().max((one.y - other.y).abs())
}

fn why_not(app: &mut App, unit: Entity) -> Option<WhyNot> {
    app.world_mut()
        .run_system_cached_with(|unit: In<Entity>, nav: NavQuery| nav.why_not(*unit), unit)
        .expect("the query runs")
}

/// Targets of an order: a thing, a paused agent, an agent that was never ordered anywhere, and an arrived one.
fn targets(app: &mut App) -> Vec<(&'static str, Entity)> {
    let paused = body(app, 20, 2, 64.0);
    app.world_mut().get_mut::<PathAgent>(paused).expect("an agent").paused = true;
    let arrived = body(app, 19, 12, 64.0);
    order(app, arrived, 20, 12);
    run(app, 100);
    vec![
        ("a thing", thing(app, 20, 7)),
        ("a paused agent", paused),
        ("an idle agent", body(app, 20, 17, 64.0)),
        ("an arrived agent", arrived),
    ]
}

#[test]
fn who_goes_to_a_body_ends_beside_it_and_leaves_it_where_it_is() {
    type Goal = fn(Entity) -> PathRequest;
    let goals: [(&str, Goal); 3] = [
        ("to", PathRequest::to),
        ("within 0", |target| PathRequest::to(PathGoal::within(target, 0.0))),
        ("beside", |target| PathRequest::to(PathGoal::beside(target))),
    ];
    for (how, goal) in goals {
        let mut app = body_app();
        open_map(&mut app, 30, 20);
        for (what, target) in targets(&mut app) {
            let place = position(&app, target);
            let row = cell_at(&app, target).y;
            let all: Vec<Entity> = (0..3).map(|n| body(&mut app, 2 + n, row, 96.0)).collect();
            for &one in &all {
                app.world_mut().entity_mut(one).insert(goal(target));
            }
            run(&mut app, 900);
            assert_eq!(position(&app, target), place, "{how} {what}: it was pushed");
            for &one in &all {
                let ends = heard(&app).arrived.iter().filter(|(who, _)| *who == one).count();
                assert_eq!((ends, is_ordered(&app, one)), (1, false), "{how} {what}: {:?}", heard(&app).lost);
                assert!(steps_between(&app, one, target) <= 2, "{how} {what}: {}", cell_at(&app, one));
            }
            assert_eq!(steps_between(&app, all[2], target), 1, "{how} {what}: the first is beside it");
        }
    }
}

#[test]
fn who_follows_a_body_waits_beside_it_and_goes_on_with_it() {
    let mut app = body_app();
    open_map(&mut app, 30, 20);
    for (what, target) in targets(&mut app) {
        let row = cell_at(&app, target).y;
        let dog = body(&mut app, 2, row, 96.0);
        app.world_mut().entity_mut(dog).insert(PathRequest::to(target).following());
        run(&mut app, 900);
        assert!(is_ordered(&app, dog), "{what}: {:?}", heard(&app).lost);
        assert_eq!(steps_between(&app, dog, target), 1, "{what}");
        assert_eq!(why_not(&mut app, dog), Some(WhyNot::AtGoal), "{what}");
        // The game puts it elsewhere.
        app.world_mut().get_mut::<Transform>(target).unwrap().translation.x -= 10.0 * CELL;
        run(&mut app, 400);
        assert!(is_ordered(&app, dog), "{what}");
        assert_eq!(steps_between(&app, dog, target), 1, "{what}");
        app.world_mut().despawn(dog);
    }
}

#[test]
fn a_leader_comes_out_of_a_dead_end_past_its_follower() {
    type Order = fn(Entity) -> PathRequest;
    let orders: [(&str, Order); 4] = [
        ("following", |leader| PathRequest::to(leader).following()),
        ("to", PathRequest::to),
        ("within 1", |leader| PathRequest::to(PathGoal::within(leader, 1.0)).following()),
        ("beside", |leader| PathRequest::to(PathGoal::beside(leader)).following()),
    ];
    for (how, request) in orders {
        let mut app = body_app();
        map(
            &mut app,
            "
            ...#########
            ............
            ...#########
            ",
        );
        let (leader, dog) = (body(&mut app, 10, 1, 96.0), body(&mut app, 2, 1, 96.0));
        app.world_mut().entity_mut(dog).insert(request(leader));
        run(&mut app, 200);
        assert_eq!(steps_between(&app, leader, dog), 1, "{how}");
        order(&mut app, leader, 0, 0);
        for _ in 0..800 {
            tick(&mut app);
            let least = least_distance(&app, &[leader, dog]);
            assert!(least > 0.7, "{how}: {least}");
        }
        assert_eq!(cell_at(&app, leader), Cell::new(0, 0), "{how}");
    }
}

#[test]
fn bodies_that_go_to_each_other_meet() {
    for count in [2, 3, 5] {
        for follows in [false, true] {
            let mut app = body_app();
            open_map(&mut app, 20, 10);
            let all: Vec<Entity> = (0..count).map(|n: i32| body(&mut app, n * 4, n * 2 % 10, 96.0)).collect();
            for (place, &one) in all.iter().enumerate() {
                let next = all[(place + 1) % all.len()];
                let request = if follows { PathRequest::to(next).following() } else { PathRequest::to(next) };
                app.world_mut().entity_mut(one).insert(request);
            }
            run(&mut app, 800);
            for (place, &one) in all.iter().enumerate() {
                assert_eq!(is_ordered(&app, one), follows, "{count}: {:?}", heard(&app));
                assert!(steps_between(&app, one, all[(place + 1) % all.len()]) <= 1 || !follows);
            }
            assert_eq!(heard(&app).arrived.len(), if follows { 0 } else { all.len() });
            assert!(heard(&app).lost.is_empty());
        }
    }
}

#[test]
fn a_body_on_another_layer_goes_onto_the_cell_of_its_target() {
    let mut app = body_app();
    open_map(&mut app, 12, 3);
    let target = thing(&mut app, 10, 1);
    let flier = body(&mut app, 1, 1, 96.0);
    app.world_mut().entity_mut(flier).insert((Body { layer: 2, blocks: 2 }, PathRequest::to(target)));
    run(&mut app, 300);
    assert_eq!(cell_at(&app, flier), Cell::new(10, 1));
    assert_eq!(heard(&app).arrived.iter().map(|(_, short)| short.get()).collect::<Vec<_>>(), [0]);
}

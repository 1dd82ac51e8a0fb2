//! How agents move along graphs: speeds, easing, orders on the way, teleports.

use bevy::prelude::*;
use bevy_tilepath::{
    Motion, NavGraph, PathAgent, PathRequest,
    graphs::{WaypointEdge, WaypointSlowdown},
};

use super::fixtures::*;

/// Three waypoints in a row, a hundred units apart.
fn row() -> bevy_tilepath::graphs::WaypointGraph {
    graph_of(&[("a", 0.0, 0.0), ("b", 100.0, 0.0), ("c", 200.0, 0.0)], &[("a", "b"), ("b", "c")])
}

#[test]
fn edges_have_speeds_of_their_own_to_the_last_unit() {
    let mut app = app();
    let mut graph = row();
    graph.set_edge("a", "b", WaypointEdge::with_speed(2.0)).unwrap();
    graph.set_edge("b", "c", WaypointEdge { speed: 0.5, cost_factor: 1.0 }).unwrap();
    spawn(&mut app, graph);
    let walker = agent(&mut app, 0.0, 0.0, 10.0);
    go_to(&mut app, walker, "c");
    let velocity = |app: &App| app.world().get::<Motion>(walker).unwrap().velocity;
    for n in 1..=25 {
        step(&mut app, 1.0);
        // 5 seconds for the first hundred, 20 for the second.
        let seconds = n as f32;
        let expected = if seconds <= 5.0 { seconds * 20.0 } else { 100.0 + (seconds - 5.0) * 5.0 };
        assert!((position(&app, walker).x - expected).abs() < 1e-3, "{n}");
        if n < 25 && n != 5 {
            let speed = if n < 5 { 20.0 } else { 5.0 };
            assert_eq!(velocity(&app), Vec2::new(speed, 0.0), "{n}");
        }
    }
    assert!(!is_ordered(&app, walker));
    assert_eq!(velocity(&app), Vec2::ZERO);
    // One long step comes as far as many short ones.
    let other = agent(&mut app, 0.0, 0.0, 10.0);
    go_to(&mut app, other, "c");
    step(&mut app, 15.0);
    assert_at(&app, other, Vec2::new(150.0, 0.0));
}

#[test]
fn easing_slows_towards_and_from_waypoints_and_nowhere_else() {
    let mut app = app();
    let easing = WaypointSlowdown { distance: 20.0, slowest: 0.2 };
    app.world_mut().spawn(NavGraph::new(row()).with_easing(easing));
    let walker = agent(&mut app, 0.0, 0.0, 10.0);
    go_to(&mut app, walker, "c");
    let (mut seconds, mut slowest_between) = (0.0_f64, f32::MAX);
    while is_ordered(&app, walker) {
        step(&mut app, 0.01);
        seconds += 0.01;
        let (at, speed) = (position(&app, walker).x, app.world().get::<Motion>(walker).unwrap().velocity.x);
        let to_waypoint = (at % 100.0).min(100.0 - at % 100.0);
        if to_waypoint > 20.1 {
            assert!((speed - 10.0).abs() < 1e-4, "{speed} at {at}");
            slowest_between = slowest_between.min(speed);
        } else if is_ordered(&app, walker) {
            let expected = 10.0 * (0.04 + 0.96 * to_waypoint / 20.0).sqrt();
            assert!((speed - expected).abs() < 0.1, "{speed} at {at}, not {expected}");
        }
        assert!(seconds < 60.0);
    }
    assert!(slowest_between < f32::MAX);
    // Each ramp of 20 units takes 2 * 20 / (10 + 2) seconds.
    let expected = 4.0 * 40.0 / 12.0 + 2.0 * 6.0;
    assert!((seconds - expected).abs() < 0.02, "{seconds} {expected}");

    // The length of the steps makes no difference.
    let other = agent(&mut app, 0.0, 0.0, 10.0);
    go_to(&mut app, other, "c");
    step(&mut app, expected / 2.0 + 1.0);
    app.world_mut().get_mut::<PathAgent>(other).unwrap().paused = true;
    let third = agent(&mut app, 0.0, 0.0, 10.0);
    go_to(&mut app, third, "c");
    for _ in 0..100 {
        step(&mut app, (expected / 2.0 + 1.0) / 100.0);
    }
    assert_at(&app, third, position(&app, other));
}

#[test]
fn order_in_the_middle_of_an_edge_turns_round_or_goes_on_from_there() {
    let mut app = app();
    // A second way crosses the first without a junction.
    let mut graph = row();
    graph.add("north", (50.0, 30.0)).unwrap();
    graph.add("south", (50.0, -30.0)).unwrap();
    graph.join("north", "south").unwrap();
    graph.join("north", "c").unwrap();
    spawn(&mut app, graph);
    let walker = agent(&mut app, 0.0, 0.0, 10.0);
    go_to(&mut app, walker, "c");
    step(&mut app, 5.0);
    assert_at(&app, walker, Vec2::new(50.0, 0.0));
    go_to(&mut app, walker, "b");
    step(&mut app, 1.0);
    assert_at(&app, walker, Vec2::new(60.0, 0.0));
    go_to(&mut app, walker, "a");
    step(&mut app, 1.0);
    assert_at(&app, walker, Vec2::new(50.0, 0.0));
    // Where the ways cross it stays on its.
    go_to(&mut app, walker, "south");
    assert!(waypoints(&app, walker).contains(&"a".to_owned()));
    step(&mut app, 1.0);
    assert_at(&app, walker, Vec2::new(60.0, 0.0));
    assert_eq!(waypoints(&app, walker), ["b", "c", "north", "south"]);
}

#[test]
fn one_way_edge_is_walked_to_its_end_before_he_turns() {
    let mut app = app();
    let mut graph = row();
    graph.unjoin_one_way("b", "a").unwrap();
    graph.join("c", "a").unwrap();
    spawn(&mut app, graph);
    let walker = agent(&mut app, 0.0, 0.0, 10.0);
    go_to(&mut app, walker, "b");
    step(&mut app, 3.0);
    go_to(&mut app, walker, "a");
    step(&mut app, 1.0);
    assert_at(&app, walker, Vec2::new(40.0, 0.0));
    assert_eq!(waypoints(&app, walker), ["b", "c", "a"]);
}

#[test]
fn teleport_along_the_way_goes_on_and_elsewhere_is_planned_again() {
    let mut app = app();
    spawn(&mut app, row());
    let walker = agent(&mut app, 0.0, 0.0, 10.0);
    go_to(&mut app, walker, "c");
    step(&mut app, 1.0);
    app.world_mut().get_mut::<Transform>(walker).unwrap().translation.x = 130.0;
    step(&mut app, 1.0);
    assert_at(&app, walker, Vec2::new(140.0, 0.0));
    assert_eq!(told(&mut app, walker), [found("c")]);

    app.world_mut().get_mut::<Transform>(walker).unwrap().translation = Vec3::new(50.0, 7.0, 3.0);
    step(&mut app, 1.0);
    assert_eq!(told(&mut app, walker), [replanned("c")]);
    // Seven down to the edge, three along it.
    assert_at(&app, walker, Vec2::new(53.0, 0.0));
    run_until_quiet(&mut app, walker, 1.0, 30);
    assert_eq!(told(&mut app, walker), [reached(&["b", "c"]), vec![arrived("c")]].concat());
}

#[test]
fn nudged_in_every_step_he_still_arrives() {
    let mut app = app();
    spawn(&mut app, row());
    let walker = agent(&mut app, 0.0, 0.0, 10.0);
    go_to(&mut app, walker, "c");
    for n in 0..60 {
        step(&mut app, 0.5);
        let nudge = if n % 2 == 0 { 0.8 } else { -0.8 };
        if !is_ordered(&app, walker) {
            break;
        }
        app.world_mut().get_mut::<Transform>(walker).unwrap().translation.y += nudge;
    }
    assert!(told(&mut app, walker).contains(&arrived("c")));
}

#[test]
fn graph_on_a_moving_raft_carries_its_walkers_without_a_new_plan() {
    let mut app = app();
    let raft = app.world_mut().spawn(Transform::default()).id();
    app.world_mut().spawn((NavGraph::new(row()), Transform::default(), ChildOf(raft)));
    let walker = agent(&mut app, 0.0, 0.0, 10.0);
    app.world_mut().entity_mut(walker).insert(ChildOf(raft));
    go_to(&mut app, walker, "c");
    for n in 1..=19 {
        let mut transform = app.world_mut().get_mut::<Transform>(raft).unwrap();
        transform.translation.x += 5.0;
        transform.rotate_z(0.1);
        step(&mut app, 1.0);
        let local = position(&app, walker);
        assert!(local.distance(Vec2::new(10.0 * n as f32, 0.0)) < 0.05, "{local} at {n}");
    }
    // The start, turned there and back, was off by a rounding.
    step(&mut app, 1.01);
    assert_eq!(news(&mut app, walker), [found("c"), arrived("c")]);
}

#[test]
fn graph_moved_under_the_feet_is_followed() {
    let mut app = app();
    let graph = spawn(&mut app, row());
    app.world_mut().entity_mut(graph).insert(Transform::default());
    let walker = agent(&mut app, 0.0, 0.0, 10.0);
    go_to(&mut app, walker, "c");
    for _ in 0..10 {
        step(&mut app, 1.0);
        app.world_mut().get_mut::<Transform>(graph).unwrap().translation.y += 1.0;
    }
    run_until_quiet(&mut app, walker, 1.0, 20);
    assert_at(&app, walker, Vec2::new(200.0, 10.0));
    assert_eq!(news(&mut app, walker), [found("c"), arrived("c")]);
}

#[test]
fn cancelled_and_paused_walkers_stand() {
    let mut app = app();
    spawn(&mut app, row());
    let walker = agent(&mut app, 0.0, 0.0, 10.0);
    go_to(&mut app, walker, "c");
    step(&mut app, 1.0);
    app.world_mut().get_mut::<PathAgent>(walker).unwrap().paused = true;
    step(&mut app, 1.0);
    assert_at(&app, walker, Vec2::new(10.0, 0.0));
    app.world_mut().get_mut::<PathAgent>(walker).unwrap().paused = false;
    step(&mut app, 1.0);
    app.world_mut().entity_mut(walker).remove::<PathRequest>();
    step(&mut app, 1.0);
    assert_at(&app, walker, Vec2::new(20.0, 0.0));
    go_to(&mut app, walker, "c");
    step(&mut app, 1.0);
    assert_at(&app, walker, Vec2::new(30.0, 0.0));
    assert_eq!(told(&mut app, walker), [found("c"), found("c")]);
}

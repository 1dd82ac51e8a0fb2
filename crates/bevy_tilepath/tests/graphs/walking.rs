//! Movement along graphs: speeds, easing, new orders and teleports.

use bevy::prelude::*;
use bevy_tilepath::{
    Motion, NavGraph, PathAgent, PathRequest,
    graphs::{WaypointEdge, WaypointSlowdown},
};

use super::fixtures::*;
use crate::harness::*;

/// Returns three waypoints in a row, a hundred units apart.
fn row() -> bevy_tilepath::graphs::WaypointGraph {
    graph_of(&[("a", 0.0, 0.0), ("b", 100.0, 0.0), ("c", 200.0, 0.0)], &[("a", "b"), ("b", "c")])
}

#[test]
fn edges_have_speeds_of_their_own_to_the_last_unit() {
    let mut game = Game::long_steps();
    let mut graph = row();
    graph.set_edge("a", "b", WaypointEdge::with_speed(2.0)).unwrap();
    graph.set_edge("b", "c", WaypointEdge { speed: 0.5, cost_factor: 1.0 }).unwrap();
    game.graph(graph);
    let walker = game.walker(0.0, 0.0, 10.0);
    game.order_to_waypoint(walker, "c");
    let velocity = |game: &Game| game.world().get::<Motion>(walker).unwrap().velocity;
    for n in 1..=25 {
        game.step(1.0);
        // The first hundred units take 5 seconds, and the second hundred take 20.
        let seconds = n as f32;
        let expected = if seconds <= 5.0 { seconds * 20.0 } else { 100.0 + (seconds - 5.0) * 5.0 };
        assert!((game.position(walker).x - expected).abs() < 1e-3, "{n}");
        if n < 25 && n != 5 {
            let speed = if n < 5 { 20.0 } else { 5.0 };
            assert_eq!(velocity(&game), Vec2::new(speed, 0.0), "{n}");
        }
    }
    assert!(!game.is_ordered(walker));
    assert_eq!(velocity(&game), Vec2::ZERO);
    // One long step leads as far as many short ones.
    let other = game.walker(0.0, 0.0, 10.0);
    game.order_to_waypoint(other, "c");
    game.step(15.0);
    game.assert_at(other, Vec2::new(150.0, 0.0));
}

#[test]
fn easing_slows_towards_and_from_waypoints_and_nowhere_else() {
    let mut game = Game::long_steps();
    let easing = WaypointSlowdown { distance: 20.0, slowest: 0.2 };
    game.world_mut().spawn(NavGraph::new(row()).with_easing(easing));
    let walker = game.walker(0.0, 0.0, 10.0);
    game.order_to_waypoint(walker, "c");
    let (mut seconds, mut slowest_between) = (0.0_f64, f32::MAX);
    while game.is_ordered(walker) {
        game.step(0.01);
        seconds += 0.01;
        let (at, speed) = (game.position(walker).x, game.world().get::<Motion>(walker).unwrap().velocity.x);
        let to_waypoint = (at % 100.0).min(100.0 - at % 100.0);
        if to_waypoint > 20.1 {
            assert!((speed - 10.0).abs() < 1e-4, "{speed} at {at}");
            slowest_between = slowest_between.min(speed);
        } else if game.is_ordered(walker) {
            let expected = 10.0 * (0.04 + 0.96 * to_waypoint / 20.0).sqrt();
            assert!((speed - expected).abs() < 0.1, "{speed} at {at}, not {expected}");
        }
        assert!(seconds < 60.0);
    }
    assert!(slowest_between < f32::MAX);
    // Each ramp has 20 units and takes 2 * 20 / (10 + 2) seconds.
    let expected = 4.0 * 40.0 / 12.0 + 2.0 * 6.0;
    assert!((seconds - expected).abs() < 0.02, "{seconds} {expected}");

    // The length of the steps does not matter.
    let other = game.walker(0.0, 0.0, 10.0);
    game.order_to_waypoint(other, "c");
    game.step(expected / 2.0 + 1.0);
    game.world_mut().get_mut::<PathAgent>(other).unwrap().paused = true;
    let third = game.walker(0.0, 0.0, 10.0);
    game.order_to_waypoint(third, "c");
    for _ in 0..100 {
        game.step((expected / 2.0 + 1.0) / 100.0);
    }
    game.assert_at(third, game.position(other));
}

#[test]
fn order_in_the_middle_of_an_edge_turns_round_or_goes_on_from_there() {
    let mut game = Game::long_steps();
    // A second road crosses the first one without a junction.
    let mut graph = row();
    graph.add("north", (50.0, 30.0)).unwrap();
    graph.add("south", (50.0, -30.0)).unwrap();
    graph.join("north", "south").unwrap();
    graph.join("north", "c").unwrap();
    game.graph(graph);
    let walker = game.walker(0.0, 0.0, 10.0);
    game.order_to_waypoint(walker, "c");
    game.step(5.0);
    game.assert_at(walker, Vec2::new(50.0, 0.0));
    game.order_to_waypoint(walker, "b");
    game.step(1.0);
    game.assert_at(walker, Vec2::new(60.0, 0.0));
    game.order_to_waypoint(walker, "a");
    game.step(1.0);
    game.assert_at(walker, Vec2::new(50.0, 0.0));
    // Where the roads cross, the agent stays on its own road.
    game.order_to_waypoint(walker, "south");
    assert!(game.waypoints(walker).contains(&"a".to_owned()));
    game.step(1.0);
    game.assert_at(walker, Vec2::new(60.0, 0.0));
    assert_eq!(game.waypoints(walker), ["b", "c", "north", "south"]);
}

#[test]
fn one_way_edge_is_walked_to_its_end_before_a_turn() {
    let mut game = Game::long_steps();
    let mut graph = row();
    graph.unjoin_one_way("b", "a").unwrap();
    graph.join("c", "a").unwrap();
    game.graph(graph);
    let walker = game.walker(0.0, 0.0, 10.0);
    game.order_to_waypoint(walker, "b");
    game.step(3.0);
    game.order_to_waypoint(walker, "a");
    game.step(1.0);
    game.assert_at(walker, Vec2::new(40.0, 0.0));
    assert_eq!(game.waypoints(walker), ["b", "c", "a"]);
}

#[test]
fn teleport_along_the_way_goes_on_and_elsewhere_is_planned_again() {
    let mut game = Game::long_steps();
    game.graph(row());
    let walker = game.walker(0.0, 0.0, 10.0);
    game.order_to_waypoint(walker, "c");
    game.step(1.0);
    game.world_mut().get_mut::<Transform>(walker).unwrap().translation.x = 130.0;
    game.step(1.0);
    game.assert_at(walker, Vec2::new(140.0, 0.0));
    assert_eq!(game.named_of(walker), [found("c")]);

    game.world_mut().get_mut::<Transform>(walker).unwrap().translation = Vec3::new(50.0, 7.0, 3.0);
    game.step(1.0);
    assert_eq!(game.named_of(walker), [replanned("c")]);
    // The agent walks seven units down to the edge, and three along it.
    game.assert_at(walker, Vec2::new(53.0, 0.0));
    game.step_until_quiet(walker, 1.0, 30);
    assert_eq!(game.named_of(walker), [reached(&["b", "c"]), vec![arrived("c")]].concat());
}

#[test]
fn agent_nudged_in_every_step_still_arrives() {
    let mut game = Game::long_steps();
    game.graph(row());
    let walker = game.walker(0.0, 0.0, 10.0);
    game.order_to_waypoint(walker, "c");
    for n in 0..60 {
        game.step(0.5);
        let nudge = if n % 2 == 0 { 0.8 } else { -0.8 };
        if !game.is_ordered(walker) {
            break;
        }
        game.world_mut().get_mut::<Transform>(walker).unwrap().translation.y += nudge;
    }
    assert!(game.named_of(walker).contains(&arrived("c")));
}

#[test]
fn graph_on_a_moving_raft_carries_its_walkers_without_a_new_plan() {
    let mut game = Game::long_steps();
    let raft = game.world_mut().spawn(Transform::default()).id();
    game.world_mut().spawn((NavGraph::new(row()), Transform::default(), ChildOf(raft)));
    let walker = game.walker(0.0, 0.0, 10.0);
    game.world_mut().entity_mut(walker).insert(ChildOf(raft));
    game.order_to_waypoint(walker, "c");
    for n in 1..=19 {
        let mut transform = game.world_mut().get_mut::<Transform>(raft).unwrap();
        transform.translation.x += 5.0;
        transform.rotate_z(0.1);
        game.step(1.0);
        let local = game.position(walker);
        assert!(local.distance(Vec2::new(10.0 * n as f32, 0.0)) < 0.05, "{local} at {n}");
    }
    // The start has a rounding error, because it was turned there and back.
    game.step(1.01);
    assert_eq!(game.news_of(walker), [found("c"), arrived("c")]);
}

#[test]
fn graph_moved_under_the_feet_is_followed() {
    let mut game = Game::long_steps();
    let graph = game.graph(row());
    game.world_mut().entity_mut(graph).insert(Transform::default());
    let walker = game.walker(0.0, 0.0, 10.0);
    game.order_to_waypoint(walker, "c");
    for _ in 0..10 {
        game.step(1.0);
        game.world_mut().get_mut::<Transform>(graph).unwrap().translation.y += 1.0;
    }
    game.step_until_quiet(walker, 1.0, 20);
    game.assert_at(walker, Vec2::new(200.0, 10.0));
    assert_eq!(game.news_of(walker), [found("c"), arrived("c")]);
}

#[test]
fn cancelled_and_paused_walkers_stand() {
    let mut game = Game::long_steps();
    game.graph(row());
    let walker = game.walker(0.0, 0.0, 10.0);
    game.order_to_waypoint(walker, "c");
    game.step(1.0);
    game.world_mut().get_mut::<PathAgent>(walker).unwrap().paused = true;
    game.step(1.0);
    game.assert_at(walker, Vec2::new(10.0, 0.0));
    game.world_mut().get_mut::<PathAgent>(walker).unwrap().paused = false;
    game.step(1.0);
    game.world_mut().entity_mut(walker).remove::<PathRequest>();
    game.step(1.0);
    game.assert_at(walker, Vec2::new(20.0, 0.0));
    game.order_to_waypoint(walker, "c");
    game.step(1.0);
    game.assert_at(walker, Vec2::new(30.0, 0.0));
    assert_eq!(game.named_of(walker), [found("c"), found("c")]);
}

//! Graphs that are edited while agents walk them.

use bevy::prelude::*;
use bevy_tilepath::{
    NavGraph, PathFailure, PathRequest,
    graphs::{WaypointEdge, WaypointGraph},
};

use super::fixtures::*;
use crate::harness::*;

/// Returns a square with a direct road and a detour.
fn square() -> WaypointGraph {
    graph_of(
        &[("a", 0.0, 0.0), ("b", 100.0, 0.0), ("c", 100.0, 100.0), ("d", 0.0, 120.0)],
        &[("a", "b"), ("b", "c"), ("c", "d"), ("d", "a")],
    )
}

/// Starts a game in which an agent has walked twenty units from `a` towards `b`. Its goal is
/// `goal`.
fn on_the_way(goal: &str) -> (Game, Entity, Entity) {
    let mut game = Game::long_steps();
    let graph = game.graph(square());
    let walker = game.walker(0.0, 0.0, 10.0);
    game.order_to_waypoint(walker, goal);
    game.step(2.0);
    game.assert_at(walker, Vec2::new(20.0, 0.0));
    assert_eq!(game.named_of(walker), [found(goal)]);
    (game, graph, walker)
}

#[test]
fn edge_removed_ahead_is_avoided_in_the_same_step() {
    let (mut game, graph, walker) = on_the_way("c");
    game.edit_graph(graph, |graph| assert!(graph.unjoin("b", "c").unwrap()));
    game.step(1.0);
    assert_eq!(game.named_of(walker), [blocked("c"), replanned("c")]);
    // The agent has turned round, and has lost no step.
    game.assert_at(walker, Vec2::new(10.0, 0.0));
    game.step_until_quiet(walker, 1.0, 40);
    assert_eq!(game.named_of(walker), [reached(&["a", "d", "c"]), vec![arrived("c")]].concat());
}

#[test]
fn edge_removed_under_the_feet_is_left_by_the_best_way() {
    let (mut game, graph, walker) = on_the_way("c");
    game.edit_graph(graph, |graph| assert!(graph.unjoin("a", "b").unwrap()));
    game.step(1.0);
    assert_eq!(game.named_of(walker), [blocked("b"), replanned("c")]);
    game.step_until_quiet(walker, 1.0, 60);
    assert_eq!(game.named_of(walker).last(), Some(&arrived("c")));
}

#[test]
fn waypoint_removed_ahead_is_avoided_but_a_removed_goal_is_lost() {
    let (mut game, graph, walker) = on_the_way("c");
    game.edit_graph(graph, |graph| graph.remove("b").unwrap());
    game.step(1.0);
    assert_eq!(game.named_of(walker), [blocked("b"), replanned("c")]);
    game.edit_graph(graph, |graph| graph.remove("c").unwrap());
    let before = game.position(walker);
    game.step(1.0);
    let lost = Told::Lost(PathFailure::UnknownWaypoint);
    assert_eq!(game.named_of(walker).last(), Some(&lost));
    assert_eq!(game.position(walker), before);
    assert!(!game.is_ordered(walker));
}

#[test]
fn last_path_cut_off_ends_the_journey_in_place() {
    let (mut game, graph, walker) = on_the_way("c");
    game.edit_graph(graph, |graph| {
        graph.unjoin("b", "c").unwrap();
        graph.unjoin("d", "c").unwrap();
    });
    game.step(1.0);
    assert_eq!(game.named_of(walker), [blocked("c"), Told::Lost(PathFailure::Unreachable)]);
    game.assert_at(walker, Vec2::new(20.0, 0.0));
}

#[test]
fn dragged_waypoint_bends_the_way_at_once() {
    let (mut game, graph, walker) = on_the_way("b");
    for n in 1..=5 {
        let before = game.position(walker);
        let to = Vec2::new(100.0, 8.0 * n as f32);
        game.edit_graph(graph, |graph| graph.move_to("b", (100.0, 8.0 * f64::from(n))).unwrap());
        game.step(1.0);
        // The agent walks straight to the new place for the whole step.
        game.assert_at(walker, before + (to - before).normalize() * 10.0);
        assert_eq!(game.named_of(walker), [blocked("b"), replanned("b")]);
    }
    game.step_until_quiet(walker, 1.0, 20);
    game.assert_at(walker, Vec2::new(100.0, 40.0));
    assert_eq!(game.named_of(walker), [reached(&["b"]), vec![arrived("b")]].concat());
}

#[test]
fn waypoint_dragged_far_makes_another_way_the_best() {
    let (mut game, graph, walker) = on_the_way("c");
    game.edit_graph(graph, |graph| graph.move_to("b", (900.0, 0.0)).unwrap());
    game.step(1.0);
    assert_eq!(game.waypoints(walker), ["a", "d", "c"]);
}

#[test]
fn edits_behind_or_aside_do_not_replan() {
    let (mut game, graph, walker) = on_the_way("c");
    game.edit_graph(graph, |graph| {
        graph.move_to("a", (0.0, -50.0)).unwrap();
        graph.remove("d").unwrap();
        graph.add("e", (50.0, 50.0)).unwrap();
        graph.join("e", "c").unwrap();
        graph.set_edge("b", "a", WaypointEdge::with_speed(3.0)).unwrap();
    });
    game.step(1.0);
    game.assert_at(walker, Vec2::new(30.0, 0.0));
    game.step_until_quiet(walker, 1.0, 40);
    assert_eq!(game.named_of(walker), [reached(&["b", "c"]), vec![arrived("c")]].concat());
}

#[test]
fn costlier_or_slower_edge_ahead_is_thought_over() {
    let (mut game, graph, walker) = on_the_way("c");
    let guarded = WaypointEdge { cost_factor: 50.0, ..WaypointEdge::default() };
    game.edit_graph(graph, |graph| graph.set_edge("b", "c", guarded).unwrap());
    game.step(1.0);
    assert_eq!(game.named_of(walker), [replanned("c")]);
    assert_eq!(game.waypoints(walker), ["a", "d", "c"]);
    // A new speed changes the pace of the agent, not its path.
    let fast = WaypointEdge { speed: 4.0, cost_factor: 1.0 };
    game.edit_graph(graph, |graph| graph.set_edge("a", "d", fast).unwrap());
    game.step(1.0);
    game.assert_at(walker, Vec2::ZERO);
    game.step(1.0);
    game.assert_at(walker, Vec2::new(0.0, 40.0));
}

#[test]
fn another_graph_in_its_place_is_checked_even_at_an_equal_revision() {
    let (mut game, graph, walker) = on_the_way("c");
    // The graph has the same number of edits, but its detour has another name.
    let other = graph_of(
        &[("a", 0.0, 0.0), ("x", 100.0, 0.0), ("c", 100.0, 100.0), ("d", 0.0, 120.0)],
        &[("a", "x"), ("x", "c"), ("c", "d"), ("d", "a")],
    );
    assert_eq!(other.revision(), game.world().get::<NavGraph>(graph).unwrap().graph().revision());
    game.edit_graph(graph, |graph| *graph = other);
    game.step(1.0);
    assert_eq!(game.named_of(walker), [blocked("b"), replanned("c")]);
    assert_eq!(game.waypoints(walker), ["x", "c"]);
}

#[test]
fn untouched_graph_behind_a_mutable_look_does_not_mark_paths_as_changed() {
    let (mut game, graph, walker) = on_the_way("c");
    game.world_mut().get_mut::<bevy_tilepath::PathAgent>(walker).unwrap().paused = true;
    game.step(1.0);
    let changed = |game: &Game| {
        game.world().entity(walker).get_ref::<bevy_tilepath::AgentPath>().expect("it has one").last_changed()
    };
    let before = changed(&game);
    game.edit_graph(graph, |_| ());
    game.step(1.0);
    assert_eq!(changed(&game), before);
}

#[test]
fn goal_beside_the_graph_stays_where_it_was_asked_for() {
    let (mut game, graph, walker) = on_the_way("c");
    game.order(walker, PathRequest::to_position(Vec2::new(110.0, 50.0)));
    game.step(1.0);
    // Moves the edge away from the goal. The agent would leave this edge half-way.
    game.edit_graph(graph, |graph| graph.move_to("c", (60.0, 100.0)).unwrap());
    game.step(1.0);
    let told = game.named_of(walker);
    assert!(told.contains(&replanned("@110,50")), "{told:?}");
    game.step_until_quiet(walker, 1.0, 40);
    game.assert_at(walker, Vec2::new(110.0, 50.0));
}

#[test]
fn waypoint_dragged_behind_agent_makes_it_turn_and_triggers_event() {
    let row = [("a", 0.0, 0.0), ("b", 100.0, 0.0), ("c", 100.0, 50.0)];
    for (goal, rest) in [("b", &[][..]), ("c", &["c"])] {
        let mut game = Game::long_steps();
        let graph = game.graph(graph_of(&row, &[("a", "b"), ("b", "c")]));
        let walker = game.walker(0.0, 0.0, 10.0);
        game.order_to_waypoint(walker, goal);
        game.step(5.0);
        game.named_of(walker);
        game.edit_graph(graph, |graph| graph.move_to("b", (30.0, 0.0)).unwrap());
        game.step_until_quiet(walker, 1.0, 30);
        let mut expected = vec![blocked("b"), replanned(goal)];
        expected.extend(reached(&["b"]));
        expected.extend(reached(rest));
        expected.push(arrived(goal));
        assert_eq!(game.named_of(walker), expected);
    }
}

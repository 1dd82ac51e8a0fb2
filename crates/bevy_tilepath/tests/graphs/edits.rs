//! Graphs that are edited while agents walk them.

use bevy::prelude::*;
use bevy_tilepath::{
    NavGraph, PathFailure, PathRequest,
    graphs::{WaypointEdge, WaypointGraph},
};

use super::fixtures::*;

/// A square with a direct way and a detour.
fn square() -> WaypointGraph {
    graph_of(
        &[("a", 0.0, 0.0), ("b", 100.0, 0.0), ("c", 100.0, 100.0), ("d", 0.0, 120.0)],
        &[("a", "b"), ("b", "c"), ("c", "d"), ("d", "a")],
    )
}

/// An agent who has walked twenty units from `a` towards `b`, on the way to `goal`.
fn on_the_way(goal: &str) -> (App, Entity, Entity) {
    let mut app = app();
    let graph = spawn(&mut app, square());
    let walker = agent(&mut app, 0.0, 0.0, 10.0);
    go_to(&mut app, walker, goal);
    step(&mut app, 2.0);
    assert_at(&app, walker, Vec2::new(20.0, 0.0));
    assert_eq!(told(&mut app, walker), [found(goal)]);
    (app, graph, walker)
}

#[test]
fn edge_removed_ahead_is_gone_round_in_the_same_step() {
    let (mut app, graph, walker) = on_the_way("c");
    edit(&mut app, graph, |graph| assert!(graph.unjoin("b", "c").unwrap()));
    step(&mut app, 1.0);
    assert_eq!(told(&mut app, walker), [blocked("c"), replanned("c")]);
    // It has turned round and lost no step.
    assert_at(&app, walker, Vec2::new(10.0, 0.0));
    run_until_quiet(&mut app, walker, 1.0, 40);
    assert_eq!(told(&mut app, walker), [reached(&["a", "d", "c"]), vec![arrived("c")]].concat());
}

#[test]
fn edge_removed_under_the_feet_is_left_by_the_best_way() {
    let (mut app, graph, walker) = on_the_way("c");
    edit(&mut app, graph, |graph| assert!(graph.unjoin("a", "b").unwrap()));
    step(&mut app, 1.0);
    assert_eq!(told(&mut app, walker), [blocked("b"), replanned("c")]);
    run_until_quiet(&mut app, walker, 1.0, 60);
    assert_eq!(told(&mut app, walker).last(), Some(&arrived("c")));
}

#[test]
fn waypoint_removed_ahead_is_gone_round_and_the_goal_itself_is_lost() {
    let (mut app, graph, walker) = on_the_way("c");
    edit(&mut app, graph, |graph| graph.remove("b").unwrap());
    step(&mut app, 1.0);
    assert_eq!(told(&mut app, walker), [blocked("b"), replanned("c")]);
    edit(&mut app, graph, |graph| graph.remove("c").unwrap());
    let before = position(&app, walker);
    step(&mut app, 1.0);
    let lost = Told::Lost(PathFailure::UnknownWaypoint);
    assert_eq!(told(&mut app, walker).last(), Some(&lost));
    assert_eq!(position(&app, walker), before);
    assert!(!is_ordered(&app, walker));
}

#[test]
fn last_way_cut_off_ends_the_journey_where_he_is() {
    let (mut app, graph, walker) = on_the_way("c");
    edit(&mut app, graph, |graph| {
        graph.unjoin("b", "c").unwrap();
        graph.unjoin("d", "c").unwrap();
    });
    step(&mut app, 1.0);
    assert_eq!(told(&mut app, walker), [blocked("c"), Told::Lost(PathFailure::Unreachable)]);
    assert_at(&app, walker, Vec2::new(20.0, 0.0));
}

#[test]
fn dragged_waypoint_bends_the_way_at_once() {
    let (mut app, graph, walker) = on_the_way("b");
    for n in 1..=5 {
        let before = position(&app, walker);
        let to = Vec2::new(100.0, 8.0 * n as f32);
        edit(&mut app, graph, |graph| graph.move_to("b", (100.0, 8.0 * f64::from(n))).unwrap());
        step(&mut app, 1.0);
        // Straight towards where it is now, all of the step.
        assert_at(&app, walker, before + (to - before).normalize() * 10.0);
        assert_eq!(told(&mut app, walker), [blocked("b"), replanned("b")]);
    }
    run_until_quiet(&mut app, walker, 1.0, 20);
    assert_at(&app, walker, Vec2::new(100.0, 40.0));
    assert_eq!(told(&mut app, walker), [reached(&["b"]), vec![arrived("b")]].concat());
}

#[test]
fn waypoint_dragged_far_makes_another_way_the_best() {
    let (mut app, graph, walker) = on_the_way("c");
    edit(&mut app, graph, |graph| graph.move_to("b", (900.0, 0.0)).unwrap());
    step(&mut app, 1.0);
    assert_eq!(waypoints(&app, walker), ["a", "d", "c"]);
}

#[test]
fn what_lies_behind_or_aside_is_none_of_his_business() {
    let (mut app, graph, walker) = on_the_way("c");
    edit(&mut app, graph, |graph| {
        graph.move_to("a", (0.0, -50.0)).unwrap();
        graph.remove("d").unwrap();
        graph.add("e", (50.0, 50.0)).unwrap();
        graph.join("e", "c").unwrap();
        graph.set_edge("b", "a", WaypointEdge::with_speed(3.0)).unwrap();
    });
    step(&mut app, 1.0);
    assert_at(&app, walker, Vec2::new(30.0, 0.0));
    run_until_quiet(&mut app, walker, 1.0, 40);
    assert_eq!(told(&mut app, walker), [reached(&["b", "c"]), vec![arrived("c")]].concat());
}

#[test]
fn costlier_or_slower_edge_ahead_is_thought_over() {
    let (mut app, graph, walker) = on_the_way("c");
    let guarded = WaypointEdge { cost_factor: 50.0, ..WaypointEdge::default() };
    edit(&mut app, graph, |graph| graph.set_edge("b", "c", guarded).unwrap());
    step(&mut app, 1.0);
    assert_eq!(told(&mut app, walker), [replanned("c")]);
    assert_eq!(waypoints(&app, walker), ["a", "d", "c"]);
    // A speed alone changes how it walks, not where.
    let fast = WaypointEdge { speed: 4.0, cost_factor: 1.0 };
    edit(&mut app, graph, |graph| graph.set_edge("a", "d", fast).unwrap());
    step(&mut app, 1.0);
    assert_at(&app, walker, Vec2::ZERO);
    step(&mut app, 1.0);
    assert_at(&app, walker, Vec2::new(0.0, 40.0));
}

#[test]
fn another_graph_in_its_place_is_checked_even_at_an_equal_revision() {
    let (mut app, graph, walker) = on_the_way("c");
    // The same edits in the same number, but for a detour of another name.
    let other = graph_of(
        &[("a", 0.0, 0.0), ("x", 100.0, 0.0), ("c", 100.0, 100.0), ("d", 0.0, 120.0)],
        &[("a", "x"), ("x", "c"), ("c", "d"), ("d", "a")],
    );
    assert_eq!(other.revision(), app.world().get::<NavGraph>(graph).unwrap().graph().revision());
    edit(&mut app, graph, |graph| *graph = other);
    step(&mut app, 1.0);
    assert_eq!(told(&mut app, walker), [blocked("b"), replanned("c")]);
    assert_eq!(waypoints(&app, walker), ["x", "c"]);
}

#[test]
fn untouched_graph_behind_a_mutable_look_does_not_mark_paths_as_changed() {
    let (mut app, graph, walker) = on_the_way("c");
    app.world_mut().get_mut::<bevy_tilepath::PathAgent>(walker).unwrap().paused = true;
    step(&mut app, 1.0);
    let changed = |app: &App| {
        app.world().entity(walker).get_ref::<bevy_tilepath::AgentPath>().expect("it has one").last_changed()
    };
    let before = changed(&app);
    edit(&mut app, graph, |_| ());
    step(&mut app, 1.0);
    assert_eq!(changed(&app), before);
}

#[test]
fn goal_beside_the_graph_stays_where_it_was_asked_for() {
    let (mut app, graph, walker) = on_the_way("c");
    order(&mut app, walker, PathRequest::to_position(Vec2::new(110.0, 50.0)));
    step(&mut app, 1.0);
    // The edge that it would leave half-way is dragged away from the goal.
    edit(&mut app, graph, |graph| graph.move_to("c", (60.0, 100.0)).unwrap());
    step(&mut app, 1.0);
    let told = told(&mut app, walker);
    assert!(told.contains(&Told::Replanned("@110,50".into())), "{told:?}");
    run_until_quiet(&mut app, walker, 1.0, 40);
    assert_at(&app, walker, Vec2::new(110.0, 50.0));
}

#[test]
fn waypoint_dragged_behind_his_back_is_turned_to_and_told_of() {
    let row = [("a", 0.0, 0.0), ("b", 100.0, 0.0), ("c", 100.0, 50.0)];
    for (goal, rest) in [("b", &[][..]), ("c", &["c"])] {
        let mut app = app();
        let graph = spawn(&mut app, graph_of(&row, &[("a", "b"), ("b", "c")]));
        let walker = agent(&mut app, 0.0, 0.0, 10.0);
        go_to(&mut app, walker, goal);
        step(&mut app, 5.0);
        told(&mut app, walker);
        edit(&mut app, graph, |graph| graph.move_to("b", (30.0, 0.0)).unwrap());
        run_until_quiet(&mut app, walker, 1.0, 30);
        let mut expected = vec![blocked("b"), replanned(goal)];
        expected.extend(reached(&["b"]));
        expected.extend(reached(rest));
        expected.push(arrived(goal));
        assert_eq!(told(&mut app, walker), expected);
    }
}

//! The answers of the tutorial, walked.

use bevy::prelude::*;
use bevy_tilepath::{NavGraph, OnMap, PathFailure, PathRequest, PathStatus, Place};

use super::fixtures::*;

#[test]
fn agent_walks_the_waypoints_of_the_tutorial_and_tells_of_each() {
    for (goal, ids, cost) in [("n5", vec!["n3", "n5"], 298.4245), ("n6", vec!["n2", "n4", "n6"], 317.0904)] {
        let mut app = app();
        let graph = spawn(&mut app, tutorial());
        let walker = agent(&mut app, 25.0, 25.0, 100.0);
        go_to(&mut app, walker, goal);
        step(&mut app, 0.1);
        assert_eq!(status(&app, walker), PathStatus::Following);
        assert_eq!(app.world().get::<OnMap>(walker), Some(&OnMap(graph)));
        let on_path = path(&app, walker);
        assert!((on_path.route_cost() - cost).abs() < 1e-3, "{}", on_path.route_cost());
        assert_eq!(on_path.goal(), &Place::from(goal));
        assert_eq!(on_path.points().len(), ids.len() + 1);
        assert_eq!(
            (on_path.path(), on_path.remaining_cells(), on_path.cost().unwrap().get()),
            (None, &[][..], 0)
        );
        assert_eq!(on_path.remaining_waypoints().collect::<Vec<_>>(), ids);
        assert!((position(&app, walker).distance(Vec2::splat(25.0)) - 10.0).abs() < 1e-3);

        run_until_quiet(&mut app, walker, 0.1, 40);
        let told = told(&mut app, walker);
        assert_eq!(told, [vec![found(goal)], reached(&ids), vec![arrived(goal)]].concat());
        let end = tutorial().position(goal).unwrap();
        assert_at(&app, walker, Vec2::new(end.x as f32, end.y as f32));
        assert_eq!(status(&app, walker), PathStatus::Arrived);
        assert_eq!(path(&app, walker).remaining_waypoints().count(), 0);
    }
}

#[test]
fn graph_moved_turned_and_parented_is_walked_where_it_stands() {
    let mut app = app();
    let raft = app.world_mut().spawn(Transform::from_xyz(300.0, -50.0, 0.0)).id();
    let place = Transform::from_xyz(10.0, 20.0, 0.0)
        .with_rotation(Quat::from_rotation_z(0.7))
        .with_scale(Vec3::new(2.0, 2.0, 1.0));
    app.world_mut().spawn((NavGraph::new(tutorial()), place, ChildOf(raft)));
    let whole = Transform::from_xyz(300.0, -50.0, 0.0).compute_affine() * place.compute_affine();
    let world = |x: f32, y: f32| whole.transform_point3(Vec3::new(x, y, 0.0)).truncate();
    let start = world(25.0, 25.0);
    let walker = agent(&mut app, start.x, start.y, 100.0);
    go_to(&mut app, walker, "n5");
    run_until_quiet(&mut app, walker, 0.1, 80);
    assert_at(&app, walker, world(190.0, 160.0));
    // In world units: the graph is drawn twice as large.
    assert!((path(&app, walker).route_cost() - 2.0 * 298.4245).abs() < 1e-2);
    assert_eq!(told(&mut app, walker).last(), Some(&arrived("n5")));
}

#[test]
fn start_and_goal_beside_the_graph_are_joined_to_it_at_the_best_places() {
    let mut app = app();
    spawn(&mut app, graph_of(&[("a", 0.0, 0.0), ("b", 100.0, 0.0)], &[("a", "b")]));
    let walker = agent(&mut app, 20.0, 5.0, 10.0);
    order(&mut app, walker, PathRequest::to_position(Vec2::new(70.0, -3.0)));
    step(&mut app, 0.1);
    let points = path(&app, walker).points().to_vec();
    assert_eq!(points, [(20.0, 5.0), (20.0, 0.0), (70.0, 0.0), (70.0, -3.0)].map(Vec2::from));
    assert!((path(&app, walker).route_cost() - (4.0 * 5.0 + 50.0 + 4.0 * 3.0)).abs() < 1e-4);
    run_until_quiet(&mut app, walker, 0.1, 100);
    assert_eq!(told(&mut app, walker), [Told::Found("@70,-3".into()), Told::Arrived("@70,-3".into())]);
    assert_at(&app, walker, Vec2::new(70.0, -3.0));
}

#[test]
fn access_factor_decides_how_long_agents_keep_to_the_ways() {
    // A corner to be cut: over 30 + 30 of road, or straight to the far end of it.
    for (factor, points) in [(4.0, 3), (0.5, 2)] {
        let mut app = app();
        let graph =
            graph_of(&[("a", 0.0, 0.0), ("b", 30.0, 0.0), ("c", 30.0, 30.0)], &[("a", "b"), ("b", "c")]);
        app.world_mut().spawn(NavGraph::new(graph).with_access_factor(factor));
        let walker = agent(&mut app, 0.0, 1.0, 1.0);
        go_to(&mut app, walker, "c");
        step(&mut app, 0.1);
        let points_found = path(&app, walker).points().len();
        assert_eq!(points_found > 2, points > 2, "{:?}", path(&app, walker).points());
    }
}

#[test]
fn nearest_of_waypoints_and_positions_is_chosen_by_the_way() {
    let mut app = app();
    spawn(&mut app, tutorial());
    let walker = agent(&mut app, 25.0, 25.0, 0.0);
    order(&mut app, walker, PathRequest::to_nearest(["n6", "n5", "n4"]));
    step(&mut app, 0.1);
    assert_eq!(path(&app, walker).chosen(), 2);
    let places = [Place::from("n6"), Vec2::new(30.0, 30.0).into()];
    order(&mut app, walker, PathRequest::to_nearest(places));
    step(&mut app, 0.1);
    assert_eq!(path(&app, walker).chosen(), 1);
}

#[test]
fn orders_that_no_graph_can_follow_have_reasons() {
    let mut app = app();
    spawn(&mut app, graph_of(&[("a", 0.0, 0.0), ("b", 9.0, 0.0), ("island", 99.0, 0.0)], &[("a", "b")]));
    let walker = agent(&mut app, 0.0, 0.0, 10.0);
    for (request, reason) in [
        (PathRequest::to_waypoint("c"), PathFailure::UnknownWaypoint),
        (PathRequest::to_waypoint("island"), PathFailure::Unreachable),
        (PathRequest::to_nearest(["a", "c"]), PathFailure::UnknownWaypoint),
        (PathRequest::to_nearest::<Place>([]), PathFailure::NoGoals),
        (PathRequest::to_position(Vec2::NAN), PathFailure::PositionNotFinite),
        (PathRequest::to_cell((0, 0)), PathFailure::NoMap),
    ] {
        order(&mut app, walker, request);
        step(&mut app, 0.1);
        assert_eq!(told(&mut app, walker), [Told::Failed(reason)]);
        assert_eq!(status(&app, walker), PathStatus::Failed(reason));
    }
    assert!(PathFailure::UnknownWaypoint.to_string().contains("spelling"));
    // As near as possible: the waypoint nearest to the island.
    order(&mut app, walker, PathRequest::to_waypoint("island").or_closest());
    run_until_quiet(&mut app, walker, 0.1, 30);
    assert!(path(&app, walker).is_partial());
    assert_eq!(told(&mut app, walker), [vec![found("b")], reached(&["b"]), vec![arrived("b")]].concat());
}

#[test]
fn order_waits_for_a_graph_that_is_not_there_yet() {
    let mut app = app();
    let walker = agent(&mut app, 25.0, 25.0, 1e6);
    go_to(&mut app, walker, "n5");
    step(&mut app, 0.1);
    assert_eq!(status(&app, walker), PathStatus::WaitingForMap);
    let graph = app.world_mut().spawn(NavGraph::default()).id();
    step(&mut app, 0.1);
    assert_eq!(status(&app, walker), PathStatus::WaitingForMap);
    edit(&mut app, graph, |graph| *graph = tutorial());
    step(&mut app, 0.1);
    assert_eq!(status(&app, walker), PathStatus::Arrived);
}

#[test]
fn several_maps_have_to_be_told_apart_and_the_named_one_counts() {
    let mut app = app();
    let graph = spawn(&mut app, tutorial());
    tile_map(&mut app, "...\n...", Vec2::ZERO);
    let walker = agent(&mut app, 25.0, 25.0, 1e6);
    go_to(&mut app, walker, "n5");
    step(&mut app, 0.1);
    assert_eq!(told(&mut app, walker), [Told::Failed(PathFailure::AmbiguousMap)]);
    app.world_mut().entity_mut(walker).insert(OnMap(graph));
    go_to(&mut app, walker, "n5");
    step(&mut app, 0.1);
    assert_eq!(told(&mut app, walker).last(), Some(&arrived("n5")));
}

#[test]
fn graph_despawned_on_the_way_ends_the_journey() {
    let mut app = app();
    let graph = spawn(&mut app, tutorial());
    let walker = agent(&mut app, 25.0, 25.0, 10.0);
    go_to(&mut app, walker, "n5");
    step(&mut app, 0.1);
    app.world_mut().despawn(graph);
    step(&mut app, 0.1);
    assert_eq!(told(&mut app, walker), [found("n5"), Told::Lost(PathFailure::NoMap)]);
    assert!(app.world().get::<OnMap>(walker).is_none());
}

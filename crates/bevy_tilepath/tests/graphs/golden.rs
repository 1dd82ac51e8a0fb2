//! The paths of the tutorial, walked by agents.

use bevy::prelude::*;
use bevy_tilepath::{NavGraph, OnMap, PathFailure, PathRequest, PathStatus, Place};

use super::fixtures::*;
use crate::harness::*;

#[test]
fn agent_walks_the_waypoints_of_the_tutorial_and_tells_of_each() {
    for (goal, ids, cost) in [("n5", vec!["n3", "n5"], 298.4245), ("n6", vec!["n2", "n4", "n6"], 317.0904)] {
        let mut game = Game::long_steps();
        let graph = game.graph(tutorial());
        let walker = game.walker(25.0, 25.0, 100.0);
        game.order_to_waypoint(walker, goal);
        game.step(0.1);
        assert_eq!(game.status(walker), PathStatus::Following);
        assert_eq!(game.world().get::<OnMap>(walker), Some(&OnMap(graph)));
        let on_path = game.path(walker);
        assert!((on_path.route_cost() - cost).abs() < 1e-3, "{}", on_path.route_cost());
        assert_eq!(on_path.goal(), &Place::from(goal));
        assert_eq!(on_path.points().len(), ids.len() + 1);
        assert_eq!(
            (on_path.path(), on_path.remaining_cells(), on_path.cost().unwrap().get()),
            (None, &[][..], 0)
        );
        assert_eq!(on_path.remaining_waypoints().collect::<Vec<_>>(), ids);
        assert!((game.position(walker).distance(Vec2::splat(25.0)) - 10.0).abs() < 1e-3);

        game.step_until_quiet(walker, 0.1, 40);
        let told = game.named_of(walker);
        assert_eq!(told, [vec![found(goal)], reached(&ids), vec![arrived(goal)]].concat());
        let end = tutorial().position(goal).unwrap();
        game.assert_at(walker, Vec2::new(end.x as f32, end.y as f32));
        assert_eq!(game.status(walker), PathStatus::Arrived);
        assert_eq!(game.path(walker).remaining_waypoints().count(), 0);
    }
}

#[test]
fn graph_moved_turned_and_parented_is_walked_where_it_stands() {
    let mut game = Game::long_steps();
    let raft = game.world_mut().spawn(Transform::from_xyz(300.0, -50.0, 0.0)).id();
    let place = Transform::from_xyz(10.0, 20.0, 0.0)
        .with_rotation(Quat::from_rotation_z(0.7))
        .with_scale(Vec3::new(2.0, 2.0, 1.0));
    game.world_mut().spawn((NavGraph::new(tutorial()), place, ChildOf(raft)));
    let whole = Transform::from_xyz(300.0, -50.0, 0.0).compute_affine() * place.compute_affine();
    let world = |x: f32, y: f32| whole.transform_point3(Vec3::new(x, y, 0.0)).truncate();
    let start = world(25.0, 25.0);
    let walker = game.walker(start.x, start.y, 100.0);
    game.order_to_waypoint(walker, "n5");
    game.step_until_quiet(walker, 0.1, 80);
    game.assert_at(walker, world(190.0, 160.0));
    // The cost is in world units, and the graph is drawn twice as large.
    assert!((game.path(walker).route_cost() - 2.0 * 298.4245).abs() < 1e-2);
    assert_eq!(game.named_of(walker).last(), Some(&arrived("n5")));
}

#[test]
fn start_and_goal_beside_the_graph_are_joined_to_it_at_the_best_places() {
    let mut game = Game::long_steps();
    game.graph(graph_of(&[("a", 0.0, 0.0), ("b", 100.0, 0.0)], &[("a", "b")]));
    let walker = game.walker(20.0, 5.0, 10.0);
    game.order(walker, PathRequest::to_position(Vec2::new(70.0, -3.0)));
    game.step(0.1);
    let points = game.path(walker).points().to_vec();
    assert_eq!(points, [(20.0, 5.0), (20.0, 0.0), (70.0, 0.0), (70.0, -3.0)].map(Vec2::from));
    assert!((game.path(walker).route_cost() - (4.0 * 5.0 + 50.0 + 4.0 * 3.0)).abs() < 1e-4);
    game.step_until_quiet(walker, 0.1, 100);
    assert_eq!(game.named_of(walker), [found("@70,-3"), Told::Arrived("@70,-3".into())]);
    game.assert_at(walker, Vec2::new(70.0, -3.0));
}

#[test]
fn access_factor_decides_how_long_agents_keep_to_the_ways() {
    // The agent can cut a corner: the road costs 30 + 30, or it goes straight to the end of the
    // road.
    for (factor, points) in [(4.0, 3), (0.5, 2)] {
        let mut game = Game::long_steps();
        let graph =
            graph_of(&[("a", 0.0, 0.0), ("b", 30.0, 0.0), ("c", 30.0, 30.0)], &[("a", "b"), ("b", "c")]);
        game.world_mut().spawn(NavGraph::new(graph).with_access_factor(factor));
        let walker = game.walker(0.0, 1.0, 1.0);
        game.order_to_waypoint(walker, "c");
        game.step(0.1);
        let points_found = game.path(walker).points().len();
        assert_eq!(points_found > 2, points > 2, "{:?}", game.path(walker).points());
    }
}

#[test]
fn nearest_of_waypoints_and_positions_is_chosen_by_the_way() {
    let mut game = Game::long_steps();
    game.graph(tutorial());
    let walker = game.walker(25.0, 25.0, 0.0);
    game.order(walker, PathRequest::to_nearest(["n6", "n5", "n4"]));
    game.step(0.1);
    assert_eq!(game.path(walker).chosen(), 2);
    let places = [Place::from("n6"), Vec2::new(30.0, 30.0).into()];
    game.order(walker, PathRequest::to_nearest(places));
    game.step(0.1);
    assert_eq!(game.path(walker).chosen(), 1);
}

#[test]
fn orders_that_no_graph_can_follow_have_reasons() {
    let mut game = Game::long_steps();
    game.graph(graph_of(&[("a", 0.0, 0.0), ("b", 9.0, 0.0), ("island", 99.0, 0.0)], &[("a", "b")]));
    let walker = game.walker(0.0, 0.0, 10.0);
    for (request, reason) in [
        (PathRequest::to_waypoint("c"), PathFailure::UnknownWaypoint),
        (PathRequest::to_waypoint("island"), PathFailure::Unreachable),
        (PathRequest::to_nearest(["a", "c"]), PathFailure::UnknownWaypoint),
        (PathRequest::to_nearest::<Place>([]), PathFailure::NoGoals),
        (PathRequest::to_position(Vec2::NAN), PathFailure::PositionNotFinite),
        (PathRequest::to_cell((0, 0)), PathFailure::NoMap),
    ] {
        game.order(walker, request);
        game.step(0.1);
        assert_eq!(game.named_of(walker), [Told::Failed(reason)]);
        assert_eq!(game.status(walker), PathStatus::Failed(reason));
    }
    assert!(PathFailure::UnknownWaypoint.to_string().contains("spelling"));
    // The agent goes as near as possible: to the waypoint nearest to the island.
    game.order(walker, PathRequest::to_waypoint("island").or_closest());
    game.step_until_quiet(walker, 0.1, 30);
    assert!(game.path(walker).is_partial());
    assert_eq!(
        game.named_of(walker),
        [vec![found_partial("b")], reached(&["b"]), vec![arrived("b")]].concat()
    );
}

#[test]
fn order_waits_for_a_graph_that_is_not_there_yet() {
    let mut game = Game::long_steps();
    let walker = game.walker(25.0, 25.0, 1e6);
    game.order_to_waypoint(walker, "n5");
    game.step(0.1);
    assert_eq!(game.status(walker), PathStatus::WaitingForMap);
    let graph = game.world_mut().spawn(NavGraph::default()).id();
    game.step(0.1);
    assert_eq!(game.status(walker), PathStatus::WaitingForMap);
    game.edit_graph(graph, |graph| *graph = tutorial());
    game.step(0.1);
    assert_eq!(game.status(walker), PathStatus::Arrived);
}

#[test]
fn order_among_several_maps_uses_the_named_one() {
    let mut game = Game::long_steps();
    let graph = game.graph(tutorial());
    game.tile_map("...\n...", Vec2::ZERO);
    let walker = game.walker(25.0, 25.0, 1e6);
    game.order_to_waypoint(walker, "n5");
    game.step(0.1);
    assert_eq!(game.named_of(walker), [Told::Failed(PathFailure::AmbiguousMap)]);
    game.world_mut().entity_mut(walker).insert(OnMap(graph));
    game.order_to_waypoint(walker, "n5");
    game.step(0.1);
    assert_eq!(game.named_of(walker).last(), Some(&arrived("n5")));
}

#[test]
fn graph_despawned_on_the_way_ends_the_journey() {
    let mut game = Game::long_steps();
    let graph = game.graph(tutorial());
    let walker = game.walker(25.0, 25.0, 10.0);
    game.order_to_waypoint(walker, "n5");
    game.step(0.1);
    game.world_mut().despawn(graph);
    game.step(0.1);
    assert_eq!(game.named_of(walker), [found("n5"), Told::Lost(PathFailure::NoMap)]);
    assert!(game.world().get::<OnMap>(walker).is_none());
}

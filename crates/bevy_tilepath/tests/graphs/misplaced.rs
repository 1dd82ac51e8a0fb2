//! Graphs whose transforms give them no place in the world.

use bevy::prelude::*;
use bevy_tilepath::{
    Cell, OnMap, PathFailure, PathRequest,
    doors::{Door, DoorEnd},
};

use super::fixtures::*;
use crate::harness::*;

/// Returns transforms under which a map has no place in the world.
fn nowhere() -> [Transform; 3] {
    [
        Transform::from_scale(Vec3::ZERO),
        Transform::from_xyz(f32::NAN, 0.0, 0.0),
        Transform::from_rotation(Quat::from_xyzw(f32::NAN, 0.0, 0.0, 1.0)),
    ]
}

#[test]
fn graph_despawned_under_agent_ends_the_journey_in_place() {
    for transform in nowhere() {
        let mut game = Game::long_steps();
        let row = game.graph(graph_of(&[("a", 0.0, 0.0), ("b", 100.0, 0.0)], &[("a", "b")]));
        game.world_mut().entity_mut(row).insert(Transform::default());
        let walker = game.walker(0.0, 0.0, 10.0);
        game.order_to_waypoint(walker, "b");
        game.step(3.0);
        game.named_of(walker);
        game.world_mut().entity_mut(row).insert(transform);
        game.step(1.0);
        assert_eq!(game.named_of(walker), [Told::Lost(PathFailure::MapWithoutArea)], "{transform:?}");
        game.assert_at(walker, Vec2::new(30.0, 0.0));
    }
}

#[test]
fn door_to_a_map_without_place_is_not_passed() {
    for transform in nowhere() {
        for is_known_before in [true, false] {
            let mut game = Game::long_steps();
            let row = game.graph(graph_of(&[("a", 0.0, 0.0), ("b", 100.0, 0.0)], &[("a", "b")]));
            let barn = game.tile_map("...", Vec2::new(110.0, 0.0));
            game.world_mut()
                .spawn(Door::new(DoorEnd::waypoint(row, "b"), DoorEnd::cell(barn, Cell::new(0, 0))));
            let walker = game.walker(0.0, 0.0, 10.0);
            game.world_mut().entity_mut(walker).insert(OnMap(row));
            if is_known_before {
                game.world_mut().entity_mut(barn).insert(transform);
            }
            game.order(walker, PathRequest::to_cell(Cell::new(2, 0)));
            game.step(1.0);
            game.world_mut().entity_mut(barn).insert(transform);
            game.steps(20, 1.0);
            assert!(game.position(walker).is_finite(), "{transform:?}");
            let last = game.news_of(walker).pop();
            assert!(matches!(last, Some(Told::Failed(_) | Told::Lost(_))), "{last:?} {transform:?}");
        }
    }
}

#[test]
fn waypoint_where_an_agent_stands_is_known_however_far_out_the_graph_lies() {
    for place in [
        Transform::from_xyz(30_000.0, -7_000.0, 0.0),
        Transform::from_xyz(5_000.0, 9_000.0, 0.0).with_rotation(Quat::from_rotation_z(1.0)),
        Transform::from_xyz(-9_000.0, 20_000.0, 0.0).with_scale(Vec3::splat(0.1)),
    ] {
        let mut game = Game::long_steps();
        let mut graph = tutorial();
        // Positions near the origin of the graph have more digits than positions in the world.
        graph.move_to("n1", (0.3, 0.7)).expect("it is there");
        let town = game.graph(graph);
        game.world_mut().entity_mut(town).insert(place);
        let begin = place.transform_point(Vec3::new(0.3, 0.7, 0.0));
        let walker = game.walker(begin.x, begin.y, 1e6);
        let mut before = "n1";
        for goal in ["n4", "n3", "n1", "n2", "n6", "n1", "n5"] {
            game.order_to_waypoint(walker, goal);
            game.step(1.0);
            let leg: Vec<String> = game.waypoints(walker);
            assert_eq!(leg.first().map(String::as_str), Some(before));
            let passed: Vec<&str> = leg[1..].iter().map(String::as_str).collect();
            let mut expected = vec![found(goal)];
            expected.extend(reached(&passed));
            expected.push(arrived(goal));
            assert_eq!(game.named_of(walker), expected, "{place:?}");
            before = goal;
        }
    }
}

#[test]
fn agent_a_hair_beside_a_waypoint_is_there() {
    for (place, beside) in [
        (Transform::default(), Vec2::new(5e-7, 0.0)),
        (Transform::default(), Vec2::new(0.0, -4e-8)),
        (Transform::from_xyz(-10_000.0, 0.0, 0.0), Vec2::new(0.004, 0.004)),
        (Transform::from_scale(Vec3::new(1000.0, 0.001, 1.0)), Vec2::new(4e-4, 0.0)),
    ] {
        let mut game = Game::long_steps();
        let origin = f64::from(-place.translation.x);
        let graph = graph_of(&[("a", origin, 0.0), ("b", origin + 50.0, 0.0)], &[("a", "b")]);
        let town = game.graph(graph);
        game.world_mut().entity_mut(town).insert(place);
        let walker = game.walker(beside.x, beside.y, 1e6);
        for (goal, passed) in [("a", &[][..]), ("b", &["b"])] {
            game.order_to_waypoint(walker, goal);
            game.steps(3, 1.0);
            let mut expected = vec![found(goal)];
            expected.extend(reached(passed));
            expected.push(arrived(goal));
            assert_eq!(game.named_of(walker), expected, "{place:?}");
        }
    }
}

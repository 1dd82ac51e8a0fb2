//! Agents at waypoints that no edge leaves.

use bevy::{ecs::system::RunSystemOnce, prelude::*};
use bevy_tilepath::{
    Cell, Motion, NavQuery, OnMap, PathAgent, PathRequest, PathStatus,
    agents::Drive,
    doors::{Door, DoorEnd},
    graphs::WaypointGraph,
};

use super::fixtures::*;
use crate::harness::*;

/// Returns a road from west to east, and a waypoint beside it without an edge.
fn road_and_stone() -> WaypointGraph {
    let waypoints = [("west", 0.0, 0.0), ("mid", 100.0, 0.0), ("east", 200.0, 0.0), ("stone", 10.0, 12.0)];
    graph_of(&waypoints, &[("west", "mid"), ("mid", "east")])
}

#[test]
fn waypoint_set_under_an_agent_does_not_keep_it_off_the_roads() {
    for under_it in [false, true] {
        let mut game = Game::long_steps();
        let mut graph = road_and_stone();
        if !under_it {
            graph.remove("stone").unwrap();
        }
        game.graph(graph);
        // One goal is a waypoint, the other one lies beside the road.
        let goals = [PathRequest::to_waypoint("east"), PathRequest::to(Vec2::new(200.0, 3.0))];
        let walkers = goals.map(|goal| {
            let walker = game.walker(10.0, 12.0, 100.0);
            game.order(walker, goal);
            walker
        });
        game.step(0.01);
        for (walker, cost) in walkers.into_iter().zip([12.0 * 4.0 + 190.0, 12.0 * 4.0 + 190.0 + 3.0 * 4.0]) {
            let found = game.path(walker).route_cost();
            assert!((found - cost).abs() < 0.01, "{found} is not {cost}, with a waypoint: {under_it}");
            game.step_until_quiet(walker, 0.1, 100);
        }
        game.assert_at(walkers[0], Vec2::new(200.0, 0.0));
        game.assert_at(walkers[1], Vec2::new(200.0, 3.0));
    }
}

#[test]
fn question_from_a_waypoint_without_edges_has_the_answer_of_its_position() {
    let mut game = Game::long_steps();
    let graph = game.graph(road_and_stone());
    game.step(0.1);
    let costs = move |nav: NavQuery| {
        let view = nav.graph(graph).unwrap();
        [view.route("stone", "east"), view.route(Vec2::new(10.0, 12.0), "east")]
            .map(|route| route.unwrap().cost())
    };
    let costs = game.world_mut().run_system_once(costs).unwrap();
    assert!(costs.iter().all(|cost| (cost - 238.0).abs() < 1e-9), "{costs:?}");
}

#[test]
fn agent_at_the_end_of_a_one_way_road_walks_back_beside_it() {
    let mut game = Game::long_steps();
    let mut graph = road_and_stone();
    graph.unjoin_one_way("east", "mid").unwrap();
    game.graph(graph);
    let walker = game.walker(0.0, 0.0, 100.0);
    game.order(walker, PathRequest::to_waypoint("east"));
    game.step_until_quiet(walker, 0.1, 100);
    game.order(walker, PathRequest::to_waypoint("west"));
    game.step(0.01);
    // Beside the road up to the waypoint in the middle, then along the road in both directions.
    let cost = game.path(walker).route_cost();
    assert!((cost - (100.0 * 4.0 + 100.0)).abs() < 0.01, "{cost}");
    game.step_until_quiet(walker, 0.1, 100);
    game.assert_at(walker, Vec2::ZERO);
}

#[test]
fn agent_in_door_walks_back_beside_road_if_waypoint_loses_its_edges() {
    for drive in [Drive::Transform, Drive::Velocity] {
        let mut game = Game::long_steps();
        let graph = game.graph(graph_of(&[("a", 0.0, 0.0), ("gate", 50.0, 0.0)], &[("a", "gate")]));
        let room = game.tile_map("...", Vec2::new(100.0, -TILE_SIDE / 2.0));
        let ends = [DoorEnd::waypoint(graph, "gate"), DoorEnd::cell(room, Cell::new(0, 0))];
        game.world_mut().spawn(Door::new(ends[0].clone(), ends[1].clone()));
        let walker = game.walker(40.0, 0.0, 10.0);
        game.world_mut().entity_mut(walker).insert(OnMap(graph));
        game.world_mut().get_mut::<PathAgent>(walker).expect("it is one").drive = drive;
        game.order(walker, PathRequest::to_cell(Cell::new(2, 0)).on_map(room));
        let step = |game: &mut Game| {
            game.step(0.1);
            let velocity = game.world().get::<Motion>(walker).expect("it is a unit").velocity;
            if drive == Drive::Velocity {
                let mut at = game.world_mut().get_mut::<Transform>(walker).expect("it is somewhere");
                at.translation += (velocity * 0.1).extend(0.0);
            }
        };
        while game.position(walker).x < 75.0 {
            step(&mut game);
        }
        game.edit_graph(graph, |graph| assert_eq!(graph.unjoin("a", "gate"), Ok(true)));
        game.order(walker, PathRequest::to_waypoint("a").on_map(graph));
        for _ in 0..200 {
            step(&mut game);
        }
        assert_eq!(game.status(walker), PathStatus::Arrived, "{drive:?} at {}", game.position(walker));
    }
}

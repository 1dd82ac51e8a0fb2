//! Routes over several maps, compared with all possible routes.

use bevy::prelude::*;
use bevy_tilepath::{
    Cell, NavGraph, NavGrid, NavMap, NavProjection, OnMap, PathFailure, PathRequest, PathStatus,
    doors::{Door, DoorEnd},
    graphs::WaypointGraph,
    tilepath::Grid,
};
use rand::Rng;
use testkit::{Seed, cluttered};

use super::plain::{Plain, SIDE, WAYPOINTS};
use crate::harness::*;

/// Spawns two maps with different scales, so that each one has its own unit. Returns them with the
/// widths of their cells.
fn maps(game: &mut Game, plain: &mut Plain, number: usize) -> Vec<(Entity, f32)> {
    (0..2)
        .map(|map| {
            let size = [10.0, 25.0][map];
            let tiles = cluttered(SIDE as u32, SIDE as u32, 25, &Seed::named(&format!("{number} {map}")));
            let grid = Grid::from_classes(tiles.width, tiles.height, tiles.classes).expect("a small map");
            plain.add_map(map, &grid, f64::from(size));
            let corner = Vec2::new(0.0, 1000.0 * map as f32);
            let projection = NavProjection::square(Vec2::splat(size), corner + size / 2.0);
            let entity = game.world_mut().spawn((NavMap::default(), NavGrid::new(grid), projection)).id();
            (entity, size)
        })
        .collect()
}

#[test]
fn route_through_doors_is_the_cheapest_of_all() {
    let (mut found_any, mut crossed) = (0, 0);
    for number in 0..120 {
        let mut random = Seed::named(&format!("doors {number}")).generator();
        let mut game = Game::long_steps();
        let mut plain = Plain::new();
        let maps = maps(&mut game, &mut plain, number);
        let graphs: Vec<Entity> = (0..2)
            .map(|graph| {
                let mut waypoints = WaypointGraph::new();
                for index in 0..WAYPOINTS {
                    let at = (random.random_range(0.0..100.0), random.random_range(0.0..100.0));
                    waypoints.add(index.to_string(), at).unwrap();
                }
                for _ in 0..7 {
                    let ends = [(); 2].map(|()| random.random_range(0..WAYPOINTS));
                    if ends[0] != ends[1] {
                        waypoints.join_one_way(&ends[0].to_string(), &ends[1].to_string()).unwrap();
                    }
                }
                // The second graph is drawn three times as large.
                plain.add_graph(graph, &waypoints, [1.0, 3.0][graph]);
                let place = Transform::from_scale(Vec3::splat([1.0, 3.0][graph]));
                game.world_mut().spawn((NavGraph::new(waypoints), place)).id()
            })
            .collect();
        for n in 0..random.random_range(2..16) {
            let [(from, plain_from), (to, plain_to)] = [(); 2].map(|()| match random.random_range(0..4) {
                map @ 0..2 => {
                    let cell = Cell::new(random.random_range(0..SIDE), random.random_range(0..SIDE));
                    (DoorEnd::cell(maps[map].0, cell), Plain::cell(map, cell))
                }
                graph => {
                    let index = random.random_range(0..WAYPOINTS);
                    let end = DoorEnd::waypoint(graphs[graph - 2], index.to_string());
                    (end, Plain::waypoint(graph - 2, index))
                }
            });
            let cost = f64::from(random.random_range(0..50));
            let mut door = Door::new(from, to).with_cost(cost);
            plain.door(plain_from, plain_to, cost);
            if n % 3 == 0 {
                door = door.one_way();
            } else {
                plain.door(plain_to, plain_from, cost);
            }
            game.world_mut().spawn(door);
        }

        let from = Cell::new(random.random_range(0..SIDE), random.random_range(0..SIDE));
        let start = (Vec2::new(from.x as f32, from.y as f32) + 0.5) * maps[0].1;
        let walker = game.walker(start.x, start.y, 1e9);
        let corners = [Cell::new(0, 5), Cell::new(5, 0)];
        let either = |map| corners.map(|cell| Plain::cell(map, cell)).to_vec();
        for (request, goals) in [
            (PathRequest::to_waypoint("3").on_map(graphs[1]), vec![Plain::waypoint(1, 3)]),
            (PathRequest::to_cell(Cell::new(5, 5)).on_map(maps[1].0), vec![Plain::cell(1, Cell::new(5, 5))]),
            (PathRequest::to_cell(Cell::new(5, 0)), vec![Plain::cell(0, Cell::new(5, 0))]),
            (PathRequest::to_nearest(corners), either(0)),
            (PathRequest::to_nearest(corners).on_map(maps[1].0), either(1)),
        ] {
            game.world_mut()
                .entity_mut(walker)
                .insert((OnMap(maps[0].0), Transform::from_translation(start.extend(0.0))));
            game.order(walker, request);
            game.step(1.0);
            let expected = plain.costs_to(&goals)[Plain::cell(0, from)];
            if expected.is_finite() {
                let cost = game.path(walker).route_cost();
                assert!((cost - expected).abs() < 1e-3, "{number}: the cost is {cost}, not {expected}");
                assert_eq!(game.status(walker), PathStatus::Arrived, "{number}");
                let points = game.path(walker).points();
                game.assert_at(walker, points[points.len() - 1]);
                found_any += 1;
                crossed += usize::from(game.path(walker).legs().count() > 1);
            } else {
                let PathStatus::Failed(reason) = game.status(walker) else { panic!("{number}") };
                let has_no_way = matches!(reason, PathFailure::Unreachable | PathFailure::GoalBlocked { .. });
                assert!(has_no_way, "{number}: {reason}");
            }
        }
    }
    assert!(found_any > 300 && crossed > 120, "{found_any} {crossed}");
}

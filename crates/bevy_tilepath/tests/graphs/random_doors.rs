//! Routes over several maps, compared with every route there is.

use bevy::prelude::*;
use bevy_tilepath::{
    Cell, Door, DoorEnd, NavGraph, NavGrid, NavMap, NavProjection, OnMap, PathFailure, PathRequest,
    PathStatus, WaypointGraph, tilepath::Grid,
};
use rand::Rng;
use testkit::{Seed, cluttered};

use super::fixtures::*;

const SIDE: i32 = 6;
const WAYPOINTS: usize = 6;

/// Everything as one list of places and steps between them: cells of two maps, then waypoints of two graphs.
struct Plain {
    costs: Vec<Vec<f64>>,
    is_wall: [bool; Self::PLACES],
}

impl Plain {
    const PLACES: usize = 2 * (SIDE * SIDE) as usize + 2 * WAYPOINTS;

    fn new() -> Self {
        Self { costs: vec![vec![f64::INFINITY; Self::PLACES]; Self::PLACES], is_wall: [false; Self::PLACES] }
    }

    fn cell(map: usize, cell: Cell) -> usize {
        map * (SIDE * SIDE) as usize + (cell.y * SIDE + cell.x) as usize
    }

    fn waypoint(graph: usize, index: usize) -> usize {
        2 * (SIDE * SIDE) as usize + graph * WAYPOINTS + index
    }

    fn step(&mut self, from: usize, to: usize, cost: f64) {
        self.costs[from][to] = self.costs[from][to].min(cost);
    }

    /// A step through a door, which never leads into a wall.
    fn door(&mut self, from: usize, to: usize, cost: f64) {
        if !self.is_wall[to] {
            self.step(from, to, cost);
        }
    }

    /// Bellman and Ford: every step, until nothing becomes cheaper.
    fn cheapest(&self, from: usize, to: usize) -> f64 {
        let mut known = vec![f64::INFINITY; Self::PLACES];
        known[from] = 0.0;
        loop {
            let before = known.clone();
            for (a, steps) in self.costs.iter().enumerate() {
                for (b, cost) in steps.iter().enumerate() {
                    known[b] = known[b].min(known[a] + cost);
                }
            }
            if known == before {
                return known[to];
            }
        }
    }
}

/// Two maps of different scales, so that each counts in units of its own, with the widths of their cells.
fn maps(app: &mut App, plain: &mut Plain, number: usize) -> Vec<(Entity, f32)> {
    (0..2)
        .map(|map| {
            let size = [10.0, 25.0][map];
            let tiles = cluttered(SIDE as u32, SIDE as u32, 25, &Seed::named(&format!("{number} {map}")));
            let grid = Grid::from_classes(tiles.width, tiles.height, tiles.classes).expect("a small map");
            let rules = NavMap::default().rules();
            for cell in grid.bounds().cells() {
                let class = grid.terrain(cell).expect("on the map");
                plain.is_wall[Plain::cell(map, cell)] = !rules.costs().is_passable(class);
                for (x, y) in [(-1, -1), (0, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (0, 1), (1, 1)] {
                    let to = Cell::new(cell.x + x, cell.y + y);
                    let direction =
                        bevy_tilepath::tilepath::Direction::between(cell, to).expect("they are neighbours");
                    if let Some(cost) = rules.step_cost(&grid, cell, direction) {
                        let cost = f64::from(cost.get()) / 10.0 * f64::from(size);
                        plain.step(Plain::cell(map, cell), Plain::cell(map, to), cost);
                    }
                }
            }
            let corner = Vec2::new(0.0, 1000.0 * map as f32);
            let projection = NavProjection::square(Vec2::splat(size), corner + size / 2.0);
            let entity = app.world_mut().spawn((NavMap::default(), NavGrid::new(grid), projection)).id();
            (entity, size)
        })
        .collect()
}

#[test]
fn route_through_doors_is_the_cheapest_of_all() {
    let (mut found_any, mut crossed) = (0, 0);
    for number in 0..120 {
        let mut random = Seed::named(&format!("doors {number}")).generator();
        let mut app = app();
        let mut plain = Plain::new();
        let maps = maps(&mut app, &mut plain, number);
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
                for edge in waypoints.edges() {
                    let [from, to] =
                        [edge.from.id, edge.to.id].map(|id| Plain::waypoint(graph, id.parse().unwrap()));
                    // The second graph is drawn three times as large.
                    plain.step(from, to, edge.cost * [1.0, 3.0][graph]);
                }
                let place = Transform::from_scale(Vec3::splat([1.0, 3.0][graph]));
                app.world_mut().spawn((NavGraph::new(waypoints), place)).id()
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
            app.world_mut().spawn(door);
        }

        let from = Cell::new(random.random_range(0..SIDE), random.random_range(0..SIDE));
        let start = (Vec2::new(from.x as f32, from.y as f32) + 0.5) * maps[0].1;
        let walker = agent(&mut app, start.x, start.y, 1e9);
        let corners = [Cell::new(0, 5), Cell::new(5, 0)];
        let either = |map| corners.map(|cell| Plain::cell(map, cell)).to_vec();
        for (request, goals) in [
            (PathRequest::to_waypoint("3").on_map(graphs[1]), vec![Plain::waypoint(1, 3)]),
            (PathRequest::to_cell(Cell::new(5, 5)).on_map(maps[1].0), vec![Plain::cell(1, Cell::new(5, 5))]),
            (PathRequest::to_cell(Cell::new(5, 0)), vec![Plain::cell(0, Cell::new(5, 0))]),
            (PathRequest::to_nearest(corners), either(0)),
            (PathRequest::to_nearest(corners).on_map(maps[1].0), either(1)),
        ] {
            app.world_mut()
                .entity_mut(walker)
                .insert((OnMap(maps[0].0), Transform::from_translation(start.extend(0.0))));
            order(&mut app, walker, request);
            step(&mut app, 1.0);
            let costs = goals.iter().map(|&goal| plain.cheapest(Plain::cell(0, from), goal));
            let expected = costs.fold(f64::INFINITY, f64::min);
            if expected.is_finite() {
                let cost = path(&app, walker).route_cost();
                assert!((cost - expected).abs() < 1e-3, "{number}: {cost} is not {expected}");
                assert_eq!(status(&app, walker), PathStatus::Arrived, "{number}");
                let points = path(&app, walker).points();
                assert_at(&app, walker, points[points.len() - 1]);
                found_any += 1;
                crossed += usize::from(path(&app, walker).legs().count() > 1);
            } else {
                let PathStatus::Failed(reason) = status(&app, walker) else { panic!("{number}") };
                let has_no_way = matches!(reason, PathFailure::Unreachable | PathFailure::GoalBlocked { .. });
                assert!(has_no_way, "{number}: {reason}");
            }
        }
    }
    assert!(found_any > 300 && crossed > 120, "{found_any} {crossed}");
}

//! The work of orders if there are many doors.

use bevy::prelude::*;
use bevy_tilepath::{
    AgentPath, Cell, Edit, NavGrid, NavMap, NavProjection, OnMap, PathFailure, PathRequest, PathStatus,
    TilepathDiagnostics, TilepathSettings,
    agents::PathLeg,
    doors::{Door, DoorEnd},
    tilepath::{Algorithm, Bounds, Grid, MovementId},
};
use rand::Rng;
use testkit::Seed;

use super::fixtures::*;
use crate::harness::*;

/// Two maps side by side.
struct Maps {
    game: Game,
    left: Entity,
    right: Entity,
}

fn maps(width: u32, height: u32) -> Maps {
    let mut game = Game::long_steps();
    game.insert_resource(TilepathSettings { work_per_tick: u64::MAX / 4 });
    let mut map = |x: f32| {
        let projection = NavProjection::square(Vec2::splat(TILE_SIDE), Vec2::new(x, 0.0) + TILE_SIDE / 2.0);
        let grid = Grid::new(width, height, 1).expect("a small map");
        game.world_mut().spawn((NavMap::default(), NavGrid::new(grid), projection)).id()
    };
    let (left, right) = (map(0.0), map(width as f32 * TILE_SIDE));
    Maps { game, left, right }
}

impl Maps {
    fn door(&mut self, left: Cell, right: Cell) {
        let door = Door::new(DoorEnd::cell(self.left, left), DoorEnd::cell(self.right, right));
        self.game.world_mut().spawn(door);
    }

    /// Spawns doors at random places. Each door joins the same place of both maps.
    fn scatter_doors(&mut self, count: usize) {
        let bounds = self.game.world().get::<NavGrid>(self.left).expect("a map").bounds();
        let mut random = Seed::named("scattered doors").generator();
        for _ in 0..count {
            let x = random.random_range(0..bounds.width() as i32);
            let y = random.random_range(0..bounds.height() as i32);
            self.door(Cell::new(x, y), Cell::new(x, y));
        }
    }

    fn order(&mut self, from: Cell, request: PathRequest) -> Entity {
        let walker =
            self.game.walker((from.x as f32 + 0.5) * TILE_SIDE, (from.y as f32 + 0.5) * TILE_SIDE, 0.0);
        self.game.world_mut().entity_mut(walker).insert((OnMap(self.left), request));
        walker
    }

    /// Runs one tick. Returns the work of its searches.
    fn work_of_tick(&mut self) -> u64 {
        self.game.step(0.1);
        self.game.world().resource::<TilepathDiagnostics>().work
    }

    fn path(&self, walker: Entity) -> &AgentPath {
        self.game.path(walker)
    }
}

/// Gives 32 orders of five cells, all over the left map. Returns their work.
fn work_of_short_orders(maps: &mut Maps) -> u64 {
    let mut random = Seed::named("short orders").generator();
    let walkers: Vec<Entity> = (0..32)
        .map(|_| {
            let from = Cell::new(random.random_range(0..250), random.random_range(0..256));
            maps.order(from, PathRequest::to_cell(Cell::new(from.x + 5, from.y)))
        })
        .collect();
    let work = maps.work_of_tick();
    for walker in walkers {
        assert!((maps.path(walker).route_cost() - 50.0).abs() < 1e-6);
    }
    work
}

#[test]
fn short_orders_cost_about_the_same_whatever_the_number_of_doors() {
    let without = work_of_short_orders(&mut maps(256, 256));
    for doors in [100, 200, 1_000] {
        let mut maps = maps(256, 256);
        maps.scatter_doors(doors);
        let work = work_of_short_orders(&mut maps);
        assert!(work <= 2 * without, "{doors} doors: {work} instead of {without}");
    }
}

#[test]
fn doors_too_far_off_cost_nothing() {
    let work = |doors: i32| {
        let mut maps = maps(256, 256);
        for n in 0..doors {
            maps.door(Cell::new(200 + n % 50, n / 50), Cell::new(n % 50, n / 50));
        }
        let walker = maps.order(Cell::new(5, 100), PathRequest::to_cell(Cell::new(60, 140)));
        let work = maps.work_of_tick();
        assert_eq!(maps.path(walker).legs().count(), 1);
        work
    };
    assert_eq!(work(1_000), work(0));
}

#[test]
fn rooms_with_one_door_are_no_way_round() {
    // A street with a house at every second cell.
    let work = |houses: i32| {
        let mut maps = maps(64, 64);
        for n in 0..houses {
            let house = maps.game.tile_map("...\n...", Vec2::new(-100.0, 100.0 * n as f32));
            let (at, inside) = (Cell::new(n % 32 * 2, n / 32 * 2), Cell::new(0, 0));
            maps.game
                .world_mut()
                .spawn(Door::new(DoorEnd::cell(maps.left, at), DoorEnd::cell(house, inside)));
        }
        let mut grid = maps.game.world_mut().get_mut::<NavGrid>(maps.left).unwrap();
        for x in 5..60 {
            grid.set_terrain(Cell::new(x, 7), 0).unwrap();
        }
        // The path has a detour. Some doors are nearer than its end.
        let walker = maps.order(Cell::new(30, 3), PathRequest::to_cell(Cell::new(30, 9)));
        let work = maps.work_of_tick();
        assert_eq!(maps.path(walker).legs().count(), 1);
        work
    };
    assert_eq!(work(300), work(0));
}

#[test]
fn nearest_of_a_thousand_goals_stays_one_search_beside_a_door() {
    let work = |doors: &[(Cell, Cell)]| {
        let mut maps = maps(128, 128);
        for &(left, right) in doors {
            maps.door(left, right);
        }
        let mut random = Seed::named("a thousand goals").generator();
        let goals: Vec<Cell> = (0..1_000)
            .map(|_| Cell::new(random.random_range(40..128), random.random_range(40..128)))
            .collect();
        let walker = maps.order(Cell::new(2, 2), PathRequest::to_nearest(goals));
        (maps.work_of_tick(), maps.path(walker).chosen())
    };
    let (without, chosen) = work(&[]);
    assert_eq!(work(&[(Cell::new(127, 127), Cell::new(0, 0))]), (without, chosen));
    // With doors near the start, this ground is searched once more.
    let near = [(Cell::new(2, 3), Cell::new(0, 0)), (Cell::new(3, 2), Cell::new(127, 127))];
    let (beside, same) = work(&near);
    assert!(same == chosen && beside <= 3 * without, "{beside} instead of {without}");
}

#[test]
fn nearest_of_many_waypoints_is_one_search() {
    let mut game = Game::long_steps();
    game.insert_resource(TilepathSettings { work_per_tick: u64::MAX / 4 });
    let ids: Vec<String> = (0..2_000).map(|n| format!("w{n}")).collect();
    let waypoints: Vec<(&str, f64, f64)> =
        ids.iter().enumerate().map(|(n, id)| (id.as_str(), n as f64 * 10.0, 0.0)).collect();
    let joins: Vec<(&str, &str)> = ids.windows(2).map(|pair| (pair[0].as_str(), pair[1].as_str())).collect();
    game.graph(graph_of(&waypoints, &joins));
    let walker = game.walker(0.0, 0.0, 0.0);
    game.order(walker, PathRequest::to_nearest(ids[1_000..].iter().map(String::as_str)));
    game.step(0.1);
    assert_eq!(game.path(walker).chosen(), 0);
    let work = game.world().resource::<TilepathDiagnostics>().work;
    // A thousand waypoints lie before the first goal. Each goal is looked up twice: when the order
    // is accepted, and when its search begins.
    assert!((3_000..=3_100).contains(&work), "{work}");
}

#[test]
fn routes_along_graphs_are_cut_into_slices() {
    let mut game = Game::long_steps();
    game.insert_resource(TilepathSettings { work_per_tick: 600 });
    let ids: Vec<String> = (0..3_000).map(|n| format!("w{n}")).collect();
    let waypoints: Vec<(&str, f64, f64)> =
        ids.iter().enumerate().map(|(n, id)| (id.as_str(), n as f64 * 10.0, 0.0)).collect();
    let joins: Vec<(&str, &str)> = ids.windows(2).map(|pair| (pair[0].as_str(), pair[1].as_str())).collect();
    game.graph(graph_of(&waypoints, &joins));
    let walker = game.walker(0.0, 0.0, 0.0);
    game.order_to_waypoint(walker, "w2999");
    let mut ticks = 0;
    while game.status(walker) != PathStatus::Following {
        game.step(0.1);
        let work = game.world().resource::<TilepathDiagnostics>().work;
        assert!(work <= 600 + 1, "{work}");
        ticks += 1;
        assert!(ticks < 20, "{:?}", game.status(walker));
    }
    assert!(ticks >= 5, "{ticks}");
    assert!((game.path(walker).route_cost() - 29_990.0).abs() < 1e-6);
}

/// Joins both maps by five hundred doors side by side. The order leads from one end of the left map
/// to the far end of the right one.
///
/// Returns the work of the order, the work of a full search of both maps, and the number of legs.
fn side_by_side(walls: bool) -> (u64, u64, usize) {
    let mut maps = maps(100, 500);
    for y in 0..500 {
        maps.door(Cell::new(99, y), Cell::new(0, y));
    }
    if walls {
        let mut random = Seed::named("walls").generator();
        for map in [maps.left, maps.right] {
            let mut grid = maps.game.world_mut().get_mut::<NavGrid>(map).expect("a map");
            for _ in 0..15_000 {
                let cell = Cell::new(random.random_range(1..99), random.random_range(0..500));
                grid.set_terrain(cell, 0).expect("on the map");
            }
        }
    }
    let flood = |map: Entity| {
        let grid = maps.game.world().get::<NavGrid>(map).expect("a map");
        let mut search =
            grid.finder().begin_spread(MovementId::default(), []).expect("the map has a movement");
        search.enter(Cell::new(0, 250), 0.0).expect("on the map");
        while search.next_cost().is_some() {
            search.advance(u64::MAX, f64::INFINITY, |_| false);
        }
        search.expanded()
    };
    let floods = flood(maps.left) + flood(maps.right);
    let right = maps.right;
    let walker = maps.order(Cell::new(0, 3), PathRequest::to_cell(Cell::new(99, 490)).on_map(right));
    let work = maps.work_of_tick();
    (work, floods, maps.path(walker).legs().count())
}

#[test]
fn doors_side_by_side_are_searched_once_together() {
    for walls in [false, true] {
        let (work, floods, legs) = side_by_side(walls);
        assert_eq!(legs, 2);
        assert!(work <= 2 * floods, "{work} against {floods}");
    }
}

#[test]
fn doors_that_cost_too_much_to_count_harm_only_ways_through_them() {
    let mut maps = maps(10, 10);
    let costly = |maps: &Maps, x| {
        Door::new(DoorEnd::cell(maps.left, Cell::new(x, 0)), DoorEnd::cell(maps.right, Cell::new(x, 9)))
            .with_cost(1e308)
    };
    for x in 0..3 {
        let door = costly(&maps, x);
        maps.game.world_mut().spawn(door.with_cost(if x == 1 { f64::MAX } else { 1e308 }));
    }
    let right = maps.right;
    let local = maps.order(Cell::new(5, 5), PathRequest::to_cell(Cell::new(9, 5)));
    let across = maps.order(Cell::new(5, 5), PathRequest::to_cell(Cell::new(9, 5)).on_map(right));
    maps.game.step(0.1);
    assert_eq!(maps.game.status(local), PathStatus::Following);
    // One such cost does not overflow.
    assert_eq!(maps.game.status(across), PathStatus::Following);
    assert!((maps.path(across).route_cost() - 1e308).abs() < 1e300);
    maps.door(Cell::new(9, 9), Cell::new(9, 9));
    let cheap = maps.order(Cell::new(5, 5), PathRequest::to_cell(Cell::new(9, 5)).on_map(right));
    maps.game.step(0.1);
    assert!((maps.path(cheap).route_cost() - (16.0 * 4.0 - 8.0 + 40.0)).abs() < 41.0);
    // The sum of two such costs overflows.
    let mut chain = self::maps(4, 1);
    let attic = chain.game.tile_map("....", Vec2::new(0.0, 500.0));
    chain.game.world_mut().spawn(
        Door::new(DoorEnd::cell(chain.left, Cell::new(3, 0)), DoorEnd::cell(chain.right, Cell::new(0, 0)))
            .with_cost(1e308),
    );
    chain.game.world_mut().spawn(
        Door::new(DoorEnd::cell(chain.right, Cell::new(3, 0)), DoorEnd::cell(attic, Cell::new(0, 0)))
            .with_cost(1e308),
    );
    let lost = chain.order(Cell::new(0, 0), PathRequest::to_cell(Cell::new(3, 0)).on_map(attic));
    chain.game.step(0.1);
    assert_eq!(chain.game.status(lost), PathStatus::Failed(PathFailure::CostOverflow));
}

#[test]
fn algorithm_asked_for_works_on_the_own_map() {
    let mut maps = maps(40, 40);
    maps.scatter_doors(50);
    let request = PathRequest::to_cell(Cell::new(20, 9)).with_algorithm(Algorithm::Dijkstra);
    let walker = maps.order(Cell::new(3, 3), request);
    maps.game.step(0.1);
    assert_eq!(maps.path(walker).statistics().algorithm, Algorithm::Dijkstra);
}

#[test]
fn limit_spent_on_the_way_round_leaves_the_way_on_the_own_map() {
    // A swamp lies between both ends, and a detour leads through the other map.
    let swamp = |limit: Option<u64>| {
        let mut maps = maps(30, 30);
        let mut grid = maps.game.world_mut().get_mut::<NavGrid>(maps.left).unwrap();
        for y in 0..30 {
            for x in 5..25 {
                grid.set_terrain(Cell::new(x, y), 9).unwrap();
            }
        }
        maps.door(Cell::new(1, 1), Cell::new(1, 1));
        maps.door(Cell::new(29, 1), Cell::new(29, 1));
        let request = PathRequest::to_cell(Cell::new(28, 1));
        let request = limit.map_or(request.clone(), |limit| request.with_limit(limit));
        let walker = maps.order(Cell::new(2, 1), request);
        maps.game.step(0.1);
        let path = maps.path(walker);
        (path.legs().map(PathLeg::map).collect::<Vec<_>>(), path.statistics().expanded, maps.left)
    };
    let (round, expanded, _) = swamp(None);
    assert_eq!(round.len(), 3);
    let (legs, _, left) = swamp(Some(expanded - 1));
    assert_eq!(legs, [left]);
}

/// The unit stands in the middle of a building of 5 × 5 cells.
#[test]
fn order_to_another_map_leaves_closed_ground_first() {
    let mut maps = maps(12, 12);
    maps.door(Cell::new(9, 6), Cell::new(9, 6));
    let building = Bounds::new(Cell::new(2, 2), 5, 5).expect("a small area");
    let mut grid = maps.game.world_mut().get_mut::<NavGrid>(maps.left).expect("a map");
    grid.edit(&[Edit::terrain_in(building, 0)]).expect("on the map");
    let request = PathRequest::to_cell((2, 2)).on_map(maps.right);
    let walker = maps.order(Cell::new(4, 4), request);
    maps.work_of_tick();
    assert_eq!(maps.game.status(walker), PathStatus::Following);
}

//! Near paths that are found part by part while agents walk.

use std::collections::HashMap;

use bevy::prelude::*;
use bevy_tilepath::{
    AgentMovement, AgentPath, Algorithm, Cell, Diagonals, NavGrid, NavMap, PathFailure, PathRequest,
    PathStatus, TilepathSettings,
    events::PathFound,
    tilepath::{Bounds, Grid, Movement},
};
use rand::Rng;
use testkit::Seed;

use crate::harness::*;

const WIDE: i32 = 360;
const HIGH: i32 = 48;
const FROM: (i32, i32) = (3, 20);
const TO: (i32, i32) = (350, 21);

/// Returns hills with walls, and a road along which a path always exists.
fn hills() -> Grid {
    let map = testkit::terrain(WIDE as u32, HIGH as u32, 9, 10, &Seed::named("near parts"));
    let mut grid = Grid::from_classes(map.width, map.height, map.classes).expect("it is small");
    let road = Bounds::new(Cell::new(0, 20), WIDE as u32, 2).expect("it is small");
    grid.set_terrain_in(road, 4).expect("it is on the map");
    grid
}

fn near(to: (i32, i32)) -> PathRequest {
    PathRequest::to_cell(Cell::from(to)).with_algorithm(Algorithm::Near)
}

/// Spawns an agent with an order along the whole map.
fn walker(game: &mut Game, speed: f32) -> Entity {
    let walker = game.agent(FROM.0, FROM.1, speed);
    game.world_mut().entity_mut(walker).insert(near(TO));
    walker
}

/// Ticks until the agent has a path.
fn find_way(game: &mut Game, agent: Entity) {
    for _ in 0..200 {
        game.tick();
        if game.world().get::<AgentPath>(agent).is_some() {
            return;
        }
    }
    panic!("no path was found");
}

fn is_open(game: &Game, map: Entity, cell: Cell) -> bool {
    game.world().get::<NavGrid>(map).and_then(|grid| grid.terrain(cell)).is_some_and(|class| class != 0)
}

#[test]
fn a_long_way_is_known_in_parts_and_walked_without_a_stop() {
    for speed in [300.0, 3000.0] {
        let mut game = Game::new();
        game.map_of(hills(), Diagonals::default());
        let walker = walker(&mut game, speed);
        find_way(&mut game, walker);
        let way = game.path(walker).near_way().expect("the goal is far").clone();
        assert_eq!((way.goal(), way.end()), (Cell::from(TO), game.cell_path(walker).goal()));
        let Told::Found { goal, partial: false, cost } = game.told_of(walker)[0] else {
            panic!("the order was not answered with a path")
        };
        assert_eq!(goal, Cell::from(TO));
        let (known, route_cost) = (game.cell_path(walker).steps(), game.path(walker).route_cost());
        assert!(known < 120, "too many steps are known at first: {known}");
        assert!(cost < way.rest().get());
        let mut before = game.position(walker);
        let (mut parts, mut steps, mut last) = (0, 0, known);
        while game.is_ordered(walker) {
            game.tick();
            let here = game.position(walker);
            assert!(here != before, "the walker stands still at {here} after {steps} ticks");
            let known = game.path(walker).points().len();
            parts += usize::from(known != last);
            assert_eq!(game.path(walker).remaining_cells().last().is_none(), !game.is_ordered(walker));
            (before, last, steps) = (here, known, steps + 1);
            assert!(steps < 5000, "the walker never arrives");
        }
        assert!(parts > 3, "{parts}");
        assert_eq!(game.told_of(walker), [Told::Arrived(Cell::from(TO))]);
        assert_eq!(game.position(walker), centre(TO.0, TO.1));
        let path = game.path(walker);
        assert!(path.near_way().is_none() && path.remaining_cells().is_empty());
        let whole = path.path().expect("it leads over cells");
        assert_eq!((whole.start(), whole.goal()), (Cell::from(FROM), Cell::from(TO)));
        assert!(path.route_cost() <= route_cost * 1.001, "the walked path costs more than promised");
    }
}

#[test]
fn a_budget_that_is_too_small_lets_agents_wait_and_all_arrive() {
    let mut game = Game::new();
    game.insert_resource(TilepathSettings { work_per_tick: 40 });
    game.map_of(hills(), Diagonals::default());
    let walkers: Vec<Entity> = (0..4).map(|_| walker(&mut game, 2000.0)).collect();
    for _ in 0..20_000 {
        game.tick();
        if walkers.iter().all(|&walker| !game.is_ordered(walker)) {
            break;
        }
    }
    for walker in walkers {
        assert_eq!(game.status(walker), PathStatus::Arrived);
        assert_eq!(game.position(walker), centre(TO.0, TO.1));
    }
}

#[test]
fn edits_in_every_tick_are_seen_when_the_way_comes_there() {
    for round in 0..6 {
        let mut rng = Seed::named(&format!("near parts {round}")).generator();
        let mut game = Game::new();
        let map = game.map_of(hills(), Diagonals::ALL[round % 4]);
        let walkers: Vec<Entity> = (0..3).map(|_| walker(&mut game, 400.0)).collect();
        let mut cells: HashMap<Entity, Cell> =
            walkers.iter().map(|&walker| (walker, Cell::from(FROM))).collect();
        let mut blocked = 0;
        for t in 0..6000 {
            // The edit is a wall or a gap somewhere, or a few cells ahead of an agent. Sometimes it
            // is a whole chunk on the path of an agent, cell by cell.
            if rng.random_range(0..40) == 0
                && let Some(portal) = walkers.iter().find_map(|&walker| {
                    game.world().get::<AgentPath>(walker)?.near_way()?.portals().nth(rng.random_range(0..12))
                })
            {
                let class = rng.random_range(0..3);
                let corner = (portal.x / 16 * 16, portal.y / 16 * 16);
                for (x, y) in (0..16).flat_map(|y| (0..16).map(move |x| (corner.0 + x, corner.1 + y))) {
                    if x < WIDE && y < HIGH && y != 21 {
                        game.set_terrain(map, x, y, class);
                    }
                }
            }
            let ahead = game.world().get::<AgentPath>(walkers[t % 3]).filter(|_| t % 20 == 0);
            let ahead = ahead.and_then(|path| path.remaining_cells().get(rng.random_range(4..40)).copied());
            let anywhere = (rng.random_range(0..WIDE), rng.random_range(0..HIGH));
            let (x, y) = ahead.map_or(anywhere, |cell| (cell.x, cell.y));
            if (x, y) != TO && y != 21 {
                game.set_terrain(map, x, y, rng.random_range(0..6));
            }
            game.tick();
            blocked += game.told().iter().filter(|(_, told)| matches!(told, Told::Blocked(_))).count();
            for &walker in &walkers {
                let here = game.cell_at(walker);
                let before = cells.insert(walker, here);
                assert!(before == Some(here) || is_open(&game, map, here), "{here} is closed in tick {t}");
            }
            if walkers.iter().all(|&walker| !game.is_ordered(walker)) {
                break;
            }
        }
        assert!(blocked > 0, "no edit blocked a path");
        for walker in walkers {
            assert_eq!(
                game.status(walker),
                PathStatus::Arrived,
                "{} in round {round}",
                game.position(walker)
            );
        }
    }
}

#[test]
fn a_wall_across_the_map_beyond_what_is_known_ends_the_journey() {
    let mut game = Game::new();
    let map = game.map_of(hills(), Diagonals::default());
    let walker = walker(&mut game, 800.0);
    find_way(&mut game, walker);
    for y in 0..HIGH {
        game.set_terrain(map, 250, y, 0);
    }
    game.told_of(walker);
    for _ in 0..3000 {
        game.tick();
        if !game.is_ordered(walker) {
            break;
        }
    }
    let told = game.told_of(walker);
    assert!(matches!(told[..], [Told::Blocked(_), Told::Lost(PathFailure::Unreachable)]), "{told:?}");
    assert!(game.position(walker).x < 250.0 * CELL);
}

#[test]
fn a_movement_that_is_dropped_ends_the_order_and_another_one_is_planned_by() {
    for is_dropped in [true, false] {
        let mut game = Game::new();
        let map = game.map_of(hills(), Diagonals::default());
        game.world_mut().get_mut::<NavMap>(map).expect("it is a map").movements =
            [("wagon".into(), Movement::new().with_diagonals(Diagonals::Never))].into();
        let walker = walker(&mut game, 400.0);
        game.world_mut().entity_mut(walker).insert(AgentMovement::from("wagon"));
        game.ticks(40);
        assert!(game.path(walker).near_way().is_some());
        let mut rules = game.world_mut().get_mut::<NavMap>(map).expect("it is a map");
        if is_dropped {
            rules.movements.clear();
        } else {
            rules.movements.insert("wagon".into(), Movement::new().with_diagonals(Diagonals::Always));
        }
        for _ in 0..3000 {
            game.tick();
            if !game.is_ordered(walker) {
                break;
            }
        }
        let expected = if is_dropped {
            PathStatus::Failed(PathFailure::UnknownMovement { map })
        } else {
            PathStatus::Arrived
        };
        assert_eq!(game.status(walker), expected);
    }
}

#[test]
fn new_orders_cancels_and_teleports_leave_nothing_behind() {
    let mut game = Game::new();
    game.map_of(hills(), Diagonals::default());
    let walker = walker(&mut game, 600.0);
    game.ticks(30);
    game.world_mut().entity_mut(walker).insert(near((3, 21)));
    game.tick();
    game.run_until_quiet(3000);
    assert_eq!(game.position(walker), centre(3, 21));
    game.world_mut().entity_mut(walker).insert(near(TO));
    game.ticks(10);
    game.world_mut().get_mut::<Transform>(walker).expect("it is there").translation =
        centre(200, 20).extend(0.0);
    game.run_until_quiet(3000);
    assert_eq!(game.position(walker), centre(TO.0, TO.1));
    game.world_mut().entity_mut(walker).insert(near(FROM));
    game.ticks(30);
    game.world_mut().entity_mut(walker).remove::<PathRequest>();
    let stood = game.position(walker);
    game.ticks(50);
    assert!(game.position(walker).distance(stood) < 2.0 * CELL);
    assert_eq!(game.status(walker), PathStatus::Idle);
}

#[test]
fn several_far_stops_are_reached_in_their_order() {
    let mut game = Game::new();
    game.map_of(hills(), Diagonals::default());
    let walker = game.agent(FROM.0, FROM.1, 1500.0);
    let stops = [TO, FROM, (200, 20)].map(Cell::from);
    let order = PathRequest::to(stops[0]).then(stops[1]).then(stops[2]).with_algorithm(Algorithm::Near);
    game.world_mut().entity_mut(walker).insert(order);
    let mut passed = Vec::new();
    for _ in 0..5000 {
        game.tick();
        let reached = game.told().into_iter().filter_map(|(_, told)| match told {
            Told::Reached(cell) if stops.contains(&cell) => Some(cell),
            _ => None,
        });
        passed.extend(reached);
        if !game.is_ordered(walker) {
            break;
        }
    }
    passed.dedup();
    let mut wanted = stops.iter();
    let mut next = wanted.next();
    for cell in passed {
        if Some(&cell) == next {
            next = wanted.next();
        }
    }
    assert_eq!(next, None, "a stop was left out");
    assert_eq!(game.position(walker), centre(200, 20));
}

/// The algorithms that answered the orders.
#[derive(Resource, Default)]
struct Algorithms(Vec<Algorithm>);

#[test]
fn orders_that_name_no_algorithm_are_near_above_what_the_map_says() {
    for (near_above, far, close) in [
        (None, Algorithm::AStar, Algorithm::AStar),
        (Some(10_000), Algorithm::Near, Algorithm::AStar),
        (Some(0), Algorithm::Near, Algorithm::Near),
        (Some(u64::MAX), Algorithm::AStar, Algorithm::AStar),
    ] {
        let mut game = Game::new();
        game.init_resource::<Algorithms>().add_observer(
            |on: On<PathFound>, paths: Query<&AgentPath>, mut found: ResMut<Algorithms>| {
                found.0.push(paths.get(on.entity).expect("it has a path").statistics().algorithm);
            },
        );
        let map = game.map_of(hills(), Diagonals::default());
        game.world_mut().get_mut::<NavMap>(map).expect("it is a map").near_above = near_above;
        for (goal, algorithm) in [(TO, Algorithm::Auto), ((60, 20), Algorithm::Auto), (TO, Algorithm::AStar)]
        {
            let walker = game.agent(FROM.0, FROM.1, 900.0);
            let order = PathRequest::to_cell(Cell::from(goal)).with_algorithm(algorithm);
            game.world_mut().entity_mut(walker).insert(order);
            game.run_until_quiet(2000);
            assert_eq!(game.status(walker), PathStatus::Arrived);
        }
        let found = &game.world().resource::<Algorithms>().0;
        assert_eq!(found[..], [far, close, Algorithm::AStar], "{near_above:?}");
    }
}

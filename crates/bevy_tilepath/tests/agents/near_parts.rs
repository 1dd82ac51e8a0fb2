//! Near ways that are found part by part while they are walked.

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

use super::fixtures::*;
use crate::harness::tick;

const WIDE: i32 = 360;
const HIGH: i32 = 48;
const FROM: (i32, i32) = (3, 20);
const TO: (i32, i32) = (350, 21);

/// Hills with walls, and a road along which there is always a way.
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

/// An agent that is to go the whole length of the map.
fn walker(app: &mut App, speed: f32) -> Entity {
    let walker = agent(app, FROM.0, FROM.1, speed);
    app.world_mut().entity_mut(walker).insert(near(TO));
    walker
}

/// Ticks until the agent has a way.
fn find_way(app: &mut App, agent: Entity) {
    for _ in 0..200 {
        tick(app);
        if app.world().get::<AgentPath>(agent).is_some() {
            return;
        }
    }
    panic!("no way is found");
}

fn cell_of(app: &App, agent: Entity) -> Cell {
    let at = position(app, agent) / CELL;
    Cell::new(at.x.floor() as i32, at.y.floor() as i32)
}

fn is_open(app: &App, map: Entity, cell: Cell) -> bool {
    app.world().get::<NavGrid>(map).and_then(|grid| grid.terrain(cell)).is_some_and(|class| class != 0)
}

#[test]
fn a_long_way_is_known_in_parts_and_walked_without_a_stop() {
    for speed in [300.0, 3000.0] {
        let mut app = app();
        map_of(&mut app, hills(), Diagonals::default());
        let walker = walker(&mut app, speed);
        find_way(&mut app, walker);
        let way = path(&app, walker).near_way().expect("the goal is far").clone();
        assert_eq!((way.goal(), way.end()), (Cell::from(TO), cell_path(&app, walker).goal()));
        let Told::Found { goal, partial: false, cost } = told_of(&mut app, walker)[0] else {
            panic!("it is found")
        };
        assert_eq!(goal, Cell::from(TO));
        let (known, route_cost) = (cell_path(&app, walker).steps(), path(&app, walker).route_cost());
        assert!(known < 120, "{known} steps are known at first");
        assert!(cost < way.rest().get());
        let mut before = position(&app, walker);
        let (mut parts, mut steps, mut last) = (0, 0, known);
        while is_ordered(&app, walker) {
            tick(&mut app);
            let here = position(&app, walker);
            assert!(here != before, "it stands at {here} after {steps} ticks");
            let known = path(&app, walker).points().len();
            parts += usize::from(known != last);
            assert_eq!(path(&app, walker).remaining_cells().last().is_none(), !is_ordered(&app, walker));
            (before, last, steps) = (here, known, steps + 1);
            assert!(steps < 5000, "it never arrives");
        }
        assert!(parts > 3, "{parts}");
        assert_eq!(told_of(&mut app, walker), [Told::Arrived(Cell::from(TO))]);
        assert_eq!(position(&app, walker), centre(TO.0, TO.1));
        let path = path(&app, walker);
        assert!(path.near_way().is_none() && path.remaining_cells().is_empty());
        let whole = path.path().expect("it leads over cells");
        assert_eq!((whole.start(), whole.goal()), (Cell::from(FROM), Cell::from(TO)));
        assert!(path.route_cost() <= route_cost * 1.001, "what was promised is kept");
    }
}

#[test]
fn a_budget_that_is_too_small_lets_agents_wait_and_all_arrive() {
    let mut app = app();
    app.insert_resource(TilepathSettings { work_per_tick: 40 });
    map_of(&mut app, hills(), Diagonals::default());
    let walkers: Vec<Entity> = (0..4).map(|_| walker(&mut app, 2000.0)).collect();
    for _ in 0..20_000 {
        tick(&mut app);
        if walkers.iter().all(|&walker| !is_ordered(&app, walker)) {
            break;
        }
    }
    for walker in walkers {
        assert_eq!(status(&app, walker), PathStatus::Arrived);
        assert_eq!(position(&app, walker), centre(TO.0, TO.1));
    }
}

#[test]
fn edits_in_every_tick_are_seen_when_the_way_comes_there() {
    for round in 0..6 {
        let mut rng = Seed::named(&format!("near parts {round}")).generator();
        let mut app = app();
        let map = map_of(&mut app, hills(), Diagonals::ALL[round % 4]);
        let walkers: Vec<Entity> = (0..3).map(|_| walker(&mut app, 400.0)).collect();
        let mut cells: HashMap<Entity, Cell> =
            walkers.iter().map(|&walker| (walker, Cell::from(FROM))).collect();
        let mut blocked = 0;
        for t in 0..6000 {
            // A wall or a gap somewhere, or a whole chunk of the way ahead of one of them, cell by cell.
            if rng.random_range(0..40) == 0
                && let Some(portal) = walkers.iter().find_map(|&walker| {
                    app.world().get::<AgentPath>(walker)?.near_way()?.portals().nth(rng.random_range(0..12))
                })
            {
                let class = rng.random_range(0..3);
                let corner = (portal.x / 16 * 16, portal.y / 16 * 16);
                for (x, y) in (0..16).flat_map(|y| (0..16).map(move |x| (corner.0 + x, corner.1 + y))) {
                    if x < WIDE && y < HIGH && y != 21 {
                        set_terrain(&mut app, map, x, y, class);
                    }
                }
            }
            let ahead = app.world().get::<AgentPath>(walkers[t % 3]).filter(|_| t % 20 == 0);
            let ahead = ahead.and_then(|path| path.remaining_cells().get(rng.random_range(4..40)).copied());
            let anywhere = (rng.random_range(0..WIDE), rng.random_range(0..HIGH));
            let (x, y) = ahead.map_or(anywhere, |cell| (cell.x, cell.y));
            if (x, y) != TO && y != 21 {
                set_terrain(&mut app, map, x, y, rng.random_range(0..6));
            }
            tick(&mut app);
            blocked += told(&mut app).iter().filter(|(_, told)| matches!(told, Told::Blocked(_))).count();
            for &walker in &walkers {
                let here = cell_of(&app, walker);
                let before = cells.insert(walker, here);
                assert!(before == Some(here) || is_open(&app, map, here), "{here} is closed in tick {t}");
            }
            if walkers.iter().all(|&walker| !is_ordered(&app, walker)) {
                break;
            }
        }
        assert!(blocked > 0, "nothing came in the way");
        for walker in walkers {
            assert_eq!(
                status(&app, walker),
                PathStatus::Arrived,
                "{} in round {round}",
                position(&app, walker)
            );
        }
    }
}

#[test]
fn a_wall_across_the_map_beyond_what_is_known_ends_the_journey() {
    let mut app = app();
    let map = map_of(&mut app, hills(), Diagonals::default());
    let walker = walker(&mut app, 800.0);
    find_way(&mut app, walker);
    for y in 0..HIGH {
        set_terrain(&mut app, map, 250, y, 0);
    }
    told_of(&mut app, walker);
    for _ in 0..3000 {
        tick(&mut app);
        if !is_ordered(&app, walker) {
            break;
        }
    }
    let told = told_of(&mut app, walker);
    assert!(matches!(told[..], [Told::Blocked(_), Told::Lost(PathFailure::Unreachable)]), "{told:?}");
    assert!(position(&app, walker).x < 250.0 * CELL);
}

#[test]
fn a_movement_that_is_dropped_ends_the_order_and_another_one_is_planned_by() {
    for is_dropped in [true, false] {
        let mut app = app();
        let map = map_of(&mut app, hills(), Diagonals::default());
        app.world_mut().get_mut::<NavMap>(map).expect("it is a map").movements =
            [("wagon".into(), Movement::new().with_diagonals(Diagonals::Never))].into();
        let walker = walker(&mut app, 400.0);
        app.world_mut().entity_mut(walker).insert(AgentMovement::from("wagon"));
        for _ in 0..40 {
            tick(&mut app);
        }
        assert!(path(&app, walker).near_way().is_some());
        let mut rules = app.world_mut().get_mut::<NavMap>(map).expect("it is a map");
        if is_dropped {
            rules.movements.clear();
        } else {
            rules.movements.insert("wagon".into(), Movement::new().with_diagonals(Diagonals::Always));
        }
        for _ in 0..3000 {
            tick(&mut app);
            if !is_ordered(&app, walker) {
                break;
            }
        }
        let expected = if is_dropped {
            PathStatus::Failed(PathFailure::UnknownMovement { map })
        } else {
            PathStatus::Arrived
        };
        assert_eq!(status(&app, walker), expected);
    }
}

#[test]
fn new_orders_cancels_and_teleports_leave_nothing_behind() {
    let mut app = app();
    map_of(&mut app, hills(), Diagonals::default());
    let walker = walker(&mut app, 600.0);
    for _ in 0..30 {
        tick(&mut app);
    }
    app.world_mut().entity_mut(walker).insert(near((3, 21)));
    tick(&mut app);
    run_until_quiet(&mut app, 3000);
    assert_eq!(position(&app, walker), centre(3, 21));
    app.world_mut().entity_mut(walker).insert(near(TO));
    for _ in 0..10 {
        tick(&mut app);
    }
    app.world_mut().get_mut::<Transform>(walker).expect("it is there").translation =
        centre(200, 20).extend(0.0);
    run_until_quiet(&mut app, 3000);
    assert_eq!(position(&app, walker), centre(TO.0, TO.1));
    app.world_mut().entity_mut(walker).insert(near(FROM));
    for _ in 0..30 {
        tick(&mut app);
    }
    app.world_mut().entity_mut(walker).remove::<PathRequest>();
    let stood = position(&app, walker);
    for _ in 0..50 {
        tick(&mut app);
    }
    assert!(position(&app, walker).distance(stood) < 2.0 * CELL);
    assert_eq!(status(&app, walker), PathStatus::Idle);
}

#[test]
fn several_far_stops_are_reached_in_their_order() {
    let mut app = app();
    map_of(&mut app, hills(), Diagonals::default());
    let walker = agent(&mut app, FROM.0, FROM.1, 1500.0);
    let stops = [TO, FROM, (200, 20)].map(Cell::from);
    let order = PathRequest::to(stops[0]).then(stops[1]).then(stops[2]).with_algorithm(Algorithm::Near);
    app.world_mut().entity_mut(walker).insert(order);
    let mut passed = Vec::new();
    for _ in 0..5000 {
        tick(&mut app);
        let reached = told(&mut app).into_iter().filter_map(|(_, told)| match told {
            Told::Reached(cell) if stops.contains(&cell) => Some(cell),
            _ => None,
        });
        passed.extend(reached);
        if !is_ordered(&app, walker) {
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
    assert_eq!(position(&app, walker), centre(200, 20));
}

/// By what the orders were answered.
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
        let mut app = app();
        app.init_resource::<Algorithms>().add_observer(
            |on: On<PathFound>, paths: Query<&AgentPath>, mut found: ResMut<Algorithms>| {
                found.0.push(paths.get(on.entity).expect("it has a path").statistics().algorithm);
            },
        );
        let map = map_of(&mut app, hills(), Diagonals::default());
        app.world_mut().get_mut::<NavMap>(map).expect("it is a map").near_above = near_above;
        for (goal, algorithm) in [(TO, Algorithm::Auto), ((60, 20), Algorithm::Auto), (TO, Algorithm::AStar)]
        {
            let walker = agent(&mut app, FROM.0, FROM.1, 900.0);
            let order = PathRequest::to_cell(Cell::from(goal)).with_algorithm(algorithm);
            app.world_mut().entity_mut(walker).insert(order);
            run_until_quiet(&mut app, 2000);
            assert_eq!(status(&app, walker), PathStatus::Arrived);
        }
        let found = &app.world().resource::<Algorithms>().0;
        assert_eq!(found[..], [far, close, Algorithm::AStar], "{near_above:?}");
    }
}

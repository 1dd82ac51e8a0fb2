//! Speeds, and the effect of ground on them.

use bevy::prelude::*;
use bevy_tilepath::{
    AgentMovement, Cell, CostTable, Diagonals, Motion, Movement, NavGraph, NavGrid, NavMap, NavProjection,
    OnMap, PathAgent, PathRequest, PathStatus,
    agents::{Drive, Speed, TerrainSpeed},
    doors::{Door, DoorEnd},
    graphs::{WaypointEdge, WaypointGraph},
    queries::WhyNot,
    tilepath::{Grid, Size, format},
};
use rand::Rng;
use testkit::Seed;

use crate::harness::*;

/// The length of steps in most tests, in seconds.
const STEP: f64 = 1.0 / 128.0;

fn walker(game: &mut Game, x: i32, y: i32, speed: Speed, terrain_speed: TerrainSpeed) -> Entity {
    let unit = game.agent(x, y, 0.0);
    game.world_mut().entity_mut(unit).insert(PathAgent { speed, terrain_speed, ..default() });
    unit
}

fn seconds_left(game: &Game, unit: Entity) -> f64 {
    let walker = game.world().get::<PathAgent>(unit).expect("it is an agent");
    game.path(unit).seconds_left(walker)
}

/// Lets an agent with an order walk to its end. Checks the predicted time in each step, and returns
/// it.
#[track_caller]
fn walk(game: &mut Game, unit: Entity) -> f64 {
    // The path comes in a step of zero length.
    game.step(0.0);
    let foreseen = seconds_left(game, unit);
    let mut steps = 0;
    while game.is_ordered(unit) {
        game.step(STEP);
        steps += 1;
        assert!(steps < 100_000, "the unit does not arrive; the predicted time was {foreseen} s");
        let left = seconds_left(game, unit);
        let gone = f64::from(steps) * STEP;
        if left > 0.0 {
            assert!((gone + left - foreseen).abs() < 2e-3, "{gone} + {left} of {foreseen}");
        } else {
            assert!(gone + 2e-3 >= foreseen && gone - STEP - 2e-3 <= foreseen, "{gone} of {foreseen}");
        }
    }
    foreseen
}

#[test]
fn step_takes_its_cost_where_ground_slows_down() {
    let mut game = Game::long_steps();
    game.map("1131\n#5##");
    let cart = walker(&mut game, 0, 1, Speed::Cells(4.0), TerrainSpeed::ByCost);
    game.order_to(cart, 3, 1);
    // The costs of the three steps from (0, 1) are 1, 3 and 1.
    assert!((walk(&mut game, cart) - (1.0 + 3.0 + 1.0) / 4.0).abs() < 1e-6);
    // A cell is 16 world units, so both speeds are equal.
    for speed in [Speed::World(64.0), Speed::Cells(4.0)] {
        let cart = walker(&mut game, 1, 1, speed, TerrainSpeed::ByCost);
        game.order_to(cart, 1, 0);
        assert!((walk(&mut game, cart) - 5.0 / 4.0).abs() < 1e-6);
    }
    // With `TerrainSpeed::Constant`, mud does not slow a unit down.
    let cart = walker(&mut game, 1, 1, Speed::World(64.0), TerrainSpeed::Constant);
    game.order_to(cart, 1, 0);
    assert!((walk(&mut game, cart) - 1.0 / 4.0).abs() < 1e-6);
}

#[test]
fn time_left_is_cost_left_whatever_the_ground() {
    for number in 0..8 {
        let mut random = Seed::named(&format!("speed {number}")).generator();
        let mut game = Game::long_steps();
        let classes: Vec<u8> = (0..400).map(|_| [0, 1, 1, 2, 3, 5, 9][random.random_range(0..7)]).collect();
        let grid = Grid::from_classes(20, 20, classes).unwrap();
        let side = 1 + number % 2;
        // The cheapest ground costs 2. Units walk on it at full speed.
        let costs = (1..=9).fold(CostTable::impassable(), |costs, n| costs.with(n, 1 + u16::from(n)));
        let rules = Movement::new()
            .with_costs(costs)
            .with_size(Size::new(side).unwrap())
            .with_diagonals(Diagonals::ALL[usize::from(number) % 4]);
        game.map_of(grid, Diagonals::default());
        let speed = [Speed::Cells(7.0), Speed::World(100.0)][usize::from(number / 2) % 2];
        let cells = match speed {
            Speed::Cells(cells) => f64::from(cells),
            Speed::World(units) => f64::from(units / CELL),
            other => panic!("{other:?}"),
        };
        let unit = walker(&mut game, 0, 0, speed, TerrainSpeed::ByCost);
        game.world_mut().entity_mut(unit).insert(AgentMovement::from(rules));
        for _ in 0..12 {
            let to = (random.random_range(0..19), random.random_range(0..19));
            let request = PathRequest::to_cell(to).or_closest();
            // The order begins in the middle of the unit's place.
            game.world_mut().entity_mut(unit).insert(request);
            game.step(0.0);
            if !game.is_ordered(unit) {
                continue;
            }
            let offset = seconds_left(&game, unit);
            let cost = f64::from(game.path(unit).remaining_cost().get());
            let by_cost = cost / (10.0 * 2.0 * cells);
            if number > 0 && game.position(unit) == game.path(unit).points()[0] {
                assert!((offset - by_cost).abs() < 1e-3, "{offset} {by_cost}");
            }
            walk(&mut game, unit);
        }
    }
}

#[test]
fn cells_count_alike_in_every_direction() {
    let mut game = Game::long_steps();
    let projection = NavProjection::square(Vec2::new(32.0, 8.0), Vec2::ZERO);
    game.world_mut().spawn((NavMap::default(), NavGrid::new(Grid::new(8, 8, 1).unwrap()), projection));
    for (to, cells) in [((3, 0), 3.0), ((0, 3), 3.0), ((3, 3), 3.0 * 1.4)] {
        let unit = walker(&mut game, 0, 0, Speed::Cells(5.0), TerrainSpeed::Constant);
        game.world_mut().get_mut::<Transform>(unit).unwrap().translation = Vec3::ZERO;
        game.world_mut().entity_mut(unit).insert(PathRequest::to_cell(to));
        assert!((walk(&mut game, unit) - cells / 5.0).abs() < 1e-5, "{to:?}");
        game.world_mut().despawn(unit);
    }
    // World units count on the screen. A path along the long sides takes four times as long.
    for (to, length) in [((3, 0), 96.0), ((0, 3), 24.0)] {
        let unit = walker(&mut game, 0, 0, Speed::World(16.0), TerrainSpeed::Constant);
        game.world_mut().get_mut::<Transform>(unit).unwrap().translation = Vec3::ZERO;
        game.world_mut().entity_mut(unit).insert(PathRequest::to_cell(to));
        assert!((walk(&mut game, unit) - length / 16.0).abs() < 1e-5, "{to:?}");
        game.world_mut().despawn(unit);
    }
}

#[test]
fn overlays_do_not_slow_down() {
    let mut game = Game::long_steps();
    let mut grid = format::parse_ascii("11211").unwrap();
    grid.set_overlay("danger", (0..5).map(|x| (Cell::new(x, 0), 10))).unwrap();
    game.map_of(grid, Diagonals::default());
    let unit = walker(&mut game, 0, 0, Speed::Cells(2.0), TerrainSpeed::ByCost);
    game.world_mut().entity_mut(unit).insert(AgentMovement::from(Movement::new().with_overlay("danger")));
    game.order_to(unit, 4, 0);
    assert!((walk(&mut game, unit) - 5.0 / 2.0).abs() < 1e-6);
    assert_eq!(game.cost(unit).get(), 50 + 400);
}

#[test]
fn cheapest_way_is_the_fastest_one() {
    let picture = "111111\n159951\n111111";
    let seconds = |terrain_speed| {
        let mut game = Game::long_steps();
        game.map(picture);
        let unit = walker(&mut game, 0, 1, Speed::Cells(1.0), terrain_speed);
        game.order_to(unit, 5, 1);
        walk(&mut game, unit)
    };
    let (cheapest, straight) = (seconds(TerrainSpeed::ByCost), 5.0 + 9.0 + 9.0 + 5.0 + 1.0);
    assert!(cheapest < straight && (cheapest - 7.0).abs() < 1.5, "{cheapest}");
    assert!((seconds(TerrainSpeed::Constant) - cheapest).abs() < 1e-6, "a path round the mud has no mud");
}

#[test]
fn velocity_is_that_of_the_ground() {
    let mut game = Game::long_steps();
    game.map("14444441");
    let unit = walker(&mut game, 0, 0, Speed::World(64.0), TerrainSpeed::ByCost);
    game.order_to(unit, 7, 0);
    game.step(0.0);
    game.step(0.5);
    let before = game.position(unit);
    game.step(0.125);
    let velocity = game.world().get::<Motion>(unit).unwrap().velocity;
    assert!((velocity - Vec2::new(16.0, 0.0)).length() < 1e-3, "{velocity}");
    assert!((game.position(unit) - before - velocity * 0.125).length() < 1e-3);
}

#[test]
fn what_speed_counts_may_change_on_the_way_without_a_leap() {
    let mut game = Game::long_steps();
    game.map("19999991");
    let unit = walker(&mut game, 0, 0, Speed::World(64.0), TerrainSpeed::Constant);
    game.order_to(unit, 7, 0);
    let mut random = Seed::named("changing").generator();
    let mut before = game.position(unit);
    let mut ticks = 0;
    while game.is_ordered(unit) || ticks == 0 {
        let mut walker = game.world_mut().get_mut::<PathAgent>(unit).unwrap();
        walker.speed = [Speed::World(64.0), Speed::Cells(4.0)][random.random_range(0..2)];
        walker.terrain_speed = [TerrainSpeed::Constant, TerrainSpeed::ByCost][random.random_range(0..2)];
        game.step(STEP);
        let after = game.position(unit);
        let gone = after.x - before.x;
        assert!(gone >= 0.0 && gone <= 64.0 * STEP as f32 + 1e-3, "{gone} from {before}");
        before = after;
        ticks += 1;
        assert!(ticks < 10_000);
    }
    assert_eq!(game.status(unit), PathStatus::Arrived);
}

#[test]
fn agent_that_joins_in_the_middle_of_a_step_walks_the_rest_of_it() {
    let mut game = Game::long_steps();
    game.map("15");
    let unit = walker(&mut game, 0, 0, Speed::Cells(1.0), TerrainSpeed::ByCost);
    game.order_to(unit, 1, 0);
    game.step(0.0);
    game.step(2.5);
    assert!(
        (game.position(unit).x - centre(0, 0).x - CELL / 2.0).abs() < 1e-3,
        "half of the step of five seconds"
    );
    // The unit turns back, and turns again.
    game.order_to(unit, 0, 0);
    game.step(0.0);
    game.step(0.25);
    game.order_to(unit, 1, 0);
    game.step(0.0);
    let left = seconds_left(&game, unit);
    assert!((left - 5.0 * 0.75).abs() < 1e-2, "{left}");
}

#[test]
fn time_left_leads_through_doors_and_along_graphs() {
    let mut game = Game::long_steps();
    let [near, far] = [(0.0, 16.0), (400.0, 8.0)].map(|(x, cell)| {
        let projection = NavProjection::square(Vec2::splat(cell), Vec2::new(x + cell / 2.0, cell / 2.0));
        let grid = NavGrid::new(format::parse_ascii("11311\n11311").unwrap());
        game.world_mut().spawn((NavMap::default(), grid, projection)).id()
    });
    let mut graph = WaypointGraph::new();
    for (id, x) in [("a", 100.0), ("b", 200.0), ("c", 300.0)] {
        graph.add(id, (x, 8.0)).unwrap();
    }
    graph.join("a", "b").unwrap();
    graph.join("b", "c").unwrap();
    graph.set_edge("b", "c", WaypointEdge { speed: 2.0, cost_factor: 1.0 }).unwrap();
    let mut nav_graph = NavGraph::new(graph);
    nav_graph.easing = Some(bevy_tilepath::graphs::WaypointSlowdown { distance: 20.0, slowest: 0.5 });
    let street = game.world_mut().spawn(nav_graph).id();
    let door = Door::new(DoorEnd::cell(near, Cell::new(4, 0)), DoorEnd::waypoint(street, "a"));
    game.world_mut().spawn(door);
    let gate = Door::new(DoorEnd::waypoint(street, "c"), DoorEnd::cell(far, Cell::new(0, 0)));
    game.world_mut().spawn(gate.leaping());
    for (speed, terrain_speed) in [
        (Speed::World(50.0), TerrainSpeed::Constant),
        (Speed::World(50.0), TerrainSpeed::ByCost),
        (Speed::Cells(6.0), TerrainSpeed::Constant),
        (Speed::Cells(6.0), TerrainSpeed::ByCost),
    ] {
        let unit = walker(&mut game, 0, 0, speed, terrain_speed);
        game.world_mut().entity_mut(unit).insert((OnMap(near), PathRequest::to_cell((4, 1)).on_map(far)));
        let seconds = walk(&mut game, unit);
        assert_eq!(game.path(unit).legs().count(), 3);
        assert!(seconds > 3.0, "{seconds}");
        game.world_mut().despawn(unit);
    }
}

#[test]
fn invalid_speed_is_no_speed_whatever_moves_the_unit() {
    for drive in [Drive::Transform, Drive::Velocity] {
        for speed in [f32::NAN, -1.0, f32::NEG_INFINITY, 0.0] {
            for speed in [Speed::World(speed), Speed::Cells(speed)] {
                let (mut game, _) = Game::open(20, 3);
                let unit = walker(&mut game, 0, 1, speed, TerrainSpeed::Constant);
                game.world_mut().get_mut::<PathAgent>(unit).expect("it is there").drive = drive;
                game.order_to(unit, 15, 1);
                game.ticks(5);
                assert_eq!(game.world().get::<Motion>(unit).expect("it is there").velocity, Vec2::ZERO);
                assert_eq!(game.position(unit), centre(0, 1), "{drive:?} {speed:?}");
                assert_eq!(game.why_not(unit), Some(WhyNot::NoSpeed), "{drive:?} {speed:?}");
            }
        }
        for speed in [Speed::World(f32::INFINITY), Speed::Cells(f32::INFINITY)] {
            let (mut game, _) = Game::open(20, 3);
            let unit = walker(&mut game, 0, 1, speed, TerrainSpeed::Constant);
            game.world_mut().get_mut::<PathAgent>(unit).expect("it is there").drive = drive;
            game.order_to(unit, 15, 1);
            game.tick();
            let velocity = game.world().get::<Motion>(unit).expect("it is there").velocity;
            assert!(velocity.is_finite(), "{drive:?} {speed:?}: {velocity}");
            assert_eq!(game.is_ordered(unit), drive == Drive::Velocity, "{speed:?}");
        }
    }
}

#[test]
fn odd_speeds_have_odd_times() {
    let mut game = Game::long_steps();
    game.map("1114");
    for terrain in [TerrainSpeed::Constant, TerrainSpeed::ByCost] {
        for speed in [0.0, -1.0, f32::NAN] {
            for speed in [Speed::World(speed), Speed::Cells(speed)] {
                let unit = walker(&mut game, 0, 0, speed, terrain);
                game.order_to(unit, 3, 0);
                game.step(1.0);
                assert!(seconds_left(&game, unit).is_infinite(), "{speed:?}");
                assert_eq!(game.position(unit), centre(0, 0));
                game.world_mut().despawn(unit);
            }
        }
        for speed in [Speed::World(f32::INFINITY), Speed::Cells(f32::INFINITY)] {
            let unit = walker(&mut game, 0, 0, speed, terrain);
            game.order_to(unit, 3, 0);
            game.step(0.0);
            assert_eq!(game.status(unit), PathStatus::Arrived, "{speed:?}");
            assert!(game.path(unit).seconds_left(&PathAgent::default()) <= 0.0);
        }
    }
}

//! Paths are kept while they are good enough, and dropped when a better one appears.

use bevy::prelude::*;
use bevy_tilepath::{
    AgentMovement, Cell, CostTable, Diagonals, Movement, NavGrid, NavMap, PathAgent, PathFailure,
    PathRequest, TilepathDiagnostics, TilepathSettings,
    agents::PathLine,
    tilepath::{Grid, PathQuery, Size},
};
use rand::Rng;
use testkit::Seed;

use crate::harness::*;

fn replans(told: &[Told]) -> usize {
    told.iter().filter(|told| matches!(told, Told::Replanned { .. })).count()
}

fn work(game: &Game) -> u64 {
    game.world().resource::<TilepathDiagnostics>().work
}

const WALL_WITH_A_GATE: &str = "
    ..........#.........
    ..........#.........
    ..........#.........
    ..........#.........
    ..........#.........
    ....................
";

#[test]
fn gate_that_opens_is_taken() {
    let (mut game, map) = Game::drawn_as(WALL_WITH_A_GATE);
    let soldier = game.ordered_agent((0, 5), 160.0, (19, 5));
    game.tick();
    let Told::Found { cost: around, .. } = game.told_of(soldier)[0] else { panic!("no path was found") };
    game.set_terrain(map, 10, 5, 1);
    game.tick();
    let Told::Replanned { cost: straight, .. } = game.told_of(soldier)[0] else {
        panic!("the open gate was not noticed")
    };
    assert_eq!((around, straight), (9 * 10 + 10 * 14, 190));
    game.run_until_quiet(500);
    assert_eq!(game.position(soldier), centre(19, 5));
}

#[test]
fn opening_that_could_not_matter_costs_nothing() {
    let (mut game, map) = Game::drawn_as(WALL_WITH_A_GATE);
    game.explore();
    let soldier = game.agent(0, 0, 160.0);
    game.world_mut().entity_mut(soldier).insert(PathRequest::to_cell(Cell::new(19, 0)).with_tolerance(0.0));
    game.tick();
    for y in 2..6 {
        game.set_terrain(map, 10, y, 1);
        game.tick();
        assert_eq!(work(&game), 0, "row {y} is too far away to shorten the path");
    }
    assert_eq!(replans(&game.told_of(soldier)), 0);
}

#[test]
fn way_that_costs_more_is_kept_where_there_is_none_better() {
    let (mut game, map) = Game::drawn_as("....................");
    let soldier = game.ordered_agent((0, 0), 160.0, (19, 0));
    game.tick();
    game.told();
    game.set_terrain(map, 10, 0, 9);
    game.tick();
    assert!(work(&game) > 0, "a better path had to be searched");
    assert_eq!(game.told_of(soldier), []);
    assert_eq!(game.path(soldier).remaining_cost().get(), 190 + 80);
    game.tick();
    assert_eq!(work(&game), 0, "the first search found no better path");
    game.run_until_quiet(500);
    assert_eq!(game.told_of(soldier), [Told::Arrived(Cell::new(19, 0))]);
}

#[test]
fn as_much_is_tolerated_as_the_order_says() {
    for (tolerance, is_replanned) in [(0.0, true), (0.2, true), (0.4, false), (f32::INFINITY, false)] {
        let (mut game, map) = Game::drawn_as(WALL_WITH_A_GATE);
        let soldier = game.agent(0, 5, 160.0);
        let request = PathRequest::to_cell(Cell::new(19, 5)).with_tolerance(tolerance);
        game.world_mut().entity_mut(soldier).insert(request);
        game.tick();
        game.told();
        // The new path costs 190 instead of 230.
        game.set_terrain(map, 10, 5, 1);
        game.tick();
        assert_eq!(replans(&game.told_of(soldier)), usize::from(is_replanned), "{tolerance}");
    }
}

#[test]
fn tolerance_that_is_none_is_refused() {
    for tolerance in [-0.1, f32::NEG_INFINITY, f32::NAN] {
        let (mut game, _) = Game::open(4, 4);
        let soldier = game.agent(0, 0, 160.0);
        let request = PathRequest::to_cell(Cell::new(3, 3)).with_tolerance(tolerance);
        game.world_mut().entity_mut(soldier).insert(request);
        game.tick();
        assert_eq!(game.told_of(soldier), [Told::Failed(PathFailure::InvalidTolerance)]);
    }
}

#[test]
fn gate_that_opens_and_closes_for_ever_does_not_make_an_agent_dance() {
    let (mut game, map) = Game::drawn_as(WALL_WITH_A_GATE);
    let soldier = game.ordered_agent((0, 5), 32.0, (19, 5));
    let mut turns = 0;
    for t in 0..3000 {
        if t % 12 == 0 {
            game.set_terrain(map, 10, 5, u8::from(t / 12 % 2 == 0));
        }
        game.tick();
        turns += replans(&game.told_of(soldier));
        if !game.is_ordered(soldier) {
            break;
        }
    }
    assert!(!game.is_ordered(soldier), "the soldier did not arrive");
    assert!(turns <= 12, "the soldier changed its path {turns} times");
}

#[test]
fn way_to_the_closest_cell_is_given_up_when_the_goal_can_be_reached() {
    let (mut game, map) = Game::drawn_as("..........#.........");
    let soldier = game.agent(0, 0, 160.0);
    let request = PathRequest::to_cell(Cell::new(19, 0)).or_closest();
    game.world_mut().entity_mut(soldier).insert(request);
    game.tick();
    assert!(matches!(game.told_of(soldier)[..], [Told::Found { partial: true, .. }]));
    game.set_terrain(map, 10, 0, 1);
    game.run_until_quiet(500);
    assert_eq!(game.position(soldier), centre(19, 0));
}

/// Returns how much more the rest of a unit's path costs than the cheapest path, as a fraction of
/// the cheapest.
///
/// The rest begins at the last cell, or at the cell to which the unit walks. A replan starts at the
/// second one if the unit is past half of its step. The result is the lower of both values.
fn excess(game: &Game, map: Entity, unit: Entity, goal: Cell) -> Option<f64> {
    let walked = game.world().get::<bevy_tilepath::AgentPath>(unit)?;
    let grid = game.world().get::<NavGrid>(map).expect("the map is there");
    let id = match game.world().get::<AgentMovement>(unit) {
        Some(movement) => grid.movement_of(movement)?,
        None => grid.movement(),
    };
    let (path, rules) = (walked.path()?, grid.finder().movement(id)?);
    let next = walked.next_point();
    let from = |index: usize| {
        let rest = path.rest_from(index, grid.grid(), rules).ok()?.cost();
        let query = PathQuery::new(path.cells()[index], goal).with_movement(id);
        let cheapest = grid.finder().solve(&query).ok()?.outcome.into_path()?.cost();
        Some(f64::from(rest.get()) / f64::from(cheapest.get().max(1)) - 1.0)
    };
    let excesses = [next.saturating_sub(1), next.min(path.steps())].map(from);
    excesses.into_iter().flatten().reduce(f64::min)
}

#[test]
fn no_way_is_worse_than_tolerated_whatever_is_edited() {
    const SIDE: i32 = 20;
    for round in 0..24 {
        let mut random = Seed::named(&format!("kept ways {round}")).generator();
        let mut game = Game::new();
        game.insert_resource(TilepathSettings { work_per_tick: u64::MAX });
        let mut grid = Grid::new(SIDE as u32, SIDE as u32, 1).unwrap();
        for y in 0..SIDE {
            for x in 0..SIDE {
                grid.set_terrain(Cell::new(x, y), [0, 1, 1, 1, 2, 3][random.random_range(0..6)]).unwrap();
            }
        }
        let rule = [Diagonals::OnlyWhenNoObstacles, Diagonals::Always, Diagonals::Never][round % 3];
        let map = game.map_of(grid, rule);
        let wide = Movement::new().with_diagonals(rule).with_size(Size::new(2).unwrap());
        let toad = Movement::new().with_diagonals(rule).with_costs(CostTable::identity().with(1, 5));
        let mut rules = game.world_mut().get_mut::<NavMap>(map).unwrap();
        *rules = rules.clone().with_movement("wide", wide).with_movement("toad", toad);
        let mut units = Vec::new();
        for number in 0..9 {
            let unit = game.agent(random.random_range(0..SIDE), random.random_range(0..SIDE), 60.0);
            if let Some(name) = [None, Some("wide"), Some("toad")][number % 3] {
                game.world_mut().entity_mut(unit).insert(AgentMovement::from(name));
            }
            if number >= 6 {
                let mut agent = game.world_mut().get_mut::<PathAgent>(unit).unwrap();
                agent.line = PathLine::Straight;
            }
            units.push((unit, Cell::new(0, 0), 0.0));
        }
        let mut seen = 0;
        let mut has_lost = vec![false; units.len()];
        for _ in 0..250 {
            for number in 0..units.len() {
                let (unit, ..) = units[number];
                if !game.is_ordered(unit) {
                    let goal = Cell::new(random.random_range(0..SIDE), random.random_range(0..SIDE));
                    let tolerance = [0.0, 0.1, 0.5][random.random_range(0..3)];
                    let request = PathRequest::to_cell(goal).with_tolerance(tolerance);
                    game.world_mut().entity_mut(unit).insert(request);
                    units[number] = (unit, goal, f64::from(tolerance));
                    has_lost[number] = false;
                }
            }
            for _ in 0..random.random_range(0..4) {
                let class = [0, 1, 1, 2, 7][random.random_range(0..5)];
                let (x, y) = (random.random_range(0..SIDE), random.random_range(0..SIDE));
                game.set_terrain(map, x, y, class);
            }
            if random.random_range(0..40) == 0 {
                // More cells than the plugin examines one by one.
                for _ in 0..60 {
                    let (x, y) = (random.random_range(0..SIDE), random.random_range(0..SIDE));
                    game.set_terrain(map, x, y, [0, 1, 2][random.random_range(0..3)]);
                }
            }
            game.tick();
            let mut has_walked = vec![false; units.len()];
            for (who, what) in game.told() {
                let number = units.iter().position(|(unit, ..)| *unit == who).unwrap();
                // If a path was blocked at a cell, this cell counts again only after it has been
                // open for a while.
                has_lost[number] |= matches!(what, Told::Blocked(_));
                // Paths are compared before agents walk.
                has_walked[number] |= matches!(what, Told::Reached(_));
            }
            for (number, &(unit, goal, tolerance)) in units.iter().enumerate() {
                if !game.is_ordered(unit) || has_lost[number] || has_walked[number] {
                    continue;
                }
                let Some(excess) = excess(&game, map, unit, goal) else { continue };
                assert!(excess <= tolerance + 1e-6, "{excess} with {tolerance} of {unit} in round {round}");
                seen += 1;
            }
        }
        assert!(seen > 100, "only {seen} paths were compared");
    }
}

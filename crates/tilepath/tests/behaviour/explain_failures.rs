//! Walls that block a goal, against brute force.
//!
//! The brute force tries all sets of walls.

use crate::worlds::{Prices, World, cases, world};
use proptest::prelude::*;
use testkit::{Oracle, TileMap};
use tilepath::{
    Cell, Cost, CostTable, Diagonals, Grid, Movement, PathFinder, PathQuery, QueryError,
    explain::{Barrier, FailureExplanation},
    format,
};

fn barrier(finder: &PathFinder, query: &PathQuery) -> Barrier {
    match finder.explain_failure(query).unwrap() {
        FailureExplanation::Sealed(barrier) => barrier,
        other => panic!("{other:?}"),
    }
}

fn finder(picture: &str, diagonals: Diagonals) -> PathFinder {
    PathFinder::new(format::parse_ascii(picture).unwrap(), Movement::new().with_diagonals(diagonals))
}

#[test]
fn doors_of_a_wall_come_cheapest_first() {
    let finder = finder("..#..\n..#..\n..#..", Diagonals::default());
    let found = barrier(&finder, &PathQuery::new(Cell::new(0, 1), Cell::new(4, 1)));
    let doors: Vec<(Cell, u32)> = found.single.iter().map(|door| (door.cell, door.cost.get())).collect();
    assert_eq!(doors, [((2, 1).into(), 40), ((2, 0).into(), 48), ((2, 2).into(), 48)]);
    assert_eq!((found.opened_at, found.smallest.as_ref()), (1, None));
    assert_eq!(
        found.to_string(),
        "opening one cell makes a path (an opened cell has terrain cost 1):\n  (2, 1): a path of cost 40\n  (2, 0): a path of \
         cost 48\n  (2, 2): a path of cost 48\n"
    );
}

#[test]
fn long_wall_is_listed_in_part() {
    let finder = finder(&vec![".#."; 30].join("\n"), Diagonals::default());
    let found = barrier(&finder, &PathQuery::new(Cell::new(0, 0), Cell::new(2, 0)));
    assert_eq!(found.single.len(), 30);
    let text = found.to_string();
    assert!(text.ends_with("  and 20 more, each with a path of equal or higher cost\n"), "{text}");
    assert_eq!(text.lines().count(), 12);
}

#[test]
fn two_walls_need_two_doors() {
    let finder = finder(".#.#.\n3#.#.\n.#.#.", Diagonals::default());
    let found = barrier(&finder, &PathQuery::new(Cell::new(0, 0), Cell::new(4, 2)));
    assert!(found.single.is_empty());
    let set = found.smallest.as_ref().unwrap();
    assert_eq!(set.cells.len(), 2);
    assert_eq!(set.cost, Cost::new(6 * 10));
    assert_eq!((set.way[0], set.way[set.way.len() - 1]), ((0, 0).into(), (4, 2).into()));
    assert!(
        found.to_string().starts_with("no single cell is enough; opening 2 cells makes a path"),
        "{found}"
    );
}

#[test]
fn closed_goal_must_open_itself() {
    let finder = finder("..#", Diagonals::default());
    let found = barrier(&finder, &PathQuery::new(Cell::new(0, 0), Cell::new(2, 0)));
    assert_eq!(found.single.iter().map(|door| (door.cell.x, door.cost.get())).collect::<Vec<_>>(), [(2, 20)]);
}

#[test]
fn door_beside_a_diagonal_need_not_be_entered() {
    let finder = finder("#.\n.#", Diagonals::IfAtMostOneObstacle);
    let found = barrier(&finder, &PathQuery::new(Cell::new(0, 0), Cell::new(1, 1)));
    let doors: Vec<(Cell, u32)> = found.single.iter().map(|door| (door.cell, door.cost.get())).collect();
    assert_eq!(doors, [((1, 0).into(), 14), ((0, 1).into(), 14)]);
}

#[test]
fn ground_that_the_table_closes_is_opened_at_the_cheapest_there_is() {
    let movement = Movement::new().with_costs(CostTable::identity().with(5, 0));
    let finder = PathFinder::new(format::parse_ascii("353").unwrap(), movement);
    let found = barrier(&finder, &PathQuery::new(Cell::new(0, 0), Cell::new(2, 0)));
    assert_eq!((found.opened_at, found.single[0].cost), (3, Cost::new(30 + 30)));
}

#[test]
fn way_that_exists_is_reachable() {
    let finder = finder("...", Diagonals::default());
    for to in [Cell::new(2, 0), Cell::new(0, 0)] {
        let answer = finder.explain_failure(&PathQuery::new(Cell::new(0, 0), to)).unwrap();
        assert_eq!(answer, FailureExplanation::Reachable);
    }
    let off = finder.explain_failure(&PathQuery::new(Cell::new(0, 0), Cell::new(3, 0)));
    assert!(matches!(off, Err(QueryError::GoalOutOfBounds { .. })));
}

#[test]
fn limit_ends_the_explanation_and_a_large_enough_one_does_not() {
    let mut grid = Grid::new(40, 40, 1).unwrap();
    for x in [20, 21] {
        for y in 0..40 {
            grid.set_terrain(Cell::new(x, y), 0).unwrap();
        }
    }
    let finder = PathFinder::new(grid, Movement::new());
    let query = PathQuery::new(Cell::new(0, 0), Cell::new(39, 39));
    let unlimited = finder.explain_failure(&query).unwrap();
    let answers: Vec<FailureExplanation> =
        [0, 10, 900, 1_700].map(|limit| finder.explain_failure(&query.with_limit(limit)).unwrap()).into();
    assert!(answers.iter().all(|answer| *answer == FailureExplanation::LimitReached), "{answers:?}");
    assert_eq!(finder.explain_failure(&query.with_limit(1_000_000)).unwrap(), unlimited);
}

#[test]
fn cost_that_cannot_be_stated_is_an_error() {
    let movement = Movement::new().with_costs(CostTable::impassable().with(1, u16::MAX));
    let mut grid = Grid::new(20_000, 1, 1).unwrap();
    grid.set_terrain(Cell::new(10_000, 0), 0).unwrap();
    let finder = PathFinder::new(grid, movement);
    let answer = finder.explain_failure(&PathQuery::new(Cell::new(0, 0), Cell::new(19_999, 0)));
    assert_eq!(answer, Err(QueryError::CostOverflow));
}

/// The class of opened cells. No random world has it.
const OPENED: u8 = 200;

/// Returns the cost of the cheapest path if these cells are open.
fn cost_if_open(world: &World, slots: &[usize], opened_at: u64) -> Option<u64> {
    let mut rules = world.rules.clone();
    rules.multipliers[usize::from(OPENED)] = opened_at;
    let mut classes = world.map.classes.clone();
    for &slot in slots {
        classes[slot] = OPENED;
    }
    let map = TileMap::new("opened", world.map.width, world.map.height, classes);
    Oracle::new(&map, &rules).cost(world.start, world.goal)
}

/// Computes the price as the documentation defines it, with code of its own.
fn price(world: &World) -> u64 {
    let all = world.rules.multipliers.iter().copied();
    let present = world.map.classes.iter().map(|&class| world.rules.multipliers[usize::from(class)]);
    let least = |prices: &mut dyn Iterator<Item = u64>| prices.filter(|&price| price > 0).min();
    least(&mut present.into_iter()).or_else(|| least(&mut all.into_iter())).unwrap_or(1)
}

/// Returns all sets of `count` closed cells.
fn sets(closed: &[usize], count: usize) -> Vec<Vec<usize>> {
    if count == 0 {
        return vec![Vec::new()];
    }
    let mut all = Vec::new();
    for (index, &first) in closed.iter().enumerate() {
        for mut set in sets(&closed[index + 1..], count - 1) {
            set.insert(0, first);
            all.push(set);
        }
    }
    all
}

fn check(world: &World) {
    // From deep in closed ground, the barrier begins behind the exit. If nothing leads out of it, cells
    // that open farther away may make an exit.
    let oracle = world.oracle();
    let leads_out = |&(dx, dy): &(i32, i32)| {
        oracle.step_cost(world.start, (world.start.0 + dx, world.start.1 + dy)).is_some()
    };
    let is_out = oracle.is_open(world.start) || testkit::DIRECTIONS.iter().any(leads_out);
    if !is_out || !oracle.way_out(world.start).is_empty() {
        return;
    }
    let query = PathQuery::new(world.start(), world.goal());
    let is_closed = |&slot: &usize| world.rules.multipliers[usize::from(world.map.classes[slot])] == 0;
    let closed: Vec<usize> = (0..world.map.classes.len()).filter(is_closed).collect();
    let opened_at = price(world);
    let found = match world.finder().explain_failure(&query).unwrap() {
        FailureExplanation::Reachable => {
            assert!(cost_if_open(world, &[], opened_at).is_some());
            return;
        }
        FailureExplanation::Sealed(found) => found,
        other => panic!("{other:?}"),
    };
    assert_eq!(u64::from(found.opened_at), opened_at);
    assert_eq!(cost_if_open(world, &[], opened_at), None);

    let mut expected: Vec<(u64, usize)> =
        closed.iter().filter_map(|&slot| Some((cost_if_open(world, &[slot], opened_at)?, slot))).collect();
    expected.sort_unstable();
    let slot = |cell| world.map.slot(world.position(cell));
    let single: Vec<(u64, usize)> =
        found.single.iter().map(|door| (u64::from(door.cost.get()), slot(door.cell))).collect();
    assert_eq!(single, expected);
    assert_eq!(found.smallest.is_none(), !single.is_empty());

    if let Some(set) = &found.smallest {
        let slots: Vec<usize> = set.cells.iter().map(|&cell| slot(cell)).collect();
        let cost = u64::from(set.cost.get());
        assert_eq!(cost_if_open(world, &slots, opened_at), Some(cost));
        for count in 2..=slots.len().min(3) {
            let best =
                sets(&closed, count).iter().filter_map(|set| cost_if_open(world, set, opened_at)).min();
            assert_eq!(best, (count == slots.len()).then_some(cost), "sets of {count}");
        }
    }
}

proptest! {
    #![proptest_config(cases(600))]

    #[test]
    fn barrier_is_that_of_brute_force(world in world(5, Prices::Low)) {
        check(&world);
    }
}

/// Returns ground on which the cost of 65 straight steps fits into a `Cost`, and the cost of 66
/// overflows.
fn costly(width: u32, walls: &[i32]) -> PathFinder {
    let mut grid = Grid::new(width, 1, 1).unwrap();
    for &x in walls {
        grid.set_terrain(Cell::new(x, 0), 0).unwrap();
    }
    let steps = tilepath::StepCosts::new(1_000, 1_414).unwrap();
    PathFinder::new(
        grid,
        Movement::new().with_costs(CostTable::impassable().with(1, u16::MAX)).with_steps(steps),
    )
}

#[test]
fn openings_with_overflowing_paths_are_returned() {
    let explain =
        |finder: &PathFinder, to| finder.explain_failure(&PathQuery::new(Cell::new(0, 0), Cell::new(to, 0)));
    let stated = explain(&costly(66, &[30]), 65).unwrap();
    let FailureExplanation::Sealed(barrier) = stated else { panic!("{stated:?}") };
    assert_eq!(barrier.single.len(), 1);
    for (width, walls) in [(67, &[30][..]), (100, &[30]), (100, &[80]), (67, &[30, 31]), (100, &[3, 80])] {
        let finder = costly(width, walls);
        assert_eq!(explain(&finder, width as i32 - 1), Err(QueryError::CostOverflow), "{width} {walls:?}");
    }
}

#[test]
fn openings_with_overflowing_paths_are_left_out_if_others_exist() {
    let rows = [".", "#", "."].map(|row| row.repeat(40));
    let grid = format::parse_ascii(&rows.join("\n")).unwrap();
    let steps = tilepath::StepCosts::new(1_000, 1_414).unwrap();
    let costs = CostTable::impassable().with(1, u16::MAX);
    let finder = PathFinder::new(grid, Movement::new().with_costs(costs).with_steps(steps));
    let found = barrier(&finder, &PathQuery::new(Cell::new(0, 0), Cell::new(0, 2)));
    // A path to the far end and back has 64 steps with 31 columns, and would have 66 with 32.
    assert_eq!(found.single.len(), 32);
    assert_eq!(found.smallest, None);
}

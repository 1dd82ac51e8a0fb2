//! Units that stand deep in closed ground: a building set on them, a forbidden area, a mountain.

use proptest::prelude::*;
use testkit::LandArea;
use tilepath::{
    Algorithm, Bounds, Cell, Cost, Diagonals, Direction, Edit, Grid, Movement, MovementId, NearestQuery,
    Outcome, Path, PathFault, PathFinder, PathQuery, RangeQuery, SearchStatus, Size, StepCosts,
    crowd::Steps,
    explain::{ExplainError, FailureExplanation, StepFault},
    format,
    turns::TurnQuery,
};

use crate::{
    plane_worlds::{Features, PlaneWorld, plane_world},
    worlds::cases,
};

/// Checks every start of every unit: the chain of closed cells that a path begins with.
fn check_starts(world: &PlaneWorld, finder: &PathFinder) {
    for unit in 0..world.units.len() {
        let (movement, oracle) = (world.movement(unit), world.oracle(unit));
        let id = finder.movement_id(&movement).unwrap();
        let grid = finder.grid();
        for start in world.positions().filter(|&start| oracle.fits(start) && !oracle.is_open(start)) {
            let chain: Vec<Cell> = oracle.way_out(start).into_iter().map(|at| world.cell(at)).collect();
            let from = world.cell(start);
            let query = |goal| PathQuery::new(from, goal).with_movement(id);
            let Some(&exit) = chain.last() else { continue };
            assert!(chain.len() - 1 <= 16, "{chain:?}");
            let path = finder.solve(&query(exit)).unwrap().outcome.into_path().unwrap();
            assert_eq!(path.cells(), chain, "{from} of {world:?}");
            assert_eq!(path.verify(grid, &movement), Ok(()));
            let receipt = finder.explain(path.cells(), id).unwrap();
            assert_eq!((receipt.closed_cells(), receipt.total()), (chain.len() - 1, path.cost()));
            for number in 0..5 {
                let goal = world.cell(world.place(number, unit));
                let answer = finder.solve(&query(goal));
                let Some(path) = answer.as_ref().ok().and_then(|answer| answer.outcome.path()) else {
                    continue;
                };
                let closed = path.cells().iter().take_while(|&&cell| !movement.is_open(grid, cell)).count();
                assert_eq!(path.cells()[..closed], chain[..closed], "{from} of {world:?}");
                let behind = &path.cells()[closed..];
                assert!(behind.iter().all(|&cell| movement.is_open(grid, cell)), "{path:?} of {world:?}");
                assert_eq!(path.verify(grid, &movement), Ok(()));
                assert_eq!(finder.is_reachable(&query(goal)), Ok(true));
            }
        }
    }
}

proptest! {
    #![proptest_config(cases(150))]

    /// Squares and hexagons, sizes 1 to 3, all rules of diagonals, closed by walls, void cells,
    /// overlays and fences.
    #[test]
    fn the_closed_cells_are_the_fewest(
        world in plane_world(Features::ALL, 20),
        blocks in proptest::collection::vec(((0..20, 0..20), (1..=9, 1..=9)), 0..4),
    ) {
        let mut world = world;
        for unit in &mut world.units {
            unit.size = (unit.size - 1) % 3 + 1;
        }
        let (width, height) = (world.land.map.width as i32, world.land.map.height as i32);
        for ((x, y), (wide, high)) in blocks {
            let corner: (i32, i32) = (x % width, y % height);
            let size = (i32::min(wide, width - corner.0), i32::min(high, height - corner.1));
            testkit::LandEdit::TerrainIn(LandArea { corner, size }, 0).apply(&mut world.land);
        }
        check_starts(&world, &world.finder());
    }
}

/// Five closed columns and rows in the middle of a map of 11 × 11 cells.
fn building() -> Grid {
    let mut grid = Grid::new(11, 11, 1).unwrap();
    for cell in grid.bounds().cells().filter(|cell| (3..8).contains(&cell.x) && (3..8).contains(&cell.y)) {
        grid.set_terrain(cell, 0).unwrap();
    }
    grid
}

fn found(finder: &PathFinder, query: &PathQuery) -> Path {
    finder.solve(query).unwrap().outcome.into_path().unwrap()
}

#[test]
fn every_search_begins_with_the_chain() {
    let finder = PathFinder::new(building(), Movement::new());
    let (middle, goal) = (Cell::new(5, 5), Cell::new(5, 0));
    let query = PathQuery::new(middle, goal);
    // All four sides are as near, and north is the first in the order of the compass.
    let chain: Vec<Cell> = (5..9).map(|y| Cell::new(5, y)).collect();
    for algorithm in [Algorithm::Auto, Algorithm::JumpPoint, Algorithm::Dijkstra, Algorithm::Greedy] {
        let path = found(&finder, &query.with_algorithm(algorithm));
        assert_eq!(path.cells()[..4], chain, "{algorithm:?}");
        assert_eq!(path.verify(finder.grid(), &Movement::new()), Ok(()));
    }
    assert_eq!(found(&finder, &query.with_drawn_shape()).cells()[..4], chain);
    let cost = found(&finder, &query).cost();

    let range = finder.solve_range(&RangeQuery::new(middle, Cost::new(40))).unwrap();
    assert_eq!(range.path_to(Cell::new(5, 9)).unwrap().cells()[..4], chain);
    assert_eq!(range.cells().len(), 1 + 3 + 3, "the chain, and the cells beside its end");
    let turns = finder.solve_turns(&TurnQuery::new(middle, Cost::new(20)).with_turns(3)).unwrap();
    assert!(turns.get(Cell::new(5, 8)).is_some_and(|cell| cell.turn == 2), "two cells a turn");
    let nearest = finder.solve_nearest(&NearestQuery::new(middle, vec![goal])).unwrap();
    assert_eq!(nearest.goals[0].path.cost(), cost);
    assert!(finder.least_cost(middle, Bounds::new(goal, 1, 1).unwrap(), MovementId::FIRST).unwrap() <= cost);

    let limited = finder.solve(&query.with_length_limit(2)).unwrap().outcome;
    let Outcome::LimitReached { best, .. } = limited else { panic!("{limited:?}") };
    assert_eq!(best.cells(), &chain[..3]);
}

#[test]
fn the_closest_cell_is_no_closed_one() {
    let finder = PathFinder::new(building(), Movement::new());
    for start in finder.grid().bounds().cells() {
        let query = PathQuery::new(start, Cell::new(5, 5)).or_closest();
        let outcome = finder.solve(&query).unwrap().outcome;
        let Outcome::Unreachable { closest: Some(path) } = outcome else { panic!("{outcome:?}") };
        assert!(Movement::new().is_open(finder.grid(), path.goal()), "{path:?}");
        assert_eq!(path.verify(finder.grid(), &Movement::new()), Ok(()));
    }
    // A unit that nothing leads out of stays.
    let locked = PathFinder::new(Grid::new(9, 9, 0).unwrap(), Movement::new());
    let query = PathQuery::new(Cell::new(1, 1), Cell::new(5, 5)).or_closest();
    let outcome = locked.solve(&query).unwrap().outcome;
    let Outcome::Unreachable { closest: Some(path) } = outcome else { panic!("{outcome:?}") };
    assert_eq!(path.cells(), [Cell::new(1, 1)]);
}

#[test]
fn a_large_unit_across_a_fence_takes_the_closest_open_place() {
    let mut grid = Grid::new(4, 3, 1).unwrap();
    grid.set_terrain(Cell::new(3, 2), 0).unwrap();
    grid.edit(&[Edit::fence(Cell::new(1, 1), Cell::new(1, 2))]).unwrap();
    let equal = Movement::new()
        .with_diagonals(Diagonals::OnlyWhenNoObstacles)
        .with_steps(StepCosts::new(7, 7).unwrap())
        .with_size(Size::new(2).unwrap());
    let finder = PathFinder::new(grid, equal);
    // Another place is as close and cheaper, but the fence divides it.
    let query = PathQuery::new(Cell::new(0, 1), Cell::new(2, 1)).or_closest();
    let outcome = finder.solve(&query).unwrap().outcome;
    let Outcome::Unreachable { closest: Some(path) } = outcome else { panic!("{outcome:?}") };
    assert_eq!((path.goal(), path.cost()), (Cell::new(1, 0), Cost::new(14)));
}

#[test]
fn a_mountain_is_not_crossed() {
    // Open ground, 40 closed cells, open ground.
    let mut grid = Grid::new(60, 3, 1).unwrap();
    for cell in grid.bounds().cells().filter(|cell| (10..50).contains(&cell.x)) {
        grid.set_terrain(cell, 0).unwrap();
    }
    let mut finder = PathFinder::new(grid, Movement::new());
    let ends = [Cell::new(0, 1), Cell::new(59, 1)];
    let leads = |finder: &PathFinder, x| {
        ends.map(|end| finder.is_reachable(&PathQuery::new(Cell::new(x, 1), end)).unwrap())
    };
    for x in 10..50 {
        assert_eq!(leads(&finder, x), [x < 26, x >= 34], "from {x}");
    }
    // A building on its edge makes it thicker.
    for x in 5..10 {
        finder.set_terrain(Cell::new(x, 1), 0).unwrap();
    }
    for x in 0..60 {
        assert!(leads(&finder, x) != [true; 2], "from {x}");
    }
    assert_eq!(leads(&finder, 5), [true, false]);
}

#[test]
fn fences_hold_and_void_is_not_entered() {
    let mut grid = building();
    // A fence on three sides of the middle.
    for beside in [Direction::North, Direction::East, Direction::South] {
        grid.edit(&[Edit::fence(Cell::new(5, 5), Cell::new(5, 5) + beside.offset())]).unwrap();
    }
    let finder = PathFinder::new(grid.clone(), Movement::new());
    let query = PathQuery::new(Cell::new(5, 5), Cell::new(10, 5));
    assert_eq!(found(&finder, &query).cells()[1], Cell::new(4, 5));
    grid.edit(&[Edit::void(Cell::new(4, 5))]).unwrap();
    let finder = PathFinder::new(grid, Movement::new());
    assert_eq!(finder.solve(&query).unwrap().outcome, Outcome::Unreachable { closest: None });
}

#[test]
fn a_unit_leaves_an_area_that_is_forbidden_to_it() {
    let mut grid = Grid::new(20, 20, 1).unwrap();
    let area = Bounds::new(Cell::new(5, 5), 11, 11).unwrap();
    grid.edit(&[Edit::overlay_in("forbidden", area, Grid::CLOSING)]).unwrap();
    let obeys = Movement::new().with_overlay("forbidden");
    let finder = PathFinder::new(grid, obeys.clone());
    let path = found(&finder, &PathQuery::new(Cell::new(9, 10), Cell::new(0, 10)));
    assert_eq!(path.cost(), Cost::new(90));
    assert_eq!(path.verify(finder.grid(), &obeys), Ok(()));
    let wide = obeys.with_size(Size::new(2).unwrap());
    let finder = PathFinder::new(finder.grid().clone(), wide.clone());
    let path = found(&finder, &PathQuery::new(Cell::new(7, 10), Cell::new(0, 10)));
    assert_eq!((path.cost(), path.verify(finder.grid(), &wide)), (Cost::new(70), Ok(())));
}

#[test]
fn the_bill_names_the_closed_cells_and_the_step_that_must_come_next() {
    let finder = PathFinder::new(format::parse_ascii("####.").unwrap(), Movement::new());
    let path = found(&finder, &PathQuery::new(Cell::new(2, 0), Cell::new(4, 0)));
    let receipt = finder.explain(path.cells(), MovementId::FIRST).unwrap();
    assert!(receipt.to_string().ends_with("leaves closed ground by 2 cells first\n"), "{receipt}");

    let finder = PathFinder::new(building(), Movement::new());
    let detour: Vec<Cell> = [(6, 4), (7, 4), (8, 4)].map(Cell::from).to_vec();
    let path = found(&finder, &PathQuery::new(detour[0], Cell::new(10, 4)));
    assert_eq!(path.cells()[1], Cell::new(7, 4), "east and south are as near; east is first");
    let south = [Cell::new(6, 4), Cell::new(6, 3)];
    let Err(ExplainError::IllegalStep { step: 1, fault, .. }) = finder.explain(&south, MovementId::FIRST)
    else {
        panic!("the chain leads east");
    };
    assert!(matches!(fault, StepFault::Blocked { terrain: 0 }), "{fault:?}");
    // The last closed cell has three open neighbours.
    let aside = [Cell::new(6, 4), Cell::new(7, 4), Cell::new(8, 5)];
    let Err(ExplainError::IllegalStep { step: 2, fault, .. }) = finder.explain(&aside, MovementId::FIRST)
    else {
        panic!("the chain leads east");
    };
    assert!(matches!(fault, StepFault::Corner { .. }), "{fault:?}");
    let always = PathFinder::new(building(), Movement::new().with_diagonals(tilepath::Diagonals::Always));
    let Err(ExplainError::IllegalStep { step: 2, fault, .. }) = always.explain(&aside, MovementId::FIRST)
    else {
        panic!("the chain leads east");
    };
    assert_eq!(fault, StepFault::NotNext { next: Cell::new(8, 4) });
    assert_eq!(fault.to_string(), "it leaves closed ground by the nearest exit; step to (8, 4) first");
    let cells = aside.to_vec();
    let mut taken = found(&always, &PathQuery::new(cells[0], cells[1]));
    let movement = Movement::new().with_diagonals(tilepath::Diagonals::Always);
    let pushed = taken.push(cells[2], always.grid(), &movement);
    assert_eq!(pushed, Err(PathFault::StepNotAllowed { step: 1, from: cells[1], to: cells[2] }));
}

#[test]
fn a_barrier_begins_behind_the_exit() {
    let mut grid = building();
    for y in 0..11 {
        grid.set_terrain(Cell::new(9, y), 0).unwrap();
    }
    let finder = PathFinder::new(grid, Movement::new());
    let query = PathQuery::new(Cell::new(5, 5), Cell::new(10, 5));
    let explained = finder.explain_failure(&query).unwrap();
    let FailureExplanation::Sealed(barrier) = explained else { panic!("{explained:?}") };
    assert!(barrier.single.iter().all(|opening| opening.cell.x == 9));
    let best = &barrier.single[0];
    let mut opened = finder.clone();
    opened.set_terrain(best.cell, 1).unwrap();
    assert_eq!(found(&opened, &query).cost(), best.cost);
}

#[test]
fn the_steps_of_a_crowd_lead_out() {
    let finder = PathFinder::new(building(), Movement::new());
    let steps = Steps::new(&finder, MovementId::FIRST).unwrap();
    let bounds = finder.grid().bounds();
    let exits_of = |slot| {
        let exits = steps.exits(slot);
        Direction::ALL.into_iter().filter(|&direction| exits.contains(direction)).collect()
    };
    let mut cell = Cell::new(5, 5);
    for north in 6..9 {
        let exits: Vec<Direction> = exits_of(bounds.slot(cell).unwrap());
        assert!(exits.contains(&Direction::North), "{cell}");
        assert!(north == 8 || exits.len() == 1, "{cell}");
        cell = Cell::new(5, north);
        assert_eq!(steps.cost(bounds.slot(cell).unwrap(), Direction::North), Cost::new(10));
    }
    assert!(!steps.exits(bounds.slot(cell).unwrap()).contains(Direction::South), "nobody enters");
}

#[test]
fn the_copy_of_a_map_is_paid_for() {
    let work = |deep: u32| {
        let mut grid = Grid::new(256, 256, 1).unwrap();
        let site = Bounds::new(Cell::new(100, 100), deep, deep).unwrap();
        grid.edit(&[Edit::terrain_in(site, 0)]).unwrap();
        let finder = PathFinder::new(grid, Movement::new());
        let query = PathQuery::new(Cell::new(101, 101), Cell::new(110, 101)).with_algorithm(Algorithm::AStar);
        let mut search = finder.begin(&query).unwrap();
        while search.advance(100) == SearchStatus::Running {}
        search.work()
    };
    // A unit of work for 256 cells, besides a few expansions.
    let (beside, deep) = (work(2), work(3));
    assert!((256..512).contains(&(deep - beside)), "{deep} from deep ground, {beside} from its border");
}

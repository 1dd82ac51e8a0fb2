//! Reachability without a search, against the oracle.

use proptest::prelude::*;
use testkit::{DiagonalRule, Rules, Seed};
use tilepath::{
    Algorithm, Cell, Cost, CostTable, Diagonals, Grid, Movement, MovementId, Outcome, PathFinder, PathQuery,
    QueryError, search::Step,
};

use crate::worlds::{Prices, World, cases, edits, world};

/// Checks the answers for all goals of the map from one start.
fn check_all_goals(world: &World, finder: &PathFinder, start: (i32, i32)) {
    let costs = world.oracle().costs_from(start);
    for (place, cost) in world.positions().zip(costs) {
        let answer = finder.is_reachable(&PathQuery::new(world.cell(start), world.cell(place))).unwrap();
        assert_eq!(answer, cost.is_some(), "{start:?} to {place:?} in {world:?}");
    }
}

proptest! {
    #![proptest_config(cases(200))]

    #[test]
    fn a_cell_is_reachable_exactly_where_the_oracle_finds_a_way(world in world(100, Prices::Low)) {
        let finder = world.finder();
        check_all_goals(&world, &finder, world.start);
        check_all_goals(&world, &finder, world.goal);
    }

    #[test]
    fn a_blocked_start_reaches_what_its_steps_lead_to(mut world in world(70, Prices::Low)) {
        world.rules.multipliers[0] = 0;
        let slot = world.map.slot(world.start);
        world.map.classes[slot] = 0;
        let finder = world.finder();
        check_all_goals(&world, &finder, world.start);
    }

    #[test]
    fn reachability_follows_every_edit(
        world in world(90, Prices::Low),
        edits in edits(1..=30),
        asks in 1..=5_usize,
    ) {
        let mut now = world.clone();
        let mut finder = world.finder();
        check_all_goals(&now, &finder, now.start);
        for (number, ((x, y), class)) in edits.into_iter().enumerate() {
            // The factor spreads the edits over all chunks.
            let place = (x * 5 % now.map.width as i32, y * 5 % now.map.height as i32);
            let slot = now.map.slot(place);
            now.map.classes[slot] = class;
            finder.set_terrain(now.cell(place), class).unwrap();
            if number % asks == 0 {
                check_all_goals(&now, &finder, now.start);
            }
        }
        check_all_goals(&now, &finder, now.start);
        check_all_goals(&now, &finder.clone(), now.goal);
    }

    #[test]
    fn unreachable_goal_runs_no_search(world in world(40, Prices::Low)) {
        let finder = world.finder();
        let is_reachable = finder.is_reachable(&PathQuery::new(world.start(), world.goal())).unwrap();
        for algorithm in [Algorithm::Auto, Algorithm::AStar, Algorithm::Greedy, Algorithm::BreadthFirst] {
            let query = PathQuery::new(world.start(), world.goal()).with_algorithm(algorithm);
            let answer = finder.solve(&query).unwrap();
            prop_assert_eq!(answer.outcome.path().is_some(), is_reachable);
            if !is_reachable {
                prop_assert_eq!(answer.outcome, Outcome::Unreachable { closest: None });
                prop_assert_eq!(answer.statistics.expanded, 0);
                let steps: Vec<_> = finder.begin(&query).unwrap().steps().collect();
                prop_assert_eq!(steps, [Step::Exhausted]);
            }
        }
    }
}

/// If straight and diagonal steps cost the same, whole rows of cells are closest. With four
/// directions it is a diamond.
#[test]
fn cheapest_then_first_of_many_closest_cells_is_taken() {
    for (straight, diagonal) in [(1, 1), (7, 7), (10, 14), (1, 2)] {
        for diagonals in DiagonalRule::ALL {
            for number in 0..40 {
                let seed = Seed::named(&format!("closest of many {number}"));
                let mut map = testkit::noise(33, 29, 1 + number % 3, u32::from(number % 4 * 7), &seed);
                let [(start, goal)] = map.queries(1, &seed)[..] else { panic!("one query was requested") };
                // A moat around the goal; the ground inside may be open.
                let wide = 1 + i32::from(number % 5);
                for slot in 0..map.classes.len() {
                    let (x, y) = map.position(slot);
                    let (dx, dy) = ((x - goal.0).abs(), (y - goal.1).abs());
                    if dx.max(dy) <= wide && ((dx.max(dy) == wide) || number % 2 == 0) {
                        map.classes[slot] = 0;
                    }
                }
                let mut rules = Rules::classic(diagonals);
                (rules.straight, rules.diagonal) = (straight, diagonal);
                let world = World::new(map, rules);
                let finder = world.finder();
                let (slot, cost) = world.oracle().closest(start, goal);
                for algorithm in [Algorithm::Auto, Algorithm::AStar, Algorithm::Dijkstra] {
                    let query = PathQuery::new(world.cell(start), world.cell(goal))
                        .or_closest()
                        .with_algorithm(algorithm);
                    let Outcome::Unreachable { closest: Some(path) } = finder.solve(&query).unwrap().outcome
                    else {
                        panic!("the goal lies behind a moat: {world:?}")
                    };
                    assert_eq!(world.position(path.goal()), world.map.position(slot), "{query:?} {world:?}");
                    assert_eq!(u64::from(path.cost().get()), cost);
                    assert!(path.is_optimal());
                    world.check_path(&path);
                }
            }
        }
    }
}

#[test]
fn the_closest_cell_to_a_house_takes_no_flood() {
    let mut grid = Grid::new(300, 300, 1).unwrap();
    for x in 200..=204 {
        for y in 100..=104 {
            grid.set_terrain(Cell::new(x, y), 0).unwrap();
        }
    }
    let finder = PathFinder::new(grid, Movement::new());
    let query = PathQuery::new(Cell::new(10, 102), Cell::new(202, 102)).or_closest();
    for algorithm in [Algorithm::Auto, Algorithm::AStar, Algorithm::WeightedAStar { percent: 150 }] {
        let answer = finder.solve(&query.with_algorithm(algorithm)).unwrap();
        let Outcome::Unreachable { closest: Some(path) } = answer.outcome else {
            panic!("{:?}", answer.outcome)
        };
        assert_eq!((path.goal(), path.cost()), (Cell::new(199, 102), Cost::new(1_890)));
        assert!(answer.statistics.expanded < 1_000, "{} expansions", answer.statistics.expanded);
    }
}

#[test]
fn a_start_that_is_closest_itself_needs_no_search() {
    let mut grid = Grid::new(9, 9, 1).unwrap();
    for y in 0..9 {
        grid.set_terrain(Cell::new(4, y), 0).unwrap();
    }
    let finder = PathFinder::new(grid, Movement::new());
    let from = Cell::new(3, 4);
    for limit in [0, 1, 1_000] {
        let query = PathQuery::new(from, Cell::new(8, 4)).or_closest().with_limit(limit);
        let answer = finder.solve(&query).unwrap();
        let Outcome::Unreachable { closest: Some(path) } = answer.outcome else {
            panic!("{:?}", answer.outcome)
        };
        assert_eq!((path.cells(), path.cost()), (&[from][..], Cost::ZERO));
        assert_eq!(answer.statistics.expanded, 0);
    }
    // From a start in the wall, a closed goal is no end: the nearest open cell is.
    let query = PathQuery::new(Cell::new(4, 4), Cell::new(4, 5)).or_closest();
    let Outcome::Unreachable { closest: Some(path) } = finder.solve(&query).unwrap().outcome else {
        panic!("the goal is closed")
    };
    assert_eq!((path.goal(), path.cost()), (Cell::new(3, 5), Cost::new(20)));
}

#[test]
fn each_movement_has_its_own_reach() {
    let map = testkit::terrain(120, 90, 3, 30, &Seed::named("reach of units"));
    let walker = World::new(map.clone(), Rules::classic(DiagonalRule::Never));
    let mut boat = World::new(map, Rules::classic(DiagonalRule::Always));
    boat.rules.multipliers = std::array::from_fn(|class| u64::from(class == 0));
    let mut finder = walker.finder();
    let boat_id = finder.add_movement(boat.movement());
    for world in [&walker, &boat] {
        let id = if std::ptr::eq(world, &raw const boat) { boat_id } else { MovementId::default() };
        for (start, goal) in walker.map.queries(20, &Seed::named("reach of units")) {
            let expected = world.oracle().cost(start, goal).is_some();
            assert_eq!(
                finder.is_reachable(&PathQuery::new(world.cell(start), world.cell(goal)).with_movement(id)),
                Ok(expected)
            );
        }
    }
}

#[test]
fn a_movement_put_in_the_place_of_another_brings_its_own_reach() {
    let mut grid = Grid::new(200, 3, 1).unwrap();
    for y in 0..3 {
        grid.set_terrain(Cell::new(100, y), 5).unwrap();
    }
    let mut finder = PathFinder::new(grid, Movement::new());
    let (from, to) = (Cell::new(0, 0), Cell::new(199, 2));
    assert_eq!(finder.is_reachable(&PathQuery::new(from, to)), Ok(true));
    let wagon = Movement::new().with_costs(CostTable::identity().with(5, 0));
    finder.set_movement(MovementId::default(), wagon.clone()).unwrap();
    assert_eq!(finder.is_reachable(&PathQuery::new(from, to)), Ok(false));
    finder.set_terrain(Cell::new(100, 1), 2).unwrap();
    assert_eq!(finder.is_reachable(&PathQuery::new(from, to)), Ok(true));
    finder.set_movement(MovementId::default(), wagon.with_diagonals(Diagonals::Always)).unwrap();
    assert_eq!(finder.is_reachable(&PathQuery::new(from, to)), Ok(true));
}

#[test]
fn questions_about_cells_off_the_map_are_errors() {
    let finder = PathFinder::new(Grid::new(4, 4, 1).unwrap(), Movement::new());
    let (inside, outside) = (Cell::new(0, 0), Cell::new(4, 0));
    let bounds = finder.grid().bounds();
    assert_eq!(
        finder.is_reachable(&PathQuery::new(outside, inside)),
        Err(QueryError::StartOutOfBounds { cell: outside, bounds })
    );
    assert_eq!(
        finder.is_reachable(&PathQuery::new(inside, outside)),
        Err(QueryError::GoalOutOfBounds { cell: outside, bounds })
    );
    let mut other = finder.clone();
    let unknown = other.add_movement(Movement::new().with_diagonals(Diagonals::Always));
    assert_eq!(
        finder.is_reachable(&PathQuery::new(inside, inside).with_movement(unknown)),
        Err(QueryError::UnknownMovement(unknown))
    );
}

#[test]
fn threads_may_query_at_once_after_an_edit() {
    let map = testkit::caves(200, 160, &Seed::named("asked at once"));
    let queries = map.queries(200, &Seed::named("asked at once"));
    let mut world = World::new(map, Rules::classic(DiagonalRule::Always));
    let mut finder = world.finder();
    for round in 0..20_u32 {
        let place = ((round * 37 % 200) as i32, (round * 53 % 160) as i32);
        let slot = world.map.slot(place);
        world.map.classes[slot] = 1 - world.map.classes[slot];
        finder.set_terrain(world.cell(place), world.map.classes[slot]).unwrap();
        let ask = || -> Vec<bool> {
            let mut answers = queries.iter();
            answers
                .by_ref()
                .map(|&(from, to)| {
                    finder.is_reachable(&PathQuery::new(world.cell(from), world.cell(to))).unwrap()
                })
                .collect()
        };
        let together = std::thread::scope(|scope| {
            let workers: Vec<_> = (0..3).map(|_| scope.spawn(ask)).collect();
            workers.into_iter().map(|worker| worker.join().unwrap()).collect::<Vec<_>>()
        });
        let fresh = world.finder();
        for answers in together {
            for (&(from, to), answer) in queries.iter().zip(answers) {
                assert_eq!(fresh.is_reachable(&PathQuery::new(world.cell(from), world.cell(to))), Ok(answer));
            }
        }
    }
}

//! Algorithms and options for comparison and for teaching.
//!
//! These are walks without a guarantee, other heuristics, and searches without the reachability
//! check.

use proptest::prelude::*;
use testkit::Seed;
use tilepath::{
    Algorithm, Cell, CellState, Cost, Grid, HeuristicKind, Movement, Outcome, Path, PathFinder, PathQuery,
    Topology, format, search::Step,
};

use crate::worlds::{Prices, cases, world};

const WALKS: [Algorithm; 2] = [Algorithm::DepthFirst, Algorithm::Backtracking];

proptest! {
    #![proptest_config(cases(200))]

    #[test]
    fn walks_find_a_way_where_there_is_one(world in world(24, Prices::Low)) {
        let finder = world.finder();
        let is_reachable = finder.is_reachable(&PathQuery::new(world.start(), world.goal())).unwrap();
        for algorithm in WALKS {
            let query = PathQuery::new(world.start(), world.goal()).with_algorithm(algorithm);
            for query in [query, query.without_reachability()] {
                let outcome = finder.solve(&query).unwrap().outcome;
                prop_assert_eq!(outcome.path().is_some(), is_reachable);
                if let Some(path) = outcome.path() {
                    world.check_path(path);
                    let cheapest = finder.find(world.start(), world.goal()).unwrap();
                    prop_assert!(path.lower_bound() <= cheapest.path().unwrap().cost());
                }
            }
        }
    }

    #[test]
    fn admissible_estimates_lead_to_the_cheapest_path_and_the_others_to_a_path(world in world(24, Prices::Low)) {
        let finder = world.finder();
        let query = PathQuery::new(world.start(), world.goal());
        let cheapest = finder.find(world.start(), world.goal()).unwrap().path().map(tilepath::Path::cost);
        for estimate in HeuristicKind::ALL {
            for algorithm in [
                Algorithm::Auto,
                Algorithm::AStar,
                Algorithm::WeightedAStar { percent: 180 },
                Algorithm::Greedy,
                Algorithm::Backtracking,
            ] {
                let query = query.with_algorithm(algorithm).with_heuristic(estimate);
                let outcome = finder.solve(&query).unwrap().outcome;
                prop_assert_eq!(outcome.path().is_some(), cheapest.is_some());
                let (Some(path), Some(cheapest)) = (outcome.path(), cheapest) else { continue };
                world.check_path(path);
                prop_assert!(path.lower_bound() <= cheapest, "{} {}", estimate, algorithm);
                if algorithm.is_exact() && estimate.is_admissible(&world.movement(), Topology::Square) {
                    prop_assert_eq!(path.cost(), cheapest, "{} {}", estimate, algorithm);
                    prop_assert!(path.is_optimal());
                }
            }
            let nearest = finder.solve(&query.with_heuristic(estimate).or_closest()).unwrap().outcome;
            let goal = finder.solve(&query.or_closest()).unwrap().outcome.path_or_closest().unwrap().goal();
            let distance = |cell| world.movement().distance(Topology::Square, cell, world.goal());
            prop_assert_eq!(distance(nearest.path_or_closest().unwrap().goal()), distance(goal));
        }
    }
}

proptest! {
    #![proptest_config(cases(60))]

    #[test]
    fn each_step_of_a_search_has_the_costs_of_all_closed_cells(world in world(14, Prices::Low)) {
        let finder = world.finder();
        let costs = world.oracle().costs_from(world.start);
        for algorithm in [Algorithm::AStar, Algorithm::Dijkstra] {
            let query = PathQuery::new(world.start(), world.goal()).with_algorithm(algorithm);
            let expected = finder.solve(&query).unwrap().outcome;
            let mut search = finder.begin(&query.without_pruning()).unwrap();
            search.advance(u64::MAX);
            for place in world.positions() {
                let cell = world.cell(place);
                if search.cell_state(cell) == CellState::Closed {
                    let known = search.cost_to(cell).map(|cost| u64::from(cost.get()));
                    prop_assert_eq!(known, costs[world.map.slot(place)], "{} at {}", algorithm, cell);
                }
            }
            let answer = search.finish().unwrap();
            prop_assert_eq!(
                answer.outcome.path().map(Path::cost),
                expected.path().map(Path::cost)
            );
        }
    }
}

const SEALED: &str = "
    .....#...
    .....#...
    .....#...
    .....#...
";

#[test]
fn search_without_reachability_expands_all_reachable_cells_and_fails() {
    let finder = PathFinder::new(format::parse_ascii(SEALED).unwrap(), Movement::new());
    let query = PathQuery::new(Cell::new(1, 1), Cell::new(8, 2)).without_reachability();
    for algorithm in [
        Algorithm::AStar,
        Algorithm::Dijkstra,
        Algorithm::Greedy,
        Algorithm::WeightedAStar { percent: 150 },
        Algorithm::BreadthFirst,
        Algorithm::DepthFirst,
        Algorithm::Backtracking,
    ] {
        let query = query.with_algorithm(algorithm);
        let mut search = finder.begin(&query).unwrap();
        let steps: Vec<Step<Cell>> = search.steps().collect();
        assert_eq!(steps.last(), Some(&Step::Exhausted), "{algorithm}");
        assert_eq!(steps.len(), 21, "{algorithm}");
        let closed =
            finder.grid().bounds().cells().filter(|&cell| search.cell_state(cell) == CellState::Closed);
        assert_eq!(closed.count(), 20, "{algorithm}");
        let answer = search.finish().unwrap();
        assert_eq!(answer.outcome, Outcome::Unreachable { closest: None }, "{algorithm}");
    }
    let jumps = finder.solve(&query.with_algorithm(Algorithm::JumpPoint)).unwrap();
    assert_eq!(jumps.outcome, Outcome::Unreachable { closest: None });
    assert!(jumps.statistics.expanded > 0);
    let blocked = PathQuery::new(Cell::new(1, 1), Cell::new(5, 2)).without_reachability();
    assert_eq!(finder.solve(&blocked).unwrap().statistics.expanded, 0);
}

#[test]
fn the_backtracking_walk_goes_to_the_nearest_cell_and_back_out_of_a_dead_end() {
    let map = "
        .....#..
        ..##.#..
        S....#.G
        ..####..
        ........
    ";
    let scene = testkit::Scene::from_picture(map);
    let (width, height) = (scene.map.width, scene.map.height);
    let grid = Grid::from_classes(width, height, scene.map.classes.clone()).unwrap();
    let movement = Movement::new().with_diagonals(tilepath::Diagonals::Never);
    let finder = PathFinder::new(grid, movement);
    let query = PathQuery::new(Cell::new(0, 2), Cell::new(7, 2)).with_algorithm(Algorithm::Backtracking);
    let mut search = finder.begin(&query).unwrap();
    let order: Vec<Cell> = (search.steps())
        .filter_map(|step| match step {
            Step::Expanded(cell) => Some(cell),
            _ => None,
        })
        .collect();
    assert!(order.contains(&Cell::new(4, 2)), "the search goes into the dead end first: {order:?}");
    let path = search.finish().unwrap().outcome.into_path().unwrap();
    assert!(!path.cells().contains(&Cell::new(4, 2)), "the path does not contain the dead end");
    // The cells west and south of (1, 1) are equally near. The search tries the west first and
    // never returns to the south.
    assert_eq!(path.cost(), Cost::new(130));
}

#[test]
fn manhattan_hurries_past_the_cheapest_path_where_diagonals_are_allowed() {
    let finder = PathFinder::new(Grid::new(20, 20, 1).unwrap(), Movement::new());
    let query = PathQuery::new(Cell::new(2, 3), Cell::new(15, 12)).with_algorithm(Algorithm::AStar);
    let by = |estimate| finder.solve(&query.with_heuristic(estimate)).unwrap();
    let (octile, manhattan) = (by(HeuristicKind::Octile), by(HeuristicKind::Manhattan));
    assert!(octile.outcome.path().unwrap().is_optimal());
    assert!(manhattan.outcome.path().unwrap().lower_bound() <= octile.outcome.path().unwrap().cost());
    let expanded = HeuristicKind::ALL.map(|estimate| by(estimate).statistics.expanded);
    let [octile, _, euclidean, chebyshev, zero] = expanded;
    assert!(octile <= euclidean && euclidean <= chebyshev && chebyshev < zero, "{expanded:?}");
}

proptest! {
    #![proptest_config(cases(300))]

    #[test]
    fn whichever_admissible_estimate_leads_the_closest_cell_is_the_cheapest_to_reach(world in world(12, Prices::Low)) {
        let finder = world.finder();
        let query = PathQuery::new(world.start(), world.goal()).or_closest();
        let exact = finder.solve(&query.with_algorithm(Algorithm::Dijkstra)).unwrap().outcome;
        let exact = exact.path_or_closest().unwrap();
        for estimate in HeuristicKind::ALL.into_iter().filter(|estimate| estimate.is_admissible(&world.movement(), Topology::Square)) {
            let query = query.with_algorithm(Algorithm::AStar).with_heuristic(estimate);
            let found = finder.solve(&query).unwrap().outcome;
            let found = found.path_or_closest().unwrap();
            prop_assert_eq!((found.cost(), found.goal()), (exact.cost(), exact.goal()), "{}", estimate);
            world.check_path(found);
        }
    }
}

#[test]
fn closest_cell_is_the_cheapest_under_every_estimate() {
    // All maps of six cells, with each weaker heuristic, and all unreachable goals.
    let mut compared = 0;
    for number in 0..4_u32.pow(6) {
        let class = |cell: u32| [0_u8, 1, 3, 7][(number >> (2 * cell) & 3) as usize];
        let grid = Grid::from_classes(3, 2, (0..6).map(class).collect()).unwrap();
        let finder = PathFinder::new(grid, Movement::new());
        for goal in [Cell::new(2, 0), Cell::new(2, 1), Cell::new(1, 1)] {
            let query = PathQuery::new(Cell::new(0, 0), goal).or_closest();
            let exact = finder.solve(&query.with_algorithm(Algorithm::Dijkstra)).unwrap().outcome;
            let Outcome::Unreachable { closest: Some(exact) } = exact else { continue };
            for estimate in [HeuristicKind::Euclidean, HeuristicKind::Chebyshev, HeuristicKind::Zero] {
                let query = query.with_algorithm(Algorithm::AStar).with_heuristic(estimate);
                let found = finder.solve(&query).unwrap().outcome;
                let found = found.path_or_closest().unwrap();
                assert_eq!((found.cost(), found.goal()), (exact.cost(), exact.goal()), "{number} {estimate}");
                compared += 1;
            }
        }
    }
    assert!(compared > 1_000, "{compared}");
}

#[test]
fn a_search_that_finds_out_by_itself_says_unreachable_though_costs_overflow_on_its_way() {
    // A corridor to whose far end the cost overflows, and a goal behind a wall.
    let costly = tilepath::CostTable::impassable().with(1, u16::MAX);
    let steps = tilepath::StepCosts::new(10_000, 14_000).unwrap();
    let mut grid = Grid::new(12, 1, 1).unwrap();
    grid.set_terrain(Cell::new(10, 0), 0).unwrap();
    let finder = PathFinder::new(grid, Movement::new().with_costs(costly).with_steps(steps));
    let query = PathQuery::new(Cell::new(0, 0), Cell::new(11, 0));
    for algorithm in [Algorithm::AStar, Algorithm::Dijkstra, Algorithm::BreadthFirst, Algorithm::DepthFirst] {
        let query = query.with_algorithm(algorithm);
        let told = finder.solve(&query).unwrap().outcome;
        let found = finder.solve(&query.without_reachability()).map(|answer| answer.outcome);
        assert_eq!(found, Ok(told), "{algorithm}");
    }
    let costly_way = PathQuery::new(Cell::new(0, 0), Cell::new(9, 0)).with_algorithm(Algorithm::Dijkstra);
    assert_eq!(finder.solve(&costly_way.without_reachability()), Err(tilepath::QueryError::CostOverflow));
}

#[test]
fn jump_points_find_the_closest_cell_by_their_own_estimate_alone() {
    let mut compared = 0;
    for number in 0..40 {
        let seed = Seed::named(&format!("closest by jump points {number}"));
        let map = testkit::noise(24, 20, 1, 30, &seed);
        let mut grid = Grid::from_classes(map.width, map.height, map.classes.clone()).unwrap();
        let queries = map.queries(6, &seed);
        for &(_, (x, y)) in &queries {
            grid.set_terrain(Cell::new(x, y), 0).unwrap();
        }
        let finder = PathFinder::new(grid, Movement::new());
        for (start, goal) in queries {
            let query =
                PathQuery::new(start.into(), goal.into()).with_algorithm(Algorithm::JumpPoint).or_closest();
            for query in [query, query.with_limit(10_000)] {
                let expected = finder.solve(&query).unwrap().outcome;
                for heuristic in HeuristicKind::ALL {
                    let answer = finder.solve(&query.with_heuristic(heuristic)).unwrap();
                    assert_eq!(answer.outcome, expected, "{query:?}, {heuristic}");
                    compared += 1;
                }
            }
        }
    }
    assert!(compared > 1_000, "{compared}");
}

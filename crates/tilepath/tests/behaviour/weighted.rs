//! Weighted A* against brute force: the bound of its answers, and cells that stay closed.

use std::collections::HashSet;

use proptest::prelude::*;
use proptest::sample::select;
use testkit::{DiagonalRule, Rules, Scene, Seed};
use tilepath::{Algorithm, Direction, HeuristicKind, Outcome, PathQuery, QueryError, Topology, search::Step};

use crate::worlds::{Prices, World, cases, world};

const PERCENTS: [u16; 7] = [100, 101, 105, 117, 150, 200, u16::MAX];

/// Checks the answers of weighted A* with each admissible estimate.
fn check_bound(world: &World) {
    let finder = world.finder();
    let cheapest = world.oracle().cost(world.start, world.goal);
    let is_admissible =
        |estimate: &HeuristicKind| estimate.is_admissible(&world.movement(), Topology::Square);
    for estimate in HeuristicKind::ALL.into_iter().filter(is_admissible) {
        for percent in PERCENTS {
            let query = PathQuery::new(world.start(), world.goal())
                .with_algorithm(Algorithm::WeightedAStar { percent })
                .with_heuristic(estimate);
            let largest = cheapest.map(|cheapest| cheapest * u64::from(percent));
            match (largest, finder.solve(&query).map(|answer| answer.outcome)) {
                (Some(largest), Ok(Outcome::Found(path))) => {
                    let found = u64::from(path.cost().get());
                    assert!(found * 100 <= largest, "{found} × 100 is over {largest}: {query:?}");
                    world.check_path(&path);
                }
                (None, Ok(Outcome::Unreachable { closest: None })) => {}
                (Some(largest), Err(QueryError::CostOverflow)) => {
                    assert!(largest > 100 * u64::from(u32::MAX), "{largest} ÷ 100 fits: {query:?}");
                }
                (largest, answer) => panic!("{largest:?}, but {answer:?} to {query:?}"),
            }
        }
    }
}

/// Checks that a search expands no cell twice, and returns the number of expanded cells.
fn check_expansions(world: &World, query: &PathQuery) -> usize {
    let finder = world.finder();
    let mut search = finder.begin(query).unwrap();
    let mut expanded = HashSet::new();
    for step in search.steps() {
        if let Step::Expanded(cell) = step {
            assert!(expanded.insert(cell), "{cell} is expanded twice: {query:?}");
        }
    }
    expanded.len()
}

proptest! {
    #![proptest_config(cases(300))]

    #[test]
    fn answers_cost_at_most_the_percentage_of_the_cheapest(world in world(14, Prices::Low)) {
        check_bound(&world);
    }

    #[test]
    fn answers_cost_at_most_the_percentage_of_the_cheapest_up_to_the_largest_costs(world in world(12, Prices::Any)) {
        check_bound(&world);
    }

    #[test]
    fn no_cell_is_expanded_twice(world in world(20, Prices::Low), percent in select(&PERCENTS[1..])) {
        for estimate in HeuristicKind::ALL {
            let query = PathQuery::new(world.start(), world.goal())
                .with_algorithm(Algorithm::WeightedAStar { percent })
                .with_heuristic(estimate);
            check_expansions(&world, &query);
            check_expansions(&world, &query.without_reachability());
        }
    }

    /// Closed cells may stay closed only if this holds.
    #[test]
    fn each_admissible_estimate_is_consistent(world in world(12, Prices::Any)) {
        let (finder, movement, oracle) = (world.finder(), world.movement(), world.oracle());
        for estimate in HeuristicKind::ALL.into_iter().filter(|it| it.is_admissible(&movement, Topology::Square)) {
            let query = PathQuery::new(world.start(), world.goal())
                .with_algorithm(Algorithm::WeightedAStar { percent: 150 })
                .with_heuristic(estimate)
                .or_closest();
            let search = finder.begin(&query).unwrap();
            let left = |place| u64::from(search.estimate_from(world.cell(place)).unwrap().get());
            for place in world.positions() {
                // The estimates are for this start, not for another one deep in closed ground.
                if !oracle.way_out(place).is_empty() {
                    continue;
                }
                for direction in Direction::ALL {
                    let (dx, dy) = direction.offset();
                    let next = (place.0 + dx, place.1 + dy);
                    if let Some(step) = oracle.step_cost(place, next) {
                        prop_assert!(left(place) <= step + left(next), "{} at {:?}", estimate, place);
                    }
                }
            }
        }
    }
}

/// The cheapest path costs 11. With the order cost + ⌊estimate × 117 ÷ 100⌋ the answer costs 13.
#[test]
fn a_rounded_order_would_lose_the_bound_on_this_map() {
    let scene = Scene::from_picture(
        "
        121#22
        112#11
        211122
    ",
    );
    let mut rules = Rules::classic(DiagonalRule::Never);
    (rules.straight, rules.diagonal) = (1, 1);
    let mut world = World::new(scene.map.clone(), rules);
    (world.start, world.goal) = ((0, 2), (5, 2));
    check_bound(&world);
}

/// On such ground a large weight finds cheaper paths to very many closed cells.
#[test]
fn a_large_weight_costs_no_more_expansions_than_cells() {
    let map = testkit::terrain(96, 96, 9, 10, &Seed::named("large weight"));
    let queries = map.queries(12, &Seed::named("large weight"));
    let mut world = World::new(map, Rules::classic(DiagonalRule::OnlyWhenNoObstacles));
    for (start, goal) in queries {
        (world.start, world.goal) = (start, goal);
        let expanded = [100, 500].map(|percent| {
            let query = PathQuery::new(world.start(), world.goal());
            let query = query.with_algorithm(Algorithm::WeightedAStar { percent }).without_pruning();
            check_expansions(&world, &query)
        });
        assert!(expanded[1] <= expanded[0], "{expanded:?} expansions by A* and by weighted A*");
    }
}

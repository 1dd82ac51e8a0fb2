//! Paths with drawn shapes, beside the paths of the search.

use std::collections::BTreeSet;

use proptest::prelude::*;
use testkit::Seed;
use tilepath::{
    Algorithm, Cell, Cost, Diagonals, Grid, Movement, Outcome, Path, PathFinder, PathQuery, Topology,
};

use crate::{
    plane_worlds::{Features, plane_world},
    worlds::cases,
};

fn path(finder: &PathFinder, query: &PathQuery) -> Path {
    finder.solve(query).unwrap().outcome.into_path().unwrap()
}

/// Returns the shapes of paths of the same length and direction, by their cells from the start.
fn shapes(finder: &PathFinder, algorithm: Algorithm) -> BTreeSet<Vec<(i32, i32)>> {
    let starts = (0..8).flat_map(|y| (0..8).map(move |x| Cell::new(x, y)));
    let shape = |start: Cell| {
        let goal = Cell::new(start.x + 9, start.y + 5);
        let query = PathQuery::new(start, goal).with_algorithm(algorithm).with_drawn_shape();
        let cells = path(finder, &query).into_cells();
        cells.into_iter().map(|cell| (cell.x - start.x, cell.y - start.y)).collect()
    };
    starts.map(shape).collect()
}

#[test]
fn on_open_ground_most_queries_have_a_shape_of_their_own() {
    for (topology, diagonals) in [
        (Topology::Square, Diagonals::Never),
        (Topology::Square, Diagonals::OnlyWhenNoObstacles),
        (Topology::Hexagonal, Diagonals::Never),
    ] {
        let grid = Grid::new(24, 24, 1).unwrap().with_topology(topology);
        let finder = PathFinder::new(grid, Movement::new().with_diagonals(diagonals));
        for algorithm in [Algorithm::JumpPoint, Algorithm::AStar] {
            let count = shapes(&finder, algorithm).len();
            assert!(count >= 40, "{topology:?} {diagonals:?} {algorithm:?}: {count} shapes of 64 queries");
        }
    }
}

#[test]
fn a_shape_leads_around_a_wall_on_either_side() {
    let map = testkit::cluttered(64, 64, 10, &Seed::named("shapes"));
    let grid = Grid::from_classes(64, 64, map.classes.clone()).unwrap();
    let finder = PathFinder::new(grid, Movement::new().with_diagonals(Diagonals::Never));
    let (mut cells, mut drawn) = (0, 0);
    for (start, goal) in map.queries(60, &Seed::named("shapes")) {
        let query = PathQuery::new(start.into(), goal.into());
        let Some(plain) = finder.solve(&query).unwrap().outcome.into_path() else { continue };
        let shape = path(&finder, &query.with_drawn_shape());
        shape.verify(finder.grid(), &Movement::new().with_diagonals(Diagonals::Never)).unwrap();
        let passed: BTreeSet<Cell> = plain.cells().iter().copied().collect();
        cells += shape.cells().len();
        drawn += shape.cells().iter().filter(|cell| !passed.contains(cell)).count();
    }
    assert!(drawn * 3 > cells, "{drawn} of {cells} cells are not on the path of the search");
}

#[test]
fn long_paths_and_paths_of_one_cell_have_shapes() {
    let finder = PathFinder::new(Grid::new(600, 600, 1).unwrap(), Movement::new());
    let query = PathQuery::new(Cell::new(0, 0), Cell::new(599, 300));
    assert_eq!(path(&finder, &query).cost(), path(&finder, &query.with_drawn_shape()).cost());
    let stays = PathQuery::new(Cell::new(3, 3), Cell::new(3, 3)).with_drawn_shape();
    assert_eq!(path(&finder, &stays).cells(), [Cell::new(3, 3)]);
}

/// Returns cost, ends and bound of a path.
fn summary(outcome: &Outcome) -> Option<(Cost, Cell, Cell, Option<u64>)> {
    let path = outcome.path_or_closest()?;
    Some((path.cost(), path.start(), path.goal(), path.percent_above_cheapest()))
}

proptest! {
    #![proptest_config(cases(400))]

    #[test]
    fn shapes_change_no_cost_and_no_bound_in_any_world(
        world in plane_world(Features::ALL, 14),
        limit in 1_u64..60,
    ) {
        let finder = world.finder();
        for unit in 0..world.units.len() {
            let [start, goal] = [0, 1].map(|number| world.cell(world.place(number, unit)));
            let movement = world.movement(unit);
            let id = finder.movement_id(&movement).unwrap();
            for algorithm in [
                Algorithm::Auto,
                Algorithm::AStar,
                Algorithm::JumpPoint,
                Algorithm::WeightedAStar { percent: 200 },
                Algorithm::Greedy,
            ] {
                let query = PathQuery::new(start, goal)
                    .with_movement(id)
                    .with_algorithm(algorithm)
                    .or_closest();
                for query in [query, query.with_limit(limit)] {
                    let Ok(plain) = finder.solve(&query) else { continue };
                    let drawn = finder.solve(&query.with_drawn_shape()).unwrap();
                    prop_assert_eq!(&plain.statistics, &drawn.statistics);
                    prop_assert_eq!(summary(&plain.outcome), summary(&drawn.outcome));
                    if let Some(path) = drawn.outcome.path_or_closest() {
                        prop_assert_eq!(path.verify(finder.grid(), &movement), Ok(()));
                    }
                    prop_assert_eq!(finder.solve(&query.with_drawn_shape()).unwrap(), drawn);
                }
            }
        }
    }
}

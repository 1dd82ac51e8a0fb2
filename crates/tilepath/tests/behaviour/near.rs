//! Near answers on random maps.
//!
//! The paths are legal, and found exactly if a path exists. Costs and bounds are correct, and
//! earlier queries change no answer.

use proptest::prelude::*;
use testkit::{Oracle, Seed};
use tilepath::{
    Algorithm, Answer, Cell, Cost, CostTable, Diagonals, Grid, Limit, Movement, Outcome, Path, PathFinder,
    PathQuery, QueryError, SearchStatus, Size, search::Step,
};

use crate::{
    plane_worlds::{Features, PlaneWorld, plane_world},
    worlds::cases,
};

const ALGORITHMS: [Algorithm; 4] = [
    Algorithm::Near,
    Algorithm::Within { percent: 100 },
    Algorithm::Within { percent: 103 },
    Algorithm::Within { percent: 160 },
];

/// A world for one of its units, with the oracle.
struct View<'a> {
    world: &'a PlaneWorld,
    finder: &'a PathFinder,
    movement: Movement,
    oracle: Oracle,
}

impl View<'_> {
    fn slot(&self, cell: Cell) -> usize {
        self.world.land.map.slot(self.world.position(cell))
    }

    fn check_path(&self, path: &Path, costs: &[Option<u64>]) -> (u64, u64) {
        let walked: Vec<_> = path.cells().iter().map(|&cell| self.world.position(cell)).collect();
        let (cost, bound) = (u64::from(path.cost().get()), u64::from(path.lower_bound().get()));
        assert_eq!(self.oracle.walk_cost(&walked), Some(cost), "{path:?}");
        assert_eq!(path.verify(self.finder.grid(), &self.movement), Ok(()), "{path:?}");
        let cheapest = costs[self.slot(path.goal())].unwrap();
        assert!(bound <= cheapest && cheapest <= cost, "{bound} <= {cheapest} <= {cost}");
        (cost, cheapest)
    }

    fn check(&self, query: &PathQuery, answer: &Result<Answer, QueryError>, costs: &[Option<u64>]) {
        let outcome = &answer.as_ref().unwrap().outcome;
        match (costs[self.slot(query.goal())], outcome) {
            (Some(_), Outcome::Found(path)) => {
                assert_eq!((path.start(), path.goal()), (query.start(), query.goal()));
                let (cost, cheapest) = self.check_path(path, costs);
                if let Algorithm::Within { percent } = query.algorithm() {
                    assert!(cost * 100 <= cheapest * u64::from(percent), "{cost} for {cheapest}: {query:?}");
                    let proven = u64::from(path.lower_bound().get()) * u64::from(percent);
                    assert!(cost * 100 <= proven, "{path:?} for {query:?}");
                }
            }
            (None, Outcome::Unreachable { closest }) => {
                assert_eq!(closest.is_some(), query.wants_closest());
                let Some(path) = closest else { return };
                self.check_path(path, costs);
                let goal = self.world.position(query.goal());
                let (slot, _) = self.oracle.closest(self.world.position(query.start()), goal);
                let distances = self.oracle.distances_to(goal);
                assert_eq!(distances[self.slot(path.goal())], distances[slot], "{path:?}");
            }
            (expected, outcome) => panic!("oracle {expected:?}, core {outcome:?} to {query:?}"),
        }
    }

    /// Checks the steps of a search against its answer.
    fn check_steps(&self, query: &PathQuery, answer: &Answer) {
        let mut search = self.finder.begin(query).unwrap();
        let steps: Vec<Step<Cell>> = search.steps().collect();
        let (last, before) = steps.split_last().unwrap();
        assert!(before.iter().all(|step| matches!(step, Step::Expanded(_))), "{steps:?}");
        match answer.outcome {
            Outcome::Found(_) => assert_eq!(last, &Step::Reached(query.goal())),
            _ => assert_eq!(last, &Step::Exhausted),
        }
        assert_eq!(&search.finish().unwrap(), answer, "step by step, {query:?}");
    }
}

fn ask(world: &PlaneWorld, finder: &PathFinder) {
    let fresh = world.finder();
    for unit in 0..world.units.len() {
        let movement = world.movement(unit);
        let view = View { world, finder, oracle: world.oracle(unit), movement };
        let [id, same] = [finder, &fresh].map(|finder| finder.movement_id(&view.movement).unwrap());
        let ends = [0, 1, 2, 3, 4].map(|number| world.place(number, unit));
        for (start, goal) in [(ends[0], ends[1]), (ends[2], ends[3])] {
            let is_void = world.land.void[world.land.map.slot(goal)];
            if !view.oracle.fits(start) || !view.oracle.fits(goal) || is_void {
                continue;
            }
            let costs = view.oracle.costs_from(start);
            for algorithm in ALGORITHMS {
                let plain = PathQuery::new(world.cell(start), world.cell(goal)).with_movement(id);
                let plain = plain.with_algorithm(algorithm);
                for query in [plain, plain.or_closest(), plain.without_reachability()] {
                    let answer = finder.solve(&query);
                    view.check(&query, &answer, &costs);
                    let unseen = fresh.solve(&query.with_movement(same));
                    assert_eq!(answer, unseen, "a fresh finder answers {query:?}");
                    let mut search = finder.begin(&query).unwrap();
                    while search.advance(3) == SearchStatus::Running {}
                    assert_eq!(answer, search.finish(), "in slices, {query:?}");
                    view.check_steps(&query, &answer.unwrap());
                }
            }
        }
    }
}

fn live(mut world: PlaneWorld) {
    let mut finder = world.finder();
    ask(&world, &finder);
    for batch in std::mem::take(&mut world.batches) {
        for edit in batch.chunks(1) {
            world.edit(&mut finder, edit);
        }
        ask(&world, &finder);
    }
}

const PLAIN: Features =
    Features { hexagons: false, void: false, sizes: false, overlays: false, exits: false };

proptest! {
    #![proptest_config(cases(6))]

    #[test]
    fn on_squares(world in plane_world(PLAIN, 40)) {
        live(world);
    }

    #[test]
    fn on_hexagons(world in plane_world(Features { hexagons: true, ..PLAIN }, 40)) {
        live(world);
    }

    #[test]
    fn where_steps_go_one_way(world in plane_world(Features { exits: true, ..PLAIN }, 40)) {
        live(world);
    }

    #[test]
    fn for_units_of_many_sizes(world in plane_world(Features { sizes: true, exits: true, ..PLAIN }, 34)) {
        live(world);
    }

    #[test]
    fn with_everything_at_once(world in plane_world(Features::ALL, 40)) {
        live(world);
    }
}

fn hills(side: u32) -> Grid {
    let map = testkit::terrain(side, side, 9, 20, &Seed::named("near hills"));
    Grid::from_classes(map.width, map.height, map.classes).unwrap()
}

fn near(from: (i32, i32), to: (i32, i32)) -> PathQuery {
    PathQuery::new(Cell::from(from), Cell::from(to)).with_algorithm(Algorithm::Near)
}

/// Returns pairs of cells that a path connects.
fn pairs(finder: &PathFinder, count: usize) -> Vec<PathQuery> {
    let grid = finder.grid();
    let map = testkit::TileMap::new("pairs", grid.width(), grid.height(), grid.classes().to_vec());
    let asked = map.queries(4 * count, &Seed::named("near pairs")).into_iter();
    let queries = asked.map(|(from, to)| near(from, to));
    queries.filter(|query| finder.is_reachable(query).unwrap()).take(count).collect()
}

#[test]
fn paths_over_hills_cost_hardly_more_than_the_cheapest() {
    let finder = PathFinder::new(hills(256), Movement::new());
    let (mut near, mut cheapest) = (0, 0);
    for query in pairs(&finder, 40) {
        let answer = finder.solve(&query).unwrap();
        let path = answer.outcome.into_path().unwrap();
        let exact = finder.find(query.start(), query.goal()).unwrap().into_path().unwrap();
        assert!(path.cost() >= exact.cost() && path.lower_bound() <= exact.cost());
        near += u64::from(path.cost().get());
        cheapest += u64::from(exact.cost().get());
    }
    assert!(near * 1000 <= cheapest * 1005, "{near} for {cheapest}: more than half a percent");
}

#[test]
fn fewer_nodes_are_expanded_than_by_an_exact_search() {
    let finder = PathFinder::new(hills(512), Movement::new());
    let expanded = |query: &PathQuery| finder.solve(query).unwrap().statistics.expanded;
    let [mut near, mut exact] = [0, 0];
    for query in pairs(&finder, 12) {
        near += expanded(&query);
        exact += expanded(&query.with_algorithm(Algorithm::AStar));
    }
    assert!(near < exact, "{near} and {exact}");
}

#[test]
fn the_answer_says_which_algorithm_it_comes_from() {
    let finder = PathFinder::new(hills(128), Movement::new());
    let query =
        pairs(&finder, 30).into_iter().max_by_key(|query| query.start().x.abs_diff(query.goal().x)).unwrap();
    let algorithm = |query: &PathQuery| finder.solve(query).unwrap().statistics.algorithm;
    assert_eq!(algorithm(&query), Algorithm::Near);
    assert_eq!(algorithm(&query.with_algorithm(Algorithm::Within { percent: 100 })), Algorithm::AStar);
    assert_eq!(algorithm(&query.with_algorithm(Algorithm::Within { percent: 65_535 })), Algorithm::Near);
    let beside = PathQuery::new(query.start(), query.start()).with_algorithm(Algorithm::Near);
    assert_eq!(finder.solve(&beside).unwrap().outcome.path().unwrap().steps(), 0);
}

#[test]
fn what_is_proven_of_a_near_path_rises_with_the_promise() {
    let finder = PathFinder::new(hills(160), Movement::new());
    for query in pairs(&finder, 20) {
        let bound = |query: &PathQuery| {
            let path = finder.solve(query).unwrap().outcome.into_path().unwrap();
            (path.lower_bound(), path.cost())
        };
        let (loose, _) = bound(&query);
        let (tight, cost) = bound(&query.with_algorithm(Algorithm::Within { percent: 105 }));
        assert!(tight >= loose, "{query:?}");
        assert!(u64::from(cost.get()) * 100 <= u64::from(tight.get()) * 105, "{cost} and {tight}: {query:?}");
    }
}

#[test]
fn limits_hold_in_every_stage() {
    let finder = PathFinder::new(hills(128), Movement::new());
    let query =
        pairs(&finder, 30).into_iter().max_by_key(|query| query.start().x.abs_diff(query.goal().x)).unwrap();
    for algorithm in [Algorithm::Near, Algorithm::Within { percent: 101 }] {
        let query = query.with_algorithm(algorithm);
        let whole = finder.solve(&query).unwrap();
        let path = whole.outcome.path().unwrap().clone();
        for limit in (0..whole.statistics.expanded + 2).step_by(7) {
            let answer = finder.solve(&query.with_limit(limit)).unwrap();
            assert!(answer.statistics.expanded <= limit);
            match answer.outcome {
                Outcome::Found(found) => assert_eq!(found, path),
                Outcome::LimitReached { limit: Limit::Expansions, best } => {
                    assert_eq!(best.verify(finder.grid(), &Movement::new()), Ok(()));
                }
                outcome => panic!("{outcome:?}"),
            }
        }
        assert_eq!(finder.solve(&query.with_limit(whole.statistics.expanded + 1)).unwrap(), whole);
        let cost = path.cost();
        let most = Cost::new(cost.get() - 1);
        let refused = finder.solve(&query.with_cost_limit(most)).unwrap().outcome;
        assert!(
            matches!(refused, Outcome::LimitReached { limit: Limit::Cost, ref best } if best.cost() <= most)
        );
        assert_eq!(finder.solve(&query.with_cost_limit(cost)).unwrap().outcome, whole.outcome);
        let few = finder.solve(&query.with_length_limit(3)).unwrap().outcome;
        assert!(matches!(few, Outcome::LimitReached { limit: Limit::Length, ref best } if best.steps() == 3));
    }
}

#[test]
fn less_than_a_hundred_percent_is_refused() {
    let finder = PathFinder::new(Grid::new(9, 9, 1).unwrap(), Movement::new());
    for percent in [0, 1, 99] {
        let query = near((0, 0), (8, 8)).with_algorithm(Algorithm::Within { percent });
        assert_eq!(finder.solve(&query), Err(QueryError::InvalidWeight { percent }));
    }
}

#[test]
fn maps_of_one_row_and_of_closed_chunks_are_answered() {
    let mut grid = Grid::new(400, 1, 1).unwrap();
    grid.set_terrain(Cell::new(77, 0), 3).unwrap();
    let finder = PathFinder::new(grid, Movement::new());
    let path = finder.solve(&near((399, 0), (0, 0))).unwrap().outcome.into_path().unwrap();
    assert_eq!((path.cost(), path.steps()), (Cost::new(4010), 399));

    let mut finder = PathFinder::new(Grid::new(200, 200, 1).unwrap(), Movement::new());
    finder.set_terrain(Cell::new(0, 199), 2).unwrap();
    let around = tilepath::Bounds::new(Cell::new(48, 0), 64, 180).unwrap();
    finder.set_terrain_in(around, 0).unwrap();
    let exact = finder.find(Cell::new(5, 5), Cell::new(190, 9)).unwrap().into_path().unwrap();
    let path = finder.solve(&near((5, 5), (190, 9))).unwrap().outcome.into_path().unwrap();
    assert!(path.cost().get() <= exact.cost().get() * 102 / 100, "{} and {}", path.cost(), exact.cost());
    finder.set_terrain_in(tilepath::Bounds::new(Cell::new(48, 180), 64, 20).unwrap(), 0).unwrap();
    assert_eq!(
        finder.solve(&near((5, 5), (190, 9))).unwrap().outcome,
        Outcome::Unreachable { closest: None }
    );
}

#[test]
fn a_start_that_closed_is_left_into_every_chunk_around() {
    let mut finder = PathFinder::new(hills(96), Movement::new().with_diagonals(Diagonals::Always));
    for corner in [(16, 16), (15, 16), (16, 15), (31, 31), (40, 47), (47, 40)] {
        finder.set_terrain(Cell::from(corner), 0).unwrap();
        for goal in [(90, 90), (3, 90), (90, 3), (2, 2)] {
            let query = near(corner, goal);
            let exact = finder.solve(&query.with_algorithm(Algorithm::Auto)).unwrap().outcome;
            let found = finder.solve(&query).unwrap().outcome;
            assert_eq!(found.path().is_some(), exact.path().is_some(), "{query:?}");
            assert!(found.path().is_none_or(|path| {
                path.verify(finder.grid(), finder.movement(query.movement()).unwrap()).is_ok()
            }));
        }
    }
}

#[test]
fn costs_that_cannot_be_told_are_an_error_as_for_exact_searches() {
    let mut grid = Grid::new(70, 1, 1).unwrap();
    grid.set_terrain(Cell::new(30, 0), 2).unwrap();
    let costs = CostTable::impassable().with(1, 65_535).with(2, 65_000);
    let steps = tilepath::StepCosts::new(60_000, 60_000).unwrap();
    let finder = PathFinder::new(grid, Movement::new().with_costs(costs).with_steps(steps));
    let query = near((0, 0), (69, 0));
    assert_eq!(finder.solve(&query), Err(QueryError::CostOverflow));
    assert_eq!(finder.solve(&query.with_algorithm(Algorithm::Auto)), Err(QueryError::CostOverflow));
}

#[test]
fn a_limit_of_memory_counts_what_is_kept_of_portals() {
    let mut finder = PathFinder::new(hills(256), Movement::new().with_size(Size::ONE));
    let queries = pairs(&finder, 4);
    let before = finder.limit_memory(usize::MAX);
    let answers: Vec<_> = queries.iter().map(|query| finder.solve(&query.without_pruning())).collect();
    let after = finder.limit_memory(usize::MAX);
    assert!(after > before, "{before} and {after}");
    assert!(after - before < 3 * 256 * 256, "{} bytes are more than three a cell", after - before);
    assert_eq!(finder.limit_memory(0), 0);
    let again: Vec<_> = queries.iter().map(|query| finder.solve(&query.without_pruning())).collect();
    assert_eq!(answers, again);
}

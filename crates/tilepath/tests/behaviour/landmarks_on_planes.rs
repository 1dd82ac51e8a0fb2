//! Landmarks on hexagons, void cells, overlays and closed exits, and of units of many sizes.

use std::cell::Cell as Counter;

use proptest::{prelude::*, test_runner::TestRunner};
use testkit::{Seed, TileMap};
use tilepath::{
    Algorithm, Bounds, Cell, Cost, Direction, Edit, Grid, LandmarkCount, LandmarkStatus, Movement,
    MovementId, Outcome, PathFinder, PathQuery, PathSearch, Size, Topology,
};

use crate::{
    plane_worlds::{Features, PlaneWorld, enters_closed_ground, plane_world},
    worlds::cases,
};

const FIRST: MovementId = MovementId::FIRST;
const EIGHT: LandmarkCount = LandmarkCount::Exactly(8);

/// Checks that no step of the map lowers the estimate by more than its cost, and that the estimate of
/// the goal is zero. Returns the number of steps, which is 0 if landmarks do not lead the search.
fn check_estimates(finder: &PathFinder, movement: &Movement, search: &PathSearch) -> u64 {
    if search.landmarks().next().is_none() {
        return 0;
    }
    let mut steps = 0;
    let grid = finder.grid();
    assert_eq!(search.estimate_from(search.query().goal()), Some(Cost::ZERO));
    for from in grid.bounds().cells() {
        let Some(here) = search.estimate_from(from) else { continue };
        // Landmarks do not lead a large unit off closed ground, nor a unit deep in it.
        let is_large = movement.size().side() > 1 && !movement.is_open(grid, from);
        if is_large || enters_closed_ground(grid, movement, from) {
            continue;
        }
        for direction in Direction::ALL {
            let Some(step) = movement.step_cost(grid, from, direction) else { continue };
            let to = from + direction.offset();
            let Some(there) = search.estimate_from(to) else {
                // A one-way step leads where no path leads back.
                let rest = PathQuery::new(to, search.query().goal()).with_movement(search.query().movement());
                assert_eq!(finder.is_reachable(&rest), Ok(false), "{to} has no estimate");
                continue;
            };
            assert!(here.get() <= step.get() + there.get(), "{here} at {from}, {there} at {to}, step {step}");
            steps += 1;
        }
    }
    steps
}

/// Compares answers of all units with the oracle.
fn check_answers(world: &PlaneWorld, finder: &PathFinder) {
    for unit in 0..world.units.len() {
        let movement = world.movement(unit);
        let id = finder.movement_id(&movement).unwrap();
        let oracle = world.oracle(unit);
        let start = world.place(0, unit);
        if !oracle.fits(start) {
            continue;
        }
        let costs = oracle.costs_from(start);
        for number in 1..5 {
            let goal = world.place(number, unit);
            let query = PathQuery::new(world.cell(start), world.cell(goal))
                .with_movement(id)
                .with_algorithm(Algorithm::AStar)
                .with_landmarks();
            let Ok(search) = finder.begin(&query) else { continue };
            check_estimates(finder, &movement, &search);
            for query in [query, query.with_algorithm(Algorithm::Auto), query.without_pruning()] {
                let cheapest = costs[world.land.map.slot(goal)];
                match finder.solve(&query).unwrap().outcome {
                    Outcome::Found(path) => {
                        assert_eq!(Some(u64::from(path.cost().get())), cheapest, "{query:?}");
                        assert_eq!(path.verify(finder.grid(), &movement), Ok(()));
                    }
                    other => assert_eq!(cheapest, None, "{query:?}: {other:?}"),
                }
            }
        }
    }
}

fn check(mut world: PlaneWorld, slices: &[u64]) {
    let count = LandmarkCount::Exactly(3);
    let mut finder = world.finder();
    let ids: Vec<MovementId> =
        (0..world.units.len()).filter_map(|unit| finder.movement_id(&world.movement(unit))).collect();
    let make = |finder: &mut PathFinder, budget: u64| {
        for &id in &ids {
            finder.advance_landmarks(id, count, budget).unwrap();
        }
    };
    make(&mut finder, u64::MAX);
    check_answers(&world, &finder);
    for (batch, &slice) in world.batches.clone().iter().zip(slices) {
        world.edit(&mut finder, batch);
        // With patches, partly made anew, and without patches.
        make(&mut finder, slice);
        check_answers(&world, &finder);
        make(&mut finder, u64::MAX);
        check_answers(&world, &finder);
    }
}

fn slices() -> impl Strategy<Value = Vec<u64>> {
    proptest::collection::vec(0..2000_u64, 4)
}

proptest! {
    #![proptest_config(cases(60))]

    #[test]
    fn led_answers_on_all_planes_are_exact(world in plane_world(Features::ALL, 36), slices in slices()) {
        check(world, &slices);
    }

    #[test]
    fn led_answers_on_hexagons_are_exact(
        world in plane_world(Features { hexagons: true, ..Features::default() }, 36),
        slices in slices(),
    ) {
        check(world, &slices);
    }

    #[test]
    fn led_answers_among_closed_exits_are_exact(
        world in plane_world(Features { exits: true, ..Features::default() }, 36),
        slices in slices(),
    ) {
        check(world, &slices);
    }
}

/// Checks estimates for all units between all places, and that landmarks change no cost. Returns the number of
/// steps.
fn check_led(world: &PlaneWorld, finder: &PathFinder) -> u64 {
    let mut steps = 0;
    for unit in 0..world.units.len() {
        let movement = world.movement(unit);
        let id = finder.movement_id(&movement).unwrap();
        for number in 1..4 {
            let [start, goal] = [0, number].map(|number| world.cell(world.place(number, unit)));
            let query = PathQuery::new(start, goal).with_movement(id).with_algorithm(Algorithm::AStar);
            let Ok(search) = finder.begin(&query.with_landmarks()) else { continue };
            steps += check_estimates(finder, &movement, &search);
            let cost =
                |query: &PathQuery| finder.solve(query).unwrap().outcome.path().map(tilepath::Path::cost);
            assert_eq!(cost(&query.with_landmarks()), cost(&query.without_landmarks()), "{query:?}");
        }
    }
    steps
}

/// A world whose first edits make even ground uneven, how it grows before each batch of edits, and slices of
/// work.
fn growing_world() -> impl Strategy<Value = (PlaneWorld, Vec<[i32; 4]>, Vec<u64>)> {
    let even = (plane_world(Features::ALL, 30), any::<bool>()).prop_map(|(mut world, is_even)| {
        // There is room to grow.
        world.origin = Cell::new(-3, 7);
        if is_even {
            world.land.map.classes.iter_mut().filter(|class| **class > 0).for_each(|class| *class = 5);
        }
        world
    });
    let growth = prop_oneof![3 => Just([0; 4]), 1 => [0..4, 0..4, 0..4, 0..4]];
    (even, proptest::collection::vec(growth, 4), proptest::collection::vec(0..3000_u64, 12))
}

/// Checks estimates after each slice of work, while edits and growth come between. Returns the number of steps.
fn check_stages(world: &PlaneWorld, growths: &[[i32; 4]], slices: &[u64]) -> u64 {
    let mut finder = world.finder();
    let ids: Vec<MovementId> =
        (0..world.units.len()).filter_map(|unit| finder.movement_id(&world.movement(unit))).collect();
    let count = LandmarkCount::Exactly(3);
    let advance = |finder: &mut PathFinder, budget: u64| {
        for &id in &ids {
            finder.advance_landmarks(id, count, budget).unwrap();
        }
    };
    let mut steps = 0;
    advance(&mut finder, u64::MAX);
    for (number, (batch, &[west, south, east, north])) in world.batches.iter().zip(growths).enumerate() {
        let bounds = finder.grid().bounds();
        let origin = Cell::new(bounds.origin().x - west, bounds.origin().y - south);
        let (width, height) = (bounds.width() as i32 + west + east, bounds.height() as i32 + south + north);
        finder.resize(Bounds::new(origin, width as u32, height as u32).unwrap(), 1);
        if number % 2 == 1 {
            advance(&mut finder, u64::MAX);
        }
        let edits: Vec<Edit> = batch.iter().map(|edit| world.edit_of(edit)).collect();
        finder.edit(&edits).unwrap();
        steps += check_led(world, &finder);
        for slice in &slices[number * 3..number * 3 + 3] {
            advance(&mut finder, *slice);
            steps += check_led(world, &finder);
        }
        advance(&mut finder, u64::MAX);
    }
    steps
}

#[test]
fn estimates_are_consistent_at_each_stage_of_making() {
    let config = ProptestConfig { failure_persistence: None, ..cases(40) };
    let least = 500 * u64::from(config.cases);
    let (mut runner, steps) = (TestRunner::new(config), Counter::new(0));
    let checked = runner.run(&growing_world(), |(world, growths, slices)| {
        steps.set(steps.get() + check_stages(&world, &growths, &slices));
        Ok(())
    });
    assert!(checked.is_ok(), "{}", checked.unwrap_err());
    assert!(steps.get() > least, "{} steps", steps.get());
}

fn hills(side: u32) -> TileMap {
    testkit::terrain(side, side, 9, 10, &Seed::named("planes"))
}

fn queries(map: &TileMap, finder: &PathFinder) -> Vec<PathQuery> {
    let drawn = map.queries(60, &Seed::named("queries")).into_iter();
    let queries = drawn.map(|(from, to)| PathQuery::new(from.into(), to.into()));
    queries.filter(|query| finder.is_reachable(query) == Ok(true)).collect()
}

/// Returns the expansions of some queries without landmarks and with them, after a check of the costs.
fn expansions(finder: &mut PathFinder, queries: &[PathQuery]) -> [u64; 2] {
    let solve = |finder: &PathFinder| -> (u64, Vec<Option<Cost>>) {
        let answers = queries.iter().map(|query| finder.solve(query).unwrap());
        let told = answers
            .map(|answer| (answer.statistics.expanded, answer.outcome.path().map(tilepath::Path::cost)));
        let (expanded, costs): (Vec<u64>, Vec<_>) = told.unzip();
        (expanded.iter().sum(), costs)
    };
    let (without, costs) = solve(finder);
    assert_eq!(finder.make_landmarks(FIRST, EIGHT), Ok(LandmarkStatus::Ready(8)));
    let (with, led) = solve(finder);
    assert_eq!(costs, led);
    [without, with]
}

#[test]
fn every_plane_of_many_costs_is_searched_with_a_fraction_of_the_expansions() {
    let map = hills(150);
    let grid = || Grid::from_classes(map.width, map.height, map.classes.clone()).unwrap();
    let mut overlaid = grid();
    let area = Bounds::new(Cell::new(30, 40), 50, 60).unwrap();
    overlaid.edit(&[Edit::overlay_in("danger", area, 3)]).unwrap();
    let mut stairs = grid();
    let ledges = (0..150).map(|x| Edit::ledge(Cell::new(x, 70), Direction::South));
    stairs.edit(&ledges.collect::<Vec<_>>()).unwrap();
    let mut holes = grid();
    holes.edit(&[Edit::void_in(Bounds::new(Cell::new(60, 60), 20, 30).unwrap())]).unwrap();
    let planes = [
        ("hexagons", grid().with_topology(Topology::Hexagonal), Movement::new()),
        ("size 2", grid(), Movement::new().with_size(Size::new(2).unwrap())),
        ("overlay", overlaid, Movement::new().with_overlay("danger")),
        ("ledges", stairs, Movement::new()),
        ("void", holes, Movement::new()),
    ];
    for (name, grid, movement) in planes {
        let mut finder = PathFinder::new(grid, movement);
        let queries = queries(&map, &finder);
        let [without, with] = expansions(&mut finder, &queries);
        let found = without as f64 / with as f64;
        assert!(found > 3.0, "{name}: {with} expansions instead of {without}");
    }
}

#[test]
fn overlays_and_exits_that_are_as_cheap_as_before_make_no_table_anew() {
    let map = hills(90);
    let grid = Grid::from_classes(map.width, map.height, map.classes.clone()).unwrap();
    let movement = Movement::new().with_overlay("danger").with_size(Size::new(2).unwrap());
    let mut finder = PathFinder::new(grid, movement);
    finder.make_landmarks(FIRST, EIGHT).unwrap();
    let area = Bounds::new(Cell::new(20, 20), 30, 30).unwrap();
    let open = |finder: &PathFinder, cell: Cell| finder.grid().terrain(cell) != Some(0);
    for value in [5, 60, Grid::CLOSING] {
        finder.edit(&[Edit::overlay_in("danger", area, value)]).unwrap();
        assert_eq!(finder.landmark_status(FIRST), Ok(LandmarkStatus::Ready(8)));
        assert_eq!(finder.advance_landmarks(FIRST, EIGHT, u64::MAX), Ok(0), "{value} is dearer");
    }
    for cell in area.cells() {
        finder.set_overlay("danger", [(cell, 0)]).unwrap();
    }
    let edge = |finder: &PathFinder| {
        area.cells()
            .map(|cell| (cell, cell + (1, 0)))
            .find(|&(one, other)| open(finder, one) && open(finder, other))
    };
    let (one, other) = edge(&finder).unwrap();
    for edit in [Edit::fence(one, other), Edit::one_way(one, other), Edit::open_edge(one, other)] {
        finder.edit(&[edit]).unwrap();
        assert_eq!(finder.landmark_status(FIRST), Ok(LandmarkStatus::Ready(8)));
    }
    assert_eq!(finder.advance_landmarks(FIRST, EIGHT, u64::MAX), Ok(0));
    // Many cells at once are compared later, which is little work.
    let many = Bounds::new(area.origin(), 20, 20).unwrap();
    finder.edit(&[Edit::overlay_in("danger", many, 5)]).unwrap();
    finder.edit(&[Edit::overlay_in("danger", many, 0)]).unwrap();
    let work = finder.advance_landmarks(FIRST, EIGHT, u64::MAX).unwrap();
    assert!(work > 0 && work < 5_000, "{work}");
    let wall = finder.grid().bounds().cells().find(|&cell| !open(&finder, cell)).unwrap();
    finder.set_terrain_in(Bounds::new(wall, 2, 2).unwrap(), 1).unwrap();
    assert_eq!(finder.landmark_status(FIRST), Ok(LandmarkStatus::Ready(8)));
    assert!(finder.advance_landmarks(FIRST, EIGHT, u64::MAX).unwrap() > 0);
    assert_eq!(finder.landmark_status(FIRST), Ok(LandmarkStatus::Ready(8)));
}

#[test]
fn a_unit_that_starts_on_closed_ground_searches_without_landmarks() {
    let map = hills(90);
    let grid = Grid::from_classes(map.width, map.height, map.classes.clone()).unwrap();
    let mut finder = PathFinder::new(grid, Movement::new().with_size(Size::new(2).unwrap()));
    finder.make_landmarks(FIRST, EIGHT).unwrap();
    let query = |from: Cell| PathQuery::new(from, Cell::new(80, 80)).or_closest();
    finder.set_terrain(Cell::new(11, 11), 0).unwrap();
    let search = finder.begin(&query(Cell::new(10, 10))).unwrap();
    assert_eq!(search.landmarks().count(), 0);
    let led = finder.begin(&query(Cell::new(14, 14))).unwrap();
    assert!(led.landmarks().count() > 0);
}

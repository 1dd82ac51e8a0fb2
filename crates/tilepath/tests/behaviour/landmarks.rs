//! Landmarks: exact answers, the estimates that lead searches, and what edits do to them.

use proptest::collection::vec;
use proptest::prelude::*;
use testkit::{Seed, TileMap};
use tilepath::{
    Algorithm, Bounds, Cell, Cost, CostTable, Diagonals, Direction, Edit, Grid, LandmarkCount,
    LandmarkStatus, Movement, MovementId, Outcome, PathFinder, PathQuery, PathSearch, SearchStatus,
    StepCosts, WhatIf,
};

use crate::worlds::{Prices, World, cases, world};

const FIRST: MovementId = MovementId::FIRST;
const FOUR: LandmarkCount = LandmarkCount::Exactly(4);

fn finder(map: &TileMap, movement: Movement) -> PathFinder {
    PathFinder::new(Grid::from_classes(map.width, map.height, map.classes.clone()).unwrap(), movement)
}

/// Makes a finder for ground of nine costs, with eight landmarks.
fn led(side: u32) -> (PathFinder, Vec<PathQuery>) {
    let seed = Seed::named("landmarks");
    let map = testkit::noise(side, side, 9, 10, &seed);
    let mut finder = finder(&map, Movement::new());
    finder.make_landmarks(FIRST, LandmarkCount::Exactly(8)).unwrap();
    let queries = map.queries(30, &seed).into_iter().map(|(from, to)| PathQuery::new(from.into(), to.into()));
    let queries = queries.filter(|query| finder.is_reachable(query).unwrap()).collect();
    (finder, queries)
}

fn cost(finder: &PathFinder, query: &PathQuery) -> Option<Cost> {
    finder.solve(query).unwrap().outcome.path().map(tilepath::Path::cost)
}

fn expanded(finder: &PathFinder, queries: &[PathQuery]) -> u64 {
    queries.iter().map(|query| finder.solve(query).unwrap().statistics.expanded).sum()
}

/// Checks that no step of the map lowers the estimate by more than its cost, and that the estimate of
/// the goal is zero. Returns whether landmarks lead the search.
fn check_estimates(finder: &PathFinder, search: &PathSearch) -> bool {
    if search.landmarks().next().is_none() {
        return false;
    }
    let (grid, movement) = (finder.grid(), finder.movement(FIRST).unwrap());
    assert_eq!(search.estimate_from(search.query().goal()), Some(Cost::ZERO));
    for from in grid.bounds().cells() {
        let Some(here) = search.estimate_from(from) else { continue };
        for direction in Direction::ALL {
            let Some(step) = movement.step_cost(grid, from, direction) else { continue };
            let to = from + direction.offset();
            let there = search.estimate_from(to).unwrap_or_else(|| panic!("{to} has no estimate"));
            assert!(here.get() <= step.get() + there.get(), "{here} at {from}, {there} at {to}, step {step}");
        }
    }
    true
}

/// Compares all answers from the world's start with the oracle, and checks the estimates.
fn check_answers(world: &World, finder: &PathFinder) {
    let costs = world.oracle().costs_from(world.start);
    let goals = [world.goal, (0, 0), (world.map.width as i32 - 1, world.map.height as i32 - 1)];
    for goal in goals {
        let query = PathQuery::new(world.start(), world.cell(goal)).with_algorithm(Algorithm::AStar);
        check_estimates(finder, &finder.begin(&query).unwrap());
        let cheapest = costs[world.map.slot(goal)];
        for query in [query, query.with_algorithm(Algorithm::Auto), query.without_pruning()] {
            match finder.solve(&query).unwrap().outcome {
                Outcome::Found(path) => {
                    assert_eq!(Some(u64::from(path.cost().get())), cheapest, "{query:?}");
                    world.check_path(&path);
                }
                other => assert!(cheapest.is_none(), "{query:?}: {other:?}, but a path costs {cheapest:?}"),
            }
        }
    }
}

proptest! {
    #![proptest_config(cases(60))]

    #[test]
    fn answers_are_exact_and_estimates_consistent_after_any_edits(
        mut world in world(60, Prices::Low),
        batches in vec(vec(((0..60, 0..60), 0..=9_u8), 1..20), 0..6),
        count in 1..=6_u8,
        slices in vec(0..4000_u64, 0..12),
    ) {
        let count = LandmarkCount::Exactly(count);
        let mut finder = world.finder();
        finder.make_landmarks(FIRST, count).unwrap();
        check_answers(&world, &finder);
        let mut slices = slices.into_iter();
        for batch in batches {
            let edits: Vec<Edit> = batch.iter().map(|&((x, y), class)| {
                let position = (x % world.map.width as i32, y % world.map.height as i32);
                let slot = world.map.slot(position);
                world.map.classes[slot] = class;
                Edit::terrain(world.cell(position), class)
            }).collect();
            finder.edit(&edits).unwrap();
            // With patches, partly made anew, and without patches.
            if let Some(slice) = slices.next() {
                finder.advance_landmarks(FIRST, count, slice).unwrap();
            }
            check_answers(&world, &finder);
            finder.make_landmarks(FIRST, count).unwrap();
            check_answers(&world, &finder);
        }
    }
}

#[test]
fn searches_on_ground_of_many_costs_expand_a_fraction() {
    for (map, most) in [
        (testkit::noise(200, 200, 9, 10, &Seed::named("noise")), 6),
        (testkit::terrain(200, 200, 9, 15, &Seed::named("hills")), 5),
    ] {
        let mut finder = finder(&map, Movement::new());
        let queries = map.queries(40, &Seed::named("queries")).into_iter();
        let queries: Vec<PathQuery> =
            queries.map(|(from, to)| PathQuery::new(from.into(), to.into())).collect();
        let without = expanded(&finder, &queries);
        let costs: Vec<_> = queries.iter().map(|query| cost(&finder, query)).collect();
        finder.make_landmarks(FIRST, LandmarkCount::Exactly(8)).unwrap();
        let with = expanded(&finder, &queries);
        assert!(with * most < without, "{}: {with} expansions instead of {without}", map.name);
        assert!(queries.iter().map(|query| cost(&finder, query)).eq(costs), "{}", map.name);
    }
}

/// Cuts a map into this many islands a side, with a wall of one cell between them.
fn cut(mut map: TileMap, islands: u32) -> TileMap {
    let side = (map.width / islands) as i32;
    for (x, y) in (0..map.height as i32).flat_map(|y| (0..map.width as i32).map(move |x| (x, y))) {
        if x % side == side - 1 || y % side == side - 1 {
            let slot = map.slot((x, y));
            map.classes[slot] = 0;
        }
    }
    map
}

#[test]
fn searches_on_each_of_many_islands_expand_a_fraction() {
    let seed = Seed::named("islands");
    for (islands, most) in [(2, 5), (5, 3)] {
        let map = cut(testkit::noise(300, 300, 9, 10, &seed), islands);
        let mut finder = finder(&map, Movement::new());
        let side = 300 / islands;
        let local = testkit::noise(side - 1, side - 1, 1, 0, &seed).queries(12, &seed);
        let corners = (0..islands * islands)
            .map(|island| Cell::new((island % islands * side) as i32, (island / islands * side) as i32));
        let queries = corners.flat_map(|corner| {
            let at = move |(x, y)| Cell::new(corner.x + x, corner.y + y);
            local.iter().map(move |&(from, to)| PathQuery::new(at(from), at(to)))
        });
        let queries: Vec<PathQuery> = queries
            .map(|query| query.with_algorithm(Algorithm::AStar))
            .filter(|query| finder.is_reachable(query).unwrap())
            .collect();
        let costs: Vec<_> = queries.iter().map(|query| cost(&finder, query)).collect();
        let without = expanded(&finder, &queries);
        finder.make_landmarks(FIRST, LandmarkCount::Exactly(8)).unwrap();
        let with = expanded(&finder, &queries);
        assert!(with * most < without, "{islands}²: {with} expansions instead of {without}");
        assert!(queries.iter().map(|query| cost(&finder, query)).eq(costs));
    }
}

#[test]
fn islands_that_a_gap_joins_keep_estimates_consistent_and_answers_exact() {
    let movements = [
        Movement::new(),
        Movement::new().with_diagonals(Diagonals::Never),
        Movement::new().with_costs(CostTable::uniform()),
    ];
    for (islands, movement) in [2, 5].into_iter().flat_map(|islands| movements.clone().map(|m| (islands, m)))
    {
        let map = cut(testkit::noise(100, 100, 9, 10, &Seed::named("gaps")), islands);
        let mut finder = finder(&map, movement);
        finder.make_landmarks(FIRST, FOUR).unwrap();
        let side = (100 / islands) as i32;
        // One gap after the other joins all islands: along a row, and up in the first column.
        let across = (1..islands as i32).flat_map(|n| (0..islands as i32).map(move |row| (n, row, true)));
        let up = (1..islands as i32).map(|n| (n, 0, false));
        for (number, (wall, row, is_across)) in across.chain(up).enumerate() {
            let (along, beside) = (wall * side - 1, row * side + side / 2);
            let gap = if is_across { Cell::new(along, beside) } else { Cell::new(beside, along) };
            let around = [-1, 0, 1].map(|step| {
                if is_across { Cell::new(along + step, beside) } else { Cell::new(beside, along + step) }
            });
            assert_eq!(finder.grid().terrain(gap), Some(0));
            finder.edit(&around.map(|cell| Edit::terrain(cell, 1))).unwrap();
            assert_eq!(finder.landmark_status(FIRST), Ok(LandmarkStatus::Ready(4)));
            if number % 2 == 1 {
                assert_eq!(finder.make_landmarks(FIRST, FOUR), Ok(LandmarkStatus::Ready(4)));
            }
            let query = PathQuery::new(around[0], around[2]).with_algorithm(Algorithm::AStar);
            let far = map.queries(30, &Seed::named(&format!("gap {number}"))).into_iter();
            let far = far.map(|(from, to)| PathQuery::new(from.into(), to.into()).with_landmarks());
            for query in std::iter::once(query.with_landmarks()).chain(far) {
                let query = query.with_algorithm(Algorithm::AStar);
                assert_eq!(cost(&finder, &query), cost(&finder, &query.without_landmarks()), "{query:?}");
            }
            assert!(cost(&finder, &query).is_some());
            check_estimates(&finder, &finder.begin(&query.with_landmarks()).unwrap());
        }
        let query = PathQuery::new(Cell::new(side / 2, side / 2), Cell::new(99 - side / 2, 99 - side / 2));
        let query = query.with_algorithm(Algorithm::AStar).with_landmarks();
        check_estimates(&finder, &finder.begin(&query).unwrap());
        assert_eq!(cost(&finder, &query), cost(&finder, &query.without_landmarks()));
    }
}

#[test]
fn walls_snow_and_cells_that_are_as_cheap_as_before_are_no_work() {
    let (mut finder, queries) = led(150);
    let slots: Vec<usize> = (0..150 * 150).collect();
    let walls = Seed::named("walls").shuffled(&slots)[..450].to_vec();
    let cells = walls.iter().map(|&slot| finder.grid().bounds().cell(slot).unwrap());
    let classes = cells.map(|cell| (cell, finder.grid().terrain(cell).unwrap()));
    let classes: Vec<(Cell, u8)> = classes.filter(|&(_, class)| class > 0).collect();
    let closed: Vec<Edit> = classes.iter().map(|&(cell, _)| Edit::terrain(cell, 0)).collect();
    finder.edit(&closed).unwrap();
    assert_eq!(finder.landmark_status(FIRST), Ok(LandmarkStatus::Ready(8)));
    let queries: Vec<PathQuery> =
        queries.into_iter().filter(|query| finder.is_reachable(query).unwrap()).collect();
    let alone: Vec<PathQuery> = queries.iter().map(|query| query.without_landmarks()).collect();
    let [with, without] = [&queries, &alone].map(|queries| expanded(&finder, queries));
    assert!(with * 3 < without, "{with} expansions instead of {without}");
    for (query, alone) in queries.iter().zip(&alone) {
        assert_eq!(cost(&finder, query), cost(&finder, alone));
    }
    for (cell, class) in classes {
        // Opened at a higher cost, then at the cost of before.
        for class in [9, class] {
            finder.set_terrain(cell, class).unwrap();
        }
    }
    finder.edit(&snow(&finder)).unwrap();
    assert_eq!(finder.advance_landmarks(FIRST, LandmarkCount::Exactly(8), u64::MAX), Ok(0));
}

/// Returns edits that make all open ground as dear as possible.
fn snow(finder: &PathFinder) -> Vec<Edit> {
    let grid = finder.grid();
    let open = grid.bounds().cells().filter(|&cell| grid.terrain(cell) != Some(0));
    open.map(|cell| Edit::terrain(cell, 9)).collect()
}

#[test]
fn cheaper_cells_leave_landmarks_in_use_until_their_turn() {
    let (mut finder, queries) = led(150);
    let eight = LandmarkCount::Exactly(8);
    for x in 30..90 {
        finder.set_terrain(Cell::new(x, 75), 1).unwrap();
        assert_eq!(finder.landmark_status(FIRST), Ok(LandmarkStatus::Ready(8)));
    }
    let alone: Vec<PathQuery> = queries.iter().map(|query| query.without_landmarks()).collect();
    let without = expanded(&finder, &alone);
    let mut gains = Vec::new();
    while finder.advance_landmarks(FIRST, eight, 200_000).unwrap() > 0 {
        gains.push(without as f64 / expanded(&finder, &queries) as f64);
        for (query, alone) in queries.iter().zip(&alone) {
            assert_eq!(cost(&finder, query), cost(&finder, alone));
        }
    }
    assert!(gains.iter().all(|&gain| gain > 2.0) && gains.last() > Some(&4.0), "{gains:?}");
}

#[test]
fn rooms_that_are_opened_leave_bounds_outside_as_they_are() {
    let seed = Seed::named("rooms");
    let mut map = testkit::noise(150, 150, 9, 10, &seed);
    let rooms = [(20, 20), (90, 30), (40, 100), (110, 110), (70, 65)];
    let inside =
        |(x, y): (i32, i32)| (0..14).flat_map(move |row| (0..14).map(move |column| (x + column, y + row)));
    for room in rooms {
        for (x, y) in inside(room) {
            let is_wall = [x - room.0, y - room.1].iter().any(|&place| place == 0 || place == 13);
            let slot = map.slot((x, y));
            map.classes[slot] = if is_wall { 0 } else { map.classes[slot].max(1) };
        }
    }
    let mut finder = finder(&map, Movement::new());
    finder.make_landmarks(FIRST, LandmarkCount::Exactly(8)).unwrap();
    for (x, y) in rooms {
        let beside = Cell::new(x - 1, y + 6);
        let doors = [beside, Cell::new(x, y + 6)].map(|cell| Edit::terrain(cell, 1));
        finder.edit(&doors).unwrap();
    }
    assert_eq!(finder.landmark_status(FIRST), Ok(LandmarkStatus::Ready(8)));
    let queries = map.queries(60, &seed).into_iter().map(|(from, to)| PathQuery::new(from.into(), to.into()));
    let queries: Vec<PathQuery> = queries.filter(|query| finder.is_reachable(query) == Ok(true)).collect();
    let alone: Vec<PathQuery> = queries.iter().map(|query| query.without_landmarks()).collect();
    let [with, without] = [&queries, &alone].map(|queries| expanded(&finder, queries));
    assert!(with * 4 < without, "{with} expansions instead of {without}");
    for (query, alone) in queries.iter().zip(&alone) {
        assert_eq!(cost(&finder, query), cost(&finder, alone));
        check_estimates(&finder, &finder.begin(&query.with_algorithm(Algorithm::AStar)).unwrap());
    }
    finder.make_landmarks(FIRST, LandmarkCount::Exactly(8)).unwrap();
    assert_eq!(finder.landmark_age(FIRST), Ok(None));
}

#[test]
fn ground_that_becomes_cheaper_in_many_places_makes_landmarks_anew() {
    let (mut finder, queries) = led(150);
    let eight = LandmarkCount::Exactly(8);
    let bounds = finder.grid().bounds();
    finder.edit(&snow(&finder)).unwrap();
    assert_eq!(finder.landmark_status(FIRST), Ok(LandmarkStatus::Ready(8)));
    let map = testkit::noise(150, 150, 9, 10, &Seed::named("thaw"));
    let thaw: Vec<Edit> =
        bounds.cells().map(|cell| Edit::terrain(cell, map.classes[bounds.slot(cell).unwrap()])).collect();
    finder.edit(&thaw).unwrap();
    assert_eq!(finder.landmark_status(FIRST), Ok(LandmarkStatus::Behind));
    let expected = finder.landmark_work(FIRST, eight).unwrap();
    let work = finder.advance_landmarks(FIRST, eight, u64::MAX).unwrap();
    assert!(work * 10 <= expected * 11, "{work} units, {expected} expected");
    let fresh = {
        let mut fresh = PathFinder::new(finder.grid().clone(), Movement::new());
        fresh.make_landmarks(FIRST, eight).unwrap();
        fresh
    };
    for query in queries.iter().filter(|query| finder.is_reachable(query).unwrap()) {
        assert_eq!(finder.solve(query), fresh.solve(query));
    }
}

#[test]
fn slices_make_the_same_landmarks_and_searches_the_same_expansions() {
    let (whole, queries) = led(100);
    let mut sliced = finder(&testkit::noise(100, 100, 9, 10, &Seed::named("landmarks")), Movement::new());
    let eight = LandmarkCount::Exactly(8);
    let mut work = 0;
    loop {
        let spent = sliced.advance_landmarks(FIRST, eight, 777).unwrap();
        assert!(spent < 777 + 100, "{spent} units in a slice of 777");
        work += spent;
        if spent == 0 {
            break;
        }
    }
    assert_eq!(sliced.landmarks(FIRST), whole.landmarks(FIRST));
    let mut again = whole.clone();
    again.drop_landmarks(FIRST).unwrap();
    assert_eq!(
        again.advance_landmarks(FIRST, eight, u64::MAX),
        Ok(work),
        "the work does not depend on slices"
    );
    // One unit for each settled cell: of the regions, and of sixteen tables.
    let open = (whole.grid().classes().len() - whole.grid().class_count(0)) as u64;
    let read = 17 * (100 * 100 / 64 + 20) + 16 * 13 * 13;
    assert!((16 * open..=17 * open + read).contains(&work), "{work} units for {open} open cells");
    for query in &queries {
        let expected = whole.solve(query).unwrap();
        for slice in [1, 13, 400] {
            let mut search = sliced.begin(query).unwrap();
            while search.advance(slice) == SearchStatus::Running {}
            assert_eq!(search.answer().unwrap().unwrap(), expected);
        }
    }
}

#[test]
fn a_search_under_way_keeps_its_tables() {
    let (mut finder, queries) = led(100);
    for (number, query) in queries.iter().enumerate() {
        let expected = finder.solve(query).unwrap();
        let mut search = finder.begin(query).unwrap();
        search.advance(number as u64 * 7);
        let cells = (0..40).map(|step| Cell::new((step * 37 + number as i32) % 100, (step * 61) % 100));
        let edits: Vec<Edit> = cells.map(|cell| Edit::terrain(cell, 1)).collect();
        finder.edit(&edits).unwrap();
        finder.make_landmarks(FIRST, LandmarkCount::Exactly(8)).unwrap();
        assert_eq!(search.finish().unwrap(), expected);
    }
}

#[test]
fn goals_out_of_reach_stay_out_of_reach() {
    let mut map = testkit::noise(90, 60, 9, 0, &Seed::named("islands"));
    for y in 0..60 {
        let slot = map.slot((30, y));
        map.classes[slot] = 0;
    }
    let mut finder = finder(&map, Movement::new());
    finder.make_landmarks(FIRST, LandmarkCount::Exactly(6)).unwrap();
    let landmarks = finder.landmarks(FIRST).unwrap();
    assert_eq!(landmarks.len(), 6);
    assert!(landmarks.iter().all(|cell| cell.x > 30), "the list has the cells of the largest region");
    let query = PathQuery::new(Cell::new(2, 3), Cell::new(80, 50));
    for query in [query, query.without_reachability(), query.without_reachability().with_landmarks()] {
        let outcome = finder.solve(&query.with_algorithm(Algorithm::AStar)).unwrap().outcome;
        assert_eq!(outcome, Outcome::Unreachable { closest: None });
    }
}

#[test]
fn the_best_of_several_closest_cells_is_found() {
    let mut map = testkit::noise(120, 120, 9, 0, &Seed::named("closest"));
    // A closed building, whose walls have several closest cells around them.
    for (x, y) in (70..73).flat_map(|x| (60..63).map(move |y| (x, y))) {
        let slot = map.slot((x, y));
        map.classes[slot] = 0;
    }
    let mut finder = finder(&map, Movement::new());
    let queries: Vec<PathQuery> = (0..12)
        .map(|number| PathQuery::new(Cell::new(number * 10, 3), Cell::new(71, 61)).or_closest())
        .collect();
    let before: Vec<Outcome> = queries.iter().map(|query| finder.solve(query).unwrap().outcome).collect();
    let without = expanded(&finder, &queries);
    finder.make_landmarks(FIRST, LandmarkCount::Exactly(8)).unwrap();
    let with = expanded(&finder, &queries);
    assert!(with * 2 < without, "{with} expansions instead of {without}");
    for (query, before) in queries.iter().zip(before) {
        let after = finder.solve(query).unwrap().outcome;
        let [before, after] = [&before, &after].map(|outcome| outcome.path_or_closest().unwrap());
        assert_eq!((before.goal(), before.cost()), (after.goal(), after.cost()), "{query:?}");
    }
}

#[test]
fn cost_limit_gives_the_unlimited_answer_or_fails() {
    let (finder, queries) = led(120);
    for query in &queries {
        let alone = finder.solve(query).unwrap().outcome;
        let cheapest = alone.path().unwrap().cost();
        let limited = |most: u32| finder.solve(&query.with_cost_limit(Cost::new(most))).unwrap();
        assert_eq!(limited(cheapest.get()).outcome, alone);
        if let Some(less) = cheapest.get().checked_sub(1) {
            let refused = limited(less);
            assert!(matches!(refused.outcome, Outcome::LimitReached { .. }), "{query:?}");
            assert!(refused.statistics.expanded <= finder.solve(query).unwrap().statistics.expanded + 1);
        }
    }
}

#[test]
fn only_exact_unlimited_searches_are_led_by_default() {
    let (finder, _) = led(100);
    let query = PathQuery::new(Cell::new(3, 4), Cell::new(95, 90));
    let is_led = |query: PathQuery| finder.begin(&query).unwrap().landmarks().next().is_some();
    let weighted = query.with_algorithm(Algorithm::WeightedAStar { percent: 130 });
    for led in [query, query.with_algorithm(Algorithm::AStar)] {
        assert!(is_led(led), "{led:?}");
        assert!(!is_led(led.without_landmarks()), "{led:?}");
    }
    for alone in [query.with_limit(9_000), weighted, query.with_algorithm(Algorithm::Greedy)] {
        assert!(!is_led(alone), "{alone:?}");
        assert!(is_led(alone.with_landmarks()), "{alone:?}");
    }
    for never in [Algorithm::Dijkstra, Algorithm::BreadthFirst, Algorithm::Backtracking] {
        assert!(!is_led(query.with_algorithm(never).with_landmarks()), "{never}");
    }
    assert!(!is_led(PathQuery::new(Cell::new(50, 50), Cell::new(58, 55))), "the goal is near");
    // Without landmarks, a finder answers as if it had never had any.
    let fresh = PathFinder::new(finder.grid().clone(), Movement::new());
    for query in [query, query.with_limit(500), weighted] {
        assert_eq!(finder.solve(&query.without_landmarks()), fresh.solve(&query));
    }
    // A path with a limit is the same, and its lower bound is better.
    let [known, plain] = [&finder, &fresh].map(|finder| finder.solve(&query.with_limit(500)).unwrap());
    assert_eq!(known.statistics, plain.statistics);
    let (Outcome::LimitReached { best: known, .. }, Outcome::LimitReached { best: plain, .. }) =
        (known.outcome, plain.outcome)
    else {
        panic!("500 expansions are not enough")
    };
    assert_eq!(known.cells(), plain.cells());
    assert!(known.lower_bound() > plain.lower_bound());
}

#[test]
fn ground_of_one_cost_and_steps_of_one_length_need_half_of_the_tables() {
    let map = testkit::noise(120, 120, 9, 10, &Seed::named("halves"));
    let bytes = |movement: Movement| {
        let mut finder = finder(&map, movement);
        assert_eq!(finder.make_landmarks(FIRST, FOUR), Ok(LandmarkStatus::Ready(4)));
        finder.landmark_bytes(FIRST).unwrap() as f64 / f64::from(120 * 120)
    };
    let halves = [
        Movement::new().with_costs(CostTable::uniform()),
        Movement::new().with_diagonals(Diagonals::Never),
        Movement::new().with_steps(StepCosts::new(10, 10).unwrap()),
    ];
    for movement in halves {
        let bytes = bytes(movement.clone());
        assert!(bytes < 2.0 + 4.0 * 2.2, "{bytes} bytes a cell for {movement:?}");
    }
    let bytes = bytes(Movement::new());
    assert!((8.0 * 2.0..2.0 + 8.0 * 2.2).contains(&bytes), "{bytes} bytes a cell");
}

#[test]
fn a_memory_limit_frees_no_landmarks() {
    let (mut finder, queries) = led(100);
    assert_eq!(finder.limit_memory(0), 0);
    finder.set_terrain(Cell::new(5, 5), 0).unwrap();
    assert_eq!(finder.landmark_status(FIRST), Ok(LandmarkStatus::Ready(8)));
    let query = queries[0];
    let led = finder.solve(&query).unwrap();
    finder.drop_landmarks(FIRST).unwrap();
    assert_eq!(finder.landmark_bytes(FIRST), Ok(0));
    assert!(finder.limit_memory(usize::MAX) > 0);
    assert_eq!(finder.limit_memory(0), 0);
    assert!(led.statistics.expanded < finder.solve(&query).unwrap().statistics.expanded);
}

#[test]
fn maps_and_movements_without_landmarks_say_why() {
    let status = |grid: Grid, movement: Movement, count| {
        PathFinder::new(grid, movement).make_landmarks(FIRST, count).unwrap()
    };
    let open = |side| Grid::new(side, side, 1).unwrap();
    let by_map = LandmarkCount::ByMap;
    assert_eq!(status(open(63), Movement::new(), by_map), LandmarkStatus::TooFewCells);
    assert_eq!(status(open(64), Movement::new(), by_map), LandmarkStatus::Ready(4));
    assert_eq!(status(open(256), Movement::new(), by_map), LandmarkStatus::Ready(8));
    assert_eq!(status(open(20), Movement::new(), LandmarkCount::Exactly(16)), LandmarkStatus::Ready(16));
    assert_eq!(status(open(3), Movement::new(), LandmarkCount::Exactly(16)), LandmarkStatus::Ready(9));
    assert_eq!(status(Grid::new(9, 9, 0).unwrap(), Movement::new(), FOUR), LandmarkStatus::TooFewCells);
    assert_eq!(status(open(20), Movement::new(), LandmarkCount::Exactly(0)), LandmarkStatus::TooFewCells);
    // Islands of one cell each have no cell for a second landmark.
    let islands = (0..80 * 40).map(|slot| u8::from(slot % 2 == 0 && slot / 80 % 2 == 0)).collect();
    let islands = Grid::from_classes(80, 40, islands).unwrap();
    assert_eq!(status(islands, Movement::new(), FOUR), LandmarkStatus::Ready(1));
    let dear = CostTable::identity().with(1, u16::MAX);
    let steps = StepCosts::new(60_000, 60_000).unwrap();
    let movement = Movement::new().with_costs(dear).with_steps(steps);
    assert_eq!(status(open(30), movement.clone(), FOUR), LandmarkStatus::TooExpensive);
    let mut finder = PathFinder::new(open(30), movement);
    assert!(finder.advance_landmarks(FIRST, FOUR, u64::MAX).unwrap() > 0);
    assert_eq!(finder.advance_landmarks(FIRST, FOUR, u64::MAX), Ok(0), "an edit must come first");
    let cheap = Bounds::new(Cell::new(0, 0), 30, 30).unwrap();
    finder.set_terrain_in(cheap, 2).unwrap();
    assert_eq!(finder.make_landmarks(FIRST, FOUR), Ok(LandmarkStatus::Ready(4)));
    let finder = PathFinder::new(open(80), Movement::new());
    assert_eq!(finder.landmark_status(FIRST), Ok(LandmarkStatus::None));
}

#[test]
fn a_map_that_grows_and_shrinks_gets_new_landmarks() {
    let (mut finder, _) = led(90);
    let eight = LandmarkCount::Exactly(8);
    let sides =
        [[-5, -3, 90, 90], [-5, -3, 100, 80], [3, -70, 90, 130], [3, -70, 70, 120], [-64, -64, 160, 160]];
    for (number, [x, y, width, height]) in sides.into_iter().enumerate() {
        finder.resize(Bounds::new(Cell::new(x, y), width as u32, height as u32).unwrap(), 1 + number as u8);
        for _ in 0..2 {
            let bounds = finder.grid().bounds();
            for number in 0..12 {
                let place = |number: usize| bounds.cell(number * 7919 % bounds.cell_count()).unwrap();
                let query =
                    PathQuery::new(place(number), place(number + 77)).with_algorithm(Algorithm::AStar);
                check_estimates(&finder, &finder.begin(&query).unwrap());
                assert_eq!(cost(&finder, &query), cost(&finder, &query.without_landmarks()));
            }
            assert_eq!(finder.make_landmarks(FIRST, eight), Ok(LandmarkStatus::Ready(8)));
        }
    }
}

#[test]
fn clones_have_landmarks_of_their_own_and_what_ifs_have_none() {
    let (finder, queries) = led(100);
    let mut clone = finder.clone();
    clone.set_terrain(Cell::new(50, 50), 1).unwrap();
    clone.drop_landmarks(FIRST).unwrap();
    assert_eq!(finder.landmark_status(FIRST), Ok(LandmarkStatus::Ready(8)));
    let mut what_if = WhatIf::new(&finder);
    let supposed = what_if.with_edits(&finder, &[]).unwrap();
    for query in &queries {
        assert_eq!(supposed.solve(query), finder.solve(&query.without_landmarks()));
    }
}

#[test]
fn bounds_of_paths_that_are_not_proven_cheapest_know_the_map() {
    let (finder, queries) = led(120);
    for query in queries {
        let cheapest = cost(&finder, &query).unwrap();
        let greedy = query.with_algorithm(Algorithm::Greedy);
        let bound = |query: &PathQuery| finder.solve(query).unwrap().outcome.path().unwrap().lower_bound();
        let [known, plain] = [bound(&greedy), bound(&greedy.without_landmarks())];
        assert!(plain <= known && known <= cheapest, "{plain} <= {known} <= {cheapest}");
        if cheapest > Cost::new(400) {
            assert!(known.get() * 100 >= cheapest.get() * 80, "{known} of {cheapest}");
        }
    }
}

#[test]
fn a_receipt_ends_with_the_bound_that_landmarks_prove() {
    let (finder, queries) = led(120);
    let query = queries.iter().find(|query| cost(&finder, query) > Some(Cost::new(400))).unwrap();
    let path = finder.solve(query).unwrap().outcome.into_path().unwrap();
    let receipt = finder.explain(path.cells(), FIRST).unwrap();
    let bound = finder.solve(&query.with_algorithm(Algorithm::Greedy)).unwrap().outcome;
    let least = bound.path().unwrap().lower_bound();
    let told = format!("no path costs less than {least}, as 8 landmarks show: ");
    assert!(receipt.to_string().contains(&told), "{receipt}");
    let proven = receipt.with_lower_bound(path.cost()).to_string();
    assert!(proven.ends_with(&format!("no path costs less than {}: this is a cheapest one\n", path.cost())));
}

#[cfg(feature = "recording")]
#[test]
fn a_recording_replays_although_its_finder_had_landmarks() {
    let (finder, queries) = led(100);
    let mut recorder = tilepath::recording::Recorder::new(&finder);
    for query in &queries {
        recorder.solve(&finder, query).unwrap();
    }
    let replayed = recorder.recording().replay(|_| ()).unwrap();
    assert_eq!((replayed.answers, replayed.different), (queries.len(), 0));
}

#[test]
fn where_jump_points_do_not_pay_the_choice_is_a_led_search() {
    let of = |map: &TileMap, diagonals| {
        let mut finder = finder(map, Movement::new().with_diagonals(diagonals));
        let query = PathQuery::new(Cell::new(0, 0), Cell::new(1, 1));
        let before = finder.algorithm_for(&query).unwrap();
        finder.make_landmarks(FIRST, FOUR).unwrap();
        assert_eq!(finder.algorithm_for(&query.without_landmarks()), Ok(before));
        [before, finder.algorithm_for(&query).unwrap()]
    };
    let seed = Seed::named("choice");
    let (jumps, led) = (Algorithm::JumpPoint, Algorithm::AStar);
    for rule in [Diagonals::Never, Diagonals::OnlyWhenNoObstacles] {
        assert_eq!(of(&testkit::cluttered(130, 130, 30, &seed), rule), [jumps, led]);
        assert_eq!(of(&testkit::maze(130, 130, 1, &seed), rule), [jumps, led]);
        assert_eq!(of(&testkit::caves(130, 130, &seed), rule), [jumps, jumps]);
        assert_eq!(of(&testkit::rooms(130, 130, 12, &seed), rule), [jumps, jumps]);
    }
}

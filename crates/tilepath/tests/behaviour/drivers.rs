//! One search run at once, in slices and step by step.

use proptest::prelude::*;
use testkit::{DiagonalRule, Rules, Seed};
use tilepath::{
    Algorithm, Answer, Cell, CellState, Cost, Outcome, PathFinder, PathQuery, PathSearch, SearchStatus,
    search::Step,
};

use crate::worlds::{Prices, World, cases, edits, world};

const ALGORITHMS: [Algorithm; 8] = [
    Algorithm::Auto,
    Algorithm::AStar,
    Algorithm::Dijkstra,
    Algorithm::Greedy,
    Algorithm::WeightedAStar { percent: 150 },
    Algorithm::BreadthFirst,
    Algorithm::DepthFirst,
    Algorithm::Backtracking,
];

/// The results of one run of a search: the answer, the cells in the order of their expansion, and
/// the work.
#[derive(Debug, PartialEq)]
struct Run {
    answer: Answer,
    order: Vec<Cell>,
    work: u64,
}

fn by_steps(finder: &PathFinder, query: &PathQuery) -> Run {
    let mut search = finder.begin(query).unwrap();
    let mut order = Vec::new();
    let mut last = None;
    for step in search.steps() {
        assert_eq!(last, None, "no step follows the end");
        match step {
            Step::Expanded(cell) => order.push(cell),
            end => last = Some(end),
        }
    }
    assert!(last.is_some() && search.is_done());
    assert_eq!(
        search.steps().collect::<Vec<_>>(),
        last.as_slice(),
        "a finished search repeats only its last step"
    );
    let answer = search.answer().unwrap().unwrap();
    match (&answer.outcome, last.unwrap()) {
        (Outcome::Found(path), Step::Reached(cell)) => assert_eq!(path.goal(), cell),
        (Outcome::Unreachable { .. }, Step::Exhausted)
        | (Outcome::LimitReached { .. }, Step::LimitReached) => {}
        (outcome, step) => panic!("{step:?} does not fit {outcome:?}"),
    }
    let work = search.work();
    Run { answer, order, work }
}

/// Returns the cells that are closed now and were not closed before.
fn newly_closed(search: &PathSearch, world: &World, was_closed: &mut [bool]) -> Vec<Cell> {
    let mut found = Vec::new();
    for (slot, place) in world.positions().enumerate() {
        let is_closed = search.cell_state(world.cell(place)) == CellState::Closed;
        if is_closed && !was_closed[slot] {
            found.push(world.cell(place));
        }
        was_closed[slot] = is_closed;
    }
    found
}

/// Runs a search by the states of all cells after each slice, without its steps.
fn by_watching(world: &World, finder: &PathFinder, query: &PathQuery) -> Run {
    let mut search = finder.begin(query).unwrap();
    let mut was_closed = vec![false; world.map.classes.len()];
    let mut order = Vec::new();
    while !search.is_done() {
        let expanded = search.statistics().expanded;
        search.advance(1);
        let closed = newly_closed(&search, world, &mut was_closed);
        let steps = search.statistics().expanded - expanded;
        assert!(steps <= 1, "a budget of 1 allows one expansion, not {steps}");
        if steps == 1 {
            order.extend(closed);
        }
    }
    Run { answer: search.answer().unwrap().unwrap(), order, work: search.work() }
}

fn in_slices(finder: &PathFinder, query: &PathQuery, slice: u64) -> (Answer, u64) {
    let mut search = finder.begin(query).unwrap();
    let (mut spent, mut worked) = (0, search.work());
    loop {
        let status = search.advance(slice);
        let expanded = search.statistics().expanded;
        assert!(expanded - spent <= slice, "{} expansions on a budget of {slice}", expanded - spent);
        assert!(
            status == SearchStatus::Done || search.work() - worked >= slice,
            "a running search uses its budget"
        );
        assert_eq!(status == SearchStatus::Done, search.is_done());
        assert_eq!(search.answer().is_some(), search.is_done());
        (spent, worked) = (expanded, search.work());
        if status == SearchStatus::Done {
            return (search.answer().unwrap().unwrap(), search.work());
        }
    }
}

fn check_all_drivers(world: &World) {
    let finder = world.finder();
    for algorithm in ALGORITHMS {
        for query in [
            PathQuery::new(world.start(), world.goal()).with_algorithm(algorithm),
            PathQuery::new(world.start(), world.goal()).with_algorithm(algorithm).or_closest(),
            PathQuery::new(world.start(), world.goal()).with_algorithm(algorithm).with_limit(17),
            PathQuery::new(world.start(), world.goal())
                .with_algorithm(algorithm)
                .with_cost_limit(Cost::new(70)),
            PathQuery::new(world.start(), world.goal()).with_algorithm(algorithm).with_length_limit(5),
            PathQuery::new(world.start(), world.goal())
                .with_algorithm(algorithm)
                .or_closest()
                .with_cost_limit(Cost::new(50))
                .with_length_limit(4),
        ] {
            // The first search pays for data that the other searches reuse.
            by_steps(&finder, &query);
            let stepped = by_steps(&finder, &query);
            assert_eq!(finder.solve(&query).unwrap(), stepped.answer, "at once: {query:?}");
            assert_eq!(finder.begin(&query).unwrap().finish().unwrap(), stepped.answer, "finish: {query:?}");
            assert_eq!(stepped.order.len() as u64, stepped.answer.statistics.expanded, "{query:?}");
            // To find another of several closest cells, the search begins again at the start. The
            // states of the cells do not show that.
            let begun = stepped.order.iter().filter(|&&cell| cell == world.start()).count();
            if begun <= 1 {
                assert_eq!(by_watching(world, &finder, &query), stepped, "watched: {query:?}");
            }
            for slice in [1, 2, 3, 5, 16, 100, u64::MAX] {
                let (answer, work) = in_slices(&finder, &query, slice);
                assert_eq!(answer, stepped.answer, "slices of {slice}: {query:?}");
                assert_eq!(work, stepped.work, "slices of {slice}: {query:?}");
            }
        }
    }
}

proptest! {
    #![proptest_config(cases(100))]

    #[test]
    fn every_driver_gives_the_same_answer_in_the_same_order(world in world(14, Prices::Low)) {
        check_all_drivers(&world);
    }

    #[test]
    fn a_paused_search_does_not_see_later_edits(
        world in world(16, Prices::Low),
        pause in 0..60_u64,
        edits in edits(1..=60),
    ) {
        let mut finder = world.finder();
        for algorithm in ALGORITHMS {
            let query = PathQuery::new(world.start(), world.goal()).with_algorithm(algorithm).or_closest();
            let expected = finder.solve(&query).unwrap();
            let begun = finder.grid().revision();
            let mut search = finder.begin(&query).unwrap();
            search.advance(pause);
            for &((x, y), class) in &edits {
                let place = (x % world.map.width as i32, y % world.map.height as i32);
                finder.set_terrain(world.cell(place), class).unwrap();
                search.advance(1);
            }
            prop_assert_eq!(search.revision(), begun);
            prop_assert_eq!(search.finish().unwrap(), expected);
            for (place, &class) in world.positions().zip(&world.map.classes) {
                finder.set_terrain(world.cell(place), class).unwrap();
            }
        }
    }

    #[test]
    fn searches_side_by_side_do_not_disturb_each_other(world in world(14, Prices::Low)) {
        let finder = world.finder();
        let queries: Vec<_> = ALGORITHMS
            .map(|algorithm| PathQuery::new(world.start(), world.goal()).with_algorithm(algorithm))
            .into_iter()
            .chain([PathQuery::new(world.goal(), world.start())])
            .collect();
        let mut searches: Vec<_> = queries.iter().map(|query| finder.begin(query).unwrap()).collect();
        while !searches.iter().all(PathSearch::is_done) {
            for search in &mut searches {
                search.advance(3);
            }
        }
        for (query, search) in queries.iter().zip(searches) {
            prop_assert_eq!(search.query(), query);
            prop_assert_eq!(search.finish().unwrap(), finder.solve(query).unwrap());
        }
    }
}

#[test]
fn a_budget_of_nothing_does_nothing() {
    let world = World::new(testkit::open(9, 9), Rules::classic(DiagonalRule::OnlyWhenNoObstacles));
    let finder = world.finder();
    let mut search = finder.begin(&PathQuery::new(Cell::new(0, 0), Cell::new(8, 8))).unwrap();
    for _ in 0..3 {
        assert_eq!(search.advance(0), SearchStatus::Running);
    }
    assert_eq!(search.statistics().expanded, 0);
    assert!(search.answer().is_none());
}

#[test]
fn a_running_search_tells_the_way_to_every_cell_it_has_seen() {
    let map = testkit::noise(20, 20, 5, 10, &Seed::named("inspection"));
    let mut world = World::new(map, Rules::classic(DiagonalRule::OnlyWhenNoObstacles));
    (world.start, world.goal) = world.map.queries(1, &Seed::named("inspection"))[0];
    let finder = world.finder();
    let oracle = world.oracle();
    let costs = oracle.costs_from(world.start);
    let query = PathQuery::new(world.start(), world.goal()).with_algorithm(Algorithm::Dijkstra);
    let mut search = finder.begin(&query).unwrap();
    let mut closed = 0;
    while search.advance(7) == SearchStatus::Running {
        for place in world.positions() {
            let cell = world.cell(place);
            let state = search.cell_state(cell);
            let known = search.cost_to(cell).map(|cost| u64::from(cost.get()));
            if state == CellState::Unseen {
                assert_eq!((known, search.came_from(cell)), (None, None), "{cell}");
                continue;
            }
            if cell == world.start() {
                assert_eq!((known, search.came_from(cell)), (Some(0), None));
                continue;
            }
            let parent = search.came_from(cell).unwrap();
            let step = oracle.step_cost(world.position(parent), place).unwrap();
            let before = u64::from(search.cost_to(parent).unwrap().get());
            assert_eq!(known, Some(before + step), "{cell}");
            if state == CellState::Closed {
                closed += 1;
                assert_eq!(known, costs[world.map.slot(place)], "a closed cell's cost is final: {cell}");
            }
        }
    }
    assert!(closed > 100, "{closed}");
    for outside in [Cell::new(-1, 0), Cell::new(20, 3), Cell::new(i32::MAX, i32::MIN)] {
        assert_eq!(search.cell_state(outside), CellState::Unseen);
        assert_eq!((search.cost_to(outside), search.came_from(outside)), (None, None));
    }
}

#[test]
fn searches_and_finders_may_go_to_other_threads() {
    fn may_travel<T: Send + Sync + 'static>() {}
    may_travel::<PathSearch>();
    may_travel::<PathFinder>();

    let map = testkit::caves(60, 50, &Seed::named("threads"));
    let queries = map.queries(30, &Seed::named("threads"));
    let world = World::new(map, Rules::classic(DiagonalRule::OnlyWhenNoObstacles));
    let finder = world.finder();
    let ask = || -> Vec<Answer> {
        let query = |&(from, to): &((i32, i32), (i32, i32))| PathQuery::new(world.cell(from), world.cell(to));
        queries.iter().map(|pair| finder.solve(&query(pair)).unwrap()).collect()
    };
    let alone = ask();
    let together = std::thread::scope(|scope| {
        let workers: Vec<_> = (0..4).map(|_| scope.spawn(ask)).collect();
        workers.into_iter().map(|worker| worker.join().unwrap()).collect::<Vec<_>>()
    });
    for answers in together {
        assert_eq!(answers, alone);
    }
}

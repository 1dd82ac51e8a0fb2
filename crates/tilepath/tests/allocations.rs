//! Allocations of repeated queries: only the returned path.
//!
//! This is a binary of its own, because a counting allocator replaces the default one. It counts
//! each thread separately.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails where it stands")]

use allocation_counter::measure;
use testkit::{Seed, TileMap};
use tilepath::{
    Algorithm, Answer, Cell, Cost, CostTable, Diagonals, Grid, LandmarkCount, MoveRange, Movement,
    MovementId, Outcome, PathFinder, PathQuery, QueryError, RangeQuery, SearchStatus, StepCosts, Topology,
    crowd::{Activity, Body, Crowd, CrowdState, EFFORT_PER_STRAIGHT_STEP, FieldGuide, Steps},
    field::FieldQuery,
    recording::{Recorder, Recording},
};

const EXACT: [Algorithm; 4] = [Algorithm::Auto, Algorithm::JumpPoint, Algorithm::AStar, Algorithm::Dijkstra];
const APPROXIMATE: [Algorithm; 3] =
    [Algorithm::Greedy, Algorithm::WeightedAStar { percent: 150 }, Algorithm::BreadthFirst];

fn finder(map: &TileMap, movement: Movement) -> PathFinder {
    PathFinder::new(Grid::from_classes(map.width, map.height, map.classes.clone()).unwrap(), movement)
}

/// Returns a finder with queries for each kind of ground and each kind of open list.
fn finders() -> Vec<(&'static str, PathFinder, Vec<PathQuery>)> {
    let seed = Seed::named("steady state");
    let clutter = testkit::cluttered(140, 120, 38, &seed);
    let hills = testkit::terrain(120, 130, 9, 15, &seed);
    let costly = CostTable::identity().with(9, 60_000);
    let of = |name, map: &TileMap, movement: Movement| {
        let queries = map.queries(25, &seed).into_iter();
        let queries = queries.map(|(from, to)| PathQuery::new(Cell::from(from), Cell::from(to))).collect();
        (name, finder(map, movement), queries)
    };
    let (_, mut led, queries) = of("", &hills, Movement::new());
    led.make_landmarks(MovementId::FIRST, LandmarkCount::Exactly(8)).unwrap();
    vec![
        ("weighted ground with landmarks", led, queries),
        of("even ground", &clutter, Movement::new()),
        of("even ground, corners cut", &clutter, Movement::new().with_diagonals(Diagonals::Always)),
        of("even ground, four directions", &clutter, Movement::new().with_diagonals(Diagonals::Never)),
        of("weighted ground", &hills, Movement::new().with_steps(StepCosts::PRECISE)),
        of("ground too costly for buckets", &hills, Movement::new().with_costs(costly)),
    ]
}

/// Runs each query once, so that the finder has all the memory that it needs.
fn warm_up(finder: &PathFinder, queries: &[PathQuery], algorithm: Algorithm) {
    for query in queries {
        let _ = finder.solve(&query.with_algorithm(algorithm).or_closest());
    }
}

/// Returns each query twice: without and with `or_closest`.
fn both_kinds(queries: &[PathQuery], algorithm: Algorithm) -> impl Iterator<Item = PathQuery> + '_ {
    let kinds = |query: PathQuery| [query, query.or_closest()];
    queries.iter().flat_map(move |query| kinds(query.with_algorithm(algorithm)))
}

/// Returns the result, and the number of allocations made for it.
fn counted<T>(question: impl FnOnce() -> T) -> (T, u64) {
    let mut answer = None;
    let info = measure(|| answer = Some(question()));
    (answer.unwrap(), info.count_total)
}

#[test]
fn the_counter_counts() {
    assert_eq!(counted(|| vec![1_u8; 100]).1, 1);
    assert_eq!(counted(|| 1).1, 0);
}

#[test]
fn a_query_allocates_its_path_and_nothing_else() {
    let (mut paths, mut out_of_reach) = (0, 0);
    for (name, finder, queries) in finders() {
        for algorithm in EXACT.into_iter().chain(APPROXIMATE) {
            warm_up(&finder, &queries, algorithm);
            for query in both_kinds(&queries, algorithm) {
                let (answer, allocations) = counted(|| finder.solve(&query));
                let expected = match answer.map(|answer| answer.outcome) {
                    Ok(Outcome::Found(_)) => 1,
                    Ok(Outcome::Unreachable { closest }) => {
                        out_of_reach += 1;
                        u64::from(closest.is_some())
                    }
                    Err(QueryError::NoJumpPoints) => 0,
                    other => panic!("{name}, {query:?}: {other:?}"),
                };
                assert_eq!(allocations, expected, "{name}, {query:?}");
                paths += expected;
            }
        }
    }
    assert!(paths > 300 && out_of_reach > 30, "{paths} paths, {out_of_reach} goals out of reach");
}

#[test]
fn a_query_in_slices_allocates_its_path_and_nothing_else() {
    for (name, finder, queries) in finders() {
        for algorithm in EXACT {
            warm_up(&finder, &queries, algorithm);
            for query in both_kinds(&queries, algorithm) {
                let Ok(mut search) = finder.begin(&query) else { continue };
                let ((), begun) = counted(|| while search.advance(37) == SearchStatus::Running {});
                assert_eq!(begun, 0, "{name}, {query:?}");
                let (answer, allocations) = counted(|| search.finish());
                let has_path = answer.unwrap().outcome.path_or_closest().is_some();
                assert_eq!(allocations, u64::from(has_path), "{name}, {query:?}");
            }
        }
    }
}

#[test]
fn a_range_in_the_memory_of_an_earlier_one_allocates_nothing() {
    for (name, finder, queries) in finders() {
        let mut range = MoveRange::default();
        let ranges: Vec<_> =
            queries.iter().map(|query| RangeQuery::new(query.start(), Cost::new(400))).collect();
        for query in &ranges {
            finder.solve_range_into(query, &mut range).unwrap();
        }
        for query in ranges {
            let (result, allocations) = counted(|| finder.solve_range_into(&query, &mut range));
            result.unwrap();
            assert_eq!(allocations, 0, "{name}, {query:?}");
        }
    }
}

#[test]
fn is_reachable_allocates_nothing() {
    for (name, finder, queries) in finders() {
        finder.is_reachable(&PathQuery::new(queries[0].start(), queries[0].goal())).unwrap();
        for query in queries {
            let (_, allocations) = counted(|| {
                finder
                    .is_reachable(
                        &PathQuery::new(query.start(), query.goal()).with_movement(MovementId::default()),
                    )
                    .unwrap()
            });
            assert_eq!(allocations, 0, "{name}, {query:?}");
        }
    }
}

#[test]
fn view_allocates_nothing() {
    for (name, finder, queries) in finders() {
        let grid = finder.grid();
        for (topology, query) in [Topology::Square, Topology::Hexagonal].into_iter().cycle().zip(queries) {
            let is_opaque = |cell| grid.terrain(cell).is_none_or(|class| class == 0);
            let mut seen = 0;
            let ((), allocations) =
                counted(|| topology.view(query.start(), u8::MAX, is_opaque, |_| seen += 1));
            assert!(seen > 1 && allocations == 0, "{name}: {allocations} for {seen} cells");
        }
    }
}

#[test]
fn a_complete_field_tells_costs_and_directions_without_memory() {
    for (name, finder, queries) in finders() {
        let mut field = finder.begin_field(&FieldQuery::new([queries[0].goal()])).unwrap();
        field.advance(u64::MAX);
        for query in queries {
            let (_, allocations) = counted(|| (field.cost(query.start()), field.direction(query.start())));
            assert_eq!(allocations, 0, "{name}, {query:?}");
        }
    }
}

/// Returns the most bytes in use at once while the query runs, above those in use before.
fn bytes<T>(question: impl FnOnce() -> T) -> u64 {
    let info = measure(|| drop(question()));
    info.bytes_max
}

#[test]
fn the_memory_for_jump_points_is_in_proportion_to_the_cells_whatever_the_shape() {
    let shapes = [(256, 256), (1, 65_535), (65_535, 1), (3, 20_000), (20_000, 3), (64, 4_096)];
    let rules = [Diagonals::OnlyWhenNoObstacles, Diagonals::Never];
    for ((width, height), rule) in shapes.into_iter().flat_map(|shape| rules.map(|rule| (shape, rule))) {
        let movement = Movement::new().with_diagonals(rule);
        let finder = PathFinder::new(Grid::new(width, height, 1).unwrap(), movement);
        let (from, to) = (Cell::new(0, 0), Cell::new(width as i32 - 1, height as i32 - 1));
        let query = PathQuery::new(from, to).with_algorithm(Algorithm::JumpPoint);
        let most = bytes(|| finder.solve(&query).unwrap());
        let cells = u64::from(width) * u64::from(height);
        assert!(most <= 300 * cells + 100_000, "{most} bytes for {width} × {height}, {rule}");
    }
}

#[test]
fn a_way_from_a_cell_to_itself_needs_no_lines_for_jump_points() {
    let finder = PathFinder::new(Grid::new(512, 512, 1).unwrap(), Movement::new());
    let (here, there) = (Cell::new(3, 3), Cell::new(300, 40));
    let cells = 512 * 512;
    let most = bytes(|| finder.find(here, here).unwrap());
    assert!(most < 10 * cells, "{most} bytes: the movement map and its inputs");
    let most = bytes(|| finder.find(here, there).unwrap());
    assert!(most > 2 * cells, "{most} bytes: the lines, regions, and records of jump points");
}

#[test]
fn costly_ground_takes_no_more_memory_for_jump_points_than_cheap_ground() {
    for (width, multiplier) in [(10, u16::MAX), (40, 20_000), (500, 1_000)] {
        let costly = Movement::new()
            .with_costs(CostTable::impassable().with(1, multiplier))
            .with_steps(StepCosts::new(1_000, 1_414).unwrap());
        let finder = PathFinder::new(Grid::new(width, width, 1).unwrap(), costly);
        let query = PathQuery::new(Cell::new(0, 0), Cell::new(width as i32 - 1, 3));
        let query = query.with_algorithm(Algorithm::JumpPoint);
        let mut answer = None;
        let most = bytes(|| answer = Some(finder.solve(&query).unwrap()));
        let cells = u64::from(width) * u64::from(width);
        assert!(most <= 40 * cells + 100_000, "{most} bytes for {width} × {width}");
        let by_steps = finder.solve(&query.with_algorithm(Algorithm::Dijkstra)).unwrap();
        let cost = |answer: &Answer| answer.outcome.path().unwrap().cost();
        assert_eq!(cost(&answer.unwrap()), cost(&by_steps));
    }
}

#[test]
fn an_edit_under_a_search_copies_what_it_changes_and_the_next_one_nothing() {
    /// The bytes of some blocks of canonical steps, and of the first part of the journal.
    const LITTLE: u64 = 50_000;
    for (name, mut finder, queries) in finders() {
        let cells = finder.grid().classes().len() as u64;
        let open = |finder: &PathFinder, number: usize| {
            let bounds = finder.grid().bounds();
            let is_open = |cell: &Cell| finder.grid().terrain(*cell).is_some_and(|class| class > 0);
            bounds.cells().filter(is_open).nth(number).unwrap()
        };
        let begun = finder.begin(&queries[0]).unwrap();
        let said = finder.snapshot_bytes(MovementId::FIRST).unwrap() as u64;
        assert!((2 * cells..7 * cells + LITTLE).contains(&said), "{name}: {said}");
        let cell = open(&finder, 100);
        let first = bytes(|| finder.set_terrain(cell, 0).unwrap());
        assert!(said / 2 < first && first < said + LITTLE, "{name}: {first} of {said}");
        let cell = open(&finder, 200);
        let second = bytes(|| finder.set_terrain(cell, 0).unwrap());
        assert!(second < LITTLE, "{name}: {second} if no copy of the earlier state is alive");

        let later = finder.begin(&queries[0]).unwrap();
        let cell = open(&finder, 300);
        let class = finder.grid().terrain(cell).unwrap();
        let cost = bytes(|| finder.set_terrain(cell, class % 8 + 1).unwrap());
        assert!(cost < cells * 3 / 2 + LITTLE, "{name}: {cost} for a cost");
        assert!(begun.revision() < later.revision() && later.revision() < finder.grid().revision());
    }
}

#[test]
fn a_tick_of_a_crowd_allocates_nothing() {
    let map = testkit::cluttered(60, 60, 15, &Seed::named("crowd in steady state"));
    let finder = finder(&map, Movement::new());
    let home = finder.grid().bounds().cells().find(|&cell| finder.grid().terrain(cell) == Some(1)).unwrap();
    let around = finder.field(&[home]).unwrap();
    let open = |&cell: &Cell| around.cost(cell).is_some() && finder.grid().terrain(cell) == Some(1);
    let cells: Vec<Cell> = finder.grid().bounds().cells().filter(open).collect();
    let cells = Seed::named("places of a crowd").shuffled(&cells);
    let fields: Vec<_> = cells[..8].iter().map(|&goal| finder.field(&[goal]).unwrap()).collect();
    let mut crowd = Crowd::new(finder.grid());
    let bodies: Vec<_> = (0..)
        .zip(&cells[..900])
        .map(|(number, &cell)| {
            let activity = Activity::UnderWay { since: number % 5 };
            let stride = EFFORT_PER_STRAIGHT_STEP / (1 + number % 7);
            crowd.insert(&Body { activity, stride, ..Body::new(number, cell) }).unwrap()
        })
        .collect();
    let mut field_of: Vec<u32> = (0..900).map(|body| body % 8).collect();
    let steps = Steps::new(&finder, MovementId::FIRST).unwrap();
    let mut arrivals = 0;
    for tick in 0..200 {
        let ((), allocations) = counted(|| {
            for (index, &body) in bodies.iter().enumerate() {
                let goal = cells[field_of[index] as usize];
                let is_there = crowd.step(body).is_none() && crowd.cell(body) == goal;
                if is_there {
                    arrivals += 1;
                    field_of[index] = (field_of[index] + 3) % 8;
                    crowd.set_activity(body, Activity::UnderWay { since: tick }, None);
                }
            }
            crowd.tick(&mut FieldGuide { steps, fields: &fields, field_of: &field_of });
        });
        assert_eq!(allocations, 0, "tick {tick}");
    }
    assert!(arrivals > 50, "{arrivals} arrivals");
}

#[test]
fn recorded_tick_takes_no_memory_for_gaps_between_ids() {
    let finder = PathFinder::new(Grid::new(8, 1, 1).unwrap(), Movement::new());
    let fields = [finder.field(&[Cell::new(7, 0)]).unwrap()];
    let steps = Steps::new(&finder, MovementId::FIRST).unwrap();
    let mut guide = FieldGuide { steps, fields: &fields, field_of: &[0] };
    let mut crowd = Crowd::new(finder.grid());
    let activity = Activity::UnderWay { since: 0 };
    crowd.insert(&Body { activity, ..Body::new(4, Cell::new(3, 0)) }).unwrap();
    let mut recorder = Recorder::new(&finder);
    recorder.note_crowd(&finder, crowd.tick_recorded(&mut guide));
    let file = recorder.into_recording().to_ron();
    let far = CrowdState::MAX_BODIES - 1;
    let mut changed =
        file.replace("id: 0,", &format!("id: {far},")).replace("(0, Holds)", &format!("({far}, Holds)"));
    for question in ["Exits", "Rest", "StepCost", "Around", "Effort"] {
        changed = changed.replace(&format!("{question}(0, "), &format!("{question}({far}, "));
    }
    let info = measure(|| {
        let recording = Recording::from_text(&changed).unwrap();
        assert_eq!(recording.replay(|_| ()).unwrap().answers, 1);
    });
    assert!(
        info.bytes_max < 40 * changed.len() as u64 + 10_000,
        "{} bytes for {}",
        info.bytes_max,
        changed.len()
    );
}

/// A finder for hills of 512 × 512 cells with eight landmarks, or without landmarks.
fn hills(has_landmarks: bool) -> PathFinder {
    let mut finder =
        finder(&testkit::terrain(512, 512, 9, 10, &Seed::named("landmarks in memory")), Movement::new());
    if has_landmarks {
        finder.make_landmarks(MovementId::FIRST, EIGHT).unwrap();
    }
    finder
}

const EIGHT: LandmarkCount = LandmarkCount::Exactly(8);

/// Lays the next tile of a road, and makes tables anew for a tick if there are landmarks.
fn lay(finder: &mut PathFinder, number: i32, has_landmarks: bool) {
    finder.set_terrain(Cell::new(200 + number, 256), 1).unwrap();
    if has_landmarks {
        finder.advance_landmarks(MovementId::FIRST, EIGHT, 10_000).unwrap();
    }
}

#[test]
fn states_taken_in_each_frame_share_the_tables() {
    const FRAMES: i32 = 60;
    let bytes = |has_landmarks: bool, has_states: bool| {
        let mut finder = hills(has_landmarks);
        let mut states = Vec::with_capacity(FRAMES as usize);
        let info = measure(|| {
            for number in 0..FRAMES {
                states.extend(has_states.then(|| finder.state([])));
                lay(&mut finder, number, has_landmarks);
            }
        });
        info.bytes_total as i64
    };
    let states = bytes(true, true) - bytes(true, false);
    let states_without = bytes(false, true) - bytes(false, false);
    let a_frame = (states - states_without) / i64::from(FRAMES);
    assert!(a_frame < 50_000, "{a_frame} bytes more a frame than without landmarks");
}

#[test]
fn searches_that_wait_hold_the_tables_of_few_ticks() {
    let mut finder = hills(true);
    let query = PathQuery::new(Cell::new(1, 1), Cell::new(500, 450)).with_algorithm(Algorithm::AStar);
    assert!(finder.solve(&query).unwrap().outcome.path().is_some());
    lay(&mut finder, 0, true);
    let mut held = Vec::with_capacity(12);
    let before = finder.landmark_bytes(MovementId::FIRST).unwrap() as i64;
    let mut bytes = 0;
    for number in 1..=12 {
        let mut search = finder.begin(&query).unwrap();
        search.advance(50);
        assert!(search.landmarks().next().is_some());
        held.push(search);
        bytes += measure(|| lay(&mut finder, number, true)).bytes_current;
    }
    let own = finder.landmark_bytes(MovementId::FIRST).unwrap() as i64 - before;
    assert!(bytes - own < 4_500_000, "{} bytes are held by 12 searches", bytes - own);
}

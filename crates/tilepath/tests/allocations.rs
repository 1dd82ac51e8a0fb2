//! In steady state a query allocates the path that it returns and nothing else.
//!
//! A binary of its own, because the allocator that counts takes the place of the usual one. It counts for each thread.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails where it stands")]

use allocation_counter::measure;
use testkit::{Seed, TileMap};
use tilepath::{
    Algorithm, Cell, Cost, CostTable, Diagonals, FieldQuery, Grid, MoveRange, Movement, MovementId, Outcome,
    OutcomeKind, PathFinder, PathQuery, QueryError, RangeQuery, SearchStatus, StepCosts,
};

const EXACT: [Algorithm; 4] = [Algorithm::Auto, Algorithm::JumpPoint, Algorithm::AStar, Algorithm::Dijkstra];
const APPROXIMATE: [Algorithm; 3] =
    [Algorithm::Greedy, Algorithm::WeightedAStar { percent: 150 }, Algorithm::BreadthFirst];

fn finder(map: &TileMap, movement: Movement) -> PathFinder {
    PathFinder::new(Grid::from_classes(map.width, map.height, map.classes.clone()).unwrap(), movement)
}

/// What each kind of ground and each kind of open list has a finder for.
fn finders() -> Vec<(&'static str, PathFinder, Vec<PathQuery>)> {
    let seed = Seed::named("steady state");
    let clutter = testkit::cluttered(140, 120, 38, &seed);
    let hills = testkit::terrain(120, 130, 9, 15, &seed);
    let dear = CostTable::identity().with(9, 60_000);
    let of = |name, map: &TileMap, movement: Movement| {
        let queries = map.queries(25, &seed).into_iter();
        let queries = queries.map(|(from, to)| PathQuery::new(Cell::from(from), Cell::from(to))).collect();
        (name, finder(map, movement), queries)
    };
    vec![
        of("even ground", &clutter, Movement::new()),
        of("even ground, corners cut", &clutter, Movement::new().with_diagonals(Diagonals::Always)),
        of("even ground, four directions", &clutter, Movement::new().with_diagonals(Diagonals::Never)),
        of("weighted ground", &hills, Movement::new().with_steps(StepCosts::PRECISE)),
        of("ground too dear for buckets", &hills, Movement::new().with_costs(dear)),
    ]
}

/// Asks everything once, so that the finder has all the memory that it needs.
fn warm_up(finder: &PathFinder, queries: &[PathQuery], algorithm: Algorithm) {
    for query in queries {
        let _ = finder.solve(&query.with_algorithm(algorithm).or_closest());
    }
}

/// Each query, with and without the wish for the closest cell.
fn both_kinds(queries: &[PathQuery], algorithm: Algorithm) -> impl Iterator<Item = PathQuery> + '_ {
    let kinds = |query: PathQuery| [query, query.or_closest()];
    queries.iter().flat_map(move |query| kinds(query.with_algorithm(algorithm)))
}

/// The answer, and how often memory was asked for while it was made.
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
fn a_query_answered_in_the_callers_list_allocates_nothing() {
    let mut found = 0;
    for (name, finder, queries) in finders() {
        let mut cells = Vec::with_capacity(finder.grid().classes().len());
        for algorithm in EXACT.into_iter().chain(APPROXIMATE) {
            warm_up(&finder, &queries, algorithm);
            for query in both_kinds(&queries, algorithm) {
                let (summary, allocations) = counted(|| finder.solve_into(&query, &mut cells));
                assert_eq!(allocations, 0, "{name}, {query:?}");
                found += u32::from(summary.is_ok_and(|summary| summary.kind == OutcomeKind::Found));
            }
        }
    }
    assert!(found > 300, "{found}");
}

#[test]
fn the_callers_list_holds_what_the_answer_would() {
    let mut cells = vec![Cell::new(-7, -7)];
    for (name, finder, queries) in finders() {
        for query in queries {
            for query in
                [query, query.or_closest(), query.with_limit(30), query.with_algorithm(Algorithm::JumpPoint)]
            {
                let summary = finder.solve_into(&query, &mut cells);
                let answer = finder.solve(&query);
                let (summary, answer) = match (summary, answer) {
                    (Ok(summary), Ok(answer)) => (summary, answer),
                    (summary, answer) => {
                        assert_eq!(summary.unwrap_err(), answer.unwrap_err(), "{name}, {query:?}");
                        assert_eq!(cells, []);
                        continue;
                    }
                };
                let kind = match answer.outcome {
                    Outcome::Found(_) => OutcomeKind::Found,
                    Outcome::Unreachable { .. } => OutcomeKind::Unreachable,
                    Outcome::LimitReached { .. } => OutcomeKind::LimitReached,
                };
                assert_eq!((summary.kind, summary.statistics), (kind, answer.statistics));
                let path = answer.outcome.path_or_closest();
                assert_eq!(cells, path.map_or(&[][..], tilepath::Path::cells), "{name}, {query:?}");
                assert_eq!(summary.cost, path.map_or(Cost::ZERO, tilepath::Path::cost));
                assert_eq!(summary.lower_bound, path.map_or(Cost::ZERO, tilepath::Path::lower_bound));
            }
        }
    }
    let finder = PathFinder::new(Grid::new(3, 3, 1).unwrap(), Movement::new());
    cells.push(Cell::new(1, 1));
    let outside = PathQuery::new(Cell::new(0, 0), Cell::new(3, 0));
    assert!(matches!(finder.solve_into(&outside, &mut cells), Err(QueryError::GoalOutOfBounds { .. })));
    assert_eq!(cells, []);
}

#[test]
fn a_range_in_the_memory_of_an_earlier_one_allocates_nothing() {
    for (name, finder, queries) in finders() {
        let mut range = MoveRange::default();
        let ranges: Vec<_> =
            queries.iter().map(|query| RangeQuery::new(query.from(), Cost::new(400))).collect();
        for query in &ranges {
            finder.move_range_into(query, &mut range).unwrap();
        }
        for query in ranges {
            let (result, allocations) = counted(|| finder.move_range_into(&query, &mut range));
            result.unwrap();
            assert_eq!(allocations, 0, "{name}, {query:?}");
        }
    }
}

#[test]
fn whether_a_goal_is_reachable_is_told_without_memory() {
    for (name, finder, queries) in finders() {
        finder.is_reachable(queries[0].from(), queries[0].to()).unwrap();
        for query in queries {
            let (_, allocations) =
                counted(|| finder.is_reachable_by(MovementId::default(), query.from(), query.to()).unwrap());
            assert_eq!(allocations, 0, "{name}, {query:?}");
        }
    }
}

#[test]
fn a_complete_field_tells_costs_and_directions_without_memory() {
    for (name, finder, queries) in finders() {
        let mut field = finder.begin_field(&FieldQuery::new([queries[0].to()])).unwrap();
        field.advance(u64::MAX);
        for query in queries {
            let (_, allocations) = counted(|| (field.cost(query.from()), field.direction(query.from())));
            assert_eq!(allocations, 0, "{name}, {query:?}");
        }
    }
}

//! Limits on cost and length, against answers without limits.

use proptest::prelude::*;
use tilepath::{
    Algorithm, Answer, Cell, Cost, Grid, HeuristicKind, Limit, Movement, Outcome, Path, PathFinder,
    PathQuery, QueryError, Topology,
};

use crate::worlds::{Prices, World, cases, uniform_world, world};

const ALGORITHMS: [Algorithm; 10] = [
    Algorithm::Auto,
    Algorithm::JumpPoint,
    Algorithm::AStar,
    Algorithm::Dijkstra,
    Algorithm::WeightedAStar { percent: 100 },
    Algorithm::WeightedAStar { percent: 170 },
    Algorithm::Greedy,
    Algorithm::BreadthFirst,
    Algorithm::DepthFirst,
    Algorithm::Backtracking,
];

/// Returns the queries whose options matter to a limit.
fn queries(world: &World) -> Vec<PathQuery> {
    let plain = PathQuery::new(world.start(), world.goal());
    let mut queries = Vec::new();
    for algorithm in ALGORITHMS {
        let query = plain.with_algorithm(algorithm);
        queries.extend([query, query.or_closest(), query.without_reachability()]);
    }
    for heuristic in HeuristicKind::ALL {
        let query = plain.with_algorithm(Algorithm::AStar).with_heuristic(heuristic);
        queries.extend([query, query.or_closest(), query.without_pruning()]);
    }
    queries
}

/// Returns the longest beginning of a path within the limits.
fn beginning<'a>(world: &World, path: &'a Path, cost: Option<Cost>, steps: Option<u32>) -> &'a [Cell] {
    let oracle = world.oracle();
    let keeps = |cells: &&[Cell]| {
        let walked: Vec<_> = cells.iter().map(|&cell| world.position(cell)).collect();
        let spent = oracle.walk_cost(&walked).unwrap();
        cost.is_none_or(|most| spent <= u64::from(most.get()))
            && steps.is_none_or(|most| cells.len() - 1 <= most as usize)
    };
    let beginnings = (1..=path.cells().len()).rev().map(|length| &path.cells()[..length]);
    beginnings.into_iter().find(keeps).unwrap()
}

/// Returns whether the query's search ends as soon as all remaining paths cost too much.
fn may_end_early(world: &World, query: &PathQuery) -> bool {
    query.algorithm().is_exact() && query.heuristic().is_admissible(&world.movement(), Topology::Square)
}

fn check(world: &World, finder: &PathFinder, free: &PathQuery, cost: Option<Cost>, steps: Option<u32>) {
    let mut query = *free;
    query = cost.map_or(query, |cost| query.with_cost_limit(cost));
    query = steps.map_or(query, |steps| query.with_length_limit(steps));
    assert_eq!((query.cost_limit(), query.length_limit()), (cost, steps));
    let (all, some) = (finder.solve(free), finder.solve(&query));
    let all = match all {
        Err(QueryError::CostOverflow) => {
            // A cost that overflows is above any limit.
            let is_told = matches!(&some, Ok(answer) if is_limited(answer, Limit::Cost));
            assert!(is_told || some == Err(QueryError::CostOverflow), "{query:?}: {some:?}");
            let is_plain = !free.wants_closest() && cost.is_some() && may_end_early(world, free);
            assert!(is_told || !is_plain || free.heuristic() != HeuristicKind::Octile, "{query:?}: {some:?}");
            return;
        }
        Err(error) => return assert_eq!(some, Err(error)),
        Ok(all) => all,
    };
    let some = some.unwrap();
    assert!(some.statistics.expanded <= all.statistics.expanded, "{query:?}");
    let Some(path) = all.outcome.path_or_closest() else { return assert_eq!(some.outcome, all.outcome) };
    let is_costly = cost.is_some_and(|cost| path.cost() > cost);
    let is_long = steps.is_some_and(|steps| path.steps() > steps as usize);
    if !is_costly && !is_long {
        return assert_eq!(some, all, "{query:?}");
    }
    let Outcome::LimitReached { limit, best } = some.outcome else { panic!("{query:?}: {:?}", some.outcome) };
    assert_eq!(limit, if is_costly { Limit::Cost } else { Limit::Length });
    assert_eq!(best.start(), world.start());
    assert!(cost.is_none_or(|cost| best.cost() <= cost), "{best:?}");
    assert!(steps.is_none_or(|steps| best.steps() <= steps as usize), "{best:?}");
    world.check_path(&best);
    if !is_costly || !may_end_early(world, free) {
        assert_eq!(some.statistics, all.statistics, "a length prunes nothing: {query:?}");
        assert_eq!(best.cells(), beginning(world, path, cost, steps), "{query:?}");
    }
}

fn is_limited(answer: &Answer, expected: Limit) -> bool {
    matches!(answer.outcome, Outcome::LimitReached { limit, .. } if limit == expected)
}

/// Returns a limit near the needed value: the value × `share` (0 to 2), plus `more`.
fn around(needed: u64, share: f64, more: i64) -> u32 {
    let most = ((needed as f64 * share) as i64 + more).clamp(0, i64::from(u32::MAX));
    most as u32
}

fn check_all(world: &World, share: f64, more: i64) {
    let finder = world.finder();
    for free in queries(world) {
        let (cost, steps) = match finder.solve(&free) {
            Ok(Answer { outcome, .. }) => outcome
                .path_or_closest()
                .map_or((50, 5), |path| (u64::from(path.cost().get()), path.steps() as u64)),
            Err(_) => (u64::from(u32::MAX), 20),
        };
        let cost = Some(Cost::new(around(cost, share, more)));
        let steps = Some(around(steps, share, more.signum()));
        check(world, &finder, &free, cost, None);
        check(world, &finder, &free, None, steps);
        check(world, &finder, &free, cost, steps);
    }
}

fn share() -> impl Strategy<Value = f64> {
    prop_oneof![3 => Just(1.0), 3 => 0.0..1.0, 1 => 1.0..2.0, 1 => Just(0.0)]
}

proptest! {
    #![proptest_config(cases(120))]

    #[test]
    fn limits_judge_what_is_found_without_them(
        world in world(18, Prices::Low), share in share(), more in -1..=1_i64,
    ) {
        check_all(&world, share, more);
    }

    #[test]
    fn limits_judge_what_is_found_on_even_ground(
        world in uniform_world(24), share in share(), more in -1..=1_i64,
    ) {
        check_all(&world, share, more);
    }

    #[test]
    fn limits_judge_what_is_found_up_to_the_largest_costs(
        world in world(14, Prices::Any), share in share(), more in -1..=1_i64,
    ) {
        check_all(&world, share, more);
    }

    #[test]
    fn all_three_limits_together_are_kept(
        world in world(16, Prices::Low), expansions in 0..80_u64, cost in 0..400_u32, steps in 0..20_u32,
    ) {
        let finder = world.finder();
        for free in queries(&world) {
            let query = free.with_limit(expansions).with_cost_limit(Cost::new(cost)).with_length_limit(steps);
            let answer = finder.solve(&query);
            let Ok(Answer { outcome, statistics, .. }) = answer else { continue };
            prop_assert!(statistics.expanded <= expansions);
            if let Some(path) = outcome.path_or_closest() {
                world.check_path(path);
                prop_assert!(path.cost() <= Cost::new(cost) && path.steps() <= steps as usize, "{:?}", path);
            }
        }
    }
}

#[test]
fn a_low_cost_limit_saves_work_and_a_length_limit_none() {
    let finder = PathFinder::new(Grid::new(200, 200, 1).unwrap(), Movement::new());
    let query = PathQuery::new(Cell::new(0, 0), Cell::new(199, 120)).with_algorithm(Algorithm::Dijkstra);
    let free = finder.solve(&query).unwrap();
    let cheap = finder.solve(&query.with_cost_limit(Cost::new(100))).unwrap();
    assert!(is_limited(&cheap, Limit::Cost));
    assert!(cheap.statistics.expanded * 100 < free.statistics.expanded, "{cheap:?}");
    let led = finder.solve(&query.with_algorithm(Algorithm::AStar).with_cost_limit(Cost::new(100))).unwrap();
    assert_eq!(led.statistics.expanded, 1, "the estimate at the start is already above the limit");
    let short = finder.solve(&query.with_length_limit(3)).unwrap();
    assert!(is_limited(&short, Limit::Length));
    assert_eq!(short.statistics, free.statistics);
}

#[test]
fn a_goal_that_cannot_be_reached_stays_so_whatever_the_limits() {
    let grid = tilepath::format::parse_ascii("....#.").unwrap();
    let finder = PathFinder::new(grid, Movement::new());
    let query = PathQuery::new(Cell::new(0, 0), Cell::new(5, 0));
    let none = Outcome::Unreachable { closest: None };
    for algorithm in ALGORITHMS {
        for query in [query, query.without_reachability()] {
            let query = query.with_algorithm(algorithm);
            let costly = finder.solve(&query.with_cost_limit(Cost::new(10))).unwrap().outcome;
            let long = finder.solve(&query.with_length_limit(1)).unwrap().outcome;
            assert_eq!((&costly, &long), (&none, &none), "{query:?}");
        }
        // A path to the closest cell has the same limits as a path to a goal.
        let closest = query.with_algorithm(algorithm).or_closest();
        let kept = finder.solve(&closest.with_cost_limit(Cost::new(30)).with_length_limit(3)).unwrap();
        assert!(matches!(kept.outcome, Outcome::Unreachable { closest: Some(_) }), "{kept:?}");
        assert!(is_limited(&finder.solve(&closest.with_cost_limit(Cost::new(29))).unwrap(), Limit::Cost));
        assert!(is_limited(&finder.solve(&closest.with_length_limit(2)).unwrap(), Limit::Length));
    }
}

#[test]
fn a_unit_at_its_goal_is_there_under_limits_of_nothing() {
    let finder = PathFinder::new(Grid::new(3, 3, 0).unwrap(), Movement::new());
    let here = PathQuery::new(Cell::new(1, 1), Cell::new(1, 1));
    let query = here.with_limit(0).with_cost_limit(Cost::ZERO).with_length_limit(0);
    assert!(finder.solve(&query).unwrap().outcome.path().is_some());
}

#[test]
fn limits_and_what_they_led_to_are_recorded_and_replayed() {
    use tilepath::recording::{Recorder, Recording};
    let finder = PathFinder::new(Grid::new(30, 8, 1).unwrap(), Movement::new());
    let query = PathQuery::new(Cell::new(0, 0), Cell::new(29, 5));
    let mut recorder = Recorder::new(&finder);
    for query in [
        query.with_limit(3),
        query.with_cost_limit(Cost::new(100)),
        query.with_length_limit(7),
        query.with_cost_limit(Cost::MAX).with_length_limit(u32::MAX),
    ] {
        recorder.solve(&finder, &query).unwrap();
    }
    let recording = recorder.into_recording();
    let text = recording.to_ron();
    let read = Recording::from_text(&text).unwrap();
    assert_eq!(read, recording);
    let replayed = read.replay(|_| ()).unwrap();
    assert_eq!((replayed.answers, replayed.different), (4, 0));
    // Every field is written: formats without names of fields need it.
    let (cost, length) = (text.matches("cost_limit").count(), text.matches("length_limit").count());
    assert_eq!((cost, length), (4, 4), "{text}");
}

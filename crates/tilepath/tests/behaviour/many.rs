//! Many queries in one call, beside single queries.

use proptest::{collection::vec, prelude::*, sample::select};
use testkit::{DiagonalRule, Rules, Seed};
use tilepath::{
    Algorithm, Answer, Cell, Cost, Grid, HeuristicKind, Movement, PathFinder, PathQuery, QueryError,
};

use crate::worlds::{Prices, World, cases, uniform_world, world};

/// Returns the number of answers that came from a field: paths of many cells without expansions.
fn check(finder: &PathFinder, queries: &[PathQuery]) -> usize {
    let answers = finder.find_many(queries);
    assert_eq!(answers.len(), queries.len());
    assert_eq!(finder.find_many(queries), answers, "a second call gives the same answers");
    let mut read = 0;
    for (query, answer) in queries.iter().zip(answers) {
        let alone = finder.solve(query);
        match (answer, alone) {
            (Ok(Answer { outcome, statistics, .. }), Ok(alone)) => {
                assert_eq!(outcome, alone.outcome, "{query:?}");
                assert_eq!(statistics.algorithm, alone.statistics.algorithm, "{query:?}");
                if statistics != alone.statistics {
                    assert_eq!((statistics.expanded, statistics.generated), (0, 0), "{query:?}");
                    read += 1;
                }
            }
            (answer, alone) => assert_eq!(answer, alone, "{query:?}"),
        }
    }
    read
}

fn variant(query: PathQuery, kind: u8) -> PathQuery {
    match kind {
        0 => query.or_closest(),
        1 => query.with_algorithm(Algorithm::Dijkstra),
        2 => query.with_algorithm(Algorithm::JumpPoint),
        3 => query.with_algorithm(Algorithm::WeightedAStar { percent: 150 }),
        4 => query.with_algorithm(Algorithm::WeightedAStar { percent: 99 }),
        5 => query.with_limit(20),
        6 => query.with_cost_limit(Cost::new(90)),
        7 => query.with_length_limit(6),
        8 => query.with_algorithm(Algorithm::AStar).with_heuristic(HeuristicKind::Manhattan),
        9 => query.without_reachability().without_pruning(),
        _ => query,
    }
}

fn asked(longest: i32) -> impl Strategy<Value = Vec<((i32, i32), usize, u8)>> {
    // Also cells one step beyond the map on each side.
    vec(((-1..=longest, -1..=longest), 0..3_usize, 0..30_u8), 0..120)
}

fn check_world(world: &World, asked: &[((i32, i32), usize, u8)], goals: &[(i32, i32)]) {
    let queries: Vec<_> = (asked.iter())
        .map(|&(start, goal, kind)| variant(PathQuery::new(world.cell(start), world.cell(goals[goal])), kind))
        .collect();
    check(&world.finder(), &queries);
}

proptest! {
    #![proptest_config(cases(150))]

    #[test]
    fn many_answers_are_those_of_one_at_a_time(
        world in prop_oneof![world(16, Prices::Low), uniform_world(16)],
        asked in asked(16),
        goals in vec((-1..16, 0..16), 3),
    ) {
        let mut goals = goals;
        goals[0] = world.goal;
        // Cells at the coordinate limits have no cells beyond them.
        prop_assume!(world.origin.x > i32::MIN);
        check_world(&world, &asked, &goals);
    }

    #[test]
    fn many_answers_are_those_of_one_at_a_time_up_to_the_largest_costs(
        world in world(12, Prices::Any),
        asked in asked(12),
    ) {
        prop_assume!(world.origin.x > i32::MIN);
        let goals = [world.goal, world.start, world.goal];
        check_world(&world, &asked, &goals);
    }

    #[test]
    fn many_answers_on_uneven_ground_are_those_of_one_at_a_time(
        number in 0..10_000_u32, rule in select(DiagonalRule::ALL.to_vec()), walls in 0..50_u32,
    ) {
        let seed = Seed::named(&format!("many queries {number}"));
        let map = testkit::noise(18, 15, 9, walls, &seed);
        let queries = map.queries(150, &seed);
        let world = World::new(map, Rules::classic(rule));
        let goals = [queries[0].1, queries[1].1];
        let queries: Vec<_> = (queries.iter().enumerate())
            .map(|(index, &(start, _))| PathQuery::new(world.cell(start), world.cell(goals[index % 5 / 4])))
            .collect();
        check(&world.finder(), &queries);
    }
}

#[test]
fn a_field_answers_where_it_pays_and_no_other_way_is_as_cheap() {
    let mut read = Vec::new();
    for map in [
        testkit::maze(41, 41, 1, &Seed::named("many in a maze")),
        testkit::noise(40, 40, 9, 15, &Seed::named("many on noise")),
        testkit::open(40, 40),
    ] {
        let mut queries = map.queries(300, &Seed::named("many"));
        let goal = queries[0].1;
        for query in &mut queries {
            query.1 = goal;
        }
        let world = World::new(map, Rules::classic(DiagonalRule::OnlyWhenNoObstacles));
        let queries: Vec<_> = (queries.iter())
            .map(|&(start, goal)| {
                PathQuery::new(world.cell(start), world.cell(goal)).with_algorithm(Algorithm::AStar)
            })
            .collect();
        read.push(check(&world.finder(), &queries));
    }
    assert!(read[0] > 200, "{read:?}: a maze has only one path");
    assert!(read[1] > 20, "{read:?}");
    assert_eq!(read[2], 0, "{read:?}: open ground has many paths");
}

#[test]
fn no_queries_have_no_answers_and_errors_stand_in_their_places() {
    let mut stranger = PathFinder::new(Grid::new(3, 3, 1).unwrap(), Movement::new());
    let unknown = stranger.add_movement(Movement::new());
    let finder = PathFinder::new(Grid::new(3, 3, 1).unwrap(), Movement::new());
    assert!(finder.find_many(&[]).is_empty());
    let good = PathQuery::new(Cell::new(0, 0), Cell::new(2, 2));
    let outside = PathQuery::new(Cell::new(0, 0), Cell::new(9, 9));
    let answers = finder.find_many(&[outside, good, good.with_movement(unknown), good, outside]);
    assert!(matches!(answers[0], Err(QueryError::GoalOutOfBounds { .. })));
    assert_eq!(answers[1], finder.solve(&good));
    assert_eq!(answers[2], Err(QueryError::UnknownMovement(unknown)));
    assert_eq!((&answers[3], &answers[4]), (&answers[1], &answers[0]));
}

//! Every answer against brute force.

use proptest::prelude::*;
use testkit::{DiagonalRule, Rules, Seed, TileMap};
use tilepath::{Algorithm, Cost, Outcome, PathQuery, QueryError};

use crate::worlds::{Prices, World, cases, edits, long_uniform_world, uniform_world, world};

const EXACT: [Algorithm; 5] = [
    Algorithm::Auto,
    Algorithm::AStar,
    Algorithm::Dijkstra,
    Algorithm::JumpPoint,
    Algorithm::WeightedAStar { percent: 100 },
];
const APPROXIMATE: [Algorithm; 4] = [
    Algorithm::Greedy,
    Algorithm::WeightedAStar { percent: 130 },
    Algorithm::WeightedAStar { percent: 700 },
    Algorithm::BreadthFirst,
];

/// Returns whether a search may drop a candidate because its cost overflows. It may if the cost of
/// the costliest path plus the largest estimate is above the largest cost.
fn may_overflow(world: &World, costs: &[Option<u64>]) -> bool {
    let costliest = costs.iter().flatten().max().copied().unwrap_or(0);
    let largest = world.rules.multipliers.iter().max().copied().unwrap_or(0) * world.rules.diagonal;
    let side = u64::from(world.map.width + world.map.height);
    costliest + largest * (side + 1) > u64::from(u32::MAX)
}

/// Checks that the answer of an exact algorithm is the oracle's answer.
fn check_exact(world: &World, query: &PathQuery, answer: Result<Outcome, QueryError>) {
    let (start, goal) = (world.position(query.start()), world.position(query.goal()));
    let costs = world.oracle().costs_from(start);
    let slot = world.map.slot(goal);
    let expected =
        if query.wants_closest() { world.oracle().cost_or_closest(start, goal) } else { costs[slot] };
    match (expected, answer) {
        (Some(cost), Ok(Outcome::Found(path))) => {
            assert_eq!(u64::from(path.cost().get()), cost, "{query:?}");
            assert_eq!((path.start(), path.goal()), (query.start(), query.goal()));
            assert!(path.is_optimal(), "{query:?}");
            assert_eq!(path.lower_bound(), path.cost());
            world.check_path(&path);
        }
        (Some(cost), Err(QueryError::CostOverflow)) => {
            assert!(cost > u64::from(u32::MAX), "a cost of {cost} fits into a `Cost`: {query:?}");
        }
        (None, Ok(Outcome::Unreachable { closest })) => {
            assert_eq!(closest.is_some(), query.wants_closest());
            if let Some(path) = closest {
                let (slot, cost) = world.oracle().closest(start, goal);
                assert_eq!(world.position(path.goal()), world.map.position(slot), "{query:?}");
                assert_eq!(u64::from(path.cost().get()), cost, "{query:?}");
                assert_eq!(path.start(), query.start());
                world.check_path(&path);
            }
        }
        (None, Err(QueryError::CostOverflow)) if may_overflow(world, &costs) => {}
        (_, Err(QueryError::NoJumpPoints)) => assert_no_jump_points(world, query),
        (expected, answer) => panic!("oracle {expected:?}, core {answer:?} to {query:?}"),
    }
}

/// Checks that jump points are refused only to queries that name them, and only for a reason that
/// the error names.
fn assert_no_jump_points(world: &World, query: &PathQuery) {
    assert_eq!(query.algorithm(), Algorithm::JumpPoint);
    let Rules { diagonals, straight, diagonal, multipliers } = &world.rules;
    let mut costs: Vec<_> = world.map.classes.iter().map(|&class| multipliers[usize::from(class)]).collect();
    costs.retain(|&cost| cost != 0);
    costs.sort_unstable();
    costs.dedup();
    let is_uniform = costs.len() == 1;
    let longest = u64::from(world.map.width + world.map.height);
    let is_costly = costs.iter().any(|cost| cost * diagonal * longest > u64::from(u32::MAX));
    let has_proper_steps =
        *diagonals == DiagonalRule::Never || straight < diagonal && *diagonal < 2 * straight;
    assert!(!is_uniform || !has_proper_steps || is_costly, "{query:?} is fit for jump points");
}

fn ask_exact(world: &World) {
    let finder = world.finder();
    for algorithm in EXACT {
        for query in [
            PathQuery::new(world.start(), world.goal()).with_algorithm(algorithm),
            PathQuery::new(world.start(), world.goal()).with_algorithm(algorithm).or_closest(),
        ] {
            check_exact(world, &query, finder.solve(&query).map(|answer| answer.outcome));
        }
    }
    let query = PathQuery::new(world.start(), world.goal());
    check_exact(world, &query, finder.find(world.start(), world.goal()));
}

proptest! {
    #![proptest_config(cases(400))]

    #[test]
    fn exact_answers_equal_the_oracles(world in world(40, Prices::Low)) {
        ask_exact(&world);
    }

    #[test]
    fn exact_answers_equal_the_oracles_up_to_the_largest_costs(world in world(24, Prices::Any)) {
        ask_exact(&world);
    }

    #[test]
    fn exact_answers_equal_the_oracles_on_even_ground(world in uniform_world(40)) {
        ask_exact(&world);
    }

    #[test]
    fn a_blocked_start_is_left_and_not_entered_again(mut world in world(12, Prices::Low)) {
        let slot = world.map.slot(world.start);
        world.map.classes[slot] = 0;
        world.rules.multipliers[0] = 0;
        ask_exact(&world);
    }

    #[test]
    fn answers_follow_every_edit(world in world(16, Prices::Low), edits in edits(1..=12)) {
        let mut now = world.clone();
        let mut finder = world.finder();
        for ((x, y), class) in edits {
            let place = (x % world.map.width as i32, y % world.map.height as i32);
            let slot = now.map.slot(place);
            let changes = now.map.classes[slot] != class;
            now.map.classes[slot] = class;
            prop_assert_eq!(finder.set_terrain(now.cell(place), class), Ok(changes));
            prop_assert_eq!(finder.grid().classes(), &now.map.classes[..]);
            let query = PathQuery::new(now.start(), now.goal()).or_closest();
            let answer = finder.solve(&query).map(|answer| answer.outcome);
            // Edits leave no trace: a finder that never had another map finds the same path.
            prop_assert_eq!(&answer, &now.finder().solve(&query).map(|answer| answer.outcome));
            check_exact(&now, &query, answer);
        }
    }

    #[test]
    fn approximate_answers_keep_what_they_state(world in world(30, Prices::Low), percent in 100..=400_u16) {
        let finder = world.finder();
        let cost = world.oracle().cost(world.start, world.goal);
        let algorithms = [Algorithm::Greedy, Algorithm::WeightedAStar { percent }, Algorithm::BreadthFirst];
        for algorithm in algorithms {
            let query = PathQuery::new(world.start(), world.goal()).with_algorithm(algorithm);
            let outcome = finder.solve(&query).unwrap().outcome;
            let Some(cost) = cost else {
                prop_assert_eq!(outcome, Outcome::Unreachable { closest: None });
                continue;
            };
            let Outcome::Found(path) = outcome else { panic!("{algorithm}: {outcome:?}, oracle {cost}") };
            world.check_path(&path);
            prop_assert_eq!((path.start(), path.goal()), (world.start(), world.goal()));
            let found = u64::from(path.cost().get());
            if let Algorithm::WeightedAStar { percent } = algorithm {
                prop_assert!(found * 100 <= cost * u64::from(percent), "{found} is over {percent} % of {cost}");
            }
            if algorithm == Algorithm::BreadthFirst {
                let fewest = world.oracle().steps_from(world.start)[world.map.slot(world.goal)];
                prop_assert_eq!(Some(path.steps() as u64), fewest);
            }
        }
    }

    #[test]
    fn approximate_searches_end_as_close_to_the_goal(world in world(20, Prices::Low)) {
        let finder = world.finder();
        let oracle = world.oracle();
        if oracle.cost(world.start, world.goal).is_some() {
            return Ok(());
        }
        let (slot, cost) = oracle.closest(world.start, world.goal);
        let distances = oracle.distances_to(world.goal);
        for algorithm in APPROXIMATE {
            let query = PathQuery::new(world.start(), world.goal()).with_algorithm(algorithm).or_closest();
            let outcome = finder.solve(&query).unwrap().outcome;
            let Outcome::Unreachable { closest: Some(path) } = outcome else { panic!("{outcome:?}") };
            world.check_path(&path);
            let end = world.map.slot(world.position(path.goal()));
            prop_assert_eq!(distances[end], distances[slot], "{}", algorithm);
            if end == slot {
                prop_assert!(u64::from(path.cost().get()) >= cost);
            }
        }
    }

    #[test]
    fn a_limit_gives_the_same_answer_or_says_so(world in world(20, Prices::Low), limit in 0..300_u64) {
        let finder = world.finder();
        for algorithm in EXACT.into_iter().chain(APPROXIMATE) {
            let free = PathQuery::new(world.start(), world.goal()).with_algorithm(algorithm);
            let Ok(all) = finder.solve(&free) else { continue };
            let some = finder.solve(&free.with_limit(limit)).unwrap();
            prop_assert!(some.statistics.expanded <= limit);
            let needs_no_search = all.statistics.expanded == 0;
            if all.statistics.expanded < limit || needs_no_search {
                prop_assert_eq!(some, all);
            } else {
                let Outcome::LimitReached { best, .. } = some.outcome else { panic!("{:?}", some.outcome) };
                prop_assert_eq!(best.start(), world.start());
                world.check_path(&best);
            }
        }
    }

    #[test]
    fn both_ways_cost_the_same_on_even_ground(mut world in uniform_world(30)) {
        for end in [world.start, world.goal] {
            let slot = world.map.slot(end);
            world.map.classes[slot] = 1;
        }
        let finder = world.finder();
        let cost = |from, to| finder.find(from, to).unwrap().path().map(tilepath::Path::cost);
        prop_assert_eq!(cost(world.start(), world.goal()), cost(world.goal(), world.start()));
    }

    #[test]
    fn start_equal_to_goal_is_a_path_of_one_cell(world in world(6, Prices::Any)) {
        let finder = world.finder();
        for algorithm in [Algorithm::Auto, Algorithm::Greedy, Algorithm::BreadthFirst, Algorithm::Dijkstra] {
            let query = PathQuery::new(world.start(), world.start()).with_algorithm(algorithm);
            let outcome = finder.solve(&query).unwrap().outcome;
            let path = outcome.into_path().unwrap();
            prop_assert_eq!(path.cells(), &[world.start()]);
            prop_assert_eq!(path.cost(), Cost::ZERO);
            prop_assert!(path.is_optimal());
        }
    }

    #[test]
    fn one_more_wall_never_makes_the_way_cheaper(mut world in world(20, Prices::Low), wall in (0..20, 0..20)) {
        world.rules.multipliers[0] = 0;
        let cost = |world: &World| world.finder().find(world.start(), world.goal()).unwrap().path().map(tilepath::Path::cost);
        let before = cost(&world);
        let place = (wall.0 % world.map.width as i32, wall.1 % world.map.height as i32);
        let slot = world.map.slot(place);
        world.map.classes[slot] = 0;
        // A wall may turn a unit deep in closed ground to another exit.
        prop_assume!(world.oracle().way_out(world.start).is_empty());
        match (before, cost(&world)) {
            (None, after) => prop_assert_eq!(after, None),
            (Some(_), None) => {}
            (Some(before), Some(after)) => prop_assert!(after >= before),
        }
    }
}

proptest! {
    #![proptest_config(cases(120))]

    #[test]
    fn exact_answers_equal_the_oracles_across_the_seams_of_machine_words(world in long_uniform_world()) {
        ask_exact(&world);
    }
}

/// Maps as in games, with many queries each.
#[test]
fn exact_answers_equal_the_oracles_on_every_kind_of_map() {
    let seed = |name: &str| Seed::named(name);
    let maps: Vec<TileMap> = vec![
        testkit::open(37, 23),
        testkit::cluttered(40, 33, 20, &seed("light clutter")),
        testkit::cluttered(40, 33, 40, &seed("dense clutter")),
        testkit::rooms(40, 40, 6, &seed("rooms")),
        testkit::maze(41, 31, 1, &seed("narrow maze")),
        testkit::maze(40, 39, 3, &seed("wide maze")),
        testkit::caves(60, 40, &seed("caves")),
        testkit::terrain(50, 40, 9, 20, &seed("hills")),
        testkit::noise(40, 40, 9, 15, &seed("noise")),
    ];
    for map in maps {
        for diagonals in DiagonalRule::ALL {
            let mut world = World::new(map.clone(), Rules::classic(diagonals));
            let finder = world.finder();
            let oracle = world.oracle();
            for (start, goal) in map.queries(12, &seed("questions")) {
                (world.start, world.goal) = (start, goal);
                let expected = oracle.cost(start, goal);
                for algorithm in EXACT {
                    let query = PathQuery::new(world.start(), world.goal()).with_algorithm(algorithm);
                    let answer = finder.solve(&query);
                    if answer == Err(QueryError::NoJumpPoints) {
                        assert_no_jump_points(&world, &query);
                        continue;
                    }
                    let outcome = answer.unwrap().outcome;
                    let found = outcome.path().map(|path| u64::from(path.cost().get()));
                    assert_eq!(found, expected, "{} {diagonals:?} {query:?}", map.name);
                    if let Some(path) = outcome.path() {
                        world.check_path(path);
                    }
                }
            }
        }
    }
}

/// On ground of very unequal costs, weighted A* finds cheaper paths to expanded cells. It keeps the
/// expensive ones, so the stated cost must be theirs.
#[test]
fn a_weighted_search_states_what_its_path_costs() {
    for number in 0..400 {
        let seed = Seed::named(&format!("unequal ground {number}"));
        let map = testkit::noise(14, 14, 9, 10 + number % 40, &seed);
        let queries = map.queries(2, &seed);
        let mut world = World::new(map, Rules::classic(DiagonalRule::OnlyWhenNoObstacles));
        world.rules.multipliers =
            std::array::from_fn(|class| [0, 1, 1, 1, 1, 1, 3, 3, 40, 40].get(class).copied().unwrap_or(0));
        let finder = world.finder();
        for (start, goal) in queries {
            for percent in [120, 200, 300, 800] {
                for limit in [u64::MAX, 30, 60] {
                    let query = PathQuery::new(world.cell(start), world.cell(goal))
                        .with_algorithm(Algorithm::WeightedAStar { percent })
                        .with_limit(limit);
                    if let Some(path) = finder.solve(&query).unwrap().outcome.path_or_closest() {
                        world.check_path(path);
                    }
                }
            }
        }
    }
}

/// A search may first reach a jump point by a detour. The cheapest path passes that point without a
/// turn.
#[test]
fn a_limit_does_not_call_a_detour_of_jump_points_optimal() {
    let scene = testkit::Scene::from_picture(
        "
        .....
        G#...
        #....
        ...#.
        ....S
    ",
    );
    let mut rules = Rules::classic(DiagonalRule::IfAtMostOneObstacle);
    (rules.straight, rules.diagonal) = (2, 3);
    let mut world = World::new(scene.map.clone(), rules);
    (world.start, world.goal) = (scene.start(), scene.goal());
    let finder = world.finder();
    for limit in 0..12 {
        let query = PathQuery::new(world.start(), world.goal()).with_algorithm(Algorithm::JumpPoint);
        let outcome = finder.solve(&query.with_limit(limit)).unwrap().outcome;
        world.check_path(outcome.path_or_closest().unwrap());
    }
}

/// Two cells are equally close to the goal and cost the same. The search expands the one with the
/// smaller slot last.
#[test]
fn weighted_search_without_a_weight_is_exact_about_the_closest_cell_too() {
    let scene = testkit::Scene::from_picture(
        "
        ###..
        ###.S
        G#.#.
    ",
    );
    let mut world = World::new(scene.map.clone(), Rules::classic(DiagonalRule::Never));
    (world.start, world.goal) = (scene.start(), scene.goal());
    let finder = world.finder();
    for algorithm in [Algorithm::Auto, Algorithm::Dijkstra, Algorithm::WeightedAStar { percent: 100 }] {
        assert!(algorithm.is_exact());
        let query = PathQuery::new(world.start(), world.goal()).with_algorithm(algorithm).or_closest();
        let answer = finder.solve(&query).map(|answer| answer.outcome);
        check_exact(&world, &query, answer);
    }
}

#[test]
fn movements_of_one_finder_do_not_disturb_each_other() {
    use tilepath::{CostTable, Diagonals, Movement};
    let map = testkit::terrain(40, 30, 4, 15, &Seed::named("three units"));
    let world = World::new(map.clone(), Rules::classic(DiagonalRule::OnlyWhenNoObstacles));
    let mut finder = world.finder();
    let boat = finder.add_movement(Movement::new().with_costs(CostTable::impassable().with(0, 3).with(1, 1)));
    let climber = finder
        .add_movement(Movement::new().with_costs(CostTable::uniform()).with_diagonals(Diagonals::Always));
    let mut boat_rules = Rules::classic(DiagonalRule::OnlyWhenNoObstacles);
    boat_rules.multipliers = [0; 256];
    (boat_rules.multipliers[0], boat_rules.multipliers[1]) = (3, 1);
    let mut climber_rules = Rules::classic(DiagonalRule::Always);
    climber_rules.multipliers = std::array::from_fn(|class| u64::from(class != 0));
    let units = [
        (tilepath::MovementId::default(), world.rules.clone()),
        (boat, boat_rules),
        (climber, climber_rules),
    ];
    let queries = map.queries(40, &Seed::named("three units"));
    for &(start, goal) in &queries {
        for (movement, rules) in &units {
            let unit = World::new(map.clone(), rules.clone());
            let query = PathQuery::new(unit.cell(start), unit.cell(goal)).with_movement(*movement);
            check_exact(&unit, &query, finder.solve(&query).map(|answer| answer.outcome));
        }
    }
}

//! Public values through files and messages of four formats, and damaged messages.
//!
//! This is a binary of its own, because a counting allocator replaces the default one.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails where it stands")]

use std::{any::type_name, collections::BTreeSet, fmt::Debug, path::Path as FilePath};

use allocation_counter::measure;
use serde::{Serialize, de::DeserializeOwned};
use testkit::{Seed, assert_damage_is_borne, assert_read_back, public_serde_types_in};
use tilepath::{
    Algorithm, Answer, Bounds, Cell, Cost, CostTable, Crossing, Diagonals, Direction, Edit, Exits, Forbidden,
    Grid, HeuristicKind, Lattice, Limit, Movement, MovementId, NearestAnswer, NearestQuery, Outcome, Path,
    PathFault, PathFinder, PathQuery, QueryError, Size, StepCosts, Topology,
    crowd::{Activity, Body, Crowd, CrowdState, FieldGuide, Patience, Policy, RecordedTick, Steps},
    formation::Formation,
    graph::Position,
    recording::RecordedEntry,
    turns::{LongStep, TurnQuery, Zone},
    waypoint::{RouteLeg, RouteOptions, WaypointEdge, WaypointGraph},
};

/// The types whose values were read back.
#[derive(Default)]
struct Seen(BTreeSet<&'static str>);

impl Seen {
    fn all<T: Serialize + DeserializeOwned + PartialEq + Debug>(&mut self, values: &[T]) {
        assert!(!values.is_empty());
        values.iter().for_each(assert_read_back);
        self.0.insert(type_name::<T>().rsplit("::").next().unwrap());
    }
}

fn cell(x: i32, y: i32) -> Cell {
    Cell::new(x, y)
}

/// Returns a map with voids, exits, overlays and classes above 9, which does not begin at (0, 0).
fn eventful_grid(topology: Topology) -> Grid {
    let mut grid = Grid::new(9, 7, 1).unwrap().with_origin(cell(-2, 3)).unwrap().with_topology(topology);
    let edits = [
        Edit::terrain(cell(0, 4), 0),
        Edit::terrain(cell(1, 4), 200),
        Edit::void(cell(6, 9)),
        Edit::ledge(cell(2, 5), Direction::East),
        Edit::overlay("fire", cell(3, 5), 40),
        Edit::overlay("snow", cell(3, 6), 7),
        Edit::edges("river", cell(3, 6), [Direction::North, Direction::West]),
    ];
    grid.edit(&edits).unwrap();
    grid
}

fn movements() -> Vec<Movement> {
    let boat =
        CostTable::impassable().with(1, 3).with(200, 60_000).with(17, 2).with(18, 2).with(19, 2).with(20, 2);
    vec![
        Movement::new().with_turn_end([1], [2]),
        Movement::new()
            .with_step_cost([1, 2], 0..=255, 7)
            .with_edges("river", Crossing::Costs(6))
            .with_edges("cliff", Crossing::Closed),
        Movement::new()
            .with_costs(boat)
            .with_diagonals(Diagonals::Always)
            .with_overlay("snow")
            .with_overlay("fire"),
        Movement::new().with_size(Size::new(3).unwrap()).with_steps(StepCosts::PRECISE),
    ]
}

fn queries() -> Vec<PathQuery> {
    let query = PathQuery::new(cell(-2, 3), cell(6, 8));
    vec![
        query,
        query.or_closest().with_limit(3).with_algorithm(Algorithm::WeightedAStar { percent: 250 }),
        query.with_cost_limit(Cost::new(30)).without_pruning().with_heuristic(HeuristicKind::Zero),
        query.with_length_limit(2).without_reachability().without_landmarks(),
        query.with_landmarks().with_movement(MovementId::FIRST).with_drawn_shape(),
    ]
}

fn answers() -> Vec<Answer> {
    let mut walled = eventful_grid(Topology::Square);
    walled.edit(&[Edit::terrain_in(Bounds::new(cell(4, 3), 1, 7).unwrap(), 0)]).unwrap();
    let finders = [Topology::Square, Topology::Hexagonal]
        .map(|topology| PathFinder::new(eventful_grid(topology), Movement::new()));
    let walled = PathFinder::new(walled, Movement::new());
    let asked = |finder: &PathFinder| {
        queries().into_iter().filter_map(|query| finder.solve(&query).ok()).collect::<Vec<Answer>>()
    };
    let mut answers: Vec<Answer> = finders.iter().flat_map(asked).chain(asked(&walled)).collect();
    answers.push(walled.solve(&queries()[0].or_closest()).unwrap());
    let is = |outcome: fn(&Outcome) -> bool| answers.iter().any(|answer| outcome(&answer.outcome));
    assert!(is(|outcome| matches!(outcome, Outcome::Found(_))));
    assert!(is(|outcome| matches!(outcome, Outcome::Unreachable { closest: None })));
    assert!(is(|outcome| matches!(outcome, Outcome::Unreachable { closest: Some(_) })));
    assert!(is(|outcome| matches!(outcome, Outcome::LimitReached { limit: Limit::Cost, .. })));
    answers
}

fn nearest() -> (NearestQuery, NearestAnswer) {
    let finder = PathFinder::new(eventful_grid(Topology::Square), Movement::new());
    let query = NearestQuery::new(cell(-2, 3), vec![cell(6, 8), cell(5, 3), cell(0, 4)]).with_count(2);
    let answer = finder.solve_nearest(&query).unwrap();
    (query, answer)
}

/// Returns a recorded tick of a crowd, and its state after the tick.
fn crowd() -> (RecordedTick, CrowdState) {
    let finder = PathFinder::new(Grid::new(9, 3, 1).unwrap(), Movement::new());
    let fields = [finder.field(&[cell(8, 1)]).unwrap()];
    let mut guide = FieldGuide {
        steps: Steps::new(&finder, MovementId::FIRST).unwrap(),
        fields: &fields,
        field_of: &[0, 0, 0],
    };
    let mut crowd = Crowd::new(finder.grid());
    for (number, x) in [(7, 0), (8, 1)] {
        let activity = Activity::UnderWay { since: number };
        crowd.insert(&Body { activity, ..Body::new(number, cell(x, 1)) }).unwrap();
    }
    let large = Body { size: Size::new(2).unwrap(), activity: Activity::Resting, ..Body::new(9, cell(3, 0)) };
    crowd.insert(&large).unwrap();
    crowd.tick(&mut guide);
    let tick = crowd.tick_recorded(&mut guide);
    (tick, crowd.state())
}

fn graph() -> WaypointGraph {
    let mut graph = WaypointGraph::new();
    for (id, x) in [("inn", 0.0), ("gate", 4.5), ("mill", 9.0)] {
        graph.add(id, Position::new(x, x / 2.0)).unwrap();
    }
    graph.join("inn", "gate").unwrap();
    graph.join_one_way("gate", "mill").unwrap();
    graph.set_edge("gate", "mill", WaypointEdge::with_speed(0.5)).unwrap();
    graph
}

fn entries() -> Vec<RecordedEntry> {
    let (query, answer) = nearest();
    let (tick, _) = crowd();
    let asked = |query| RecordedEntry::Query { query, answer: None };
    let answered = (queries().into_iter().zip(answers()))
        .map(|(query, answer)| RecordedEntry::Query { query, answer: Some(Ok(answer)) });
    let refused = Err(QueryError::InvalidWeight { percent: 3 });
    [
        RecordedEntry::Edits(edits()),
        RecordedEntry::Movement { id: MovementId::FIRST, movement: movements().remove(1) },
        RecordedEntry::Removed { id: MovementId::FIRST },
        RecordedEntry::Map { grid: eventful_grid(Topology::Hexagonal), movements: movements() },
        asked(queries()[0]),
        RecordedEntry::Query { query: queries()[1], answer: Some(refused) },
        RecordedEntry::Nearest { query: query.clone(), answer: None },
        RecordedEntry::Nearest { query, answer: Some(Ok(answer)) },
        RecordedEntry::Crowd(Box::new(tick)),
    ]
    .into_iter()
    .chain(answered)
    .collect()
}

fn edits() -> Vec<Edit> {
    let area = Bounds::new(cell(-1, 2), 3, 4).unwrap();
    vec![
        Edit::terrain(cell(1, 2), 9),
        Edit::terrain_in(area, 3),
        Edit::void(cell(0, 0)),
        Edit::void_in(area),
        Edit::exits(cell(1, 1), Exits::from_bits(0b1010)),
        Edit::fence(cell(1, 1), cell(1, 2)),
        Edit::ledge(cell(1, 1), Direction::South),
        Edit::one_way(cell(1, 1), cell(2, 1)),
        Edit::open_edge(cell(1, 1), cell(2, 1)),
        Edit::overlay("fire", cell(3, 3), 12),
        Edit::overlay_in("fire", area, 4),
        Edit::clear_overlay("fire"),
        Edit::edges("river", cell(1, 1), [Direction::South]),
        Edit::clear_edges("river"),
    ]
}

fn errors() -> Vec<QueryError> {
    let (start, bounds) = (cell(1, 2), Bounds::new(cell(0, 0), 2, 2).unwrap());
    vec![
        QueryError::ClosedStart { cell: start, side: 2 },
        QueryError::GoalOutOfBounds { cell: start, bounds },
        QueryError::OverlayTooHigh { overlays: 70_000, table: 9 },
        QueryError::EdgesTooHigh { multiplier: 70_000, step: 65_535 },
        QueryError::CostOverflow,
        QueryError::NoJumpPoints,
    ]
}

fn small_values(seen: &mut Seen) {
    seen.all(&[Algorithm::Auto, Algorithm::JumpPoint, Algorithm::WeightedAStar { percent: 130 }]);
    seen.all(&[Crossing::Costs(7), Crossing::Closed, Crossing::EndsTurn]);
    seen.all(&Diagonals::ALL);
    seen.all(&Direction::ALL);
    seen.all(&[Forbidden::Unreachable, Forbidden::Cells(vec![cell(1, 1)])]);
    seen.all(&[HeuristicKind::Octile, HeuristicKind::Zero, HeuristicKind::Euclidean]);
    seen.all(Lattice::ALL);
    seen.all(&[Limit::Expansions, Limit::Cost, Limit::Length]);
    seen.all(&[Topology::Square, Topology::Hexagonal]);
    seen.all(&[Bounds::new(cell(-3, 4), 5, 6).unwrap()]);
    seen.all(&[cell(i32::MIN, i32::MAX)]);
    seen.all(&[Cost::new(0), Cost::new(u32::MAX)]);
    seen.all(&[Exits::ALL, Exits::from_bits(3)]);
    seen.all(&[MovementId::FIRST]);
    seen.all(&[Size::ONE, Size::new(4).unwrap()]);
    seen.all(&[StepCosts::CLASSIC, StepCosts::PRECISE]);
    seen.all(&[PathFault::NoCells, PathFault::WrongCost { stated: Cost::new(1), actual: Cost::new(2) }]);
    seen.all(&errors());
    seen.all(&edits());
    seen.all(Formation::ALL);
    seen.all(&[Position::new(-1.5, f64::MAX)]);
    seen.all(&[WaypointEdge::with_speed(0.25)]);
    seen.all(&[Activity::UnderWay { since: 4 }, Activity::Resting, Activity::Returning, Activity::Fixed]);
    seen.all(&[Policy::Wait, Policy::GoRound, Policy::GiveUp]);
    let zones = [Zone::new([cell(1, 1)]).except([cell(2, 2)]), Zone::beside([cell(3, 3)])];
    seen.all(&zones);
    seen.all(&[LongStep::Never, LongStep::OwnTurn, LongStep::AnyPoints]);
    let turns = TurnQuery::new(cell(0, 0), Cost::new(50)).with_no_stop([cell(1, 0)]);
    let [zone, _] = zones;
    seen.all(&[
        turns.clone(),
        turns.with_zone(zone).with_points_on([7], Cost::new(90)).with_stops_only_on([cell(4, 4)]),
    ]);
    seen.all(&[Patience::of([(Policy::Wait, 3), (Policy::GiveUp, 9)])]);
}

#[test]
fn public_values_are_read_back_from_each_format() {
    let mut seen = Seen::default();
    small_values(&mut seen);
    seen.all(&[eventful_grid(Topology::Square), eventful_grid(Topology::Hexagonal)]);
    seen.all(&movements().iter().map(|movement| movement.costs().clone()).collect::<Vec<CostTable>>());
    seen.all(&movements());
    seen.all(&queries());
    let answers = answers();
    seen.all(&answers);
    seen.all(&answers.iter().map(|answer| answer.statistics).collect::<Vec<_>>());
    seen.all(&answers.iter().map(|answer| answer.outcome.clone()).collect::<Vec<_>>());
    seen.all(&answers.into_iter().filter_map(|answer| answer.outcome.into_path()).collect::<Vec<Path>>());
    let (query, answer) = nearest();
    seen.all(&[query]);
    seen.all(&answer.goals);
    seen.all(&[answer]);
    let (tick, state) = crowd();
    seen.all(&state.bodies().iter().map(|body| body.activity).collect::<Vec<_>>());
    seen.all(state.bodies());
    seen.all(&[state]);
    seen.all(&[tick]);
    let graph = graph();
    let route =
        graph.find_route(Position::new(0.0, 1.0), Position::new(9.0, 3.0), RouteOptions::default()).unwrap();
    let route = route.unwrap();
    seen.all(route.points());
    seen.all(&route.points().iter().map(|point| point.leg.clone()).collect::<Vec<RouteLeg>>());
    seen.all(&[graph]);
    seen.all(&entries());
    let mut crowd_of_ids = Crowd::new(&Grid::new(2, 2, 1).unwrap());
    seen.all(&[crowd_of_ids.insert(&Body::new(0, cell(0, 0))).unwrap()]);

    let public = public_serde_types_in(&FilePath::new(env!("CARGO_MANIFEST_DIR")).join("src"));
    assert!(public.len() > 35, "the sources were read");
    let missing: Vec<&String> = public.iter().filter(|name| !seen.0.contains(name.as_str())).collect();
    assert!(missing.is_empty(), "no value of {missing:?} was read back");
}

/// Returns the most bytes that a call holds at a time.
fn most_bytes(call: &mut dyn FnMut()) -> u64 {
    measure(call).bytes_max
}

#[test]
fn damaged_messages_are_refused_within_little_memory() {
    let seed = Seed::named("damaged messages");
    assert_damage_is_borne(
        &[eventful_grid(Topology::Square), eventful_grid(Topology::Hexagonal)],
        &seed,
        most_bytes,
    );
    assert_damage_is_borne(&movements(), &seed, most_bytes);
    assert_damage_is_borne(&queries(), &seed, most_bytes);
    assert_damage_is_borne(&answers(), &seed, most_bytes);
    assert_damage_is_borne(&edits(), &seed, most_bytes);
    assert_damage_is_borne(&entries(), &seed, most_bytes);
    assert_damage_is_borne(&[graph()], &seed, most_bytes);
    assert_damage_is_borne(&[crowd().1], &seed, most_bytes);
    assert_damage_is_borne(&[crowd().0], &seed, most_bytes);
    assert_damage_is_borne(&[nearest().1], &seed, most_bytes);
}

//! Ranges and paths cut into turns, against brute force.
//!
//! The brute force covers all states (cell, turn, points used).

use std::collections::{BTreeMap, BTreeSet};

use proptest::{collection::vec, prelude::*, sample::select};
use testkit::{DiagonalRule, Oracle, Rules};
use tilepath::{
    Cell, Cost, Grid, Movement, PathFinder, QueryError, StepCosts,
    turns::{LongStep, TurnPath, TurnQuery},
};

use crate::worlds::{Prices, World, cases, world};

/// A unit and its turns.
#[derive(Clone, Debug)]
struct Unit {
    points: u64,
    left: u64,
    turns: u64,
    no_stop: BTreeSet<(i32, i32)>,
    takes_long_steps: bool,
}

impl Unit {
    fn query(&self, world: &World) -> TurnQuery {
        let rule = if self.takes_long_steps { LongStep::OwnTurn } else { LongStep::Never };
        TurnQuery::new(world.start(), Cost::new(self.points as u32))
            .with_points_left(Cost::new(self.left as u32))
            .with_turns(self.turns as u32)
            .with_no_stop(self.no_stop.iter().map(|&place| world.cell(place)))
            .with_long_step(rule)
    }

    fn points_of(&self, turn: u64) -> u64 {
        if turn == 1 { self.left } else { self.points }
    }

    fn may_stop(&self, world: &World, place: (i32, i32)) -> bool {
        place == world.start || !self.no_stop.contains(&place)
    }
}

/// Returns the edges that leave each slot: the entered slot and the cost.
fn edges(world: &World, oracle: &Oracle) -> Vec<Vec<(usize, u64)>> {
    let beside = |(x, y): (i32, i32)| (-1..=1).flat_map(move |dy| (-1..=1).map(move |dx| (x + dx, y + dy)));
    let leaving = |place| {
        let ends = beside(place).filter(|&end| world.map.contains(end));
        ends.filter_map(|end| Some((world.map.slot(end), oracle.step_cost_since(world.start, place, end)?)))
            .collect()
    };
    world.positions().map(leaving).collect()
}

/// Returns all possible states: (turn, slot, points used).
fn all_states(world: &World, unit: &Unit, edges: &[Vec<(usize, u64)>]) -> BTreeSet<(u64, usize, u64)> {
    let start = (1, world.map.slot(world.start), 0);
    let mut seen = BTreeSet::from([start]);
    let mut waiting = vec![start];
    while let Some((turn, slot, used)) = waiting.pop() {
        let mut next = Vec::new();
        let points = unit.points_of(turn);
        let stands = unit.may_stop(world, world.map.position(slot));
        if stands && turn < unit.turns {
            next.push((turn + 1, slot, 0));
        }
        for &(end, cost) in &edges[slot] {
            if unit.turns == 0 {
                break;
            }
            if used + cost <= points {
                next.push((turn, end, used + cost));
            } else if unit.takes_long_steps && cost > unit.points && unit.points > 0 {
                let is_whole_turn = used == 0 && points >= unit.points && stands;
                if is_whole_turn && unit.may_stop(world, world.map.position(end)) {
                    next.push((turn, end, points));
                }
            }
        }
        waiting.extend(next.into_iter().filter(|&state| seen.insert(state)));
    }
    seen
}

/// Returns, for each slot where the unit may stop, the least turn and the least points used in it.
fn brute_force(world: &World, unit: &Unit) -> BTreeMap<usize, (u64, u64)> {
    let edges = edges(world, &world.oracle());
    let mut best = BTreeMap::new();
    for (turn, slot, used) in all_states(world, unit, &edges) {
        if unit.may_stop(world, world.map.position(slot)) {
            let known = best.entry(slot).or_insert((turn, used));
            *known = (turn, used).min(*known);
        }
    }
    best
}

/// Walks a path by the rules of turns, and checks its own figures.
fn check_way(world: &World, unit: &Unit, way: &TurnPath) {
    world.check_path(way.path());
    let cells: Vec<_> = way.path().cells().iter().map(|&cell| world.position(cell)).collect();
    let oracle = world.oracle();
    assert_eq!(way.turns() as usize, way.stops().len());
    assert_eq!(way.stops().last(), Some(&(cells.len() - 1)));
    assert!(way.stops().is_sorted());
    let (mut here, mut used) = (0, 0);
    for (turn, (&stop, leg)) in (1..).zip(way.stops().iter().zip(way.legs())) {
        assert_eq!(leg, &way.path().cells()[here..=stop]);
        assert!(unit.may_stop(world, cells[stop]), "{:?} is not a cell to stop on", cells[stop]);
        used = oracle.walk_cost(&cells[here..=stop]).unwrap();
        if used > unit.points_of(turn) {
            assert!(unit.takes_long_steps && stop == here + 1 && used > unit.points, "{way:?}");
            assert!(unit.points > 0 && unit.points_of(turn) >= unit.points, "{way:?}");
            used = unit.points_of(turn);
        }
        here = stop;
    }
    assert_eq!(u64::from(way.used().get()), used);
}

fn check(world: &World, unit: &Unit) {
    let (finder, query) = (world.finder(), unit.query(world));
    let expected = brute_force(world, unit);
    let range = finder.solve_turns(&query).unwrap();
    assert_eq!(range.start(), world.start());
    assert!(range.cells().is_sorted_by_key(|reached| (reached.turn, reached.used)));
    let by_turn: usize = (1..=5).map(|turn| range.cells_of_turn(turn).len()).sum();
    assert!(range.cells().last().unwrap().turn > 5 || by_turn == range.cells().len());
    let found: BTreeMap<_, _> = (range.cells().iter())
        .map(|reached| {
            let place = world.map.slot(world.position(reached.cell));
            (place, (u64::from(reached.turn), u64::from(reached.used.get())))
        })
        .collect();
    assert_eq!(found, expected, "{unit:?}");
    for place in world.positions() {
        let cell = world.cell(place);
        let alone = finder.solve_turn_path(&query, cell).unwrap();
        let of_range = range.path_to(cell);
        assert_eq!(range.contains(cell), of_range.is_some());
        let best = expected.get(&world.map.slot(place));
        for way in [&alone, &of_range] {
            let said = way.as_ref().map(|way| (u64::from(way.turns()), u64::from(way.used().get())));
            assert_eq!(said.as_ref(), best, "{place:?}, {unit:?}");
            if let Some(way) = way {
                assert_eq!((way.path().start(), way.path().goal()), (world.start(), cell));
                check_way(world, unit, way);
                // The path is the best of all, so no other cut is better.
                let cut = finder.cut_into_turns(way.path(), &query).unwrap().unwrap();
                assert_eq!((cut.turns(), cut.used()), (way.turns(), way.used()));
                check_way(world, unit, &cut);
            }
        }
        check_cut(world, unit, &finder, &query, cell);
    }
}

/// Checks how the cheapest path to a cell is cut into turns, against all possible cuts.
fn check_cut(world: &World, unit: &Unit, finder: &PathFinder, query: &TurnQuery, goal: Cell) {
    let Some(path) = finder.find(world.start(), goal).unwrap().into_path() else { return };
    let cells: Vec<_> = path.cells().iter().map(|&cell| world.position(cell)).collect();
    let oracle = world.oracle();
    let mut line = vec![Vec::new(); world.map.classes.len()];
    for pair in cells.windows(2) {
        let [from, to] = [pair[0], pair[1]].map(|place| world.map.slot(place));
        line[from].push((to, oracle.step_cost(pair[0], pair[1]).unwrap()));
    }
    let slot = world.map.slot(cells[cells.len() - 1]);
    let may_end = unit.may_stop(world, cells[cells.len() - 1]);
    let ends = all_states(world, unit, &line).into_iter().filter(|&(_, end, _)| end == slot && may_end);
    let best = ends.map(|(turn, _, used)| (turn, used)).min();
    let cut = finder.cut_into_turns(&path, query).unwrap();
    assert_eq!(
        cut.as_ref().map(|cut| (u64::from(cut.turns()), u64::from(cut.used().get()))),
        best,
        "{unit:?}"
    );
    if let Some(cut) = cut {
        assert_eq!(cut.path(), &path);
        check_way(world, unit, &cut);
    }
}

/// Returns small maps. A step on their most expensive ground costs a few points.
fn small_world() -> impl Strategy<Value = World> {
    let ground = select(vec![[1_u64, 1, 1], [1, 2, 3], [1, 3, 7], [2, 1, 12]]);
    let steps = select(vec![(1_u64, 1_u64), (2, 3), (1, 2), (5, 7)]);
    (world(6, Prices::Low), ground, steps).prop_map(|(mut world, ground, (straight, diagonal))| {
        world.rules.multipliers = std::array::from_fn(|class| if class == 0 { 0 } else { ground[class % 3] });
        (world.rules.straight, world.rules.diagonal) = (straight, diagonal);
        world
    })
}

fn unit(world: &World) -> impl Strategy<Value = Unit> + use<> {
    let cells = world.map.classes.len();
    let (width, height) = (world.map.width as i32, world.map.height as i32);
    let places = vec((0..width, 0..height), 0..=cells);
    let left = prop_oneof![3 => Just(None), 3 => (0..16_u64).prop_map(Some)];
    (0..16_u64, left, 0..=6_u64, places, any::<bool>(), any::<bool>()).prop_map(
        |(points, left, turns, places, is_crowded, takes_long_steps)| {
            let count = if is_crowded { places.len() } else { places.len() / 4 };
            let no_stop = places.into_iter().take(count).collect();
            Unit { points, left: left.unwrap_or(points), turns, no_stop, takes_long_steps }
        },
    )
}

fn world_and_unit() -> impl Strategy<Value = (World, Unit)> {
    small_world().prop_flat_map(|world| {
        let unit = unit(&world);
        (Just(world), unit)
    })
}

proptest! {
    #![proptest_config(cases(600))]

    #[test]
    fn turns_equal_brute_force((world, unit) in world_and_unit()) {
        check(&world, &unit);
    }

    #[test]
    fn a_blocked_start_is_left_in_turns_and_not_entered_again((mut world, unit) in world_and_unit()) {
        let slot = world.map.slot(world.start);
        world.map.classes[slot] = 0;
        check(&world, &unit);
    }

    #[test]
    fn with_all_the_turns_there_are_and_no_friends_ranges_hold_what_can_be_reached(
        (world, unit) in world_and_unit()
    ) {
        let query = TurnQuery::new(world.start(), Cost::new(unit.points as u32 + 1))
            .with_long_step(LongStep::OwnTurn);
        let range = world.finder().solve_turns(&query).unwrap();
        let costs = world.oracle().costs_from(world.start);
        for place in world.positions() {
            prop_assert_eq!(range.contains(world.cell(place)), costs[world.map.slot(place)].is_some());
        }
    }

    #[test]
    fn one_turn_without_friends_is_a_plain_range(world in world(14, Prices::Low), points in 0..500_u32) {
        let query = TurnQuery::new(world.start(), Cost::new(points)).with_turns(1);
        let range = world.finder().solve_turns(&query).unwrap();
        let plain = world.finder().range(world.start(), Cost::new(points)).unwrap();
        prop_assert_eq!(range.cells().len(), plain.cells().len());
        for reached in range.cells() {
            prop_assert_eq!(plain.cost_to(reached.cell), Some(reached.used));
            prop_assert!(range.path_to(reached.cell).unwrap().path().is_optimal());
        }
    }
}

/// All four rules on one crowded map, independent of the random worlds.
#[test]
fn turns_equal_brute_force_under_every_rule() {
    let scene = testkit::Scene::from_picture(
        "
        S.2..#
        .##3..
        ..9..2
        #..#..
        .2...G
    ",
    );
    for rule in DiagonalRule::ALL {
        for takes_long_steps in [false, true] {
            for points in [10, 14, 24, 30, 45] {
                let mut world = World::new(scene.map.clone(), Rules::classic(rule));
                (world.start, world.goal) = (scene.start(), scene.goal());
                for crowd in 0..6 {
                    let friends = world.positions().filter(|(x, y)| (x * 5 + y * 3 + crowd) % 6 < 3);
                    let no_stop = friends.collect();
                    let left = points - (crowd as u64 * 7) % points;
                    let unit = Unit { points, left, turns: 7, no_stop, takes_long_steps };
                    check(&world, &unit);
                }
            }
        }
    }
}

fn corridor(length: u32) -> PathFinder {
    PathFinder::new(Grid::new(length, 1, 1).unwrap(), Movement::new())
}

fn at(x: i32) -> Cell {
    Cell::new(x, 0)
}

#[test]
fn a_unit_waits_for_a_new_turn_before_friends_that_it_could_enter_at_once() {
    let finder = corridor(9);
    // With 20 points left, the unit could enter the cell of the first friend. There it could
    // neither stop nor go on.
    let unit = TurnQuery::new(at(0), Cost::new(30)).with_no_stop([at(2), at(3)]);
    let way = finder.solve_turn_path(&unit, at(4)).unwrap().unwrap();
    assert_eq!((way.stops(), way.used()), (&[1, 4][..], Cost::new(30)));
    assert_eq!(finder.solve_turn_path(&unit, at(3)).unwrap(), None, "a friend is on that cell");
    let three = unit.with_no_stop([at(2), at(3), at(4)]);
    assert_eq!(finder.solve_turn_path(&three, at(5)).unwrap(), None, "too many friends in a row");
}

/// The best path enters a friend's cell later, but with more points left. So one label for each
/// cell is not enough.
#[test]
fn a_cell_passed_later_with_more_points_left_can_be_better() {
    let finder = corridor(6);
    let unit =
        TurnQuery::new(at(0), Cost::new(40)).with_points_left(Cost::new(30)).with_no_stop([at(3), at(4)]);
    let range = finder.solve_turns(&unit).unwrap();
    let reached = range.get(at(5)).unwrap();
    assert_eq!((reached.turn, reached.used), (2, Cost::new(30)));
    assert_eq!(range.path_to(at(5)).unwrap().stops(), [2, 5]);
}

#[test]
fn the_best_way_in_turns_is_not_the_cheapest_one_cut() {
    // A step onto mud (2) takes 20 of the 30 points of a turn, so a cut may waste points.
    let grid = tilepath::format::parse_ascii("......\n.####.\n.2.2..").unwrap();
    let finder = PathFinder::new(grid, Movement::new());
    let (from, to) = (Cell::new(0, 0), Cell::new(5, 0));
    let unit = TurnQuery::new(from, Cost::new(30));
    let best = finder.solve_turn_path(&unit, to).unwrap().unwrap();
    let cheapest = finder.find(from, to).unwrap().into_path().unwrap();
    let cut = finder.cut_into_turns(&cheapest, &unit).unwrap().unwrap();
    assert!((best.turns(), best.used()) <= (cut.turns(), cut.used()));
    let range = finder.solve_turns(&unit).unwrap();
    assert_eq!(range.path_to(to).map(|way| (way.turns(), way.used())), Some((best.turns(), best.used())));
}

#[test]
fn steps_dearer_than_a_turn_take_one_or_are_never_taken() {
    let grid = tilepath::format::parse_ascii(".9.").unwrap();
    let finder = PathFinder::new(grid, Movement::new());
    let never = TurnQuery::new(at(0), Cost::new(30));
    assert_eq!(finder.solve_turn_path(&never, at(1)).unwrap(), None);
    let own = never.with_long_step(LongStep::OwnTurn);
    let way = finder.solve_turn_path(&own, at(2)).unwrap().unwrap();
    assert_eq!((way.stops(), way.used(), way.path().cost()), (&[1, 2][..], Cost::new(10), Cost::new(100)));
    // A step longer than a turn needs a whole turn: 29 points left are not enough. With 100 points
    // left, the step fits.
    let tired = own.clone().with_points_left(Cost::new(29));
    assert_eq!(finder.solve_turn_path(&tired, at(2)).unwrap().unwrap().stops(), [0, 1, 2]);
    let hasty = own.clone().with_points_left(Cost::new(100));
    assert_eq!(finder.solve_turn_path(&hasty, at(2)).unwrap().unwrap().stops(), [2]);
    // A long step ends its turn on the cell that it enters, so that cell must allow a stop.
    let friend = own.with_no_stop([at(1)]);
    assert_eq!(finder.solve_turn_path(&friend, at(2)).unwrap(), None);
}

#[test]
fn without_points_or_turns_a_unit_stays_where_it_is() {
    let finder = corridor(5);
    for rule in [LongStep::Never, LongStep::OwnTurn] {
        let still = TurnQuery::new(at(2), Cost::ZERO).with_long_step(rule);
        let done = TurnQuery::new(at(2), Cost::new(50)).with_long_step(rule).with_turns(0);
        let spent = TurnQuery::new(at(2), Cost::new(50)).with_points_left(Cost::ZERO).with_turns(1);
        for query in [still, done, spent] {
            let range = finder.solve_turns(&query.clone().with_no_stop([at(2)])).unwrap();
            assert_eq!(range.cells().len(), 1, "{query:?}");
            assert_eq!(range.path_to(at(2)).unwrap().stops(), [0]);
            assert_eq!(finder.solve_turn_path(&query, at(3)).unwrap(), None);
            assert_eq!(finder.solve_turn_path(&query, at(2)).unwrap().unwrap().turns(), 1);
        }
    }
    let last_push = TurnQuery::new(at(2), Cost::ZERO).with_points_left(Cost::new(10));
    assert_eq!(
        finder.solve_turns(&last_push).unwrap().cells().len(),
        3,
        "this turn's points may still be spent"
    );
}

#[test]
fn numbers_at_the_end_of_their_range_do_no_harm() {
    let movement = Movement::new()
        .with_costs(tilepath::CostTable::impassable().with(1, u16::MAX))
        .with_steps(StepCosts::new(u16::MAX, u16::MAX).unwrap());
    let finder = PathFinder::new(Grid::new(5, 1, 1).unwrap(), movement);
    let step = u32::from(u16::MAX) * u32::from(u16::MAX);
    for rule in [LongStep::Never, LongStep::OwnTurn] {
        for points in [0, 1, step - 1, step, step + 1, u32::MAX] {
            for left in [0, 1, step, u32::MAX] {
                for turns in [0, 1, 2, u32::MAX - 1, u32::MAX] {
                    let query = TurnQuery::new(at(0), Cost::new(points))
                        .with_points_left(Cost::new(left))
                        .with_turns(turns)
                        .with_long_step(rule)
                        .with_no_stop([Cell::new(i32::MAX, i32::MIN), at(3), at(3), at(99)]);
                    let range = finder.solve_turns(&query).unwrap();
                    assert!(range.path_to(at(0)).is_some());
                    assert_eq!(
                        range.contains(at(1)),
                        finder.solve_turn_path(&query, at(1)).unwrap().is_some()
                    );
                    if range.contains(at(2)) {
                        assert_eq!(range.path_to(at(2)), None, "its cost overflows");
                        assert_eq!(finder.solve_turn_path(&query, at(2)), Err(QueryError::CostOverflow));
                    }
                }
            }
        }
    }
}

#[test]
fn a_bad_question_about_turns_names_what_is_wrong() {
    let (mut stranger, finder) = (corridor(5), corridor(5));
    let unknown = stranger.add_movement(Movement::new());
    let (outside, bounds) = (at(5), finder.grid().bounds());
    let query = TurnQuery::new(outside, Cost::new(30));
    let error = QueryError::StartOutOfBounds { cell: outside, bounds };
    assert_eq!(finder.solve_turns(&query).unwrap_err(), error);
    assert_eq!(finder.solve_turn_path(&query, at(0)).unwrap_err(), error);
    let query = TurnQuery::new(at(0), Cost::new(30));
    let error = QueryError::GoalOutOfBounds { cell: outside, bounds };
    assert_eq!(finder.solve_turn_path(&query, outside).unwrap_err(), error);
    let query = query.with_movement(unknown);
    assert_eq!(finder.solve_turns(&query).unwrap_err(), QueryError::UnknownMovement(unknown));
    let path = finder.find(at(0), at(4)).unwrap().into_path().unwrap();
    assert_eq!(finder.cut_into_turns(&path, &query).unwrap_err(), QueryError::UnknownMovement(unknown));

    // A path of another map, and a path that is blocked by a new wall.
    let mut small = corridor(3);
    let query = TurnQuery::new(at(0), Cost::new(30));
    assert_eq!(small.cut_into_turns(&path, &query), Ok(None));
    let path = small.find(at(0), at(2)).unwrap().into_path().unwrap();
    assert!(small.cut_into_turns(&path, &query).unwrap().is_some());
    small.set_terrain(at(1), 0).unwrap();
    assert_eq!(small.cut_into_turns(&path, &query), Ok(None));
    let away =
        PathFinder::new(Grid::new(3, 3, 1).unwrap().with_origin(Cell::new(50, 50)).unwrap(), Movement::new());
    assert_eq!(away.cut_into_turns(&path, &query), Ok(None), "the start is not on that map");
}

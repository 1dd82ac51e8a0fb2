//! Jump points in four directions, against brute force, before and after edits.

use proptest::collection::vec;
use proptest::prelude::*;
use testkit::{DiagonalRule, Oracle, Rules, Seed, TileMap};
use tilepath::{
    Algorithm, Bounds, Cell, CellState, Outcome, PathFinder, PathQuery, SearchStatus, search::Step,
};

use crate::worlds::{World, cases};

fn world(map: TileMap) -> World {
    World::new(map, Rules::classic(DiagonalRule::Never))
}

fn jumps(start: (i32, i32), goal: (i32, i32)) -> PathQuery {
    PathQuery::new(start.into(), goal.into()).with_algorithm(Algorithm::JumpPoint)
}

/// Checks all answers from a cell; searches in slices and step by step must agree.
fn check(world: &World, finder: &PathFinder, start: (i32, i32), goals: &[(i32, i32)]) {
    if world.map.classes.iter().all(|&class| class == 0) {
        return;
    }
    let oracle = world.oracle();
    for &goal in goals {
        for query in [jumps(start, goal), jumps(start, goal).or_closest()] {
            let cost = if query.wants_closest() { Oracle::cost_or_closest } else { Oracle::cost };
            let cheapest = cost(&oracle, start, goal);
            let answer = finder.solve(&query).unwrap();
            let mut sliced = finder.begin(&query).unwrap();
            while sliced.advance(3) == SearchStatus::Running {}
            assert_eq!(sliced.finish().unwrap(), answer, "{query:?}");
            match (cheapest, answer.outcome) {
                (Some(cheapest), Outcome::Found(path)) => {
                    assert_eq!(u64::from(path.cost().get()), cheapest, "{query:?}");
                    path.verify(finder.grid(), &world.movement()).unwrap();
                }
                (None, Outcome::Unreachable { closest }) => {
                    let dijkstra = finder.solve(&query.with_algorithm(Algorithm::Dijkstra)).unwrap();
                    let Outcome::Unreachable { closest: expected } = dijkstra.outcome else { panic!() };
                    let end = |path: tilepath::Path| (path.goal(), path.cost());
                    assert_eq!(closest.map(end), expected.map(end), "{query:?}");
                }
                (cheapest, outcome) => panic!("{cheapest:?}, but {outcome:?} to {query:?}"),
            }
        }
        check_steps(finder, &jumps(start, goal).without_reachability());
    }
}

/// Checks that steps end as the answer does, and that each expanded cell is seen as closed.
fn check_steps(finder: &PathFinder, query: &PathQuery) {
    let mut search = finder.begin(query).unwrap();
    let mut expanded = Vec::new();
    let last = loop {
        match search.step() {
            Step::Expanded(cell) => expanded.push(cell),
            last => break last,
        }
    };
    assert!(expanded.iter().all(|&cell| search.cell_state(cell) == CellState::Closed), "{query:?}");
    for &cell in expanded.iter().filter(|&&cell| cell != query.start()) {
        let from = search.came_from(cell).unwrap();
        assert!(from.x == cell.x || from.y == cell.y, "a jump from {from} to {cell} is not straight");
    }
    let is_found = matches!(search.finish().unwrap().outcome, Outcome::Found(_));
    assert_eq!(is_found, last == Step::Reached(query.goal()), "{query:?}");
}

type Edits = Vec<((i32, i32), bool)>;

/// Draws a map with walls of any share, edits of its cells, and places.
fn drafts() -> impl Strategy<Value = (TileMap, Edits, Vec<(i32, i32)>)> {
    (1..150_u32, 1..40_u32, any::<bool>(), 0..60_u32, any::<u64>()).prop_flat_map(
        |(long, short, is_upright, percent, number)| {
            let (width, height) = if is_upright { (short, long) } else { (long, short) };
            let seed = Seed::named(&format!("four ways {number}"));
            let map = testkit::cluttered(width, height, percent, &seed);
            let place = (0..width as i32, 0..height as i32);
            (Just(map), vec((place.clone(), any::<bool>()), 0..8), vec(place, 2..5))
        },
    )
}

proptest! {
    #![proptest_config(cases(120))]

    #[test]
    fn on_random_maps_before_and_after_edits((map, edits, places) in drafts()) {
        let mut world = world(map);
        let mut finder = world.finder();
        check(&world, &finder, places[0], &places);
        for (number, (position, is_open)) in edits.into_iter().enumerate() {
            let slot = world.map.slot(position);
            world.map.classes[slot] = u8::from(is_open);
            finder.set_terrain(position.into(), u8::from(is_open)).unwrap();
            let start = places[number % places.len()];
            check(&world, &finder, start, &places);
            let fresh = world.finder();
            for &goal in &places {
                let query = PathQuery::new(start.into(), goal.into());
                prop_assert_eq!(finder.solve(&query), fresh.solve(&query));
            }
        }
    }
}

#[test]
fn a_map_that_grows_has_the_answers_of_a_fresh_one() {
    let mut world = world(testkit::cluttered(40, 30, 20, &Seed::named("growth")));
    let mut finder = world.finder();
    check(&world, &finder, (0, 0), &[(39, 29), (20, 3)]);
    assert!(finder.resize(Bounds::new(Cell::new(0, 0), 70, 50).unwrap(), Some(1)));
    let mut grown = testkit::open(70, 50);
    for (slot, &class) in world.map.classes.iter().enumerate() {
        let slot = grown.slot(world.map.position(slot));
        grown.classes[slot] = class;
    }
    world.map = grown;
    check(&world, &finder, (0, 0), &[(69, 49), (39, 29), (1, 48)]);
}

#[test]
fn a_search_under_way_sees_no_edit() {
    let world = world(testkit::open(30, 30));
    let mut finder = world.finder();
    let query = jumps((0, 0), (29, 29)).without_reachability();
    let expected = finder.solve(&query).unwrap();
    let mut search = finder.begin(&query).unwrap();
    search.step();
    for y in 0..29 {
        finder.set_terrain(Cell::new(15, y), 0).unwrap();
    }
    assert_eq!(search.finish().unwrap(), expected);
    assert!(finder.solve(&query).unwrap().outcome.path().is_some(), "there is a gap");
}

#[test]
fn a_start_on_closed_ground_is_left_and_never_entered_again() {
    let mut map = testkit::open(9, 9);
    for (x, y) in [(4, 4), (3, 4), (5, 4)] {
        let slot = map.slot((x, y));
        map.classes[slot] = 0;
    }
    let world = world(map);
    check(&world, &world.finder(), (4, 4), &[(4, 8), (0, 4), (8, 0), (4, 4), (3, 5)]);
}

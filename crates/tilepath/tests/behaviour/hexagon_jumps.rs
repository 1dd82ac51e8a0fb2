//! Jump points on hexagons, against brute force.
//!
//! The maps are large enough for long jumps, before and after edits.

use proptest::collection::vec;
use proptest::prelude::*;
use testkit::{DiagonalRule, Oracle, Rules, Seed, TileMap, Unit};
use tilepath::{Algorithm, Cell, Movement, Outcome, PathQuery, QueryError, SearchStatus};

use crate::worlds::{HexagonWorld, cases};

impl HexagonWorld {
    /// Checks all jump point answers from a cell, and that searches in slices and step by step find
    /// the same.
    fn check_jumps(&self, start: (i32, i32), goals: &[(i32, i32)]) {
        let unit = Unit { rules: Rules::classic(DiagonalRule::Always), size: 1, overlays: Vec::new() };
        let oracle = Oracle::of(&self.land, &unit);
        let costs = oracle.costs_from(start);
        for &goal in goals {
            let query = PathQuery::new(start.into(), goal.into()).with_algorithm(Algorithm::JumpPoint);
            for query in [query, query.or_closest(), query.without_reachability()] {
                let answer = match self.finder.solve(&query) {
                    // No cell is open.
                    Err(QueryError::NoJumpPoints) => {
                        assert!(self.land.map.classes.iter().all(|&class| class == 0));
                        return;
                    }
                    answer => answer.unwrap(),
                };
                assert_eq!(answer, self.in_slices(&query), "{query:?}");
                let cheapest = if query.wants_closest() {
                    oracle.cost_or_closest(start, goal)
                } else {
                    costs[self.land.map.slot(goal)]
                };
                match (cheapest, answer.outcome) {
                    (Some(cheapest), Outcome::Found(path)) => {
                        assert_eq!(u64::from(path.cost().get()), cheapest, "{query:?}");
                        assert!(path.is_optimal());
                        path.verify(self.finder.grid(), &Movement::new()).unwrap();
                    }
                    (None, Outcome::Unreachable { closest }) => {
                        assert_eq!(closest.is_some(), query.wants_closest());
                        let Some(path) = closest else { continue };
                        path.verify(self.finder.grid(), &Movement::new()).unwrap();
                        let (slot, cost) = oracle.closest(start, goal);
                        assert_eq!(self.land.map.slot((path.goal().x, path.goal().y)), slot);
                        assert_eq!(u64::from(path.cost().get()), cost);
                    }
                    (cheapest, outcome) => panic!("{cheapest:?}, but {outcome:?} to {query:?}"),
                }
            }
        }
    }

    fn in_slices(&self, query: &PathQuery) -> tilepath::Answer {
        let mut search = self.finder.begin(query).unwrap();
        while search.advance(3) == SearchStatus::Running {}
        search.finish().unwrap()
    }
}

#[test]
fn on_generated_maps_of_all_kinds() {
    for number in 0..4 {
        let seed = Seed::named(&format!("hexagon jumps {number}"));
        let maps = [
            testkit::open(150, 90),
            testkit::caves(120, 140, &seed),
            testkit::cluttered(130, 70, 5, &seed),
            testkit::cluttered(70, 130, 30, &seed),
            testkit::maze(61, 61, 1, &seed),
            testkit::rooms(90, 90, 9, &seed),
            testkit::open(1, 200),
            testkit::open(200, 1),
            testkit::cluttered(3, 150, 10, &seed),
        ];
        for map in maps {
            let (width, height) = (map.width as i32, map.height as i32);
            let place = |n: i32| ((n * 7919 + number) % width, (n * 104_729 + 31 * number) % height);
            let goals: Vec<(i32, i32)> = (0..25).map(place).collect();
            let world = HexagonWorld::new(map);
            for start in (30..34).map(place) {
                world.check_jumps(start, &goals);
            }
        }
    }
}

/// Returns a map, edits of it, and cells.
fn drafts() -> impl Strategy<Value = (TileMap, Vec<((i32, i32), bool)>, Vec<(i32, i32)>)> {
    (1..90_i32, 1..90_i32, 0..3_u32).prop_flat_map(|(width, height, kind)| {
        let closed_in = [3, 12, 100][kind as usize];
        let class = (0..closed_in).prop_map(|number| u8::from(number > 0));
        let place = (0..width, 0..height);
        (
            vec(class, (width * height) as usize)
                .prop_map(move |classes| TileMap::new("random", width as u32, height as u32, classes)),
            vec((place.clone(), any::<bool>()), 0..9),
            vec(place, 5),
        )
    })
}

proptest! {
    #![proptest_config(cases(60))]

    #[test]
    fn on_random_maps_before_and_after_edits((map, edits, places) in drafts()) {
        let mut world = HexagonWorld::new(map);
        world.check_jumps(places[0], &places[1..]);
        for (number, (position, is_open)) in edits.into_iter().enumerate() {
            world.set(position, u8::from(is_open));
            let fresh = HexagonWorld::new(world.land.map.clone());
            let start = places[number % places.len()];
            world.check_jumps(start, &places);
            for &goal in &places {
                let query = PathQuery::new(start.into(), goal.into());
                prop_assert_eq!(world.finder.solve(&query), fresh.finder.solve(&query));
            }
        }
    }
}

#[test]
fn the_automatic_choice_takes_jump_points_where_corners_are_few() {
    let algorithm = |map: TileMap| {
        let open = map.position(map.classes.iter().position(|&class| class > 0).unwrap());
        let world = HexagonWorld::new(map);
        world.finder.solve(&PathQuery::new(open.into(), Cell::new(63, 40))).unwrap().statistics.algorithm
    };
    let seed = Seed::named("corners");
    assert_eq!(algorithm(testkit::open(64, 64)), Algorithm::JumpPoint);
    assert_eq!(algorithm(testkit::caves(64, 64, &seed)), Algorithm::JumpPoint);
    assert_eq!(algorithm(testkit::cluttered(64, 64, 25, &seed)), Algorithm::AStar);
    assert_eq!(algorithm(testkit::noise(64, 64, 9, 10, &seed)), Algorithm::AStar);
}

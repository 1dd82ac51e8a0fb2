//! Hexagon searches with many costs, against brute force, before and after edits.

use proptest::collection::vec;
use proptest::prelude::*;
use testkit::{DiagonalRule, Oracle, Rules, Seed, Unit};
use tilepath::{Algorithm, Movement, Outcome, PathQuery, SearchStatus};

use crate::worlds::{HexagonWorld, cases};

impl HexagonWorld {
    /// Checks all answers from a cell, and that a search in slices finds the same.
    fn check_costs(&self, start: (i32, i32), goals: &[(i32, i32)]) {
        let unit = Unit { rules: Rules::classic(DiagonalRule::Always), size: 1, overlays: Vec::new() };
        let costs = Oracle::of(&self.land, &unit).costs_from(start);
        for &goal in goals {
            let cheapest = costs[self.land.map.slot(goal)];
            let query = PathQuery::new(start.into(), goal.into());
            for query in [query, query.with_algorithm(Algorithm::AStar), query.without_reachability()] {
                let answer = self.finder.solve(&query).unwrap();
                let mut search = self.finder.begin(&query).unwrap();
                while search.advance(7) == SearchStatus::Running {}
                assert_eq!(answer, search.finish().unwrap(), "{query:?}");
                match (cheapest, answer.outcome) {
                    (Some(cheapest), Outcome::Found(path)) => {
                        assert_eq!(u64::from(path.cost().get()), cheapest, "{query:?}");
                        assert!(path.is_optimal());
                        path.verify(self.finder.grid(), &Movement::new()).unwrap();
                    }
                    (None, Outcome::Unreachable { closest: None }) => {}
                    (cheapest, outcome) => panic!("{cheapest:?}, but {outcome:?} to {query:?}"),
                }
            }
        }
    }
}

#[test]
fn on_generated_maps_of_all_kinds() {
    for number in 0..6 {
        let seed = Seed::named(&format!("hexagon costs {number}"));
        let maps = [
            testkit::terrain(90, 70, 9, 20, &seed),
            testkit::terrain(61, 130, 4, 45, &seed),
            testkit::terrain(200, 1, 9, 0, &seed),
            testkit::terrain(1, 200, 9, 0, &seed),
            testkit::terrain(3, 150, 9, 10, &seed),
            testkit::noise(80, 80, 3, 10, &seed),
        ];
        for map in maps {
            let places: Vec<_> = map.queries(5, &seed).into_iter().flat_map(|(a, b)| [a, b]).collect();
            let world = HexagonWorld::new(map);
            for &start in &places[..3] {
                world.check_costs(start, &places);
            }
        }
    }
}

proptest! {
    #![proptest_config(cases(40))]

    #[test]
    fn before_and_after_edits(
        seed in 0_u32..10_000,
        width in 20_u32..70,
        height in 20_u32..70,
        percent in 0_u32..40,
        edits in vec((any::<[u16; 2]>(), 0_u8..10), 0..12),
        ends in vec(any::<[u16; 2]>(), 3..5),
    ) {
        let map = testkit::terrain(width, height, 9, percent, &Seed::named(&format!("hills {seed}")));
        let place = |[x, y]: [u16; 2]| (i32::from(x) % width as i32, i32::from(y) % height as i32);
        let places: Vec<(i32, i32)> = ends.into_iter().map(place).collect();
        let mut world = HexagonWorld::new(map);
        world.check_costs(places[0], &places);
        for (at, class) in edits {
            world.set(place(at), class);
        }
        world.check_costs(places[0], &places);
    }
}

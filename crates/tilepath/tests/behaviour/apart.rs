//! Searches advanced side by side.
//!
//! The work of a search depends neither on the order of the searches nor on threads.

use std::thread;

use proptest::prelude::*;
use testkit::Seed;
use tilepath::{Algorithm, Cell, Grid, Movement, PathFinder, PathQuery, PathSearch, SearchStatus};

const SIDE: u32 = 112;

fn finder(seed: &Seed) -> PathFinder {
    let map = testkit::terrain(SIDE, SIDE, 9, 15, seed);
    PathFinder::new(Grid::from_classes(map.width, map.height, map.classes).unwrap(), Movement::new())
}

fn queries(seed: &Seed, count: usize) -> Vec<PathQuery> {
    let pairs = testkit::terrain(SIDE, SIDE, 9, 15, seed).queries(count, seed);
    let algorithms = [
        Algorithm::AStar,
        Algorithm::WeightedAStar { percent: 130 },
        Algorithm::BreadthFirst,
        Algorithm::Dijkstra,
    ];
    let query = |(number, (from, to)): (usize, _)| {
        PathQuery::new(Cell::from(from), Cell::from(to)).with_algorithm(algorithms[number % 4])
    };
    pairs.into_iter().enumerate().map(query).collect()
}

fn edit(finder: &mut PathFinder, round: usize) {
    let cell = Cell::new((round * 37 % 112) as i32, (round * 53 % 112) as i32);
    finder.set_terrain(cell, (round % 9 + 1) as u8).unwrap();
}

/// The method that advances searches side by side.
#[derive(Debug, Clone, Copy)]
enum Way {
    InOrder,
    Backwards,
    OnThreads,
}

/// Returns the work of each search after each round. Between rounds, more searches begin and some
/// edits change the map.
fn bills(seed: &Seed, slices: &[u64], way: Way) -> Vec<u64> {
    let mut finder = finder(seed);
    let mut asked = queries(seed, 12).into_iter();
    let mut searches: Vec<PathSearch> = Vec::new();
    let mut bills = Vec::new();
    for round in 0..slices.len() {
        searches.extend(asked.by_ref().take(3).map(|query| finder.begin(&query).unwrap()));
        let slice = |place: usize| slices[(round + place) % slices.len()];
        let mut dealt: Vec<(usize, &mut PathSearch)> = searches.iter_mut().enumerate().collect();
        match way {
            Way::InOrder => {
                for (place, search) in &mut dealt {
                    search.advance_apart(slice(*place));
                }
            }
            Way::Backwards => {
                for (place, search) in dealt.iter_mut().rev() {
                    search.advance_apart(slice(*place));
                }
            }
            Way::OnThreads => thread::scope(|threads| {
                for (place, search) in &mut dealt {
                    let slice = slice(*place);
                    threads.spawn(move || search.advance_apart(slice));
                }
            }),
        }
        searches.iter_mut().for_each(PathSearch::settle);
        bills.extend(searches.iter().map(PathSearch::work));
        if round % 3 == 2 {
            edit(&mut finder, round);
        }
    }
    bills
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn work_of_searches_side_by_side_depends_on_no_order_and_no_thread(
        seed in 0..1000_u64, slices in prop::collection::vec(1..900_u64, 1..24)
    ) {
        let seed = Seed::named(&format!("apart {seed}"));
        let in_order = bills(&seed, &slices, Way::InOrder);
        prop_assert!(in_order.iter().any(|&work| work > 0));
        for way in [Way::Backwards, Way::OnThreads] {
            prop_assert_eq!(&bills(&seed, &slices, way), &in_order, "{:?}", way);
        }
    }

    #[test]
    fn apart_and_settled_at_once_is_one_after_the_other(
        seed in 0..1000_u64, slices in prop::collection::vec(1..900_u64, 1..24)
    ) {
        let seed = Seed::named(&format!("apart {seed}"));
        let finders = [finder(&seed), finder(&seed)];
        let mut twins: Vec<[PathSearch; 2]> = queries(&seed, 6)
            .iter()
            .map(|query| finders.each_ref().map(|finder| finder.begin(query).unwrap()))
            .collect();
        for &slice in &slices {
            for [together, apart] in &mut twins {
                let status = together.advance(slice);
                prop_assert_eq!(apart.advance_apart(slice), status);
                apart.settle();
                prop_assert_eq!(apart.work(), together.work());
                prop_assert_eq!(apart.statistics(), together.statistics());
            }
        }
        for [together, apart] in &mut twins {
            while apart.advance_apart(500) == SearchStatus::Running {}
            together.advance(u64::MAX);
            prop_assert_eq!(apart.answer(), together.answer());
        }
    }
}

#[test]
fn shared_preprocessing_is_charged_to_both_searches_and_not_to_later_ones() {
    let seed = Seed::named("apart");
    let finder = finder(&seed);
    let query = queries(&seed, 1)[0];
    let found_out = |search: &PathSearch, begun: u64| search.work() - begun - search.statistics().expanded;
    finder.begin(&query).unwrap();
    let [mut one, mut other, mut dropped] = [0; 3].map(|_| finder.begin(&query).unwrap());
    let begun = one.work();
    for search in [&mut dropped, &mut one, &mut other] {
        while search.advance_apart(300) == SearchStatus::Running {}
    }
    assert!(one.work() > begun + 128);
    assert_eq!(one.work(), dropped.work());
    assert_eq!(one.work(), other.work());
    drop(dropped);

    let mut alone = finder.clone().begin(&query).unwrap();
    alone.advance(u64::MAX);
    assert_eq!(alone.work(), one.work(), "no search has settled, so this one is the first");

    let finder = self::finder(&seed);
    finder.begin(&query).unwrap();
    let mut first = finder.begin(&query).unwrap();
    while first.advance_apart(300) == SearchStatus::Running {}
    first.settle();
    let mut later = finder.begin(&query).unwrap();
    let begun = later.work();
    later.advance(u64::MAX);
    assert!(later.work() < first.work());
    assert_eq!(found_out(&later, begun), 0);
}

#[test]
fn search_taken_step_by_step_is_not_charged_twice_after_a_slice_apart() {
    let seed = Seed::named("apart");
    let query = queries(&seed, 1)[0];
    let work = |apart: u64| {
        let finder = finder(&seed);
        let mut search = finder.begin(&query).unwrap();
        search.advance_apart(apart);
        search.steps().count();
        search.work()
    };
    assert_eq!(work(0), work(700));
}

//! A limit of the memory for derived data.
//!
//! The limit holds, and changes no answer.

use crate::{
    plane_worlds::{Features, PlaneWorld, plane_world},
    worlds::cases,
};
use proptest::{prelude::*, sample::select};
use tilepath::{
    Algorithm, Answer, Cell, Cost, Edit, Grid, Movement, MovementId, NearestAnswer, NearestQuery, PathFinder,
    PathQuery, QueryError, RangeQuery, Size, WhatIf, field::FieldQuery,
};

/// The answers to a unit from each kind of query that reads derived data.
#[derive(PartialEq, Debug)]
struct Told {
    answers: Vec<Result<Answer, QueryError>>,
    is_reachable: Result<bool, QueryError>,
    nearest: Result<NearestAnswer, QueryError>,
    range: Result<Vec<(Cell, Cost)>, QueryError>,
    field: Result<Vec<Option<Cost>>, QueryError>,
}

fn told(world: &PlaneWorld, finder: &PathFinder, unit: usize) -> Told {
    let id = finder.movement_id(&world.movement(unit)).unwrap();
    let [start, goal, other] = [0, 1, 2].map(|number| world.cell(world.place(number, unit)));
    let query = PathQuery::new(start, goal).with_movement(id);
    let algorithms = [Algorithm::Auto, Algorithm::AStar, Algorithm::JumpPoint];
    let answers = algorithms.map(|algorithm| finder.solve(&query.with_algorithm(algorithm).or_closest()));
    let range = finder.solve_range(&RangeQuery::new(start, Cost::new(90)).with_movement(id));
    let field = finder.solve_field(&FieldQuery::new([goal]).with_movement(id));
    Told {
        answers: answers.into(),
        is_reachable: finder.is_reachable(&query),
        nearest: finder.solve_nearest(&NearestQuery::new(start, [goal, other]).with_movement(id)),
        range: range.map(|range| range.cells().iter().map(|reached| (reached.cell, reached.cost)).collect()),
        field: field.map(|field| world.positions().map(|place| field.cost(world.cell(place))).collect()),
    }
}

/// Returns the bytes in use for derived data. The limit of the finder does not change.
fn kept(finder: &PathFinder) -> usize {
    finder.clone().limit_memory(usize::MAX)
}

proptest! {
    #![proptest_config(cases(150))]

    #[test]
    fn answers_are_the_same_with_and_without_a_limit(
        mut world in plane_world(Features::ALL, 70),
        percent in select(vec![0_usize, 30, 60, 100]),
    ) {
        let mut free = world.finder();
        for unit in 0..world.units.len() {
            told(&world, &free, unit);
        }
        let limit = kept(&free) * percent / 100;
        let mut limited = free.clone();
        prop_assert!(limited.limit_memory(limit) <= limit);
        let edits: Vec<_> = world.batches.iter().flatten().cloned().collect();
        for (number, edit) in edits.chunks(1).enumerate() {
            let unit = number % world.units.len();
            prop_assert_eq!(told(&world, &limited, unit), told(&world, &free, unit));
            let before = limited.grid().revision();
            world.clone().edit(&mut limited, edit);
            world.edit(&mut free, edit);
            if limited.grid().revision() != before {
                prop_assert!(kept(&limited) <= limit, "{} of {limit}", kept(&limited));
            }
        }
        for unit in 0..world.units.len() {
            prop_assert_eq!(told(&world, &limited, unit), told(&world, &free, unit));
        }
    }
}

const SIDE: u32 = 130;

/// Returns a finder, and the ids of two movements: one of size 1, and one of size 2, which covers
/// four cells.
fn two_movements() -> (PathFinder, [MovementId; 2]) {
    let mut finder = PathFinder::new(Grid::new(SIDE, SIDE, 1).unwrap(), Movement::new());
    let large = finder.add_movement(Movement::new().with_size(Size::new(2).unwrap()));
    (finder, [MovementId::FIRST, large])
}

fn ask(finder: &PathFinder, id: MovementId) {
    let query = PathQuery::new(Cell::new(1, 1), Cell::new(120, 90)).with_movement(id);
    assert!(finder.solve(&query).unwrap().outcome.path().is_some());
}

#[test]
fn the_movement_that_was_not_asked_for_the_longest_goes() {
    for (first, second) in [(0, 1), (1, 0)] {
        let (mut finder, ids) = two_movements();
        let mut alone = finder.clone();
        ask(&finder, ids[first]);
        finder.set_terrain(Cell::new(50, 50), 0).unwrap();
        alone.set_terrain(Cell::new(50, 50), 0).unwrap();
        ask(&finder, ids[second]);
        ask(&alone, ids[second]);
        let both = kept(&finder);
        assert_eq!(finder.limit_memory(both), both, "the limit equals the memory in use");
        ask(&finder, ids[second]);
        finder.limit_memory(both - 1);
        assert_eq!(kept(&finder), kept(&alone), "{first} goes");
    }
}

#[test]
fn edits_growth_and_movements_that_come_keep_the_limit() {
    type Change = fn(&mut PathFinder);
    let edits: [(&str, Change); 6] = [
        ("a cell", |finder| assert!(finder.set_terrain(Cell::new(9, 9), 0).unwrap())),
        ("cells", |finder| {
            assert_eq!(finder.edit(&[8, 9].map(|x| Edit::terrain(Cell::new(x, 9), 0))).unwrap(), 2);
        }),
        ("an overlay", |finder| assert_eq!(finder.set_overlay("smell", [(Cell::new(9, 9), 1)]).unwrap(), 1)),
        ("an edge", |finder| {
            assert_eq!(finder.edit(&[Edit::fence(Cell::new(9, 9), Cell::new(9, 10))]).unwrap(), 2);
        }),
        ("growth", |finder| {
            let larger = tilepath::Bounds::new(Cell::new(0, 0), SIDE + 64, SIDE).unwrap();
            assert!(finder.resize(larger, 1));
        }),
        ("a movement", |finder| {
            finder.add_movement(Movement::new());
        }),
    ];
    for (name, edit) in edits {
        let (mut finder, ids) = two_movements();
        ask(&finder, ids[0]);
        let limit = kept(&finder) * 3 / 2;
        assert!(finder.limit_memory(limit) > 0);
        ask(&finder, ids[1]);
        assert!(kept(&finder) > limit, "data made by queries comes on top until the next edit");
        edit(&mut finder);
        assert!(kept(&finder) <= limit, "{name}: {} of {limit}", kept(&finder));
        for id in ids {
            ask(&finder, id);
        }
        let whole = finder.limit_memory(usize::MAX);
        finder.set_terrain(Cell::new(20, 20), 0).unwrap();
        assert!(kept(&finder) * 10 > whole * 9, "{name}: without a limit all data stays");
    }
}

#[test]
fn questions_about_a_map_as_it_would_be_keep_the_limit_of_the_finder() {
    let (mut finder, ids) = two_movements();
    let mut what_if = WhatIf::new(&finder);
    let wall = [Edit::terrain(Cell::new(60, 60), 0)];
    for id in ids {
        ask(what_if.with_edits(&finder, &wall).unwrap(), id);
    }
    let whole = kept(what_if.with_edits(&finder, &wall).unwrap());
    finder.limit_memory(whole / 2);
    for id in ids {
        ask(what_if.with_edits(&finder, &wall).unwrap(), id);
    }
    assert!(kept(what_if.with_edits(&finder, &wall).unwrap()) <= whole / 2);
}

//! Random rules of turns on maps with all features, against brute force.

use proptest::prelude::*;
use testkit::Oracle;
use tilepath::{
    PathFinder, QueryError,
    turns::{TurnPath, TurnQuery},
};

use crate::{
    plane_worlds::{Features, PlaneWorld, plane_world},
    turn_worlds::{self, Truth, TurnDraft, turn_draft},
    worlds::cases,
};

/// Checks the range, the paths to some cells, and how paths are cut.
fn check(world: &PlaneWorld, finder: &PathFinder, draft: &TurnDraft, start: (i32, i32)) {
    let oracle = Oracle::of(&world.land, &world.units[0]);
    let truth = Truth::new(world, draft, &oracle, start);
    let query = draft.query(world, start);
    if !oracle.fits(start) {
        let refused = finder.solve_turns(&query);
        assert!(matches!(refused, Err(QueryError::FootprintOutOfBounds { .. })));
        return;
    }
    let expected = truth.range();
    let range = finder.solve_turns(&query).unwrap();
    assert_eq!(range.start(), world.cell(start));
    assert!(range.cells().is_sorted_by(|one, next| {
        one.turn < next.turn || one.turn == next.turn && one.left >= next.left
    }));
    for place in world.positions() {
        let (cell, slot) = (world.cell(place), world.land.map.slot(place));
        let found = range.get(cell).map(|end| (u64::from(end.turn), u64::from(end.left.get())));
        assert_eq!(found.as_ref(), expected.get(&slot), "{place:?}");
        let Some(end) = range.get(cell) else { continue };
        let path = range.path_to(cell).unwrap();
        assert_eq!((path.turns(), path.used(), path.left()), (end.turn, end.used, end.left));
        check_path(world, &truth, &path, finder);
    }
    for number in 1..5 {
        let goal = world.place(number, 0);
        let slot = world.land.map.slot(goal);
        let found = finder.solve_turn_path(&query, world.cell(goal));
        if world.land.void[slot] || !oracle.fits(goal) {
            assert!(matches!(
                found,
                Err(QueryError::GoalOutOfBounds { .. } | QueryError::FootprintOutOfBounds { .. })
            ));
            continue;
        }
        let found = found.unwrap();
        let told = found.as_ref().map(|path| (u64::from(path.turns()), u64::from(path.left().get())));
        assert_eq!(told.as_ref(), expected.get(&slot), "{goal:?}");
        if let Some(path) = &found {
            check_path(world, &truth, path, finder);
            let cut = finder.cut_into_turns(path.path(), &query).unwrap().unwrap();
            assert_eq!((cut.turns(), cut.left()), (path.turns(), path.left()));
        }
        check_cut(world, &truth, finder, &query, goal);
    }
}

/// Walks a path by the rules, and checks its own figures.
fn check_path(world: &PlaneWorld, truth: &Truth<'_>, path: &TurnPath, finder: &PathFinder) {
    let movement = finder.movement(tilepath::MovementId::FIRST).unwrap();
    path.path().verify(finder.grid(), movement).unwrap();
    let places: Vec<_> = path.path().cells().iter().map(|&cell| world.position(cell)).collect();
    assert_eq!(path.turns() as usize, path.stops().len());
    assert_eq!(path.stops().last(), Some(&(places.len() - 1)));
    let end = truth.walk(&places, path.stops());
    let told = (u64::from(path.turns()), u64::from(path.left().get()), u64::from(path.used().get()));
    assert_eq!(told, (end.turn, end.left, end.used), "{path:?}");
    let legs: u64 = (1..=path.turns()).map(|turn| u64::from(path.leg(turn).cost().get())).sum();
    assert_eq!(legs, u64::from(path.path().cost().get()));
    for (turn, leg) in (1..).zip(path.legs()) {
        assert_eq!(path.leg(turn).cells(), leg);
    }
    let bound = path.path().lower_bound();
    if let Ok(cheapest) = finder.find(path.path().start(), path.path().goal()) {
        assert!(cheapest.path().is_none_or(|cheapest| bound <= cheapest.cost()));
    }
}

/// Checks how the cheapest path to a cell is cut, against all possible cuts.
fn check_cut(
    world: &PlaneWorld,
    truth: &Truth<'_>,
    finder: &PathFinder,
    query: &TurnQuery,
    goal: (i32, i32),
) {
    let Some(path) = finder.find(query.start(), world.cell(goal)).unwrap().into_path() else { return };
    let places: Vec<_> = path.cells().iter().map(|&cell| world.position(cell)).collect();
    let cut = finder.cut_into_turns(&path, query).unwrap();
    let told = cut.as_ref().map(|cut| (u64::from(cut.turns()), u64::from(cut.left().get())));
    assert_eq!(told, truth.line(&places), "{path:?}");
    if let Some(cut) = cut {
        check_path(world, truth, &cut, finder);
    }
}

fn world_and_draft() -> impl Strategy<Value = (PlaneWorld, TurnDraft)> {
    plane_world(Features::ALL, 6).prop_flat_map(|mut world| {
        // Few classes, so that rules of classes matter, and units that fit.
        world.units.truncate(1);
        world.units[0].size = world.units[0].size.min(2);
        for class in &mut world.land.map.classes {
            *class %= 4;
        }
        let rules = &mut world.units[0].rules;
        for (class, multiplier) in rules.multipliers.iter_mut().enumerate() {
            *multiplier = if class == 0 { 0 } else { 1 + *multiplier % 5 };
        }
        let straight = rules.straight;
        let draft = turn_draft(&world, straight);
        (Just(world), draft)
    })
}

proptest! {
    #![proptest_config(cases(5_000))]

    #[test]
    fn turns_with_rules_match_brute_force((mut world, draft) in world_and_draft()) {
        let mut finder = turn_worlds::finder(&world, &draft);
        let start = world.place(0, 0);
        check(&world, &finder, &draft, start);
        for batch in world.batches.clone().into_iter().take(2) {
            world.edit(&mut finder, &batch);
            check(&world, &finder, &draft, start);
        }
    }
}

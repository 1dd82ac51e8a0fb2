//! Answers of fields to units, in slices and under edits.
//!
//! They have the costs and the goals of searches.

use proptest::prelude::*;
use testkit::Seed;
use tilepath::{
    Cell, Grid, Movement, NearestQuery, PathFinder, QueryError,
    field::{FieldQuery, FieldUpdate, FlowField},
};

use crate::{
    plane_worlds::{Features, PlaneWorld, enters_closed_ground, plane_world},
    worlds::cases,
};

/// Returns the answer of a field that works in slices of this size.
fn read(field: &mut FlowField, start: Cell, slice: u64) -> Result<tilepath::NearestAnswer, QueryError> {
    loop {
        let before = field.work();
        if let Some(answer) = field.nearest_from(start, slice) {
            return answer;
        }
        assert!(field.work() > before, "a slice without progress counts as work, too");
    }
}

/// Checks that each start gets the cost and the goal of a search, with an allowed path.
fn check_answers(world: &PlaneWorld, finder: &PathFinder, field: &mut FlowField, unit: usize, slice: u64) {
    let id = field.query().movement();
    let rules = world.movement(unit);
    let goals = field.query().goals().to_vec();
    for position in world.positions() {
        let start = world.cell(position);
        // A field does not answer for a larger unit on closed ground, nor deep in it: these need a search.
        let is_large = world.units[unit].size > 1 && !rules.is_open(finder.grid(), start);
        if is_large || enters_closed_ground(finder.grid(), &rules, start) {
            continue;
        }
        let query = NearestQuery::new(start, goals.clone()).with_movement(id);
        let searched = finder.solve_nearest(&query);
        match (read(field, start, slice), searched) {
            (Ok(read), Ok(searched)) => {
                let of = |answer: &tilepath::NearestAnswer| {
                    answer.goals.first().map(|goal| (goal.index, goal.path.cost(), goal.path.lower_bound()))
                };
                assert_eq!(of(&read), of(&searched), "{start} of {world:?}");
                assert_eq!((read.statistics.expanded, read.statistics.generated), (0, 0));
                for goal in &read.goals {
                    assert_eq!((goal.path.start(), goal.path.goal()), (start, goals[goal.index]));
                    assert_eq!(goal.path.verify(finder.grid(), &rules), Ok(()), "{start} of {world:?}");
                }
            }
            (read, searched) => assert_eq!(read.err(), searched.err(), "{start} of {world:?}"),
        }
    }
}

/// Returns at most four possible goals of a unit.
fn goals_of(world: &PlaneWorld, finder: &PathFinder, unit: usize) -> Vec<Cell> {
    let goals = (0..4).map(|number| world.cell(world.place(number, unit)));
    let id = finder.movement_id(&world.movement(unit)).unwrap();
    goals.filter(|&goal| finder.begin_field(&FieldQuery::new([goal]).with_movement(id)).is_ok()).collect()
}

fn live(mut world: PlaneWorld, slice: u64, budget: u64) {
    let mut finder = world.finder();
    for unit in 0..world.units.len() {
        let id = finder.movement_id(&world.movement(unit)).unwrap();
        let goals = goals_of(&world, &finder, unit);
        let mut field = finder.begin_field(&FieldQuery::new(goals).with_movement(id)).unwrap();
        check_answers(&world, &finder, &mut field, unit, slice);
        for batch in world.batches.clone() {
            for edit in batch.chunks(1) {
                world.edit(&mut finder, edit);
            }
            let before = field.work();
            match field.update_within(&finder, budget) {
                Ok(update) => {
                    // The work before the field finds the update too expensive counts, too.
                    assert!(field.work() - before <= budget + 1, "{update:?}");
                    assert_ne!(update, FieldUpdate::Rebuilt);
                    check_answers(&world, &finder, &mut field, unit, slice);
                }
                Err(_) => return, // A goal became void.
            }
        }
    }
}

proptest! {
    #![proptest_config(cases(150))]

    #[test]
    fn answers_of_fields_equal_searches_under_edits(
        world in plane_world(Features::default(), 14),
        slice in 1..40_u64,
        budget in 0..60_u64,
    ) {
        live(world, slice, budget);
    }

    #[test]
    fn answers_of_fields_equal_searches_on_maps_with_every_feature(
        world in plane_world(Features::ALL, 12),
        slice in 1..40_u64,
        budget in 0..60_u64,
    ) {
        live(world, slice, budget);
    }
}

/// On even ground, many goals cost the same from one cell, and each has many cheapest paths.
#[test]
fn first_of_equally_cheap_goals_is_chosen() {
    let map = testkit::cluttered(40, 40, 10, &Seed::named("equally cheap"));
    let finder = PathFinder::new(Grid::from_classes(40, 40, map.classes.clone()).unwrap(), Movement::new());
    let goals: Vec<Cell> =
        map.queries(30, &Seed::named("goals")).into_iter().map(|(goal, _)| Cell::from(goal)).collect();
    let mut field = finder.begin_field(&FieldQuery::new(&*goals)).unwrap();
    let mut others = 0;
    for cell in finder.grid().bounds().cells() {
        let searched = finder.nearest(cell, &goals).unwrap();
        let read = read(&mut field, cell, 1).unwrap().goals.pop();
        let of = |goal: &tilepath::NearestGoal| (goal.index, goal.path.cost());
        assert_eq!(read.as_ref().map(of), searched.as_ref().map(of), "{cell}");
        others += usize::from(read.is_some_and(|goal| field.goal_from(cell) != Some(goal.index)));
    }
    assert!(others > 10, "only {others} cells get another goal if a unit follows the directions alone");
}

//! Lists of queries, and forbidden cells.

use std::collections::BTreeSet;

use rand::Rng;
use testkit::Oracle;
use tilepath::{Cell, Forbidden, MovementId, PathFinder, PathQuery};

use crate::{
    flat::NEVER,
    view::{Verdict, View, Ways, ensure},
};

/// Draws queries. Many lead to one goal, and some are repetitions.
pub(crate) fn draw_list(generator: &mut impl Rng, view: &View<'_>, movement: MovementId) -> Vec<PathQuery> {
    let common = view.draw_position(generator);
    let mut queries: Vec<PathQuery> = Vec::new();
    for _ in 0..generator.random_range(0..=40) {
        if !queries.is_empty() && generator.random_ratio(1, 8) {
            queries.push(queries[generator.random_range(0..queries.len())]);
            continue;
        }
        let goal = if generator.random_ratio(4, 5) { common } else { view.draw_position(generator) };
        let [start, goal] = [view.draw_position(generator), goal].map(|position| view.world.cell(position));
        let query = PathQuery::new(start, goal).with_movement(movement);
        queries.push(if generator.random_ratio(1, 3) { query.or_closest() } else { query });
    }
    queries
}

/// Checks that each answer equals the answer to the single query.
pub(crate) fn check_list(finder: &PathFinder, queries: &[PathQuery]) -> Verdict {
    let answers = finder.find_many(queries);
    ensure!(answers.len() == queries.len(), "{} answers to {} queries", answers.len(), queries.len());
    for (query, answer) in queries.iter().zip(answers) {
        let [listed, alone] = [answer, finder.solve(query)].map(|answer| answer.map(|answer| answer.outcome));
        ensure!(listed == alone, "{query:?} in a list: {listed:?}, alone: {alone:?}");
    }
    Ok(())
}

/// Checks forbidden cells: without each of them the oracle finds no path.
pub(crate) fn check_forbidden(
    view: &View<'_>,
    ways: &Ways,
    finder: &PathFinder,
    query: &PathQuery,
) -> Verdict {
    let world = view.world;
    let goal = world.position(query.goal());
    let found = finder.forbidden(query);
    if let Some(error) = view.goal_error(finder.grid(), goal) {
        ensure!(found == Err(error), "{found:?} instead of {error}");
        return Ok(());
    }
    let slot = world.land.map.slot(goal);
    if ways.costs[slot] == NEVER {
        ensure!(found == Ok(Forbidden::Unreachable), "{found:?}, but there is no path");
        return Ok(());
    }
    let Ok(Forbidden::Cells(cells)) = found else { return Err(format!("{found:?}, but there is a path")) };
    let mut land = world.land.clone();
    let mut expected: BTreeSet<(i32, i32)> = BTreeSet::new();
    for closed in 0..land.void.len() {
        if goal != ways.start && !land.void[closed] {
            land.void[closed] = true;
            if Oracle::of(&land, view.unit).costs_from(ways.start)[slot].is_none() {
                expected.insert(land.map.position(closed));
            }
            land.void[closed] = false;
        }
    }
    let told: BTreeSet<(i32, i32)> = cells.iter().map(|&cell: &Cell| world.position(cell)).collect();
    ensure!(told.len() == cells.len(), "a cell comes twice: {cells:?}");
    ensure!(told == expected, "forbidden are {told:?}, by the oracle {expected:?}");
    Ok(())
}

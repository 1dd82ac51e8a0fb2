//! Forbidden cells, beside the oracle.

use std::collections::BTreeSet;

use testkit::Oracle;
use tilepath::{Cell, Forbidden, PathFinder, PathQuery};

use crate::{
    flat::NEVER,
    view::{Verdict, View, Ways, ensure},
};

/// Checks forbidden cells: with a wall on each of them the oracle finds no path.
pub(crate) fn check(view: &View<'_>, ways: &Ways, finder: &PathFinder, query: &PathQuery) -> Verdict {
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
    // A unit deep in closed ground passes walls, but no void cell.
    let wall = (0..=u8::MAX).find(|&class| view.rules.multipliers[usize::from(class)] == 0);
    let mut expected: BTreeSet<(i32, i32)> = BTreeSet::new();
    for closed in 0..land.void.len() {
        if goal != ways.start && !land.void[closed] {
            let class = land.map.classes[closed];
            match wall {
                Some(wall) => land.map.classes[closed] = wall,
                None => land.void[closed] = true,
            }
            if Oracle::of(&land, view.unit).costs_from(ways.start)[slot].is_none() {
                expected.insert(land.map.position(closed));
            }
            land.map.classes[closed] = class;
            land.void[closed] = false;
        }
    }
    let told: BTreeSet<(i32, i32)> = cells.iter().map(|&cell: &Cell| world.position(cell)).collect();
    ensure!(told.len() == cells.len(), "a cell comes twice: {cells:?}");
    ensure!(told == expected, "forbidden are {told:?}, by the oracle {expected:?}");
    Ok(())
}

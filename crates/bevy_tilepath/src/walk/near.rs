//! Paths that lead near a moving target, or away from it.
//!
//! Decision: `docs/decisions/44-approach-goals.md`.

use std::collections::BTreeSet;

use bevy_ecs::entity::Entity;
use tilepath::Cell;

use crate::{
    failure::PathFailure,
    journey::path::{AgentPath, plan::Extended},
    map::{
        map_view::MapView,
        maps::{AnyMap, UnitMaps},
        place::{MapPlace, Place},
    },
    order::{goal::Goals, queue::NotYet, reach::Reach, request::PathRequest},
    search::target_places::{OrderMaps, TargetPlaces},
    walk::{
        better_ways::{around, cell_at_bound},
        path_checker::PathChecker,
    },
};

impl PathChecker<'_, '_> {
    /// Lets a path follow the target of its order, on any map. Returns whether the target has moved.
    pub(super) fn follow_target(
        &self,
        path: &mut AgentPath,
        (agent, request): (Entity, &PathRequest),
        (unit, own): (UnitMaps, AnyMap),
        is_edited: bool,
    ) -> Result<bool, PathFailure> {
        let maps = OrderMaps { unit, own, named: request.goal_map() };
        // With a map, the `OnMap` of the target goes, too.
        if path.route().goals.at.iter().all(|&(map, _)| !unit.all.entities.contains(map)) {
            return Err(PathFailure::NoMap);
        }
        if path.route().goals.reach.is_some() {
            return self.follow_reach(path, (agent, request), &maps, is_edited);
        }
        let Some(target) = request.goal().entity_to_reach(Some(agent)) else { return Ok(false) };
        let (map, cell) = self.targets.cell_of(target, &maps).map_err(NotYet::reason)?;
        let has_moved = path.route().goals.at[0] != (map, MapPlace::Cell(cell));
        if has_moved {
            lead_to(path, map, cell, &maps);
        }
        Ok(has_moved)
    }

    /// Updates the cells on which the order may end, and whether the path leads to one. Returns
    /// whether the target has moved.
    fn follow_reach(
        &self,
        path: &mut AgentPath,
        (agent, request): (Entity, &PathRequest),
        maps: &OrderMaps,
        is_edited: bool,
    ) -> Result<bool, PathFailure> {
        let Some(reach) = &path.route().goals.reach else { return Ok(false) };
        // A position keeps the cell that it had when the order was accepted.
        let before = |number: usize, _: &Place| reach.place(number);
        let targets = self.targets.covered(Some(agent), request.goal(), maps, before);
        let targets = targets.map_err(NotYet::reason)?;
        let has_moved = targets != reach.targets;
        let may_differ = has_moved || is_edited && reach.approach.depends_on_map();
        if !may_differ {
            return Ok(false);
        }
        let goals = maps.near(Reach { targets, approach: reach.approach });
        take_goals(path, goals, maps, is_edited);
        if has_moved {
            lead_near(path, maps);
        }
        Ok(has_moved)
    }
}

/// Sets the cells on which the order may end.
fn take_goals(path: &mut AgentPath, goals: Goals, maps: &OrderMaps, is_edited: bool) {
    path.walk_bound_on();
    let least = match maps.own {
        AnyMap::Tiles(view) if [&goals, &path.route().goals].iter().all(|goals| goals.are_on(view.map)) => {
            least_cost_to(path, &goals, &view, is_edited)
        }
        _ => 0.0,
    };
    path.proof.lower(least);
    let Some(end) = path.end_cell() else { return };
    let is_held = |view: &MapView| goals.reach.as_ref().is_some_and(|reach| reach.holds(end, view));
    path.proof.misses_goal = !maps.tiles(path.end_map()).is_some_and(|view| is_held(&view));
    path.plan.aim(goals, Place::Cell(end));
}

/// Ends a path on the first cell ahead on which its order may end now, or else extends it to the
/// nearest one. If this is not possible, the path ends where it did.
fn lead_near(path: &mut AgentPath, maps: &OrderMaps) {
    let view = maps.tiles(path.end_map()).filter(|_| !path.is_partial());
    let Some((view, end)) = view.zip(path.end_cell()) else { return };
    let Some(reach) = path.route().goals.reach.as_ref().filter(|reach| reach.approach.budget().is_none())
    else {
        return;
    };
    let is_end = |cell: &Cell| view.is_passable(*cell) && reach.holds(*cell, &view);
    let ahead = path.plan.cells_to_end().iter().copied().find(is_end);
    let to = ahead.or_else(|| {
        let on_map = path.route().goals.at.iter().filter(|(map, _)| *map == view.map);
        let cells = on_map.filter_map(|(_, place)| place.cell()).filter(is_end);
        let distance = |cell: &Cell| view.distances().between(end, *cell);
        cells.min_by(|one, other| distance(one).total_cmp(&distance(other)))
    });
    if let Some(to) = to.filter(|&to| to != end)
        && extend(path, to, &view).is_some()
    {
        path.proof.misses_goal = false;
        path.plan.set_goal(Place::Cell(to));
        // The next path begins at the end of this one.
        path.stops.forget_ahead();
    }
}

/// Returns the least cost of the rest of a path to one of the new goals. A cell that is one step from
/// an old goal is nearer by this step at most. For other cells the plain distance is the bound.
fn least_cost_to(path: &AgentPath, goals: &Goals, view: &MapView, is_edited: bool) -> f64 {
    let Some(from) = cell_at_bound(path) else { return 0.0 };
    let (grid, old) = (view.finder.grid(), &path.route().goals);
    // After an edit only the outermost of the old goals are known.
    let outermost: BTreeSet<Cell> =
        old.cells().filter(|_| is_edited).map_or_else(BTreeSet::new, |cells| cells.iter().copied().collect());
    let was_goal = |cell: Cell| {
        if is_edited {
            outermost.contains(&cell)
        } else {
            old.reach.as_ref().is_some_and(|reach| reach.holds(cell, view))
        }
    };
    let least_to = |cell: Cell| {
        if was_goal(cell) {
            return f64::INFINITY;
        }
        let plain = around(&[cell])
            .and_then(|there| view.finder.least_cost(from, there, view.movement).ok())
            .map_or(0.0, |least| f64::from(least.get()));
        let by_step = (grid.topology().directions().iter())
            .filter(|&&direction| cell.neighbour(direction).is_some_and(was_goal))
            .filter_map(|&direction| view.rules.step_cost(grid, cell, direction))
            .map(|step| path.proof.least - f64::from(step.get()))
            .fold(0.0, f64::max);
        plain.max(by_step)
    };
    let cells = goals.cells();
    cells.iter().flat_map(|cells| cells.iter().copied()).map(least_to).reduce(f64::min).unwrap_or(0.0)
}

/// Extends a path to the new cell of the entity that it follows, and moves the lower bound. If this is
/// not possible, the path ends at the old cell of the entity.
fn lead_to(path: &mut AgentPath, map: Entity, to: Cell, maps: &OrderMaps) {
    path.walk_bound_on();
    let from = path.end_cell();
    path.plan.aim(Goals::one(map, to), Place::Cell(to));
    // The next path begins at the end of this one.
    path.stops.forget_ahead();
    let view = maps.tiles(map).filter(|_| map == path.end_map() && !path.is_partial());
    let back = view.and_then(|view| {
        extend(path, to, &view)?;
        let unit = if path.is_counted_in_cells() { 1.0 } else { view.unit() };
        Some(path.plan.cost_back_to(from?, &view)? * unit)
    });
    match back {
        Some(back) => path.proof.move_goal(back),
        None => path.proof.lower(0.0),
    }
}

fn extend(path: &mut AgentPath, to: Cell, view: &MapView) -> Option<()> {
    let had_one_leg = path.is_counted_in_cells();
    let Extended { dropped, goes_on } = path.plan.extend(to, view)?;
    path.proof.at = path.proof.at.saturating_sub(dropped);
    if !had_one_leg && path.is_counted_in_cells() {
        path.keep_last_leg();
    }
    if let Some(here) = path.walk.position.filter(|_| !goes_on) {
        path.set_leg(here, path.next_point());
        path.walk.is_astray = !view.is_clear_to(here, path.next_point(), path);
    }
    Some(())
}

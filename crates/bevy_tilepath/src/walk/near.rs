//! Paths that lead near a moving target, or away from it.
//!
//! Decision: `docs/decisions/44-approach-goals.md`.

use std::collections::BTreeSet;

use bevy_ecs::{
    change_detection::{DetectChangesMut, Mut},
    entity::Entity,
};
use tilepath::Cell;

use crate::{
    failure::PathFailure,
    journey::path::AgentPath,
    map::{map_view::MapView, place::Place},
    order::{goal::Goals, reach::Reach, request::PathRequest},
    search::target_places::{TargetPlaces, near},
    walk::{better_ways::around, replan::PathChecker},
};

impl PathChecker<'_, '_> {
    /// Updates the cells on which the order may end, and whether the path leads to one. Returns
    /// whether the target has moved.
    pub(super) fn follow_reach(
        &self,
        path: &mut Mut<AgentPath>,
        (agent, request): (Entity, &PathRequest),
        view: &MapView,
        is_edited: bool,
    ) -> Result<bool, PathFailure> {
        let Some(reach) = &path.route.goals.reach else { return Ok(false) };
        // A position keeps the cell that it had when the order was accepted.
        let before = |number: usize, _: &Place| reach.target.of_places.get(number).copied();
        let target = self.targets.covered(Some(agent), request.goal().targets(), view, before)?;
        let has_moved = target != reach.target;
        let may_differ = has_moved || is_edited && reach.approach.depends_on_map();
        if !may_differ {
            return Ok(false);
        }
        let goals = near(Reach { target, approach: reach.approach }, view);
        let path = path.bypass_change_detection();
        path.take_goals(goals, view, is_edited);
        Ok(has_moved)
    }
}

impl AgentPath {
    /// Sets the cells on which the order may end.
    fn take_goals(&mut self, goals: Goals, view: &MapView, is_edited: bool) {
        self.walk_bound_on();
        let least = self.least_cost_to(&goals, view, is_edited);
        self.kept.lower(least);
        self.route.goals = goals;
        self.route.chosen = 0;
        let Some(end) = self.path().map(tilepath::Path::goal) else { return };
        let holds = |reach: &Reach| reach.holds(end, view);
        self.kept.misses_goal = !self.route.goals.reach.as_ref().is_some_and(holds);
        self.set_goal(Place::Cell(end));
    }

    /// Returns the least cost of the rest to one of the new goals. A cell that is one step from an
    /// old goal is nearer by this step at most. For other cells the plain distance is the bound.
    fn least_cost_to(&self, goals: &Goals, view: &MapView, is_edited: bool) -> f64 {
        let Some(&from) = self.path().and_then(|path| path.cells().get(self.kept.at)) else { return 0.0 };
        let (grid, old) = (view.finder.grid(), &self.route.goals);
        // After an edit only the outermost of the old goals are known.
        let outermost: BTreeSet<Cell> = old
            .cells()
            .filter(|_| is_edited)
            .map_or_else(BTreeSet::new, |cells| cells.iter().copied().collect());
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
                .map(|step| self.kept.least - f64::from(step.get()))
                .fold(0.0, f64::max);
            plain.max(by_step)
        };
        let cells = goals.cells();
        cells.iter().flat_map(|cells| cells.iter().copied()).map(least_to).reduce(f64::min).unwrap_or(0.0)
    }
}

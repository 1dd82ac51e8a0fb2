//! Paths that follow an entity, cell by cell.

use tilepath::{Cell, Direction, PathQuery};

use super::AgentPath;
use crate::map::{map_view::MapView, place::Place};
use crate::order::goal::Goals;

/// The most cells that are searched for the path of an entity within a tick.
const TRAIL: u64 = 64;

impl AgentPath {
    /// Extends the path to the new cell of the entity, and moves the lower bound. If this is not
    /// possible, the path ends at the old cell of the entity.
    pub(crate) fn lead_to(&mut self, to: Cell, view: &MapView) {
        self.walk_bound_on();
        let from = self.path().map(tilepath::Path::goal);
        self.route.goals = Goals::one(view.map, to);
        self.goal = Place::Cell(to);
        // The next path begins at the end of this one.
        (self.ahead, self.ahead_tried) = (None, false);
        if self.is_partial() || self.extend_to(to, view).is_none() {
            self.kept.lower(0.0);
            return;
        }
        let back = from.and_then(|from| way_back(from, self, view));
        match back {
            Some(back) => self.kept.move_goal(back),
            None => self.kept.lower(0.0),
        }
    }

    fn extend_to(&mut self, to: Cell, view: &MapView) -> Option<()> {
        let (grid, passed) = (view.finder.grid(), self.passed());
        let mut rest = self.path()?.rest_from(passed, grid, view.rules).ok()?;
        // The step under way is walked to its end.
        let under_way = self.next.saturating_sub(passed).min(rest.steps());
        let ahead = rest.cells()[under_way..].iter().position(|&cell| cell == to);
        if let Some(ahead) = ahead {
            rest.truncate(under_way + ahead, grid, view.rules).ok()?;
        } else {
            for cell in trail(rest.goal(), to, view)? {
                rest.push(cell, grid, view.rules).ok()?;
            }
        }
        let (old, placement) = (&self.route.legs[0], self.route.legs[0].placement);
        let mut leg = view.leg(rest, None);
        leg.version = old.version;
        let goes_on = leg.go_on_from(old, passed, self.next, view);
        self.points.clear();
        leg.add_points(view.projection, placement, &mut self.points);
        self.route.legs[0] = leg;
        self.walk.line = None;
        self.next -= passed;
        self.kept.at = self.kept.at.saturating_sub(passed);
        if let Some(here) = self.walk.position.filter(|_| !goes_on) {
            self.set_leg(here, self.next);
            self.is_astray = !view.is_clear_to(here, self.next, self);
        }
        Some(())
    }
}

/// Returns the cells from one cell to another, without the first.
fn trail(from: Cell, to: Cell, view: &MapView) -> Option<Vec<Cell>> {
    if Direction::between(from, to)
        .is_some_and(|way| view.rules.step_cost(view.finder.grid(), from, way).is_some())
    {
        return Some(vec![to]);
    }
    let query = PathQuery::new(from, to).with_movement(view.movement).with_limit(TRAIL);
    let path = view.finder.solve(&query).ok()?.outcome.into_path()?;
    Some(path.cells()[1..].to_vec())
}

/// Returns the cost of a path from the new end of the path to its old end.
fn way_back(from: Cell, path: &AgentPath, view: &MapView) -> Option<f64> {
    let query = PathQuery::new(path.path()?.goal(), from).with_movement(view.movement).with_limit(TRAIL);
    Some(view.finder.solve(&query).ok()?.outcome.into_path()?.cost().get().into())
}

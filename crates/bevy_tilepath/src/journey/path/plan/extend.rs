//! Plans that follow an entity, cell by cell.

use tilepath::{Cell, Direction, PathQuery};

use super::PathPlan;
use crate::map::map_view::MapView;

/// The most cells that are searched for the path of an entity within a tick.
const TRAIL: u64 = 64;

/// The result of an extension.
pub(crate) struct Extended {
    /// The number of passed cells that are no part of the plan any more.
    pub(crate) dropped: usize,
    /// True if the line under way stays.
    pub(crate) goes_on: bool,
}

impl PathPlan {
    /// Extends the only leg to another cell, or ends it there. Cells that the agent has passed are
    /// dropped.
    pub(crate) fn extend(&mut self, to: Cell, view: &MapView) -> Option<Extended> {
        let (grid, passed) = (view.finder.grid(), self.passed());
        let mut rest = self.leg().path()?.rest_from(passed, grid, view.rules).ok()?;
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
        self.next -= passed;
        self.revision += 1;
        Some(Extended { dropped: passed, goes_on })
    }

    /// Returns the cost of a path from the end of the plan to this cell, if it is near.
    pub(crate) fn cost_back_to(&self, cell: Cell, view: &MapView) -> Option<f64> {
        let end = self.leg().path()?.goal();
        let query = PathQuery::new(end, cell).with_movement(view.movement).with_limit(TRAIL);
        Some(view.finder.solve(&query).ok()?.outcome.into_path()?.cost().get().into())
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

//! Plans that follow an entity, cell by cell.

use tilepath::{Cell, Direction, PathQuery};

use super::PathPlan;
use crate::map::map_view::MapView;

/// The most cells that are searched for the path of an entity within a tick.
const TRAIL: u64 = 64;

/// The result of an extension.
pub(crate) struct Extended {
    /// The number of passed points that are no part of the plan any more.
    pub(crate) dropped: usize,
    /// True if the line under way stays.
    pub(crate) goes_on: bool,
}

impl PathPlan {
    /// Extends the last leg to another cell of its map, or ends it there. Legs and cells that the
    /// agent has passed are dropped if the leg is under way.
    pub(crate) fn extend(&mut self, to: Cell, view: &MapView) -> Option<Extended> {
        let (grid, old) = (view.finder.grid(), self.last_leg());
        let is_under_way = self.legs_left().len() == 1;
        let (next, passed) = (old.index_of(self.next), if is_under_way { self.passed() } else { 0 });
        let mut rest = old.path()?.rest_from(passed, grid, view.rules).ok()?;
        // The step under way is walked to its end.
        let under_way = next.saturating_sub(passed).min(rest.steps());
        let ahead = rest.cells()[under_way..].iter().position(|&cell| cell == to);
        if let Some(ahead) = ahead {
            rest.truncate(under_way + ahead, grid, view.rules).ok()?;
        } else {
            for cell in trail(rest.goal(), to, view)? {
                rest.push(cell, grid, view.rules).ok()?;
            }
        }
        let entrance = old.entrance.filter(|_| !is_under_way).map(|entrance| (entrance, old.door_cost));
        let mut leg = view.leg(rest, entrance);
        leg.version = old.version;
        let goes_on = leg.go_on_from(old, passed, next, view) || !is_under_way;
        let (first, placement) = (old.first, old.placement);
        self.route.legs.pop();
        let dropped = if is_under_way { first + passed } else { 0 };
        if is_under_way {
            self.route.legs.clear();
            self.points.clear();
            self.current = 0;
        } else {
            self.points.truncate(first);
        }
        leg.add_points(view.projection, placement, &mut self.points);
        self.route.legs.push(leg);
        self.next -= dropped;
        self.revision += 1;
        Some(Extended { dropped, goes_on })
    }

    /// Returns the cells of the last leg on which it may end: the cell to which the agent walks, and
    /// those after it. Empty on a graph.
    pub(crate) fn cells_to_end(&self) -> &[Cell] {
        let leg = self.last_leg();
        let cells = leg.path().map_or(&[][..], |path| path.cells());
        &cells[leg.index_of(self.next).min(cells.len().saturating_sub(1))..]
    }

    /// Returns the cost of a path from the end of the plan to this cell, if it is near.
    pub(crate) fn cost_back_to(&self, cell: Cell, view: &MapView) -> Option<f64> {
        let end = self.last_leg().path()?.goal();
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

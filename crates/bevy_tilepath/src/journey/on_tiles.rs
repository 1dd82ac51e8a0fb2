//! Agents on tile maps: their cell, and joining a path.

use bevy_math::Vec2;
use tilepath::{Cell, Direction, Topology, graph::Position};

use crate::{
    failure::PathFailure,
    journey::{
        path::AgentPath,
        standing_on::{Standing, Step, is_on_line},
    },
    map::map_view::MapView,
    route::course::CellCourse,
};

/// The distance from its line, in cells, at which an agent that other code moves goes on.
const BESIDE: f32 = 0.25;

/// The greatest distance, in cells, from which an agent goes straight on to the next point of a
/// line. Points of a line are less far apart.
const NEAR: f32 = 2.0;

impl MapView<'_> {
    fn is_on_step(&self, here: Vec2, from: Cell, to: Cell) -> bool {
        let units = self.units(here);
        is_on_line(units, centre(from), centre(to), self.reach(here, units))
    }

    /// Returns the step under way, if the position still lies on it.
    fn step_at(&self, standing: &Standing) -> Option<Step> {
        standing
            .step(self.map)
            .filter(|step| step.side == self.side() && self.is_on_step(standing.here, step.from, step.to))
    }

    /// Returns whether a unit on a step may walk to one of its ends: it is not in the cell at the
    /// other end, or the map still allows the step from there.
    fn may_end_step(&self, step: &Step, end: Cell, under: Option<Cell>) -> bool {
        let other = if end == step.to { step.from } else { step.to };
        let is_allowed =
            |direction| self.rules.step_cost_since(self.grid.grid(), other, other, direction).is_some();
        other == end || under != Some(other) || Direction::between(other, end).is_some_and(is_allowed)
    }

    /// Returns the cell of an agent: on a step under way the nearer end, otherwise the cell under
    /// it.
    pub(crate) fn standing_cell(&self, standing: &Standing) -> Result<Cell, PathFailure> {
        match self.step_at(standing) {
            Some(step) if step.is_bound => Ok(step.to),
            Some(step) => {
                let units = self.units(standing.here);
                let lead = units.distance(centre(step.from)) - units.distance(centre(step.to));
                let is_on_border = lead.abs() <= self.reach(standing.here, units);
                let under = self.unbounded_cell_at(standing.here);
                // On the border of two cells it can still turn back from a wall, or from a step that
                // is closed. If both cells are walls it cannot: it is in the cell under it.
                match [step.from, step.to].map(|cell| self.is_passable(cell)) {
                    [_, true] if is_on_border && self.may_end_step(&step, step.to, under) => Ok(step.to),
                    [_, true] if is_on_border => Ok(if under == Some(step.to) { step.to } else { step.from }),
                    [true, false] if is_on_border => Ok(step.from),
                    [false, false] if is_on_border => self.cell_under(standing.here, PathFailure::start_off),
                    _ => Ok(if lead > 0.0 { step.to } else { step.from }),
                }
            }
            None => self.cell_under(standing.here, PathFailure::start_off),
        }
    }

    /// Sets the line from here onto the path, or along it if the agent is on the path. The line
    /// does not cut a corner.
    ///
    /// It stays within the cells of the path, or crosses a corner if the cell beside the corner is
    /// open. Returns false if there is no such line: the path must be replanned.
    pub(crate) fn join(&self, path: &mut AgentPath, standing: &Standing) -> bool {
        let Some(course) = path.leg().cells() else { return false };
        let here = standing.here;
        let first = path.leg_points().start;
        let goes_on = path.is_driven() && self.may_go(here, path.next_point() - first, path);
        if course.line.is_some() || goes_on {
            let next = self.next_on_line(path, course, standing);
            let next = next.or_else(|| self.lay_line_from(here, path));
            if let Some(next) = next {
                path.set_leg(here, first + next);
            }
            return next.is_some();
        }
        let cells = course.path.cells();
        let end = cells.len();
        let next = path.next_point() - first;
        let last = next.saturating_sub(1);
        let under = self.unbounded_cell_at(here);

        // At the end the step is over, and the agent stands on the last cell.
        let to = cells[next.min(end - 1)];
        let along = if next > 0 && self.is_on_step(here, cells[last], to) {
            Some(next)
        } else if let Some(step) = self.step_at(standing).filter(|_| next == 0) {
            // If the order came in the middle of a step, the agent walks on or back along the same
            // line.
            let other_end = if cells[0] == step.to { step.from } else { step.to };
            if cells[0] != step.from && cells[0] != step.to
                // A wall has appeared there after the agent turned back, or the step was closed.
                || under != Some(cells[0]) && !self.is_passable(cells[0])
                || !self.may_end_step(&step, cells[0], under)
            {
                None
            } else if end > 1
                && (cells[1] == other_end
                    || under == Some(cells[0]) && self.is_open(here, cells[0], cells[1]))
            {
                Some(1)
            } else {
                Some(0)
            }
        } else {
            None
        };
        let next = along.or_else(|| {
            let at = last + cells[last..].iter().position(|&cell| Some(cell) == under)?;
            let straight_on =
                at < next.max(1) && at + 1 < end && self.is_open(here, cells[at], cells[at + 1]);
            Some(if straight_on { at + 1 } else { at })
        });
        match next {
            Some(next) => {
                path.set_leg(here, first + next);
                true
            }
            None => false,
        }
    }

    /// Returns the index of the point to which an agent goes on along a line that is not the one
    /// over the centres. Returns `None` if the path must be replanned.
    fn next_on_line(&self, path: &AgentPath, course: &CellCourse, standing: &Standing) -> Option<usize> {
        let (here, cells) = (standing.here, course.path.cells());
        let (next, under) = (path.next_point() - path.leg_points().start, self.unbounded_cell_at(here));
        let (last, end) = (next.saturating_sub(1), cells.len());
        if path.is_driven() && self.may_go(here, next, path) {
            return Some(next);
        }
        let is_near = |index: usize| self.units(here).distance(course.point(index)) <= NEAR;
        let is_clear = |index: usize| is_near(index) && self.is_clear_to(here, index, path);
        if next > 0 && next < end && is_clear(next) {
            return Some(next);
        }
        // A step that has no room beside it leads from centre to centre.
        let is_centred = |index: usize| course.point(index) == centre(cells[index]);
        let to = next.min(end - 1);
        if next > 0 && is_centred(last) && is_centred(to) && self.is_on_step(here, cells[last], cells[to]) {
            return Some(next);
        }
        // If the order came on a step, at the border of two cells, the path may begin at either.
        let is_begun = |step: &Step| {
            next == 0
                && [step.from, step.to].contains(&cells[0])
                && self.is_passable(cells[0])
                && self.may_end_step(step, cells[0], under)
        };
        let at = cells[last..].iter().position(|&cell| Some(cell) == under).map(|index| last + index);
        let at = at.or_else(|| self.step_at(standing).filter(is_begun).map(|_| 0))?;
        if at + 1 < end && is_clear(at + 1) {
            Some(at + 1)
        } else {
            (is_centred(at) || is_clear(at)).then_some(at)
        }
    }

    /// Lays the line anew for an agent on a cell of its path that cannot go straight to its line, for
    /// example because other code put it there. Returns the index of the point to which it goes on.
    fn lay_line_from(&self, here: Vec2, path: &mut AgentPath) -> Option<usize> {
        let cells = path.leg().cells()?.path.cells();
        let last = path.leg().index_of(path.next_point()).saturating_sub(1);
        let (under, end) = (self.unbounded_cell_at(here), cells.len());
        let at = last + cells[last..].iter().position(|&cell| Some(cell) == under)?;
        path.plan.lay_from_centre(at, self);
        Some(if at + 1 < end && self.is_clear_to(here, at + 1, path) { at + 1 } else { at })
    }

    /// Returns whether an agent that other code moves can go straight from here to a point of the leg
    /// under way, which is not the first.
    pub(crate) fn may_go(&self, here: Vec2, index: usize, path: &AgentPath) -> bool {
        let Some(course) =
            path.leg().cells().filter(|course| (1..course.path.cells().len()).contains(&index))
        else {
            return false;
        };
        let (units, cells, under) = (self.units(here), course.path.cells(), self.unbounded_cell_at(here));
        let [from, to] = [index - 1, index].map(|index| course.point(index));
        let is_step = [from, to] == [index - 1, index].map(|index| centre(cells[index]));
        units.distance(to) <= NEAR
            && (is_step && under == Some(cells[index - 1]) && self.is_open(here, cells[index - 1], cells[index])
                || is_step && under == Some(cells[index]) && self.side() == 1
                // A line of several steps has more room than this on either side.
                || !is_step && self.side() == 1 && is_on_line(units, from, to, BESIDE)
                || self.is_clear_to(here, index, path))
    }

    /// Returns whether an agent can walk straight from here to a point of the leg under way.
    pub(crate) fn is_clear_to(&self, here: Vec2, index: usize, path: &AgentPath) -> bool {
        let Some(course) = path.leg().cells().filter(|course| index < course.path.cells().len()) else {
            return false;
        };
        let [from, to] =
            [self.units(here), course.point(index)].map(|at| Position::new(at.x.into(), at.y.into()));
        self.rules.line_fault(self.finder.grid(), from, to).is_none()
    }

    /// Returns whether the line that an agent walks leads through open cells. The line may pass
    /// beside the centres of cells.
    pub(crate) fn is_line_open(&self, path: &AgentPath, here: Vec2) -> bool {
        if path.leg().cells().is_some_and(|course| course.line.is_some()) {
            return self.is_clear_to(here, path.leg().index_of(path.next_point()), path);
        }
        path.step().is_none_or(|(from, to)| {
            let is_open = if from == to { self.is_passable(to) } else { self.is_open(here, from, to) };
            is_open || self.unbounded_cell_at(here) == Some(to)
        })
    }

    /// Returns whether the straight line from a position in one cell to the centre of the next cell
    /// is open.
    ///
    /// Towards an orthogonal neighbour, or a neighbour of a hexagon, the line stays within the two
    /// cells. Towards a diagonal neighbour it passes the shared corner on one side. The cell on that
    /// side must be open, and the exits must let the unit step over this cell.
    ///
    /// A unit of several cells covers more than its own cell: if it is beside the line between the
    /// two centres, this returns false.
    fn is_open(&self, here: Vec2, from: Cell, to: Cell) -> bool {
        if self.side() > 1 {
            return self.is_on_step(here, from, to);
        }
        let offset = Vec2::new((to.x - from.x) as f32, (to.y - from.y) as f32);
        let is_hexagonal = self.grid.grid().topology() == Topology::Hexagonal;
        if is_hexagonal || offset.x == 0.0 || offset.y == 0.0 {
            return true;
        }
        // The diagonal through both centres, and the distance of the position from it, with the
        // side.
        let units = self.units(here);
        let side = (-offset).perp_dot(units - centre(to)) / offset.length();
        if side.abs() <= self.reach(here, units) {
            return true;
        }
        let beside = if (side > 0.0) == (offset.x * offset.y > 0.0) {
            Cell::new(to.x, from.y)
        } else {
            Cell::new(from.x, to.y)
        };
        let is_step = |from, to| {
            let step = |direction| self.rules.step_cost(self.grid.grid(), from, direction);
            Direction::between(from, to).and_then(step).is_some()
        };
        let is_there = self.unbounded_cell_at(here) == Some(beside);
        self.is_passable(beside) && (is_there || is_step(from, beside)) && is_step(beside, to)
    }
}

fn centre(cell: Cell) -> Vec2 {
    Vec2::new(cell.x as f32, cell.y as f32) + 0.5
}

#[cfg(test)]
mod tests {
    use bevy_ecs::entity::Entity;
    use tilepath::{Edit, Grid};

    use super::*;
    use crate::{NavGrid, NavProjection};

    fn view(edit: impl FnOnce(&mut NavGrid), check: impl FnOnce(MapView)) {
        let mut grid = NavGrid::new(Grid::new(4, 4, 1).unwrap());
        edit(&mut grid);
        let projection = NavProjection::square(Vec2::ONE, Vec2::splat(0.5));
        check(MapView::new(Entity::PLACEHOLDER, &grid, &projection));
    }

    #[test]
    fn line_past_a_corner_is_open_where_the_cell_beside_it_is() {
        let (from, to) = (Cell::new(1, 1), Cell::new(2, 2));
        let (below, above) = (Vec2::new(1.8, 1.2), Vec2::new(1.2, 1.8));
        view(
            |grid| assert!(grid.set_terrain(Cell::new(2, 1), 0).unwrap()),
            |view| {
                assert!(!view.is_open(below, from, to));
                assert!(view.is_open(above, from, to));
                assert!(view.is_open(Vec2::splat(1.3), from, to));
            },
        );
        view(
            |grid| assert!(grid.set_terrain(Cell::new(1, 2), 0).unwrap()),
            |view| {
                assert!(view.is_open(below, from, to));
                assert!(!view.is_open(above, from, to));
            },
        );
        let (from, to) = (Cell::new(2, 1), Cell::new(1, 2));
        view(
            |grid| assert!(grid.set_terrain(Cell::new(1, 1), 0).unwrap()),
            |view| {
                assert!(!view.is_open(Vec2::new(2.2, 1.2), from, to));
                assert!(view.is_open(Vec2::new(2.8, 1.8), from, to));
                assert!(view.is_open(Vec2::new(2.2, 1.2), from, Cell::new(1, 1)));
            },
        );
    }

    #[test]
    fn line_past_a_corner_is_closed_where_an_exit_over_the_cell_beside_it_is_closed() {
        let [from, right, above, to] = [(1, 1), (2, 1), (1, 2), (2, 2)].map(Cell::from);
        let (below, over) = (Vec2::new(1.8, 1.2), Vec2::new(1.2, 1.8));
        for (edit, is_open) in [
            (Edit::one_way(right, from), [false, true]),
            (Edit::one_way(to, right), [false, true]),
            (Edit::fence(above, to), [true, false]),
            (Edit::one_way(from, right), [true, true]),
        ] {
            view(
                |grid| assert!(grid.edit(std::slice::from_ref(&edit)).unwrap() > 0),
                |view| {
                    assert_eq!([below, over].map(|here| view.is_open(here, from, to)), is_open, "{edit:?}");
                    assert!(view.is_open(Vec2::splat(1.3), from, to));
                },
            );
        }
        view(
            |grid| assert!(grid.edit(&[Edit::one_way(right, from)]).unwrap() > 0),
            |view| assert!(view.is_open(Vec2::new(2.1, 1.8), from, to), "it is past the closed exit"),
        );
    }

    #[test]
    fn without_a_step_under_way_the_cell_is_the_one_below() {
        view(
            |_| {},
            |view| {
                let at = |here| Standing { here, local: here, last_seen: None };
                assert_eq!(view.standing_cell(&at(Vec2::new(1.999, 2.0))), Ok(Cell::new(1, 2)));
                assert_eq!(view.standing_cell(&at(Vec2::NAN)), Err(PathFailure::PositionNotFinite));
            },
        );
    }

    #[test]
    fn line_has_the_width_of_the_digits_that_positions_have_there() {
        view(
            |_| {},
            |view| {
                let (from, to) = (Cell::new(1, 1), Cell::new(2, 2));
                assert!(!view.is_on_step(Vec2::new(1.6, 1.61), from, to));
                let far_out = Vec2::splat(20_000.0);
                let reach = view.reach(far_out, far_out);
                assert!((0.05..0.1).contains(&reach), "{reach}");
            },
        );
    }
}

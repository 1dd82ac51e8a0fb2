//! What a leg of a route leads over: cells, or waypoints.

use bevy_math::Vec2;
use tilepath::{Cell, Cost, Direction, Grid, Movement, Path, Revision};

use crate::{
    map::{nav_view::NavView, projection::NavProjection},
    route::track::Track,
};

/// How a leg leads over its map.
#[derive(Debug, Clone)]
pub(crate) enum Course {
    Cells(CellCourse),
    Waypoints(Track),
}

impl Course {
    pub(crate) fn len(&self) -> usize {
        match self {
            Self::Cells(course) => course.path.cells().len(),
            Self::Waypoints(track) => track.stops.len(),
        }
    }

    pub(crate) fn world_point(&self, index: usize, projection: &NavProjection) -> Vec2 {
        match self {
            Self::Cells(course) => projection.centre_of_unit(course.path.cells()[index], course.side),
            Self::Waypoints(track) => projection.world_of(track.local_point(index)),
        }
    }
}

/// What lies ahead on a path over cells after edits.
#[derive(Debug)]
pub(crate) enum Ahead {
    AsPlanned,
    /// Every step can be taken; this is what is left of the cost at each cell that is still ahead.
    Repriced(Vec<Cost>),
    /// This is the first cell that cannot be entered.
    Blocked(Cell),
}

/// A path over cells, with what is left of its cost at each of them.
#[derive(Debug, Clone)]
pub(crate) struct CellCourse {
    pub(crate) path: Path,
    /// Cells on a side of the unit.
    pub(crate) side: u8,
    pub(crate) remaining: Vec<Cost>,
    pub(crate) revision: Revision,
    /// What a straight step costs on ground of cost 1, and a diagonal one.
    units: [u32; 2],
    /// The least multiplier of the movement's table.
    base: u16,
    /// What each step costs without overlays, for movements that name some.
    plain: Option<Vec<Cost>>,
}

impl CellCourse {
    pub(crate) fn new(path: Path, view: &NavView) -> Self {
        let (rules, grid) = (view.rules, view.grid.grid());
        let mut remaining = vec![Cost::ZERO; path.cells().len()];
        for index in (1..remaining.len()).rev() {
            let step = step_cost(&path, index, rules, grid).unwrap_or_default();
            remaining[index - 1] = remaining[index].checked_add(step).unwrap_or(Cost::MAX);
        }
        let unit = |x, y| rules.distance(grid.topology(), Cell::new(0, 0), Cell::new(x, y)).get();
        let adds = |name: &String| grid.overlay_names().any(|known| known == name);
        let plain = rules.overlays().iter().any(adds).then(|| {
            let plain = rules.clone().without_overlays();
            (0..path.cells().len()).map(|to| plain_cost(&path, to, &plain, grid)).collect()
        });
        Self {
            side: view.side(),
            remaining,
            revision: view.grid.revision(),
            // South-east is a straight step on hexagons.
            units: [unit(1, 0), unit(1, -1)],
            base: rules.costs().least(),
            plain,
            path,
        }
    }

    /// How many straight steps the one to the cell of that index is worth: on ground of cost 1, or as the ground is, where
    /// the cheapest counts one.
    pub(crate) fn steps_to(&self, index: usize, is_slowed: bool) -> f64 {
        let [from, to] = [index - 1, index].map(|index| self.path.cells()[index]);
        let [straight, diagonal] = self.units.map(f64::from);
        if is_slowed {
            let planned = || Cost::new(self.remaining[index - 1].get() - self.remaining[index].get());
            let cost = self.plain.as_ref().map_or_else(planned, |plain| plain[index]);
            f64::from(cost.get()) / (straight * f64::from(self.base))
        } else if from.x == to.x || from.y == to.y {
            1.0
        } else {
            diagonal / straight
        }
    }

    /// What lies ahead after edits; `changes` are those, if they are known.
    pub(crate) fn ahead(&self, next: usize, view: &NavView, changes: Option<&[Cell]>) -> Ahead {
        let fault = match changes {
            Some(changes) => self.first_fault_near(next, view, changes),
            None => self.first_fault(next, view),
        };
        if fault.is_none() {
            return Ahead::AsPlanned;
        }
        let next = next.max(1);
        let mut remaining = self.remaining.clone();
        let mut rest = Cost::ZERO;
        for index in (next..remaining.len()).rev() {
            let Some(step) = step_cost(&self.path, index, view.rules, view.grid.grid()) else {
                return Ahead::Blocked(self.first_closed(next, view));
            };
            remaining[index] = rest;
            rest = rest.checked_add(step).unwrap_or(Cost::MAX);
        }
        remaining[next - 1] = rest;
        Ahead::Repriced(remaining)
    }

    /// The first cell ahead that cannot be entered, or else the last one.
    fn first_closed(&self, next: usize, view: &NavView) -> Cell {
        let is_closed = |&index: &usize| step_cost(&self.path, index, view.rules, view.grid.grid()).is_none();
        let index = (next..self.remaining.len()).find(is_closed).unwrap_or(self.remaining.len() - 1);
        self.path.cells()[index]
    }

    pub(crate) fn first_fault(&self, next: usize, view: &NavView) -> Option<Cell> {
        let cells = self.path.cells();
        (next.max(1)..cells.len()).find(|&index| self.is_faulty(view, index)).map(|index| cells[index])
    }

    /// Steps are single cells, so that a change far away lets many steps be skipped at once.
    pub(crate) fn first_fault_near(&self, next: usize, view: &NavView, changes: &[Cell]) -> Option<Cell> {
        let cells = self.path.cells();
        let beyond = u32::from(self.side) - 1;
        // How far a change is from the cells under the unit, along one axis.
        let off = |cell: i32, change: i32| {
            let away = cell.abs_diff(change);
            if change > cell { away.saturating_sub(beyond) } else { away }
        };
        let mut first_fault = cells.len();
        for change in changes {
            let mut index = next.max(1);
            while index < first_fault {
                let cell = cells[index];
                let away = off(cell.x, change.x).max(off(cell.y, change.y)) as usize;
                if away <= 1 && self.is_faulty(view, index) {
                    first_fault = index;
                } else {
                    index += away.saturating_sub(1).max(1);
                }
            }
        }
        cells.get(first_fault).copied()
    }

    fn is_faulty(&self, view: &NavView, index: usize) -> bool {
        let planned = self.remaining[index - 1].get() - self.remaining[index].get();
        step_cost(&self.path, index, view.rules, view.grid.grid()) != Some(Cost::new(planned))
    }
}

/// What the step to the cell of that index costs now, for a unit that set out where the path begins.
fn step_cost(path: &Path, index: usize, rules: &Movement, grid: &Grid) -> Option<Cost> {
    let [from, to] = [index - 1, index].map(|index| path.cells()[index]);
    let direction = Direction::between(from, to)?;
    rules.step_cost_since(grid, path.start(), from, direction)
}

fn plain_cost(path: &Path, to: usize, rules: &Movement, grid: &Grid) -> Cost {
    if to == 0 { Cost::ZERO } else { step_cost(path, to, rules, grid).unwrap_or_default() }
}

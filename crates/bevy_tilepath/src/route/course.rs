//! What a leg of a route leads over: cells, or waypoints.

use bevy_math::Vec2;
use tilepath::{Cell, Cost, Direction, Path, Revision};

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

/// A path over cells, with what is left of its cost at each of them.
#[derive(Debug, Clone)]
pub(crate) struct CellCourse {
    pub(crate) path: Path,
    /// Cells on a side of the unit.
    pub(crate) side: u8,
    pub(crate) remaining: Vec<Cost>,
    pub(crate) revision: Revision,
}

impl CellCourse {
    pub(crate) fn new(path: Path, view: &NavView) -> Self {
        let mut remaining = vec![Cost::ZERO; path.cells().len()];
        for index in (1..remaining.len()).rev() {
            let step = step_cost(&path, index, view).unwrap_or_default();
            remaining[index - 1] = remaining[index].checked_add(step).unwrap_or(Cost::MAX);
        }
        Self { path, side: view.side(), remaining, revision: view.grid.revision() }
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
        step_cost(&self.path, index, view) != Some(Cost::new(planned))
    }
}

/// What the step to the cell of that index costs now, for a unit that set out where the path begins.
fn step_cost(path: &Path, index: usize, view: &NavView) -> Option<Cost> {
    let [from, to] = [index - 1, index].map(|index| path.cells()[index]);
    let direction = Direction::between(from, to)?;
    view.rules.step_cost_since(view.grid.grid(), path.start(), from, direction)
}

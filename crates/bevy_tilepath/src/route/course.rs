//! What a leg of a route leads over: cells, or waypoints.

use bevy_math::Vec2;
use tilepath::{Cell, Cost, Direction, Path, Revision};

use crate::{
    map::{nav_map::NavGrid, projection::NavProjection},
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
            Self::Cells(course) => projection.world_position_of(course.path.cells()[index]),
            Self::Waypoints(track) => projection.world_of(track.local_point(index)),
        }
    }
}

/// A path over cells, with what is left of its cost at each of them.
#[derive(Debug, Clone)]
pub(crate) struct CellCourse {
    pub(crate) path: Path,
    pub(crate) remaining: Vec<Cost>,
    pub(crate) revision: Revision,
}

impl CellCourse {
    pub(crate) fn new(path: Path, grid: &NavGrid) -> Self {
        let cells = path.cells();
        let mut remaining = vec![Cost::ZERO; cells.len()];
        for index in (1..cells.len()).rev() {
            let step = step_cost(grid, cells[index - 1], cells[index]).unwrap_or_default();
            remaining[index - 1] = remaining[index].checked_add(step).unwrap_or(Cost::MAX);
        }
        Self { path, remaining, revision: grid.revision() }
    }

    pub(crate) fn first_fault(&self, next: usize, grid: &NavGrid) -> Option<Cell> {
        let cells = self.path.cells();
        (next.max(1)..cells.len()).find(|&index| self.is_faulty(grid, index)).map(|index| cells[index])
    }

    /// Steps are single cells, so that a change far away lets many steps be skipped at once.
    pub(crate) fn first_fault_near(&self, next: usize, grid: &NavGrid, changes: &[Cell]) -> Option<Cell> {
        let cells = self.path.cells();
        let mut first_fault = cells.len();
        for change in changes {
            let mut index = next.max(1);
            while index < first_fault {
                let cell = cells[index];
                let away = cell.x.abs_diff(change.x).max(cell.y.abs_diff(change.y)) as usize;
                if away <= 1 && self.is_faulty(grid, index) {
                    first_fault = index;
                } else {
                    index += away.saturating_sub(1).max(1);
                }
            }
        }
        cells.get(first_fault).copied()
    }

    fn is_faulty(&self, grid: &NavGrid, index: usize) -> bool {
        let cells = self.path.cells();
        let planned = self.remaining[index - 1].get() - self.remaining[index].get();
        step_cost(grid, cells[index - 1], cells[index]) != Some(Cost::new(planned))
    }
}

fn step_cost(grid: &NavGrid, from: Cell, to: Cell) -> Option<Cost> {
    grid.rules().step_cost(grid.grid(), from, Direction::between(from, to)?)
}

//! The cells around a target that satisfy a condition.

use tilepath::{Bounds, Cell, Topology};

use super::condition::Condition;
use crate::map::map_view::MapView;

/// The cells around a target that satisfy a condition, open or not. The search checks whether a
/// cell is open.
pub(crate) struct Held {
    around: Bounds,
    /// True for each cell of the rectangle that satisfies the condition, row by row.
    cells: Vec<bool>,
    topology: Topology,
}

impl Held {
    /// Finds the cells. Returns `None` if they may lie anywhere, or if none lies on the map.
    pub(super) fn new(condition: &dyn Condition, target: &[Cell], view: &MapView) -> Option<Self> {
        let radius = condition.radius(view)?;
        let (low, high) = corners(target)?;
        let low = Cell::new(low.x.saturating_sub(radius), low.y.saturating_sub(radius));
        let high = Cell::new(high.x.saturating_add(radius), high.y.saturating_add(radius));
        let around = overlap(view.grid.bounds(), low, high)?;
        let cells = around.cells().map(|cell| condition.holds(cell, target, view)).collect();
        Some(Self { around, cells, topology: view.grid.grid().topology() })
    }

    fn contains(&self, cell: Cell) -> bool {
        let origin = self.around.origin();
        self.around.contains(cell) && {
            let (x, y) = (cell.x.abs_diff(origin.x), cell.y.abs_diff(origin.y));
            self.cells[y as usize * self.around.width() as usize + x as usize]
        }
    }

    /// Returns all these cells, row by row.
    pub(crate) fn cells(&self) -> impl Iterator<Item = Cell> {
        self.around.cells().filter(|&cell| self.contains(cell))
    }

    /// Returns the outermost of these cells, row by row: each has a neighbour that is not among
    /// them. Any path from outside to one of the cells leads over one of these.
    pub(crate) fn outermost(&self) -> impl Iterator<Item = Cell> {
        let is_left = |cell: Option<Cell>| cell.is_none_or(|cell| !self.contains(cell));
        let directions = self.topology.directions();
        self.cells().filter(move |cell| directions.iter().any(|&to| is_left(cell.neighbour(to))))
    }
}

fn corners(target: &[Cell]) -> Option<(Cell, Cell)> {
    let &first = target.first()?;
    Some(target.iter().fold((first, first), |(low, high), cell| {
        (Cell::new(low.x.min(cell.x), low.y.min(cell.y)), Cell::new(high.x.max(cell.x), high.y.max(cell.y)))
    }))
}

/// Returns the part of a rectangle between two corners, both included.
fn overlap(bounds: Bounds, low: Cell, high: Cell) -> Option<Bounds> {
    let origin = bounds.origin();
    let last = |first: i32, length: u32| i64::from(first) + i64::from(length) - 1;
    let (left, bottom) = (low.x.max(origin.x), low.y.max(origin.y));
    let right = i64::from(high.x).min(last(origin.x, bounds.width()));
    let top = i64::from(high.y).min(last(origin.y, bounds.height()));
    let width = u32::try_from(right - i64::from(left) + 1).ok()?;
    let height = u32::try_from(top - i64::from(bottom) + 1).ok()?;
    Bounds::new(Cell::new(left, bottom), width, height).ok()
}

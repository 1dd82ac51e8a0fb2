//! Which cells are near enough to a target, or far enough from it.

use std::{collections::BTreeSet, sync::Arc};

use tilepath::{Bounds, Cell, Size, Topology};

use crate::{map::map_view::MapView, order::approach::Approach};

/// The cells of a map on which an order ends that leads near to a target, or away from it.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Reach {
    /// What the target covers, at least one cell.
    pub(crate) target: Arc<[Cell]>,
    pub(crate) rule: ReachRule,
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum ReachRule {
    Near(Approach),
    /// At least so far away, in cells.
    Away(f32),
}

impl Reach {
    /// Whether an order of a unit may end on that cell.
    pub(crate) fn holds(&self, cell: Cell, view: &MapView) -> bool {
        match self.rule {
            ReachRule::Near(Approach::Within(distance)) => self.is_within(cell, distance, view),
            ReachRule::Near(Approach::InSight(range)) => {
                self.is_within(cell, range, view) && self.sees(cell, view)
            }
            ReachRule::Near(Approach::Beside) => view.is_passable(cell) && self.is_beside(cell, view),
            ReachRule::Away(distance) => !self.is_nearer(cell, distance, view),
        }
    }

    /// The cells of them by which a way from elsewhere leads to all: each has a neighbour that is none. Sorted by row. Whether
    /// they are open says the search.
    pub(crate) fn cells(&self, view: &MapView) -> Vec<Cell> {
        let radius = match self.rule {
            ReachRule::Near(Approach::Within(distance) | Approach::InSight(distance)) => {
                distance.floor() as i32
            }
            ReachRule::Near(Approach::Beside) => i32::from(view.side()),
            ReachRule::Away(_) => return Vec::new(),
        };
        let Some(around) = self.rectangle(radius, view) else { return Vec::new() };
        let held: Vec<bool> = around.cells().map(|cell| self.holds(cell, view)).collect();
        let width = around.width() as usize;
        let is_held = |cell: Cell| {
            around.contains(cell) && {
                let (x, y) = (cell.x.abs_diff(around.origin().x), cell.y.abs_diff(around.origin().y));
                held[y as usize * width + x as usize]
            }
        };
        let topology = view.grid.grid().topology();
        let is_outermost = |cell: Cell| {
            topology.directions().iter().any(|&to| cell.neighbour(to).is_none_or(|cell| !is_held(cell)))
        };
        around.cells().filter(|&cell| is_held(cell) && is_outermost(cell)).collect()
    }

    /// The part of the map within a distance of the target.
    pub(crate) fn around(&self, distance: f32, view: &MapView) -> Option<Bounds> {
        self.rectangle(distance.floor() as i32, view)
    }

    fn rectangle(&self, radius: i32, view: &MapView) -> Option<Bounds> {
        let (low, high) = self.corners();
        let low = Cell::new(low.x.saturating_sub(radius), low.y.saturating_sub(radius));
        let high = Cell::new(high.x.saturating_add(radius), high.y.saturating_add(radius));
        overlap(view.grid.bounds(), low, high)
    }

    /// How far a cell is from the target's nearest one, squared on squares.
    fn distance(&self, cell: Cell, topology: Topology) -> f64 {
        let from = |target: Cell| match topology {
            Topology::Square => {
                let (x, y) = (cell.x.abs_diff(target.x), cell.y.abs_diff(target.y));
                f64::from(x) * f64::from(x) + f64::from(y) * f64::from(y)
            }
            Topology::Hexagonal => topology.steps(cell, target) as f64,
        };
        self.target.iter().map(|&target| from(target)).fold(f64::INFINITY, f64::min)
    }

    /// Farther is more; of use only to compare.
    pub(crate) fn farness(&self, cell: Cell, view: &MapView) -> f64 {
        self.distance(cell, view.grid.grid().topology())
    }

    fn is_within(&self, cell: Cell, distance: f32, view: &MapView) -> bool {
        let topology = view.grid.grid().topology();
        self.distance(cell, topology) <= limit(distance, topology)
    }

    fn is_nearer(&self, cell: Cell, distance: f32, view: &MapView) -> bool {
        let topology = view.grid.grid().topology();
        self.distance(cell, topology) < limit(distance, topology)
    }

    fn sees(&self, cell: Cell, view: &MapView) -> bool {
        let grid = view.grid;
        let is_opaque = |cell: Cell| grid.grid().terrain(cell).is_none_or(|class| grid.is_opaque(class));
        self.target.iter().any(|&target| grid.grid().topology().sees(cell, target, is_opaque))
    }

    /// Whether one allowed step leads onto the target, if that were open.
    fn is_beside(&self, cell: Cell, view: &MapView) -> bool {
        let (grid, size) = (view.finder.grid(), view.rules.size());
        let touches = |anchor: Cell| size.footprint(anchor).any(|under| self.target.contains(&under));
        !touches(cell)
            && grid.topology().directions().iter().any(|&direction| {
                cell.neighbour(direction).is_some_and(touches) && view.rules.is_beside(grid, cell, direction)
            })
    }

    fn corners(&self) -> (Cell, Cell) {
        let first = self.target[0];
        self.target.iter().fold((first, first), |(low, high), cell| {
            (
                Cell::new(low.x.min(cell.x), low.y.min(cell.y)),
                Cell::new(high.x.max(cell.x), high.y.max(cell.y)),
            )
        })
    }
}

fn limit(distance: f32, topology: Topology) -> f64 {
    let distance = f64::from(distance);
    match topology {
        Topology::Square => distance * distance,
        Topology::Hexagonal => distance,
    }
}

/// The part of a rectangle between two corners, both included.
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

/// The cells that a unit covers, each once.
pub(crate) fn footprint(size: Size, cell: Cell) -> Arc<[Cell]> {
    size.footprint(cell).collect::<BTreeSet<_>>().into_iter().collect()
}

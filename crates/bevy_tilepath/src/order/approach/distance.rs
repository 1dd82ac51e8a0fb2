//! Distances from cells to a target of several cells.

use tilepath::{Cell, Topology};

/// Returns the distance from a cell to the nearest cell of the target, on squares the squared
/// distance. Use it only to compare: a greater value is farther away.
pub(crate) fn farness(cell: Cell, target: &[Cell], topology: Topology) -> f64 {
    let from = |target: Cell| match topology {
        Topology::Square => {
            let (x, y) = (cell.x.abs_diff(target.x), cell.y.abs_diff(target.y));
            f64::from(x) * f64::from(x) + f64::from(y) * f64::from(y)
        }
        Topology::Hexagonal => topology.steps(cell, target) as f64,
    };
    target.iter().map(|&target| from(target)).fold(f64::INFINITY, f64::min)
}

/// Returns whether a cell is within `distance` of the target, in cells.
pub(crate) fn is_within(cell: Cell, target: &[Cell], distance: f32, topology: Topology) -> bool {
    farness(cell, target, topology) <= limit(distance, topology)
}

/// Returns whether a cell is less than `distance` away from the target, in cells.
pub(super) fn is_nearer(cell: Cell, target: &[Cell], distance: f32, topology: Topology) -> bool {
    farness(cell, target, topology) < limit(distance, topology)
}

fn limit(distance: f32, topology: Topology) -> f64 {
    let distance = f64::from(distance);
    match topology {
        Topology::Square => distance * distance,
        Topology::Hexagonal => distance,
    }
}

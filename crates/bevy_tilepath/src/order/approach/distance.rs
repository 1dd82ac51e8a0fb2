//! How far cells are from a target that covers several.

use tilepath::{Cell, Topology};

/// How far a cell is from the target's nearest one, squared on squares: farther is more, of use only to compare.
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

/// Whether a cell is no farther away than that, in cells.
pub(super) fn is_within(cell: Cell, target: &[Cell], distance: f32, topology: Topology) -> bool {
    farness(cell, target, topology) <= limit(distance, topology)
}

/// Whether a cell is less far away than that, in cells.
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

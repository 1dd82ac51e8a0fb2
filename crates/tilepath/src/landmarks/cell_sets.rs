//! Bounds between sets of cells, by all tables.

use super::{
    ground::MapGround,
    lean::Lean,
    patch::{Ends, Patch},
    tables::LandmarkTables,
};
use crate::space::{grid::GridNode, octile_distance::Metric};

/// A set of cells, with the range of their costs in each table.
#[derive(Clone, Debug)]
pub(crate) struct CellSet {
    /// The lowest and the highest column, and the lowest and the highest row.
    columns: [u32; 2],
    rows: [u32; 2],
    /// For each place of a table.
    ends: Vec<Ends>,
}

impl CellSet {
    /// Collects some cells. Returns `None` without cells.
    ///
    /// # Complexity
    /// O(cells × landmarks).
    pub(crate) fn new(
        cells: impl Iterator<Item = GridNode> + Clone,
        tables: &LandmarkTables,
        map: MapGround<'_>,
    ) -> Option<Self> {
        let first = cells.clone().next()?;
        let range = |axis: fn(GridNode) -> u32| {
            let start = [axis(first); 2];
            cells.clone().map(axis).fold(start, |[low, high], place| [low.min(place), high.max(place)])
        };
        let (columns, rows) = (range(GridNode::x), range(GridNode::y));
        let lean = Lean::of(map);
        let ends = (0..tables.places()).map(|place| {
            let costs = cells.clone().map(|node| tables.leaning_cost(place, node, lean));
            Ends::of(costs, LandmarkTables::is_to_landmark(place))
        });
        Some(Self { columns, rows, ends: ends.collect() })
    }

    /// Collects the open cells of a patch.
    pub(crate) fn of_patch(patch: &Patch, tables: &LandmarkTables, map: MapGround<'_>) -> Option<Self> {
        Self::new(patch.cells().filter(|&node| map.is_open(node)), tables, map)
    }

    /// Returns a lower bound for the cost of a path from a cell of this set to a cell of another that
    /// takes no step of a patch.
    ///
    /// # Complexity
    /// O(landmarks).
    pub(crate) fn least_cost_to(&self, other: &Self, metric: Metric) -> u64 {
        let gap = |from: [u32; 2], to: [u32; 2]| {
            let [[from_low, from_high], [to_low, to_high]] = [from, to].map(|range| range.map(i64::from));
            if to_low > from_high { to_low - from_high } else { (to_high - from_low).min(0) }
        };
        let plain = metric.over(gap(self.columns, other.columns), gap(self.rows, other.rows));
        let bounds = self.ends.iter().zip(&other.ends).enumerate();
        let bounds =
            bounds.map(|(place, (from, to))| from.bound_to(*to, LandmarkTables::is_to_landmark(place)));
        plain.max(bounds.max().unwrap_or(0).into())
    }
}

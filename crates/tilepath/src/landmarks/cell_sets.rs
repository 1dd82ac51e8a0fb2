//! Bounds between sets of cells, by all tables.

use super::{
    floor::Floor,
    ground::MapGround,
    tiles::{Directions, LandmarkTables},
};
use crate::{
    movement_map::plane::Ground as _,
    space::{grid::GridNode, octile_distance::Metric},
};
use std::sync::Arc;

/// The tables and the floor for which they are exact.
#[derive(Clone, Copy, Debug)]
pub(crate) struct KeptTables<'a> {
    pub(super) tables: &'a Arc<LandmarkTables>,
    pub(super) floor: &'a Floor,
}

/// A set of cells, with the range of their costs in each table.
#[derive(Clone, Debug)]
pub(crate) struct CellSet {
    /// The lowest and the highest column, and the lowest and the highest row.
    columns: [u32; 2],
    rows: [u32; 2],
    /// For each landmark, the costs to it and from it.
    costs: Vec<[CostRange; 2]>,
    goes_both_ways: bool,
}

/// The costs of some cells in a table.
#[derive(Clone, Copy, Debug)]
struct CostRange {
    least: u32,
    highest: u32,
    /// Whether the table reaches a cell, and whether it reaches all of them.
    reaches_some: bool,
    reaches_all: bool,
}

impl CostRange {
    fn of(costs: impl Iterator<Item = Option<u32>>) -> Self {
        let start = Self { least: u32::MAX, highest: 0, reaches_some: false, reaches_all: true };
        costs.fold(start, |range, cost| match cost {
            Some(cost) => Self {
                least: range.least.min(cost),
                highest: range.highest.max(cost),
                reaches_some: true,
                ..range
            },
            None => Self { reaches_all: false, ..range },
        })
    }

    /// Returns whether no path leads from a cell of one set to a cell of the other; `None` if the table
    /// does not bound all paths.
    const fn separates(&self, other: &Self, goes_both_ways: bool) -> Option<bool> {
        let (one, two) = (self.reaches_all, other.reaches_all);
        if one && two {
            Some(false)
        } else if (one || two) && goes_both_ways {
            // No path leads from a cell that the landmark reaches to another one.
            Some(!(self.reaches_some && other.reaches_some))
        } else {
            None
        }
    }
}

impl<'a> KeptTables<'a> {
    pub(crate) const fn tables(&self) -> &'a Arc<LandmarkTables> {
        self.tables
    }

    /// Returns whether a cell is open on the floor.
    pub(crate) fn is_open(&self, slot: usize) -> bool {
        self.floor.multiplier(slot) > 0
    }

    /// Returns the slots of the cells that lie below the floor, in order.
    pub(crate) fn below(&self) -> impl Iterator<Item = usize> + 'a {
        self.floor.below()
    }
}

impl CellSet {
    /// Collects some cells. Returns `None` without cells.
    ///
    /// # Complexity
    /// O(cells × landmarks).
    pub(crate) fn new(
        cells: impl Iterator<Item = GridNode> + Clone,
        kept: KeptTables<'_>,
        map: MapGround<'_>,
    ) -> Option<Self> {
        let first = cells.clone().next()?;
        let range = |axis: fn(GridNode) -> u32| {
            let start = [axis(first); 2];
            cells.clone().map(axis).fold(start, |[low, high], place| [low.min(place), high.max(place)])
        };
        let (columns, rows) = (range(GridNode::x), range(GridNode::y));
        let landmarks = kept.tables.landmarks().len();
        let costs = (0..landmarks).map(|landmark| {
            [0, 1].map(|half| CostRange::of(cells.clone().map(|node| kept.cost(landmark, half, node, map))))
        });
        let goes_both_ways = !kept.tables.has_one_way_steps();
        Some(Self { columns, rows, costs: costs.collect(), goes_both_ways })
    }

    /// Returns a lower bound for the cost of a path from a cell of this set to a cell of another;
    /// [`u64::MAX`] if no path leads there.
    ///
    /// # Complexity
    /// O(landmarks).
    pub(crate) fn least_cost_to(&self, other: &Self, metric: Metric) -> u64 {
        let gap = |from: [u32; 2], to: [u32; 2]| {
            let [[from_low, from_high], [to_low, to_high]] = [from, to].map(|range| range.map(i64::from));
            if to_low > from_high { to_low - from_high } else { (to_high - from_low).min(0) }
        };
        let plain = metric.over(gap(self.columns, other.columns), gap(self.rows, other.rows));
        let bound = |from: CostRange, to: CostRange, cost: u32| match from.separates(&to, self.goes_both_ways)
        {
            Some(true) => u64::MAX,
            Some(false) => cost.into(),
            None => 0,
        };
        let by_landmark = self.costs.iter().zip(&other.costs).flat_map(|(here, there)| {
            let to = here[0].least.saturating_sub(there[0].highest);
            let from = there[1].least.saturating_sub(here[1].highest);
            [bound(here[0], there[0], to), bound(here[1], there[1], from)]
        });
        by_landmark.fold(plain, u64::max)
    }
}

impl KeptTables<'_> {
    /// Returns the cost from a cell to a landmark (0) or back (1), up to a constant.
    fn cost(&self, landmark: usize, half: usize, node: GridNode, map: MapGround<'_>) -> Option<u32> {
        let cost = self.tables.cost(self.tables.of_landmark(landmark)[half], node)?;
        if half == 0 || self.tables.directions() != Directions::OneLength {
            return Some(cost);
        }
        // The table holds the costs to the landmark. The path back enters the cell instead of leaving it.
        let slot = map.slot(node);
        let [unit, _] = map.movement_map.movement().unit_costs(map.movement_map.topology());
        let entry = map.movement_map.plane(map.classes).entry_cost(slot, 0);
        Some(cost.saturating_add(entry.max(u32::from(self.floor.multiplier(slot)) * unit)))
    }
}

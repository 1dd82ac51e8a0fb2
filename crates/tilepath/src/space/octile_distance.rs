//! The estimate of grids.

use crate::{
    cost::Cost,
    movement::Movement,
    movement_map::MovementMap,
    search::{ByPriority, Heuristic, Strategy},
    space::grid::GridNode,
};

/// A movement's distance on an empty map of one cost: octile, or Manhattan where diagonals are never allowed.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Metric {
    /// What a diagonal step costs more than a straight one: the longer side takes as many steps anyway.
    pub(crate) turn: u64,
    /// What a straight step costs more than that.
    rest: u64,
}

impl Metric {
    pub(crate) fn new(movement: &Movement, multiplier: u16) -> Self {
        let (straight, multiplier) = (u64::from(movement.steps().straight()), u64::from(multiplier));
        let turn = movement.diagonal_distance() - straight;
        Self { turn: turn * multiplier, rest: (straight - turn) * multiplier }
    }

    #[inline]
    pub(crate) fn distance(self, dx: u64, dy: u64) -> u64 {
        (dx + dy) * self.turn + dx.max(dy) * self.rest
    }
}

/// The exact distance to one cell on an empty map of the cheapest terrain present: octile, or Manhattan where
/// diagonals are never allowed. Admissible and consistent.
///
/// Made from a movement map alone, so that its units are the movement's.
#[derive(Clone, Copy, Debug)]
pub(crate) struct OctileDistance {
    goal: GridNode,
    metric: Metric,
}

impl OctileDistance {
    pub(crate) fn new(movement_map: &MovementMap, goal: GridNode) -> Self {
        Self { goal, metric: Metric::new(movement_map.movement(), movement_map.cheapest()) }
    }

    /// The movement's own metric: the same on a map of cost 1.
    pub(crate) fn of_cost_one(movement_map: &MovementMap, goal: GridNode) -> Self {
        Self { goal, metric: Metric::new(movement_map.movement(), 1) }
    }

    #[inline]
    fn distance(&self, node: GridNode) -> u64 {
        let dx = node.x().abs_diff(self.goal.x());
        let dy = node.y().abs_diff(self.goal.y());
        self.metric.distance(dx.into(), dy.into())
    }
}

impl Heuristic<GridNode, Cost> for OctileDistance {
    #[inline]
    fn estimate(&self, node: GridNode) -> Cost {
        // The minimum with a constant keeps the estimate admissible and consistent.
        Cost::new(self.distance(node).min(u64::from(u32::MAX)) as u32)
    }
}

/// A*, with the sum made in 64 bits: whether it can be stated is asked once.
impl Strategy<GridNode, Cost> for OctileDistance {
    type Order = ByPriority;

    #[inline]
    fn priority(&self, g: Cost, node: GridNode) -> Option<Cost> {
        u32::try_from(u64::from(g.get()) + self.distance(node)).ok().map(Cost::new)
    }
}

//! The octile estimate of grids.

use crate::{
    cost::Cost,
    movement::Movement,
    movement_map::MovementMap,
    search::{ByPriority, Heuristic, Strategy},
    space::grid::GridNode,
    topology::Topology,
};

/// A movement's distance on an empty map of one cost. On squares it is octile, or Manhattan if
/// diagonals are never allowed. On hexagons it is the number of steps.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Metric {
    is_hexagonal: bool,
    /// The cost of a diagonal step minus the cost of a straight step. Only the longer side sets the
    /// number of steps.
    pub(crate) turn: u64,
    /// The cost of a straight step minus `turn`.
    rest: u64,
}

impl Metric {
    pub(crate) fn new(movement: &Movement, topology: Topology, multiplier: u16) -> Self {
        let (straight, multiplier) = (u64::from(movement.steps().straight()), u64::from(multiplier));
        let is_hexagonal = topology == Topology::Hexagonal;
        let turn = if is_hexagonal { 0 } else { movement.diagonal_distance() - straight };
        Self { is_hexagonal, turn: turn * multiplier, rest: (straight - turn) * multiplier }
    }

    /// Returns whether cells are hexagons.
    pub(crate) const fn is_hexagonal(self) -> bool {
        self.is_hexagonal
    }

    /// Returns the distance over this many columns and rows in the cheapest directions. On hexagons
    /// these are directions with opposite signs.
    #[inline]
    pub(crate) fn least_distance(self, dx: u64, dy: u64) -> u64 {
        (dx + dy) * self.turn + dx.max(dy) * self.rest
    }

    /// Returns the distance over this many columns and rows.
    pub(crate) fn over(self, columns: i64, rows: i64) -> u64 {
        let (dx, dy) = (columns.unsigned_abs(), rows.unsigned_abs());
        if self.is_hexagonal && (columns < 0) == (rows < 0) {
            return (dx + dy) * self.rest;
        }
        self.least_distance(dx, dy)
    }

    /// Returns how much less a diagonal step costs than two straight steps.
    pub(crate) const fn corner(self) -> u64 {
        if self.is_hexagonal { 0 } else { self.rest }
    }

    /// Returns the distance between two cells.
    #[inline]
    pub(crate) fn between(self, one: GridNode, other: GridNode) -> u64 {
        let (dx, dy) = (one.x().abs_diff(other.x()), one.y().abs_diff(other.y()));
        if self.is_hexagonal && (one.x() < other.x()) == (one.y() < other.y()) {
            return (u64::from(dx) + u64::from(dy)) * self.rest;
        }
        self.least_distance(dx.into(), dy.into())
    }
}

/// The exact distance to one cell on an empty map of the cheapest terrain present. On squares it is
/// octile, or Manhattan if diagonals are never allowed. On hexagons it is the number of steps.
/// Admissible and consistent.
///
/// It is made from a movement map alone, so its units are the movement's.
#[derive(Clone, Copy, Debug)]
pub(crate) struct OctileDistance {
    goal: GridNode,
    metric: Metric,
}

impl OctileDistance {
    pub(crate) fn new(movement_map: &MovementMap, goal: GridNode) -> Self {
        Self {
            goal,
            metric: Metric::new(movement_map.movement(), movement_map.topology(), movement_map.cheapest()),
        }
    }

    /// Makes the movement's own distance, as on a map of cost 1.
    pub(crate) fn of_cost_one(movement_map: &MovementMap, goal: GridNode) -> Self {
        Self { goal, metric: Metric::new(movement_map.movement(), movement_map.topology(), 1) }
    }

    /// Returns the metric.
    pub(crate) const fn metric(&self) -> Metric {
        self.metric
    }

    #[inline]
    pub(crate) fn distance(&self, node: GridNode) -> u64 {
        self.metric.between(node, self.goal)
    }
}

impl Heuristic<GridNode, Cost> for OctileDistance {
    const IS_CONSISTENT: bool = true;

    #[inline]
    fn estimate(&self, node: GridNode) -> Cost {
        // The minimum with a constant keeps the estimate admissible and consistent.
        Cost::new(self.distance(node).min(u64::from(u32::MAX)) as u32)
    }
}

/// A* with a sum of 64 bits, so that only one test for overflow is needed.
impl Strategy<GridNode, Cost> for OctileDistance {
    type Order = ByPriority;
    type Priority = Cost;

    #[inline]
    fn priority(&self, g: Cost, node: GridNode) -> Option<Cost> {
        u32::try_from(u64::from(g.get()) + self.distance(node)).ok().map(Cost::new)
    }
}

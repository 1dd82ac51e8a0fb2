//! The best of several cells that are as close to the goal, found by one search.

use crate::{
    cost::Cost,
    finder::{
        heuristic_kind::{ChosenDistance, HeuristicKind},
        query::{self, Algorithm},
    },
    jump_point::goals::{RectangleOctile, SeveralGoals},
    movement_map::MovementMap,
    regions::ClosestCells,
    search::Heuristic,
    space::{grid::GridNode, octile_distance::OctileDistance},
};

/// Several cells are closest to a goal that cannot be reached: which one costs least, and which is the first of these?
///
/// They are all at the same distance from the goal, so that a search towards the goal expands them in the order of
/// their costs. It is over when a node is expanded that ranks behind the best one, or sooner, when the others are too far
/// away from the start to cost as little.
///
/// Another estimate may take them for being at different distances, and a cheaper one may come later. But none ranks behind
/// its cost and the usual estimate together, which no other passes, and neither does any cell on the way to it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Ties {
    cells: ClosestCells,
    order: Order,
    from_start: OctileDistance,
    /// What no better one can rank behind, once one was found.
    found: Option<u64>,
    is_settled: bool,
}

/// What ranks the nodes that a search expands.
#[derive(Clone, Copy, Debug)]
enum Order {
    /// The cost so far and the estimate of what is left.
    Estimate(OctileDistance),
    /// The cost so far and another estimate, which is no more than the usual one.
    Weaker(ChosenDistance, OctileDistance),
    /// The cost so far, and what is left to the rectangle around the cells.
    Rectangle(RectangleOctile),
    /// The cost so far.
    Cost,
    /// Nothing that has to do with costs: the first cell will do.
    Any,
}

impl Ties {
    pub(crate) fn new(
        movement_map: &MovementMap,
        algorithm: Algorithm,
        estimate: HeuristicKind,
        start: GridNode,
        goal: GridNode,
        (cells, told): (ClosestCells, Option<SeveralGoals>),
    ) -> Self {
        let usual = OctileDistance::new(movement_map, goal);
        let order = match algorithm.order() {
            _ if let Some(goals) = told => {
                Order::Rectangle(RectangleOctile { goals, metric: usual.metric() })
            }
            query::Order::CostAndEstimate { percent: 100 } if estimate == HeuristicKind::Octile => {
                Order::Estimate(usual)
            }
            query::Order::CostAndEstimate { percent: 100 }
                if estimate.is_admissible(movement_map.movement(), movement_map.topology()) =>
            {
                Order::Weaker(ChosenDistance::new(movement_map, estimate, goal), usual)
            }
            query::Order::Cost => Order::Cost,
            _ => Order::Any,
        };
        let from_start = OctileDistance::new(movement_map, start);
        Self { cells, order, from_start, found: None, is_settled: false }
    }

    /// Whether one of the cells was reached.
    pub(crate) const fn has_found(self) -> bool {
        self.found.is_some()
    }

    /// Whether no cell that is still to be expanded can be better.
    pub(crate) const fn is_settled(self) -> bool {
        self.is_settled
    }

    /// A node was expanded: its distance, cost and slot, and those of the best so far.
    pub(crate) fn follow(&mut self, (distance, cost, slot): (Cost, Cost, u32), best: (Cost, Cost, u32)) {
        let node = GridNode::from_packed(slot);
        let sum = |cost: Cost, estimate: Cost| u64::from(cost.get()) + u64::from(estimate.get());
        let order = self.order;
        // Asked only where it counts: most nodes come before one of the cells.
        let rank = || match order {
            Order::Estimate(heuristic) => sum(cost, heuristic.estimate(node)),
            Order::Weaker(heuristic, _) => sum(cost, heuristic.estimate(node)),
            Order::Rectangle(heuristic) => sum(cost, heuristic.estimate(node)),
            Order::Cost => u64::from(cost.get()),
            Order::Any => 0,
        };
        if self.found.is_some_and(|found| rank() > found) {
            self.is_settled = true;
        } else if u64::from(distance.get()) == self.cells.distance() {
            self.found = Some(match self.order {
                // Lines are rounded down.
                Order::Weaker(_, usual) => sum(best.1, usual.estimate(node)) + 1,
                _ => rank(),
            });
            let is_in_order = !matches!(self.order, Order::Weaker(..));
            let may_be_better = |cell: &GridNode| {
                let least = self.from_start.estimate(*cell);
                // In the order of costs a later cell can only tie.
                if is_in_order {
                    least <= best.1 && cell.packed() < best.2
                } else {
                    (least, cell.packed()) < (best.1, best.2)
                }
            };
            let has_rivals = self.cells.listed().is_none_or(|cells| cells.iter().any(may_be_better));
            self.is_settled = matches!(self.order, Order::Any) || !has_rivals;
        }
    }
}

//! Which of the cells reached is closest to the goal.

use crate::{
    cost::Cost,
    finder::{
        heuristic_kind::{ChosenDistance, HeuristicKind},
        query::{self, Algorithm},
    },
    movement_map::MovementMap,
    regions::ClosestCells,
    search::Observer,
    search::heuristic::Heuristic,
    space::grid::GridNode,
    space::octile_distance::OctileDistance,
};

/// Remembers the last cell expanded, and, where it is wanted, the one closest to the goal: smallest distance, then
/// smallest cost, then smallest slot.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Closest {
    metric: OctileDistance,
    is_wanted: bool,
    /// Ordered as the rule says: packed nodes compare as their slots do.
    best: (Cost, Cost, u32),
    node: GridNode,
    ties: Option<Ties>,
}

impl Closest {
    /// With `ties` the search is for the best of these cells; else it is watched if that is wanted.
    pub(crate) fn new(metric: OctileDistance, start: GridNode, is_wanted: bool, ties: Option<Ties>) -> Self {
        let best = (metric.estimate(start), Cost::ZERO, start.packed());
        Self { metric, is_wanted: is_wanted || ties.is_some(), best, node: start, ties }
    }

    /// Whether the search is for the best of several cells that are closest.
    pub(crate) const fn has_ties(&self) -> bool {
        self.ties.is_some()
    }

    /// Whether one of these cells was reached.
    pub(crate) fn has_found(&self) -> bool {
        self.ties.is_some_and(|ties| ties.found.is_some())
    }

    /// Whether no cell that is still to be expanded can be better.
    pub(crate) fn is_settled(&self) -> bool {
        self.ties.is_some_and(|ties| ties.is_settled)
    }

    /// The closest cell and what it costs to get there. The start, before anything was expanded.
    pub(crate) fn best(&self) -> (GridNode, Cost) {
        (self.node, self.best.1)
    }
}

impl Observer<GridNode, Cost> for Closest {
    #[inline]
    fn expanded(&mut self, node: GridNode, g: Cost) {
        if !self.is_wanted {
            return;
        }
        let candidate = (self.metric.estimate(node), g, node.packed());
        if candidate < self.best {
            self.best = candidate;
            self.node = node;
        }
        if let Some(ties) = &mut self.ties {
            ties.follow(candidate, self.best);
        }
    }
}

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
        cells: ClosestCells,
    ) -> Self {
        let usual = OctileDistance::new(movement_map, goal);
        let order = match algorithm.order() {
            query::Order::CostAndEstimate { percent: 100 } if estimate == HeuristicKind::Octile => {
                Order::Estimate(usual)
            }
            query::Order::CostAndEstimate { percent: 100 }
                if estimate.is_admissible(movement_map.movement()) =>
            {
                Order::Weaker(ChosenDistance::new(movement_map, estimate, goal), usual)
            }
            query::Order::Cost => Order::Cost,
            _ => Order::Any,
        };
        let from_start = OctileDistance::new(movement_map, start);
        Self { cells, order, from_start, found: None, is_settled: false }
    }

    /// A node was expanded: its distance, cost and slot, and those of the best so far.
    fn follow(&mut self, (distance, cost, slot): (Cost, Cost, u32), best: (Cost, Cost, u32)) {
        let node = GridNode::from_packed(slot);
        let sum = |cost: Cost, estimate: Cost| u64::from(cost.get()) + u64::from(estimate.get());
        let rank = match self.order {
            Order::Estimate(heuristic) => sum(cost, heuristic.estimate(node)),
            Order::Weaker(heuristic, _) => sum(cost, heuristic.estimate(node)),
            Order::Cost => u64::from(cost.get()),
            Order::Any => 0,
        };
        if self.found.is_some_and(|found| rank > found) {
            self.is_settled = true;
        } else if u64::from(distance.get()) == self.cells.distance() {
            self.found = Some(match self.order {
                // Lines are rounded down.
                Order::Weaker(_, usual) => sum(best.1, usual.estimate(node)) + 1,
                _ => rank,
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

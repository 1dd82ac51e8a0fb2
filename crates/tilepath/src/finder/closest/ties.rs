//! One search for the best of several closest cells.

use crate::{
    cost::Cost,
    finder::{
        heuristic_kind::HeuristicKind,
        query::{self, Algorithm},
    },
    movement_map::MovementMap,
    regions::ClosestCells,
    search::Heuristic,
    space::{grid::GridNode, octile_distance::OctileDistance},
};

/// The progress of a search for the best of several cells that are equally close to an unreachable
/// goal. The best cell is the cheapest, then the first by slot.
///
/// All these cells have the same distance to the goal, so a search towards the goal expands them in
/// the order of their costs. The search ends when it expands a node that ranks behind the best
/// cell. It ends sooner if the other cells are too far from the start to cost as little.
///
/// Another estimate may give the cells different distances, so a cheaper cell may come later. But
/// no cell ranks behind its cost plus the octile estimate, because no other estimate is larger.
/// This is also true for all cells on the path to it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Ties {
    cells: ClosestCells,
    order: Order,
    from_start: OctileDistance,
    /// The highest rank that a better cell can have, after one cell was found.
    found: Option<u64>,
    is_settled: bool,
}

/// The order in which a search expands nodes.
#[derive(Clone, Copy, Debug)]
enum Order {
    /// The cost so far, plus an estimate that is the same for all of the cells.
    Rank,
    /// The cost so far plus an estimate that is never larger than this one.
    Weaker(OctileDistance),
    /// An order that does not depend on costs: the first cell found is good enough.
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
        let order = match algorithm.order() {
            query::Order::CostAndEstimate { percent: 100 } if estimate == HeuristicKind::Octile => {
                Order::Rank
            }
            query::Order::CostAndEstimate { percent: 100 }
                if estimate.is_admissible(movement_map.movement(), movement_map.topology()) =>
            {
                Order::Weaker(OctileDistance::new(movement_map, goal))
            }
            query::Order::Cost => Order::Rank,
            _ => Order::Any,
        };
        let from_start = OctileDistance::new(movement_map, start);
        Self { cells, order, from_start, found: None, is_settled: false }
    }

    /// Returns whether one of the cells was reached.
    pub(crate) const fn has_found(self) -> bool {
        self.found.is_some()
    }

    /// Returns whether no cell that is not expanded yet can be better.
    pub(crate) const fn is_settled(self) -> bool {
        self.is_settled
    }

    /// Notes an expanded node by its distance, cost and slot. `best` is the key of the best node so
    /// far. `rank` returns the node's priority in the open list; most nodes come before the first of
    /// the cells and need none.
    pub(crate) fn follow(
        &mut self,
        (distance, _, slot): (Cost, Cost, u32),
        best: (Cost, Cost, u32),
        rank: impl Fn() -> u64,
    ) {
        let node = GridNode::from_packed(slot);
        if self.found.is_some_and(|found| rank() > found) {
            self.is_settled = true;
        } else if u64::from(distance.get()) == self.cells.distance() {
            self.found = Some(match self.order {
                // The 1 is added because straight-line estimates are rounded down.
                Order::Weaker(usual) => u64::from(best.1.get()) + usual.distance(node) + 1,
                _ => rank(),
            });
            let is_in_order = !matches!(self.order, Order::Weaker(..));
            let may_be_better = |cell: &GridNode| {
                let least = self.from_start.estimate(*cell);
                // If cells come in the order of costs, a later cell can only tie.
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

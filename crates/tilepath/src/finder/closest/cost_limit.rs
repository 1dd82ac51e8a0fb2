//! The most that a path may cost.

use crate::{
    cost::Cost,
    finder::{
        heuristic_kind::{ChosenDistance, HeuristicKind},
        query::{Algorithm, PathQuery},
    },
    movement_map::MovementMap,
    search::Heuristic,
    space::{grid::GridNode, octile_distance::OctileDistance},
};

/// Ends a search for one cell where no path to it can cost as little as the query wants.
///
/// An exact search expands nodes in the order of their cost and an estimate that is never too much. On each cheapest path one
/// node waits at no more than the path's cost; so when a node comes that ranks behind the limit, all paths cost more.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CostLimit {
    most: u64,
    estimate: Estimate,
    is_passed: bool,
}

/// What the search adds to the cost so far.
#[derive(Clone, Copy, Debug)]
enum Estimate {
    Nothing,
    Octile(OctileDistance),
    Chosen(ChosenDistance),
}

impl CostLimit {
    /// The limit of a query whose search leads to the target by an algorithm; `None` where there is none, or the order of the search
    /// says nothing about costs.
    pub(crate) fn of(
        query: &PathQuery,
        movement_map: &MovementMap,
        algorithm: Algorithm,
        target: GridNode,
    ) -> Option<Self> {
        let most = u64::from(query.cost_limit()?.get());
        let named = algorithm.heuristic(query.heuristic());
        let is_admissible =
            named.is_none_or(|named| named.is_admissible(movement_map.movement(), movement_map.topology()));
        let estimate = match named {
            None => Estimate::Nothing,
            Some(HeuristicKind::Octile) => Estimate::Octile(OctileDistance::new(movement_map, target)),
            Some(named) => Estimate::Chosen(ChosenDistance::new(movement_map, named, target)),
        };
        (algorithm.is_exact() && is_admissible).then_some(Self { most, estimate, is_passed: false })
    }

    /// A limit for an exact search that is led by the usual estimate.
    pub(crate) fn at(most: Cost, movement_map: &MovementMap, target: GridNode) -> Self {
        let estimate = Estimate::Octile(OctileDistance::new(movement_map, target));
        Self { most: most.get().into(), estimate, is_passed: false }
    }

    /// A node is expanded; whether it ranks behind the limit.
    pub(crate) fn follow(&mut self, node: GridNode, cost: Cost) -> bool {
        let left = match self.estimate {
            Estimate::Nothing => Cost::ZERO,
            Estimate::Octile(octile) => octile.estimate(node),
            Estimate::Chosen(chosen) => chosen.estimate(node),
        };
        self.is_passed |= u64::from(cost.get()) + u64::from(left.get()) > self.most;
        self.is_passed
    }

    /// Whether it is known that all paths cost more.
    pub(crate) const fn is_passed(self) -> bool {
        self.is_passed
    }
}

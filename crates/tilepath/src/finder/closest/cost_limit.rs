//! A limit on the cost of a path.

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

/// A limit that ends a search for one cell if no path to it can be cheap enough for the query.
///
/// An exact search expands nodes in the order of their cost plus an estimate that is never too
/// large. On each cheapest path one node waits at no more than the path's cost. So when an expanded
/// node ranks behind the limit, all paths cost more.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CostLimit {
    most: u64,
    estimate: Estimate,
    is_passed: bool,
}

/// The estimate that the search adds to the cost so far.
#[derive(Clone, Copy, Debug)]
enum Estimate {
    Nothing,
    Octile(OctileDistance),
    Chosen(ChosenDistance),
}

impl CostLimit {
    /// Returns the limit of a query whose search leads to `target`. Returns `None` if the query has
    /// no cost limit, or if the search is not exact or its estimate can be too large.
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

    /// Makes a limit for an exact search that uses the octile estimate.
    pub(crate) fn at(most: Cost, movement_map: &MovementMap, target: GridNode) -> Self {
        let estimate = Estimate::Octile(OctileDistance::new(movement_map, target));
        Self { most: most.get().into(), estimate, is_passed: false }
    }

    /// Notes that a node is expanded. Returns whether the limit is passed.
    pub(crate) fn follow(&mut self, node: GridNode, cost: Cost) -> bool {
        let left = match self.estimate {
            Estimate::Nothing => Cost::ZERO,
            Estimate::Octile(octile) => octile.estimate(node),
            Estimate::Chosen(chosen) => chosen.estimate(node),
        };
        self.is_passed |= u64::from(cost.get()) + u64::from(left.get()) > self.most;
        self.is_passed
    }

    /// Returns whether all paths are known to cost more.
    pub(crate) const fn is_passed(self) -> bool {
        self.is_passed
    }
}

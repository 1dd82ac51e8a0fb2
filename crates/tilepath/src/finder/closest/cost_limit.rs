//! A limit on the cost of a path.

use crate::{
    cost::Cost,
    finder::query::{Algorithm, PathQuery},
    movement_map::MovementMap,
};

/// A limit that ends a search for one cell if no path to it can be cheap enough for the query.
///
/// An exact search expands nodes in the order of their rank: their cost plus an estimate that is
/// never too large. On each cheapest path one node waits at no more than the path's cost. So when an
/// expanded node ranks behind the limit, all paths cost more.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CostLimit {
    most: u64,
    is_passed: bool,
}

impl CostLimit {
    /// Returns the limit of a query. Returns `None` if the query has no cost limit, or if the search
    /// is not exact or its estimate can be too large.
    pub(crate) fn of(query: &PathQuery, movement_map: &MovementMap, algorithm: Algorithm) -> Option<Self> {
        let named = algorithm.heuristic(query.heuristic());
        let is_admissible =
            named.is_none_or(|named| named.is_admissible(movement_map.movement(), movement_map.topology()));
        query.cost_limit().filter(|_| algorithm.is_exact() && is_admissible).map(Self::at)
    }

    /// Makes a limit for an exact search.
    pub(crate) fn at(most: Cost) -> Self {
        Self { most: most.get().into(), is_passed: false }
    }

    /// Notes the rank of a node that is expanded. Returns whether the limit is passed.
    pub(crate) const fn follow(&mut self, rank: u64) -> bool {
        self.is_passed |= rank > self.most;
        self.is_passed
    }

    /// Returns whether all paths are known to cost more.
    pub(crate) const fn is_passed(self) -> bool {
        self.is_passed
    }
}

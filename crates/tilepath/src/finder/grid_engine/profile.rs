//! The settings of a search.

use crate::{
    finder::{
        heuristic_kind::HeuristicKind,
        query::{Algorithm, Order},
    },
    jump_point::goals::SeveralGoals,
    landmarks::distance::Guidance,
    regions::ClosestCells,
};

/// The settings of a search.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SearchProfile {
    pub(crate) algorithm: Algorithm,
    pub(crate) estimate: HeuristicKind,
    /// True if no allowed step is skipped.
    pub(crate) skips_pruning: bool,
    /// The cells closest to the goal, if the search is for the best of them. Then the cheapest costs
    /// to cells other than the goal are wanted too.
    pub(crate) ties: Option<ClosestCells>,
    /// These cells as goals for jump points, which would skip them.
    pub(crate) tied: Option<SeveralGoals>,
    /// Whether landmarks lead the search.
    pub(crate) guidance: Guidance,
    /// True if the work spent on examining the map during the search is counted.
    pub(crate) is_metered: bool,
}

impl SearchProfile {
    /// Returns whether cells are expanded in the order of their true costs, which pruning needs.
    pub(super) fn orders_by_cost(self) -> bool {
        match self.algorithm.order() {
            Order::Cost => true,
            Order::CostAndEstimate { percent: 100 } => self.estimate == HeuristicKind::Octile,
            _ => false,
        }
    }

    pub(super) fn prunes(self) -> bool {
        self.orders_by_cost() && !self.skips_pruning
    }
}

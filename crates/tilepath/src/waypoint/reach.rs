//! What can be reached from a waypoint.

use super::{WaypointGraph, error::WaypointError};

/// A waypoint within so many steps, as [`WaypointGraph::within_steps`] lists it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct WithinSteps {
    /// The waypoint.
    pub id: String,
    /// The fewest edges that lead there.
    pub steps: u32,
}

/// A waypoint within a budget, as [`WaypointGraph::within_cost`] lists it.
#[derive(Clone, PartialEq, Debug)]
pub struct WithinCost {
    /// The waypoint.
    pub id: String,
    /// The cost of the cheapest way there.
    pub cost: f64,
}

impl WaypointGraph {
    /// Everything that can be reached over at most so many edges, whatever they cost, nearest first, and in the order of
    /// the waypoints where the steps are equal. The waypoint itself is there with 0 steps.
    ///
    /// # Errors
    /// [`WaypointError::UnknownWaypoint`].
    ///
    /// # Complexity
    /// O(what is listed, with its edges), and its logarithm to put it in order.
    pub fn within_steps(&self, id: &str, steps: u32) -> Result<Vec<WithinSteps>, WaypointError> {
        todo!("{id} {steps}")
    }

    /// Everything that can be reached at a cost of at most the budget, cheapest first, and in the order of the waypoints
    /// where costs are equal. The waypoint itself is there at cost 0. An infinite budget lists all that can be reached.
    ///
    /// # Errors
    /// [`WaypointError::UnknownWaypoint`], [`WaypointError::InvalidBudget`] for NaN.
    ///
    /// # Complexity
    /// As Dijkstra's algorithm on what is listed.
    pub fn within_cost(&self, id: &str, budget: f64) -> Result<Vec<WithinCost>, WaypointError> {
        todo!("{id} {budget}")
    }
}

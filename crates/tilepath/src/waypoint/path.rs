//! The path from one waypoint to another.

use super::{error::WaypointError, graph::WaypointGraph};
use crate::{graph::node::NodeId, position::Position};

/// The cheapest path from one waypoint to another: names, positions, cost and length.
///
/// The path always contains the start and the goal of the query. If both are the same waypoint, the
/// path has one waypoint.
#[derive(Clone, PartialEq, Debug)]
pub struct WaypointPath {
    ids: Vec<String>,
    positions: Vec<Position>,
    cost: f64,
    length: f64,
}

impl WaypointPath {
    fn new(graph: &WaypointGraph, nodes: &[NodeId], cost: f64) -> Self {
        let positions: Vec<Position> = nodes.iter().map(|&node| graph.place(node)).collect();
        let ids = nodes.iter().map(|&node| graph.name(node).to_owned()).collect();
        Self { ids, length: length_of(positions.iter().copied()), positions, cost }
    }

    /// Returns the names of the waypoints, from start to goal.
    #[must_use]
    pub fn ids(&self) -> &[String] {
        &self.ids
    }

    /// Returns the positions of the waypoints, from start to goal.
    #[must_use]
    pub fn positions(&self) -> &[Position] {
        &self.positions
    }

    /// Returns the cost of the path: the sum of the costs of its edges.
    #[must_use]
    pub const fn cost(&self) -> f64 {
        self.cost
    }

    /// Returns the length of the path: the sum of the lengths of its edges.
    #[must_use]
    pub const fn length(&self) -> f64 {
        self.length
    }
}

/// Returns the length of a line through these places.
pub(super) fn length_of(positions: impl Iterator<Item = Position> + Clone) -> f64 {
    // The sum of an empty iterator of floats is -0, so the sum starts from 0.
    positions.clone().zip(positions.skip(1)).fold(0.0, |sum, (from, to)| sum + from.distance(to))
}

impl WaypointGraph {
    /// Returns the cheapest path from one waypoint to another, or `None` if there is no path. If
    /// start and goal are the same waypoint, the path consists of this waypoint.
    ///
    /// # Errors
    /// [`WaypointError::UnknownWaypoint`].
    ///
    /// # Guarantee
    /// The path is optimal, up to the rounding of float sums. The search is A*. The estimate of a
    /// waypoint is its straight distance to the goal × a rate. The rate is the smallest value of
    /// cost ÷ length among all edges.
    ///
    /// # Complexity
    /// O((waypoints + edges) × log waypoints) in the worst case.
    ///
    /// # Examples
    /// ```
    /// use tilepath::waypoint::WaypointGraph;
    /// let mut graph = WaypointGraph::new();
    /// for (id, x, y) in [("n1", 25.0, 25.0), ("n2", 110.0, 110.0), ("n3", 50.0, 180.0), ("n5", 190.0, 160.0)] {
    ///     graph.add(id, (x, y))?;
    /// }
    /// for (a, b) in [("n1", "n2"), ("n1", "n3"), ("n2", "n3"), ("n3", "n5")] {
    ///     graph.join(a, b)?;
    /// }
    /// let path = graph.find("n1", "n5")?.expect("there is a way");
    /// assert_eq!(path.ids(), ["n1", "n3", "n5"]);
    /// assert!((path.cost() - 298.4245).abs() < 1e-4);
    /// # Ok::<(), tilepath::waypoint::WaypointError>(())
    /// ```
    pub fn find(&self, start: &str, goal: &str) -> Result<Option<WaypointPath>, WaypointError> {
        let (begin, end) = (self.find_node(start)?, self.find_node(goal)?);
        // The nodes exist and the costs are within limits, so the graph never returns an error
        // here.
        let path = self.graph.find(begin, end).ok().flatten();
        Ok(path.map(|path| WaypointPath::new(self, &path.nodes, path.cost)))
    }
}

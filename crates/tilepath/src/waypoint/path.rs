//! The way from one waypoint to another.

use super::{WaypointGraph, error::WaypointError};
use crate::{graph::node::NodeId, position::Position};

/// The cheapest way from one waypoint to another: names, positions, cost and length.
///
/// It holds at least one waypoint, and always the first and the last that were asked for.
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

    /// The names, from start to goal.
    #[must_use]
    pub fn ids(&self) -> &[String] {
        &self.ids
    }

    /// Where they lie.
    #[must_use]
    pub fn positions(&self) -> &[Position] {
        &self.positions
    }

    /// The sum of the costs of the edges.
    #[must_use]
    pub const fn cost(&self) -> f64 {
        self.cost
    }

    /// The sum of the lengths of the edges.
    #[must_use]
    pub const fn length(&self) -> f64 {
        self.length
    }
}

/// How long a line through these places is.
pub(super) fn length_of(positions: impl Iterator<Item = Position> + Clone) -> f64 {
    // An empty sum of floats would be -0.
    positions.clone().zip(positions.skip(1)).fold(0.0, |sum, (from, to)| sum + from.distance(to))
}

impl WaypointGraph {
    /// The cheapest way from one waypoint to another. The goal may be the start: then the path is that one waypoint.
    /// `None` if there is no way.
    ///
    /// # Errors
    /// [`WaypointError::UnknownWaypoint`].
    ///
    /// # Guarantee
    /// Optimal, as far as sums of floats tell: A* with the straight line × the least cost for a unit of length.
    ///
    /// # Complexity
    /// O((waypoints + edges) × log waypoints) at worst.
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
        // Nodes exist and costs are within limits, so the graph has nothing to refuse.
        let path = self.graph.find(begin, end).ok().flatten();
        Ok(path.map(|path| WaypointPath::new(self, &path.nodes, path.cost)))
    }
}

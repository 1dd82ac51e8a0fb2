//! The way from one waypoint to another.

use super::{WaypointGraph, error::WaypointError, place::Anywhere};
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
    positions.clone().zip(positions.skip(1)).map(|(from, to)| from.distance(to)).sum()
}

impl WaypointGraph {
    /// The cheapest way from one waypoint to another. The goal may be the start: then the path is that one waypoint.
    ///
    /// # Errors
    /// [`WaypointError::UnknownWaypoint`], [`WaypointError::Unreachable`].
    ///
    /// # Guarantee
    /// Optimal, as far as sums of floats tell: A* with the straight line × the least cost for a unit of length.
    ///
    /// # Complexity
    /// O((waypoints + edges) × log waypoints) at worst.
    ///
    /// # Examples
    /// ```
    /// use tilepath::WaypointGraph;
    /// let graph = WaypointGraph::from_xml(
    ///     r#"<nodes>
    ///         <node id="n1" x="25" y="25" join="n2,n3"/>
    ///         <node id="n2" x="110" y="110" join="n3"/>
    ///         <node id="n3" x="50" y="180" join="n5"/>
    ///         <node id="n5" x="190" y="160"/>
    ///     </nodes>"#,
    /// )?;
    /// let path = graph.find_path("n1", "n5")?;
    /// assert_eq!(path.ids(), ["n1", "n3", "n5"]);
    /// assert!((path.cost() - 298.4245).abs() < 1e-4);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn find_path(&self, from: &str, to: &str) -> Result<WaypointPath, WaypointError> {
        let (begin, end) = (self.find_node(from)?, self.find_node(to)?);
        // Nodes exist and costs are within limits, so the graph has nothing else to refuse.
        let path = self.graph.find(begin, end).ok().and_then(|answer| answer.path);
        let path = path.ok_or_else(|| WaypointError::unreachable(from.into(), to.into()))?;
        Ok(WaypointPath::new(self, &path.nodes, path.cost))
    }
}

impl WaypointError {
    pub(super) fn unreachable(from: Anywhere<'_>, to: Anywhere<'_>) -> Self {
        Self::Unreachable { from: from.to_string(), to: to.to_string() }
    }
}

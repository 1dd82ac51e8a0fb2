//! Graphs of nodes and directed edges with costs.
//!
//! Use a [`Graph`] for roads, rooms or a skill tree; the page of [`Graph`] has an example.
//! [`Graph::find`] searches a graph at once, a [`GraphSearch`] searches it in slices. A
//! [`ShortestPathTree`] holds the paths from one node to all others.
//!
//! If nodes have names, use [`waypoint`](crate::waypoint).
//!
//! Decision: `docs/decisions/28-graphs-and-waypoints.md`.

pub(crate) mod answer;
pub(crate) mod error;
pub(crate) mod generate;
pub(crate) mod nearest;
pub(crate) mod network;
pub(crate) mod node;
pub(crate) mod search;
pub(crate) mod space;

pub use self::{
    answer::{GraphAnswer, GraphPath, ShortestPathTree},
    error::GraphError,
    generate::GridNeighbours,
    nearest::NearestTarget,
    node::NodeId,
    search::{GraphAlgorithm, GraphSearch},
};
pub use crate::position::Position;

use self::{network::Network, search::overflow_of, space::GraphSpace};
use crate::search::{BinaryHeapQueue, DenseRecords, Dijkstra, NoGoal, Problem, Search};
use std::sync::Arc;

/// A graph of nodes and directed edges with costs: roads, rooms, a skill tree.
///
/// A node may have a position. Nodes and edges can be added and removed at any time. If nodes have
/// names, use a [`WaypointGraph`](crate::waypoint::WaypointGraph).
///
/// A two-way road is two edges, one in each direction. Two edges from one node to the same other
/// node are an error. An edge from a node to itself is allowed, but no cheapest path uses it.
///
/// # Units
/// Costs are finite `f64` values of 0 or more, in a unit that you choose. Positions are in another
/// unit that you choose.
///
/// # Guarantee
/// The same edits in the same order give the same answers on every machine. Edges are examined in
/// the order in which they were added. If two paths are equally cheap, the search keeps the path
/// that it found first.
///
/// Paths count as equally cheap if their costs differ only by the rounding of a sum (some parts in
/// 10^16 per edge).
///
/// # Complexity
/// - A search takes O((nodes + edges) log edges).
/// - Adding, changing or removing an edge takes O(edges of the two nodes).
/// - Cloning takes O(1). The first edit after that takes O(nodes + edges), if the clone still
///   exists. The same holds if a search on the graph still exists.
///
/// # Examples
/// ```
/// use tilepath::graph::Graph;
///
/// let mut graph = Graph::new();
/// let village = graph.add_node_at(0.0, 0.0)?;
/// let ford = graph.add_node_at(3.0, 4.0)?;
/// let mill = graph.add_node_at(6.0, 0.0)?;
/// graph.add_edge_by_distance(village, ford)?;
/// graph.add_edge_by_distance(ford, mill)?;
/// graph.add_edge(village, mill, 12.0)?; // through the bog
///
/// let path = graph.find(village, mill)?.expect("there is a way");
/// assert_eq!((path.nodes, path.cost), (vec![village, ford, mill], 10.0));
///
/// graph.remove_node(ford)?; // a flood
/// let path = graph.find(village, mill)?.expect("there is a way");
/// assert_eq!((path.nodes, path.cost), (vec![village, mill], 12.0));
/// # Ok::<(), tilepath::graph::GraphError>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Graph {
    network: Arc<Network>,
}

impl Graph {
    /// Returns a graph without nodes.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    fn edit(&mut self) -> &mut Network {
        Arc::make_mut(&mut self.network)
    }

    /// Adds a node without a position. Only methods that measure distances need a position.
    ///
    /// # Errors
    /// [`GraphError::TooManyNodes`].
    pub fn add_node(&mut self) -> Result<NodeId, GraphError> {
        self.edit().add_node(None)
    }

    /// Adds a node at a position.
    ///
    /// # Errors
    /// [`GraphError::InvalidPosition`], [`GraphError::TooManyNodes`].
    pub fn add_node_at(&mut self, x: f64, y: f64) -> Result<NodeId, GraphError> {
        self.edit().add_node(Some(Position { x, y }))
    }

    /// Removes a node and every edge that begins or ends at the node. The id of the node is not
    /// used again.
    ///
    /// # Complexity
    /// O(edges of the neighbouring nodes).
    ///
    /// # Errors
    /// [`GraphError::UnknownNode`].
    pub fn remove_node(&mut self, node: NodeId) -> Result<(), GraphError> {
        self.network.node(node)?;
        self.edit().remove_node(node)
    }

    /// Moves a node. The edges of the node keep their costs. If costs depend on positions, set new
    /// costs.
    ///
    /// # Errors
    /// [`GraphError::UnknownNode`], [`GraphError::InvalidPosition`].
    pub fn move_node(&mut self, node: NodeId, x: f64, y: f64) -> Result<(), GraphError> {
        self.network.node(node)?;
        self.edit().move_node(node, Some(Position { x, y }))
    }

    /// Adds an edge from one node to another, in this direction only.
    ///
    /// # Errors
    /// [`GraphError::UnknownNode`], [`GraphError::DuplicateEdge`], [`GraphError::InvalidCost`].
    pub fn add_edge(&mut self, from: NodeId, to: NodeId, cost: f64) -> Result<(), GraphError> {
        self.edit().add_edge(from, to, cost, <[_]>::len)
    }

    /// Adds an edge and keeps the edges of its start node sorted by the numbers of their end nodes.
    /// All edges of this start node must be added by this method.
    ///
    /// # Errors
    /// The errors of [`add_edge`](Self::add_edge).
    pub(crate) fn add_edge_in_order(
        &mut self,
        from: NodeId,
        to: NodeId,
        cost: f64,
    ) -> Result<(), GraphError> {
        self.edit().add_edge(from, to, cost, |edges| edges.partition_point(|edge| edge.to < to))
    }

    /// Adds an edge that costs the straight distance between the current positions of the two
    /// nodes.
    ///
    /// # Errors
    /// [`GraphError::NoPosition`], and the errors of [`add_edge`](Self::add_edge).
    pub fn add_edge_by_distance(&mut self, from: NodeId, to: NodeId) -> Result<(), GraphError> {
        let position = |node| self.network.node(node)?.position.ok_or(GraphError::NoPosition { node });
        let cost = position(from)?.distance(position(to)?);
        self.add_edge(from, to, cost)
    }

    /// Removes the edge from one node to another. If there is also an edge in the opposite
    /// direction, that edge stays.
    ///
    /// # Errors
    /// [`GraphError::UnknownNode`], [`GraphError::MissingEdge`].
    pub fn remove_edge(&mut self, from: NodeId, to: NodeId) -> Result<(), GraphError> {
        self.edit().remove_edge(from, to)
    }

    /// Sets the cost of an edge.
    ///
    /// # Errors
    /// [`GraphError::UnknownNode`], [`GraphError::MissingEdge`], [`GraphError::InvalidCost`].
    pub fn set_edge_cost(&mut self, from: NodeId, to: NodeId, cost: f64) -> Result<(), GraphError> {
        self.edit().set_edge_cost(from, to, cost)
    }

    /// Removes all nodes and edges. The numbers of new nodes begin at 0 again, so do not use older
    /// ids any more.
    pub fn clear(&mut self) {
        self.network = Arc::default();
    }

    /// Returns whether the graph has this node.
    #[must_use]
    pub fn contains(&self, node: NodeId) -> bool {
        self.network.node(node).is_ok()
    }

    /// Returns the position of a node; `None` if it has no position or does not exist.
    #[must_use]
    pub fn position(&self, node: NodeId) -> Option<Position> {
        self.network.node(node).ok()?.position
    }

    /// Returns the cost of the edge from one node to another; `None` if there is no such edge.
    #[must_use]
    pub fn edge_cost(&self, from: NodeId, to: NodeId) -> Option<f64> {
        self.network.edge_cost(from, to).ok().flatten()
    }

    /// Returns the nodes in the order in which they were added.
    pub fn nodes(&self) -> impl Iterator<Item = NodeId> {
        self.network.nodes().map(|(id, _)| id)
    }

    /// Returns the edges as (from, to, cost), sorted by the number of the node `from`. The edges
    /// from one node are in the order in which they were added.
    pub fn edges(&self) -> impl Iterator<Item = (NodeId, NodeId, f64)> {
        self.network
            .nodes()
            .flat_map(|(from, node)| node.edges.iter().map(move |edge| (from, edge.to, edge.cost)))
    }

    /// Returns the edges that begin at a node as (to, cost), in the order in which they were added.
    /// If the node does not exist, there are no edges.
    pub fn edges_from(&self, node: NodeId) -> impl Iterator<Item = (NodeId, f64)> {
        self.network
            .node(node)
            .into_iter()
            .flat_map(|node| node.edges.iter().map(|edge| (edge.to, edge.cost)))
    }

    /// Returns the nodes with an edge to this node. Their order has no meaning. If the node does
    /// not exist, there are no sources.
    pub(crate) fn sources(&self, node: NodeId) -> impl Iterator<Item = NodeId> {
        self.network.node(node).into_iter().flat_map(|node| node.sources.iter().copied())
    }

    /// Returns the smallest cost of a unit of length over all edges. It is infinite if no edge sets
    /// a bound.
    pub(crate) fn lowest_rate(&self) -> f64 {
        self.network.lowest_rate()
    }

    /// Returns the number of nodes.
    #[must_use]
    pub fn node_count(&self) -> usize {
        self.network.node_count
    }

    /// Returns the number of edges. A two-way road counts as two edges.
    #[must_use]
    pub fn edge_count(&self) -> usize {
        self.network.edge_count
    }

    /// Finds the cheapest path from one node to another with A*. Returns `None` if there is no
    /// path.
    ///
    /// # Errors
    /// [`GraphError::UnknownNode`]; [`GraphError::CostOverflow`] if no path was found, but a path
    /// with a cost that is too large may exist.
    ///
    /// # Guarantee
    /// Optimal.
    pub fn find(&self, start: NodeId, goal: NodeId) -> Result<Option<GraphPath>, GraphError> {
        self.solve(start, goal, GraphAlgorithm::AStar).map(|answer| answer.path)
    }

    /// Searches for a path with the given algorithm. Returns the path with details of the search.
    /// Each [`GraphAlgorithm`] states its own guarantee.
    ///
    /// # Errors
    /// The errors of [`find`](Self::find).
    pub fn solve(
        &self,
        start: NodeId,
        goal: NodeId,
        algorithm: GraphAlgorithm,
    ) -> Result<GraphAnswer, GraphError> {
        self.begin(start, goal, algorithm)?.finish()
    }

    /// Begins a search that is run step by step or in slices.
    ///
    /// # Errors
    /// [`GraphError::UnknownNode`].
    pub fn begin(
        &self,
        start: NodeId,
        goal: NodeId,
        algorithm: GraphAlgorithm,
    ) -> Result<GraphSearch, GraphError> {
        GraphSearch::new(&self.network, start, goal, algorithm)
    }

    /// Finds the cheapest paths from one node to all nodes that can be reached, with Dijkstra's
    /// algorithm.
    ///
    /// # Errors
    /// [`GraphError::UnknownNode`]; [`GraphError::CostOverflow`] if the cost to a node may be too
    /// large.
    ///
    /// # Guarantee
    /// Optimal.
    #[doc(alias = "dijkstra_all")]
    pub fn shortest_path_tree(&self, from: NodeId) -> Result<ShortestPathTree, GraphError> {
        self.network.node(from)?;
        let space = GraphSpace::new(&self.network);
        let problem = Problem { space: &space, strategy: &Dijkstra, goal: &NoGoal };
        let mut search = Search::<_, DenseRecords<f64, NodeId>, BinaryHeapQueue<NodeId, f64>>::default();
        search.begin(&problem, &[from]);
        search.run(&problem, &mut ());
        overflow_of(&self.network, &search)
            .map_or_else(|| Ok(ShortestPathTree::new(from, &self.network, &search)), Err)
    }

    /// Returns the cost of the cheapest path from one node to each node that can be reached, in the
    /// order of the node numbers. The start is in the list, with cost 0.
    ///
    /// # Errors
    /// The errors of [`shortest_path_tree`](Self::shortest_path_tree).
    pub fn distances(&self, from: NodeId) -> Result<Vec<(NodeId, f64)>, GraphError> {
        Ok(self.shortest_path_tree(from)?.distances().collect())
    }
}

//! Nodes and directed edges with costs, edited at any time: roads, rooms, a skill tree.
//!
//! A [`Graph`] is asked at once ([`Graph::find`]) or searched in slices ([`GraphSearch`]); a [`ShortestPathTree`] has the
//! ways from one node to all others. [`Graph`] has an example. Where nodes have names, take [`waypoint`](crate::waypoint).

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

/// Nodes, with a position or without, and directed edges with costs: roads, rooms, a skill tree.
///
/// Nodes and edges are added and removed at any time. An edge from a node to itself is allowed, and no cheapest way uses
/// it; a second edge from the same node to the same node is an error. A road both ways is two edges. Where nodes have
/// names, take a [`WaypointGraph`](crate::waypoint::WaypointGraph).
///
/// # Units
/// Costs are whatever the caller counts, as finite `f64` of zero or more; positions are in units of their own.
///
/// # Guarantee
/// The same edits in the same order give the same answers on every machine: edges are looked at in the order they were
/// added, and of equally cheap ways the one found first stays. Ways whose costs differ by no more than the rounding of a
/// sum (some parts in 10^16 an edge) count as equally cheap.
///
/// # Complexity
/// A search takes O((nodes + edges) log edges); adding, changing or removing an edge O(edges of its ends); cloning O(1),
/// and the first edit afterwards O(nodes + edges) if the clone, or a search that was begun, is still there.
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
    /// A graph without nodes.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    fn edit(&mut self) -> &mut Network {
        Arc::make_mut(&mut self.network)
    }

    /// Adds a node without a position: fine for everything but distances.
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

    /// Removes a node and every edge that begins or ends there. Its id is not given again.
    ///
    /// # Complexity
    /// O(edges of the nodes beside it).
    ///
    /// # Errors
    /// [`GraphError::UnknownNode`].
    pub fn remove_node(&mut self, node: NodeId) -> Result<(), GraphError> {
        self.network.node(node)?;
        self.edit().remove_node(node)
    }

    /// Puts a node somewhere else. Its edges keep their costs; give them new ones where costs follow from positions.
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

    /// Adds an edge before those of its node that lead to higher numbers. All edges of that node must have been added so.
    ///
    /// # Errors
    /// As for [`add_edge`](Self::add_edge).
    pub(crate) fn add_edge_in_order(
        &mut self,
        from: NodeId,
        to: NodeId,
        cost: f64,
    ) -> Result<(), GraphError> {
        self.edit().add_edge(from, to, cost, |edges| edges.partition_point(|edge| edge.to < to))
    }

    /// Adds an edge that costs the length of the straight line between the nodes' positions as they are now.
    ///
    /// # Errors
    /// [`GraphError::NoPosition`], and those of [`add_edge`](Self::add_edge).
    pub fn add_edge_by_distance(&mut self, from: NodeId, to: NodeId) -> Result<(), GraphError> {
        let position = |node| self.network.node(node)?.position.ok_or(GraphError::NoPosition { node });
        let cost = position(from)?.distance(position(to)?);
        self.add_edge(from, to, cost)
    }

    /// Removes the edge from one node to another; an edge back stays.
    ///
    /// # Errors
    /// [`GraphError::UnknownNode`], [`GraphError::MissingEdge`].
    pub fn remove_edge(&mut self, from: NodeId, to: NodeId) -> Result<(), GraphError> {
        self.edit().remove_edge(from, to)
    }

    /// Changes what an edge costs.
    ///
    /// # Errors
    /// [`GraphError::UnknownNode`], [`GraphError::MissingEdge`], [`GraphError::InvalidCost`].
    pub fn set_edge_cost(&mut self, from: NodeId, to: NodeId, cost: f64) -> Result<(), GraphError> {
        self.edit().set_edge_cost(from, to, cost)
    }

    /// Removes everything. Numbers begin at 0 again, so forget every id given before.
    pub fn clear(&mut self) {
        self.network = Arc::default();
    }

    /// Whether there is such a node.
    #[must_use]
    pub fn contains(&self, node: NodeId) -> bool {
        self.network.node(node).is_ok()
    }

    /// Where a node lies; `None` if it has no position, or if there is no such node.
    #[must_use]
    pub fn position(&self, node: NodeId) -> Option<Position> {
        self.network.node(node).ok()?.position
    }

    /// What the edge from one node to another costs; `None` if there is none.
    #[must_use]
    pub fn edge_cost(&self, from: NodeId, to: NodeId) -> Option<f64> {
        self.network.edge_cost(from, to).ok().flatten()
    }

    /// The nodes, in the order they were added.
    pub fn nodes(&self) -> impl Iterator<Item = NodeId> {
        self.network.nodes().map(|(id, _)| id)
    }

    /// The edges as (from, to, cost): by node, and for each node in the order they were added.
    pub fn edges(&self) -> impl Iterator<Item = (NodeId, NodeId, f64)> {
        self.network
            .nodes()
            .flat_map(|(from, node)| node.edges.iter().map(move |edge| (from, edge.to, edge.cost)))
    }

    /// The edges that begin at a node as (to, cost), in the order they were added; none if there is no such node.
    pub fn edges_from(&self, node: NodeId) -> impl Iterator<Item = (NodeId, f64)> {
        self.network
            .node(node)
            .into_iter()
            .flat_map(|node| node.edges.iter().map(|edge| (edge.to, edge.cost)))
    }

    /// The nodes from which an edge leads to a node, in no order that decides anything; none if there is no such node.
    pub(crate) fn sources(&self, node: NodeId) -> impl Iterator<Item = NodeId> {
        self.network.node(node).into_iter().flat_map(|node| node.sources.iter().copied())
    }

    /// The least cost for a unit of length over all edges, infinite where no edge bounds it.
    pub(crate) fn lowest_rate(&self) -> f64 {
        self.network.lowest_rate()
    }

    /// How many nodes there are.
    #[must_use]
    pub fn node_count(&self) -> usize {
        self.network.node_count
    }

    /// How many edges there are; a road both ways is two.
    #[must_use]
    pub fn edge_count(&self) -> usize {
        self.network.edge_count
    }

    /// The cheapest way from one node to another, by A*; `None` if there is none.
    ///
    /// # Errors
    /// [`GraphError::UnknownNode`]; [`GraphError::CostOverflow`] if there may be a way, at a cost that cannot be stated.
    ///
    /// # Guarantee
    /// Optimal.
    pub fn find(&self, start: NodeId, goal: NodeId) -> Result<Option<GraphPath>, GraphError> {
        self.solve(start, goal, GraphAlgorithm::AStar).map(|answer| answer.path)
    }

    /// A way from one node to another by the algorithm of your choice, which says what it promises, and how it was found.
    ///
    /// # Errors
    /// As for [`find`](Self::find).
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

    /// The cheapest ways from one node to all that can be reached, by Dijkstra's algorithm.
    ///
    /// # Errors
    /// [`GraphError::UnknownNode`]; [`GraphError::CostOverflow`] if a node may be reached at a cost that cannot be stated.
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

    /// What the cheapest way from one node costs to each node that can be reached, itself included, in the order of their
    /// numbers.
    ///
    /// # Errors
    /// As for [`shortest_path_tree`](Self::shortest_path_tree).
    pub fn distances(&self, from: NodeId) -> Result<Vec<(NodeId, f64)>, GraphError> {
        Ok(self.shortest_path_tree(from)?.distances().collect())
    }
}

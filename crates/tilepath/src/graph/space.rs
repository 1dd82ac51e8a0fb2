//! A graph as a search space, and the straight line as its estimate.

use crate::{
    graph::{
        network::{Network, Node},
        node::NodeId,
    },
    position::Position,
    search::{DenseRecords, Heuristic, SearchSpace},
};

/// The nodes and edges of a graph, as the search engine uses them.
#[derive(Clone, Copy)]
pub(crate) struct GraphSpace<'graph> {
    nodes: &'graph [Option<Node>],
    /// True if the edges of a node are emitted from last to first. Then a stack returns them in
    /// order.
    is_backward: bool,
}

impl<'graph> GraphSpace<'graph> {
    pub(crate) fn new(network: &'graph Network) -> Self {
        Self { nodes: &network.slots, is_backward: false }
    }

    pub(crate) fn backward(network: &'graph Network) -> Self {
        Self { is_backward: true, ..Self::new(network) }
    }
}

impl SearchSpace for GraphSpace<'_> {
    type Node = NodeId;
    type Cost = f64;
    type Link = NodeId;
    type Records = DenseRecords<f64, NodeId>;

    #[inline]
    fn key(&self, node: NodeId) -> usize {
        node.index()
    }

    fn key_count(&self) -> usize {
        self.nodes.len()
    }

    #[inline]
    fn expand(&self, node: NodeId, _: Option<NodeId>, mut emit: impl FnMut(NodeId, f64, NodeId)) {
        let Some(edges) = self.nodes[node.index()].as_ref().map(|node| &node.edges) else { return };
        if self.is_backward {
            for edge in edges.iter().rev() {
                emit(edge.to, edge.cost, node);
            }
        } else {
            for edge in edges {
                emit(edge.to, edge.cost, node);
            }
        }
    }

    fn predecessor(&self, _: NodeId, link: NodeId) -> NodeId {
        link
    }
}

/// The straight line to the goal as an estimate; 0 if an end has no position.
#[derive(Clone, Copy)]
pub(crate) struct StraightLine<'graph> {
    nodes: &'graph [Option<Node>],
    goal: Option<Position>,
    /// The cost of a unit of length.
    rate: f64,
}

/// A factor that makes an estimate smaller by more than rounding can make it larger.
pub(crate) const ROUNDING: f64 = 1.0 - 1e-9;

impl<'graph> StraightLine<'graph> {
    /// Returns an estimate that is never above the true cost: no edge costs less for its length
    /// than the rate.
    pub(crate) fn admissible(network: &'graph Network, goal: NodeId) -> Self {
        let rate = network.lowest_rate();
        Self::with_rate(network, goal, if rate.is_finite() { rate * ROUNDING } else { 0.0 })
    }

    /// Returns the length itself as the estimate, for algorithms without a guarantee.
    pub(crate) fn length(network: &'graph Network, goal: NodeId) -> Self {
        Self::with_rate(network, goal, 1.0)
    }

    fn with_rate(network: &'graph Network, goal: NodeId, rate: f64) -> Self {
        let goal = network.node(goal).ok().and_then(|node| node.position).filter(|_| rate > 0.0);
        Self { nodes: &network.slots, goal, rate }
    }
}

impl Heuristic<NodeId, f64> for StraightLine<'_> {
    #[inline]
    fn estimate(&self, node: NodeId) -> f64 {
        let Some(goal) = self.goal else { return 0.0 };
        let position = self.nodes[node.index()].as_ref().and_then(|node| node.position);
        let estimate = position.map_or(0.0, |position| position.distance(goal) * self.rate);
        // A length that overflows gives no estimate.
        if estimate.is_finite() { estimate } else { 0.0 }
    }
}

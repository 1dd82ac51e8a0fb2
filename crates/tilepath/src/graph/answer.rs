//! The answers of graph searches.

use crate::{
    graph::{network::Network, node::NodeId, space::GraphSpace},
    search::{DenseRecords, Search},
};

/// A path through a graph.
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub struct GraphPath {
    /// The nodes from start to goal, both inclusive.
    pub nodes: Vec<NodeId>,
    /// The cost of the path: the sum of the costs of its edges, added in the order from start to
    /// goal.
    pub cost: f64,
}

/// The answer of [`Graph::solve`](crate::graph::Graph::solve): the path, and details of the search.
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub struct GraphAnswer {
    /// The path, or `None` if the goal cannot be reached.
    pub path: Option<GraphPath>,
    /// Every edge that the search examined, in the order in which it examined them. Edges that did
    /// not improve a path are included.
    pub visited_edges: Vec<(NodeId, NodeId)>,
    /// The predecessor and the distance of each node that the search reached. If the search ended
    /// early, nodes that it did not reach are missing. For nodes that were still in the open list,
    /// the distance is the one that was known at that time.
    pub tree: ShortestPathTree,
    /// The number of expanded nodes.
    pub expanded: u64,
}

/// The paths from one node to others: the predecessor and the distance of each node.
///
/// A tree from [`Graph::shortest_path_tree`](crate::graph::Graph::shortest_path_tree) holds a
/// cheapest path to every node that can be reached.
///
/// # Memory
/// One entry for every node number that the graph has used, so that distance and predecessor of a
/// node are found in O(1).
#[derive(Clone, PartialEq, Debug)]
pub struct ShortestPathTree {
    start: NodeId,
    entries: Vec<Option<TreeEntry>>,
}

#[derive(Clone, Copy, PartialEq, Debug)]
struct TreeEntry {
    distance: f64,
    predecessor: Option<NodeId>,
}

impl ShortestPathTree {
    pub(crate) fn new<Q>(
        start: NodeId,
        network: &Network,
        search: &Search<NodeId, DenseRecords<f64, NodeId>, Q>,
    ) -> Self {
        let space = GraphSpace::new(network);
        let entry = |index: usize| {
            let record = search.record(&space, NodeId::new(index as u32))?;
            Some(TreeEntry { distance: record.cost, predecessor: record.link })
        };
        let mut entries: Vec<Option<TreeEntry>> = (0..network.slots.len()).map(entry).collect();
        // The end is cut off, so that nodes removed after the last reached one make no difference
        // to `==`.
        entries.truncate(entries.iter().rposition(Option::is_some).map_or(0, |last| last + 1));
        Self { start, entries }
    }

    fn entry(&self, node: NodeId) -> Option<TreeEntry> {
        self.entries.get(node.index()).copied().flatten()
    }

    /// Returns the node at which all paths begin.
    #[must_use]
    pub const fn start(&self) -> NodeId {
        self.start
    }

    /// Returns the cost of the path to a node, or `None` if the node was not reached.
    #[must_use]
    pub fn distance(&self, node: NodeId) -> Option<f64> {
        self.entry(node).map(|entry| entry.distance)
    }

    /// Returns the predecessor of a node: the node before it on the path from the start. Returns
    /// `None` for the start and for nodes that were not reached.
    #[must_use]
    pub fn predecessor(&self, node: NodeId) -> Option<NodeId> {
        self.entry(node)?.predecessor
    }

    /// Returns the path from the start to a node, or `None` if the node was not reached.
    ///
    /// # Complexity
    /// O(nodes of the path).
    #[must_use]
    pub fn path_to(&self, node: NodeId) -> Option<GraphPath> {
        let cost = self.distance(node)?;
        let mut nodes: Vec<NodeId> =
            std::iter::successors(Some(node), |&node| self.predecessor(node)).collect();
        nodes.reverse();
        Some(GraphPath { nodes, cost })
    }

    /// Returns the reached nodes, each with its distance, in the order of the node numbers. The
    /// start is in the list, with distance 0.
    pub fn distances(&self) -> impl Iterator<Item = (NodeId, f64)> {
        (self.entries.iter().enumerate())
            .filter_map(|(index, entry)| Some((NodeId::new(index as u32), entry.as_ref()?.distance)))
    }

    /// Returns the edges of the tree, for drawing. Each edge is (predecessor, node), and the edges
    /// are in the order of the numbers of these nodes.
    pub fn edges(&self) -> impl Iterator<Item = (NodeId, NodeId)> {
        (self.entries.iter().enumerate())
            .filter_map(|(index, entry)| Some((entry.as_ref()?.predecessor?, NodeId::new(index as u32))))
    }
}

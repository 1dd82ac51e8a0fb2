//! What a search on a graph answers.

use crate::{
    graph::{network::Network, node::NodeId, space::GraphSpace},
    search::{DenseRecords, Search},
};

/// A way through a graph.
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub struct GraphPath {
    /// The nodes from start to goal, both inclusive.
    pub nodes: Vec<NodeId>,
    /// What the edges between them cost, added up from the start.
    pub cost: f64,
}

/// What [`Graph::solve`](crate::graph::Graph::solve) found, and how.
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub struct GraphAnswer {
    /// The way, or `None` if the goal cannot be reached.
    pub path: Option<GraphPath>,
    /// Every edge that was looked at, worth taking or not, in that order.
    pub visited_edges: Vec<(NodeId, NodeId)>,
    /// How each node was reached. Where the search ended early, the nodes it had not come to are missing, and those
    /// that still waited have the best distance known by then.
    pub tree: ShortestPathTree,
    /// Nodes whose edges were looked at.
    pub expanded: u64,
}

/// How nodes are reached from one node: predecessor and distance of each.
///
/// From [`Graph::shortest_path_tree`](crate::graph::Graph::shortest_path_tree) it holds a cheapest way to every node that can
/// be reached.
///
/// # Memory
/// One entry for every number the graph has given, so that every question is answered in O(1).
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
        // Whether nodes were removed after the last one reached must make no difference.
        entries.truncate(entries.iter().rposition(Option::is_some).map_or(0, |last| last + 1));
        Self { start, entries }
    }

    fn entry(&self, node: NodeId) -> Option<TreeEntry> {
        self.entries.get(node.index()).copied().flatten()
    }

    /// The node that all ways begin at.
    #[must_use]
    pub const fn start(&self) -> NodeId {
        self.start
    }

    /// What the way to a node costs; `None` if it was not reached.
    #[must_use]
    pub fn distance(&self, node: NodeId) -> Option<f64> {
        self.entry(node).map(|entry| entry.distance)
    }

    /// The node before this one on the way to it; `None` for the start, and for nodes that were not reached.
    #[must_use]
    pub fn predecessor(&self, node: NodeId) -> Option<NodeId> {
        self.entry(node)?.predecessor
    }

    /// The way to a node; `None` if it was not reached.
    ///
    /// # Complexity
    /// O(path).
    #[must_use]
    pub fn path_to(&self, node: NodeId) -> Option<GraphPath> {
        let cost = self.distance(node)?;
        let mut nodes: Vec<NodeId> =
            std::iter::successors(Some(node), |&node| self.predecessor(node)).collect();
        nodes.reverse();
        Some(GraphPath { nodes, cost })
    }

    /// The nodes that were reached, the start among them, in the order of their numbers, each with its distance.
    pub fn distances(&self) -> impl Iterator<Item = (NodeId, f64)> {
        (self.entries.iter().enumerate())
            .filter_map(|(index, entry)| Some((NodeId::new(index as u32), entry.as_ref()?.distance)))
    }

    /// The edges of the tree, from predecessor to node, in the order of the nodes' numbers: what to draw.
    pub fn edges(&self) -> impl Iterator<Item = (NodeId, NodeId)> {
        (self.entries.iter().enumerate())
            .filter_map(|(index, entry)| Some((entry.as_ref()?.predecessor?, NodeId::new(index as u32))))
    }
}

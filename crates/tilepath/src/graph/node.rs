//! What names a node.

use std::fmt;

/// Names a node of one [`Graph`](crate::graph::Graph).
///
/// Nodes are numbered from 0 in the order they are added. A number is not given a second time, so the id of a node that
/// was removed never names another one; only [`Graph::clear`](crate::graph::Graph::clear) begins again.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct NodeId(u32);

impl NodeId {
    /// The node of this number. Whether a graph has it, the graph says.
    #[must_use]
    pub const fn new(number: u32) -> Self {
        Self(number)
    }

    /// The number of the node: an index into a table beside the graph.
    #[must_use]
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

impl fmt::Display for NodeId {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(formatter)
    }
}

//! Node ids.

use std::fmt;

/// The id of a node of one [`Graph`](crate::graph::Graph).
///
/// Nodes are numbered from 0 in the order in which they are added. A number is never used again, so
/// the id of a removed node stays invalid. Only [`Graph::clear`](crate::graph::Graph::clear) begins
/// at 0 again.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct NodeId(u32);

impl NodeId {
    /// Returns the id with this number. The graph may or may not have such a node.
    #[must_use]
    pub const fn new(number: u32) -> Self {
        Self(number)
    }

    /// Returns the number of the node. Use it as an index into a table of your own.
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

//! The errors of graphs.

use crate::{cost::CostFault, graph::node::NodeId, position::Position};

/// The error of an edit or a query of a [`Graph`](crate::graph::Graph). If an edit returns this
/// error, the graph is unchanged.
#[derive(Clone, Copy, PartialEq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum GraphError {
    /// The node was never added, or it was removed.
    #[error("the graph has no node {node}: add it first, or ask `contains`")]
    UnknownNode {
        /// The unknown id.
        node: NodeId,
    },
    /// An edge from this node to the same other node exists already.
    #[error("there is an edge from {from} to {to} already: change it by `set_edge_cost`")]
    DuplicateEdge {
        /// The node at which the edge begins.
        from: NodeId,
        /// The node at which the edge ends.
        to: NodeId,
    },
    /// The edge does not exist.
    #[error("there is no edge from {from} to {to}; edges are directed, so look at the other direction too")]
    MissingEdge {
        /// The node at which the edge would begin.
        from: NodeId,
        /// The node at which the edge would end.
        to: NodeId,
    },
    /// The cost is invalid.
    #[error("the cost of the edge from {from} to {to} is {fault}: give a number that is zero or more")]
    InvalidCost {
        /// The node at which the edge begins.
        from: NodeId,
        /// The node at which the edge ends.
        to: NodeId,
        /// The fault of the cost.
        fault: CostFault,
    },
    /// A coordinate is not finite, or a width or a height is not finite or below 0.
    #[error(
        "{position} is an invalid position or size: give finite numbers, and sizes that are zero or more"
    )]
    InvalidPosition {
        /// The invalid position, or the invalid width and height.
        position: Position,
    },
    /// The node has no position, so it has no distance to other nodes.
    #[error("node {node} has no position: place it by `move_node`, or state the cost by `add_edge`")]
    NoPosition {
        /// The node without a position.
        node: NodeId,
    },
    /// The graph has used all its node numbers.
    #[error(
        "a graph numbers at most {limit} nodes, those removed included: split it, or `clear` it and begin again"
    )]
    TooManyNodes {
        /// The largest number of nodes.
        limit: usize,
    },
    /// A sum of costs is too large for an `f64`, first at this edge. A path to the goal may exist,
    /// but its cost is too large.
    #[error(
        "costs add up to more than can be stated at the edge from {from} to {to}: state costs in a larger unit"
    )]
    CostOverflow {
        /// The node at which the edge begins.
        from: NodeId,
        /// The node at which the edge ends.
        to: NodeId,
    },
}

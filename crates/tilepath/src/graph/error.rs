//! What can be wrong with a question or an edit.

use crate::{cost::CostFault, graph::node::NodeId, position::Position};

/// Why a [`Graph`](crate::graph::Graph) refused an edit or a question. Nothing was changed then.
#[derive(Clone, Copy, PartialEq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum GraphError {
    /// No such node: it was never added, or it was removed.
    #[error("the graph has no node {node}: add it first, or ask `contains`")]
    UnknownNode {
        /// The id that names nothing.
        node: NodeId,
    },
    /// There is such an edge already.
    #[error("there is an edge from {from} to {to} already: change it by `set_edge_cost`")]
    DuplicateEdge {
        /// Where the edge begins.
        from: NodeId,
        /// Where it ends.
        to: NodeId,
    },
    /// There is no such edge.
    #[error("there is no edge from {from} to {to}; edges are directed, so look at the other direction too")]
    MissingEdge {
        /// Where the edge would begin.
        from: NodeId,
        /// Where it would end.
        to: NodeId,
    },
    /// The cost cannot be counted.
    #[error("the cost of the edge from {from} to {to} is {fault}: give a number that is zero or more")]
    InvalidCost {
        /// Where the edge begins.
        from: NodeId,
        /// Where it ends.
        to: NodeId,
        /// What is wrong.
        fault: CostFault,
    },
    /// A coordinate, a width or a height is not a finite number, or a size is below zero.
    #[error("{position} is no position or size: give finite numbers, and sizes that are zero or more")]
    InvalidPosition {
        /// The coordinates as they were given.
        position: Position,
    },
    /// The node has no position to measure from.
    #[error("node {node} has no position: place it by `move_node`, or state the cost by `add_edge`")]
    NoPosition {
        /// The node without a position.
        node: NodeId,
    },
    /// The graph would have more nodes than it can number.
    #[error(
        "a graph numbers at most {limit} nodes, those removed included: split it, or `clear` it and begin again"
    )]
    TooManyNodes {
        /// How many there may be.
        limit: usize,
    },
    /// Costs added up to more than can be stated, at this edge first. Without it there might be a way.
    #[error(
        "costs add up to more than can be stated at the edge from {from} to {to}: state costs in a larger unit"
    )]
    CostOverflow {
        /// Where the edge begins.
        from: NodeId,
        /// Where it ends.
        to: NodeId,
    },
}

//! The nodes and edges of a graph, kept consistent.

use crate::{
    cost::CostValue,
    graph::{error::GraphError, node::NodeId},
    position::Position,
};
use std::sync::OnceLock;

/// The largest number of nodes: as many as a map has cells.
pub(crate) const NODE_LIMIT: usize = 1 << 28;

#[derive(Clone, Debug, Default)]
pub(crate) struct Node {
    pub(crate) position: Option<Position>,
    /// In the order in which they were added. If all were added in order, sorted by the number of
    /// the end node.
    pub(crate) edges: Vec<OutgoingEdge>,
    /// True if an edge comes after one to a higher number. Then binary search cannot find an edge.
    is_unsorted: bool,
    /// The nodes with an edge to this node. Their order has no meaning.
    pub(crate) sources: Vec<NodeId>,
}

impl Node {
    /// Returns the index of the edge to a node.
    fn place_of(&self, to: NodeId) -> Option<usize> {
        if self.is_unsorted {
            self.edges.iter().position(|edge| edge.to == to)
        } else {
            self.edges.binary_search_by_key(&to, |edge| edge.to).ok()
        }
    }
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct OutgoingEdge {
    pub(crate) to: NodeId,
    pub(crate) cost: f64,
}

/// The data that a [`Graph`](crate::graph::Graph) shares with its searches.
#[derive(Clone, Debug, Default)]
pub(crate) struct Network {
    /// The nodes by number. The slot of a removed node stays empty, so that its number is not used
    /// again.
    pub(crate) slots: Vec<Option<Node>>,
    pub(crate) node_count: usize,
    pub(crate) edge_count: usize,
    /// The smallest cost of a unit of length over all edges; computed when a search first needs it.
    lowest_rate: OnceLock<f64>,
}

impl Network {
    pub(crate) fn node(&self, id: NodeId) -> Result<&Node, GraphError> {
        (self.slots.get(id.index()).and_then(Option::as_ref)).ok_or(GraphError::UnknownNode { node: id })
    }

    fn node_mut(&mut self, id: NodeId) -> Result<&mut Node, GraphError> {
        (self.slots.get_mut(id.index()).and_then(Option::as_mut)).ok_or(GraphError::UnknownNode { node: id })
    }

    pub(crate) fn nodes(&self) -> impl Iterator<Item = (NodeId, &Node)> {
        (self.slots.iter().enumerate())
            .filter_map(|(index, slot)| slot.as_ref().map(|node| (NodeId::new(index as u32), node)))
    }

    pub(crate) fn edge_cost(&self, from: NodeId, to: NodeId) -> Result<Option<f64>, GraphError> {
        self.node(to)?;
        let node = self.node(from)?;
        Ok(node.place_of(to).map(|place| node.edges[place].cost))
    }

    /// Returns the cost of a unit of length along an edge.
    ///
    /// If an end has no position, the edge may be a short cut of any kind, so the rate is 0. An
    /// edge of length 0 sets no bound, so the rate is infinite.
    fn rate(&self, from: NodeId, edge: OutgoingEdge) -> f64 {
        let position = |id: NodeId| self.slots[id.index()].as_ref().and_then(|node| node.position);
        let (Some(begin), Some(end)) = (position(from), position(edge.to)) else { return 0.0 };
        let distance = begin.distance(end);
        if distance > 0.0 { edge.cost / distance } else { f64::INFINITY }
    }

    /// Returns the smallest cost of a unit of length over all edges. It is infinite if no edge sets
    /// a bound.
    pub(crate) fn lowest_rate(&self) -> f64 {
        *self.lowest_rate.get_or_init(|| {
            self.nodes()
                .flat_map(|(from, node)| node.edges.iter().map(move |&edge| self.rate(from, edge)))
                .fold(f64::INFINITY, f64::min)
        })
    }

    /// Updates the lowest rate after an edge is added. The result equals a new computation.
    fn rate_appeared(&mut self, rate: f64) {
        if let Some(lowest) = self.lowest_rate.get_mut() {
            *lowest = lowest.min(rate);
        }
    }

    /// Drops the lowest rate if a removed edge may have set it.
    fn rate_vanished(&mut self, rate: f64) {
        if self.lowest_rate.get().is_some_and(|&lowest| rate <= lowest) {
            self.lowest_rate.take();
        }
    }

    pub(crate) fn add_node(&mut self, position: Option<Position>) -> Result<NodeId, GraphError> {
        check_position(position)?;
        if self.slots.len() >= NODE_LIMIT {
            return Err(GraphError::TooManyNodes { limit: NODE_LIMIT });
        }
        let id = NodeId::new(self.slots.len() as u32);
        self.slots.push(Some(Node { position, ..Node::default() }));
        self.node_count += 1;
        Ok(id)
    }

    pub(crate) fn remove_node(&mut self, id: NodeId) -> Result<(), GraphError> {
        let rates = self.rates_around(id)?;
        let Some(node) = self.slots[id.index()].take() else {
            return Err(GraphError::UnknownNode { node: id });
        };
        // An edge from the node to itself is in both lists, and is removed with the node.
        let outgoing = node.edges.iter().filter(|edge| edge.to != id);
        for edge in outgoing.clone() {
            self.node_mut(edge.to)?.sources.retain(|&source| source != id);
        }
        for &from in node.sources.iter().filter(|&&from| from != id) {
            self.node_mut(from)?.edges.retain(|edge| edge.to != id);
        }
        self.edge_count -= outgoing.count() + node.sources.len();
        self.node_count -= 1;
        for rate in rates {
            self.rate_vanished(rate);
        }
        Ok(())
    }

    pub(crate) fn move_node(&mut self, id: NodeId, position: Option<Position>) -> Result<(), GraphError> {
        check_position(position)?;
        for rate in self.rates_around(id)? {
            self.rate_vanished(rate);
        }
        self.node_mut(id)?.position = position;
        for rate in self.rates_around(id)? {
            self.rate_appeared(rate);
        }
        Ok(())
    }

    fn rates_around(&self, id: NodeId) -> Result<Vec<f64>, GraphError> {
        let node = self.node(id)?;
        if self.lowest_rate.get().is_none() {
            return Ok(Vec::new());
        }
        let outgoing = node.edges.iter().map(|&edge| self.rate(id, edge));
        let incoming = node.sources.iter().filter_map(|&from| {
            let node = self.slots[from.index()].as_ref()?;
            Some(self.rate(from, node.edges[node.place_of(id)?]))
        });
        Ok(outgoing.chain(incoming).collect())
    }

    /// Adds an edge at a chosen place in the list of its node.
    pub(crate) fn add_edge(
        &mut self,
        from: NodeId,
        to: NodeId,
        cost: f64,
        place_among: impl Fn(&[OutgoingEdge]) -> usize,
    ) -> Result<(), GraphError> {
        check_cost(from, to, cost)?;
        if self.edge_cost(from, to)?.is_some() {
            return Err(GraphError::DuplicateEdge { from, to });
        }
        let edge = OutgoingEdge { to, cost };
        let node = self.node_mut(from)?;
        let place = place_among(&node.edges);
        node.is_unsorted |= node.edges[..place].last().is_some_and(|before| before.to > to);
        node.edges.insert(place, edge);
        self.node_mut(to)?.sources.push(from);
        self.edge_count += 1;
        self.rate_appeared(self.rate(from, edge));
        Ok(())
    }

    pub(crate) fn remove_edge(&mut self, from: NodeId, to: NodeId) -> Result<(), GraphError> {
        self.node(to)?;
        let node = self.node_mut(from)?;
        let Some(place) = node.place_of(to) else {
            return Err(GraphError::MissingEdge { from, to });
        };
        let edge = node.edges.remove(place);
        self.node_mut(to)?.sources.retain(|&source| source != from);
        self.edge_count -= 1;
        self.rate_vanished(self.rate(from, edge));
        Ok(())
    }

    pub(crate) fn set_edge_cost(&mut self, from: NodeId, to: NodeId, cost: f64) -> Result<(), GraphError> {
        check_cost(from, to, cost)?;
        self.node(to)?;
        let node = self.node_mut(from)?;
        let Some(place) = node.place_of(to) else {
            return Err(GraphError::MissingEdge { from, to });
        };
        let before = std::mem::replace(&mut node.edges[place].cost, cost);
        self.rate_vanished(self.rate(from, OutgoingEdge { to, cost: before }));
        self.rate_appeared(self.rate(from, OutgoingEdge { to, cost }));
        Ok(())
    }
}

fn check_position(position: Option<Position>) -> Result<(), GraphError> {
    match position {
        Some(position) if !position.is_finite() => Err(GraphError::InvalidPosition { position }),
        _ => Ok(()),
    }
}

fn check_cost(from: NodeId, to: NodeId, cost: f64) -> Result<(), GraphError> {
    cost.fault().map_or(Ok(()), |fault| Err(GraphError::InvalidCost { from, to, fault }))
}

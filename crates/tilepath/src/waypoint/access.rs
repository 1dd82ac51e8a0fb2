//! The joints between a graph and places off it.
//!
//! Decision: `docs/decisions/28-graphs-and-waypoints.md`.

use super::{
    error::WaypointError,
    graph::WaypointGraph,
    route_end::{RouteEnd, between, foot},
};
use crate::{graph::node::NodeId, position::Position};

/// A start or goal of a route, with its connections to the graph.
#[derive(Clone, Debug)]
pub(super) struct Access {
    pub(super) position: Position,
    /// The nodes that the place connects to directly, with the cost of each connection.
    pub(super) nodes: Vec<(NodeId, f64)>,
    /// The places on edges that the place connects to, in the order of the edges.
    pub(super) feet: Vec<Foot>,
    /// The cost of a unit of length between the place and the graph; `None` if the place is on the
    /// graph.
    pub(super) rate: Option<f64>,
}

/// A place on an edge, in one direction of the edge.
#[derive(Clone, Copy, Debug)]
pub(super) struct Foot {
    pub(super) from: NodeId,
    pub(super) to: NodeId,
    pub(super) position: Position,
    /// The cost between the place off the graph and the foot.
    pub(super) access: f64,
    /// The share of the edge's length that lies before the foot.
    pub(super) share: f64,
    /// The cost of the whole edge.
    cost: f64,
}

impl Access {
    /// # Errors
    /// As for [`WaypointGraph::position_of`].
    pub(super) fn new(
        graph: &WaypointGraph,
        place: RouteEnd<'_>,
        access_factor: f64,
    ) -> Result<Self, WaypointError> {
        let position = graph.position_of(place)?;
        Ok(match place {
            RouteEnd::Waypoint(id) => Self::at_node(position, graph.find_node(id)?),
            RouteEnd::OnEdge { from, to, share } => {
                let (from, to) = (graph.find_node(from)?, graph.find_node(to)?);
                if share <= 0.0 {
                    Self::at_node(position, from)
                } else if share >= 1.0 {
                    Self::at_node(position, to)
                } else {
                    Self::on_edge(graph, position, (from, to), share)
                }
            }
            RouteEnd::Position(position) => Self::off_graph(graph, position, access_factor),
        })
    }

    fn at_node(position: Position, node: NodeId) -> Self {
        Self { position, nodes: vec![(node, 0.0)], feet: Vec::new(), rate: None }
    }

    fn on_edge(graph: &WaypointGraph, position: Position, (from, to): (NodeId, NodeId), share: f64) -> Self {
        let foot = |from, to, share| {
            let cost = graph.graph.edge_cost(from, to)?;
            Some(Foot::new(from, to, position, share, cost))
        };
        let mut feet: Vec<Foot> =
            foot(from, to, share).into_iter().chain(foot(to, from, 1.0 - share)).collect();
        feet.sort_unstable_by_key(Foot::edge);
        Self { position, nodes: Vec::new(), feet, rate: None }
    }

    fn off_graph(graph: &WaypointGraph, position: Position, access_factor: f64) -> Self {
        let access = |other: Position| position.distance(other) * access_factor;
        let nodes = graph.graph.nodes().map(|node| (node, access(graph.place(node)))).collect();
        let mut feet = Vec::new();
        for (from, to, cost) in graph.graph.edges() {
            // Both directions of a two-way edge must have exactly the same foot.
            let (first, second) = (from.min(to), from.max(to));
            let (begin, end) = (graph.place(first), graph.place(second));
            let Some(share) = foot(position, begin, end).filter(|share| *share > 0.0 && *share < 1.0) else {
                continue;
            };
            let place = between(begin, end, share);
            let share = if first == from { share } else { 1.0 - share };
            feet.push(Foot { access: access(place), ..Foot::new(from, to, place, share, cost) });
        }
        Self { position, nodes, feet, rate: Some(access_factor) }
    }
}

impl Foot {
    fn new(from: NodeId, to: NodeId, position: Position, share: f64, cost: f64) -> Self {
        Self { from, to, position, access: 0.0, share, cost }
    }

    /// Returns the cost from the place over the foot to the end of the edge.
    pub(super) fn cost_onward(&self) -> f64 {
        self.access + self.cost * (1.0 - self.share)
    }

    /// Returns the cost from the beginning of the edge over the foot to the place.
    pub(super) fn cost_hither(&self) -> f64 {
        self.cost * self.share + self.access
    }

    /// Returns the cost from this place to another, over the feet of both; `None` if the other foot
    /// lies behind.
    ///
    /// On an edge of length 0 all feet are one place, whatever their shares.
    pub(super) fn cost_to(&self, other: &Self) -> Option<f64> {
        let share = if self.position == other.position { 0.0 } else { other.share - self.share };
        (share >= 0.0).then_some(self.access + self.cost * share + other.access)
    }

    pub(super) fn edge(&self) -> (NodeId, NodeId) {
        (self.from, self.to)
    }
}

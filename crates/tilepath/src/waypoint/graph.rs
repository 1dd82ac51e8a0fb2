//! The graph, its waypoints and its edges.

use super::{edge::WaypointEdge, error::WaypointError};
use crate::{
    graph::{Graph, node::NodeId},
    journal::Revision,
    position::Position,
    text::similar::most_similar,
};
use std::collections::{BTreeMap, HashMap};

/// A graph of named waypoints and the edges between them: a town, a dungeon, a patrol.
///
/// Use a waypoint graph if units walk only along given roads. If units may walk anywhere on open
/// ground, use tiles and a [`PathFinder`](crate::PathFinder).
///
/// The graph keeps the order in which waypoints were added. Iterators, files and the choice between
/// equally cheap paths use this order.
///
/// # Units
/// Positions and lengths are in a unit that you choose. The cost of an edge is its length × its
/// [cost factor](WaypointEdge::cost_factor).
///
/// # Guarantee
/// No sum of costs can overflow, because the graph returns an error for coordinates and factors
/// that are out of range.
///
/// Equal graphs give equal answers on every machine, even if different edits made these graphs.
/// Graphs are equal (`==`) if they have the same waypoints in the same order, and the same edges.
///
/// # Examples
/// ```
/// use tilepath::waypoint::{WaypointEdge, WaypointError, WaypointGraph};
///
/// let mut town = WaypointGraph::new();
/// town.add("gate", (0.0, 0.0))?;
/// town.add("market", (30.0, 40.0))?;
/// town.add("well", (30.0, 0.0))?;
/// town.join("gate", "market")?; // both ways
/// town.join("gate", "well")?;
/// town.join_one_way("well", "market")?;
///
/// let path = town.find("market", "well")?.expect("there is a way");
/// assert_eq!(path.ids(), ["market", "gate", "well"]);
/// assert_eq!((path.cost(), path.length()), (80.0, 80.0));
///
/// town.set_edge("market", "gate", WaypointEdge::with_speed(2.0))?; // a paved road, downhill
/// assert_eq!(town.find("market", "well")?.map(|path| path.cost()), Some(55.0));
///
/// town.remove("gate")?;
/// assert_eq!(town.find("market", "well")?, None);
/// # Ok::<(), WaypointError>(())
/// ```
#[derive(Clone, Default, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(
    feature = "serde",
    serde(
        try_from = "crate::stored::waypoints::StoredWaypoints",
        into = "crate::stored::waypoints::StoredWaypoints"
    )
)]
pub struct WaypointGraph {
    /// Nodes in the order of the waypoints. The edges of a node are in the order of their end
    /// waypoints.
    pub(super) graph: Graph,
    /// The id of each node, by node number; `None` if the waypoint was removed.
    pub(super) ids: Vec<Option<String>>,
    /// The node of each id. Never iterated, so hash order cannot matter.
    pub(super) nodes: HashMap<String, NodeId>,
    /// The settings of the edges that differ from the default.
    pub(super) settings: BTreeMap<(NodeId, NodeId), WaypointEdge>,
    pub(super) revision: Revision,
}

/// A waypoint, as [`WaypointGraph::waypoints`] returns it.
#[derive(Clone, Copy, PartialEq, Debug)]
#[non_exhaustive]
pub struct Waypoint<'a> {
    /// The name of the waypoint.
    pub id: &'a str,
    /// The position of the waypoint.
    pub position: Position,
}

/// An edge in one direction, as [`WaypointGraph::edges`] returns it.
#[derive(Clone, Copy, PartialEq, Debug)]
#[non_exhaustive]
pub struct WaypointStep<'a> {
    /// The waypoint at which the edge begins.
    pub from: Waypoint<'a>,
    /// The waypoint at which the edge ends.
    pub to: Waypoint<'a>,
    /// The speed and the cost factor of the edge.
    pub edge: WaypointEdge,
    /// The cost of the edge: length × cost factor.
    pub cost: f64,
    /// True if there is also an edge in the opposite direction.
    pub is_two_way: bool,
}

impl WaypointStep<'_> {
    /// Returns the length of the edge: the distance between its two waypoints.
    #[must_use]
    pub fn length(&self) -> f64 {
        self.from.position.distance(self.to.position)
    }
}

impl WaypointGraph {
    /// The largest absolute value of a coordinate.
    pub const MAX_COORDINATE: f64 = 1e15;

    /// Returns a graph without waypoints.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Returns the number of waypoints.
    #[must_use]
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Returns true if the graph has no waypoints.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// Returns the number of edges. A two-way join counts as two edges.
    #[must_use]
    pub fn edge_count(&self) -> usize {
        self.graph.edge_count()
    }

    /// Returns whether the graph has a waypoint of this name.
    #[must_use]
    pub fn contains(&self, id: &str) -> bool {
        self.nodes.contains_key(id)
    }

    /// Returns the position of a waypoint, or `None` if the name is unknown.
    #[must_use]
    pub fn position(&self, id: &str) -> Option<Position> {
        self.nodes.get(id).map(|&node| self.place(node))
    }

    /// Returns the waypoints in the order in which they were added.
    pub fn waypoints(&self) -> impl Iterator<Item = Waypoint<'_>> {
        self.graph.nodes().map(|node| self.waypoint(node))
    }

    /// Returns all edges. They are sorted by the waypoint at which they begin, and then by the
    /// waypoint at which they end, in the order of the waypoints. A two-way join gives two edges.
    pub fn edges(&self) -> impl Iterator<Item = WaypointStep<'_>> {
        self.graph.nodes().flat_map(|from| self.steps_from(from))
    }

    /// Returns the edges that begin at a waypoint. They are sorted by the waypoint at which they
    /// end, in the order of the waypoints.
    ///
    /// # Errors
    /// [`WaypointError::UnknownWaypoint`].
    pub fn edges_from(&self, id: &str) -> Result<impl Iterator<Item = WaypointStep<'_>>, WaypointError> {
        Ok(self.steps_from(self.find_node(id)?))
    }

    /// Returns the edge from one waypoint to another, or `None` if there is no such edge or a name
    /// is unknown.
    #[must_use]
    pub fn edge(&self, from: &str, to: &str) -> Option<WaypointStep<'_>> {
        let (from, to) = (self.node(from)?, self.node(to)?);
        Some(self.step(from, to, self.graph.edge_cost(from, to)?))
    }

    /// Returns the number of the current state of the graph. Each call that changes the graph
    /// raises this number. A call that changes nothing does not raise it.
    #[must_use]
    pub fn revision(&self) -> Revision {
        self.revision
    }

    /// Returns the graph of nodes and edges, in which waypoints have numbers instead of names. Use
    /// it for the other functions of a [`Graph`], such as the shortest-path tree, the list of
    /// examined edges, or a search step by step.
    #[must_use]
    pub fn graph(&self) -> &Graph {
        &self.graph
    }

    /// Returns the number of a waypoint in [`graph`](Self::graph), or `None` if the name is
    /// unknown. The number stays valid until the waypoint is removed, or the graph is cleared or
    /// replaced.
    #[must_use]
    pub fn node(&self, id: &str) -> Option<NodeId> {
        self.nodes.get(id).copied()
    }

    /// Returns the name of the waypoint with this number in [`graph`](Self::graph), or `None` if
    /// there is no such waypoint.
    #[must_use]
    pub fn id(&self, node: NodeId) -> Option<&str> {
        self.ids.get(node.index())?.as_deref()
    }

    pub(super) fn find_node(&self, id: &str) -> Result<NodeId, WaypointError> {
        self.node(id).ok_or_else(|| WaypointError::UnknownWaypoint {
            id: id.to_owned(),
            similar: most_similar(id, self.waypoints().map(|waypoint| waypoint.id)).map(str::to_owned),
        })
    }

    /// Returns the id of a node that exists.
    pub(super) fn name(&self, node: NodeId) -> &str {
        self.id(node).expect("every node of the graph was given a name")
    }

    /// Returns the position of a node that exists.
    pub(super) fn place(&self, node: NodeId) -> Position {
        self.graph.position(node).expect("every node of the graph was given a position")
    }

    pub(super) fn waypoint(&self, node: NodeId) -> Waypoint<'_> {
        Waypoint { id: self.name(node), position: self.place(node) }
    }

    pub(super) fn setting(&self, from: NodeId, to: NodeId) -> WaypointEdge {
        self.settings.get(&(from, to)).copied().unwrap_or_default()
    }

    pub(super) fn has_edge(&self, from: NodeId, to: NodeId) -> bool {
        self.graph.edge_cost(from, to).is_some()
    }

    pub(super) fn steps_from(&self, from: NodeId) -> impl Iterator<Item = WaypointStep<'_>> {
        self.graph.edges_from(from).map(move |(to, cost)| self.step(from, to, cost))
    }

    pub(super) fn step(&self, from: NodeId, to: NodeId, cost: f64) -> WaypointStep<'_> {
        WaypointStep {
            from: self.waypoint(from),
            to: self.waypoint(to),
            edge: self.setting(from, to),
            cost,
            is_two_way: self.has_edge(to, from),
        }
    }
}

impl PartialEq for WaypointGraph {
    fn eq(&self, other: &Self) -> bool {
        self.len() == other.len()
            && self.edge_count() == other.edge_count()
            && self.waypoints().eq(other.waypoints())
            && self.edges().eq(other.edges())
    }
}

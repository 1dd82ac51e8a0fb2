//! Named waypoints and the ways between them: a town, a dungeon, a patrol. From code, XML or RON.
//!
//! In a [`WaypointGraph`] (with an example) a [`WaypointPath`] leads from waypoint to waypoint, a [`WaypointRoute`] between
//! any two places on the graph or beside it; a [`RouteSearch`] looks for one in slices.

mod access;
pub(crate) mod edge;
mod edit;
pub(crate) mod error;
#[cfg(any(feature = "ron", feature = "xml"))]
pub(crate) mod file;
mod merge;
pub(crate) mod nearest;
pub(crate) mod path;
mod plan;
pub(crate) mod route;
pub(crate) mod route_end;
pub(crate) mod search;
pub(crate) mod within;

#[cfg(any(feature = "ron", feature = "xml"))]
pub use self::file::error::{WaypointFileError, WaypointFileFault};
pub use self::{
    edge::WaypointEdge,
    error::WaypointError,
    nearest::NearestOnEdge,
    path::WaypointPath,
    route::{RouteFault, RouteLeg, RouteOptions, RoutePoint, WaypointRoute},
    route_end::RouteEnd,
    search::{RouteSearch, RouteStop},
    within::{WithinCost, WithinSteps},
};

use crate::{
    graph::{Graph, node::NodeId},
    journal::Revision,
    position::Position,
    text::similar::most_similar,
};
use std::collections::{BTreeMap, HashMap};

/// Waypoints with names, and the ways between them: a town, a dungeon, a patrol.
///
/// Take it where walkers keep to ways that were laid out. Where they may go anywhere on open ground, take tiles and a
/// [`PathFinder`](crate::PathFinder). The order in which waypoints were added is kept by everything: iteration, files,
/// and the choice between equally cheap ways.
///
/// # Units
/// Positions and lengths are in units of your own. The cost of an edge is its length × its
/// [cost factor](WaypointEdge::cost_factor).
///
/// # Guarantee
/// Coordinates, factors and so all costs are within limits that no sum can overflow; what lies outside is refused when
/// it is entered. Equal graphs (`==`: the same waypoints in the same order, the same edges) give equal answers on every
/// machine, however they were made.
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
pub struct WaypointGraph {
    /// Nodes in the order of the waypoints; the edges of each in the order of the waypoints that they lead to.
    graph: Graph,
    /// By node number; `None` where a waypoint was removed.
    ids: Vec<Option<String>>,
    /// Never iterated, so hash order cannot matter.
    nodes: HashMap<String, NodeId>,
    /// The edges that are not as edges usually are.
    settings: BTreeMap<(NodeId, NodeId), WaypointEdge>,
    revision: Revision,
}

/// A waypoint as [`WaypointGraph::waypoints`] shows it.
#[derive(Clone, Copy, PartialEq, Debug)]
#[non_exhaustive]
pub struct Waypoint<'a> {
    /// What it is called.
    pub id: &'a str,
    /// Where it lies.
    pub position: Position,
}

/// An edge as [`WaypointGraph::edges`] shows it: one direction of a way.
#[derive(Clone, Copy, PartialEq, Debug)]
#[non_exhaustive]
pub struct WaypointStep<'a> {
    /// Where it begins.
    pub from: Waypoint<'a>,
    /// Where it ends.
    pub to: Waypoint<'a>,
    /// Its speed and cost factor.
    pub edge: WaypointEdge,
    /// What it costs: length × cost factor.
    pub cost: f64,
    /// Whether an edge leads back as well.
    pub is_two_way: bool,
}

impl WaypointStep<'_> {
    /// The distance between its ends.
    #[must_use]
    pub fn length(&self) -> f64 {
        self.from.position.distance(self.to.position)
    }
}

impl WaypointGraph {
    /// Coordinates go from minus this to this.
    pub const MAX_COORDINATE: f64 = 1e15;

    /// A graph without waypoints.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// How many waypoints there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Whether there is no waypoint.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// How many edges there are; a two-way join counts twice.
    #[must_use]
    pub fn edge_count(&self) -> usize {
        self.graph.edge_count()
    }

    /// Whether there is a waypoint of this name.
    #[must_use]
    pub fn contains(&self, id: &str) -> bool {
        self.nodes.contains_key(id)
    }

    /// Where a waypoint lies; `None` where there is none of this name.
    #[must_use]
    pub fn position(&self, id: &str) -> Option<Position> {
        self.nodes.get(id).map(|&node| self.place(node))
    }

    /// The waypoints in the order in which they were added.
    pub fn waypoints(&self) -> impl Iterator<Item = Waypoint<'_>> {
        self.graph.nodes().map(|node| self.waypoint(node))
    }

    /// All edges, by where they begin and then by where they end, both in the order of the waypoints. A two-way join is
    /// two of them.
    pub fn edges(&self) -> impl Iterator<Item = WaypointStep<'_>> {
        self.graph.nodes().flat_map(|from| self.steps_from(from))
    }

    /// The edges that begin at a waypoint, in the order of the waypoints they lead to.
    ///
    /// # Errors
    /// [`WaypointError::UnknownWaypoint`].
    pub fn edges_from(&self, id: &str) -> Result<impl Iterator<Item = WaypointStep<'_>>, WaypointError> {
        Ok(self.steps_from(self.find_node(id)?))
    }

    /// The edge from one waypoint to another; `None` where there is none, or no such waypoint.
    #[must_use]
    pub fn edge(&self, from: &str, to: &str) -> Option<WaypointStep<'_>> {
        let (from, to) = (self.node(from)?, self.node(to)?);
        Some(self.step(from, to, self.graph.edge_cost(from, to)?))
    }

    /// The number of this state of the graph. Every change raises it; what changes nothing does not.
    #[must_use]
    pub fn revision(&self) -> Revision {
        self.revision
    }

    /// The same nodes and edges by number, for everything that a [`Graph`] can do: the shortest-path tree, the edges
    /// looked at, a search step by step.
    #[must_use]
    pub fn graph(&self) -> &Graph {
        &self.graph
    }

    /// The number of a waypoint in [`graph`](Self::graph). It stays the same until the waypoint is removed or the graph
    /// is cleared or replaced.
    #[must_use]
    pub fn node(&self, id: &str) -> Option<NodeId> {
        self.nodes.get(id).copied()
    }

    /// The waypoint that has this number in [`graph`](Self::graph).
    #[must_use]
    pub fn id(&self, node: NodeId) -> Option<&str> {
        self.ids.get(node.index())?.as_deref()
    }

    fn find_node(&self, id: &str) -> Result<NodeId, WaypointError> {
        self.node(id).ok_or_else(|| WaypointError::UnknownWaypoint {
            id: id.to_owned(),
            similar: most_similar(id, self.waypoints().map(|waypoint| waypoint.id)).map(str::to_owned),
        })
    }

    /// The id of a node that exists.
    fn name(&self, node: NodeId) -> &str {
        self.id(node).expect("every node of the graph was given a name")
    }

    /// The position of a node that exists.
    fn place(&self, node: NodeId) -> Position {
        self.graph.position(node).expect("every node of the graph was given a position")
    }

    fn waypoint(&self, node: NodeId) -> Waypoint<'_> {
        Waypoint { id: self.name(node), position: self.place(node) }
    }

    fn setting(&self, from: NodeId, to: NodeId) -> WaypointEdge {
        self.settings.get(&(from, to)).copied().unwrap_or_default()
    }

    fn has_edge(&self, from: NodeId, to: NodeId) -> bool {
        self.graph.edge_cost(from, to).is_some()
    }

    fn steps_from(&self, from: NodeId) -> impl Iterator<Item = WaypointStep<'_>> {
        self.graph.edges_from(from).map(move |(to, cost)| self.step(from, to, cost))
    }

    fn step(&self, from: NodeId, to: NodeId, cost: f64) -> WaypointStep<'_> {
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

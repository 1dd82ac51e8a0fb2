//! Waypoint graphs as text: the common part of XML and RON.
//!
//! Decision: `docs/decisions/29-files-and-faults.md`.

pub(crate) mod error;
#[cfg(feature = "ron")]
mod ron;
#[cfg(feature = "xml")]
mod xml;

use self::error::{WaypointFileError, WaypointFileFault};
use super::{edge::WaypointEdge, edit::done, error::WaypointError, graph::WaypointGraph};
use crate::{graph::node::NodeId, position::Position, text::source::Source};
use std::collections::HashSet;

impl Source<'_> {
    fn error(self, at: usize, id: Option<&str>, fault: WaypointFileFault) -> WaypointFileError {
        let (line, column) = self.line_and_column(at);
        WaypointFileError { line, column, id: id.map(str::to_owned), fault }
    }
}

/// A name and its byte offset in the text.
#[derive(Clone, Debug)]
#[cfg_attr(feature = "ron", derive(serde::Deserialize), serde(from = "String"))]
struct Written {
    name: String,
    at: usize,
}

#[cfg(feature = "ron")]
impl From<String> for Written {
    fn from(name: String) -> Self {
        Self { name, at: 0 }
    }
}

/// A node as it is written in the text.
#[derive(Debug)]
#[cfg_attr(feature = "ron", derive(serde::Deserialize), serde(deny_unknown_fields, rename = "Node"))]
struct StatedNode {
    id: Written,
    x: f64,
    y: f64,
    /// The byte offset of the position in the text.
    #[cfg_attr(feature = "ron", serde(skip))]
    position_at: usize,
    join: Option<Vec<Written>>,
    oneway: Option<Vec<Written>>,
}

/// An edge as it is written in the text.
#[derive(Debug)]
#[cfg_attr(feature = "ron", derive(serde::Deserialize), serde(deny_unknown_fields, rename = "Edge"))]
struct StatedEdge {
    from: Written,
    to: Written,
    #[cfg_attr(feature = "ron", serde(default = "ron::usual_speed"))]
    speed: f64,
    /// The default is 1 ÷ speed.
    cost_factor: Option<f64>,
}

/// A graph as it is written in the text. Joins may name later nodes, so they are resolved after all
/// nodes are read.
#[derive(Debug, Default)]
#[cfg_attr(feature = "ron", derive(serde::Deserialize), serde(deny_unknown_fields, rename = "Waypoints"))]
struct Statement {
    nodes: Vec<StatedNode>,
    #[cfg_attr(feature = "ron", serde(default))]
    edges: Vec<StatedEdge>,
}

impl Statement {
    /// Returns the graph, or the first fault.
    fn into_graph(self, source: Source<'_>) -> Result<WaypointGraph, WaypointFileError> {
        let mut graph = WaypointGraph::new();
        for StatedNode { id, x, y, position_at, .. } in &self.nodes {
            graph.add(id.name.as_str(), (*x, *y)).map_err(|error| {
                let at =
                    if matches!(error, WaypointError::InvalidPosition { .. }) { *position_at } else { id.at };
                source.error(at, Some(&id.name), WaypointFileFault::Refused(error))
            })?;
        }
        let mut joins = Vec::new();
        for StatedNode { id, join, oneway, .. } in &self.nodes {
            let (join, oneway) = (join.iter().flatten(), oneway.iter().flatten());
            for (other, is_two_way) in
                join.map(|other| (other, true)).chain(oneway.map(|other| (other, false)))
            {
                let refused =
                    |error| source.error(other.at, Some(&id.name), WaypointFileFault::Refused(error));
                let ends = (
                    graph.find_node(&id.name).map_err(refused)?,
                    graph.find_node(&other.name).map_err(refused)?,
                );
                if ends.0 == ends.1 {
                    return Err(refused(WaypointError::SelfJoin { id: id.name.clone() }));
                }
                joins.push(ends);
                if is_two_way {
                    joins.push((ends.1, ends.0));
                }
            }
        }
        // In sorted order, each new edge is the last one at its node, so no other edge has to move.
        joins.sort_unstable();
        joins.dedup();
        graph.join_nodes(&joins);
        let mut described = HashSet::new();
        for StatedEdge { from, to, speed, cost_factor } in self.edges {
            let edge = WaypointEdge { speed, cost_factor: cost_factor.unwrap_or(1.0 / speed) };
            graph.set_edge(&from.name, &to.name, edge).map_err(|error| {
                let is_about =
                    |name: &str| matches!(&error, WaypointError::UnknownWaypoint { id, .. } if id == name);
                let at = if is_about(&to.name) && !is_about(&from.name) { to.at } else { from.at };
                source.error(at, Some(&from.name), WaypointFileFault::Refused(error))
            })?;
            if !described.insert((graph.node(&from.name), graph.node(&to.name))) {
                let fault = WaypointFileFault::EdgeTwice { from: from.name.clone(), to: to.name };
                return Err(source.error(from.at, Some(&from.name), fault));
            }
        }
        Ok(graph)
    }
}

/// A node and its joins in a file. A two-way join is listed at the first of its two nodes.
#[cfg_attr(feature = "ron", derive(serde::Serialize))]
struct ListedNode<'a> {
    id: &'a str,
    x: f64,
    y: f64,
    #[cfg_attr(feature = "ron", serde(skip_serializing_if = "Vec::is_empty"))]
    join: Vec<&'a str>,
    #[cfg_attr(feature = "ron", serde(skip_serializing_if = "Vec::is_empty"))]
    oneway: Vec<&'a str>,
}

/// An edge that has a line of its own in a file: its speed or cost factor is not the default.
#[cfg_attr(feature = "ron", derive(serde::Serialize))]
struct ListedEdge<'a> {
    from: &'a str,
    to: &'a str,
    #[cfg_attr(feature = "ron", serde(skip_serializing_if = "Option::is_none"))]
    speed: Option<f64>,
    #[cfg_attr(feature = "ron", serde(skip_serializing_if = "Option::is_none"))]
    cost_factor: Option<f64>,
}

impl WaypointGraph {
    /// Adds edges between nodes that are not joined yet.
    fn join_nodes(&mut self, joins: &[(NodeId, NodeId)]) {
        for &(from, to) in joins {
            done(self.graph.add_edge_in_order(from, to, self.cost_of(from, to)));
            self.changed();
        }
    }

    fn listed_nodes(&self) -> impl Iterator<Item = ListedNode<'_>> {
        self.graph.nodes().map(|node| {
            let Position { x, y } = self.place(node);
            let mut listed = ListedNode { id: self.name(node), x, y, join: vec![], oneway: vec![] };
            for (to, _) in self.graph.edges_from(node) {
                match self.has_edge(to, node) {
                    true if node < to => listed.join.push(self.name(to)),
                    true => {}
                    false => listed.oneway.push(self.name(to)),
                }
            }
            listed
        })
    }

    #[expect(clippy::float_cmp, reason = "a number that is left out must be read as the same number")]
    fn listed_edges(&self) -> impl Iterator<Item = ListedEdge<'_>> {
        self.settings.iter().map(|(&(from, to), edge)| {
            let usual = WaypointEdge::with_speed(edge.speed);
            ListedEdge {
                from: self.name(from),
                to: self.name(to),
                speed: (edge.speed != 1.0).then_some(edge.speed),
                cost_factor: (edge.cost_factor != usual.cost_factor).then_some(edge.cost_factor),
            }
        })
    }
}

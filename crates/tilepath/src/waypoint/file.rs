//! Waypoint graphs as text: what XML and RON have in common.

pub(crate) mod error;
#[cfg(feature = "ron")]
mod ron;
#[cfg(feature = "xml")]
mod xml;

use self::error::{WaypointFileError, WaypointFileFault};
use super::{WaypointGraph, edge::WaypointEdge, edit::done, error::WaypointError};
use crate::{graph::node::NodeId, position::Position};
use std::collections::HashSet;

/// A text, and places in it by their bytes.
#[derive(Clone, Copy, Debug)]
struct Source<'a>(&'a str);

impl<'a> Source<'a> {
    /// A text without its byte order mark.
    fn new(text: &'a str) -> Self {
        Self(text.strip_prefix('\u{feff}').unwrap_or(text))
    }

    /// Line and column, from 1, columns in characters.
    fn line_and_column(self, at: usize) -> (usize, usize) {
        let before = &self.0[..self.0.floor_char_boundary(at)];
        let line_start = before.rfind('\n').map_or(0, |newline| newline + 1);
        (before.matches('\n').count() + 1, before[line_start..].chars().count() + 1)
    }

    fn error(self, at: usize, id: Option<&str>, fault: WaypointFileFault) -> WaypointFileError {
        let (line, column) = self.line_and_column(at);
        WaypointFileError { line, column, id: id.map(str::to_owned), fault }
    }
}

/// A name that a text writes somewhere.
#[derive(Clone, Debug)]
struct Written {
    name: String,
    at: usize,
}

/// A node as a text states it.
#[derive(Debug)]
struct StatedNode {
    id: Written,
    /// Where its position is written.
    position: (Position, usize),
    join: Vec<Written>,
    oneway: Vec<Written>,
}

/// An edge as a text states it.
#[derive(Debug)]
struct StatedEdge {
    from: Written,
    to: Written,
    speed: f64,
    /// 1 ÷ speed unless it is stated.
    cost_factor: Option<f64>,
}

/// A graph as a text states it. Joins may name nodes that come later, so they are looked at when all nodes are known.
#[derive(Debug, Default)]
struct Statement {
    nodes: Vec<StatedNode>,
    edges: Vec<StatedEdge>,
}

impl Statement {
    /// The graph that is stated.
    fn into_graph(self, source: Source<'_>) -> Result<WaypointGraph, WaypointFileError> {
        let mut graph = WaypointGraph::new();
        for StatedNode { id, position: (position, position_at), .. } in &self.nodes {
            graph.add(id.name.as_str(), *position).map_err(|error| {
                let at =
                    if matches!(error, WaypointError::InvalidPosition { .. }) { *position_at } else { id.at };
                source.error(at, Some(&id.name), WaypointFileFault::Refused(error))
            })?;
        }
        let mut joins = Vec::new();
        for StatedNode { id, join, oneway, .. } in &self.nodes {
            for (other, is_two_way) in
                join.iter().map(|other| (other, true)).chain(oneway.iter().map(|other| (other, false)))
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
        // In this order each edge comes last at its node, and none has to make way for it.
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

/// A node with the joins that a file lists with it: a two-way join at the first of its nodes.
struct ListedNode<'a> {
    id: &'a str,
    position: Position,
    join: Vec<&'a str>,
    oneway: Vec<&'a str>,
}

/// The edges that a file has a line for, with their speed and cost factor where they are not as usual.
struct ListedEdge<'a> {
    from: &'a str,
    to: &'a str,
    speed: Option<f64>,
    cost_factor: Option<f64>,
}

impl WaypointGraph {
    /// Lets edges lead between nodes that are not joined yet.
    fn join_nodes(&mut self, joins: &[(NodeId, NodeId)]) {
        for &(from, to) in joins {
            done(self.graph.add_edge_in_order(from, to, self.cost_of(from, to)));
            self.changed();
        }
    }

    fn listed_nodes(&self) -> impl Iterator<Item = ListedNode<'_>> {
        self.graph.nodes().map(|node| {
            let mut listed =
                ListedNode { id: self.name(node), position: self.place(node), join: vec![], oneway: vec![] };
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

    #[expect(clippy::float_cmp, reason = "what is left out must be read again as the same number")]
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

/// What a writer gives. It writes into memory, and only text and numbers.
fn written_text(text: Option<String>) -> String {
    text.expect("text and numbers can always be written into memory")
}

#[cfg(test)]
mod tests {
    use super::Source;

    #[test]
    fn columns_count_characters_and_lines_newlines() {
        let source = Source::new("\u{feff}äb\ncde\n");
        assert_eq!(source.line_and_column(0), (1, 1));
        assert_eq!(source.line_and_column(2), (1, 2));
        assert_eq!(source.line_and_column(4), (2, 1));
        assert_eq!(source.line_and_column(7), (2, 4));
        assert_eq!(source.line_and_column(99), (3, 1));
    }
}

//! Changes of a waypoint graph.

use super::{WaypointGraph, edge::WaypointEdge, error::WaypointError};
use crate::{
    graph::{error::GraphError, network::NODE_LIMIT, node::NodeId},
    position::Position,
};

impl WaypointGraph {
    /// Adds a waypoint at the end of the order. Any text but the empty one names a waypoint.
    ///
    /// # Errors
    /// [`WaypointError::EmptyId`], [`WaypointError::DuplicateWaypoint`], [`WaypointError::InvalidPosition`],
    /// [`WaypointError::TooManyWaypoints`].
    pub fn add(&mut self, id: impl Into<String>, position: impl Into<Position>) -> Result<(), WaypointError> {
        let id = self.free_id(id.into())?;
        let position = checked(position.into())?;
        let node = self.graph.add_node_at(position.x, position.y).map_err(|error| match error {
            GraphError::InvalidPosition { .. } => WaypointError::InvalidPosition { position },
            _ => WaypointError::TooManyWaypoints { limit: NODE_LIMIT },
        })?;
        debug_assert_eq!(node.index(), self.ids.len(), "nodes are numbered in order");
        self.ids.push(Some(id.clone()));
        self.nodes.insert(id, node);
        self.changed();
        Ok(())
    }

    /// Joins two waypoints both ways. `true` if anything is new; an edge that is there stays as it is.
    ///
    /// # Errors
    /// [`WaypointError::UnknownWaypoint`], [`WaypointError::SelfJoin`].
    pub fn join(&mut self, a: &str, b: &str) -> Result<bool, WaypointError> {
        let there = self.join_one_way(a, b)?;
        let back = self.join_one_way(b, a)?;
        Ok(there || back)
    }

    /// Lets an edge lead from one waypoint to another, and nothing back. `true` if it is new; an edge that is there, also
    /// one of a two-way join, stays as it is.
    ///
    /// # Errors
    /// [`WaypointError::UnknownWaypoint`], [`WaypointError::SelfJoin`].
    pub fn join_one_way(&mut self, from: &str, to: &str) -> Result<bool, WaypointError> {
        let (begin, end) = (self.find_node(from)?, self.find_node(to)?);
        if begin == end {
            return Err(WaypointError::SelfJoin { id: from.to_owned() });
        }
        if self.has_edge(begin, end) {
            return Ok(false);
        }
        // The edges of a node are kept in the order of the waypoints, so that equal graphs break ties alike.
        done(self.graph.add_edge_in_order(begin, end, self.cost_of(begin, end)));
        self.changed();
        Ok(true)
    }

    /// Takes the edges between two waypoints away, in both directions. `true` if there was one.
    ///
    /// # Errors
    /// [`WaypointError::UnknownWaypoint`].
    pub fn unjoin(&mut self, a: &str, b: &str) -> Result<bool, WaypointError> {
        let there = self.unjoin_one_way(a, b)?;
        let back = self.unjoin_one_way(b, a)?;
        Ok(there || back)
    }

    /// Takes the edge from one waypoint to another away and leaves the one that leads back. `true` if there was one.
    ///
    /// # Errors
    /// [`WaypointError::UnknownWaypoint`].
    pub fn unjoin_one_way(&mut self, from: &str, to: &str) -> Result<bool, WaypointError> {
        let (from, to) = (self.find_node(from)?, self.find_node(to)?);
        if !self.has_edge(from, to) {
            return Ok(false);
        }
        done(self.graph.remove_edge(from, to));
        self.settings.remove(&(from, to));
        self.changed();
        Ok(true)
    }

    /// Removes a waypoint and all its edges.
    ///
    /// # Errors
    /// [`WaypointError::UnknownWaypoint`].
    pub fn remove(&mut self, id: &str) -> Result<(), WaypointError> {
        let node = self.find_node(id)?;
        done(self.graph.remove_node(node));
        self.settings.retain(|&(from, to), _| from != node && to != node);
        self.nodes.remove(id);
        self.ids[node.index()] = None;
        self.changed();
        Ok(())
    }

    /// Gives a waypoint another name; its place in the order and its edges stay.
    ///
    /// # Errors
    /// [`WaypointError::UnknownWaypoint`], [`WaypointError::EmptyId`], [`WaypointError::DuplicateWaypoint`].
    pub fn rename(&mut self, id: &str, new_id: impl Into<String>) -> Result<(), WaypointError> {
        let node = self.find_node(id)?;
        let new_id = new_id.into();
        if new_id == id {
            return Ok(());
        }
        let new_id = self.free_id(new_id)?;
        self.nodes.remove(id);
        self.ids[node.index()] = Some(new_id.clone());
        self.nodes.insert(new_id, node);
        self.changed();
        Ok(())
    }

    /// Moves a waypoint; the lengths and costs of its edges follow.
    ///
    /// # Errors
    /// [`WaypointError::UnknownWaypoint`], [`WaypointError::InvalidPosition`].
    pub fn move_to(&mut self, id: &str, position: impl Into<Position>) -> Result<(), WaypointError> {
        let node = self.find_node(id)?;
        let position = checked(position.into())?;
        if self.place(node) == position {
            return Ok(());
        }
        done(self.graph.move_node(node, position.x, position.y));
        let outgoing = self.graph.edges_from(node).map(|(to, _)| (node, to));
        let around: Vec<(NodeId, NodeId)> =
            outgoing.chain(self.graph.sources(node).map(|from| (from, node))).collect();
        for (from, to) in around {
            done(self.graph.set_edge_cost(from, to, self.cost_of(from, to)));
        }
        self.changed();
        Ok(())
    }

    /// Sets speed and cost factor of the edge from one waypoint to another. The edge back keeps its own: a ramp may be
    /// slower up than down.
    ///
    /// # Errors
    /// [`WaypointError::UnknownWaypoint`], [`WaypointError::NotJoined`], [`WaypointError::InvalidEdge`].
    pub fn set_edge(&mut self, from: &str, to: &str, edge: WaypointEdge) -> Result<(), WaypointError> {
        let (begin, end) = (self.find_node(from)?, self.find_node(to)?);
        if !self.has_edge(begin, end) {
            return Err(WaypointError::NotJoined { from: from.to_owned(), to: to.to_owned() });
        }
        if !edge.is_valid() {
            return Err(WaypointError::InvalidEdge { from: from.to_owned(), to: to.to_owned(), edge });
        }
        if self.setting(begin, end) == edge {
            return Ok(());
        }
        if edge == WaypointEdge::default() {
            self.settings.remove(&(begin, end));
        } else {
            self.settings.insert((begin, end), edge);
        }
        done(self.graph.set_edge_cost(begin, end, self.cost_of(begin, end)));
        self.changed();
        Ok(())
    }

    /// Removes all waypoints.
    pub fn clear(&mut self) {
        self.replace(Self::new());
    }

    /// Takes the waypoints and edges of another graph in place of its own, for a file that was loaded again. `true` if
    /// anything is different; if so the revision moves on from this graph's own, so that code that follows it notices.
    pub fn replace(&mut self, with: Self) -> bool {
        let is_different = *self != with;
        if is_different {
            *self = Self { revision: self.revision.next(), ..with };
        }
        is_different
    }

    pub(super) fn changed(&mut self) {
        self.revision = self.revision.next();
    }

    fn free_id(&self, id: String) -> Result<String, WaypointError> {
        if id.is_empty() {
            Err(WaypointError::EmptyId)
        } else if self.contains(&id) {
            Err(WaypointError::DuplicateWaypoint { id })
        } else {
            Ok(id)
        }
    }

    /// What the edge between two nodes costs, or would cost.
    pub(super) fn cost_of(&self, from: NodeId, to: NodeId) -> f64 {
        self.place(from).distance(self.place(to)) * self.setting(from, to).cost_factor
    }
}

/// What an edit of the graph below gives: it cannot fail where names, positions and factors were checked first.
pub(super) fn done<T>(edit: Result<T, GraphError>) -> T {
    edit.expect("whatever the graph could refuse was checked first")
}

/// A position that may be counted with.
pub(super) fn checked(position: Position) -> Result<Position, WaypointError> {
    let is_in_range = |part: f64| part.abs() <= WaypointGraph::MAX_COORDINATE;
    if is_in_range(position.x) && is_in_range(position.y) {
        Ok(position)
    } else {
        Err(WaypointError::InvalidPosition { position })
    }
}

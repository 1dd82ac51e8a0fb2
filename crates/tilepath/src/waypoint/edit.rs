//! Changes of a waypoint graph.

use super::{edge::WaypointEdge, error::WaypointError, graph::WaypointGraph};
use crate::{
    graph::{error::GraphError, network::NODE_LIMIT, node::NodeId},
    position::Position,
};

impl WaypointGraph {
    /// Adds a waypoint as the last in the order of the waypoints. The id is its name: any text that
    /// is not empty.
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

    /// Adds the edges between two waypoints in both directions. If one of these edges exists
    /// already, it stays unchanged.
    ///
    /// Returns true if at least one edge was added.
    ///
    /// # Errors
    /// [`WaypointError::UnknownWaypoint`], [`WaypointError::SelfJoin`].
    pub fn join(&mut self, a: &str, b: &str) -> Result<bool, WaypointError> {
        let there = self.join_one_way(a, b)?;
        let back = self.join_one_way(b, a)?;
        Ok(there || back)
    }

    /// Adds an edge from one waypoint to another, in this direction only. If this edge exists
    /// already, it stays unchanged. An edge in the opposite direction also stays.
    ///
    /// Returns true if the edge was added.
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
        // The edges of a node are kept in the order of the waypoints. So equal graphs break ties in
        // the same way.
        done(self.graph.add_edge_in_order(begin, end, self.cost_of(begin, end)));
        self.changed();
        Ok(true)
    }

    /// Removes the edges between two waypoints, in both directions. Returns true if at least one
    /// edge was removed.
    ///
    /// # Errors
    /// [`WaypointError::UnknownWaypoint`].
    pub fn unjoin(&mut self, a: &str, b: &str) -> Result<bool, WaypointError> {
        let there = self.unjoin_one_way(a, b)?;
        let back = self.unjoin_one_way(b, a)?;
        Ok(there || back)
    }

    /// Removes the edge from one waypoint to another. If there is also an edge in the opposite
    /// direction, that edge stays. Returns true if an edge was removed.
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

    /// Removes a waypoint, and all edges that begin or end at it.
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

    /// Renames a waypoint. The order of the waypoints and the edges do not change.
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

    /// Moves a waypoint. The lengths and costs of the edges that begin or end at this waypoint
    /// change too.
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

    /// Sets the speed and the cost factor of the edge from one waypoint to another. The edge in the
    /// opposite direction keeps its own values. For example, a ramp may be slower upwards than
    /// downwards.
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

    /// Removes all waypoints and edges.
    pub fn clear(&mut self) {
        self.replace(Self::new());
    }

    /// Replaces the waypoints and edges with those in another graph, for example after a file is
    /// loaded again.
    ///
    /// Returns true if the two graphs were different. In this case the [`revision`](Self::revision)
    /// of this graph rises by one, so that other code can notice the change.
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

    /// Returns the cost of the edge between two nodes, or the cost that a new edge would have.
    pub(super) fn cost_of(&self, from: NodeId, to: NodeId) -> f64 {
        self.place(from).distance(self.place(to)) * self.setting(from, to).cost_factor
    }
}

/// Unwraps the result of an edit of the inner graph. It cannot fail, because names, positions and
/// factors were checked before.
pub(super) fn done<T>(edit: Result<T, GraphError>) -> T {
    edit.expect("all faults were checked before the edit")
}

/// Returns the position, or an error if a coordinate is out of range.
pub(super) fn checked(position: Position) -> Result<Position, WaypointError> {
    let is_in_range = |part: f64| part.abs() <= WaypointGraph::MAX_COORDINATE;
    if is_in_range(position.x) && is_in_range(position.y) {
        Ok(position)
    } else {
        Err(WaypointError::InvalidPosition { position })
    }
}

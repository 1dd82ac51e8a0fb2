//! A merge of two waypoint graphs.

use super::{edit::done, error::WaypointError, graph::WaypointGraph};
use crate::graph::{network::NODE_LIMIT, node::NodeId};

impl WaypointGraph {
    /// Adds the waypoints and edges of another graph to this graph. The id of each added waypoint
    /// gets `key` at its end.
    ///
    /// Use this method to build the same house twice in one town, or to keep each district of a
    /// city in a separate file.
    ///
    /// The added waypoints come after the existing waypoints. They keep the order and the positions
    /// of the other graph, and their edges keep speed and cost factor. No edge leads from one part
    /// to the other: add such edges with [`join`](Self::join). If the key is empty, the ids do not
    /// change.
    ///
    /// # Errors
    /// [`WaypointError::MergeCollision`] if this graph already has an id of the other graph with
    /// the key at its end; the error holds the first such id. [`WaypointError::TooManyWaypoints`]
    /// if the graph has too few node numbers left.
    ///
    /// # Complexity
    /// O((waypoints + edges) × log e), where e is the largest number of edges of a waypoint. Only
    /// the other graph counts.
    ///
    /// # Examples
    /// ```
    /// use tilepath::waypoint::{WaypointError, WaypointGraph};
    ///
    /// let mut house = WaypointGraph::new();
    /// house.add("door", (0.0, 0.0))?;
    /// house.add("hearth", (3.0, 4.0))?;
    /// house.join("door", "hearth")?;
    ///
    /// let mut farm = house.clone();
    /// farm.merge(&house, "-of-the-neighbour")?;
    /// farm.move_to("door-of-the-neighbour", (0.0, 20.0))?;
    /// farm.move_to("hearth-of-the-neighbour", (3.0, 24.0))?;
    /// farm.join("door", "door-of-the-neighbour")?;
    ///
    /// let path = farm.find("hearth", "hearth-of-the-neighbour")?.unwrap();
    /// assert_eq!(path.ids(), ["hearth", "door", "door-of-the-neighbour", "hearth-of-the-neighbour"]);
    /// assert_eq!(path.cost(), 5.0 + 20.0 + 5.0);
    ///
    /// let again = farm.merge(&house, "-of-the-neighbour").unwrap_err();
    /// assert_eq!(
    ///     again.to_string(),
    ///     "merged under the key `-of-the-neighbour`, two waypoints would be called `door-of-the-neighbour`; \
    ///      choose another key"
    /// );
    /// # Ok::<(), WaypointError>(())
    /// ```
    pub fn merge(&mut self, other: &Self, key: &str) -> Result<(), WaypointError> {
        let added: Vec<(NodeId, String)> =
            other.graph.nodes().map(|node| (node, format!("{}{key}", other.name(node)))).collect();
        if let Some((_, id)) = added.iter().find(|(_, id)| self.contains(id)) {
            return Err(WaypointError::MergeCollision { id: id.clone(), key: key.to_owned() });
        }
        if self.ids.len() + added.len() > NODE_LIMIT {
            return Err(WaypointError::TooManyWaypoints { limit: NODE_LIMIT });
        }
        if added.is_empty() {
            return Ok(());
        }
        // The new number of each node, by its number in the other graph. The numbers of removed
        // waypoints are never read.
        let mut numbers = vec![NodeId::new(0); other.ids.len()];
        for (node, id) in added {
            let position = other.place(node);
            let number = done(self.graph.add_node_at(position.x, position.y));
            numbers[node.index()] = number;
            self.ids.push(Some(id.clone()));
            self.nodes.insert(id, number);
        }
        for (from, to, cost) in other.graph.edges() {
            let ends = (numbers[from.index()], numbers[to.index()]);
            done(self.graph.add_edge_in_order(ends.0, ends.1, cost));
            if let Some(&edge) = other.settings.get(&(from, to)) {
                self.settings.insert(ends, edge);
            }
        }
        self.changed();
        Ok(())
    }
}

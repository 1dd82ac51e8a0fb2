//! One waypoint graph made of two.

use super::{WaypointGraph, edit::done, error::WaypointError};
use crate::graph::{network::NODE_LIMIT, node::NodeId};

impl WaypointGraph {
    /// Adds the waypoints and edges of another graph, with the key appended to each of their ids: the same house built
    /// twice in one town, or the districts of a city that are kept in files of their own.
    ///
    /// The other waypoints come after those that are there, in their own order and at their own positions; their edges
    /// keep speed and cost factor. Nothing joins the two parts yet: [`join`](Self::join) what belongs together. An empty
    /// key leaves the ids as they are.
    ///
    /// # Errors
    /// [`WaypointError::MergeCollision`] for the first id that, with the key, is taken here;
    /// [`WaypointError::TooManyWaypoints`].
    ///
    /// # Complexity
    /// O((waypoints + edges) × log edges of a waypoint) of the other graph.
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
        // By the numbers of the other graph; those of waypoints that were removed there are never asked for.
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

//! Waypoint graphs as they are stored.

use crate::{
    position::Position,
    waypoint::{WaypointEdge, WaypointError, WaypointGraph},
};
use serde::{Deserialize, Serialize};

/// A waypoint graph as it is stored. Its waypoints keep their order, which decides ties.
#[derive(Serialize, Deserialize)]
#[serde(rename = "WaypointGraph", deny_unknown_fields)]
pub(crate) struct StoredWaypoints {
    #[serde(deserialize_with = "crate::stored::list")]
    waypoints: Vec<(String, Position)>,
    /// From, to, and the edge. A two-way edge is two edges.
    #[serde(deserialize_with = "crate::stored::list")]
    edges: Vec<(String, String, WaypointEdge)>,
}

impl From<WaypointGraph> for StoredWaypoints {
    fn from(graph: WaypointGraph) -> Self {
        Self {
            waypoints: graph
                .waypoints()
                .map(|waypoint| (waypoint.id.to_owned(), waypoint.position))
                .collect(),
            edges: (graph.edges())
                .map(|step| (step.from.id.to_owned(), step.to.id.to_owned(), step.edge))
                .collect(),
        }
    }
}

impl TryFrom<StoredWaypoints> for WaypointGraph {
    type Error = WaypointError;

    fn try_from(stored: StoredWaypoints) -> Result<Self, WaypointError> {
        let mut graph = Self::new();
        for (id, position) in stored.waypoints {
            graph.add(id, position)?;
        }
        for (from, to, edge) in stored.edges {
            graph.join_one_way(&from, &to)?;
            graph.set_edge(&from, &to, edge)?;
        }
        Ok(graph)
    }
}

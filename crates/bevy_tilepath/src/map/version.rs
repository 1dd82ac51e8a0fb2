//! Which state of a map it is.

use tilepath::Revision;

use crate::map::{nav_graph::NavGraph, nav_map::NavGrid};

/// One state of a map: searches compare it to know whether they are still right.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Version {
    Tiles { generation: u64, revision: Revision, rules_edition: u64, is_ready: bool },
    Graph { edition: u64, access_factor: f64, is_ready: bool },
}

impl Version {
    pub(crate) fn of_grid(grid: &NavGrid) -> Self {
        Self::Tiles {
            generation: grid.generation(),
            revision: grid.revision(),
            rules_edition: grid.rules_edition(),
            is_ready: grid.is_ready(),
        }
    }

    pub(crate) fn of_graph(graph: &NavGraph) -> Self {
        Self::Graph {
            edition: graph.edition(),
            access_factor: graph.route_options().access_factor,
            is_ready: graph.is_ready(),
        }
    }
}

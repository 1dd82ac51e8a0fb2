//! Differences between two states of a waypoint graph.
//!
//! Decision: `docs/decisions/51-legs.md`.

use tilepath::waypoint::{WaypointGraph, WaypointStep};

use crate::map::{nav_graph::NavGraph, span::Span};

/// The most openings, and the most closings, that are kept one by one. More become one rectangle.
const MOST: usize = 64;

/// A factor that lowers a rate, so that rounding never makes a line count more than it costs.
const ROUNDING: f64 = 1.0 - 1e-9;

/// Changes that may make paths along a graph cheaper, and places where the graph was closed.
#[derive(Clone, Debug, Default)]
pub(crate) struct GraphChanges {
    pub(crate) edges: Vec<OpenedEdge>,
    /// New places that are not edges.
    pub(crate) places: Vec<Span>,
    pub(crate) closed: Vec<Span>,
}

/// An edge that is new or cheaper, or has moved.
#[derive(Debug, Clone, Copy)]
pub(crate) struct OpenedEdge {
    pub(crate) from: Span,
    pub(crate) to: Span,
    pub(crate) cost: f64,
}

impl OpenedEdge {
    fn of(edge: &WaypointStep) -> Self {
        let [from, to] = [edge.from, edge.to].map(|end| Span::of_position(end.position));
        Self { from, to, cost: edge.cost }
    }

    /// Returns the rectangle around the edge.
    pub(crate) fn span(&self) -> Span {
        self.from.with(self.to)
    }
}

impl GraphChanges {
    /// Compares two states of a graph. Edges are matched by the names of their ends.
    pub(crate) fn between(before: &NavGraph, now: &NavGraph) -> Self {
        let mut changes = Self::default();
        if now.route_options().access_factor < before.route_options().access_factor
            || now.is_ready() != before.is_ready()
        {
            changes.places.push(Span::EVERYWHERE);
            return changes;
        }
        let (before, now) = (before.graph(), now.graph());
        let moved_or_new = |waypoint: &str| before.position(waypoint) != now.position(waypoint);
        let waypoints = now.waypoints().filter(|waypoint| moved_or_new(waypoint.id));
        changes.places = waypoints.map(|waypoint| Span::of_position(waypoint.position)).collect();
        changes.edges =
            now.edges().filter(|edge| may_help(before, edge)).map(|edge| OpenedEdge::of(&edge)).collect();
        if changes.places.len() + changes.edges.len() > MOST {
            let edges = std::mem::take(&mut changes.edges).into_iter().map(|edge| edge.span());
            changes.places =
                changes.places.iter().copied().chain(edges).reduce(Span::with).into_iter().collect();
        }
        let is_gone = |edge: &WaypointStep| now.edge(edge.from.id, edge.to.id).is_none();
        changes.closed = before.edges().filter(is_gone).map(|edge| OpenedEdge::of(&edge).span()).collect();
        if changes.closed.len() > MOST {
            changes.closed = changes.closed.iter().copied().reduce(Span::with).into_iter().collect();
        }
        changes
    }
}

/// Returns whether an edge is new or cheaper, or has moved.
fn may_help(before: &WaypointGraph, now: &WaypointStep) -> bool {
    before.edge(now.from.id, now.to.id).is_none_or(|before| {
        now.cost < before.cost
            || (now.from.position, now.to.position) != (before.from.position, before.to.position)
    })
}

/// Returns the least cost of a unit of length, at any place.
pub(crate) fn least_rate(graph: &NavGraph) -> f64 {
    let rates = graph.graph().edges().map(|edge| edge.edge.cost_factor);
    rates.fold(graph.route_options().access_factor, f64::min) * ROUNDING
}

#[cfg(test)]
mod tests {
    use tilepath::waypoint::WaypointEdge;

    use super::*;

    fn street() -> NavGraph {
        let mut street = WaypointGraph::new();
        for (id, x) in [("a", 0.0), ("b", 10.0), ("c", 20.0)] {
            street.add(id, (x, 0.0)).unwrap();
        }
        street.join("a", "b").unwrap();
        NavGraph::new(street)
    }

    fn changes(edit: impl FnOnce(&mut WaypointGraph)) -> (usize, usize) {
        let before = street();
        let mut now = before.clone();
        edit(now.graph_mut());
        let changes = GraphChanges::between(&before, &now);
        (changes.edges.len() + changes.places.len(), changes.closed.len())
    }

    #[test]
    fn edges_that_are_new_cheaper_or_elsewhere_are_openings_and_others_are_not() {
        assert_eq!(changes(|_| ()), (0, 0));
        assert_eq!(changes(|graph| _ = graph.join_one_way("b", "c").unwrap()), (1, 0));
        assert_eq!(changes(|graph| _ = graph.unjoin("a", "b").unwrap()), (0, 2));
        let guarded = WaypointEdge { cost_factor: 3.0, ..WaypointEdge::default() };
        assert_eq!(changes(|graph| graph.set_edge("a", "b", guarded).unwrap()), (0, 0));
        let paved = WaypointEdge { cost_factor: 0.5, ..WaypointEdge::default() };
        assert_eq!(changes(|graph| graph.set_edge("a", "b", paved).unwrap()), (1, 0));
        // The changes are two edges and the waypoint itself.
        assert_eq!(changes(|graph| graph.move_to("b", (10.0, 5.0)).unwrap()), (3, 0));
        assert_eq!(changes(|graph| graph.remove("b").unwrap()), (0, 2));
    }

    #[test]
    fn many_openings_are_one() {
        let many = |graph: &mut WaypointGraph| {
            for n in 0..=MOST {
                graph.add(n.to_string(), (n as f64, 5.0)).unwrap();
            }
        };
        assert_eq!(changes(many), (1, 0));
    }

    #[test]
    fn ground_beside_a_graph_may_be_the_cheapest() {
        assert!((least_rate(&street()) - 1.0).abs() < 1e-6);
        assert!((least_rate(&street().with_access_factor(0.25)) - 0.25).abs() < 1e-6);
    }
}

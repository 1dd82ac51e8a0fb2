//! Two waypoint graphs merged into one, compared with plain lists.

use crate::waypoints::{edited_graph, six_waypoints};
use proptest::prelude::*;
use testkit::EdgeList;
use tilepath::{
    graph::Position,
    waypoint::{WaypointEdge, WaypointError, WaypointGraph},
};

/// The content of a graph, with the key of its ids.
#[derive(Clone, PartialEq, Default, Debug)]
struct Lists {
    waypoints: Vec<(String, Position)>,
    edges: Vec<(String, String, WaypointEdge, f64)>,
}

impl Lists {
    fn add(&mut self, graph: &WaypointGraph, key: &str) {
        let id = |id: &str| format!("{id}{key}");
        self.waypoints.extend(graph.waypoints().map(|waypoint| (id(waypoint.id), waypoint.position)));
        self.edges.extend(graph.edges().map(|step| (id(step.from.id), id(step.to.id), step.edge, step.cost)));
    }

    fn edge_list(&self) -> EdgeList {
        let number = |id: &str| self.waypoints.iter().position(|(known, _)| known == id).unwrap();
        let edges = self.edges.iter().map(|(from, to, _, cost)| (number(from), number(to), *cost));
        EdgeList { node_count: self.waypoints.len(), edges: edges.collect() }
    }
}

proptest! {
    #[test]
    fn merged_graph_is_both_lists_one_after_the_other(one in edited_graph(), other in edited_graph()) {
        let mut lists = Lists::default();
        lists.add(&one, "");
        lists.add(&other, "'");
        let mut merged = one.clone();
        merged.merge(&other, "'").unwrap();
        let mut found = Lists::default();
        found.add(&merged, "");
        prop_assert_eq!(&found, &lists);
        prop_assert_eq!(merged.revision() == one.revision(), other.is_empty());

        // A bridge from the first waypoint of one graph to the last waypoint of the other. All
        // paths are compared, over the bridge or not.
        if let (Some(from), Some(to)) = (one.waypoints().next(), other.waypoints().last()) {
            let (from, to) = (from.id.to_owned(), format!("{}'", to.id));
            merged.join_one_way(&from, &to).unwrap();
            let bridge = merged.edge(&from, &to).unwrap();
            lists.edges.push((from, to, bridge.edge, bridge.cost));
        }
        let edges = lists.edge_list();
        for (start, (from, _)) in lists.waypoints.iter().enumerate() {
            for ((to, _), cost) in lists.waypoints.iter().zip(edges.costs_from(start)) {
                let found = merged.find(from, to).unwrap().map(|path| path.cost());
                prop_assert_eq!(found.is_some(), cost.is_some(), "{} to {}", from, to);
                let difference = found.unwrap_or_default() - cost.unwrap_or_default();
                prop_assert!(difference.abs() < 1e-9, "{} to {}: {:?}, {:?}", from, to, found, cost);
            }
        }
    }

    #[test]
    fn merged_graph_can_be_edited_like_any_other(one in edited_graph(), other in edited_graph()) {
        let mut merged = one.clone();
        merged.merge(&other, "'").unwrap();
        let ids: Vec<String> = merged.waypoints().map(|waypoint| waypoint.id.to_owned()).collect();
        // A third graph has the same content, added by hand from the last edge to the first.
        let mut by_hand = WaypointGraph::new();
        for waypoint in merged.waypoints() {
            by_hand.add(waypoint.id, waypoint.position).unwrap();
        }
        for step in merged.edges().collect::<Vec<_>>().into_iter().rev() {
            by_hand.join_one_way(step.from.id, step.to.id).unwrap();
            by_hand.set_edge(step.from.id, step.to.id, step.edge).unwrap();
        }
        prop_assert_eq!(&merged, &by_hand);
        for graph in [&mut merged, &mut by_hand] {
            for pair in ids.chunks_exact(2) {
                graph.join(&pair[1], &pair[0]).unwrap();
                graph.move_to(&pair[0], (0.5, 0.5)).unwrap();
            }
            if let Some(first) = ids.first() {
                graph.remove(first).unwrap();
            }
        }
        prop_assert_eq!(&merged, &by_hand);
    }
}

#[test]
fn collision_is_refused_and_changes_nothing() {
    let mut graph = six_waypoints();
    graph.add("n3b", (0.0, 0.0)).unwrap();
    let (before, revision) = (graph.clone(), graph.revision());
    for (key, id) in [("", "n1"), ("b", "n3b")] {
        let refused = graph.merge(&six_waypoints(), key);
        assert_eq!(refused, Err(WaypointError::MergeCollision { id: id.into(), key: key.into() }));
        assert_eq!((&graph, graph.revision()), (&before, revision));
    }
    graph.merge(&six_waypoints(), "c").unwrap();
    assert_eq!((graph.len(), graph.edge_count()), (13, 32));
}

#[test]
fn empty_key_merges_graphs_that_share_no_id() {
    let mut graph = six_waypoints();
    let mut other = WaypointGraph::new();
    other.add("well", (0.0, 0.0)).unwrap();
    graph.merge(&other, "").unwrap();
    assert!(graph.contains("well") && graph.contains("n6"));
}

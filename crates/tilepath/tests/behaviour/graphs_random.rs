//! Random graphs with random edits.
//!
//! The tests compare each answer with an oracle, and with a graph that was never edited.

use proptest::prelude::*;
use testkit::EdgeList;
use tilepath::{
    SearchStatus,
    graph::{Graph, GraphAlgorithm, NodeId},
    search::Step,
};

use crate::graphs::{ALGORITHMS, is_close, numbers};

/// A random edit, for a graph and for the oracle.
#[derive(Clone, Debug)]
enum Edit {
    AddPlaced(f64, f64),
    AddUnplaced,
    Remove(usize),
    Move(usize, f64, f64),
    Join(usize, usize),
    Edge(usize, usize, f64),
    Unjoin(usize, usize),
    SetCost(usize, usize, f64),
}

fn edit() -> impl Strategy<Value = Edit> {
    let node = || 0..14_usize;
    let place = || (0..=40_i32).prop_map(|number| f64::from(number) / 4.0);
    // Zero, small numbers that make ties, and numbers whose sums are rounded.
    let cost = || prop_oneof![1 => Just(0.0), 8 => (1..=20_i32).prop_map(f64::from), 4 => 0.1..30.0_f64];
    prop_oneof![
        6 => (place(), place()).prop_map(|(x, y)| Edit::AddPlaced(x, y)),
        1 => Just(Edit::AddUnplaced),
        1 => node().prop_map(Edit::Remove),
        3 => (node(), place(), place()).prop_map(|(node, x, y)| Edit::Move(node, x, y)),
        9 => (node(), node()).prop_map(|(from, to)| Edit::Join(from, to)),
        6 => (node(), node(), cost()).prop_map(|(from, to, cost)| Edit::Edge(from, to, cost)),
        2 => (node(), node()).prop_map(|(from, to)| Edit::Unjoin(from, to)),
        2 => (node(), node(), cost()).prop_map(|(from, to, cost)| Edit::SetCost(from, to, cost)),
    ]
}

/// Makes the edit. It may fail.
fn apply(graph: &mut Graph, edit: &Edit) {
    let id = |index: usize| NodeId::new(index as u32);
    let _ = match *edit {
        Edit::AddPlaced(x, y) => graph.add_node_at(x, y).map(|_| ()),
        Edit::AddUnplaced => graph.add_node().map(|_| ()),
        Edit::Remove(node) => graph.remove_node(id(node)),
        Edit::Move(node, x, y) => graph.move_node(id(node), x, y),
        Edit::Join(from, to) => graph.add_edge_by_distance(id(from), id(to)),
        Edit::Edge(from, to, cost) => graph.add_edge(id(from), id(to), cost),
        Edit::Unjoin(from, to) => graph.remove_edge(id(from), id(to)),
        Edit::SetCost(from, to, cost) => graph.set_edge_cost(id(from), id(to), cost),
    };
}

fn edge_list(graph: &Graph) -> EdgeList {
    let edges = graph.edges().map(|(from, to, cost)| (from.index(), to.index(), cost)).collect();
    EdgeList { node_count: graph.nodes().map(|node| node.index() + 1).max().unwrap_or(0), edges }
}

/// Returns a graph with the same ids, without edits and earlier queries.
fn rebuilt(graph: &Graph) -> Graph {
    let mut fresh = Graph::new();
    let count = graph.nodes().map(|node| node.index() + 1).max().unwrap_or(0);
    let ids: Vec<NodeId> = (0..count)
        .map(|index| match graph.position(NodeId::new(index as u32)) {
            Some(place) => fresh.add_node_at(place.x, place.y).unwrap(),
            None => fresh.add_node().unwrap(),
        })
        .collect();
    for (from, to, cost) in graph.edges() {
        fresh.add_edge(from, to, cost).unwrap();
    }
    for id in ids {
        if !graph.contains(id) {
            fresh.remove_node(id).unwrap();
        }
    }
    fresh
}

proptest! {
    #[test]
    fn cheapest_ways_cost_what_the_oracle_says_after_any_edits(edits in prop::collection::vec(edit(), 1..70)) {
        let mut graph = Graph::new();
        for (number, edit) in edits.iter().enumerate() {
            apply(&mut graph, edit);
            if number % 9 != 8 && number + 1 != edits.len() {
                continue;
            }
            let list = edge_list(&graph);
            let fresh = rebuilt(&graph);
            for from in graph.nodes() {
                let costs = list.costs_from(from.index());
                let tree = graph.shortest_path_tree(from).unwrap();
                for to in graph.nodes() {
                    let expected = costs[to.index()];
                    prop_assert_eq!(tree.distance(to).is_some(), expected.is_some());
                    for algorithm in ALGORITHMS {
                        let answer = graph.solve(from, to, algorithm).unwrap();
                        prop_assert_eq!(&answer, &fresh.solve(from, to, algorithm).unwrap());
                        prop_assert_eq!(answer.path.is_some(), expected.is_some());
                        let Some(path) = answer.path else { continue };
                        prop_assert_eq!((path.nodes[0], *path.nodes.last().unwrap()), (from, to));
                        prop_assert_eq!(list.cost_along(&numbers(&path)), Some(path.cost));
                        if matches!(algorithm, GraphAlgorithm::AStar | GraphAlgorithm::Dijkstra) {
                            prop_assert!(is_close(path.cost, expected.unwrap()));
                        }
                    }
                    if let Some(path) = tree.path_to(to) {
                        prop_assert!(is_close(path.cost, expected.unwrap()));
                        prop_assert_eq!(list.cost_along(&numbers(&path)), Some(path.cost));
                    }
                }
            }
        }
    }

    #[test]
    fn the_nearest_target_is_the_best_of_single_questions(
        edits in prop::collection::vec(edit(), 1..70),
        picks in prop::collection::vec(0..20_usize, 0..6),
    ) {
        let mut graph = Graph::new();
        for edit in &edits {
            apply(&mut graph, edit);
        }
        let ids: Vec<NodeId> = graph.nodes().collect();
        let targets: Vec<NodeId> = picks.iter().filter_map(|&pick| ids.get(pick).copied()).collect();
        for &from in &ids {
            let tree = graph.shortest_path_tree(from).unwrap();
            let mut best: Option<(usize, f64)> = None;
            for (index, &target) in targets.iter().enumerate() {
                if let Some(distance) = tree.distance(target)
                    && best.is_none_or(|(_, nearest)| distance < nearest)
                {
                    best = Some((index, distance));
                }
            }
            let nearest = graph.nearest(from, &targets).unwrap();
            prop_assert_eq!(nearest.as_ref().map(|nearest| (nearest.index, nearest.path.cost)), best);
            if let Some(nearest) = nearest {
                prop_assert_eq!(nearest.path.nodes.last(), Some(&targets[nearest.index]));
                prop_assert_eq!(edge_list(&graph).cost_along(&numbers(&nearest.path)), Some(nearest.path.cost));
            }
        }
    }

    #[test]
    fn slices_and_steps_give_the_answer_of_one_run(
        edits in prop::collection::vec(edit(), 20..60),
        slice in 1..5_u64,
    ) {
        let mut graph = Graph::new();
        for edit in &edits {
            apply(&mut graph, edit);
        }
        let ids: Vec<NodeId> = graph.nodes().collect();
        for (&from, &to) in ids.iter().zip(ids.iter().rev()) {
            for algorithm in ALGORITHMS {
                let whole = graph.solve(from, to, algorithm).unwrap();
                let mut sliced = graph.begin(from, to, algorithm).unwrap();
                while sliced.advance(slice) == SearchStatus::Running {}
                prop_assert_eq!(&sliced.finish().unwrap(), &whole);

                let mut stepped = graph.begin(from, to, algorithm).unwrap();
                let mut visited = Vec::new();
                loop {
                    let step = stepped.step();
                    visited.extend_from_slice(stepped.edges_of_last_step());
                    match step {
                        Step::Expanded(_) => {}
                        Step::Reached(node) => {
                            prop_assert_eq!(node, to);
                            break;
                        }
                        _ => {
                            prop_assert_eq!(step, Step::Exhausted);
                            prop_assert!(whole.path.is_none());
                            break;
                        }
                    }
                }
                prop_assert_eq!(&visited, &whole.visited_edges);
                prop_assert_eq!(&stepped.finish().unwrap(), &whole);
            }
        }
    }
}

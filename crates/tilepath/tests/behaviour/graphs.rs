//! Graphs: known answers, edits, errors.

use tilepath::{
    SearchStatus,
    graph::{
        Graph, GraphAlgorithm, GraphError, GraphPath, GraphSearch, GridNeighbours, NodeId, ShortestPathTree,
    },
    search::CostFault,
};

pub(crate) const ALGORITHMS: [GraphAlgorithm; 5] = [
    GraphAlgorithm::AStar,
    GraphAlgorithm::Dijkstra,
    GraphAlgorithm::BreadthFirst,
    GraphAlgorithm::DepthFirst,
    GraphAlgorithm::Greedy,
];

/// Returns six nodes and thirteen one-way edges. The cost of an edge is its length.
fn six_nodes() -> (Graph, [NodeId; 6]) {
    let mut graph = Graph::new();
    let places = [(110., 20.), (80., 50.), (300., 200.), (180., 250.), (380., 380.), (500., 200.)];
    let ids = places.map(|(x, y)| graph.add_node_at(x, y).unwrap());
    let edges = "01 05 03 12 10 14 21 25 31 35 40 45 52 53";
    for edge in edges.split(' ') {
        let [from, to] = [0, 1].map(|place| ids[usize::from(edge.as_bytes()[place] - b'0')]);
        graph.add_edge_by_distance(from, to).unwrap();
    }
    (graph, ids)
}

/// Returns whether the costs are equal, except for the rounding of a sum.
pub(crate) fn is_close(cost: f64, expected: f64) -> bool {
    (cost - expected).abs() <= 1e-12 * expected.max(1.0)
}

fn path_of(graph: &Graph, from: NodeId, to: NodeId) -> (Vec<NodeId>, f64) {
    let path = graph.find(from, to).unwrap().unwrap();
    (path.nodes, path.cost)
}

pub(crate) fn numbers(path: &GraphPath) -> Vec<usize> {
    path.nodes.iter().map(|node| node.index()).collect()
}

#[test]
fn six_nodes_give_the_known_answers_by_both_exact_algorithms() {
    let (graph, ids) = six_nodes();
    for (from, to, nodes, cost) in [
        (0, 4, vec![0, 1, 4], 488.408),
        (4, 2, vec![4, 5, 2], 416.333),
        (2, 4, vec![2, 1, 4], 712.253),
        (3, 0, vec![3, 1, 0], 266.033),
    ] {
        for algorithm in [GraphAlgorithm::AStar, GraphAlgorithm::Dijkstra] {
            let path = graph.solve(ids[from], ids[to], algorithm).unwrap().path.unwrap();
            assert_eq!(numbers(&path), nodes, "{algorithm:?}");
            assert!((path.cost - cost).abs() < 0.0006, "{algorithm:?}: {} is not {cost}", path.cost);
            assert_eq!(graph.shortest_path_tree(ids[from]).unwrap().path_to(ids[to]), Some(path));
        }
    }
}

#[test]
fn every_visited_edge_is_reported_in_order() {
    let (graph, ids) = six_nodes();
    let answer = graph.solve(ids[0], ids[4], GraphAlgorithm::Dijkstra).unwrap();
    let visited: Vec<_> = answer.visited_edges.iter().map(|(from, to)| (from.index(), to.index())).collect();
    // The costs from 0: node 1 at 42.4, node 3 at 240.4, node 2 at 308.0, node 5 at 429.5. Edges
    // come node by node, in the order in which they were added.
    let expected =
        [(0, 1), (0, 5), (0, 3), (1, 2), (1, 0), (1, 4), (3, 1), (3, 5), (2, 1), (2, 5), (5, 2), (5, 3)];
    assert_eq!(visited, expected);
    assert_eq!(answer.expanded, 5);
}

#[test]
fn the_tree_reaches_every_node_by_an_edge_from_its_predecessor() {
    let (graph, ids) = six_nodes();
    let tree = graph.shortest_path_tree(ids[3]).unwrap();
    assert_eq!((tree.start(), tree.predecessor(ids[3]), tree.distance(ids[3])), (ids[3], None, Some(0.0)));
    assert_eq!(tree.edges().count(), 5);
    for (from, to) in tree.edges() {
        let along = tree.distance(from).unwrap() + graph.edge_cost(from, to).unwrap();
        assert_eq!(tree.distance(to), Some(along));
    }
    assert_eq!(tree.distances().collect::<Vec<_>>(), graph.distances(ids[3]).unwrap());
}

#[test]
fn start_and_goal_in_one_is_a_way_of_one_node() {
    let (graph, ids) = six_nodes();
    for algorithm in ALGORITHMS {
        let path = graph.solve(ids[2], ids[2], algorithm).unwrap().path.unwrap();
        assert_eq!((path.nodes, path.cost), (vec![ids[2]], 0.0));
    }
}

#[test]
fn breadth_first_takes_the_fewest_edges_and_depth_first_the_first_ones() {
    let mut graph = Graph::new();
    let [a, b, c, d] = [(); 4].map(|()| graph.add_node().unwrap());
    for (from, to, cost) in [(a, b, 1.0), (b, c, 1.0), (c, d, 1.0), (a, d, 9.0), (b, d, 1.0)] {
        graph.add_edge(from, to, cost).unwrap();
    }
    let nodes = |algorithm| graph.solve(a, d, algorithm).unwrap().path.unwrap().nodes;
    assert_eq!(nodes(GraphAlgorithm::BreadthFirst), [a, d]);
    assert_eq!(nodes(GraphAlgorithm::DepthFirst), [a, b, c, d]);
    assert_eq!(nodes(GraphAlgorithm::Dijkstra), [a, b, d]);
}

#[test]
fn edits_that_make_no_sense_are_refused_by_name_and_change_nothing() {
    let (mut graph, ids) = six_nodes();
    let before: Vec<_> = graph.edges().collect();
    let (from, to) = (ids[0], ids[1]);
    let stranger = NodeId::new(6);
    let fault = |fault| Err(GraphError::InvalidCost { from, to: ids[2], fault });
    assert_eq!(graph.add_edge(from, to, 1.0), Err(GraphError::DuplicateEdge { from, to }));
    assert_eq!(graph.add_edge(from, stranger, 1.0), Err(GraphError::UnknownNode { node: stranger }));
    assert_eq!(graph.add_edge(stranger, from, 1.0), Err(GraphError::UnknownNode { node: stranger }));
    assert_eq!(graph.add_edge(from, ids[2], f64::NAN), fault(CostFault::NotANumber));
    assert_eq!(graph.add_edge(from, ids[2], -1.0), fault(CostFault::Negative));
    assert_eq!(graph.add_edge(from, ids[2], f64::INFINITY), fault(CostFault::Infinite));
    assert_eq!(graph.set_edge_cost(from, ids[2], 1.0), Err(GraphError::MissingEdge { from, to: ids[2] }));
    assert_eq!(graph.remove_edge(from, ids[2]), Err(GraphError::MissingEdge { from, to: ids[2] }));
    assert_eq!(graph.remove_node(stranger), Err(GraphError::UnknownNode { node: stranger }));
    assert!(matches!(graph.add_node_at(f64::NAN, 0.0), Err(GraphError::InvalidPosition { .. })));
    assert!(matches!(graph.move_node(from, 0.0, f64::INFINITY), Err(GraphError::InvalidPosition { .. })));
    assert_eq!(graph.find(from, stranger), Err(GraphError::UnknownNode { node: stranger }));
    assert_eq!(graph.shortest_path_tree(stranger), Err(GraphError::UnknownNode { node: stranger }));
    assert_eq!(graph.edges().collect::<Vec<_>>(), before);
    assert_eq!((graph.node_count(), graph.edge_count()), (6, 14));

    let unplaced = graph.add_node().unwrap();
    assert_eq!(graph.add_edge_by_distance(from, unplaced), Err(GraphError::NoPosition { node: unplaced }));
}

#[test]
fn errors_say_what_to_do() {
    let (mut graph, ids) = six_nodes();
    assert_eq!(
        graph.add_edge(ids[0], ids[2], -3.0).unwrap_err().to_string(),
        "the cost of the edge from 0 to 2 is negative: give a number that is zero or more"
    );
    assert_eq!(
        graph.add_edge(ids[0], NodeId::new(9), 1.0).unwrap_err().to_string(),
        "the graph has no node 9: add it first, or ask `contains`"
    );
}

#[test]
fn a_removed_node_takes_its_edges_along_and_its_id_is_not_given_again() {
    let (mut graph, ids) = six_nodes();
    graph.remove_node(ids[1]).unwrap();
    assert!(!graph.contains(ids[1]));
    assert_eq!((graph.node_count(), graph.edge_count()), (5, 8));
    assert!(graph.edges().all(|(from, to, _)| from != ids[1] && to != ids[1]));
    assert_eq!(graph.find(ids[3], ids[0]).unwrap(), None);
    assert_eq!(graph.add_node_at(80., 50.).unwrap().index(), 6);
    graph.clear();
    assert_eq!((graph.node_count(), graph.edge_count(), graph.nodes().count()), (0, 0, 0));
    assert_eq!(graph.add_node().unwrap().index(), 0);
}

#[test]
fn an_edge_from_a_node_to_itself_is_an_edge_that_no_way_uses() {
    let (mut graph, ids) = six_nodes();
    let before = graph.find(ids[0], ids[4]).unwrap();
    graph.add_edge(ids[0], ids[0], 0.0).unwrap();
    assert_eq!(graph.edge_cost(ids[0], ids[0]), Some(0.0));
    assert_eq!(graph.find(ids[0], ids[4]).unwrap(), before);
    graph.remove_node(ids[0]).unwrap();
    assert_eq!(graph.edge_count(), 14 + 1 - 6);
}

#[test]
fn costs_too_large_to_add_up_are_an_error_that_names_the_edge() {
    let mut graph = Graph::new();
    let [a, b, c] = [(); 3].map(|()| graph.add_node().unwrap());
    graph.add_edge(a, b, f64::MAX).unwrap();
    graph.add_edge(b, c, f64::MAX).unwrap();
    let overflow = GraphError::CostOverflow { from: b, to: c };
    assert_eq!(graph.find(a, c), Err(overflow));
    assert_eq!(graph.shortest_path_tree(a), Err(overflow));
    assert_eq!(path_of(&graph, a, b), (vec![a, b], f64::MAX));
    graph.add_edge(a, c, 1.0).unwrap(); // a second path: the overflow of the first does not matter
    assert_eq!(path_of(&graph, a, c), (vec![a, c], 1.0));
    assert_eq!(graph.shortest_path_tree(a).unwrap().distance(c), Some(1.0));
}

#[test]
fn a_node_without_a_position_may_be_a_short_cut() {
    let mut graph = Graph::new();
    let [a, b, c] = [0.0, 10.0, 20.0].map(|x| graph.add_node_at(x, 0.0).unwrap());
    graph.add_edge_by_distance(a, b).unwrap();
    graph.add_edge_by_distance(b, c).unwrap();
    let portal = graph.add_node().unwrap();
    graph.add_edge(a, portal, 9.0).unwrap();
    graph.add_edge(portal, c, 9.0).unwrap();
    assert_eq!(path_of(&graph, a, c), (vec![a, portal, c], 18.0));
}

#[test]
fn a_search_under_way_goes_on_with_the_graph_as_it_was() {
    let (mut graph, ids) = six_nodes();
    let expected = graph.solve(ids[0], ids[4], GraphAlgorithm::AStar).unwrap();
    let mut search = graph.begin(ids[0], ids[4], GraphAlgorithm::AStar).unwrap();
    assert_eq!(search.advance(1), SearchStatus::Running);
    graph.remove_node(ids[1]).unwrap();
    assert_eq!(search.finish().unwrap(), expected);
    assert_ne!(graph.solve(ids[0], ids[4], GraphAlgorithm::AStar).unwrap(), expected);
}

#[test]
fn a_grid_of_seven_by_seven_fills_its_area() {
    let eight = Graph::grid(7, 7, 550.0, 400.0, GridNeighbours::Eight).unwrap();
    let four = Graph::grid(7, 7, 550.0, 400.0, GridNeighbours::Four).unwrap();
    assert_eq!((eight.node_count(), eight.edge_count()), (49, 312));
    assert_eq!((four.node_count(), four.edge_count()), (49, 168));
    let (column, row) = (550.0_f64 / 7.0, 400.0_f64 / 7.0);
    let corners = [NodeId::new(0), NodeId::new(48)];
    for (graph, expected) in [(&eight, 6.0 * column.hypot(row)), (&four, 6.0 * (column + row))] {
        let cost = graph.find(corners[0], corners[1]).unwrap().unwrap().cost;
        assert!(is_close(cost, expected), "{cost} is not {expected}");
    }
    let to_the_right = eight.edges_from(NodeId::new(8)).find(|(to, _)| to.index() == 9).unwrap();
    assert!(is_close(to_the_right.1, column));
}

#[test]
fn a_grid_of_odd_size_is_small_or_refused() {
    let grid =
        |columns, rows, width, height| Graph::grid(columns, rows, width, height, GridNeighbours::Eight);
    assert_eq!(grid(0, 9, 1.0, 1.0).unwrap().node_count(), 0);
    assert_eq!(grid(1, 1, 0.0, 0.0).unwrap().edge_count(), 0);
    assert_eq!(grid(3, 1, 9.0, 1.0).unwrap().edge_count(), 4);
    assert!(matches!(grid(u32::MAX, u32::MAX, 1.0, 1.0), Err(GraphError::TooManyNodes { .. })));
    for (width, height) in [(f64::NAN, 1.0), (1.0, -1.0), (f64::INFINITY, 1.0)] {
        assert!(matches!(grid(2, 2, width, height), Err(GraphError::InvalidPosition { .. })));
    }
    assert!(matches!(grid(2, 2, f64::MAX, 1.0), Err(GraphError::InvalidCost { .. })));
}

#[test]
fn first_of_equally_near_targets_is_taken() {
    let graph = Graph::grid(5, 5, 5.0, 5.0, GridNeighbours::Four).unwrap();
    let node = NodeId::new;
    for targets in
        [[node(11), node(13), node(7)], [node(7), node(11), node(13)], [node(13), node(13), node(7)]]
    {
        let nearest = graph.nearest(node(12), &targets).unwrap().unwrap();
        assert_eq!((nearest.index, nearest.path.nodes), (0, vec![node(12), targets[0]]));
    }
    assert_eq!(graph.nearest(node(12), &[]).unwrap(), None);
    let here = graph.nearest(node(12), &[node(7), node(12)]).unwrap().unwrap();
    assert_eq!((here.index, here.path.cost), (1, 0.0));
    let stranger = node(25);
    assert_eq!(graph.nearest(node(12), &[stranger]), Err(GraphError::UnknownNode { node: stranger }));
    assert_eq!(graph.nearest(stranger, &[]), Err(GraphError::UnknownNode { node: stranger }));
}

#[test]
fn the_straight_line_leads_to_the_goal_whatever_a_unit_of_length_costs() {
    for scale in [1e-3, 1.0, 1e6] {
        let plan = Graph::grid(21, 21, 21.0, 21.0, GridNeighbours::Eight).unwrap();
        let mut graph = plan.clone();
        for (from, to, length) in plan.edges() {
            graph.set_edge_cost(from, to, length * scale).unwrap();
        }
        let [led, blind] = [GraphAlgorithm::AStar, GraphAlgorithm::Dijkstra]
            .map(|algorithm| graph.solve(NodeId::new(220), NodeId::new(230), algorithm).unwrap());
        assert_eq!(led.path.map(|path| path.nodes), blind.path.map(|path| path.nodes));
        assert_eq!(led.expanded, 10, "the search goes straight to the goal");
        assert!(blind.expanded > 200, "in circles: {}", blind.expanded);
    }
}

#[test]
fn graphs_and_searches_can_be_kept_in_components_and_sent_to_threads() {
    fn can_be_shared<T: Send + Sync + 'static>() {}
    can_be_shared::<Graph>();
    can_be_shared::<GraphSearch>();
    can_be_shared::<ShortestPathTree>();
}

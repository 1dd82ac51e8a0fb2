//! The graph: nodes, edges and the two ends of the query.

use tilepath::{
    graph::{Graph, GridNeighbours, NodeId},
    waypoint::WaypointGraph,
};

use crate::settings::Net;

const SIX: &str = include_str!("../../assets/waypoints/tutorial.xml");
const TOWN: &str = include_str!("../../assets/waypoints/town.waypoints.xml");

/// The size of the tutorial's grid of nodes, in units.
const WIDTH: f64 = 550.0;
const HEIGHT: f64 = 400.0;
const NODES: u32 = 7;

/// The graph with the start and goal of the query.
#[derive(Clone)]
pub(crate) struct Network {
    pub(crate) graph: Graph,
    /// The names of the nodes that have one.
    names: Option<WaypointGraph>,
    pub(crate) start: NodeId,
    pub(crate) goal: Option<NodeId>,
    /// True if y points up on the board, as in a Bevy world; false if it points down, as on a
    /// screen.
    pub(crate) is_y_up: bool,
}

impl Network {
    /// Returns one of the built-in graphs.
    pub(crate) fn of_net(net: Net) -> Self {
        let known = |text, is_y_up| {
            let graph =
                WaypointGraph::from_xml(text).expect("the graphs of the program are sound, as a test says");
            Self::of(graph, is_y_up).expect("the graphs of the program have nodes")
        };
        match net {
            Net::Squares | Net::Given => Self::tutorial(),
            Net::Six => known(SIX, false),
            // Its positions are places of a Bevy world.
            Net::Town => known(TOWN, true),
        }
    }

    /// Returns the tutorial's 7 × 7 nodes, with its query from node 24, in the middle, to node 35,
    /// at the left.
    pub(crate) fn tutorial() -> Self {
        let graph = Graph::grid(NODES, NODES, WIDTH, HEIGHT, GridNeighbours::Eight)
            .expect("a small grid of nodes can be made");
        Self { graph, names: None, start: NodeId::new(24), goal: Some(NodeId::new(35)), is_y_up: true }
    }

    /// Returns the graph of a file, from its first node to its last, or `None` if it has no node.
    pub(crate) fn of(waypoints: WaypointGraph, is_y_up: bool) -> Option<Self> {
        let graph = waypoints.graph().clone();
        let start = graph.nodes().next()?;
        let goal = graph.nodes().last().filter(|&goal| goal != start);
        Some(Self { graph, names: Some(waypoints), start, goal, is_y_up })
    }

    /// Returns the name of a node.
    pub(crate) fn name(&self, node: NodeId) -> String {
        let own = self.names.as_ref().and_then(|waypoints| waypoints.id(node)).map(str::to_owned);
        own.unwrap_or_else(|| node.index().to_string())
    }

    /// Handles a click on a node: the first click sets the start, the second the goal.
    pub(crate) fn pick(&mut self, node: NodeId) {
        match self.goal {
            None if node != self.start => self.goal = Some(node),
            None => {}
            Some(_) => (self.start, self.goal) = (node, None),
        }
    }

    /// Makes the next node the start or the goal, for the keyboard.
    pub(crate) fn turn_end(&mut self, is_start: bool, forward: bool) {
        let nodes: Vec<NodeId> = self.graph.nodes().collect();
        let end = if is_start { self.start } else { self.goal.unwrap_or(self.start) };
        let other = if is_start { self.goal } else { Some(self.start) };
        let Some(now) = nodes.iter().position(|&node| node == end) else { return };
        let step = if forward { 1 } else { nodes.len() - 1 };
        let next = (1..=nodes.len())
            .map(|turn| nodes[(now + turn * step) % nodes.len()])
            .find(|&node| Some(node) != other);
        match next {
            Some(node) if is_start => self.start = node,
            next => self.goal = next.or(self.goal),
        }
    }

    /// Returns two corners of the rectangle around all nodes.
    pub(crate) fn extent(&self) -> [(f64, f64); 2] {
        let places = || self.graph.nodes().filter_map(|node| self.graph.position(node));
        let least =
            |value: fn(tilepath::graph::Position) -> f64| places().map(value).fold(f64::INFINITY, f64::min);
        let most = |value: fn(tilepath::graph::Position) -> f64| {
            places().map(value).fold(f64::NEG_INFINITY, f64::max)
        };
        [(least(|place| place.x), least(|place| place.y)), (most(|place| place.x), most(|place| place.y))]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_graph_of_the_program_has_two_ends_and_names() {
        for (net, start, goal) in [(Net::Squares, "24", "35"), (Net::Six, "n1", "n6")] {
            let network = Network::of_net(net);
            assert_eq!(network.name(network.start), start);
            assert_eq!(network.goal.map(|goal| network.name(goal)).as_deref(), Some(goal));
        }
        assert!(Network::of_net(Net::Town).graph.node_count() > 10);
    }

    #[test]
    fn one_click_names_the_start_and_the_next_the_goal() {
        let mut network = Network::tutorial();
        let [a, b] = [3, 40].map(NodeId::new);
        network.pick(a);
        assert_eq!((network.start, network.goal), (a, None));
        network.pick(a);
        assert_eq!(network.goal, None, "a way to the same node is none");
        network.pick(b);
        assert_eq!((network.start, network.goal), (a, Some(b)));
        network.pick(b);
        assert_eq!((network.start, network.goal), (b, None));
    }

    #[test]
    fn keyboard_reaches_every_pair_of_ends() {
        let mut network = Network::tutorial();
        network.pick(NodeId::new(0));
        network.turn_end(false, true);
        assert_eq!(network.goal, Some(NodeId::new(1)));
        network.turn_end(true, false);
        assert_eq!(network.start, NodeId::new(48));
        network.turn_end(true, true);
        network.turn_end(true, true);
        assert_eq!(network.start, NodeId::new(2), "the goal is passed over");
    }
}

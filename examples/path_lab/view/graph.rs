//! The graph at one step of its search.

use std::collections::HashSet;

use bevy::prelude::*;
use tilepath::{graph::NodeId, search::Step};

use super::{BOARD, Sheet};
use crate::{
    lab::Lab,
    network::Network,
    palette,
    run::{GraphRun, Run},
};

/// The radius of a node in world units; smaller where nodes lie close together.
const RADIUS: f32 = 2.2;
const LEAST_RADIUS: f32 = 0.8;
/// Free board around the nodes.
const MARGIN: f32 = 6.0;
/// The greatest distance from a click to its node, in world units.
const REACH: f32 = 3.5;
/// The least zoom at which costs are written below nodes.
const COSTS_FROM: f32 = 3.0;
/// The widths of edges, in screen pixels: each half as wide again as the one before, or more.
mod width {
    pub(super) const EDGE: f32 = 1.5;
    pub(super) const VISITED: f32 = 2.5;
    pub(super) const TREE: f32 = 4.0;
    pub(super) const CURRENT: f32 = 6.0;
    pub(super) const PATH: f32 = 9.0;
}
/// The width and height of a letter, as parts of its font size.
const LETTER: Vec2 = Vec2::new(0.6, 1.2);

/// The places of nodes on the board.
pub(crate) struct GraphPlace {
    /// Board units for one unit of the graph. The scale of y is negative if y points down.
    scale: Vec2,
    offset: Vec2,
}

impl GraphPlace {
    pub(crate) fn new(network: &Network) -> Self {
        let [least, most] = network.extent().map(|(x, y)| Vec2::new(x as f32, y as f32));
        let size = (most - least).max(Vec2::splat(1e-3));
        let room = BOARD - 2.0 * MARGIN;
        let up = if network.is_y_up { 1.0 } else { -1.0 };
        let scale = (room / size).min_element() * Vec2::new(1.0, up);
        Self { scale, offset: BOARD / 2.0 - (least + most) / 2.0 * scale }
    }

    /// Returns the place of a node, or `None` if it has no position. Such a node is not drawn.
    fn of(&self, network: &Network, node: NodeId) -> Option<Vec2> {
        let place = network.graph.position(node)?;
        Some(Vec2::new(place.x as f32, place.y as f32) * self.scale + self.offset)
    }

    /// Returns the node at a place of the board.
    pub(crate) fn node_at(&self, network: &Network, at: Vec2) -> Option<NodeId> {
        let near = |node| Some((node, self.of(network, node)?.distance(at)));
        let nearest = network.graph.nodes().filter_map(near).min_by(|a, b| a.1.total_cmp(&b.1));
        nearest.filter(|&(_, distance)| distance <= REACH).map(|(node, _)| node)
    }

    /// Returns a radius at which few nodes overlap: 0.3 times a short distance to a neighbour.
    fn radius(&self, network: &Network) -> f32 {
        let mut lengths: Vec<f32> = network
            .graph
            .edges()
            .filter_map(|(from, to, _)| Some(self.of(network, from)?.distance(self.of(network, to)?)))
            .collect();
        lengths.sort_by(f32::total_cmp);
        lengths.get(lengths.len() / 4).map_or(RADIUS, |length| (length * 0.3).clamp(LEAST_RADIUS, RADIUS))
    }
}

pub(super) fn draw(lab: &Lab, run: &Run, sheet: &mut Sheet) {
    let network = lab.network();
    let place = GraphPlace::new(network);
    let at = |node| place.of(network, node);
    sheet.ink.rectangle(BOARD / 2.0, BOARD + 12.0 / sheet.zoom, palette::WALL);
    sheet.ink.rectangle(BOARD / 2.0, BOARD, palette::PAPER);
    let pixel = 1.0 / sheet.zoom;
    let mut edge = |from, to, pixels: f32, colour| {
        if let (Some(from), Some(to)) = (at(from), at(to)) {
            sheet.ink.line(from, to, pixels * pixel, colour);
        }
    };
    for (from, to, _) in network.graph.edges() {
        edge(from, to, width::EDGE, palette::EDGE);
    }
    let run = match run {
        Run::Graph(run) => Some(&**run),
        _ => None,
    };
    if let Some(run) = run {
        for &(from, to) in run.search().visited_edges() {
            edge(from, to, width::VISITED, palette::VISITED);
        }
        for (from, to) in run.search().tree().edges() {
            edge(from, to, width::TREE, palette::TREE);
        }
        if !run.is_over() {
            for &(from, to) in run.search().edges_of_last_step() {
                edge(from, to, width::CURRENT, palette::CURRENT);
            }
        }
        if let Some(path) = run.path() {
            let points: Vec<Vec2> = path.nodes.iter().filter_map(|&node| at(node)).collect();
            sheet.ink.polyline(&points, (width::PATH + 3.0) * pixel, palette::INK);
            sheet.ink.polyline(&points, width::PATH * pixel, palette::PATH);
        }
    }
    draw_arrows(network, &place, sheet);
    draw_nodes(lab, run, &place, sheet);
}

/// Returns the edges without an edge back.
fn one_way_edges(network: &Network) -> impl Iterator<Item = (NodeId, NodeId)> {
    let all: HashSet<(NodeId, NodeId)> = network.graph.edges().map(|(from, to, _)| (from, to)).collect();
    network
        .graph
        .edges()
        .map(|(from, to, _)| (from, to))
        .filter(move |&(from, to)| !all.contains(&(to, from)))
}

/// Draws an arrowhead in the middle of each one-way edge.
fn draw_arrows(network: &Network, place: &GraphPlace, sheet: &mut Sheet) {
    /// Half the length of the head, in screen pixels.
    const SIZE: f32 = 8.0;

    for (from, to) in one_way_edges(network) {
        let (Some(from), Some(to)) = (place.of(network, from), place.of(network, to)) else { continue };
        let ahead = (to - from).normalize_or_zero() * SIZE / sheet.zoom;
        let (middle, side) = (from.midpoint(to), ahead.perp());
        for (grown, colour) in [(1.5, palette::PAPER), (1.0, palette::ONE_WAY)] {
            let head = [ahead, side * 0.7 - ahead, -side * 0.7 - ahead];
            sheet.ink.polygon(head.map(|corner| middle + corner * grown), colour);
        }
    }
}

fn draw_nodes(lab: &Lab, run: Option<&GraphRun>, place: &GraphPlace, sheet: &mut Sheet) {
    let network = lab.network();
    let current = run.and_then(|run| match run.last() {
        Some(Step::Expanded(node)) if !run.is_over() => Some(node),
        _ => None,
    });
    let found_nothing = run.is_some_and(|run| run.last() == Some(Step::Exhausted));
    let expanded: HashSet<NodeId> = run.map_or_else(HashSet::new, |run| {
        run.search().visited_edges().iter().map(|&(from, _)| from).collect()
    });
    let radius = place.radius(network);
    for node in network.graph.nodes() {
        let Some(at) = place.of(network, node) else { continue };
        let cost = run.and_then(|run| run.search().distance(node));
        let end = if node == network.start {
            Some(palette::START)
        } else if Some(node) == network.goal {
            Some(palette::GOAL)
        } else {
            None
        };
        let colour = if let Some(end) = end {
            end
        } else if current == Some(node) {
            palette::CURRENT
        } else if expanded.contains(&node) {
            if found_nothing { palette::NO_PATH } else { palette::EXPANDED }
        } else if cost.is_some() {
            palette::OPEN
        } else {
            palette::NODE
        };
        let radius = if end.is_some() { radius * 1.2 } else { radius };
        draw_node(at, radius, colour, form_of(network, current, node), sheet);
        let written = if end.is_some() { Color::WHITE } else { palette::INK };
        name_node(&network.name(node), at, radius, written, sheet);
        if let Some(cost) = cost.filter(|_| node != network.start && sheet.zoom >= COSTS_FROM) {
            // On grids of nodes, this place is between the edges to the right and the edge below.
            let text = format!("{cost:.0}");
            let size = 12.0;
            let half = text.len() as f32 * size * LETTER.x / 2.0;
            let beside = Vec2::new(3.0 + half, -9.0 - radius * sheet.zoom) / sheet.zoom;
            write_on_plate(text, at + beside, size, sheet);
        }
    }
}

/// The form of a node, which differs where its colour may not be seen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Form {
    Disc,
    /// The node of the last step has a ring around it.
    Ringed,
    /// The goal.
    Square,
}

fn form_of(network: &Network, current: Option<NodeId>, node: NodeId) -> Form {
    if Some(node) == network.goal {
        Form::Square
    } else if current == Some(node) {
        Form::Ringed
    } else {
        Form::Disc
    }
}

fn draw_node(at: Vec2, radius: f32, colour: Color, form: Form, sheet: &mut Sheet) {
    let pixel = 1.0 / sheet.zoom;
    if form == Form::Square {
        sheet.ink.rectangle(at, Vec2::splat(2.0 * radius + 3.0 * pixel), palette::INK);
        sheet.ink.rectangle(at, Vec2::splat(2.0 * radius), colour);
        return;
    }
    if form == Form::Ringed {
        sheet.ink.disc(at, radius + 6.0 * pixel, palette::INK);
        sheet.ink.disc(at, radius + 4.0 * pixel, palette::PAPER);
    }
    sheet.ink.disc(at, radius + 1.5 * pixel, palette::INK);
    sheet.ink.disc(at, radius, colour);
}

/// Writes a name into its node if it fits there, else above the node if the zoom is large enough.
fn name_node(name: &str, at: Vec2, radius: f32, colour: Color, sheet: &mut Sheet) {
    let letters = name.chars().count() as f32;
    let diameter = radius * 2.0 * sheet.zoom;
    // The text is at most half as high and 0.9 times as wide as the disc.
    let inside = (diameter * 0.62).min(diameter * 0.9 / (letters * LETTER.x)).min(16.0).floor();
    if inside >= 12.0 {
        sheet.note(name, at, inside, colour);
    } else if sheet.zoom >= 4.0 {
        write_on_plate(name.to_owned(), at + Vec2::new(0.0, radius + 8.0 / sheet.zoom), 12.0, sheet);
    }
}

/// Writes a text on a plate, so that it is legible over edges.
fn write_on_plate(text: String, at: Vec2, size: f32, sheet: &mut Sheet) {
    let letters = Vec2::new(text.chars().count() as f32, 1.0) * LETTER * size;
    let plate = (letters + Vec2::new(3.0, 0.0)) / sheet.zoom;
    // A long name near the edge of the board is moved onto the board.
    let half = plate.x.min(BOARD.x) / 2.0;
    let at = Vec2::new(at.x.clamp(half, BOARD.x - half), at.y);
    sheet.ink.rectangle(at, plate, palette::PAPER.with_alpha(0.7));
    sheet.note(text, at, size, palette::INK);
}

#[cfg(test)]
mod tests {
    use tilepath_examples::colour_vision::look_alikes;

    use super::*;
    use crate::settings::Net;

    #[test]
    fn the_y_of_a_graph_points_down_unless_it_is_to_point_up() {
        let waypoints = || {
            let mut graph = tilepath::waypoint::WaypointGraph::new();
            graph.add("first", (0.0, 0.0)).unwrap();
            graph.add("second", (5.0, 10.0)).unwrap();
            graph
        };
        for (is_y_up, rises) in [(false, false), (true, true)] {
            let network = Network::of(waypoints(), is_y_up).unwrap();
            let place = GraphPlace::new(&network);
            let ends = [network.start, network.goal.unwrap()].map(|node| place.of(&network, node).unwrap());
            assert_eq!(ends[1].y > ends[0].y, rises);
            assert!(ends[1].x > ends[0].x);
        }
    }

    #[test]
    fn nodes_and_edges_differ_without_red_and_green() {
        let nodes = [
            ("node", palette::NODE, "disc"),
            ("open", palette::OPEN, "disc"),
            ("expanded", palette::EXPANDED, "disc"),
            ("no path", palette::NO_PATH, "disc"),
            ("current", palette::CURRENT, "ringed"),
            ("start", palette::START, "larger disc, white name"),
            ("goal", palette::GOAL, "square, white name"),
        ];
        assert_eq!(look_alikes(&nodes), []);
        let widths = [width::EDGE, width::VISITED, width::TREE, width::CURRENT, width::PATH];
        assert!(widths.windows(2).all(|pair| pair[1] >= 1.5 * pair[0]), "{widths:?}");
        let network = Network::tutorial();
        assert_eq!(form_of(&network, network.goal, network.goal.unwrap()), Form::Square);
        assert_eq!(form_of(&network, Some(network.start), network.start), Form::Ringed);
    }

    #[test]
    fn edges_without_one_back_have_arrows() {
        let town = Network::of_net(Net::Town);
        let names: Vec<[String; 2]> =
            one_way_edges(&town).map(|(from, to)| [from, to].map(|node| town.name(node))).collect();
        assert_eq!(names, [["harbour", "landing"]]);
        assert_eq!(one_way_edges(&Network::tutorial()).count(), 0);
    }

    #[test]
    fn every_node_is_on_the_board_and_answers_to_a_click() {
        for net in [Net::Squares, Net::Six, Net::Town] {
            let network = Network::of_net(net);
            let place = GraphPlace::new(&network);
            for node in network.graph.nodes() {
                let at = place.of(&network, node).unwrap();
                assert!(Rect::from_corners(Vec2::ZERO, BOARD).contains(at));
                assert_eq!(place.node_at(&network, at + Vec2::new(0.05, -0.05)), Some(node));
            }
            assert_eq!(place.node_at(&network, Vec2::ZERO), None);
        }
    }
}

//! The graph at one step of its search.

use bevy::prelude::*;
use tilepath::{GraphStep, NodeId};

use super::{BOARD, Note, Sheet};
use crate::{
    lab::{Lab, Run},
    network::Network,
    palette,
    run::GraphRun,
};

/// A node's radius in world units.
const RADIUS: f32 = 2.6;
/// Free board around the nodes.
const MARGIN: f32 = 12.0;
/// A click so near to a node, in world units, is meant for it.
const REACH: f32 = 7.0;

/// Where nodes lie on the board.
pub(crate) struct GraphPlace {
    scale: f32,
    offset: Vec2,
}

impl GraphPlace {
    pub(crate) fn new(network: &Network) -> Self {
        let [least, most] = network.extent().map(|(x, y)| Vec2::new(x as f32, y as f32));
        let size = (most - least).max(Vec2::splat(1e-3));
        let room = BOARD - 2.0 * MARGIN;
        let scale = (room / size).min_element();
        Self { scale, offset: BOARD / 2.0 - (least + most) / 2.0 * scale }
    }

    /// Nodes without a position are not drawn.
    fn of(&self, network: &Network, node: NodeId) -> Option<Vec2> {
        let place = network.graph.position(node)?;
        Some(Vec2::new(place.x as f32, place.y as f32) * self.scale + self.offset)
    }

    /// The node at a place of the world.
    pub(crate) fn node_at(&self, network: &Network, at: Vec2) -> Option<NodeId> {
        let near = |node| Some((node, self.of(network, node)?.distance(at)));
        let nearest = network.graph.nodes().filter_map(near).min_by(|a, b| a.1.total_cmp(&b.1));
        nearest.filter(|&(_, distance)| distance <= REACH).map(|(node, _)| node)
    }
}

pub(super) fn draw(lab: &Lab, sheet: &mut Sheet) {
    let network = lab.network();
    let place = GraphPlace::new(network);
    let at = |node| place.of(network, node);
    sheet.ink.rectangle(BOARD / 2.0, BOARD + 12.0 / sheet.zoom, palette::WALL);
    sheet.ink.rectangle(BOARD / 2.0, BOARD, palette::PAPER);
    let mut edge = |from, to, width: f32, colour| {
        if let (Some(from), Some(to)) = (at(from), at(to)) {
            sheet.ink.line(from, to, width, colour);
        }
    };
    for (from, to, _) in network.graph.edges() {
        edge(from, to, 0.45, palette::EDGE);
    }
    let run = match lab.run() {
        Run::Graph(run) => Some(&**run),
        _ => None,
    };
    if let Some(run) = run {
        for &(from, to) in run.search().visited_edges() {
            edge(from, to, 0.8, palette::VISITED);
        }
        if !run.is_over() {
            for &(from, to) in run.search().edges_of_last_step() {
                edge(from, to, 1.2, palette::CURRENT);
            }
        }
        if let Some(path) = run.path() {
            let points: Vec<Vec2> = path.nodes.iter().filter_map(|&node| at(node)).collect();
            sheet.ink.polyline(&points, 2.2, palette::PATH);
        }
    }
    draw_nodes(lab, run, &place, sheet);
}

fn draw_nodes(lab: &Lab, run: Option<&GraphRun>, place: &GraphPlace, sheet: &mut Sheet) {
    let network = lab.network();
    let current = run.and_then(|run| match run.last() {
        Some(GraphStep::Expanded(node)) if !run.is_over() => Some(node),
        _ => None,
    });
    let has_given_up = run.is_some_and(|run| run.last() == Some(GraphStep::Exhausted));
    // The nodes that the search came to, in no order that shows.
    let reached: Vec<NodeId> =
        run.map_or_else(Vec::new, |run| run.search().tree().distances().map(|(node, _)| node).collect());
    let expanded: std::collections::HashSet<NodeId> = run.map_or_else(Default::default, |run| {
        run.search().visited_edges().iter().map(|&(from, _)| from).collect()
    });
    for node in network.graph.nodes() {
        let Some(at) = place.of(network, node) else { continue };
        let end = if node == network.start {
            Some(("S", palette::START))
        } else if Some(node) == network.goal {
            Some(("G", palette::GOAL))
        } else {
            None
        };
        let colour = if current == Some(node) {
            palette::CURRENT
        } else if expanded.contains(&node) {
            if has_given_up { palette::GIVEN_UP } else { palette::CLOSED }
        } else if reached.contains(&node) {
            palette::OPEN
        } else {
            palette::NODE
        };
        let radius = if end.is_some() { RADIUS * 1.5 } else { RADIUS };
        sheet.ink.disc(at, radius + 0.5, palette::INK);
        sheet.ink.disc(at, radius, end.map_or(colour, |(_, colour)| colour));
        if let Some((letter, _)) = end {
            let size = (sheet.zoom * RADIUS * 1.6).round();
            sheet.notes.push(Note { text: letter.into(), at, size, colour: Color::WHITE });
        }
        if let Some(distance) = run.and_then(|run| run.search().distance(node))
            && sheet.zoom >= 4.0
            && node != network.start
        {
            let text = format!("{distance:.0}");
            // Between the edges to the right and the edge below, on grids of nodes.
            let beside = Vec2::new(4.0 + 3.6 * text.len() as f32, -17.0 - radius * sheet.zoom) / sheet.zoom;
            let size = Vec2::new(7.0 * text.len() as f32 + 4.0, 13.0) / sheet.zoom;
            sheet.ink.rectangle(at + beside, size, palette::PAPER.with_alpha(0.85));
            sheet.notes.push(Note { text, at: at + beside, size: 11.0, colour: palette::INK });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_node_is_on_the_board_and_answers_to_a_click() {
        let network = Network::tutorial();
        let place = GraphPlace::new(&network);
        for node in network.graph.nodes() {
            let at = place.of(&network, node).unwrap();
            assert!(Rect::from_corners(Vec2::ZERO, BOARD).contains(at));
            assert_eq!(place.node_at(&network, at + Vec2::new(1.0, -1.0)), Some(node));
        }
        assert_eq!(place.node_at(&network, Vec2::ZERO), None);
    }
}

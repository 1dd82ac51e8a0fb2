//! Graphs, and games with agents that walk on them.

use bevy::prelude::*;
use bevy_tilepath::{
    NavGraph, NavGrid, NavMap, NavProjection, PathRequest, graphs::WaypointGraph, tilepath::format,
};

use crate::harness::{Game, Named, Told};

/// The width of a cell of [`Game::tile_map`].
pub(super) const TILE_SIDE: f32 = 10.0;

/// The graph of the tutorial.
pub(super) const TUTORIAL: &str = r#"<nodes>
    <node id="n1" x="25" y="25" join="n2,n3"/>
    <node id="n2" x="110" y="110" join="n3,n4"/>
    <node id="n3" x="50" y="180" join="n5,n6"/>
    <node id="n4" x="225" y="90" join="n5,n6"/>
    <node id="n5" x="190" y="160"/>
    <node id="n6" x="230" y="170"/>
</nodes>"#;

pub(super) fn tutorial() -> WaypointGraph {
    WaypointGraph::from_xml(TUTORIAL).expect("the file is in order")
}

/// Returns a graph of these waypoints and joins.
pub(super) fn graph_of(waypoints: &[(&str, f64, f64)], joins: &[(&str, &str)]) -> WaypointGraph {
    let mut graph = WaypointGraph::new();
    for &(id, x, y) in waypoints {
        graph.add(id, (x, y)).expect("each id is there once");
    }
    for (a, b) in joins {
        graph.join(a, b).expect("both are there");
    }
    graph
}

impl Game {
    pub(super) fn graph(&mut self, graph: WaypointGraph) -> Entity {
        self.world_mut().spawn(NavGraph::new(graph)).id()
    }

    /// Edits a graph as a game would.
    pub(super) fn edit_graph(&mut self, graph: Entity, edit: impl FnOnce(&mut WaypointGraph)) {
        edit(self.world_mut().get_mut::<NavGraph>(graph).expect("the graph is there").graph_mut());
    }

    /// Spawns the map in the picture. Cells are [`TILE_SIDE`] wide, and `corner` is the bottom left
    /// corner.
    pub(super) fn tile_map(&mut self, picture: &str, corner: Vec2) -> Entity {
        let grid = format::parse_ascii(picture).expect("the picture is a map");
        let projection = NavProjection::square(Vec2::splat(TILE_SIDE), corner + TILE_SIDE / 2.0);
        self.world_mut().spawn((NavMap::default(), NavGrid::new(grid), projection)).id()
    }

    pub(super) fn walker(&mut self, x: f32, y: f32, speed: f32) -> Entity {
        self.agent_at(Vec2::new(x, y), speed)
    }

    pub(super) fn order_to_waypoint(&mut self, agent: Entity, id: &str) {
        self.order(agent, PathRequest::to_waypoint(id));
    }

    /// Returns the waypoints of the current leg.
    pub(super) fn waypoints(&self, entity: Entity) -> Vec<String> {
        self.path(entity).leg().waypoints().map(str::to_owned).collect()
    }

    /// Steps until the agent has no order.
    #[track_caller]
    pub(super) fn step_until_quiet(&mut self, entity: Entity, seconds: f64, most: usize) {
        for _ in 0..most {
            if !self.is_ordered(entity) {
                return;
            }
            self.step(seconds);
        }
        panic!("the order is not over after {most} steps: {:?}", self.status(entity));
    }

    #[track_caller]
    pub(super) fn assert_at(&self, entity: Entity, expected: Vec2) {
        let at = self.position(entity);
        assert!(at.distance(expected) < 1e-2, "{at} is not {expected}");
    }

    /// Returns the events of all agents since the last call.
    pub(super) fn all_named(&mut self) -> Vec<Named> {
        self.named().into_iter().map(|(_, told)| told).collect()
    }
}

pub(super) fn reached(ids: &[&str]) -> Vec<Named> {
    ids.iter().map(|id| Told::Reached((*id).to_owned())).collect()
}

pub(super) fn arrived(id: &str) -> Named {
    Told::Arrived(id.to_owned())
}

pub(super) fn found(id: &str) -> Named {
    Told::Found { goal: id.to_owned(), cost: (), partial: false }
}

/// Returns the event of a path to the waypoint nearest to an unreachable goal.
pub(super) fn found_partial(id: &str) -> Named {
    Told::Found { goal: id.to_owned(), cost: (), partial: true }
}

pub(super) fn replanned(id: &str) -> Named {
    Told::Replanned { goal: id.to_owned(), cost: (), partial: false }
}

pub(super) fn blocked(id: &str) -> Named {
    Told::Blocked(id.to_owned())
}

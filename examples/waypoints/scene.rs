//! The graph and the messenger, with or without a window.

use bevy::prelude::*;
use bevy_tilepath::{
    NavGraph, PathAgent,
    graphs::{NavGraphHandle, WaypointGraph},
};
use tilepath_examples::town;

use crate::{
    edit::{EditPlugin, Original},
    report::ReportPlugin,
    settings::SettingsPlugin,
};

/// The messenger.
#[derive(Component)]
pub(crate) struct Walker;

/// The speed of the messenger, in world units per second.
pub(crate) const SPEED: f32 = 52.0;

/// The heights at which things are drawn, from the ground upwards. Things that stand have heights
/// from 13 to 20.
pub(crate) mod height {
    /// The grass over removed ways. The bridges of the river's picture are above it.
    pub(crate) const TURF: f32 = 0.5;
    pub(crate) const RIVER: f32 = 1.0;
    /// The crosses on removed ways.
    pub(crate) const CROSSES: f32 = 2.0;
    /// The ways of the graph.
    pub(crate) const WAYS: f32 = 3.0;
    pub(crate) const RING: f32 = 6.0;
    /// Highlighted ways. Nothing hides them.
    pub(crate) const WAYS_SPOKEN_OF: f32 = 21.0;
    /// The path to the pointer.
    pub(crate) const PREVIEW: f32 = 22.0;
    /// The path of the messenger.
    pub(crate) const ROUTE: f32 = 23.0;
    pub(crate) const WAYPOINTS: f32 = 24.0;
    pub(crate) const SHADOW: f32 = 25.0;
    /// Raises the walker above all of these.
    pub(crate) const WALKER_LIFT: f32 = 13.0;
    /// The things in the player's hand.
    pub(crate) const HAND: f32 = 40.0;
    /// The bars that hide things at the rim of the town.
    pub(crate) const RIM: f32 = 20.5;
}

/// The source of the graph, and the picture below it.
#[derive(Resource, Debug, Clone, PartialEq)]
pub(crate) enum Source {
    /// The graph of the town, an asset.
    Town,
    /// Another graph of the same town.
    OverTown(WaypointGraph),
    /// Any graph, drawn as large as it fits. Its y points up as in a Bevy world, or down as on a
    /// screen.
    OverMeadow { graph: WaypointGraph, is_y_up: bool },
}

/// Spawns the graph and the walker, and runs edits of the graph.
pub(crate) struct ScenePlugin {
    pub(crate) source: Source,
}

impl Plugin for ScenePlugin {
    fn build(&self, app: &mut App) {
        app.insert_resource(self.source.clone())
            .add_plugins((EditPlugin, SettingsPlugin, ReportPlugin))
            .add_systems(Startup, (spawn_graph, spawn_walker))
            .add_systems(Update, begin.run_if(not(resource_exists::<Original>)));
    }
}

fn spawn_graph(mut commands: Commands, source: Res<Source>, assets: Option<Res<AssetServer>>) {
    match (&*source, assets) {
        (Source::Town, Some(assets)) => {
            commands.spawn((NavGraphHandle(assets.load(town::GRAPH)), Transform::default()));
        }
        (Source::Town, None) => error!("the town's graph is an asset, and there are none"),
        (Source::OverTown(graph), _) => {
            commands.spawn((NavGraph::new(graph.clone()), Transform::default()));
        }
        (Source::OverMeadow { graph, is_y_up }, _) => {
            commands.spawn((NavGraph::new(graph.clone()), fitting(graph, *is_y_up)));
        }
    }
}

/// The area of a graph over a meadow: left of the panel, with room for names.
const ROOM: Rect = Rect { min: Vec2::new(40.0, 40.0), max: Vec2::new(450.0, 320.0) };

/// Returns the scale of waypoints and ways: 1, or less if hundreds would overlap.
pub(crate) fn drawing_scale(waypoints: usize) -> f32 {
    /// The distance between waypoints from which there is room enough.
    const ROOMY: f32 = 24.0;

    let between = (ROOM.width() * ROOM.height() / waypoints.max(1) as f32).sqrt();
    (between / ROOMY).clamp(0.25, 1.0)
}

/// Scales a graph to the area and moves it to the middle. The positions in the graph itself stay
/// unchanged.
fn fitting(graph: &WaypointGraph, is_y_up: bool) -> Transform {
    let places = || graph.waypoints().map(|waypoint| waypoint.position);
    let least = |of: fn(f64, f64) -> f64, start: f64| {
        let part =
            |part: fn(bevy_tilepath::tilepath::graph::Position) -> f64| places().map(part).fold(start, of);
        (part(|place| place.x), part(|place| place.y))
    };
    let ((left, bottom), (right, top)) = (least(f64::min, f64::INFINITY), least(f64::max, f64::NEG_INFINITY));
    let room = ROOM.size().as_dvec2();
    let scale = (room.x / (right - left)).min(room.y / (top - bottom));
    // The graph may have one waypoint, or all at one place, or none at all.
    let scale = if scale.is_finite() && scale > 0.0 { scale } else { 1.0 };
    let scale = bevy::math::DVec2::new(scale, if is_y_up { scale } else { -scale });
    let middle = bevy::math::DVec2::new(f64::midpoint(left, right), f64::midpoint(bottom, top)) * scale;
    let middle = if middle.is_finite() { middle.as_vec2() } else { Vec2::ZERO };
    let origin = ROOM.center() - middle;
    Transform::from_translation(origin.extend(0.0)).with_scale(scale.as_vec2().extend(1.0))
}

fn spawn_walker(mut commands: Commands) {
    commands.spawn((
        Walker,
        PathAgent { speed: SPEED.into(), ..default() },
        Transform::from_translation(ROOM.center().extend(0.0)),
        Visibility::default(),
    ));
}

/// Spawns the walker at the first waypoint once the graph is loaded.
fn begin(
    mut commands: Commands,
    graph: Single<(&NavGraph, &Transform), Without<Walker>>,
    mut walker: Single<&mut Transform, With<Walker>>,
) {
    let (graph, place) = *graph;
    if !graph.is_ready() {
        return;
    }
    commands.insert_resource(Original(graph.graph().clone()));
    if let Some(first) = graph.graph().waypoints().next() {
        let local = Vec3::new(first.position.x as f32, first.position.y as f32, 0.0);
        walker.translation = place.transform_point(local).truncate().extend(0.0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_graph_of_any_size_fits() {
        for size in [1e-3, 1.0, 1e6] {
            let mut graph = WaypointGraph::new();
            for (id, x, y) in [("a", -2.0, 5.0), ("b", 3.0, 7.0), ("c", 1.0, 6.0)] {
                graph.add(id, (x * size, y * size)).unwrap();
            }
            for is_y_up in [false, true] {
                let place = fitting(&graph, is_y_up);
                let world = |id| {
                    let at = graph.position(id).unwrap();
                    place.transform_point(Vec3::new(at.x as f32, at.y as f32, 0.0)).truncate()
                };
                for waypoint in graph.waypoints() {
                    assert!(ROOM.inflate(0.1).contains(world(waypoint.id)), "{size}");
                }
                assert_eq!(world("b").y > world("a").y, is_y_up, "{size}");
            }
        }
    }

    #[test]
    fn only_crowded_waypoints_are_drawn_smaller() {
        assert_eq!(drawing_scale(0).to_bits(), 1_f32.to_bits());
        assert_eq!(drawing_scale(19).to_bits(), 1_f32.to_bits());
        assert!(drawing_scale(500) < 0.8 && drawing_scale(1_000_000) > 0.2);
    }

    #[test]
    fn graphs_without_extent_are_shown_in_the_middle() {
        assert_eq!(fitting(&WaypointGraph::new(), false).translation.truncate(), ROOM.center());
        let mut graph = WaypointGraph::new();
        graph.add("alone", (1000.0, -5.0)).unwrap();
        let place = fitting(&graph, false);
        assert_eq!(place.transform_point(Vec3::new(1000.0, -5.0, 0.0)).truncate(), ROOM.center());
    }
}

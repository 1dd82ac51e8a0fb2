//! Graphs, agents on them, and what was told about them.

use bevy::prelude::*;
use bevy_tilepath::{
    AgentPath, NavGraph, NavGrid, NavMap, NavProjection, OnMap, PathAgent, PathFailure, PathRequest,
    PathStatus, Place,
    events::{
        Arrived, DoorPassed, PathBlocked, PathFailed, PathFound, PathLost, PathPointReached, Replanned,
    },
    graphs::WaypointGraph,
    tilepath::format,
};

use crate::harness::clockless_app;
pub(super) use crate::harness::step;

/// The width of a cell of [`tile_map`].
pub(super) const CELL: f32 = 10.0;

/// What was told, in order. Places are written as `n1`, `(3, 4)` for a cell, `@3,4` for a position.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Told {
    Found(String),
    Failed(PathFailure),
    Arrived(String),
    Lost(PathFailure),
    Blocked(String),
    Replanned(String),
    Reached(String),
    Passed { door: Entity, to: Entity },
}

#[derive(Resource, Default)]
struct Log(Vec<(Entity, Told)>);

fn name(place: &Place) -> String {
    match place {
        Place::Position(at) => format!("@{},{}", at.x.round(), at.y.round()),
        _ => place.to_string(),
    }
}

/// Notes everything that is told.
pub(super) fn listen(app: &mut App) {
    fn note(mut log: ResMut<Log>, entity: Entity, told: Told) {
        log.0.push((entity, told));
    }
    app.init_resource::<Log>()
        .add_observer(|on: On<PathFound>, log: ResMut<Log>| note(log, on.entity, Told::Found(name(&on.goal))))
        .add_observer(|on: On<PathFailed>, log: ResMut<Log>| note(log, on.entity, Told::Failed(on.reason)))
        .add_observer(|on: On<Arrived>, log: ResMut<Log>| {
            note(log, on.entity, Told::Arrived(name(&on.place)));
        })
        .add_observer(|on: On<PathLost>, log: ResMut<Log>| note(log, on.entity, Told::Lost(on.reason)))
        .add_observer(|on: On<PathBlocked>, log: ResMut<Log>| {
            note(log, on.entity, Told::Blocked(name(&on.place)));
        })
        .add_observer(|on: On<Replanned>, log: ResMut<Log>| {
            note(log, on.entity, Told::Replanned(name(&on.goal)));
        })
        .add_observer(|on: On<PathPointReached>, log: ResMut<Log>| {
            note(log, on.entity, Told::Reached(name(&on.place)));
        })
        .add_observer(|on: On<DoorPassed>, log: ResMut<Log>, agents: Query<&OnMap>| {
            assert_eq!(agents.get(on.entity).map(|on_map| on_map.0), Ok(on.to));
            note(log, on.entity, Told::Passed { door: on.door, to: on.to });
        });
}

/// An app without clock, for steps of any length, that notes everything that is told.
pub(super) fn app() -> App {
    let mut app = clockless_app();
    listen(&mut app);
    app
}

/// What was told about one entity since the last call; the rest is forgotten.
pub(super) fn told(app: &mut App, entity: Entity) -> Vec<Told> {
    let log = std::mem::take(&mut app.world_mut().resource_mut::<Log>().0);
    log.into_iter().filter(|(who, _)| *who == entity).map(|(_, what)| what).collect()
}

/// The same without the places on the way.
pub(super) fn news(app: &mut App, entity: Entity) -> Vec<Told> {
    told(app, entity).into_iter().filter(|told| !matches!(told, Told::Reached(_))).collect()
}

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

/// Waypoints at positions, joined two by two.
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

pub(super) fn spawn(app: &mut App, graph: WaypointGraph) -> Entity {
    app.world_mut().spawn(NavGraph::new(graph)).id()
}

/// A map without tiles, drawn; cells are [`CELL`] wide, and the bottom left corner lies there.
pub(super) fn tile_map(app: &mut App, picture: &str, corner: Vec2) -> Entity {
    let grid = format::parse_ascii(picture).expect("the picture is a map");
    app.world_mut()
        .spawn((
            NavMap::default(),
            NavGrid::new(grid),
            NavProjection::square(Vec2::splat(CELL), corner + CELL / 2.0),
        ))
        .id()
}

/// Edits a graph as a game would.
pub(super) fn edit(app: &mut App, graph: Entity, edit: impl FnOnce(&mut WaypointGraph)) {
    edit(app.world_mut().get_mut::<NavGraph>(graph).expect("the graph is there").graph_mut());
}

pub(super) fn agent(app: &mut App, x: f32, y: f32, speed: f32) -> Entity {
    app.world_mut()
        .spawn((PathAgent { speed: speed.into(), ..default() }, Transform::from_xyz(x, y, 3.0)))
        .id()
}

pub(super) fn order(app: &mut App, agent: Entity, request: PathRequest) {
    app.world_mut().entity_mut(agent).insert(request);
}

pub(super) fn go_to(app: &mut App, agent: Entity, id: &str) {
    order(app, agent, PathRequest::to_waypoint(id));
}

pub(super) fn position(app: &App, entity: Entity) -> Vec2 {
    app.world().get::<Transform>(entity).expect("the entity is there").translation.truncate()
}

pub(super) fn status(app: &App, entity: Entity) -> PathStatus {
    *app.world().get::<PathStatus>(entity).expect("the entity is there")
}

pub(super) fn is_ordered(app: &App, entity: Entity) -> bool {
    app.world().get::<PathRequest>(entity).is_some()
}

pub(super) fn path(app: &App, entity: Entity) -> &AgentPath {
    app.world().get::<AgentPath>(entity).expect("the entity has a path")
}

/// The waypoints of the leg under way.
pub(super) fn waypoints(app: &App, entity: Entity) -> Vec<String> {
    path(app, entity).leg().waypoints().map(str::to_owned).collect()
}

/// Steps until the agent has no order any more.
#[track_caller]
pub(super) fn run_until_quiet(app: &mut App, entity: Entity, seconds: f64, most: usize) {
    for _ in 0..most {
        if !is_ordered(app, entity) {
            return;
        }
        step(app, seconds);
    }
    panic!("there is still an order after {most} steps: {:?}", status(app, entity));
}

#[track_caller]
pub(super) fn assert_at(app: &App, entity: Entity, expected: Vec2) {
    let at = position(app, entity);
    assert!(at.distance(expected) < 1e-2, "{at} is not {expected}");
}

pub(super) fn reached(ids: &[&str]) -> Vec<Told> {
    ids.iter().map(|id| Told::Reached((*id).to_owned())).collect()
}

pub(super) fn arrived(id: &str) -> Told {
    Told::Arrived(id.to_owned())
}

pub(super) fn found(id: &str) -> Told {
    Told::Found(id.to_owned())
}

pub(super) fn replanned(id: &str) -> Told {
    Told::Replanned(id.to_owned())
}

pub(super) fn blocked(id: &str) -> Told {
    Told::Blocked(id.to_owned())
}

/// What was told about every agent since the last call.
pub(super) fn all_told(app: &mut App) -> Vec<Told> {
    told_to(app).into_iter().map(|(_, told)| told).collect()
}

/// The same, with the agents.
pub(super) fn told_to(app: &mut App) -> Vec<(Entity, Told)> {
    std::mem::take(&mut app.world_mut().resource_mut::<Log>().0)
}

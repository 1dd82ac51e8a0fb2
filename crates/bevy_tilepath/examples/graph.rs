//! Waypoints instead of tiles: a courier walks along a `NavGraph`.
//!
//! It takes the fast road. Then a bridge on the road is closed.
//!
//! `cargo run --example graph`
//!
//! Guide: `docs/guide/src/16-waypoint-graphs.md`.

#![expect(clippy::print_stdout, reason = "printing is what an example is for")]

use bevy::{prelude::*, time::TimeUpdateStrategy};
use bevy_tilepath::{
    events::PathPointReached,
    graphs::{WaypointEdge, WaypointGraph},
    prelude::*,
};

/// The waypoints that the courier has passed.
#[derive(Resource, Default)]
struct Log(Vec<String>);

fn main() -> Result {
    let mut app = App::new();
    app.add_plugins((MinimalPlugins, TilepathPlugin::default()))
        .insert_resource(TimeUpdateStrategy::FixedTimesteps(1))
        .init_resource::<Log>()
        .add_systems(Startup, spawn_level)
        .add_observer(print_path)
        .add_observer(log_waypoint)
        .add_observer(|_: On<PathBlocked>| println!("The path ahead has changed."))
        .add_observer(|_: On<Arrived>| println!("Arrived."));
    app.update();

    while app.world().resource::<Log>().0.is_empty() {
        app.update(); // until the first waypoint
    }
    println!("The bridge is closed.");
    app.world_mut().run_system_cached(close_bridge)?;

    let mut couriers = app.world_mut().query::<(Entity, &PathStatus)>();
    let (courier, _) = couriers.single(app.world())?;
    while app.world().entity(courier).contains::<PathRequest>() {
        app.update();
    }
    assert_eq!(couriers.single(app.world())?.1, &PathStatus::Arrived);
    assert_eq!(app.world().resource::<Log>().0, ["inn", "ford", "castle"]);
    Ok(())
}

fn spawn_level(mut commands: Commands) -> Result {
    let mut roads = WaypointGraph::new();
    for (id, position) in [
        ("gate", (0.0, 0.0)),
        ("inn", (60.0, 0.0)),
        ("bridge", (100.0, 40.0)),
        ("ford", (100.0, -40.0)),
        ("castle", (140.0, 0.0)),
    ] {
        roads.add(id, position)?;
    }
    for (a, b) in
        [("gate", "inn"), ("inn", "bridge"), ("bridge", "castle"), ("inn", "ford"), ("ford", "castle")]
    {
        roads.join(a, b)?;
    }
    // A walk on the road over the bridge is twice as fast in both directions, so the courier takes
    // it.
    for (from, to) in [("inn", "bridge"), ("bridge", "inn"), ("bridge", "castle"), ("castle", "bridge")] {
        roads.set_edge(from, to, WaypointEdge::with_speed(2.0))?;
    }
    commands.spawn(NavGraph::new(roads));
    commands.spawn((PathAgent::default(), PathRequest::to_waypoint("castle"))); // stands at the gate
    Ok(())
}

/// Edit the graph as any component. Paths over a changed edge are planned again in the next tick.
fn close_bridge(mut graph: Single<&mut NavGraph>) {
    graph.graph_mut().unjoin("bridge", "castle").expect("both are waypoints of this graph");
}

fn print_path(found: On<PathFound>, paths: Query<&AgentPath>) -> Result {
    let way: Vec<&str> = paths.get(found.entity)?.remaining_waypoints().collect();
    println!("The path: {}.", way.join(", "));
    assert_eq!(way, ["gate", "inn", "bridge", "castle"]);
    Ok(())
}

fn log_waypoint(reached: On<PathPointReached>, mut log: ResMut<Log>) {
    if let Some(id) = reached.place.waypoint() {
        println!("Passed the {id}.");
        log.0.push(id.to_owned());
    }
}

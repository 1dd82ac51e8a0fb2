//! Two maps and a `Door`: one order from a house to a well.
//!
//! `cargo run --example two_maps`
//!
//! Guide: `docs/guide/src/15-doors-and-storeys.md`.

#![expect(clippy::print_stdout, reason = "printing is what an example is for")]

use bevy::{prelude::*, time::TimeUpdateStrategy};
use bevy_tilepath::{
    doors::DoorEnd,
    events::{DoorPassed, PathPointReached},
    graphs::WaypointGraph,
    prelude::*,
    tilepath::format::parse_ascii,
};

const HOUSE: &str = "
    .....
    .###.
    .....
";

fn main() -> Result {
    let mut app = App::new();
    app.add_plugins((MinimalPlugins, TilepathPlugin::default()))
        .insert_resource(TimeUpdateStrategy::FixedTimesteps(1))
        .add_systems(Startup, spawn_level)
        .add_observer(print_path)
        .add_observer(print_door)
        .add_observer(print_waypoint)
        .add_observer(|_: On<Arrived>| println!("Arrived."));
    app.update();

    let mut units = app.world_mut().query::<(Entity, &PathStatus, &OnMap)>();
    let (unit, ..) = units.single(app.world())?;
    while app.world().entity(unit).contains::<PathRequest>() {
        app.update();
    }
    let (_, status, on_map) = units.single(app.world())?;
    assert_eq!(status, &PathStatus::Arrived);
    assert!(app.world().entity(on_map.0).contains::<NavGraph>(), "it walks on the street now");
    Ok(())
}

fn spawn_level(mut commands: Commands) -> Result {
    // The house is a map of tiles, with its cell (0, 0) at the origin of the world.
    let inside = NavProjection::square(Vec2::splat(16.0), Vec2::ZERO);
    let house = commands
        .spawn((Name::new("house"), NavMap::default(), NavGrid::new(parse_ascii(HOUSE)?), inside))
        .id();

    // The street is a graph of waypoints, to the right of the house.
    let mut street = WaypointGraph::new();
    street.add("porch", (80.0, 0.0))?;
    street.add("corner", (200.0, 0.0))?;
    street.add("well", (200.0, 80.0))?;
    street.join("porch", "corner")?;
    street.join("corner", "well")?;
    let street = commands.spawn((Name::new("street"), NavGraph::new(street))).id();

    let door = Door::new(DoorEnd::cell(house, Cell::new(4, 0)), DoorEnd::waypoint(street, "porch"));
    commands.spawn((Name::new("front door"), door));

    commands.spawn((
        PathAgent::default(),
        Transform::from_xyz(0.0, 32.0, 1.0), // on cell (0, 2)
        OnMap(house),                        // needed, because there are two maps
        PathRequest::to_waypoint("well").on_map(street),
    ));
    Ok(())
}

fn print_path(found: On<PathFound>, paths: Query<&AgentPath>, names: Query<&Name>) -> Result {
    let path = paths.get(found.entity)?;
    for leg in path.legs() {
        println!("Over the {} for {:.0} world units.", names.get(leg.map())?, leg.route_cost());
    }
    assert_eq!(path.legs().count(), 2);
    Ok(())
}

fn print_waypoint(reached: On<PathPointReached>) {
    // Events also have the cells of the house: `reached.place.cell()`.
    if let Some(id) = reached.place.waypoint() {
        println!("Passed the {id}.");
    }
}

fn print_door(passed: On<DoorPassed>, names: Query<&Name>) -> Result {
    println!("Through the {} onto the {}.", names.get(passed.door)?, names.get(passed.to)?);
    Ok(())
}

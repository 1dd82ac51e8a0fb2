//! One unit and one order: it walks round a wall, and events report it.
//!
//! `cargo run --example basic`
//!
//! Guide: `docs/guide/src/01-first-unit.md`.

#![expect(clippy::print_stdout, reason = "printing is what an example is for")]

use bevy::{prelude::*, time::TimeUpdateStrategy};
use bevy_tilepath::{
    prelude::*,
    tilepath::format::{parse_ascii, to_ascii},
};

/// `.` is open ground, `#` a wall. The lowest row is row 0.
const LEVEL: &str = "
    ..........
    ..####....
    .....#....
    .....#....
";
const START: Cell = Cell::new(3, 1);
const GOAL: Cell = Cell::new(8, 0);

fn main() -> Result {
    let mut app = App::new();
    app.add_plugins((MinimalPlugins, TilepathPlugin::default()))
        // There is no window and no waiting: each update is one tick of `FixedUpdate`. A game
        // leaves this line out.
        .insert_resource(TimeUpdateStrategy::FixedTimesteps(1))
        .add_systems(Startup, spawn_level)
        .add_observer(draw_path)
        .add_observer(print_arrival)
        .add_observer(print_failure);
    app.update(); // runs `Startup`

    // When the order ends, the plugin removes it.
    let mut orders = app.world_mut().query_filtered::<(), With<PathRequest>>();
    let mut ticks = 0;
    while orders.iter(app.world()).next().is_some() {
        app.update();
        ticks += 1;
    }
    println!("That took {ticks} ticks.");

    let mut units = app.world_mut().query::<&PathStatus>();
    assert_eq!(units.single(app.world())?, &PathStatus::Arrived);
    Ok(())
}

fn spawn_level(mut commands: Commands) -> Result {
    // The places of cells in the world: 16 units wide, the centre of cell (0, 0) at the origin.
    let projection = NavProjection::square(Vec2::splat(16.0), Vec2::ZERO);
    commands.spawn((NavMap::default(), NavGrid::new(parse_ascii(LEVEL)?), projection));

    commands.spawn((
        Transform::from_translation(projection.world_position_of(START).extend(1.0)),
        PathAgent { speed: 96.0.into(), ..default() }, // it can walk
        PathRequest::to_cell(GOAL),                    // and this is its order
    ));
    Ok(())
}

fn draw_path(found: On<PathFound>, paths: Query<&AgentPath>, map: Single<&NavGrid>) -> Result {
    println!("Found a path from S to G that costs {}:\n", found.route_cost);
    println!("{}\n", to_ascii(map.grid(), paths.get(found.entity)?.path()));
    Ok(())
}

fn print_arrival(arrived: On<Arrived>, transforms: Query<&Transform>) -> Result {
    let position = transforms.get(arrived.entity)?.translation.truncate();
    println!("Arrived at {position}.");
    Ok(())
}

fn print_failure(failed: On<PathFailed>) {
    println!("No path: {}.", failed.reason);
}

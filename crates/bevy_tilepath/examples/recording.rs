//! A bug report in one file: `PathRecorder`.
//!
//! It writes queries and answers as text, and they are replayed without the game.
//!
//! `cargo run --example recording` (in this workspace; elsewhere with the feature `recording`)
//!
//! Guide: `docs/guide/src/12-my-unit-does-not-move.md`.

#![expect(clippy::print_stdout, reason = "printing is what an example is for")]

use bevy::{prelude::*, time::TimeUpdateStrategy};
use bevy_tilepath::{
    events::Replanned,
    prelude::*,
    recording::PathRecorder,
    tilepath::{format::parse_ascii, recording::Recording},
};

const LEVEL: &str = "
    ..........
    ..........
    ..####....
    .....#....
    .....#....
";
/// The cell of a later wall.
const WALL: Cell = Cell::new(4, 3);

fn main() -> Result {
    let mut app = App::new();
    app.add_plugins((MinimalPlugins, TilepathPlugin::default()))
        .insert_resource(TimeUpdateStrategy::FixedTimesteps(1))
        .insert_resource(PathRecorder::default().started()) // from the first tick on
        .add_systems(Startup, spawn_level)
        .add_observer(|found: On<PathFound>| println!("Game: found a path that costs {}.", found.route_cost))
        .add_observer(|replanned: On<Replanned>| println!("Game: replanned, cost {}.", replanned.route_cost));
    app.update(); // runs `Startup`
    for _ in 0..10 {
        app.update();
    }
    app.world_mut().run_system_cached(build_wall)?;
    for _ in 0..10 {
        app.update();
    }

    // A player attaches this text to a bug report.
    let (_, recording) =
        app.world().resource::<PathRecorder>().recordings().next().ok_or("nothing was recorded")?;
    let text = recording.to_ron();
    drop(app); // the game is over

    println!("\nThe recording has {} bytes; it begins:\n", text.len());
    for line in text.lines().take(13) {
        println!("    {line}");
    }

    // The developer replays the map, the edits and the queries, and each answer is compared.
    // `tilepath replay FILE` does this on the command line.
    let replayed = Recording::from_text(&text)?.replay(|_| ())?;
    println!(
        "\nReplay: {} answers and {} edits, {} different.",
        replayed.answers, replayed.edits, replayed.different
    );
    assert_eq!((replayed.answers, replayed.edits, replayed.different), (2, 1, 0));
    Ok(())
}

fn spawn_level(mut commands: Commands) -> Result {
    commands.spawn((NavMap::default(), NavGrid::new(parse_ascii(LEVEL)?))); // cells of one unit
    commands.spawn((PathAgent { speed: 4.0.into(), ..default() }, PathRequest::to_cell(Cell::new(9, 0))));
    Ok(())
}

fn build_wall(mut map: Single<&mut NavGrid>) {
    map.set_terrain(WALL, 0).expect("the wall lies on the map");
}

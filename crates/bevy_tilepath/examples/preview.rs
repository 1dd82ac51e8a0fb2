//! A preview: show a path before the click, then walk this very path.
//!
//! `NavView::find` and `PathRequest::along`.
//!
//! `cargo run --example preview`
//!
//! Guide: `docs/guide/src/07-turn-based-games.md`.

#![expect(clippy::print_stdout, reason = "printing is what an example is for")]

use bevy::{prelude::*, time::TimeUpdateStrategy};
use bevy_tilepath::{
    prelude::*,
    tilepath::{
        Path,
        format::{parse_ascii, to_ascii},
    },
};

const LEVEL: &str = "
    ..........
    ..####....
    .....#....
    .....#....
";

fn main() -> Result {
    let mut app = App::new();
    app.add_plugins((MinimalPlugins, TilepathPlugin::default()))
        .insert_resource(TimeUpdateStrategy::FixedTimesteps(1))
        .add_systems(Startup, spawn_level)
        .add_observer(|_: On<Arrived>| println!("Arrived."));
    app.update();

    // The pointer moves over the map: a query and its answer in one frame, without an order.
    let mut preview = None;
    for pointer in [Vec2::new(64.0, 16.0), Vec2::new(112.0, 0.0)] {
        preview = app.world_mut().run_system_cached_with(show_preview, pointer)?;
    }
    let preview: Path = preview.ok_or("no path leads to the pointer")?;

    println!("Click.");
    let mut units = app.world_mut().query_filtered::<Entity, With<PathAgent>>();
    let unit = units.single(app.world())?;
    // If the map had changed since then, the order would fail with `PathOutdated`: a unit never
    // walks into a wall.
    app.world_mut().entity_mut(unit).insert(PathRequest::along(preview.clone()));
    app.update();
    let walked = app.world().entity(unit).get::<AgentPath>().and_then(|path| path.path().cloned());
    assert_eq!(walked, Some(preview), "it walks the path that was shown");

    while app.world().entity(unit).contains::<PathRequest>() {
        app.update();
    }
    assert_eq!(app.world().entity(unit).get(), Some(&PathStatus::Arrived));
    Ok(())
}

fn spawn_level(mut commands: Commands) -> Result {
    let projection = NavProjection::square(Vec2::splat(16.0), Vec2::ZERO);
    commands.spawn((NavMap::default(), NavGrid::new(parse_ascii(LEVEL)?), projection));
    commands.spawn((PathAgent::default(), Transform::from_xyz(32.0, 16.0, 1.0)));
    Ok(())
}

/// Finds and draws the path to the pointer. Keep it for the click, in a resource for example.
fn show_preview(
    In(pointer): In<Vec2>,
    nav: NavQuery,
    unit: Single<&Transform, With<PathAgent>>,
) -> Result<Option<Path>> {
    let map = nav.only_map()?;
    let answer = map.find(unit.translation.truncate(), pointer)?;
    let path = answer.outcome.into_path(); // `None` without a path
    println!("The pointer is at {pointer}:\n\n{}\n", to_ascii(map.grid().grid(), path.as_ref()));
    if let Some(path) = &path {
        let line = map.points(path); // in the world, for `gizmos.linestrip_2d(line, color)`
        println!("{} steps, {} points to draw, cost {}.\n", path.steps(), line.len(), path.cost());
    }
    Ok(path)
}

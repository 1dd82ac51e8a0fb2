//! Woodcutters fell trees and return to the hall: `PathGoal::beside`.
//!
//! A tree is a wall, so no unit can stand on its cell.
//!
//! `cargo run --example beside`
//!
//! Guide: `docs/guide/src/05-goals-that-move.md`.

#![expect(clippy::print_stdout, reason = "printing is what an example is for")]

use bevy::{prelude::*, time::TimeUpdateStrategy};
use bevy_tilepath::{events::StopReached, prelude::*, tilepath::Grid};

#[derive(Resource, Default)]
struct Logs(u32);

fn main() -> Result {
    let mut app = App::new();
    app.add_plugins((MinimalPlugins, TilepathPlugin::default()))
        .insert_resource(TimeUpdateStrategy::FixedTimesteps(1))
        .init_resource::<Logs>()
        .add_observer(bring_in);
    let corner = NavProjection::square(Vec2::ONE, Vec2::splat(0.5)); // cell (0, 0) from (0, 0) to (1, 1)
    app.world_mut().spawn((NavMap::default(), NavGrid::new(Grid::new(24, 12, 1)?), corner));
    // A hall of three by two cells, and a tree. Both are walls.
    let block = |x: f32, y: f32, size: Vec2| (Obstacle { size, ..default() }, Transform::from_xyz(x, y, 0.0));
    let hall = app.world_mut().spawn(block(4.5, 6.0, Vec2::new(3.0, 2.0))).id();
    let tree = app.world_mut().spawn(block(20.5, 3.5, Vec2::ONE)).id();
    app.update();

    let cutter = app
        .world_mut()
        .spawn((
            PathAgent { speed: 12.0.into(), ..default() },
            Transform::from_xyz(10.5, 0.5, 0.0),
            PathRequest::to(PathGoal::beside(tree)).then(PathGoal::beside(hall)).looped(),
        ))
        .id();
    for _ in 0..1000 {
        app.update();
    }
    let Logs(logs) = *app.world().resource::<Logs>();
    println!("{logs} logs lie at the hall.");
    assert!(logs >= 3);

    // If no path leads to a cell beside the goal, the order fails with a reason.
    app.world_mut().entity_mut(cutter).insert(PathRequest::to(PathGoal::beside(Cell::new(99, 99))));
    app.update();
    let Some(PathStatus::Failed(reason)) = app.world().get::<PathStatus>(cutter) else {
        panic!("there is no such tree")
    };
    println!("There is no tree at (99, 99): {reason}.");
    Ok(())
}

fn bring_in(reached: On<StopReached>, mut logs: ResMut<Logs>) {
    println!("Stop {} is reached at {}.", reached.index, reached.place);
    logs.0 += u32::from(reached.index == 1);
}

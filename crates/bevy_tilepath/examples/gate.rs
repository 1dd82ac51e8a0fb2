//! A gate opens a better path for a courier: `with_tolerance`.
//!
//! The courier takes it if it is better by more than the tolerance.
//!
//! `cargo run --example gate`
//!
//! Guide: `docs/guide/src/03-walls-that-change.md`.

#![expect(clippy::print_stdout, reason = "printing is what an example is for")]

use bevy::{prelude::*, time::TimeUpdateStrategy};
use bevy_tilepath::{TilepathDiagnostics, prelude::*, tilepath::format::parse_ascii};

const WALL: &str = "
    ..........#.........
    ..........#.........
    ..........#.........
    ..........#.........
    ..........#.........
    ....................
";
const GATE: Cell = Cell::new(10, 5);
const MARKET: Cell = Cell::new(19, 5);

fn main() -> Result {
    for (name, tolerance, is_taken) in
        [("The courier", 0.1, true), ("The mule", 0.5, false), ("The clerk", f32::INFINITY, false)]
    {
        let mut app = App::new();
        app.add_plugins((MinimalPlugins, TilepathPlugin::default()))
            .insert_resource(TimeUpdateStrategy::FixedTimesteps(1));
        let corner = NavProjection::square(Vec2::ONE, Vec2::splat(0.5)); // cell (0, 0) from (0, 0) to (1, 1)
        let map = app.world_mut().spawn((NavMap::default(), NavGrid::new(parse_ascii(WALL)?), corner)).id();
        let order = PathRequest::to_cell(MARKET).with_tolerance(tolerance);
        let agent = PathAgent { speed: 4.0.into(), ..default() };
        let walker = app.world_mut().spawn((agent, Transform::from_xyz(0.5, 5.5, 0.0), order)).id();
        for _ in 0..3 {
            app.update();
        }
        let around = left(&app, walker);

        if let Some(mut grid) = app.world_mut().get_mut::<NavGrid>(map) {
            grid.set_terrain(GATE, 1)?;
        }
        app.update();
        let now = left(&app, walker);
        println!("{name} had {around} to go, the gate opens, and now it has {now}.");
        assert_eq!(now < around, is_taken);

        // Looking for a better path costs nothing while the map does not change.
        app.update();
        assert_eq!(app.world().resource::<TilepathDiagnostics>().work, 0);
    }
    Ok(())
}

fn left(app: &App, walker: Entity) -> u32 {
    app.world().get::<AgentPath>(walker).map_or(0, |path| path.remaining_cost().get())
}

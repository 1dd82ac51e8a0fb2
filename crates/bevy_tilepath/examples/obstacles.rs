//! A building blocks a path, and the unit finds another by itself.
//!
//! Then the building is torn down.
//!
//! `cargo run --example obstacles`
//!
//! Guide: `docs/guide/src/03-walls-that-change.md`.

#![expect(clippy::print_stdout, reason = "printing is what an example is for")]

use bevy::{prelude::*, time::TimeUpdateStrategy};
use bevy_tilepath::{
    events::Replanned,
    prelude::*,
    tilepath::{Grid, format::to_ascii},
};

const TILE: f32 = 16.0;

fn main() -> Result {
    let mut app = App::new();
    app.add_plugins((MinimalPlugins, TilepathPlugin::default()))
        .insert_resource(TimeUpdateStrategy::FixedTimesteps(1))
        .add_systems(Startup, spawn_level)
        .add_observer(|found: On<PathFound>| println!("Found a path that costs {}:", found.route_cost))
        .add_observer(|_: On<PathBlocked>| println!("The path is blocked."))
        .add_observer(|replanned: On<Replanned>| {
            println!("From here a new path costs {}:", replanned.route_cost);
        })
        .add_observer(|_: On<Arrived>| println!("Arrived."));
    app.update(); // runs `Startup`
    for _ in 0..20 {
        app.update();
    }
    let straight = app.world_mut().run_system_cached(draw)?;

    println!("A house goes up.");
    // Two by two tiles. It blocks every cell under it. Its place is its `Transform`.
    let size = Vec2::splat(2.0 * TILE);
    let transform = Transform::from_xyz(6.5 * TILE, 1.5 * TILE, 0.0);
    let house = app.world_mut().spawn((Obstacle { size, ..default() }, transform)).id();
    app.update();
    let round_the_house = app.world_mut().run_system_cached(draw)?;
    assert!(straight.contains(&Cell::new(6, 2)));
    assert!(!round_the_house.contains(&Cell::new(6, 2)), "the new path leads round the house");

    let mut units = app.world_mut().query::<(Entity, &PathStatus)>();
    let (unit, _) = units.single(app.world())?;
    while app.world().entity(unit).contains::<PathRequest>() {
        app.update();
    }
    assert_eq!(units.single(app.world())?.1, &PathStatus::Arrived);

    println!("The house is torn down, and its cells are open again.");
    app.world_mut().despawn(house);
    app.update();
    let mut maps = app.world_mut().query::<&NavGrid>();
    assert_eq!(maps.single(app.world())?.terrain(Cell::new(6, 1)), Some(1));
    Ok(())
}

fn spawn_level(mut commands: Commands) -> Result {
    let projection = NavProjection::square(Vec2::splat(TILE), Vec2::ZERO);
    commands.spawn((NavMap::default(), NavGrid::new(Grid::new(12, 5, 1)?), projection));
    commands.spawn((
        PathAgent { speed: 96.0.into(), ..default() },
        Transform::from_xyz(0.0, 2.0 * TILE, 1.0),
        PathRequest::to_position(Vec2::new(11.0, 2.0) * TILE),
    ));
    Ok(())
}

/// Draws the path of the unit and returns the cells ahead.
fn draw(map: Single<&NavGrid>, unit: Single<&AgentPath>) -> Vec<Cell> {
    println!("\n{}\n", to_ascii(map.grid(), unit.path()));
    unit.remaining_cells().to_vec()
}

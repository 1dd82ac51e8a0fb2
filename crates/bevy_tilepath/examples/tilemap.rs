//! A `bevy_ecs_tilemap` tilemap with `Terrain` on its tiles.
//!
//! An order fails at a closed gate. The gate opens, and the order is given again.
//!
//! `cargo run --example tilemap`
//!
//! Guide: `docs/guide/src/02-terrain-and-movements.md`.

#![expect(clippy::print_stdout, reason = "printing is what an example is for")]

use bevy::{prelude::*, time::TimeUpdateStrategy};
use bevy_ecs_tilemap::prelude::*;
use bevy_tilepath::{prelude::*, tilepath::format::to_ascii};

const SIZE: TilemapSize = TilemapSize::new(12, 5);
const GATE: TilePos = TilePos::new(6, 2);
const GOAL: TilePos = TilePos::new(10, 4);

#[derive(Component)]
struct Gate;

fn main() -> Result {
    let mut app = App::new();
    // A game with a window also adds `TilemapPlugin`, which draws the tiles. Pathfinding does not
    // need it.
    app.add_plugins((MinimalPlugins, TilepathPlugin::default()))
        .insert_resource(TimeUpdateStrategy::FixedTimesteps(1))
        .add_systems(Startup, spawn_level)
        .add_observer(|failed: On<PathFailed>| println!("No path: {}.\n", failed.reason))
        .add_observer(print_path)
        .add_observer(|_: On<Arrived>| println!("Arrived."));
    app.update(); // runs `Startup`
    app.update(); // the first tick reads the tiles and answers the order

    let mut soldiers = app.world_mut().query::<(Entity, &PathStatus)>();
    let (soldier, status) = soldiers.single(app.world())?;
    assert_eq!(status, &PathStatus::Failed(PathFailure::Unreachable));

    println!("The gate opens.\n");
    app.world_mut().run_system_cached(open_gate)?;
    app.world_mut().entity_mut(soldier).insert(PathRequest::to_tile(GOAL));
    while app.world().entity(soldier).contains::<PathRequest>() {
        app.update();
    }
    assert_eq!(soldiers.single(app.world())?.1, &PathStatus::Arrived);
    Ok(())
}

fn spawn_level(mut commands: Commands) {
    let tilemap = commands.spawn_empty().id();
    let mut storage = TileStorage::empty(SIZE);
    for x in 0..SIZE.x {
        for y in 0..SIZE.y {
            let position = TilePos::new(x, y);
            let is_wall = x == GATE.x; // a wall across the map, with the gate in it
            let terrain = if is_wall { Terrain::WALL } else { Terrain::OPEN };
            let bundle = TileBundle { position, tilemap_id: TilemapId(tilemap), ..default() };
            let tile = commands.spawn((bundle, terrain)).id();
            if position == GATE {
                commands.entity(tile).insert(Gate);
            }
            storage.set(&position, tile);
        }
    }
    let tile_size = TilemapTileSize { x: 16.0, y: 16.0 };
    commands.entity(tilemap).insert((
        TilemapBundle { size: SIZE, storage, tile_size, grid_size: tile_size.into(), ..default() },
        NavMap::default(), // units may walk here
    ));

    // With the default anchor, the centre of tile (0, 0) is at the position of the tilemap.
    commands.spawn((
        PathAgent { speed: 96.0.into(), ..default() },
        Transform::from_xyz(16.0, 16.0, 1.0),
        PathRequest::to_tile(GOAL),
    ));
}

/// Opens the gate. The map follows a changed tile in the next tick by itself.
fn open_gate(mut gate: Single<&mut Terrain, With<Gate>>) {
    **gate = Terrain::OPEN;
}

fn print_path(found: On<PathFound>, paths: Query<&AgentPath>, map: Single<&NavGrid>) -> Result {
    println!("{}\n", to_ascii(map.grid(), paths.get(found.entity)?.path()));
    Ok(())
}

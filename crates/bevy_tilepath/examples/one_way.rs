//! Edges of tiles: `OneWay` and `Fence`.
//!
//! A unit slides down a `OneWay` edge but does not climb it. A `Fence` closes an edge.
//! `NavView::why` explains both to the player.
//!
//! `cargo run --example one_way`
//!
//! Guide: `docs/guide/src/02-terrain-and-movements.md`.

#![expect(clippy::print_stdout, reason = "printing is what an example is for")]

use bevy::prelude::*;
use bevy_ecs_tilemap::prelude::*;
use bevy_tilepath::{
    maps::{Fence, OneWay},
    prelude::*,
    tilepath::Direction,
};

const SIZE: TilemapSize = TilemapSize::new(5, 2);
/// A unit may slide down from here to the east, but not climb back.
const SLIDE: TilePos = TilePos::new(1, 0);
/// A fence closes this edge.
const FENCE: TilePos = TilePos::new(1, 1);

fn main() -> Result {
    let mut app = App::new();
    app.add_plugins((MinimalPlugins, TilepathPlugin::default())).add_systems(Startup, spawn_level);
    app.update();
    sync_maps_now(app.world_mut())?;

    let [there, back]: [String; 2] = app.world_mut().run_system_cached(ask)?;
    println!("There: {there}\nBack:  {back}");
    assert_eq!(there, "The cheapest path takes 4 steps and costs 40. It sets out to the right.");
    assert!(back.starts_with("No path leads there, whatever opens: edges that cannot be crossed"));
    Ok(())
}

fn spawn_level(mut commands: Commands) {
    let tilemap = commands.spawn_empty().id();
    let mut storage = TileStorage::empty(SIZE);
    for position in (0..SIZE.x).flat_map(|x| (0..SIZE.y).map(move |y| TilePos::new(x, y))) {
        let tile = commands.spawn(TileBundle { position, tilemap_id: TilemapId(tilemap), ..default() }).id();
        if position == SLIDE {
            commands.entity(tile).insert(OneWay(Direction::East));
        } else if position == FENCE {
            commands.entity(tile).insert(Fence(vec![Direction::East]));
        }
        storage.set(&position, tile);
    }
    let tile_size = TilemapTileSize { x: 16.0, y: 16.0 };
    commands.entity(tilemap).insert((
        TilemapBundle { size: SIZE, storage, tile_size, grid_size: tile_size.into(), ..default() },
        NavMap::default(),
    ));
}

fn ask(nav: NavQuery) -> Result<[String; 2]> {
    let (west, east) = (TilePos::new(0, 0), TilePos::new(4, 0));
    let ground = |_| "grass".to_owned();
    let map = nav.only_map()?;
    Ok([map.why(west, east, ground)?, map.why(east, west, ground)?])
}

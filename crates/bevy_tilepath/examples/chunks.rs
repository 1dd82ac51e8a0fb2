//! A world of chunks: tilemaps that appear before a unit and vanish behind it.
//!
//! The map itself has no tilemap. It covers the tiles of its `NavLayer`s.
//!
//! `cargo run --example chunks`
//!
//! Guide: `docs/guide/src/09-chunks-tiled-ldtk.md`.

#![expect(clippy::print_stdout, reason = "printing is what an example is for")]

use std::collections::VecDeque;

use bevy::{prelude::*, time::TimeUpdateStrategy};
use bevy_ecs_tilemap::prelude::*;
use bevy_tilepath::{NavLayer, prelude::*};

/// Tiles on each side of a chunk.
const SIDE: u32 = 8;
/// The side of a tile in world units.
const TILE: f32 = 16.0;
const CHUNKS: i32 = 12;
/// The number of chunks at the same time.
const WINDOW: usize = 3;

fn main() -> Result {
    let mut app = App::new();
    app.add_plugins((MinimalPlugins, TilepathPlugin::default()))
        .insert_resource(TimeUpdateStrategy::FixedTimesteps(1))
        .add_observer(print_path);
    let map = app.world_mut().spawn((NavMap::default(), Transform::default())).id();
    let unit = app.world_mut().spawn((PathAgent::default(), Transform::from_xyz(0.0, 0.0, 1.0))).id();

    let mut chunks = VecDeque::new();
    for number in 0..CHUNKS {
        let chunk = spawn_chunk(&mut app.world_mut().commands(), map, number);
        app.world_mut().flush();
        chunks.push_back(chunk);
        if chunks.len() > WINDOW
            && let Some(behind) = chunks.pop_front()
        {
            app.world_mut().despawn(behind); // its tiles are its children
        }
        // The goal is the upper right corner of the newest chunk.
        let corner = TilePos::new(SIDE - 1, SIDE - 1);
        app.world_mut().entity_mut(unit).insert(PathRequest::to_tile_of(chunk, corner));
        while app.world().entity(unit).contains::<PathRequest>() {
            app.update();
        }
        assert_eq!(app.world().get::<PathStatus>(unit), Some(&PathStatus::Arrived));
    }

    app.update(); // the transform is a tick behind
    let place = app.world().get::<Transform>(unit).ok_or("the unit has a place")?.translation;
    assert_eq!(place.truncate(), Vec2::new((CHUNKS * SIDE as i32 - 1) as f32, SIDE as f32 - 1.0) * TILE);
    let grid = app.world().get::<NavGrid>(map).ok_or("the map has a grid")?;
    assert_eq!(grid.terrain(Cell::new(0, 0)), None, "the first chunk has left a void behind");
    println!("Walked through {CHUNKS} chunks; {WINDOW} of them were there at a time.");
    Ok(())
}

/// Spawns the chunk of this number, counted to the east: tiles, and a wall with a gap.
fn spawn_chunk(commands: &mut Commands, map: Entity, number: i32) -> Entity {
    let chunk = commands.spawn_empty().id();
    let size = TilemapSize::new(SIDE, SIDE);
    let mut storage = TileStorage::empty(size);
    let gap = (number * 5 + 3).rem_euclid(SIDE as i32) as u32;
    for (x, y) in (0..SIDE).flat_map(|y| (0..SIDE).map(move |x| (x, y))) {
        let position = TilePos::new(x, y);
        let terrain = if x == SIDE / 2 && y != gap { Terrain::WALL } else { Terrain::OPEN };
        let bundle = TileBundle { position, tilemap_id: TilemapId(chunk), ..default() };
        storage.set(&position, commands.spawn((bundle, terrain, ChildOf(chunk))).id());
    }
    // The offset is for the map, the transform for the picture. Both have the same place.
    let offset = IVec2::new(number * SIDE as i32, 0);
    let transform = Transform::from_translation((offset.as_vec2() * TILE).extend(0.0));
    let tile_size = TilemapTileSize { x: TILE, y: TILE };
    commands.entity(chunk).insert((
        TilemapBundle { size, storage, tile_size, grid_size: tile_size.into(), transform, ..default() },
        NavLayer::new(map).with_offset(offset),
    ));
    chunk
}

/// `*` is the path. A blank is void: no chunk covers it.
fn print_path(found: On<PathFound>, paths: Query<&AgentPath>, map: Single<&NavGrid>) -> Result {
    let way = paths.get(found.entity)?.path().ok_or("it is on tiles")?.cells();
    let east = way.last().ok_or("the path has a goal")?.x;
    println!("{} steps, seen from column {}:\n", way.len() - 1, east - 31);
    for y in (0..SIDE as i32).rev() {
        let row = (east - 31..=east).map(|x| Cell::new(x, y)).map(|cell| match map.terrain(cell) {
            _ if way.contains(&cell) => '*',
            None => ' ',
            Some(class) => ['#', '.'][usize::from(class)],
        });
        println!("    {}", row.collect::<String>());
    }
    Ok(())
}

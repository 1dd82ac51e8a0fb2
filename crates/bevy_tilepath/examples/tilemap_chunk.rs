//! Bevy's own `TilemapChunk` as a map: no tile is an entity, and no other crate draws them.
//!
//! Two chunks lie side by side. A bridge between them breaks while the unit walks.
//!
//! `cargo run --example tilemap_chunk`
//!
//! Guide: `docs/guide/src/09-chunks-tiled-ldtk.md`.

#![expect(clippy::print_stdout, reason = "printing is what an example is for")]

use bevy::{
    prelude::*,
    sprite_render::{
        TileData, TilemapChunk, TilemapChunkMaterial, TilemapChunkMeshCache, TilemapChunkTileData,
    },
    time::TimeUpdateStrategy,
};
use bevy_tilepath::{NavLayer, TextureTerrain, prelude::*, tilepath::format::to_ascii};

/// Tiles on each side of a chunk.
const SIDE: u32 = 8;
/// The side of a tile in world units.
const TILE: u32 = 16;

const WATER: u16 = 0;
const GRASS: u16 = 1;
const MUD: u16 = 2;

fn main() -> Result {
    let mut app = App::new();
    app.add_plugins((MinimalPlugins, TilepathPlugin::default()))
        .insert_resource(TimeUpdateStrategy::FixedTimesteps(1))
        .add_observer(|_: On<PathBlocked>| println!("The bridge breaks.\n"))
        .add_observer(|_: On<Arrived>| println!("Arrived."));
    // `DefaultPlugins` brings these for a game with a window. A chunk needs them to be spawned.
    app.init_resource::<TilemapChunkMeshCache>()
        .init_resource::<Assets<Mesh>>()
        .init_resource::<Assets<Image>>()
        .init_resource::<Assets<TilemapChunkMaterial>>();

    let map = app.world_mut().spawn((NavMap::default(), Transform::default())).id();
    spawn_chunk(app.world_mut(), map, 0);
    let east = spawn_chunk(app.world_mut(), map, 1);
    // The chunk is centred on its transform: tile (4, 4) begins there.
    let unit = app.world_mut().spawn((
        PathAgent { speed: 96.0.into(), ..default() },
        Transform::from_xyz(8.0, 24.0, 1.0), // in tile (4, 5)
        PathRequest::to_cell(Cell::new(14, 5)),
    ));
    let unit = unit.id();
    let crossed = |app: &App, cell| {
        let path = app.world().get::<AgentPath>(unit)?.path()?;
        let grid = app.world().get::<NavGrid>(map)?.grid();
        println!("{}\n", to_ascii(grid, Some(path)));
        Some(path.cells().contains(&cell))
    };
    app.update(); // starts
    app.update(); // the first tick reads the chunks and answers the order
    assert_eq!(crossed(&app, Cell::new(10, 5)), Some(true), "over the near bridge");

    // Change the data as for drawing. The next tick compares it with what was read before.
    let mut tiles = app.world_mut().get_mut::<TilemapChunkTileData>(east).ok_or("the chunk is there")?;
    tiles[tile_index(2, 5)] = Some(TileData::from_tileset_index(WATER));
    app.update();
    assert_eq!(crossed(&app, Cell::new(10, 1)), Some(true), "over the far bridge");

    while app.world().entity(unit).contains::<PathRequest>() {
        app.update();
    }
    assert_eq!(app.world().get::<PathStatus>(unit), Some(&PathStatus::Arrived));
    Ok(())
}

/// Spawns the chunk of this number, counted to the east. A river runs through chunk 1.
fn spawn_chunk(world: &mut World, map: Entity, number: i32) -> Entity {
    let mut tiles = vec![Some(TileData::from_tileset_index(GRASS)); (SIDE * SIDE) as usize];
    if number == 1 {
        for y in 0..SIDE {
            let is_bridge = y == 1 || y == 5;
            tiles[tile_index(2, y)] = Some(TileData::from_tileset_index(if is_bridge { MUD } else { WATER }));
        }
    }
    // The offset is for the map, the transform for the picture. Both have the same place.
    let offset = IVec2::new(number * SIDE as i32, 0);
    let place = (offset * TILE as i32).as_vec2();
    let chunk = TilemapChunk {
        chunk_size: UVec2::splat(SIDE),
        tile_display_size: UVec2::splat(TILE),
        ..default() // a game with a window sets `tileset`
    };
    let layer = NavLayer::new(map).with_offset(offset);
    let classes = TextureTerrain::new([(WATER.into(), 0), (GRASS.into(), 1), (MUD.into(), 3)]);
    let transform = Transform::from_translation(place.extend(0.0));
    world.spawn((chunk, TilemapChunkTileData(tiles), layer, classes, transform)).id()
}

fn tile_index(x: u32, y: u32) -> usize {
    (y * SIDE + x) as usize
}

//! Tiles as entities.

use bevy_app::App;
use bevy_ecs::{entity::Entity, world::World};
use bevy_ecs_tilemap::prelude::*;
use bevy_math::IVec2;
use bevy_tilepath::{Cell, NavGrid, NavLayer, NavMap, Terrain, tilepath::PathQuery};
use bevy_transform::components::Transform;

use crate::{
    apps::{CELL, Stage, app},
    scenes::Scene,
};

/// The side of a chunk, in tiles.
const CHUNK: u32 = 64;

/// Returns all scenes with tiles that change.
pub(crate) fn scenes() -> Vec<Scene> {
    let staggered = TilemapType::Isometric(IsoCoordSystem::Staggered);
    let rows = TilemapType::Hexagon(HexCoordSystem::RowOdd);
    let columns = TilemapType::Hexagon(HexCoordSystem::ColumnOdd);
    let kinds = [
        ("square", TilemapType::Square),
        ("staggered", staggered),
        ("hexagons in rows", rows),
        ("hexagons in columns", columns),
    ];
    let mut scenes = Vec::new();
    for (width, height) in [(512, 512), (1000, 100), (100, 1000)] {
        for (kind, tilemap_type) in kinds {
            scenes.push(Scene {
                name: format!("{width} by {height} tiles are read, {kind}"),
                build: Box::new(move || Stage::left_alone(tiles(width, height, tilemap_type))),
                warm_up: 0,
                ticks: 1,
                ends_with_the_queue: false,
            });
        }
    }
    for (name, inside) in [
        ("a chunk of 64 by 64 appears within the rectangle", true),
        ("the rectangle grows by a chunk", false),
    ] {
        scenes.push(Scene {
            name: name.to_owned(),
            build: Box::new(move || chunks(inside)),
            warm_up: 9,
            ticks: 80,
            ends_with_the_queue: false,
        });
    }
    scenes
}

/// Makes a square tilemap with this side, in which nothing changes.
pub(crate) fn idle_tiles(side: u32) -> App {
    tiles(side, side, TilemapType::Square)
}

fn tiles(width: u32, height: u32, tilemap_type: TilemapType) -> App {
    let mut app = app();
    let map = app
        .world_mut()
        .spawn((NavMap::default(), geometry(width, height, tilemap_type), TilemapAnchor::BottomLeft))
        .id();
    spawn_tiles(app.world_mut(), map, width, height);
    app
}

fn geometry(width: u32, height: u32, tilemap_type: TilemapType) -> impl bevy_ecs::bundle::Bundle {
    let tile_size = TilemapTileSize { x: CELL, y: CELL };
    (
        TilemapSize::new(width, height),
        tile_size,
        TilemapGridSize::from(tile_size),
        tilemap_type,
        Transform::default(),
    )
}

fn spawn_tiles(world: &mut World, tilemap: Entity, width: u32, height: u32) -> Vec<Entity> {
    let tiles: Vec<_> = (0..width * height)
        .map(|index| {
            (TilePos::new(index % width, index / width), TilemapId(tilemap), TileTextureIndex(0), Terrain(1))
        })
        .collect();
    world.spawn_batch(tiles).collect()
}

/// Builds a scene of 8 by 8 chunks with a hole, with a query in each tick. A chunk appears in each
/// eighth tick and leaves four ticks later. It appears in the hole, or beside the world.
fn chunks(inside: bool) -> Stage {
    let mut app = app();
    let map = app.world_mut().spawn((NavMap::default(), Transform::default())).id();
    let hole = IVec2::splat(4);
    for place in (0..8).flat_map(|y| (0..8).map(move |x| IVec2::new(x, y))).filter(|&place| place != hole) {
        spawn_chunk(app.world_mut(), map, place);
    }
    app.update();
    let mut present: Option<(Entity, Vec<Entity>)> = None;
    let mut count = 0;
    let before_tick = move |world: &mut World, tick: u32| {
        if tick % 8 == 4
            && let Some((tilemap, tiles)) = present.take()
        {
            for entity in tiles.into_iter().chain([tilemap]) {
                world.despawn(entity);
            }
        }
        if tick.is_multiple_of(8) {
            // Outside, most chunks are farther out than the last one. The map must grow, because
            // the room of the last chunk is too small.
            count += 1;
            let place = if inside { hole } else { IVec2::new(8 << (count % 3), 0) };
            present = Some(spawn_chunk(world, map, place));
        }
        let finder = world.get::<NavGrid>(map).expect("the map stays").finder();
        let query = PathQuery::new(Cell::new(1, 1), Cell::new(500, 500));
        finder.is_reachable(&query).expect("both are on the map");
    };
    Stage { app, before_tick: Box::new(before_tick) }
}

fn spawn_chunk(world: &mut World, map: Entity, place: IVec2) -> (Entity, Vec<Entity>) {
    let offset = place * CHUNK as i32;
    let tilemap = world.spawn(geometry(CHUNK, CHUNK, TilemapType::Square)).id();
    let at = Transform::from_translation((offset.as_vec2() * CELL).extend(0.0));
    world.entity_mut(tilemap).insert((NavLayer::new(map).with_offset(offset), at));
    let tiles = spawn_tiles(world, tilemap, CHUNK, CHUNK);
    (tilemap, tiles)
}

//! Worlds of chunks: tilemaps that are added to a map and removed from it.

use std::collections::{HashMap, hash_map::Entry};

use bevy::prelude::*;
use bevy_ecs_tilemap::prelude::*;
use bevy_tilepath::{
    Cell, NavGrid, NavLayer, NavMap, NavProjection, Obstacle, Terrain,
    maps::{Lattice, lattice_of},
};
use rand::Rng;
use testkit::Seed;

use crate::harness::*;

const SIDE: u32 = 4;
const GRID_SIZE: TilemapGridSize = TilemapGridSize { x: 20.0, y: 14.0 };

/// A map without a tilemap of its own.
fn chunked_map(game: &mut Game) -> Entity {
    game.world_mut().spawn((NavMap::default(), Transform::from_xyz(11.0, 3.0, 0.0))).id()
}

/// Spawns a chunk of tiles of one class, at the place of its offset.
fn chunk(game: &mut Game, map: Entity, tilemap_type: TilemapType, tile: IVec2, class: u8) -> Entity {
    let lattice = lattice_of(tilemap_type);
    let layer = NavLayer::new(map).with_tile_offset(lattice, tile);
    let projection = NavProjection::new(lattice, GRID_SIZE.into(), Vec2::ZERO);
    let place = projection.position_of(Cell::new(layer.offset.x, layer.offset.y)) + Vec2::new(11.0, 3.0);
    let transform = Transform::from_translation(place.extend(0.0));
    let size = TilemapSize::new(SIDE, SIDE);
    let tilemap = game.world_mut().spawn((layer, size, GRID_SIZE, tilemap_type, transform)).id();
    for (x, y) in (0..SIDE).flat_map(|y| (0..SIDE).map(move |x| (x, y))) {
        let tile = game.spawn_tile(tilemap, TilePos::new(x, y), Some(class));
        game.world_mut().entity_mut(tile).insert(ChildOf(tilemap));
    }
    tilemap
}

fn cells(lattice: Lattice, tile: IVec2) -> impl Iterator<Item = Cell> {
    let offset = lattice.cell_of(tile.into());
    (0..SIDE as i32).flat_map(move |y| (0..SIDE as i32).map(move |x| (x, y))).map(move |tile| {
        let cell = lattice.cell_of(tile);
        Cell::new(cell.x + offset.x, cell.y + offset.y)
    })
}

#[test]
fn chunks_come_and_go_on_every_side() {
    for tilemap_type in TYPES {
        let lattice = lattice_of(tilemap_type);
        let mut game = Game::new();
        let map = chunked_map(&mut game);
        game.tick();
        assert!(!game.is_ready(map), "the map has no tilemap yet");
        let mut random = Seed::named("chunks").generator();
        let mut present: HashMap<IVec2, (Entity, u8)> = HashMap::new();
        let mut generations = Vec::new();
        let logs = logs_of(|| {
            for step in 0..60 {
                let place =
                    IVec2::new(random.random_range(-40..40), random.random_range(-40..40)) * SIDE as i32;
                if step > 40 || present.len() > 12 {
                    let place = *present.keys().min_by_key(|place| (place.x, place.y)).unwrap();
                    let (chunk, _) = present.remove(&place).unwrap();
                    game.world_mut().despawn(chunk);
                } else if let Entry::Vacant(free) = present.entry(place) {
                    let class = random.random_range(1..200);
                    free.insert((chunk(&mut game, map, tilemap_type, place, class), class));
                }
                game.tick();
                if present.is_empty() {
                    break;
                }
                let expected: HashMap<Cell, u8> = present
                    .iter()
                    .flat_map(|(&place, &(_, class))| cells(lattice, place).map(move |cell| (cell, class)))
                    .collect();
                let grid = game.world().get::<NavGrid>(map).unwrap();
                let found: HashMap<Cell, u8> =
                    grid.bounds().cells().filter_map(|cell| Some((cell, grid.terrain(cell)?))).collect();
                assert_eq!(found, expected, "{tilemap_type:?} after {step}");
                generations.push(grid.generation());
                let projection = game.world().get::<NavProjection>(map).unwrap();
                let origin = projection.world_position_of(Cell::new(0, 0));
                assert!(origin.distance(Vec2::new(11.0, 3.0)) < 0.05, "{origin}");
            }
        });
        assert_eq!(logs, Vec::<String>::new(), "{tilemap_type:?}");
        generations.dedup();
        assert_eq!(generations.len(), 1, "the grid was replaced");
    }
}

#[test]
fn tiles_without_a_class_are_ground_where_no_chunk_has_a_class() {
    let mut game = Game::new();
    let map = chunked_map(&mut game);
    let ground = chunk(&mut game, map, TilemapType::Square, IVec2::ZERO, 3);
    let tiles: Vec<Entity> = game.world().get::<Children>(ground).unwrap().to_vec();
    game.world_mut().entity_mut(tiles[0]).remove::<Terrain>();
    game.world_mut().despawn(tiles[1]);
    game.world_mut().despawn(tiles[2]);
    let roof = chunk(&mut game, map, TilemapType::Square, IVec2::ZERO, 1);
    game.world_mut().entity_mut(roof).insert(NavLayer::new(map).with_order(1));
    let tiles = game.world().get::<Children>(roof).unwrap().to_vec();
    for &tile in &tiles {
        game.world_mut().entity_mut(tile).remove::<Terrain>();
    }
    game.world_mut().despawn(tiles[2]);
    game.tick();
    game.assert_map(map, "3333\n3333\n3333\n..#3");
}

#[test]
fn overlapping_chunks_are_reported_once_and_a_wall_wins() {
    let mut game = Game::new();
    let map = chunked_map(&mut game);
    for (x, class) in [(0, 3), (2, 0), (3, 200), (-2, 5)] {
        chunk(&mut game, map, TilemapType::Square, IVec2::new(x, 0), class);
    }
    let logs = logs_of(|| (0..3).for_each(|_| game.tick()));
    assert_eq!(logs.len(), 1, "{logs:?}");
    assert!(logs[0].contains(&map.to_string()) && logs[0].contains("overlap"), "{logs:?}");
    let grid = game.world().get::<NavGrid>(map).unwrap();
    let row: Vec<u8> = (-2..7).map(|x| grid.terrain(Cell::new(x, 0)).unwrap()).collect();
    assert_eq!(row, [5, 5, 5, 5, 0, 0, 0, 0, 200]);
}

#[test]
fn misplaced_layer_is_reported_once() {
    let mut game = Game::new();
    let map = chunked_map(&mut game);
    chunk(&mut game, map, TilemapType::Square, IVec2::ZERO, 1);
    let lost = chunk(&mut game, map, TilemapType::Square, IVec2::new(4, 0), 2);
    game.world_mut().get_mut::<Transform>(lost).unwrap().translation.x += 5.0;
    let logs = logs_of(|| (0..3).for_each(|_| game.tick()));
    assert_eq!(logs.len(), 1, "{logs:?}");
    assert!(logs[0].contains(&lost.to_string()) && logs[0].contains("0.25 by 0"), "{logs:?}");
    let grid = game.world().get::<NavGrid>(map).unwrap();
    assert_eq!(grid.terrain(Cell::new(4, 0)), Some(2), "the offset counts");
}

#[test]
fn offsets_past_the_limits_are_refused_and_the_rest_stays() {
    let mut game = Game::new();
    let map = chunked_map(&mut game);
    chunk(&mut game, map, TilemapType::Square, IVec2::ZERO, 1);
    game.tick();
    let before = game.drawing(map);
    for far in [IVec2::new(70_000, 0), IVec2::MAX, IVec2::MIN, IVec2::new(20_000, 20_000)] {
        let size = TilemapSize::new(1, 1);
        let layer = NavLayer::new(map).with_offset(far);
        let chunk = game.world_mut().spawn((layer, size, GRID_SIZE, Transform::default())).id();
        let logs = logs_of(|| (0..3).for_each(|_| game.tick()));
        let told = logs.iter().filter(|log| log.contains("cannot be searched")).count();
        assert_eq!(told, 1, "{logs:?}");
        assert_eq!(game.drawing(map), before);
        game.world_mut().despawn(chunk);
    }
}

#[test]
fn obstacles_stay_while_the_map_grows_and_chunks_under_them_go() {
    let mut game = Game::new();
    let map = chunked_map(&mut game);
    let first = chunk(&mut game, map, TilemapType::Square, IVec2::ZERO, 2);
    let here = Transform::from_xyz(11.0 + 20.0, 3.0 + 14.0, 0.0);
    let building = game.world_mut().spawn((Obstacle { size: Vec2::ONE, ..default() }, here)).id();
    game.tick();
    let at = |game: &Game| game.world().get::<NavGrid>(map).unwrap().terrain(Cell::new(1, 1));
    assert_eq!(at(&game), Some(0));
    for x in [-100, 300] {
        chunk(&mut game, map, TilemapType::Square, IVec2::new(x, 40), 2);
        game.tick();
        assert_eq!(at(&game), Some(0));
    }
    game.world_mut().despawn(first);
    game.tick();
    assert_eq!(at(&game), None);
    let again = chunk(&mut game, map, TilemapType::Square, IVec2::ZERO, 7);
    game.tick();
    assert_eq!(at(&game), Some(0));
    game.world_mut().despawn(building);
    game.tick();
    assert_eq!(at(&game), Some(7));
    game.world_mut().despawn(again);
    game.tick();
    assert_eq!(at(&game), None);
}

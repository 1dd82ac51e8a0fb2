//! A map of tile entities.

use bevy_ecs::{component::Component, entity::Entity, world::World};
use bevy_ecs_tilemap::prelude::*;
use bevy_math::Vec2;
use bevy_tilepath::{Diagonals, NavMap, Terrain, maps::tilemap_type_of};
use bevy_transform::components::Transform;
use rand::Rng;
use rand_chacha::ChaCha8Rng;

use crate::level::{SIDE, Style};

/// The width of a tile.
const TILE: f32 = 16.0;
/// At first, one tile in this number is a wall.
const WALLS: u32 = 6;

/// A tilemap and its tiles, in the order of spawning.
#[derive(Debug)]
pub(crate) struct Tilemap {
    map: Entity,
    tiles: Vec<Entity>,
}

impl Tilemap {
    pub(crate) fn spawn(world: &mut World, random: &mut ChaCha8Rng, style: Style, at: Vec2) -> Self {
        let size = TilemapSize::new(SIDE, SIDE);
        let tile_size = TilemapTileSize { x: TILE, y: TILE };
        let map = world
            .spawn((
                style.map(Diagonals::ALL[random.random_range(0..4)]),
                size,
                tile_size,
                TilemapGridSize::from(tile_size),
                tilemap_type_of(style.lattice).expect("the tilemap crate draws all lattices"),
                TilemapAnchor::BottomLeft,
                Transform::from_translation(at.extend(0.0)),
            ))
            .id();
        let mut tilemap = Self { map, tiles: Vec::new() };
        for y in 0..SIDE {
            for x in 0..SIDE {
                let tile = tilemap.spawn_tile(world, random, TilePos::new(x, y));
                tilemap.tiles.push(tile);
            }
        }
        tilemap
    }

    pub(crate) fn map(&self) -> Entity {
        self.map
    }

    fn spawn_tile(&self, world: &mut World, random: &mut ChaCha8Rng, position: TilePos) -> Entity {
        let class = if random.random_ratio(1, WALLS) { 0 } else { random.random_range(1..5) };
        world.spawn((position, TilemapId(self.map), TileTextureIndex(0), Terrain(class))).id()
    }

    /// Changes, removes, adds back or moves a random tile.
    pub(crate) fn change(&mut self, world: &mut World, random: &mut ChaCha8Rng) {
        let index = random.random_range(0..self.tiles.len());
        let tile = self.tiles[index];
        let position = TilePos::new(index as u32 % SIDE, index as u32 / SIDE);
        let is_there = world.get_entity(tile).is_ok();
        match random.random_range(0..6) {
            _ if !is_there => self.tiles[index] = self.spawn_tile(world, random, position),
            0 => _ = world.despawn(tile),
            1 => {
                let to = TilePos::new(random.random_range(0..SIDE), random.random_range(0..SIDE));
                world.entity_mut(tile).insert(to);
            }
            2 => _ = world.entity_mut(tile).insert(position),
            _ => {
                let class = if random.random_bool(0.3) { 0 } else { random.random_range(1..5) };
                world.entity_mut(tile).insert(Terrain(class));
            }
        }
    }

    /// Spawns the tilemap and its tiles in another world, as a game that loads a level does.
    pub(crate) fn spawn_again(&mut self, before: &World, world: &mut World) -> (Entity, Entity) {
        let old = std::mem::replace(&mut self.map, world.spawn_empty().id());
        copy::<NavMap>(before, old, world, self.map);
        copy::<TilemapSize>(before, old, world, self.map);
        copy::<TilemapTileSize>(before, old, world, self.map);
        copy::<TilemapGridSize>(before, old, world, self.map);
        copy::<TilemapType>(before, old, world, self.map);
        copy::<TilemapAnchor>(before, old, world, self.map);
        copy::<Transform>(before, old, world, self.map);
        for tile in &mut self.tiles {
            let again = world.spawn_empty().id();
            if before.get_entity(*tile).is_ok() {
                copy::<Terrain>(before, *tile, world, again);
                copy::<TileTextureIndex>(before, *tile, world, again);
                copy::<TilePos>(before, *tile, world, again);
                world.entity_mut(again).insert(TilemapId(self.map));
            } else {
                world.despawn(again);
            }
            *tile = again;
        }
        (old, self.map)
    }

    /// Despawns the tiles. The map itself belongs to the level.
    pub(crate) fn despawn(self, world: &mut World) {
        for tile in self.tiles {
            if world.get_entity(tile).is_ok() {
                world.despawn(tile);
            }
        }
    }
}

fn copy<C: Component + Clone>(before: &World, from: Entity, world: &mut World, to: Entity) {
    if let Some(component) = before.get::<C>(from) {
        world.entity_mut(to).insert(component.clone());
    }
}

//! Tilemaps from pictures.

use bevy::prelude::*;
use bevy_ecs_tilemap::prelude::*;
use bevy_tilepath::{NavLayer, NavMap, Terrain};

use super::{game::Game, rows};

/// All nine types of tilemap.
pub(crate) const TYPES: [TilemapType; 9] = [
    TilemapType::Square,
    TilemapType::Isometric(IsoCoordSystem::Diamond),
    TilemapType::Isometric(IsoCoordSystem::Staggered),
    TilemapType::Hexagon(HexCoordSystem::Row),
    TilemapType::Hexagon(HexCoordSystem::RowOdd),
    TilemapType::Hexagon(HexCoordSystem::RowEven),
    TilemapType::Hexagon(HexCoordSystem::Column),
    TilemapType::Hexagon(HexCoordSystem::ColumnOdd),
    TilemapType::Hexagon(HexCoordSystem::ColumnEven),
];

/// The size of the tiles of [`Game::tilemap`].
pub(crate) const TILE: f32 = 16.0;

impl Game {
    /// Spawns a tilemap with [`NavMap`] from a picture. `.` is a tile of class 1, `#` is a wall,
    /// and a digit is that class. `?` is a tile without [`Terrain`], and `_` is no tile.
    ///
    /// The bottom left corner is the map's origin. Tiles are [`TILE`] wide.
    pub(crate) fn tilemap(&mut self, picture: &str) -> Entity {
        let map = self.bare_tilemap(picture);
        self.world_mut().entity_mut(map).insert(NavMap::default());
        map
    }

    /// Spawns a tilemap from a picture as a layer of a map.
    pub(crate) fn layer(&mut self, map: Entity, order: i32, picture: &str) -> Entity {
        let layer = self.bare_tilemap(picture);
        self.world_mut().entity_mut(layer).insert(NavLayer::new(map).with_order(order));
        layer
    }

    /// Spawns a tilemap from a picture, without [`NavMap`].
    pub(crate) fn bare_tilemap(&mut self, picture: &str) -> Entity {
        let rows = rows(picture);
        let size = TilemapSize::new(rows.first().map_or(0, |row| row.len() as u32), rows.len() as u32);
        let tilemap = self.world_mut().spawn_empty().id();
        let mut storage = TileStorage::empty(size);
        for (y, row) in rows.iter().rev().enumerate() {
            for (x, letter) in row.chars().enumerate() {
                let class = match letter {
                    '_' => continue,
                    '?' => None,
                    '.' => Some(1),
                    '#' => Some(0),
                    digit => Some(digit.to_digit(10).expect("a digit names a class") as u8),
                };
                let position = TilePos::new(x as u32, y as u32);
                storage.set(&position, self.spawn_tile(tilemap, position, class));
            }
        }
        let tile_size = TilemapTileSize { x: TILE, y: TILE };
        self.world_mut().entity_mut(tilemap).insert(TilemapBundle {
            size,
            storage,
            tile_size,
            grid_size: tile_size.into(),
            anchor: TilemapAnchor::BottomLeft,
            ..default()
        });
        tilemap
    }

    /// Spawns a tile that is not in the tilemap's storage.
    pub(crate) fn spawn_tile(&mut self, tilemap: Entity, position: TilePos, class: Option<u8>) -> Entity {
        let mut tile =
            self.world_mut().spawn(TileBundle { position, tilemap_id: TilemapId(tilemap), ..default() });
        if let Some(class) = class {
            tile.insert(Terrain(class));
        }
        tile.id()
    }

    /// Returns the tile at this place in the tilemap's storage.
    pub(crate) fn tile_at(&self, tilemap: Entity, x: u32, y: u32) -> Entity {
        let storage = self.world().get::<TileStorage>(tilemap).expect("the tilemap keeps its storage");
        storage.get(&TilePos::new(x, y)).expect("there is a tile")
    }
}

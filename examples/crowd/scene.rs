//! The tilemap of the city, with or without a window.

use bevy::prelude::*;
use bevy_ecs_tilemap::prelude::*;
use bevy_tilepath::{Cell, NavMap, Terrain};

use crate::city::{City, SIDE, cell_of};

/// The side of a tile, in world units, which are pixels of the pictures.
pub(crate) const TILE: f32 = 4.0;

/// The heights at which things are drawn, from the ground upwards.
pub(crate) mod height {
    pub(crate) const GOALS: f32 = 1.0;
    pub(crate) const ARROWS: f32 = 2.0;
    pub(crate) const WAYS: f32 = 3.0;
    pub(crate) const UNITS: f32 = 4.0;
    pub(crate) const MARKS: f32 = 5.0;
}

/// Spawns the map of [`City`].
pub(crate) struct ScenePlugin;

impl Plugin for ScenePlugin {
    fn build(&self, app: &mut App) {
        app.add_systems(Startup, spawn_map);
    }
}

/// The map.
#[derive(Component)]
pub(crate) struct CityMap;

/// Returns the middle of a cell in the world. The map begins at the origin.
pub(crate) fn centre_of(cell: Cell) -> Vec2 {
    (Vec2::new(cell.x as f32, cell.y as f32) + 0.5) * TILE
}

/// Returns the cell at a place of the world.
pub(crate) fn cell_at(world: Vec2) -> Cell {
    let cell = (world / TILE).floor();
    Cell::new(cell.x as i32, cell.y as i32)
}

/// Returns the rectangle of the map.
pub(crate) fn area() -> Rect {
    Rect::from_corners(Vec2::ZERO, Vec2::splat(SIDE as f32 * TILE))
}

fn spawn_map(mut commands: Commands, city: Res<City>) {
    let map = commands.spawn_empty().id();
    let size = TilemapSize::from(UVec2::splat(SIDE as u32));
    let mut storage = TileStorage::empty(size);
    for (slot, ground) in city.cells.iter().enumerate() {
        let cell = cell_of(slot);
        let position = TilePos::new(cell.x as u32, cell.y as u32);
        let tile = TileBundle { position, tilemap_id: TilemapId(map), ..default() };
        storage.set(&position, commands.spawn((tile, ground.terrain())).id());
    }
    let tile_size = TilemapTileSize::from(Vec2::splat(TILE));
    let tilemap = TilemapBundle {
        size,
        storage,
        tile_size,
        grid_size: tile_size.into(),
        transform: Transform::from_translation(Vec2::splat(TILE / 2.0).extend(0.0)),
        ..default()
    };
    commands.entity(map).insert((CityMap, tilemap, NavMap::default()));
}

/// Writes painted cells into the tiles.
pub(crate) fn close_or_open(
    city: &City,
    cell: Cell,
    storage: &TileStorage,
    terrains: &mut Query<&mut Terrain>,
) {
    let tile = TilePos::new(cell.x as u32, cell.y as u32);
    if let Some(tile) = storage.checked_get(&tile)
        && let Ok(mut terrain) = terrains.get_mut(tile)
    {
        terrain.set_if_neq(city.ground(cell).terrain());
    }
}

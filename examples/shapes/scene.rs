//! The four maps and their walkers, with or without a window.

use bevy::prelude::*;
use bevy_ecs_tilemap::prelude::*;
use bevy_tilepath::{NavMap, OnMap, PathAgent, Terrain};

use crate::{
    ground::{Ground, GroundPlugin},
    land::{self, Land},
    level::{MARGIN, Shape},
};

/// The speed of a walker, in world units per second.
const SPEED: f32 = 48.0;

/// The heights at which things are drawn, from the ground upwards. Things that stand have heights
/// from 16 to 20.
pub(crate) mod height {
    pub(crate) const ROUTE: f32 = 7.0;
    pub(crate) const RING: f32 = 8.0;
    pub(crate) const OUTLINE: f32 = 8.5;
    pub(crate) const SHADOW: f32 = 9.0;
}

/// The walker on the map of this shape.
#[derive(Component, Debug, Clone, Copy)]
pub(crate) struct Walker(pub(crate) Shape);

/// Spawns maps and walkers.
pub(crate) struct ScenePlugin;

impl Plugin for ScenePlugin {
    fn build(&self, app: &mut App) {
        app.add_plugins(GroundPlugin).add_systems(Startup, spawn);
    }
}

fn spawn(mut commands: Commands) {
    for shape in Shape::ALL {
        let map = spawn_map(&mut commands, shape);
        let start = shape.centre_of(shape.find('S'));
        commands.spawn((
            Walker(shape),
            PathAgent { speed: SPEED.into(), ..default() },
            OnMap(map),
            Transform::from_translation(start.extend(0.0)),
            Visibility::default(),
        ));
    }
}

fn spawn_map(commands: &mut Commands, shape: Shape) -> Entity {
    let map = commands.spawn_empty().id();
    let size = shape.size();
    let mut storage = TileStorage::empty(size);
    for (position, letter) in shape.tiles() {
        let land = Land::of_letter(letter).unwrap_or(Land::Grass);
        let tile = TileBundle { position, tilemap_id: TilemapId(map), ..default() };
        storage.set(&position, commands.spawn((tile, Terrain::default(), Ground::new(land))).id());
    }
    let grid_size = shape.grid_size();
    let picture_size = grid_size + Vec2::new(0.0, 2.0 * MARGIN);
    let tilemap = TilemapBundle {
        grid_size: grid_size.into(),
        map_type: shape.tilemap_type(),
        size,
        storage,
        tile_size: picture_size.into(),
        transform: Transform::from_translation(shape.origin().extend(0.0)),
        // Each row is a mesh: lower rows are drawn later and hide the sides of the tiles behind
        // them.
        render_settings: TilemapRenderSettings { render_chunk_size: UVec2::new(64, 1), y_sort: true },
        ..default()
    };
    commands.entity(map).insert((shape, tilemap, NavMap { costs: land::costs(), ..default() }));
    map
}

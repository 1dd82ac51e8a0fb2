//! The level as entities, with or without a window.

use bevy::prelude::*;
use bevy_ecs_tilemap::prelude::*;
use bevy_tilepath::{Cell, NavLayer, Obstacle, TextureTerrain};
use tilepath_examples::{
    ground::Ground,
    tiles::{first_cell, tilemap},
};

use crate::{
    brush::BrushPlugin,
    chosen::chosen,
    level::Level,
    report::{Report, ReportPlugin},
    rules::{Rules, RulesPlugin, map_rules},
    units::Unit,
};

/// The tilemap of the ground: it carries the `NavMap`.
#[derive(Component)]
pub(crate) struct GroundMap;

/// The tilemap of the bridges: a layer above the ground.
#[derive(Component)]
pub(crate) struct BridgeMap;

/// The heights at which things are drawn, from the ground upwards.
pub(crate) mod height {
    /// The first overlay. The others follow at steps of one.
    pub(crate) const OVERLAY: f32 = 1.0;
    pub(crate) const GROWTH: f32 = 4.5;
    pub(crate) const BRIDGE: f32 = 6.0;
    /// Path, cursor and ring.
    pub(crate) const MARKS: f32 = 7.0;
    pub(crate) const CHOSEN: f32 = 7.8;
    pub(crate) const SHADOW: f32 = 8.0;
    /// The costs of steps, above all things that stand.
    pub(crate) const NUMBERS: f32 = 30.0;
    /// The bars that hide the rim of the overlays around the map.
    pub(crate) const RIM: f32 = 9.0;
}

/// Spawns the level, and runs painting and rules.
pub(crate) struct ScenePlugin;

impl Plugin for ScenePlugin {
    fn build(&self, app: &mut App) {
        app.insert_resource(Level::riverside())
            .add_plugins((BrushPlugin, RulesPlugin, ReportPlugin))
            .add_systems(Startup, (spawn_ground, spawn_bridges, spawn_scenery, spawn_units).chain());
    }
}

/// Returns the tile of a cell. Only for cells of the level.
pub(crate) fn tile_of(cell: Cell) -> TilePos {
    TilePos::new(cell.x as u32, cell.y as u32)
}

/// Returns the cell of a tile.
pub(crate) fn cell_of(tile: TilePos) -> Cell {
    Cell::new(tile.x as i32, tile.y as i32)
}

fn spawn_ground(mut commands: Commands, level: Res<Level>, rules: Res<Rules>) {
    let map = level.plan.spawn(&mut commands);
    commands.entity(map).insert((GroundMap, map_rules(*rules, Unit::Soldier)));
}

fn spawn_bridges(mut commands: Commands, level: Res<Level>, ground: Single<Entity, With<GroundMap>>) {
    let map = commands.spawn_empty().id();
    let size = level.plan.size();
    let mut storage = TileStorage::empty(size);
    for &cell in &level.bridges {
        let position = tile_of(cell);
        let tile = commands.spawn(bridge_tile(map, position));
        storage.set(&position, tile.id());
    }
    // A bridge tile has no `Terrain`. Its class comes from its picture, for any railings.
    let road = (0..16).map(|picture| (picture, Ground::Road.class()));
    commands.entity(map).insert((
        BridgeMap,
        tilemap(size, storage, first_cell(height::BRIDGE)),
        NavLayer::new(*ground).with_order(1),
        TextureTerrain::new(road),
    ));
}

/// Returns one tile of a bridge, without railings.
pub(crate) fn bridge_tile(map: Entity, position: TilePos) -> TileBundle {
    TileBundle { position, tilemap_id: TilemapId(map), ..default() }
}

fn spawn_scenery(mut commands: Commands, level: Res<Level>) {
    for &(cell, thing) in &level.scenery {
        commands.spawn((
            thing,
            Obstacle { size: thing.size(), ..default() },
            Transform::from_translation(thing.centre(cell).extend(0.0)),
            Visibility::default(),
        ));
    }
}

fn spawn_units(mut commands: Commands, level: Res<Level>) {
    for &(unit, cell) in &level.units {
        let place = Transform::from_translation(unit.centre(cell).extend(0.0));
        let mut entity = commands.spawn((unit.bundle(), Report::default(), place, Visibility::default()));
        if unit == Unit::Soldier {
            entity.insert(chosen());
        }
    }
}

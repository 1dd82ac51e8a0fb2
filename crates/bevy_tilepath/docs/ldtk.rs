use bevy::prelude::*;
use bevy_ecs_ldtk::{ldtk::Type, prelude::*};
use bevy_ecs_tilemap::prelude::*;
use bevy_tilepath::{NavLayer, NavMap, Terrain, TextureTerrain, maps::MissingTile};

/// The classes of `IntGrid` values and enum tags whose names begin so, in lower case.
/// Fill in the names of your project. Other names do not count.
const CLASSES: &[(&str, Terrain)] = &[
    ("wall", Terrain::WALL),
    ("solid", Terrain::WALL),
    ("rock", Terrain::WALL),
    ("grass", Terrain::OPEN),
    ("bridge", Terrain::OPEN),
    ("mud", Terrain(3)),
    ("water", Terrain(4)),
];

/// The class of cells without a value and without a tile, in worlds that have `IntGrid` values: most
/// projects give a value to walls, and none to ground.
const NO_VALUE: Terrain = Terrain::OPEN;

fn class_of(name: &str) -> Option<Terrain> {
    let name = name.to_lowercase();
    CLASSES.iter().find(|(start, _)| name.starts_with(start)).map(|&(_, class)| class)
}

/// Makes a layer of an LDtk level a layer of its world's map. Levels may come and go.
pub fn lay_tilemap(
    added: On<Add, TilemapGridSize>,
    tilemaps: Query<(&TilemapGridSize, &Transform, &LayerMetadata, &ChildOf)>,
    levels: Query<(&Transform, &ChildOf), With<LevelIid>>,
    mut maps: Query<&mut NavMap>,
    mut commands: Commands,
) {
    let Ok((grid_size, place, layer, tilemap_in)) = tilemaps.get(added.entity) else { return };
    let Ok((level, level_in)) = levels.get(tilemap_in.parent()) else { return };
    if layer.layer_instance_type == Type::IntGrid
        && let Ok(mut map) = maps.get_mut(level_in.parent())
        && map.missing_tile == MissingTile::default()
    {
        map.missing_tile = MissingTile::Class(NO_VALUE.0);
    }
    let offset = (level.translation.truncate() / Vec2::from(grid_size)).round();
    let layer = NavLayer::new(level_in.parent())
        .with_order(place.translation.z as i32) // levels count their layers in it
        .with_offset(offset.as_ivec2());
    // Names set the classes of its tiles, so the textures of a rules file do not apply.
    commands.entity(added.entity).insert((layer, TextureTerrain::default()));
}

/// Sets the classes of a layer's tiles by the names of their `IntGrid` values.
pub fn read_values(
    added: On<Add, LayerMetadata>,
    layers: Query<(&LayerMetadata, &TileStorage, &ChildOf)>,
    levels: Query<&ChildOf, With<LevelIid>>,
    worlds: Query<&LdtkProjectHandle>,
    projects: Res<Assets<LdtkProject>>,
    cells: Query<&IntGridCell>,
    mut warned: Local<Vec<(i32, i32)>>,
    mut commands: Commands,
) {
    let Ok((layer, tiles, layer_in)) = layers.get(added.entity) else { return };
    let Ok(world) = levels.get(layer_in.parent()).and_then(|level_in| worlds.get(level_in.parent())) else {
        return;
    };
    let Some(project) = projects.get(&world.handle) else { return };
    let own = project.json_data().defs.layers.iter().find(|own| own.uid == layer.layer_def_uid);
    for &tile in tiles.iter().flatten() {
        let Ok(&IntGridCell { value }) = cells.get(tile) else { continue };
        let named = own.and_then(|own| own.int_grid_values.iter().find(|named| named.value == value));
        let name = named.and_then(|named| named.identifier.as_deref()).unwrap_or_default();
        if let Some(class) = class_of(name) {
            commands.entity(tile).insert(class);
        } else if !warned.contains(&(layer.layer_def_uid, value)) {
            warned.push((layer.layer_def_uid, value));
            warn!(
                "the IntGrid value {value} (`{name}`) of layer {} has no class: add its name to CLASSES",
                layer.identifier
            );
        }
    }
}

/// Sets the classes of tiles in all layers, if the tileset tags them with an enum value.
pub fn read_tags(added: On<Add, TileEnumTags>, tiles: Query<&TileEnumTags>, mut commands: Commands) {
    let Ok(tile) = tiles.get(added.entity) else { return };
    if let Some(class) = tile.tags.iter().find_map(|tag| class_of(tag)) {
        commands.entity(added.entity).insert(class);
    }
}

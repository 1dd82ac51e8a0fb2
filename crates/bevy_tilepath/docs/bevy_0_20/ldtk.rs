use bevy::prelude::*;
use bevy_ecs_ldtk::prelude::*;
use bevy_ecs_tilemap::prelude::*;
use bevy_tilepath::{NavLayer, Terrain, TextureTerrain};

/// Makes a layer of an LDtk level a layer of its world's map. Levels may come and go.
pub fn lay_tilemap(
    added: On<Add<TilemapGridSize>>,
    tilemaps: Query<(&TilemapGridSize, &Transform, &ChildOf), With<LayerMetadata>>,
    levels: Query<(&Transform, &ChildOf), With<LevelIid>>,
    mut commands: Commands,
) {
    let Ok((grid_size, place, tilemap_in)) = tilemaps.get(added.entity) else { return };
    let Ok((level, level_in)) = levels.get(tilemap_in.parent()) else { return };
    let offset = (level.translation.truncate() / Vec2::from(grid_size)).round();
    let layer = NavLayer::new(level_in.parent())
        .with_order(place.translation.z as i32) // levels count their layers in it
        .with_offset(offset.as_ivec2());
    // Values and tags set the classes of its tiles, so the textures of a rules file do not apply.
    commands.entity(added.entity).insert((layer, TextureTerrain::default()));
}

/// Sets the class of a tile to its `IntGrid` value, except for rock, which is a wall.
/// Values start from 1, classes from 0, the wall.
pub fn read_value(added: On<Add<IntGridCell>>, cells: Query<&IntGridCell>, mut commands: Commands) {
    let Ok(&IntGridCell { value }) = cells.get(added.entity) else { return };
    let terrain = u8::try_from(value).map_or(Terrain::WALL, Terrain);
    if value > 255 {
        warn!("the IntGrid value {value} of {} is read as a wall: classes end at 255", added.entity);
    }
    commands.entity(added.entity).insert(if value == ROCK { Terrain::WALL } else { terrain });
}

const ROCK: i32 = 5;

/// Sets the classes of tiles in other layers, if the tileset tags them with an enum value.
pub fn read_tags(added: On<Add<TileEnumTags>>, tiles: Query<&TileEnumTags>, mut commands: Commands) {
    let Ok(tile) = tiles.get(added.entity) else { return };
    let terrain = tile.tags.iter().find_map(|tag| match tag.as_str() {
        "Bridge" => Some(Terrain::OPEN),
        "Wall" => Some(Terrain::WALL),
        _ => None,
    });
    if let Some(terrain) = terrain {
        commands.entity(added.entity).insert(terrain);
    }
}

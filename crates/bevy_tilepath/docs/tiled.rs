use bevy::prelude::*;
use bevy_ecs_tiled::prelude::{tiled::*, *};
use bevy_tilepath::{NavLayer, NavProjection, TextureTerrain, maps::lattice_of};

/// Makes a tilemap of a Tiled map a `NavLayer` of that map.
/// Each layer has one tilemap for each of its tilesets.
pub fn lay_tilemap(
    created: On<TiledEvent<TilemapCreated>>,
    files: Res<Assets<TiledMapAsset>>,
    mut maps: Query<&mut Transform, With<TiledMap>>,
    mut commands: Commands,
) {
    let (Some(map), Some(file)) = (created.get_map_entity(), created.get_map_asset(&files)) else { return };
    let lattice = lattice_of(tilemap_type_from_map(&file.map));
    let layers = tile_layers(file.map.layers());
    let order = layers.iter().position(|&layer| Some(layer) == created.get_layer_id());
    let layer = NavLayer::new(map)
        .with_order(order.unwrap_or_default() as i32)
        .with_tile_offset(lattice, first_tile(file));
    commands.entity(created.origin).insert(layer);

    // Tiles with properties set their classes themselves, so the textures of a rules file do not apply.
    let tileset = created.get_tilemap_tileset(&files);
    if tileset.is_some_and(|tileset| tileset.tiles().any(|(_, tile)| !tile.properties.is_empty())) {
        commands.entity(created.origin).insert(TextureTerrain::default());
    }

    // An infinite map begins at its outermost chunks, which may come and go.
    // This moves its origin to the origin in Tiled.
    if file.map.infinite()
        && let Ok(mut place) = maps.get_mut(map)
    {
        let grid_size = grid_size_from_map(&file.map).into();
        let projection = NavProjection::new(lattice, grid_size, Vec2::ZERO);
        let corner = projection.position_of(lattice.cell_of(first_tile(file).into()));
        place.translation = corner.extend(place.translation.z);
    }
}

/// Returns the layers that have tiles, also in groups, from the lowest.
fn tile_layers<'a>(layers: impl Iterator<Item = Layer<'a>>) -> Vec<u32> {
    let layers = layers.flat_map(|layer| match layer.layer_type() {
        LayerType::Tiles(_) => vec![layer.id()],
        LayerType::Group(group) => tile_layers(group.layers()),
        _ => vec![],
    });
    layers.collect()
}

/// Returns the place of the tilemaps' tile (0, 0) in an infinite map.
/// Rows count upwards: row -1 is row 0 of Tiled.
fn first_tile(file: &TiledMapAsset) -> IVec2 {
    let chunks = file.map.layers().filter_map(|layer| match layer.as_tile_layer()? {
        TileLayer::Infinite(tiles) => tiles.chunks().map(|(at, _)| IVec2::from(at)).reduce(IVec2::min),
        TileLayer::Finite(_) => None,
    });
    let Some(first) = chunks.reduce(IVec2::min) else { return IVec2::ZERO };
    let (left, top) = (first.x * ChunkData::WIDTH as i32, first.y * ChunkData::HEIGHT as i32);
    IVec2::new(left, -top - file.tilemap_size.y as i32)
}

use bevy::prelude::*;
use bevy_ecs_tiled::prelude::{tiled::*, *};
use bevy_tilepath::{NavLayer, NavProjection, Terrain, TextureTerrain, maps::lattice_of};

/// Makes a tilemap of a Tiled map a `NavLayer` of that map.
/// Each layer has one tilemap for each of its tilesets.
pub fn lay_tilemap(
    created: On<TiledEvent<TilemapCreated>>,
    files: Res<Assets<TiledMapAsset>>,
    mut maps: Query<&mut Transform, With<TiledMap>>,
    mut commands: Commands,
) {
    let (Some(map), Some(file)) = (created.map_entity(), created.map_asset(&files)) else { return };
    let lattice = lattice_of(tilemap_type_from_map(&file.map));
    let layers = tile_layers(file.map.layers());
    let order = layers.iter().position(|&layer| Some(layer) == created.layer_id());
    let layer = NavLayer::new(map)
        .with_order(order.unwrap_or_default() as i32)
        .with_tile_offset(lattice, first_tile(file));
    commands.entity(created.origin).insert(layer);

    // Tiles with properties set their classes themselves, so the textures of a rules file do not apply.
    let tileset = created.tilemap_tileset(&files);
    if tileset.is_some_and(|tileset| tileset.tiles().any(|(_, tile)| !tile.properties.is_empty())) {
        commands.entity(created.origin).insert(TextureTerrain::default());
    }
    if let Some(layer) = created.layer(&files)
        && let Some(layer) = layer.as_tile_layer()
    {
        spawn_turned_tiles(&created, &layer, file, &mut commands);
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

/// Spawns the hexagons of a tilemap that are turned by 120°, which `bevy_ecs_tiled` leaves out: it
/// reads their flag as a part of the tile's number. They are drawn without the turn.
fn spawn_turned_tiles(
    created: &TiledEvent<TilemapCreated>,
    layer: &TileLayer,
    file: &TiledMapAsset,
    commands: &mut Commands,
) {
    const TURNED: u32 = 0x1000_0000;
    // Tiled numbers the tiles of all tilesets of a map, from 1.
    let firsts = file.map.tilesets().iter().scan(1, |next, tileset| {
        let first = *next;
        let ids = tileset.tiles().map(|(id, _)| id + 1).max().unwrap_or_default();
        *next += ids.max(tileset.tilecount);
        Some(first)
    });
    let firsts: Vec<u32> = firsts.collect();
    let own = created.tilemap_tileset_id().map_or(0, |index| index as usize);
    let (Some(tileset), Some(first), Some(last)) =
        (file.map.tilesets().get(own), firsts.get(own), firsts.last())
    else {
        return;
    };
    file.for_each_tile(layer, |_, tile, position, _| {
        // A number that is too large is read as a tile of the last tileset.
        let id = (tile.id() + last).checked_sub(TURNED + first);
        let Some((id, tile)) = id.and_then(|id| Some((id, tileset.get_tile(id)?))) else { return };
        let tilemap_id = TilemapId(created.origin);
        let texture_index = TileTextureIndex(id);
        let visible = TileVisible(tileset.image.is_some()); // in a collection of images, the id is no index
        let bundle = TileBundle { position, tilemap_id, texture_index, visible, ..default() };
        let mut spawned = commands.spawn((bundle, ChildOf(created.origin)));
        if let Some(class) = class_of(&tile) {
            spawned.insert(class);
        }
    });
}

/// Returns the class in the properties of a tile.
fn class_of(tile: &Tile) -> Option<Terrain> {
    tile.properties.values().find_map(|property| match property {
        PropertyValue::ClassValue { property_type, properties }
            if property_type == "bevy_tilepath::Terrain" =>
        {
            let Some(&PropertyValue::IntValue(class)) = properties.get("0") else { return None };
            u8::try_from(class).ok().map(Terrain)
        }
        _ => None,
    })
}

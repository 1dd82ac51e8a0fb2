//! Pictures of the level, updated wherever the map is painted.

use bevy::{ecs::system::SystemParam, prelude::*, sprite::Anchor};
use bevy_ecs_tilemap::prelude::*;
use bevy_tilepath::{Cell, Terrain};
use tilepath_examples::{
    autotile::{self, Corners, OVERLAYS, Overlay},
    figure::standing_height,
    ground::Ground,
    ground_pictures::spawn_rim,
    scenery::SURROUNDINGS,
    tiles::{TILE, first_cell, tilemap},
};

use crate::{
    brush::PaintSet,
    level::{Level, Scenery},
    scene::{BridgeMap, GroundMap, cell_of, height, tile_of},
};

/// Gives the level its pictures. Needs a window.
pub(crate) struct DressPlugin;

impl Plugin for DressPlugin {
    fn build(&self, app: &mut App) {
        app.insert_resource(ClearColor(SURROUNDINGS))
            .add_systems(PostStartup, (dress_maps, spawn_overlays, spawn_growth, hide_rim))
            .add_systems(Update, dress_scenery)
            .add_systems(Update, (retile_ground, retile_bridges).chain().after(PaintSet));
    }
}

/// The kinds of ground that the tiles show now.
#[derive(SystemParam)]
struct GroundTiles<'w, 's> {
    map: Single<'w, 's, (&'static TileStorage, &'static TilemapSize), With<GroundMap>>,
    classes: Query<'w, 's, &'static Terrain>,
}

impl GroundTiles<'_, '_> {
    /// Returns the ground of a cell. Beyond the edge of the map it is the ground at the edge.
    fn at(&self, x: i32, y: i32) -> Ground {
        let (storage, size) = *self.map;
        let tile = TilePos::new(x.clamp(0, size.x as i32 - 1) as u32, y.clamp(0, size.y as i32 - 1) as u32);
        storage
            .checked_get(&tile)
            .and_then(|tile| self.classes.get(tile).ok())
            .and_then(|class| Ground::of_class(class.0))
            .unwrap_or(Ground::Grass)
    }

    /// Returns the cells around an overlay tile.
    fn corners(&self, tile: TilePos) -> Corners {
        let (x, y) = (tile.x as i32, tile.y as i32);
        [self.at(x - 1, y), self.at(x, y), self.at(x - 1, y - 1), self.at(x, y - 1)]
    }

    fn near_land(&self, cell: Cell) -> bool {
        (-1..=1).any(|dx| (-1..=1).any(|dy| self.at(cell.x + dx, cell.y + dy) != Ground::Water))
    }
}

#[derive(Component)]
struct OverlayMap(Overlay);

#[derive(Component)]
struct GrowthMap;

fn dress_maps(
    mut commands: Commands,
    assets: Res<AssetServer>,
    ground: Single<Entity, With<GroundMap>>,
    bridges: Single<Entity, With<BridgeMap>>,
) {
    commands.entity(*ground).insert(TilemapTexture::Single(assets.load("tiles/grass.png")));
    commands.entity(*bridges).insert(TilemapTexture::Single(assets.load("tiles/bridge.png")));
}

/// Spawns a tilemap of invisible tiles. The retiling systems choose their pictures.
fn spawn_blank_map(
    commands: &mut Commands,
    texture: Handle<Image>,
    size: TilemapSize,
    origin: Vec3,
) -> Entity {
    let map = commands.spawn_empty().id();
    let mut storage = TileStorage::empty(size);
    for x in 0..size.x {
        for y in 0..size.y {
            let position = TilePos::new(x, y);
            let tile = commands.spawn(TileBundle {
                position,
                tilemap_id: TilemapId(map),
                visible: TileVisible(false),
                ..default()
            });
            storage.set(&position, tile.id());
        }
    }
    let bundle = TilemapBundle { texture: TilemapTexture::Single(texture), ..tilemap(size, storage, origin) };
    commands.entity(map).insert(bundle);
    map
}

fn spawn_overlays(mut commands: Commands, assets: Res<AssetServer>, level: Res<Level>) {
    let size = TilemapSize { x: level.plan.width + 1, y: level.plan.height + 1 };
    for (order, overlay) in OVERLAYS.into_iter().enumerate() {
        let origin = Vec3::new(0.0, 0.0, height::OVERLAY + order as f32);
        let map = spawn_blank_map(&mut commands, assets.load(overlay.file), size, origin);
        commands.entity(map).insert(OverlayMap(overlay));
    }
}

fn spawn_growth(mut commands: Commands, assets: Res<AssetServer>, level: Res<Level>) {
    let texture = assets.load("tiles/decor.png");
    let map = spawn_blank_map(&mut commands, texture, level.plan.size(), first_cell(height::GROWTH));
    commands.entity(map).insert(GrowthMap);
}

fn hide_rim(mut commands: Commands, level: Res<Level>) {
    spawn_rim(&mut commands, level.plan.area(), height::RIM);
}

fn retile_ground(
    mut commands: Commands,
    ground: GroundTiles,
    changed: Query<&TilePos, Changed<Terrain>>,
    overlays: Query<(&OverlayMap, &TileStorage)>,
    growth: Single<&TileStorage, With<GrowthMap>>,
    mut pictures: Query<(&mut TileTextureIndex, &mut TileVisible)>,
) {
    let (_, size) = *ground.map;
    for &changed in &changed {
        for (dx, dy) in [(0, 0), (1, 0), (0, 1), (1, 1)] {
            let place = TilePos::new(changed.x + dx, changed.y + dy);
            let corners = ground.corners(place);
            for (OverlayMap(overlay), storage) in &overlays {
                let Some(tile) = storage.checked_get(&place) else { continue };
                let mask = overlay.mask(corners);
                let picture = overlay.tile(mask, place.x, size.y - place.y);
                if show(tile, mask != 0, picture, &mut pictures) && overlay.frames > 1 {
                    commands.entity(tile).insert(AnimatedTile {
                        start: picture,
                        end: picture + overlay.frames,
                        speed: 0.55, // rounds a second
                    });
                }
            }
        }
        for (dx, dy) in (-1..=1).flat_map(|dx| (-1..=1).map(move |dy| (dx, dy))) {
            let cell = Cell::new(changed.x as i32 + dx, changed.y as i32 + dy);
            if cell.x < 0 || cell.y < 0 {
                continue;
            }
            let place = tile_of(cell);
            let Some(tile) = growth.checked_get(&place) else { continue };
            let kind = ground.at(cell.x, cell.y);
            let picture = autotile::growth(kind, ground.near_land(cell), place.x, place.y);
            show(tile, picture != 0, picture, &mut pictures);
        }
    }
}

/// Gives a tile its picture, or hides it. Returns whether anything changed.
fn show(
    tile: Entity,
    visible: bool,
    picture: u32,
    pictures: &mut Query<(&mut TileTextureIndex, &mut TileVisible)>,
) -> bool {
    let Ok((mut index, mut shown)) = pictures.get_mut(tile) else { return false };
    let new_picture = index.set_if_neq(TileTextureIndex(picture));
    let new_visibility = shown.set_if_neq(TileVisible(visible));
    new_picture || new_visibility
}

fn retile_bridges(
    ground: GroundTiles,
    changed: Query<(), Changed<Terrain>>,
    bridge_map: Single<(Entity, Ref<TileStorage>), With<BridgeMap>>,
    mut bridges: Query<(&TilePos, &TilemapId, &mut TileTextureIndex), Without<Terrain>>,
) {
    let (bridge_map, storage) = &*bridge_map;
    if changed.is_empty() && !storage.is_changed() {
        return;
    }
    for (&position, id, mut picture) in &mut bridges {
        if id.0 != *bridge_map {
            continue;
        }
        let cell = cell_of(position);
        let open_water = [(0, 1), (1, 0), (0, -1), (-1, 0)].map(|(dx, dy)| {
            let (x, y) = (cell.x + dx, cell.y + dy);
            let bridged = x >= 0 && y >= 0 && storage.checked_get(&tile_of(Cell::new(x, y))).is_some();
            !bridged && ground.at(x, y) == Ground::Water
        });
        picture.set_if_neq(TileTextureIndex(autotile::railings(open_water)));
    }
}

fn dress_scenery(
    mut commands: Commands,
    assets: Res<AssetServer>,
    mut layouts: ResMut<Assets<TextureAtlasLayout>>,
    mut trees: Local<Option<Handle<TextureAtlasLayout>>>,
    new: Query<(Entity, &Scenery, &Transform), Added<Scenery>>,
) {
    for (entity, &thing, place) in &new {
        let y = place.translation.y;
        let (sprite, anchor, foot) = if thing.is_cottage() {
            let column = if thing == Scenery::RedCottage { 0.0 } else { 64.0 };
            let sprite = Sprite {
                image: assets.load("sprites/cottages.png"),
                rect: Some(Rect::new(column, 0.0, column + 64.0, 64.0)),
                ..default()
            };
            // The ground line is 4 pixels above the picture's lower edge.
            (sprite, Anchor(Vec2::new(0.0, -0.5 + (4.0 + TILE) / 64.0)), y - TILE)
        } else {
            let layout = trees.get_or_insert_with(|| {
                layouts.add(TextureAtlasLayout::from_grid(UVec2::new(32, 40), 7, 1, None, None))
            });
            let atlas = TextureAtlas { layout: layout.clone(), index: tree_picture(thing, place) };
            let sprite = Sprite::from_atlas_image(assets.load("sprites/trees.png"), atlas);
            (sprite, Anchor(Vec2::new(0.0, -0.5 + 6.5 / 40.0)), y)
        };
        // The picture is a child, so that its height does not move the obstacle.
        let height = Transform::from_xyz(0.0, 0.0, standing_height(foot));
        commands.entity(entity).with_child((sprite, anchor, height));
    }
}

fn tree_picture(thing: Scenery, place: &Transform) -> usize {
    let variant = ((place.translation.x / TILE) as usize + (place.translation.y / TILE) as usize * 3) % 2;
    match thing {
        Scenery::Oak => variant,
        Scenery::AutumnOak => 2,
        Scenery::Fir => 3 + variant,
        Scenery::Bush => 5,
        Scenery::Well | Scenery::RedCottage | Scenery::BlueCottage => 6,
    }
}

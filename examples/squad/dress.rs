//! Pictures for the level. The ground stays as it is; the gate opens and shuts.

use bevy::prelude::*;
use bevy_ecs_tilemap::prelude::*;
use bevy_tilepath::Cell;
use tilepath_examples::{
    autotile::{self, Corners, OVERLAYS, Overlay},
    ground::Ground,
    scenery::{SURROUNDINGS, Things},
    tiles::{TILE, tilemap},
    town::Kind,
};

use crate::{
    level::{Level, covered},
    scene::{Gate, GateIsOpen, GroundMap, first_cell, height},
};

/// Gives the level its pictures. Needs a window.
pub(crate) struct DressPlugin;

impl Plugin for DressPlugin {
    fn build(&self, app: &mut App) {
        app.insert_resource(ClearColor(SURROUNDINGS))
            .add_systems(PostStartup, (dress_ground, spawn_overlays, spawn_growth, spawn_rim))
            .add_systems(PostStartup, (dress_scenery, dress_gate))
            .add_systems(Update, show_gate);
    }
}

fn dress_ground(mut commands: Commands, assets: Res<AssetServer>, ground: Single<Entity, With<GroundMap>>) {
    commands.entity(*ground).insert(TilemapTexture::Single(assets.load("tiles/grass.png")));
}

/// A tilemap with a picture wherever there is one.
fn spawn_pictures(
    commands: &mut Commands,
    texture: Handle<Image>,
    (size, origin): (TilemapSize, Vec3),
    picture: impl Fn(TilePos) -> Option<(u32, u32)>,
) {
    let map = commands.spawn_empty().id();
    let mut storage = TileStorage::empty(size);
    for position in (0..size.y).flat_map(|y| (0..size.x).map(move |x| TilePos::new(x, y))) {
        let Some((picture, frames)) = picture(position) else { continue };
        let texture_index = TileTextureIndex(picture);
        let tile = commands
            .spawn(TileBundle { position, tilemap_id: TilemapId(map), texture_index, ..default() })
            .id();
        if frames > 1 {
            commands.entity(tile).insert(AnimatedTile { start: picture, end: picture + frames, speed: 0.55 });
        }
        storage.set(&position, tile);
    }
    let bundle = TilemapBundle { texture: TilemapTexture::Single(texture), ..tilemap(size, storage, origin) };
    commands.entity(map).insert(bundle);
}

/// The cells around an overlay tile.
fn corners(level: &Level, tile: TilePos) -> Corners {
    let (x, y) = (tile.x as i32, tile.y as i32);
    [(x - 1, y), (x, y), (x - 1, y - 1), (x, y - 1)].map(|(x, y)| level.ground(Cell::new(x, y)))
}

fn spawn_overlays(mut commands: Commands, assets: Res<AssetServer>, level: Res<Level>) {
    let size = TilemapSize { x: level.width + 1, y: level.height + 1 };
    for (order, overlay) in OVERLAYS.into_iter().enumerate() {
        let origin = Vec3::new(0.0, 0.0, height::OVERLAY + order as f32);
        let picture = |tile: TilePos| overlay_picture(overlay, &level, tile, size.y - tile.y);
        spawn_pictures(&mut commands, assets.load(overlay.file), (size, origin), picture);
    }
}

fn overlay_picture(overlay: Overlay, level: &Level, tile: TilePos, row: u32) -> Option<(u32, u32)> {
    let mask = overlay.mask(corners(level, tile));
    (mask != 0).then(|| (overlay.tile(mask, tile.x, row), overlay.frames))
}

fn spawn_growth(mut commands: Commands, assets: Res<AssetServer>, level: Res<Level>) {
    let size = TilemapSize { x: level.width, y: level.height };
    let picture = |tile: TilePos| {
        let cell = Cell::new(tile.x as i32, tile.y as i32);
        let around = (-1..=1).flat_map(|x| (-1..=1).map(move |y| cell + (x, y)));
        let is_near_land = around.into_iter().any(|cell| level.ground(cell) != Ground::Water);
        let picture = autotile::growth(level.ground(cell), is_near_land, tile.x, tile.y);
        (picture != 0).then_some((picture, 1))
    };
    let texture = assets.load("tiles/decor.png");
    spawn_pictures(&mut commands, texture, (size, first_cell(height::GROWTH)), picture);
}

/// Overlay tiles stick out by half a tile: four bars around the map hide that.
fn spawn_rim(mut commands: Commands, level: Res<Level>) {
    let area = level.area();
    let (centre, size) = (area.center(), area.size() + 2.0 * TILE);
    for side in [Vec2::X, Vec2::NEG_X, Vec2::Y, Vec2::NEG_Y] {
        let place = centre + side * (area.half_size() + TILE / 2.0);
        let bar = if side.x == 0.0 { Vec2::new(size.x, TILE) } else { Vec2::new(TILE, size.y) };
        commands.spawn((
            Sprite::from_color(SURROUNDINGS, bar),
            Transform::from_translation(place.extend(height::RIM)),
        ));
    }
}

fn dress_scenery(mut commands: Commands, mut things: Things, level: Res<Level>) {
    for &(cell, kind) in &level.scenery {
        let area = covered(kind, cell);
        let is_cottage = area.width() > TILE;
        let foot = Vec2::new(area.center().x, if is_cottage { area.min.y } else { area.min.y + 3.0 });
        commands.spawn(things.picture(kind, foot));
    }
    // Two towers beside the gate, on the wall.
    let gateway = level.gateway();
    for y in [gateway.min.y - 42.0, gateway.max.y + 2.0] {
        for x in [gateway.min.x + 4.0, gateway.max.x - 4.0] {
            commands.spawn(things.picture(Kind::Gate, Vec2::new(x, y)));
        }
    }
}

/// A leaf of the gate: planks that lie in the way while it is shut.
#[derive(Component)]
struct Leaf {
    shut: Vec2,
    open: Vec2,
}

fn dress_gate(
    mut commands: Commands,
    level: Res<Level>,
    gate: Single<Entity, With<Gate>>,
    is_open: Res<GateIsOpen>,
) {
    const WOOD: Color = Color::srgb(0.44, 0.29, 0.17);
    const DARK: Color = Color::srgb(0.17, 0.11, 0.08);
    const IRON: Color = Color::srgb(0.42, 0.44, 0.50);

    let size = level.gateway().size();
    for side in [-1.0, 1.0] {
        let leaf = Vec2::new(9.0, size.y / 2.0);
        let shut = Vec2::new(0.0, side * size.y / 4.0);
        let open = Vec2::new(0.0, side * (size.y / 2.0 + size.y / 4.0 - 4.0));
        let at = if is_open.0 { open } else { shut };
        commands.entity(*gate).with_children(|gate| {
            gate.spawn((
                Leaf { shut, open },
                Transform::from_translation(at.extend(height::LEAF)),
                Visibility::default(),
            ))
            .with_children(|planks| {
                planks.spawn((Sprite::from_color(DARK, leaf + 2.0), Transform::from_xyz(0.0, 0.0, 0.0)));
                planks.spawn((Sprite::from_color(WOOD, leaf), Transform::from_xyz(0.0, 0.0, 0.1)));
                for x in [-1.5, 1.5] {
                    let gap = Vec2::new(1.0, leaf.y);
                    planks.spawn((Sprite::from_color(DARK, gap), Transform::from_xyz(x, 0.0, 0.2)));
                }
                for y in [-5.0, 5.0] {
                    let band = Vec2::new(leaf.x, 2.0);
                    planks.spawn((Sprite::from_color(IRON, band), Transform::from_xyz(0.0, y, 0.3)));
                }
            });
        });
    }
}

/// The leaves slide into the wall and out of it.
fn show_gate(is_open: Res<GateIsOpen>, time: Res<Time>, mut leaves: Query<(&Leaf, &mut Transform)>) {
    const SPEED: f32 = 40.0;

    for (leaf, mut place) in &mut leaves {
        let wanted = if is_open.0 { leaf.open } else { leaf.shut };
        let at = place.translation.truncate().move_towards(wanted, SPEED * time.delta_secs());
        place.set_if_neq(Transform::from_translation(at.extend(height::LEAF)));
    }
}

#[cfg(test)]
mod tests {
    use tilepath_examples::figure::standing_height;

    use super::*;

    #[test]
    fn what_lies_on_the_ground_is_below_what_stands() {
        let level = Level::garrison();
        assert!(standing_height(level.area().max.y) > height::RIM);
        assert!(height::LEAF > height::OVERLAY + OVERLAYS.len() as f32 && height::SHADOW > height::SELECTED);
    }
}

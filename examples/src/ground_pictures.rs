//! Pictures for an unchanging ground: roads, water, rock and plants.

use bevy::prelude::*;
use bevy_ecs_tilemap::prelude::*;
use bevy_tilepath::Cell;

use crate::{
    autotile::{self, Corners, OVERLAYS, Overlay},
    ground::Ground,
    ground_plan::GroundPlan,
    scenery::SURROUNDINGS,
    tiles::{TILE, first_cell, tilemap},
};

/// The heights of its layers.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct GroundHeights {
    /// The first overlay. The others follow at steps of one.
    pub overlay: f32,
    /// Flowers and reeds.
    pub growth: f32,
    /// The bars that hide the rim of the overlays around the map.
    pub rim: f32,
}

/// Draws the pictures of the tilemap of [`GroundPlan::spawn`]. Needs a window.
pub fn dress_ground(
    commands: &mut Commands,
    assets: &AssetServer,
    (map, plan): (Entity, &GroundPlan),
    heights: GroundHeights,
) {
    commands.entity(map).insert(TilemapTexture::Single(assets.load("tiles/grass.png")));
    let size = TilemapSize { x: plan.width + 1, y: plan.height + 1 };
    for (order, overlay) in OVERLAYS.into_iter().enumerate() {
        let origin = Vec3::new(0.0, 0.0, heights.overlay + order as f32);
        let picture = |tile: TilePos| overlay_picture(overlay, plan, tile, size.y - tile.y);
        spawn_pictures(commands, assets.load(overlay.file), (size, origin), picture);
    }
    let origin = first_cell(heights.growth);
    let picture = |tile| growth_picture(plan, tile);
    spawn_pictures(commands, assets.load("tiles/decor.png"), (plan.size(), origin), picture);
    spawn_rim(commands, plan.area(), heights.rim);
}

/// A tilemap of one picture, and the number of its frames where it has a tile.
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

fn overlay_picture(overlay: Overlay, plan: &GroundPlan, tile: TilePos, row: u32) -> Option<(u32, u32)> {
    let (x, y) = (tile.x as i32, tile.y as i32);
    let around = [(x - 1, y), (x, y), (x - 1, y - 1), (x, y - 1)];
    let corners: Corners = around.map(|(x, y)| plan.ground_beyond(Cell::new(x, y)));
    let mask = overlay.mask(corners);
    (mask != 0).then(|| (overlay.tile(mask, tile.x, row), overlay.frames))
}

fn growth_picture(plan: &GroundPlan, tile: TilePos) -> Option<(u32, u32)> {
    let cell = Cell::new(tile.x as i32, tile.y as i32);
    let mut around = (-1..=1).flat_map(|x| (-1..=1).map(move |y| cell + (x, y)));
    let is_near_land = around.any(|cell| plan.ground_beyond(cell) != Ground::Water);
    let picture = autotile::growth(plan.ground_beyond(cell), is_near_land, tile.x, tile.y);
    (picture != 0).then_some((picture, 1))
}

/// Draws four bars around the map. They hide overlay tiles, which reach half a tile beyond its rim.
pub fn spawn_rim(commands: &mut Commands, area: Rect, height: f32) {
    let (centre, size) = (area.center(), area.size() + 2.0 * TILE);
    for side in [Vec2::X, Vec2::NEG_X, Vec2::Y, Vec2::NEG_Y] {
        let place = centre + side * (area.half_size() + TILE / 2.0);
        let bar = if side.x == 0.0 { Vec2::new(size.x, TILE) } else { Vec2::new(TILE, size.y) };
        commands.spawn((
            Sprite::from_color(SURROUNDINGS, bar),
            Transform::from_translation(place.extend(height)),
        ));
    }
}

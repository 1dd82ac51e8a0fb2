//! The looks of the three maps.

use bevy::prelude::*;
use bevy_ecs_tilemap::prelude::*;
use bevy_tilepath::Cell;
use tilepath_examples::{
    autotile::{self, Corners, OVERLAYS, Overlay},
    canvas::INK,
    ground::Ground,
    scenery::{FramesPlugin, SURROUNDINGS, Things},
    tiles::{TILE, tilemap},
    town,
};

use crate::{
    level::{self, Letters},
    scene::{AREA, MEADOW, Maps, ROOM, TOWN, TOWN_AT, centre_of},
};

/// The heights at which things are drawn, from the ground upwards. Things that stand have heights
/// from 16 to 20.
pub(crate) mod height {
    /// The first overlay. The others follow at steps of one.
    pub(crate) const OVERLAY: f32 = 1.0;
    pub(crate) const GROWTH: f32 = 5.5;
    pub(crate) const WAYS: f32 = 7.0;
    pub(crate) const RING: f32 = 8.0;
    pub(crate) const SHADOW: f32 = 9.0;
    /// The bars that hide things at the rims of the maps.
    pub(crate) const RIM: f32 = 20.5;
    pub(crate) const ROUTE: f32 = 23.0;
    /// Raises the soldier above all of these.
    pub(crate) const SOLDIER_LIFT: f32 = 13.0;
}

/// Draws the maps. Needs a window.
pub(crate) struct PicturesPlugin;

impl Plugin for PicturesPlugin {
    fn build(&self, app: &mut App) {
        app.insert_resource(ClearColor(SURROUNDINGS)).add_plugins(FramesPlugin).add_systems(
            PostStartup,
            (dress_tiles, spawn_overlays, spawn_growth, spawn_things, spawn_town, spawn_rims),
        );
    }
}

/// Returns the rectangles of the three maps in the world.
pub(crate) fn areas() -> [Rect; 3] {
    let of = |corner: Vec2, letters: &Letters| {
        Rect::from_corners(corner, corner + letters.size().as_vec2() * TILE)
    };
    let town = Rect::from_corners(TOWN.min + TOWN_AT, TOWN.max + TOWN_AT);
    [of(MEADOW, &Letters::meadow()), of(ROOM, &Letters::room()), town]
}

fn dress_tiles(
    mut commands: Commands,
    assets: Res<AssetServer>,
    maps: Res<Maps>,
    storages: Query<&TileStorage>,
) {
    let meadow_height = Letters::meadow().size().y;
    for (map, file) in [(maps.meadow, "tiles/grass.png"), (maps.room, "tiles/room.png")] {
        commands.entity(map).insert(TilemapTexture::Single(assets.load(file)));
        let letters = if map == maps.meadow { Letters::meadow() } else { Letters::room() };
        let Ok(storage) = storages.get(map) else { continue };
        for (cell, letter) in letters.cells() {
            let place = TilePos::new(cell.x as u32, cell.y as u32);
            let picture = if map == maps.meadow {
                autotile::meadow(place.x, meadow_height - 1 - place.y)
            } else {
                level::room_tile(letter, cell)
            };
            if let Some(tile) = storage.checked_get(&place) {
                commands.entity(tile).insert(TileTextureIndex(picture));
            }
        }
    }
}

/// Returns the ground of a cell of the meadow. Beyond the edge it is the ground at the edge.
fn ground(letters: &Letters, x: i32, y: i32) -> Ground {
    let last = letters.size().as_ivec2() - 1;
    let cell = Cell::new(x.clamp(0, last.x), y.clamp(0, last.y));
    letters.at(cell).map_or(Ground::Grass, level::ground)
}

fn spawn_overlays(mut commands: Commands, assets: Res<AssetServer>) {
    let letters = Letters::meadow();
    let size = TilemapSize::from(letters.size() + 1);
    for (overlay, order) in OVERLAYS.into_iter().zip(0_u8..) {
        let map = commands.spawn_empty().id();
        let mut storage = TileStorage::empty(size);
        for (x, y) in (0..size.x).flat_map(|x| (0..size.y).map(move |y| (x, y))) {
            let corner = |dx: i32, dy: i32| ground(&letters, x as i32 + dx, y as i32 + dy);
            let corners = [corner(-1, 0), corner(0, 0), corner(-1, -1), corner(0, -1)];
            if let Some(tile) = overlay_tile(&mut commands, map, overlay, corners, TilePos::new(x, y), size) {
                storage.set(&TilePos::new(x, y), tile);
            }
        }
        let place = MEADOW.extend(height::OVERLAY + f32::from(order));
        let texture = TilemapTexture::Single(assets.load(overlay.file));
        commands.entity(map).insert(TilemapBundle { texture, ..tilemap(size, storage, place) });
    }
}

fn overlay_tile(
    commands: &mut Commands,
    map: Entity,
    overlay: Overlay,
    corners: Corners,
    position: TilePos,
    size: TilemapSize,
) -> Option<Entity> {
    let mask = overlay.mask(corners);
    let picture = overlay.tile(mask, position.x, size.y - 1 - position.y);
    if mask == 0 {
        return None;
    }
    let texture_index = TileTextureIndex(picture);
    let tile = TileBundle { position, tilemap_id: TilemapId(map), texture_index, ..default() };
    let mut tile = commands.spawn(tile);
    if overlay.frames > 1 {
        tile.insert(AnimatedTile { start: picture, end: picture + overlay.frames, speed: 0.55 });
    }
    Some(tile.id())
}

fn spawn_growth(mut commands: Commands, assets: Res<AssetServer>) {
    let letters = Letters::meadow();
    let size = TilemapSize::from(letters.size());
    let map = commands.spawn_empty().id();
    let mut storage = TileStorage::empty(size);
    for (cell, letter) in letters.cells() {
        let near = (-1..=1).flat_map(|dx| (-1..=1).map(move |dy| (dx, dy)));
        let near_land =
            near.into_iter().any(|(dx, dy)| ground(&letters, cell.x + dx, cell.y + dy) != Ground::Water);
        let position = TilePos::new(cell.x as u32, cell.y as u32);
        let picture = autotile::growth(level::ground(letter), near_land, position.x, position.y);
        if picture == 0 {
            continue;
        }
        let texture_index = TileTextureIndex(picture);
        let tile = TileBundle { position, tilemap_id: TilemapId(map), texture_index, ..default() };
        storage.set(&position, commands.spawn(tile).id());
    }
    let place = (MEADOW + TILE / 2.0).extend(height::GROWTH);
    let texture = TilemapTexture::Single(assets.load("tiles/decor.png"));
    commands.entity(map).insert(TilemapBundle { texture, ..tilemap(size, storage, place) });
}

fn spawn_things(mut commands: Commands, mut things: Things) {
    for (cell, letter) in Letters::meadow().cells() {
        let Some(kind) = level::thing(letter) else { continue };
        // A house stands on the lower edge of its cells, a tree in the middle of its cell.
        let down = if letter == 'D' { TILE / 2.0 } else { 2.5 };
        commands.spawn(things.picture(kind, centre_of(MEADOW, cell) - Vec2::Y * down));
    }
    for (kind, foot) in town::scenery() {
        // Only pictures in the visible part of the town are drawn.
        if Rect::from_corners(TOWN.min + Vec2::new(10.0, 0.0), TOWN.max - Vec2::new(10.0, 0.0)).contains(foot)
        {
            commands.spawn(things.picture(kind, foot + TOWN_AT));
        }
    }
}

fn spawn_town(mut commands: Commands, assets: Res<AssetServer>) {
    // The rows of the picture count from the top.
    let (top, bottom) = (town::AREA.max.y - TOWN.max.y, town::AREA.max.y - TOWN.min.y);
    let rect = Some(Rect::new(TOWN.min.x, top, TOWN.max.x, bottom));
    let sprite = Sprite { image: assets.load("town/ground.png"), rect, ..default() };
    commands.spawn((sprite, Transform::from_translation((TOWN.center() + TOWN_AT).extend(0.0))));
}

/// Hides trees and overlays that cross the rims of the maps: bars and a frame lie around each map.
fn spawn_rims(mut commands: Commands) {
    const WIDE: f32 = 6.0;
    const GOLD: Color = Color::srgb(0.48, 0.33, 0.22);

    for area in areas() {
        let above = AREA.max.y - area.max.y;
        let (centre, size) = (area.center(), area.size());
        for (middle, extent) in [
            (Vec2::new(centre.x, area.max.y + above / 2.0), Vec2::new(size.x + 2.0 * WIDE, above)),
            (Vec2::new(centre.x, area.min.y / 2.0), Vec2::new(size.x + 2.0 * WIDE, area.min.y)),
            (Vec2::new(area.min.x - WIDE / 2.0, centre.y), Vec2::new(WIDE, size.y)),
            (Vec2::new(area.max.x + WIDE / 2.0, centre.y), Vec2::new(WIDE, size.y)),
        ] {
            let bar = Sprite::from_color(SURROUNDINGS, extent);
            commands.spawn((bar, Transform::from_translation(middle.extend(height::RIM))));
        }
        for (wide, colour, rise) in [(2.0, INK, 0.1), (1.0, GOLD, 0.2)] {
            for (middle, extent) in [
                (Vec2::new(centre.x, area.max.y + wide / 2.0), Vec2::new(size.x + 2.0 * wide, wide)),
                (Vec2::new(centre.x, area.min.y - wide / 2.0), Vec2::new(size.x + 2.0 * wide, wide)),
                (Vec2::new(area.min.x - wide / 2.0, centre.y), Vec2::new(wide, size.y)),
                (Vec2::new(area.max.x + wide / 2.0, centre.y), Vec2::new(wide, size.y)),
            ] {
                let line = Sprite::from_color(colour, extent);
                commands.spawn((line, Transform::from_translation(middle.extend(height::RIM + rise))));
            }
        }
    }
}

//! Click to move, in one file to copy: a tilemap with terrain costs, a unit that walks where you click, and the
//! answer of the unit in the words of the game.
//!
//! `cargo run --example click_to_move`
//!
//! Guide: `docs/guide/src/01-first-unit.md`.

use bevy::prelude::*;
use bevy_ecs_tilemap::prelude::*;
use bevy_tilepath::{Diagonals, prelude::*};

/// The map, a character for each tile: a key of [`TILES`]. The highest row stands first.
const LEVEL: [&str; 14] = [
    "........................",
    "......#####.............",
    "......#...#......~~~....",
    "......#...#.....~~~~~...",
    "......#####.....~~~~~...",
    "................~~~~....",
    "====================....",
    "..~~~...........~~~=....",
    ".~~~~~....##....~~~=....",
    ".~~~~~....##.......=....",
    "..~~~.....##.......=....",
    "..........##.......=....",
    "..........##............",
    "........................",
];

/// The kinds of tiles: a character, the cost of a step onto the tile, the color.
const TILES: [(char, u8, Color); 4] = [
    ('=', 1, Color::srgb(0.76, 0.66, 0.46)), // a road
    ('.', 2, Color::srgb(0.42, 0.62, 0.35)), // grass
    ('~', 8, Color::srgb(0.36, 0.44, 0.40)), // a swamp: the unit prefers to go around it
    ('#', 0, Color::srgb(0.25, 0.24, 0.27)), // 0 is a wall
];

/// The width and height of a tile, in world units.
const TILE: f32 = 40.0;

/// The line of text that answers the player.
#[derive(Component)]
pub(crate) struct Message;

type MessageText<'w, 's> = Single<'w, 's, &'static mut Text, With<Message>>;

fn main() -> AppExit {
    App::new().add_plugins((DefaultPlugins, TilemapPlugin, game)).run()
}

/// The game: everything but the window and the drawing of tiles.
pub(crate) fn game(app: &mut App) {
    app.add_plugins(TilepathPlugin::default())
        .add_systems(Startup, (spawn_map, spawn_unit, spawn_words))
        .add_systems(Update, (order_unit, switch_diagonals, draw_path))
        .add_observer(|on: On<PathFound>, mut message: MessageText| message.0 = reply(Ok(&on)).into())
        .add_observer(|on: On<PathFailed>, mut message: MessageText| message.0 = reply(Err(on.reason)).into())
        .add_observer(|on: On<PathLost>, mut message: MessageText| message.0 = reply(Err(on.reason)).into())
        .add_observer(|_: On<Arrived>, mut message: MessageText| message.0.push_str(" Here I am."));
}

fn spawn_map(mut commands: Commands, mut images: ResMut<Assets<Image>>) {
    let size = TilemapSize::new(LEVEL[0].len() as u32, LEVEL.len() as u32);
    let map = commands.spawn_empty().id();
    let mut storage = TileStorage::empty(size);
    for (y, row) in (0..).zip(LEVEL.iter().rev()) {
        for (x, character) in (0..).zip(row.chars()) {
            let position = TilePos::new(x, y);
            let Some(&(_, cost, color)) = TILES.iter().find(|tile| tile.0 == character) else { continue };
            let bundle = TileBundle {
                position,
                tilemap_id: TilemapId(map),
                color: TileColor(color),
                ..default() // a game sets `texture_index` here
            };
            storage.set(&position, commands.spawn((bundle, Terrain(cost))).id());
        }
    }
    commands.entity(map).insert((
        TilemapBundle {
            size,
            storage,
            // One white pixel, which each tile colors. A game loads a picture of its tiles here.
            texture: TilemapTexture::Single(images.add(Image::default())),
            tile_size: TilemapTileSize::new(1.0, 1.0),
            grid_size: TilemapGridSize::new(1.0, 1.0),
            transform: Transform::from_scale(Vec3::new(TILE, TILE, 1.0)),
            anchor: TilemapAnchor::Center,
            ..default()
        },
        NavMap::default(), // units may walk here
    ));
}

fn spawn_unit(mut commands: Commands) {
    commands.spawn((
        Sprite::from_color(Color::srgb(0.95, 0.95, 0.98), Vec2::splat(0.6 * TILE)),
        Transform::from_xyz(-9.5 * TILE, -4.5 * TILE, 1.0), // above the tiles
        PathAgent { speed: (5.0 * TILE).into(), ..default() },
    ));
}

fn spawn_words(mut commands: Commands) {
    commands.spawn(Camera2d);
    commands.spawn((
        Text::new("Left click: go there.  D: diagonal steps on or off.\nRoad costs 1, grass 2, swamp 8."),
        Node { position_type: PositionType::Absolute, left: px(12), top: px(10), ..default() },
    ));
    commands.spawn((
        Message,
        Text::default(),
        Node { position_type: PositionType::Absolute, left: px(12), bottom: px(10), ..default() },
    ));
}

/// Orders the unit to the clicked place. A new order replaces the old one.
fn order_unit(
    mut commands: Commands,
    mouse: Res<ButtonInput<MouseButton>>,
    window: Single<&Window>,
    camera: Single<(&Camera, &GlobalTransform)>,
    unit: Single<Entity, With<PathAgent>>,
    mut message: MessageText,
) {
    let (camera, camera_transform) = *camera;
    if mouse.just_pressed(MouseButton::Left)
        && let Some(cursor) = window.cursor_position()
        && let Ok(goal) = camera.viewport_to_world_2d(camera_transform, cursor)
    {
        commands.entity(*unit).insert(PathRequest::to_position(goal).or_closest());
        message.0.clear();
    }
}

/// Changes the rules of the map. The unit replans at once if its path is not allowed any longer.
fn switch_diagonals(keys: Res<ButtonInput<KeyCode>>, mut map: Single<&mut NavMap>, mut message: MessageText) {
    if keys.just_pressed(KeyCode::KeyD) {
        let is_off = map.diagonals == Diagonals::Never;
        map.diagonals = if is_off { Diagonals::OnlyWhenNoObstacles } else { Diagonals::Never };
        message.0 = format!("Diagonal steps: {}.", if is_off { "on" } else { "off" });
    }
}

/// Draws the rest of the path.
fn draw_path(unit: Single<(&Transform, &AgentPath)>, mut gizmos: Gizmos) {
    let (transform, path) = *unit;
    let rest = path.points().iter().skip(path.next_point());
    let points = std::iter::once(transform.translation.truncate()).chain(rest.copied());
    gizmos.linestrip_2d(points, Color::WHITE);
}

/// Returns the answer of the unit, in the words of the game. Copy this function, and change the sentences.
///
/// An order with `or_closest` fails for few reasons. The texts of [`PathFailure`] are for programmers.
fn reply(answer: Result<&PathFound, PathFailure>) -> &'static str {
    match answer {
        Ok(found) if found.partial => "There is a wall. I go as near as I can.",
        Ok(_) => "I am on my way.",
        Err(PathFailure::GoalOutOfBounds { .. }) => "There is no ground.",
        Err(_) => "I cannot go there.",
    }
}

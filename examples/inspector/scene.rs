//! A meadow with a pond and a hut, waypoints behind a door, two walkers.

use bevy::prelude::*;
use bevy_ecs_tilemap::prelude::*;
use bevy_tilepath::{
    Cell, NavGraph, NavMap, Obstacle, OnMap, PathAgent, PathRequest, Terrain,
    debug::ShowSearch,
    doors::{Door, DoorEnd},
    events::{Arrived, PathFailed, PathLost},
    graphs::WaypointGraph,
};

use tilepath_examples::scale::scale_of;

/// The width of a tile.
const TILE: f32 = 16.0;
const WIDTH: u32 = 17;
const HEIGHT: u32 = 22;

/// The cells between which the two walkers go, on tiles.
const TURNS: [Cell; 2] = [Cell::new(2, 3), Cell::new(14, 18)];

pub(crate) struct ScenePlugin;

impl Plugin for ScenePlugin {
    fn build(&self, app: &mut App) {
        app.add_systems(Startup, (spawn_meadow, spawn_rest).chain())
            .add_systems(Update, fit_camera)
            .add_observer(|arrived: On<Arrived>, walkers: Query<&mut Walker>, commands: Commands| {
                turn_back(arrived.entity, walkers, commands);
            })
            .add_observer(|failed: On<PathFailed>, walkers: Query<&mut Walker>, commands: Commands| {
                turn_back(failed.entity, walkers, commands);
            })
            .add_observer(|lost: On<PathLost>, walkers: Query<&mut Walker>, commands: Commands| {
                turn_back(lost.entity, walkers, commands);
            });
    }
}

/// Makes a walker go to and fro.
#[derive(Component)]
struct Walker {
    requests: [PathRequest; 2],
    next: usize,
}

#[derive(Component)]
struct Meadow;

fn turn_back(walker: Entity, mut walkers: Query<&mut Walker>, mut commands: Commands) {
    if let Ok(mut turns) = walkers.get_mut(walker) {
        let request = turns.requests[turns.next].clone();
        turns.next = 1 - turns.next;
        commands.entity(walker).insert(request);
    }
}

/// Scales the camera: in a window of the default size a pixel of the pictures is two screen pixels,
/// in a larger one more.
fn fit_camera(window: Single<&Window>, mut camera: Single<&mut Transform, With<Camera2d>>) {
    let scale = Vec2::splat(0.5 / scale_of(window.size())).extend(1.0);
    if camera.scale != scale {
        camera.scale = scale;
    }
}

fn class(x: u32, y: u32) -> u8 {
    match (x, y) {
        (4..=6, 6..=13) => 0,
        (3..=8, 4..=15) => 3,
        _ => 1,
    }
}

fn spawn_meadow(mut commands: Commands, assets: Res<AssetServer>) {
    // Left of the panel.
    let place = Transform::from_xyz(TILE * 20.0, TILE * 11.0, 0.0);
    commands.spawn((Name::new("camera"), Camera2d, place));
    let map = commands.spawn_empty().id();
    let size = TilemapSize::new(WIDTH, HEIGHT);
    let mut storage = TileStorage::empty(size);
    for x in 0..WIDTH {
        for y in 0..HEIGHT {
            let position = TilePos::new(x, y);
            let texture_index = TileTextureIndex(x % 8 + y % 8 * 8);
            let tile = TileBundle { position, tilemap_id: TilemapId(map), texture_index, ..default() };
            storage.set(&position, commands.spawn((tile, Terrain(class(x, y)))).id());
        }
    }
    let tile_size = TilemapTileSize { x: TILE, y: TILE };
    commands.entity(map).insert((
        Name::new("meadow"),
        Meadow,
        TilemapBundle {
            size,
            storage,
            tile_size,
            grid_size: tile_size.into(),
            texture: TilemapTexture::Single(assets.load("tiles/grass.png")),
            anchor: TilemapAnchor::BottomLeft,
            ..default()
        },
        NavMap::default(),
    ));
}

fn spawn_rest(mut commands: Commands, meadow: Single<Entity, With<Meadow>>) -> Result {
    let mut waypoints = WaypointGraph::new();
    for (id, x, y) in [("gate", 18.5, 4.5), ("oak", 21.0, 9.0), ("well", 19.5, 15.0), ("mill", 24.0, 17.0)] {
        waypoints.add(id, (x * f64::from(TILE), y * f64::from(TILE)))?;
    }
    for (one, other) in [("gate", "oak"), ("oak", "well"), ("oak", "mill"), ("well", "mill")] {
        waypoints.join(one, other)?;
    }
    let path = commands.spawn((Name::new("path"), NavGraph::new(waypoints), Transform::default())).id();
    commands.spawn((
        Name::new("door"),
        Door::new(DoorEnd::cell(*meadow, Cell::new(16, 4)), DoorEnd::waypoint(path, "gate")),
    ));
    commands.spawn((
        Name::new("hut"),
        Obstacle { size: Vec2::new(3.0, 2.0) * TILE, ..default() },
        Sprite::from_color(Color::srgb(0.55, 0.35, 0.25), Vec2::new(3.0, 2.0) * TILE),
        Transform::from_xyz(12.5 * TILE, 9.0 * TILE, 1.0),
    ));

    let over_tiles = TURNS.map(PathRequest::to_cell);
    let to_the_mill =
        [PathRequest::to_waypoint("mill").on_map(path), PathRequest::to_cell(TURNS[0]).on_map(*meadow)];
    let walkers = [
        ("soldier", Color::srgb(0.9, 0.3, 0.3), over_tiles),
        ("messenger", Color::srgb(0.35, 0.5, 0.95), to_the_mill),
    ];
    for (number, (name, color, requests)) in walkers.into_iter().enumerate() {
        let first = requests[1 - number].clone();
        let start = (TURNS[0].y as f32 + 0.5 + number as f32) * TILE;
        let mut walker = commands.spawn((
            Name::new(name),
            Walker { requests, next: number },
            PathAgent { speed: (4.0 * TILE).into(), ..default() },
            OnMap(*meadow),
            Sprite::from_color(color, Vec2::splat(10.0)),
            Transform::from_xyz(2.5 * TILE, start, 2.0),
        ));
        walker.insert(first);
        if number == 0 {
            walker.insert(ShowSearch::default());
        }
    }
    Ok(())
}

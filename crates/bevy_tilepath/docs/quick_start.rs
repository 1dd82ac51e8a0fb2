use bevy::prelude::*;
use bevy_ecs_tilemap::prelude::*;
use bevy_tilepath::prelude::*;

fn main() -> AppExit {
    App::new()
        .add_plugins((DefaultPlugins, TilemapPlugin, TilepathPlugin::default()))
        .add_systems(Startup, spawn_level)
        .add_systems(Update, order_soldier)
        .run()
}

fn spawn_level(mut commands: Commands, assets: Res<AssetServer>) {
    commands.spawn(Camera2d);

    let size = TilemapSize::new(20, 20);
    let tilemap = commands.spawn_empty().id();
    let mut storage = TileStorage::empty(size);
    for x in 0..size.x {
        for y in 0..size.y {
            let position = TilePos::new(x, y);
            let wall = x == 10 && y != 3;
            let tile = commands.spawn((
                TileBundle {
                    position,
                    tilemap_id: TilemapId(tilemap),
                    texture_index: TileTextureIndex(wall.into()),
                    ..default()
                },
                Terrain(if wall { 0 } else { 1 }), // what a step onto this tile costs; 0 is a wall
            ));
            storage.set(&position, tile.id());
        }
    }
    let tile_size = TilemapTileSize { x: 16.0, y: 16.0 };
    commands.entity(tilemap).insert((
        TilemapBundle {
            size,
            storage,
            tile_size,
            grid_size: tile_size.into(),
            texture: TilemapTexture::Single(assets.load("tiles.png")),
            anchor: TilemapAnchor::Center,
            ..default()
        },
        NavMap::default(), // agents may walk here
    ));

    commands
        .spawn((
            Sprite::from_color(Color::WHITE, Vec2::splat(12.0)),
            Transform::from_xyz(-72.0, 8.0, 1.0), // above the tiles
            PathAgent { speed: 96.0.into(), ..default() },
        ))
        .observe(|arrived: On<Arrived>| info!("{} has arrived", arrived.entity))
        .observe(|failed: On<PathFailed>| warn!("no way: {}", failed.reason));
}

fn order_soldier(
    mut commands: Commands,
    mouse: Res<ButtonInput<MouseButton>>,
    window: Single<&Window>,
    camera: Single<(&Camera, &GlobalTransform)>,
    soldier: Single<Entity, With<PathAgent>>,
) {
    let (camera, camera_transform) = *camera;
    if mouse.just_pressed(MouseButton::Left)
        && let Some(cursor) = window.cursor_position()
        && let Ok(target) = camera.viewport_to_world_2d(camera_transform, cursor)
    {
        commands.entity(*soldier).insert(PathRequest::to_position(target));
    }
}

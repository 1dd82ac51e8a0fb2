use bevy::prelude::*;
use bevy_ecs_tilemap::prelude::*;
use bevy_tilepath::prelude::*;

fn main() -> AppExit {
    let plugins = (DefaultPlugins, TilemapPlugin, TilepathPlugin::default());
    App::new().add_plugins(plugins).add_systems(Startup, spawn_level).add_systems(Update, (order_unit, draw_path)).run()
}

fn spawn_level(mut commands: Commands, mut images: ResMut<Assets<Image>>) {
    commands.spawn(Camera2d);
    let (size, map) = (TilemapSize::new(20, 20), commands.spawn_empty().id());
    let mut storage = TileStorage::empty(size);
    for position in (0..20).flat_map(|x| (0..20).map(move |y| TilePos::new(x, y))) {
        let is_wall = position.x == 10 && position.y != 3;
        let color = TileColor(if is_wall { Color::BLACK } else { Color::srgb(0.4, 0.6, 0.4) });
        let tile = TileBundle { position, tilemap_id: TilemapId(map), color, ..default() };
        let cost = Terrain(if is_wall { 0 } else { 1 }); // the cost of a step onto the tile; 0 is a wall
        storage.set(&position, commands.spawn((tile, cost)).id());
    }
    let texture = TilemapTexture::Single(images.add(Image::default())); // one white pixel
    let (tile_size, grid_size) = (TilemapTileSize::new(1.0, 1.0), TilemapGridSize::new(1.0, 1.0));
    let transform = Transform::from_xyz(-285.0, -285.0, 0.0).with_scale(Vec3::new(30.0, 30.0, 1.0));
    let tilemap = TilemapBundle { size, storage, texture, tile_size, grid_size, transform, ..default() };
    commands.entity(map).insert((tilemap, NavMap::default())); // units may walk here
    let square = Sprite::from_color(Color::WHITE, Vec2::splat(20.0));
    let agent = PathAgent { speed: 200.0.into(), ..default() }; // in world units a second
    let words = children![(Text2d::new("Click."), Transform::from_xyz(0.0, 30.0, 1.0))];
    commands
        .spawn((square, Transform::from_xyz(-135.0, 15.0, 1.0), agent, words))
        .observe(|on: On<PathFound>, mut words: Single<&mut Text2d>| words.0 = reply(Ok(&on)).into())
        .observe(|on: On<PathFailed>, mut words: Single<&mut Text2d>| words.0 = reply(Err(&on)).into());
}

/// The answer of the unit, in the words of your game.
fn reply(answer: Result<&PathFound, &PathFailed>) -> &'static str {
    match answer {
        Ok(found) if found.partial => "There is a wall. I go as near as I can.",
        Ok(_) => "I am on my way.",
        Err(_) => "I cannot go there.",
    }
}

fn draw_path(path: Single<&AgentPath>, mut gizmos: Gizmos) {
    gizmos.linestrip_2d(path.points().iter().skip(path.next_point()).copied(), Color::WHITE);
}

fn order_unit(
    mut commands: Commands,
    mouse: Res<ButtonInput<MouseButton>>,
    window: Single<&Window>,
    camera: Single<(&Camera, &GlobalTransform)>,
    unit: Single<Entity, With<PathAgent>>,
) {
    if mouse.just_pressed(MouseButton::Left)
        && let Some(cursor) = window.cursor_position()
        && let Ok(goal) = camera.0.viewport_to_world_2d(camera.1, cursor)
    {
        commands.entity(*unit).insert(PathRequest::to_position(goal).or_closest());
    }
}

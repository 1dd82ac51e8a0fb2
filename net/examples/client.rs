//! A client with a window, for the example `server`. Each click orders the next unit to the cell under the mouse.
//!
//! `cargo run --manifest-path net/Cargo.toml --example client --features window`

use std::time::SystemTime;

use bevy::{camera::ScalingMode, prelude::*, window::PrimaryWindow};
use bevy_replicon::prelude::*;
use bevy_tilepath::{Cell, agents::PathOutline, tilepath::format::parse_ascii};
use tilepath_net::{
    GoTo, Sample,
    client::{self, ClientPlugin},
};

/// The map, which the client only draws.
const TOWN: &str = include_str!("town.txt");

fn main() -> Result {
    let mut app = App::new();
    app.add_plugins((DefaultPlugins, ClientPlugin))
        .add_systems(Startup, draw_town)
        .add_systems(Update, (order, draw_units));
    let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH)?;
    client::connect(&mut app, ([127, 0, 0, 1], 5600).into(), now.as_millis() as u64, now)?;
    app.run();
    Ok(())
}

fn draw_town(mut commands: Commands) -> Result {
    let view = OrthographicProjection {
        scaling_mode: ScalingMode::AutoMin { min_width: 26.0, min_height: 26.0 },
        ..OrthographicProjection::default_2d()
    };
    commands.spawn((Camera2d, Projection::Orthographic(view), Transform::from_xyz(11.5, 11.5, 0.0)));
    let town = parse_ascii(TOWN)?;
    let size = Vec2::new(town.bounds().width() as f32, town.bounds().height() as f32);
    let ground = Transform::from_translation(((size - Vec2::ONE) / 2.0).extend(-2.0));
    commands.spawn((Sprite::from_color(Color::srgb(0.24, 0.27, 0.22), size), ground));
    for cell in town.bounds().cells().filter(|&cell| town.terrain(cell) == Some(0)) {
        let at = Transform::from_xyz(cell.x as f32, cell.y as f32, -1.0);
        commands.spawn((Sprite::from_color(Color::srgb(0.5, 0.45, 0.4), Vec2::ONE), at));
    }
    Ok(())
}

/// Sends the order of a click.
fn order(
    mouse: Res<ButtonInput<MouseButton>>,
    window: Single<&Window, With<PrimaryWindow>>,
    camera: Single<(&Camera, &GlobalTransform)>,
    units: Query<Entity, With<Sample>>,
    mut clicks: Local<usize>,
    mut commands: Commands,
) {
    let (camera, eye) = *camera;
    let cursor = window.cursor_position().filter(|_| mouse.just_pressed(MouseButton::Left));
    let Some(place) = cursor.and_then(|cursor| camera.viewport_to_world_2d(eye, cursor).ok()) else { return };
    let mut sorted: Vec<Entity> = units.iter().collect();
    sorted.sort_unstable();
    if let Some(&unit) = sorted.iter().cycle().nth(*clicks) {
        let IVec2 { x, y } = place.round().as_ivec2();
        commands.client_trigger(GoTo { unit, cell: Cell::new(x, y) });
        *clicks += 1;
    }
}

/// Draws each unit where it was a moment ago, and the rest of its path.
fn draw_units(units: Query<(&Transform, &PathOutline), With<Sample>>, mut gizmos: Gizmos) {
    for (transform, outline) in &units {
        let place = transform.translation.truncate();
        gizmos.circle_2d(place, 0.35, Color::srgb(0.3, 0.6, 1.0));
        gizmos.linestrip_2d(rest_of(&outline.corners, place), Color::srgb(0.9, 0.7, 0.2));
    }
}

/// Returns the rest of a path from the place of its unit, which may have stepped aside.
fn rest_of(corners: &[Vec2], place: Vec2) -> impl Iterator<Item = Vec2> {
    let distance = |next: usize| {
        let nearest = Segment2d::new(corners[next - 1], corners[next]).closest_point(place);
        nearest.distance(place)
    };
    let next = (1..corners.len()).min_by(|&one, &other| distance(one).total_cmp(&distance(other)));
    std::iter::once(place).chain(corners.iter().copied().skip(next.unwrap_or(corners.len())))
}

//! The example `click_to_move` without a window: clicks at places of a window that is only described.

#[expect(dead_code, reason = "`main` opens a window")]
#[path = "../click_to_move.rs"]
mod click_to_move;

use bevy::{
    asset::AssetPlugin,
    camera::{ComputedCameraValues, RenderTargetInfo},
    gizmos::GizmoAsset,
    prelude::*,
    time::TimeUpdateStrategy,
    window::PrimaryWindow,
};
use bevy_tilepath::{Diagonals, prelude::*};

const WINDOW: UVec2 = UVec2::new(1280, 720);

/// The example, with its unit in the middle of its tile.
fn started() -> App {
    let mut app = App::new();
    app.add_plugins((MinimalPlugins, AssetPlugin::default()))
        .init_resource::<ButtonInput<MouseButton>>()
        .init_resource::<ButtonInput<KeyCode>>()
        .init_asset::<Image>()
        .init_asset::<GizmoAsset>()
        .init_gizmo_group::<DefaultGizmoConfigGroup>()
        .insert_resource(TimeUpdateStrategy::FixedTimesteps(1))
        .add_plugins(click_to_move::game);
    app.world_mut().spawn((Window { resolution: WINDOW.into(), ..default() }, PrimaryWindow));
    app.update();
    let mut cameras = app.world_mut().query_filtered::<(&mut Camera, &mut Projection), With<Camera2d>>();
    let (mut camera, mut projection) = cameras.single_mut(app.world_mut()).expect("the example has a camera");
    projection.update(WINDOW.x as f32, WINDOW.y as f32);
    camera.computed = ComputedCameraValues {
        clip_from_view: projection.get_clip_from_view(),
        target_info: Some(RenderTargetInfo { physical_size: WINDOW, scale_factor: 1.0 }),
        ..default()
    };
    app.update();
    app
}

/// Clicks there, in pixels from the upper left corner of the window.
fn click(app: &mut App, x: f32, y: f32) {
    let mut windows = app.world_mut().query::<&mut Window>();
    let mut window = windows.single_mut(app.world_mut()).expect("there is one window");
    window.set_cursor_position(Some(Vec2::new(x, y)));
    app.world_mut().resource_mut::<ButtonInput<MouseButton>>().press(MouseButton::Left);
    app.update();
    app.world_mut().resource_mut::<ButtonInput<MouseButton>>().reset_all();
}

/// Runs the game until the order has ended, and returns the number of ticks.
fn ticks_to_the_end(app: &mut App) -> usize {
    let mut orders = app.world_mut().query_filtered::<(), With<PathRequest>>();
    (1..10_000)
        .find(|_| {
            app.update();
            orders.iter(app.world()).next().is_none()
        })
        .expect("an order ends")
}

fn place(app: &mut App) -> Vec2 {
    let mut units = app.world_mut().query_filtered::<&Transform, With<PathAgent>>();
    units.single(app.world()).expect("there is one unit").translation.truncate()
}

fn message(app: &mut App) -> String {
    let mut texts = app.world_mut().query_filtered::<&Text, With<click_to_move::Message>>();
    texts.single(app.world()).expect("there is one message").0.clone()
}

#[test]
fn unit_walks_to_the_middle_of_the_clicked_tile() {
    let mut app = started();
    click(&mut app, 1000.0, 250.0);
    ticks_to_the_end(&mut app);
    app.update(); // a frame shows the unit where it was a tick before
    assert_eq!(
        (place(&mut app), message(&mut app).as_str()),
        (Vec2::new(380.0, 100.0), "I am on my way. Here I am.")
    );
}

#[test]
fn click_behind_walls_sends_the_unit_near_and_it_answers_in_the_words_of_the_game() {
    let mut app = started();
    click(&mut app, 480.0, 210.0);
    ticks_to_the_end(&mut app);
    app.update();
    let goal = Vec2::new(480.0 - 640.0, 360.0 - 210.0);
    assert!(place(&mut app).distance(goal) < 4.0 * 40.0);
    assert_eq!(message(&mut app), "There is a wall. I go as near as I can. Here I am.");
}

#[test]
fn click_beside_the_map_is_refused_in_the_words_of_the_game() {
    let mut app = started();
    let start = place(&mut app);
    click(&mut app, 5.0, 5.0);
    ticks_to_the_end(&mut app);
    assert_eq!((place(&mut app), message(&mut app).as_str()), (start, "There is no ground."));
}

#[test]
fn key_switches_diagonal_steps_off_and_the_unit_walks_longer() {
    let mut app = started();
    click(&mut app, 340.0, 620.0);
    let with_diagonals = ticks_to_the_end(&mut app);

    let mut app = started();
    app.world_mut().resource_mut::<ButtonInput<KeyCode>>().press(KeyCode::KeyD);
    app.update();
    app.world_mut().resource_mut::<ButtonInput<KeyCode>>().reset_all();
    let mut maps = app.world_mut().query::<&NavMap>();
    assert_eq!(maps.single(app.world()).expect("there is one map").diagonals, Diagonals::Never);
    assert_eq!(message(&mut app), "Diagonal steps: off.");
    click(&mut app, 340.0, 620.0);
    let without = ticks_to_the_end(&mut app);
    assert!(without > with_diagonals, "{without} ticks without, {with_diagonals} with");
}

//! The quick start without a window: a click behind the wall, and the unit walks there.

use bevy::{
    asset::AssetPlugin,
    camera::{ComputedCameraValues, RenderTargetInfo},
    time::TimeUpdateStrategy,
    window::PrimaryWindow,
};

include!("../src/main.rs");

const WINDOW: UVec2 = UVec2::new(600, 600);
/// The middle of a tile on the other side of the wall, and its pixel in the window.
const GOAL: Vec2 = Vec2::new(165.0, 15.0);
const CLICK: Vec2 = Vec2::new(465.0, 285.0);
/// The only tile without a wall.
const GAP: Vec2 = Vec2::new(15.0, -195.0);

/// The camera as it is with a window of this size.
fn show(app: &mut App) {
    let mut cameras = app.world_mut().query_filtered::<(&mut Camera, &mut Projection), With<Camera2d>>();
    let (mut camera, mut projection) = cameras.single_mut(app.world_mut()).expect("the game has a camera");
    projection.update(WINDOW.x as f32, WINDOW.y as f32);
    camera.computed = ComputedCameraValues {
        clip_from_view: projection.get_clip_from_view(),
        target_info: Some(RenderTargetInfo { physical_size: WINDOW, scale_factor: 1.0 }),
        ..default()
    };
}

#[test]
fn unit_walks_through_the_gap_to_the_clicked_tile() {
    let mut app = App::new();
    app.add_plugins((MinimalPlugins, AssetPlugin::default(), TilepathPlugin::default()))
        .init_resource::<ButtonInput<MouseButton>>()
        .init_asset::<Image>()
        .insert_resource(TimeUpdateStrategy::FixedTimesteps(1))
        .add_systems(Startup, spawn_level)
        .add_systems(Update, order_unit);
    let mut window = Window { resolution: WINDOW.into(), ..default() };
    window.set_cursor_position(Some(CLICK));
    app.world_mut().spawn((window, PrimaryWindow));
    app.update();
    show(&mut app);
    app.world_mut().resource_mut::<ButtonInput<MouseButton>>().press(MouseButton::Left);
    app.update();
    app.world_mut().resource_mut::<ButtonInput<MouseButton>>().reset_all();

    let mut units = app.world_mut().query_filtered::<(Entity, &Transform), With<PathAgent>>();
    let mut is_through_the_gap = false;
    for _ in 0..1000 {
        app.update();
        let (unit, transform) = units.single(app.world()).expect("there is one unit");
        is_through_the_gap |= transform.translation.truncate().distance(GAP) < 15.0;
        if app.world().get::<PathStatus>(unit) == Some(&PathStatus::Arrived) {
            break;
        }
    }
    app.update(); // a frame shows the unit where it was a tick before
    let (unit, transform) = units.single(app.world()).expect("there is one unit");
    assert_eq!(app.world().get::<PathStatus>(unit), Some(&PathStatus::Arrived));
    assert!(transform.translation.truncate().distance(GOAL) < 0.01, "it stands at {transform:?}");
    assert!(is_through_the_gap);
}

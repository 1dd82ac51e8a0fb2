//! The quick start of the README without a window: clicks on ground, and on the wall.

#[expect(dead_code, reason = "`main` opens a window")]
#[expect(clippy::bool_to_int_with_if, reason = "the two costs are easier to read as numbers")]
mod quick_start {
    use bevy::{
        asset::AssetPlugin,
        camera::{ComputedCameraValues, RenderTargetInfo},
        gizmos::GizmoAsset,
        time::TimeUpdateStrategy,
        window::PrimaryWindow,
    };

    include!("../../crates/bevy_tilepath/docs/quick_start.rs");

    const WINDOW: UVec2 = UVec2::new(600, 600);

    /// Clicks at a place of the window, in pixels from the upper left corner. Returns the place of the unit at the end of
    /// its order, and its words at the beginning.
    fn walk_to(x: f32, y: f32) -> (Vec2, String) {
        let mut app = App::new();
        app.add_plugins((MinimalPlugins, AssetPlugin::default(), TilepathPlugin::default()))
            .init_resource::<ButtonInput<MouseButton>>()
            .init_asset::<Image>()
            .init_asset::<GizmoAsset>()
            .init_gizmo_group::<DefaultGizmoConfigGroup>()
            .insert_resource(TimeUpdateStrategy::FixedTimesteps(1))
            .add_systems(Startup, spawn_level)
            .add_systems(Update, (order_unit, draw_path));
        let mut window = Window { resolution: WINDOW.into(), ..default() };
        window.set_cursor_position(Some(Vec2::new(x, y)));
        app.world_mut().spawn((window, PrimaryWindow));
        app.update();
        let mut cameras = app.world_mut().query_filtered::<(&mut Camera, &mut Projection), With<Camera2d>>();
        let (mut camera, mut projection) = cameras.single_mut(app.world_mut()).expect("there is a camera");
        projection.update(WINDOW.x as f32, WINDOW.y as f32);
        camera.computed = ComputedCameraValues {
            clip_from_view: projection.get_clip_from_view(),
            target_info: Some(RenderTargetInfo { physical_size: WINDOW, scale_factor: 1.0 }),
            ..default()
        };
        app.world_mut().resource_mut::<ButtonInput<MouseButton>>().press(MouseButton::Left);
        app.update();
        app.world_mut().resource_mut::<ButtonInput<MouseButton>>().reset_all();

        let mut orders = app.world_mut().query_filtered::<(), With<PathRequest>>();
        (0..2000).find(|_| {
            app.update();
            orders.iter(app.world()).next().is_none()
        });
        app.update(); // a frame shows the unit where it was a tick before
        let mut units = app.world_mut().query_filtered::<&Transform, With<PathAgent>>();
        let place = units.single(app.world()).expect("there is one unit").translation.truncate();
        let mut words = app.world_mut().query::<&Text2d>();
        (place, words.single(app.world()).expect("it has words").0.clone())
    }

    #[test]
    fn click_on_ground_sends_the_unit_around_the_wall() {
        let (place, words) = walk_to(465.0, 285.0);
        assert!(place.distance(Vec2::new(165.0, 15.0)) < 0.01, "{place}");
        assert_eq!(words, "I am on my way.");
    }

    #[test]
    fn click_on_the_wall_sends_the_unit_near_and_it_answers_in_the_words_of_the_game() {
        let (place, words) = walk_to(315.0, 285.0);
        assert!((place - Vec2::new(15.0, 15.0)).length() < 31.0, "{place}");
        assert_eq!(words, "There is a wall. I go as near as I can.");
    }
}

//! The window of an example.

use bevy::{
    app::PluginGroupBuilder,
    asset::AssetPlugin,
    prelude::*,
    window::{WindowPlugin, WindowResolution},
};

/// Size of the window in logical pixels.
pub const WINDOW_SIZE: UVec2 = UVec2::new(1280, 720);

/// The folder of the project's pictures, wherever the program is started from.
pub const ASSETS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../assets");

/// Bevy's default plugins with a titled window, our assets, and pixels that stay sharp when enlarged.
#[must_use]
pub fn window_plugins(title: &str) -> PluginGroupBuilder {
    DefaultPlugins
        .set(ImagePlugin::default_nearest())
        .set(AssetPlugin { file_path: ASSETS.into(), ..default() })
        .set(WindowPlugin {
            primary_window: Some(Window {
                title: title.into(),
                resolution: WindowResolution::new(WINDOW_SIZE.x, WINDOW_SIZE.y),
                ..default()
            }),
            ..default()
        })
}

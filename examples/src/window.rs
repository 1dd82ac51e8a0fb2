//! The window of an example.

use bevy::{
    app::PluginGroupBuilder,
    asset::AssetPlugin,
    prelude::*,
    window::{WindowPlugin, WindowResolution},
};

use crate::{options::RunOptions, scale::ScalePlugin};

/// The default size of the window in logical pixels.
pub const WINDOW_SIZE: UVec2 = UVec2::new(1280, 720);

/// The folder of the project's pictures, from any working directory.
pub const ASSETS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../assets");

/// Returns Bevy's default plugins with a titled window and the project's assets. Pixels stay sharp
/// when enlarged, and texts grow with the window.
#[must_use]
pub fn window_plugins(title: &str, run: &RunOptions) -> PluginGroupBuilder {
    let size = run.window.unwrap_or(WINDOW_SIZE);
    DefaultPlugins
        .build()
        .add(ScalePlugin)
        .set(ImagePlugin::default_nearest())
        .set(AssetPlugin { file_path: ASSETS.into(), ..default() })
        .set(WindowPlugin {
            primary_window: Some(Window {
                title: title.into(),
                resolution: WindowResolution::new(size.x, size.y),
                ..default()
            }),
            ..default()
        })
}

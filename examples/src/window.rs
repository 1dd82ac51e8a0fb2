//! The window of an example.

use bevy::{
    app::PluginGroupBuilder,
    asset::AssetPlugin,
    prelude::*,
    window::{WindowPlugin, WindowResolution},
};

use crate::{options::RunOptions, scale::ScalePlugin};

/// Size of the window in logical pixels where `--window` names none.
pub const WINDOW_SIZE: UVec2 = UVec2::new(1280, 720);

/// The folder of the project's pictures, wherever the program is started from.
pub const ASSETS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../assets");

/// Bevy's default plugins with a titled window, our assets, pixels that stay sharp when enlarged, and texts that grow with the
/// window.
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

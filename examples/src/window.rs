//! The window of an example.

use bevy::{
    app::PluginGroupBuilder,
    asset::{AssetMetaCheck, AssetPlugin},
    prelude::*,
    window::{PrimaryWindow, WindowPlugin, WindowResolution},
};

use crate::{options::RunOptions, scale::ScalePlugin};

/// The default size of the window in logical pixels.
pub const WINDOW_SIZE: UVec2 = UVec2::new(1280, 720);

/// The folder of the project's pictures: from any working directory, or beside the web page.
pub const ASSETS: &str =
    if cfg!(target_arch = "wasm32") { "assets" } else { concat!(env!("CARGO_MANIFEST_DIR"), "/../assets") };

/// Returns Bevy's default plugins with a titled window and the project's assets. Pixels stay sharp
/// when enlarged, and texts grow with the window.
#[must_use]
pub fn window_plugins(title: &str, run: &RunOptions) -> PluginGroupBuilder {
    let size = run.window.unwrap_or(WINDOW_SIZE);
    let plugins = DefaultPlugins.build().add(ScalePlugin).add(show_with_a_picture);
    #[cfg(target_arch = "wasm32")]
    let plugins = plugins.add(crate::page::PagePlugin);
    plugins
        .set(ImagePlugin::default_nearest())
        .set(AssetPlugin { file_path: ASSETS.into(), meta_check: AssetMetaCheck::Never, ..default() })
        .set(WindowPlugin {
            primary_window: Some(Window {
                title: title.into(),
                resolution: WindowResolution::new(size.x, size.y),
                // On a web page: the canvas that is as large as it fits.
                canvas: Some("#window".into()),
                fit_canvas_to_parent: true,
                visible: cfg!(target_arch = "wasm32"),
                ..default()
            }),
            ..default()
        })
}

/// The frame in which the window is shown: the graphics card has drawn by then.
const SHOWN_IN_FRAME: u32 = 3;

/// Shows the window once there is a picture. What a window has before that is any part of the memory.
fn show_with_a_picture(app: &mut App) {
    let show = |mut frame: Local<u32>, mut window: Single<&mut Window, With<PrimaryWindow>>| {
        *frame += 1;
        if *frame == SHOWN_IN_FRAME {
            window.visible = true;
        }
    };
    app.add_systems(Last, show);
}

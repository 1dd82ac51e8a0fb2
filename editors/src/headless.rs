//! Apps without a window, stepped by hand.

use std::{fs, io, path::Path};

use bevy::{
    asset::io::{
        AssetSourceBuilder, AssetSourceId,
        memory::{Dir, MemoryAssetReader},
    },
    image::{CompressedImageFormats, ImageLoader},
    prelude::*,
    render::RenderApp,
    shader::Shader,
    time::TimeUpdateStrategy,
    transform::TransformPlugin,
};
use bevy_tilepath::TilepathPlugin;

use crate::bevy_version::{ASSETS, sync_render_world};

/// Reads the files of the folder `assets` into memory. A test can replace files there later.
///
/// # Errors
/// If a file cannot be read.
pub fn files() -> io::Result<Dir> {
    let files = Dir::default();
    for entry in fs::read_dir(ASSETS)? {
        let entry = entry?;
        files.insert_asset(Path::new(&entry.file_name()), fs::read(entry.path())?);
    }
    Ok(files)
}

/// Makes an app with these files and the plugin of an editor. Each update is one fixed step.
pub fn app(files: &Dir, editor: impl Plugin) -> App {
    let mut app = App::new();
    // The plugins of both editors add `TilemapPlugin` of bevy_ecs_tilemap, which needs both of
    // these, and the shaders below. It draws nothing: an app that is only stepped has no renderer.
    app.insert_sub_app(RenderApp, SubApp::new());
    app.add_plugins(sync_render_world());
    let root = files.clone();
    app.register_asset_source(
        AssetSourceId::Default,
        AssetSourceBuilder::new(move || Box::new(MemoryAssetReader { root: root.clone() })),
    )
    .add_plugins((MinimalPlugins, AssetPlugin::default(), ImagePlugin::default(), TransformPlugin))
    .register_asset_loader(ImageLoader::new(CompressedImageFormats::NONE))
    .init_asset::<Shader>()
    .init_asset::<TextureAtlasLayout>()
    .init_resource::<ClearColor>()
    .insert_resource(TimeUpdateStrategy::FixedTimesteps(1))
    .add_plugins((editor, TilepathPlugin::default()));
    app
}

/// Updates the app until the condition holds, since other threads read the files.
///
/// # Panics
/// If the condition does not hold after 10,000 updates.
#[track_caller]
pub fn update_until(app: &mut App, is_so: impl Fn(&mut World) -> bool) {
    for _ in 0..10_000 {
        if is_so(app.world_mut()) {
            return;
        }
        app.update();
        std::thread::yield_now();
    }
    panic!("the condition does not hold after 10,000 updates");
}

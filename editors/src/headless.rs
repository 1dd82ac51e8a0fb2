//! Apps without a window, stepped by hand.

use std::{fs, io, path::Path};

use bevy::{
    asset::io::{
        AssetSourceBuilder, AssetSourceId,
        memory::{Dir, MemoryAssetReader},
    },
    image::{CompressedImageFormats, ImageLoader},
    prelude::*,
    render::{RenderApp, sync_world::SyncWorldPlugin},
    time::TimeUpdateStrategy,
    transform::TransformPlugin,
};
use bevy_tilepath::TilepathPlugin;

/// The files of the folder `assets`, in memory: an app may find others in their place later.
///
/// # Errors
/// If a file cannot be read.
pub fn files() -> io::Result<Dir> {
    let files = Dir::default();
    for entry in fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("assets"))? {
        let entry = entry?;
        files.insert_asset(Path::new(&entry.file_name()), fs::read(entry.path())?);
    }
    Ok(files)
}

/// An app with these files, with whichever plugin of an editor, in which each update is one fixed step.
pub fn app(files: &Dir, editor: impl Plugin) -> App {
    let mut app = App::new();
    // `TilemapPlugin` of bevy_ecs_tilemap, which the plugins of both editors add, asks for both and draws nothing: an app
    // that is stepped and never run has no renderer.
    app.insert_sub_app(RenderApp, SubApp::new());
    app.add_plugins(SyncWorldPlugin);
    let root = files.clone();
    app.register_asset_source(
        AssetSourceId::Default,
        AssetSourceBuilder::new(move || Box::new(MemoryAssetReader { root: root.clone() })),
    )
    .add_plugins((MinimalPlugins, AssetPlugin::default(), ImagePlugin::default(), TransformPlugin))
    .register_asset_loader(ImageLoader::new(CompressedImageFormats::NONE))
    .init_asset::<TextureAtlasLayout>()
    .init_resource::<ClearColor>()
    .insert_resource(TimeUpdateStrategy::FixedTimesteps(1))
    .add_plugins((editor, TilepathPlugin::default()));
    app
}

/// Updates until that is so: files are read by other threads.
///
/// # Panics
/// If it does not come about.
#[track_caller]
pub fn update_until(app: &mut App, is_so: impl Fn(&mut World) -> bool) {
    for _ in 0..10_000 {
        if is_so(app.world_mut()) {
            return;
        }
        app.update();
        std::thread::yield_now();
    }
    panic!("it has not come about");
}

//! Games with their files in memory.

use std::path::Path;

use bevy::{
    asset::io::{
        AssetSourceBuilder, AssetSourceId,
        memory::{Dir, MemoryAssetReader},
    },
    prelude::*,
};
use bevy_tilepath::TilepathPlugin;

use super::game::Game;

impl Game {
    /// Starts a game in fixed steps. It reads its files from this folder in memory.
    pub(crate) fn with_files(files: &Dir) -> Self {
        let mut game = Self(App::new());
        let root = files.clone();
        game.register_asset_source(
            AssetSourceId::Default,
            AssetSourceBuilder::new(move || Box::new(MemoryAssetReader { root: root.clone() })),
        )
        .add_plugins((MinimalPlugins, AssetPlugin::default(), TilepathPlugin::default()));
        game.start();
        game
    }

    /// Updates until the condition holds. Other threads load the files.
    #[track_caller]
    pub(crate) fn update_until(&mut self, is_so: impl Fn(&Self) -> bool) {
        for _ in 0..100_000 {
            if is_so(self) {
                return;
            }
            self.update();
            std::thread::yield_now();
        }
        panic!("the condition never became true");
    }
}

/// Writes a file.
pub(crate) fn write(files: &Dir, path: &str, text: &str) {
    files.insert_asset_text(Path::new(path), text);
}

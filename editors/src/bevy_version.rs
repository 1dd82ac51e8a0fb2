//! Names and places that differ between the packages for two versions of Bevy.

use bevy::prelude::*;

/// The folder of the maps.
#[cfg(not(bevy_0_20))]
pub(crate) const ASSETS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/assets");
#[cfg(bevy_0_20)]
pub(crate) const ASSETS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../editors/assets");

/// The plugin that keeps the entities of the world of the renderer.
#[cfg(not(bevy_0_20))]
pub(crate) fn sync_render_world() -> impl Plugin {
    bevy::render::sync_world::SyncWorldPlugin
}
#[cfg(bevy_0_20)]
pub(crate) fn sync_render_world() -> impl Plugin {
    bevy::extract::sync_world::SyncWorldPlugin::<bevy::render::RenderApp>::default()
}

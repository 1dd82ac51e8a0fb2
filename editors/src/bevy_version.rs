//! Names and places that differ between the packages for two versions of Bevy.

/// The folder of the maps.
#[cfg(not(bevy_0_20))]
pub(crate) const ASSETS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/assets");
#[cfg(bevy_0_20)]
pub(crate) const ASSETS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../editors/assets");

#[cfg(not(bevy_0_20))]
pub(crate) use bevy::render::sync_world::SyncWorldPlugin as SyncRenderWorldPlugin;
#[cfg(bevy_0_20)]
pub(crate) type SyncRenderWorldPlugin = bevy::extract::sync_world::SyncWorldPlugin<bevy::render::RenderApp>;

//! The rules of maps from files.

mod fill;

use std::{io, str::Utf8Error, sync::Arc};

use bevy_app::App;
use bevy_asset::{Asset, AssetApp, AssetLoader, AssetServer, Assets, Handle, LoadContext, io::Reader};
use bevy_ecs::{
    component::Component,
    schedule::{IntoScheduleConfigs, ScheduleLabel},
    template::FromTemplate,
};
use bevy_reflect::{Reflect, TypePath};
use thiserror::Error;
use tilepath::rules::{Rules, RulesError};
use tracing::{error, warn};

use crate::{
    map::nav_map::NavMap,
    schedule::{SyncMapsSchedule, SyncSteps},
    sync::rules_asset::fill::FilledRules,
};

/// The rules of a game as an asset. The type needs the feature `rules_asset`, which is on by
/// default.
///
/// Bevy loads files named `*.rules.ron` as this type. A file of any other name works if you load it
/// as a handle of this type. The module [`rules`](tilepath::rules) describes the contents of the
/// file.
///
/// If the text of the file has faults, the asset holds the faults instead of the rules, so that a
/// game can show them to its designer. The plugin also logs the faults in one message each time the
/// file is loaded. Maps keep their present rules.
///
/// Rules that are legal but probably mistakes ([`Rules::lint`]) are logged as warnings.
#[derive(Asset, TypePath, Debug, Clone, PartialEq)]
#[type_path = "bevy_tilepath"]
pub struct RulesAsset(pub Result<Rules, RulesError>);

/// Fills the entity's [`NavMap`] and the texture classes of the map's tilemaps from a file. If the
/// file changes, the plugin fills them again.
///
/// Until the rules are loaded, agents wait, as they wait for tiles. The file is loaded again by
/// Bevy's feature `file_watcher` or by `AssetServer::reload`; your code can also change the asset
/// through `Assets::get_mut`. The next [`SyncMaps`](crate::TilepathSystems::SyncMaps) applies the
/// new rules, and paths that the new rules affect are planned again. A file with faults changes
/// nothing.
///
/// # Values of the file, and your values
/// - [`NavMap::movements`]: movements under names that the file describes come from the file. They
///   are written each time the rules of the file are applied. Movements under other names are
///   yours.
/// - If a changed file no longer describes a name, the movement under this name is removed, unless
///   you had replaced it by another movement.
/// - [`NavMap::costs`], [`diagonals`](NavMap::diagonals) and [`steps`](NavMap::steps) are for units
///   without a movement. They come from the movement of the file that you name with
///   [`with_movement`](Self::with_movement). If you name no movement, they come from the movement
///   `default` of the file. If the file does not have this movement, the three values are yours.
/// - [`NavMap::missing_tile`], `Terrain` on tiles and `TextureTerrain` on tilemaps are yours. If
///   the map's own tilemap or a layer has no `TextureTerrain`, it gets one with the texture classes
///   of the file. The plugin does not change a `TextureTerrain` that you insert, change, or load
///   with a scene.
///
/// The plugin writes rules to the map only when the file is loaded or changes. Until the next
/// change of the file, your own changes to the rules stay. Put `NavRules` on the map together with
/// [`NavMap`], or later. If you remove `NavRules`, the values from the file stay.
///
/// ```
/// use bevy_asset::AssetServer;
/// use bevy_ecs::prelude::*;
/// use bevy_tilepath::{maps::NavRules, AgentMovement, PathAgent};
///
/// fn spawn_level(mut commands: Commands, assets: Res<AssetServer>) {
///     // With `NavMap`, on a tilemap or on an entity of your own.
///     commands.spawn(NavRules::new(assets.load("ford.rules.ron")).with_movement("infantry"));
///     commands.spawn((PathAgent::default(), AgentMovement::from("wagon")));
/// }
/// # let _ = spawn_level;
/// ```
#[derive(Component, Debug, Clone, PartialEq, Eq, FromTemplate, Reflect)]
#[type_path = "bevy_tilepath"]
#[reflect(Debug, Clone, PartialEq)]
#[require(NavMap, FilledRules)]
pub struct NavRules {
    /// The handle of the file.
    pub file: Handle<RulesAsset>,
    /// The name, in the file, of the movement for units without a movement. `None` stands for the
    /// movement `default`, if the file has one.
    pub movement: Option<Arc<str>>,
}

impl NavRules {
    /// Creates the component from the handle of a file.
    #[must_use]
    pub const fn new(file: Handle<RulesAsset>) -> Self {
        Self { file, movement: None }
    }

    /// Sets the movement for units without a movement, by its name in the file.
    ///
    /// The size and the overlays of the named movement do not apply to units without a movement.
    /// They apply only to units that name the movement.
    #[must_use]
    pub fn with_movement(self, name: impl Into<Arc<str>>) -> Self {
        Self { movement: Some(name.into()), ..self }
    }
}

/// The asset loader of [`RulesAsset`]s. [`TilepathPlugin`](crate::TilepathPlugin) registers this
/// loader.
#[derive(TypePath, Debug, Default, Clone, Copy)]
#[type_path = "bevy_tilepath"]
pub struct RulesLoader;

/// The reason why a file cannot be read as text.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum RulesAssetError {
    /// The file could not be read.
    #[error("the file cannot be read: {0}")]
    Read(#[from] io::Error),
    /// The file is not text.
    #[error("the file is not text: {0}; save it as UTF-8")]
    NotText(#[from] Utf8Error),
}

impl AssetLoader for RulesLoader {
    type Asset = RulesAsset;
    type Settings = ();
    type Error = RulesAssetError;

    async fn load(
        &self,
        reader: &mut dyn Reader,
        _settings: &(),
        context: &mut LoadContext<'_>,
    ) -> Result<RulesAsset, RulesAssetError> {
        let mut bytes = Vec::new();
        reader.read_to_end(&mut bytes).await?;
        let text = std::str::from_utf8(&bytes)?;
        let rules = Rules::from_ron(text.trim_start_matches('\u{feff}'));
        let path = context.path();
        match &rules {
            // If a file fails to load, Bevy loads it a second time and logs the failure twice. So a
            // file with faults is not a failure for Bevy.
            Err(faults) => {
                error!("{path} has faults, so its rules are not applied; maps keep the old ones:\n{faults}");
            }
            Ok(rules) => rules.lint().iter().for_each(|lint| warn!("{path}: {lint}")),
        }
        Ok(RulesAsset(rules))
    }

    fn extensions(&self) -> &[&str] {
        &["rules.ron"]
    }
}

/// Adds the asset, once, if the app has assets.
pub(crate) fn plugin(app: &mut App) {
    let has_assets = app.world().contains_resource::<AssetServer>();
    if has_assets && !app.world().contains_resource::<Assets<RulesAsset>>() {
        let sync = SyncMapsSchedule.intern();
        app.init_asset::<RulesAsset>()
            .register_asset_loader(RulesLoader)
            .register_type::<NavRules>()
            .add_systems(sync, (fill::fill_maps, fill::wait_for_rules).chain().in_set(SyncSteps::Rules))
            .add_systems(sync, fill::lint_maps.in_set(SyncSteps::Maps));
        #[cfg(any(feature = "tilemap", feature = "tilemap_chunk"))]
        app.add_systems(sync, fill::fill_textures.after(fill::fill_maps).in_set(SyncSteps::Rules));
    }
}

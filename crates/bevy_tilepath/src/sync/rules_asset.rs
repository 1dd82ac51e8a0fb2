//! The rules of maps from files.

mod fill;

use std::{io, str::Utf8Error, sync::Arc};

use bevy_app::App;
use bevy_asset::{Asset, AssetApp, AssetLoader, AssetServer, Assets, Handle, LoadContext, io::Reader};
use bevy_ecs::{
    component::Component,
    schedule::{IntoScheduleConfigs, ScheduleLabel},
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

/// The rules of a game as an asset: feature `rules_asset`, on by default.
///
/// Files `*.rules.ron` are loaded as this type by their names. Other names work if you load a
/// handle of this type. The module [`rules`](tilepath::rules) describes the contents.
///
/// A text with faults is also an asset, which holds the faults: a game may show them to its
/// designer. Each time the file is loaded, the faults are logged in one message, and maps keep
/// their present rules. Rules that are legal but probably mistakes ([`Rules::lint`]) are logged as
/// warnings.
#[derive(Asset, TypePath, Debug, Clone, PartialEq)]
#[type_path = "bevy_tilepath"]
pub struct RulesAsset(pub Result<Rules, RulesError>);

/// Fills the entity's [`NavMap`] from a file, and the texture classes of its tilemaps, and again if
/// the file changes.
///
/// Until the rules are loaded agents wait, as they do for tiles. A file changes by Bevy's feature
/// `file_watcher`, by `AssetServer::reload`, or through `Assets::get_mut`. The next
/// [`SyncMaps`](crate::TilepathSystems::SyncMaps) then applies the new rules, and paths that they
/// affect are planned again. A file with faults changes nothing until it is correct again.
///
/// # Values of the file, and your values
/// - [`NavMap::movements`] under names that the file describes belong to the file. They are written
///   when its rules are applied. Movements under other names are yours.
/// - If the file no longer describes a name, the movement is removed, unless you replaced it by
///   another movement.
/// - [`NavMap::costs`], [`diagonals`](NavMap::diagonals) and [`steps`](NavMap::steps) are for units
///   without a movement. They come from the file's movement that you name
///   [here](Self::with_movement), or from its movement `default` if you name none. If the file does
///   not have it, they are yours.
/// - [`NavMap::missing_tile`], `Terrain` on tiles and `TextureTerrain` on tilemaps are yours. The
///   map's own tilemap and its layers get the file's textures if they have no `TextureTerrain`. A
///   `TextureTerrain` that you insert, change, or load with a scene stays.
///
/// Between two changes of the file, the plugin does not change the map: your changes to its rules
/// stay until then. Put the component on the map together with its [`NavMap`], or later. If you
/// remove it, the values that it has filled stay.
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
#[derive(Component, Debug, Clone, PartialEq, Eq, Reflect)]
#[type_path = "bevy_tilepath"]
#[reflect(opaque)]
#[reflect(Debug, Clone, PartialEq)]
#[require(NavMap, FilledRules)]
pub struct NavRules {
    /// The file.
    pub file: Handle<RulesAsset>,
    /// The movement for units without one, by its name in the file. `None` stands for `default`, if
    /// the file has it.
    pub movement: Option<Arc<str>>,
}

impl NavRules {
    /// Creates the component for a file.
    #[must_use]
    pub const fn new(file: Handle<RulesAsset>) -> Self {
        Self { file, movement: None }
    }

    /// Sets the movement for units without one, by its name in the file.
    ///
    /// Its size and its overlays do not count for them: only units that name the movement have
    /// these.
    #[must_use]
    pub fn with_movement(self, name: impl Into<Arc<str>>) -> Self {
        Self { movement: Some(name.into()), ..self }
    }
}

/// Reads [`RulesAsset`]s. [`TilepathPlugin`](crate::TilepathPlugin) registers it.
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
        #[cfg(feature = "tilemap")]
        app.add_systems(sync, fill::fill_textures.after(fill::fill_maps).in_set(SyncSteps::Rules));
    }
}

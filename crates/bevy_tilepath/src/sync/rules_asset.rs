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
/// Files `*.rules.ron` are loaded as such by their names; any other name will do where a handle of this type is asked for.
/// What is in them the module [`rules`](tilepath::rules) says.
///
/// A text with faults is an asset, too, which has them: a game may show them to its designer. The log tells them in one
/// message for each time that the file is loaded, and maps keep the rules that they have. What rules allow and hardly mean
/// ([`Rules::lint`]) is logged as warnings then.
#[derive(Asset, TypePath, Debug, Clone, PartialEq)]
#[type_path = "bevy_tilepath"]
pub struct RulesAsset(pub Result<Rules, RulesError>);

/// Fills the entity's [`NavMap`] from a file, and the texture classes of its tilemaps, and again whenever the file changes.
///
/// Until there are rules agents wait, as they do for tiles. When the file has changed (by Bevy's feature `file_watcher`, by
/// `AssetServer::reload`, or through `Assets::get_mut`), its rules are taken over in the next
/// [`SyncMaps`](crate::TilepathSystems::SyncMaps), and journeys over what is different are planned again. A file with faults
/// changes nothing until it is right again.
///
/// # What belongs to the file, and what to you
/// - [`NavMap::movements`] of the names that the file describes: of the file, written when its rules are taken over. Those of
///   other names are yours. A name that the file describes no longer is taken away, unless you gave it another meaning.
/// - [`NavMap::costs`], [`diagonals`](NavMap::diagonals) and [`steps`](NavMap::steps), for units without a movement: of the
///   file if it has the movement that is named [here](Self::with_movement), or else one named `default`; without any, yours.
/// - [`NavMap::missing_tile`], `Terrain` on tiles, `TextureTerrain` on tilemaps: yours. The map's own tilemap and its layers
///   get the file's textures where they have no `TextureTerrain`. What you insert in its place, change of it,
///   or load with a scene stays.
///
/// Between two changes of the file the map is left alone: what you write over its rules holds until then. Put the component on
/// the map with or after its [`NavMap`]; what it has filled stays when it is removed.
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
    /// The movement of units that have none, by its name in the file. `None` means `default`, where the file has it.
    pub movement: Option<Arc<str>>,
}

impl NavRules {
    /// The rules of a file.
    #[must_use]
    pub const fn new(file: Handle<RulesAsset>) -> Self {
        Self { file, movement: None }
    }

    /// The same, and units without a movement go by the one that the file describes under this name.
    ///
    /// Its size and its overlays do not count for them: a unit has these by name alone.
    #[must_use]
    pub fn with_movement(self, name: impl Into<Arc<str>>) -> Self {
        Self { movement: Some(name.into()), ..self }
    }
}

/// Reads [`RulesAsset`]s. Registered by [`TilepathPlugin`](crate::TilepathPlugin).
#[derive(TypePath, Debug, Default, Clone, Copy)]
#[type_path = "bevy_tilepath"]
pub struct RulesLoader;

/// Why a file cannot be read as text.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum RulesAssetError {
    /// The file could not be read.
    #[error("the file cannot be read: {0}")]
    Read(#[from] io::Error),
    /// It is not text.
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
            // Bevy loads a file that failed to load twice, and says so twice: hence faults are no failure for it.
            Err(faults) => {
                error!("{path} has no rules that could be taken over; maps keep those before:\n{faults}");
            }
            Ok(rules) => rules.lint().iter().for_each(|lint| warn!("{path}: {lint}")),
        }
        Ok(RulesAsset(rules))
    }

    fn extensions(&self) -> &[&str] {
        &["rules.ron"]
    }
}

/// Adds the asset to an app that has assets, once.
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

//! Waypoint graphs from files.

use std::{io, str::Utf8Error};

use bevy_app::{App, PostUpdate};
use bevy_asset::{
    Asset, AssetApp, AssetEvent, AssetEventSystems, AssetId, AssetLoader, AssetServer, Assets, Handle,
    LoadContext, io::Reader,
};
use bevy_ecs::{
    change_detection::{DetectChanges, Mut, Ref},
    component::Component,
    message::MessageReader,
    schedule::IntoScheduleConfigs,
    system::{Query, Res},
    template::FromTemplate,
};
use bevy_reflect::{Reflect, TypePath};
use thiserror::Error;
use tilepath::waypoint::{WaypointFileError, WaypointGraph};

use crate::map::nav_graph::NavGraph;

/// A waypoint graph as an asset. The type needs the feature `waypoint_asset`, which is on by
/// default.
///
/// Bevy loads files named `*.waypoints.xml` and `*.waypoints.ron` as this type. A file of any other
/// name works if you load it as a handle of this type. [`WaypointGraph::from_xml`] and
/// [`WaypointGraph::from_ron`] describe the contents of the files.
///
/// A file with a fault is not loaded. Bevy logs the fault with its line in the file.
#[derive(Asset, TypePath, Debug, Clone, PartialEq)]
#[type_path = "bevy_tilepath"]
pub struct WaypointGraphAsset(pub WaypointGraph);

/// Fills the entity's [`NavGraph`] from a file. If the file changes, the plugin fills the graph
/// again.
///
/// Until the file is loaded, agents wait. The file is loaded again by Bevy's feature `file_watcher`
/// or by `AssetServer::reload`; your code can also change the asset through `Assets::get_mut`. The
/// new graph replaces the present graph, and your own edits of the graph are lost. Paths that the
/// change affects are planned again in the next tick.
///
/// The plugin fills the graph in `PostUpdate`, after [`AssetEventSystems`].
///
/// ```
/// use bevy_asset::AssetServer;
/// use bevy_ecs::prelude::*;
/// use bevy_tilepath::graphs::NavGraphHandle;
///
/// fn spawn_town(mut commands: Commands, assets: Res<AssetServer>) {
///     commands.spawn(NavGraphHandle(assets.load("town.waypoints.xml")));
/// }
/// # let _ = spawn_town;
/// ```
#[derive(Component, Debug, Clone, PartialEq, Eq, FromTemplate, Reflect)]
#[type_path = "bevy_tilepath"]
#[reflect(Debug, Clone, PartialEq)]
#[require(NavGraph)]
pub struct NavGraphHandle(pub Handle<WaypointGraphAsset>);

/// The asset loader of [`WaypointGraphAsset`]s. [`TilepathPlugin`](crate::TilepathPlugin) registers
/// this loader.
#[derive(TypePath, Debug, Default, Clone, Copy)]
#[type_path = "bevy_tilepath"]
pub struct WaypointGraphLoader;

/// The reason why a file has no valid waypoint graph.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum WaypointAssetError {
    /// The file could not be read.
    #[error("the file cannot be read: {0}")]
    Read(#[from] io::Error),
    /// The file is not text.
    #[error("the file is not text: {0}; save it as UTF-8")]
    NotText(#[from] Utf8Error),
    /// The text has a fault.
    #[error(transparent)]
    File(#[from] WaypointFileError),
}

impl AssetLoader for WaypointGraphLoader {
    type Asset = WaypointGraphAsset;
    type Settings = ();
    type Error = WaypointAssetError;

    async fn load(
        &self,
        reader: &mut dyn Reader,
        _settings: &(),
        _context: &mut LoadContext<'_>,
    ) -> Result<WaypointGraphAsset, WaypointAssetError> {
        let mut bytes = Vec::new();
        reader.read_to_end(&mut bytes).await?;
        let text = std::str::from_utf8(&bytes)?;
        // XML begins with a tag, and RON never does.
        let is_xml = text.trim_start_matches(['\u{feff}', ' ', '\t', '\r', '\n']).starts_with('<');
        let graph = if is_xml { WaypointGraph::from_xml(text)? } else { WaypointGraph::from_ron(text)? };
        Ok(WaypointGraphAsset(graph))
    }

    fn extensions(&self) -> &[&str] {
        &["waypoints.xml", "waypoints.ron"]
    }
}

/// Adds the asset, once, if the app has assets.
pub(crate) fn plugin(app: &mut App) {
    let has_assets = app.world().contains_resource::<AssetServer>();
    if has_assets && !app.world().contains_resource::<Assets<WaypointGraphAsset>>() {
        app.init_asset::<WaypointGraphAsset>()
            .register_asset_loader(WaypointGraphLoader)
            .register_type::<NavGraphHandle>()
            .add_systems(PostUpdate, fill_graphs.after(AssetEventSystems));
    }
}

fn fill_graphs(
    mut events: MessageReader<AssetEvent<WaypointGraphAsset>>,
    assets: Res<Assets<WaypointGraphAsset>>,
    mut graphs: Query<(Ref<NavGraphHandle>, Mut<NavGraph>)>,
) {
    let loaded: Vec<AssetId<WaypointGraphAsset>> = events
        .read()
        .filter_map(|event| match event {
            AssetEvent::Added { id } | AssetEvent::Modified { id } => Some(*id),
            _ => None,
        })
        .collect();
    for (handle, mut graph) in &mut graphs {
        if !handle.is_changed() && !loaded.contains(&handle.0.id()) {
            continue;
        }
        match assets.get(&handle.0) {
            Some(asset) if graph.is_ready() && *graph.graph() == asset.0 => {}
            Some(asset) => {
                graph.graph_mut().replace(asset.0.clone());
            }
            // The file of this handle is not loaded yet.
            None => graph.set_not_ready(),
        }
    }
}

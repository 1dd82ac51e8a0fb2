//! An app with the rival in it, and how it is set.

use bevy::{app::TaskPoolPlugin, prelude::*, time::TimePlugin};
use bevy_northstar::prelude::*;
use testkit::TileMap;

/// How the rival is set. What is not named here is as it comes.
#[derive(Clone, Copy)]
pub(crate) struct Settings {
    pub(crate) name: &'static str,
    mode: PathfindMode,
    chunk: u32,
    /// Paths a tick.
    limit: usize,
}

/// As it comes: 128 paths a tick in the mode `Refined`, chunks of 16 × 16 cells.
pub(crate) const DEFAULTS: Settings =
    Settings { name: "defaults", mode: PathfindMode::Refined, chunk: 16, limit: 128 };

/// All that are asked for in one tick.
pub(crate) const UNLIMITED: Settings = Settings { name: "no limit", limit: usize::MAX, ..DEFAULTS };

/// The mode that its documentation calls extremely fast.
pub(crate) const COARSE: Settings = Settings { name: "coarse", mode: PathfindMode::Coarse, ..DEFAULTS };

/// The same with larger chunks.
pub(crate) const COARSE_32: Settings = Settings { name: "coarse, chunks of 32", chunk: 32, ..COARSE };

/// The same without a limit.
pub(crate) const COARSE_UNLIMITED: Settings =
    Settings { name: "coarse, no limit", limit: usize::MAX, ..COARSE };

/// Without the hierarchy.
pub(crate) const ASTAR: Settings = Settings { name: "A*", mode: PathfindMode::AStar, ..DEFAULTS };

/// The grid of a map, ready for searches. Corners are not clipped, as in the plugin's scenes.
fn grid(settings: &Settings, map: &TileMap) -> OrdinalGrid {
    let settings = GridSettingsBuilder::new_2d(map.width, map.height)
        .chunk_size(settings.chunk)
        .add_neighbor_filter(filter::NoCornerCutting)
        .build();
    let mut grid = OrdinalGrid::new(&settings);
    for (slot, &class) in map.classes.iter().enumerate() {
        grid.set_nav(at(map.position(slot)), nav(class));
    }
    grid.build();
    grid
}

/// Class 0 is a wall, class n costs n.
pub(crate) fn nav(class: u8) -> Nav {
    if class == 0 { Nav::Impassable } else { Nav::Passable(class.into()) }
}

pub(crate) fn at((x, y): (i32, i32)) -> UVec3 {
    UVec3::new(x as u32, y as u32, 0)
}

/// A headless app, in which each update is a tick.
pub(crate) fn app(settings: &Settings, map: Option<&TileMap>) -> App {
    let mut app = App::new();
    app.add_plugins((
        TaskPoolPlugin::default(),
        TimePlugin,
        NorthstarPlugin::<OrdinalNeighborhood>::default(),
    ));
    app.insert_resource(NorthstarPluginSettings {
        max_pathfinding_agents_per_frame: settings.limit,
        pathfind_settings: PathfindSettings { default_mode: settings.mode },
        ..NorthstarPluginSettings::default()
    });
    if let Some(map) = map {
        app.world_mut().spawn(grid(settings, map));
    }
    app.finish();
    app.cleanup();
    app.update();
    app
}

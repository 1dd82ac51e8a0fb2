//! An app with `bevy_northstar`, and its settings.

use bevy::{app::TaskPoolPlugin, prelude::*, time::TimePlugin};
use bevy_northstar::prelude::*;
use testkit::TileMap;

/// Settings of `bevy_northstar`. All settings without a field have their defaults.
#[derive(Clone, Copy)]
pub(crate) struct Settings {
    pub(crate) name: &'static str,
    mode: PathfindMode,
    chunk: u32,
    /// The most paths a tick.
    limit: usize,
}

/// The defaults: 128 paths a tick, mode `Refined`, chunks of 16 × 16 cells.
pub(crate) const DEFAULTS: Settings =
    Settings { name: "defaults", mode: PathfindMode::Refined, chunk: 16, limit: 128 };

/// No limit of paths a tick.
pub(crate) const UNLIMITED: Settings = Settings { name: "no limit", limit: usize::MAX, ..DEFAULTS };

/// The mode `Coarse`, which its documentation calls extremely fast.
pub(crate) const COARSE: Settings = Settings { name: "coarse", mode: PathfindMode::Coarse, ..DEFAULTS };

/// `COARSE` with larger chunks.
pub(crate) const COARSE_32: Settings = Settings { name: "coarse, chunks of 32", chunk: 32, ..COARSE };

/// `COARSE` with no limit of paths a tick.
pub(crate) const COARSE_UNLIMITED: Settings =
    Settings { name: "coarse, no limit", limit: usize::MAX, ..COARSE };

/// A* without the hierarchy.
pub(crate) const ASTAR: Settings = Settings { name: "A*", mode: PathfindMode::AStar, ..DEFAULTS };

/// Makes the grid of a map, ready for searches. Corners are not clipped, as in the plugin's scenes.
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

/// Returns the cost of a class: class 0 is a wall, and class n costs n.
pub(crate) fn nav(class: u8) -> Nav {
    if class == 0 { Nav::Impassable } else { Nav::Passable(class.into()) }
}

pub(crate) fn at((x, y): (i32, i32)) -> UVec3 {
    UVec3::new(x as u32, y as u32, 0)
}

/// Makes a headless app in which each update is a tick.
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

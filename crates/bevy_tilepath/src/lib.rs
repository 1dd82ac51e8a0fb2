//! Pathfinding for Bevy: put a [`PathRequest`] on a unit and it walks the cheapest way, over tiles or along waypoints.
//!
//! Maps are [`bevy_ecs_tilemap`](https://docs.rs/bevy_ecs_tilemap) tilemaps with a [`NavMap`] on them, read tile
//! by tile and kept up to date whatever happens to the tiles (feature `tilemap`, on by default), or grids of
//! your own. The search is the crate [`tilepath`]: exact, deterministic, and the same on every machine.
//!
//! # Quick start
#![cfg_attr(feature = "tilemap", doc = "```no_run")]
#![cfg_attr(not(feature = "tilemap"), doc = "```ignore")]
#![doc = include_str!("../docs/quick_start.rs")]
//! ```
//!
//! # What goes where
//!
//! | on | put | for |
//! |---|---|---|
//! | a tilemap, or an entity of your own | [`NavMap`] | a map with its rules |
#![cfg_attr(
    feature = "rules_asset",
    doc = "| the same entity | [`NavRules`] | rules, movements by name and texture classes from a file |"
)]
//! | a further tilemap | [`NavLayer`] | bridges, trees: the topmost tile decides |
//! | a tile | [`Terrain`] | its terrain class |
//! | a tilemap | [`TextureTerrain`] | the classes of tiles without one, by texture index |
//! | a building, a door | [`Obstacle`] | blocking the cells under it |
//! | an entity of your own | [`NavGraph`] | named waypoints and the ways between them |
#![cfg_attr(
    feature = "waypoint_asset",
    doc = "| an entity of your own | [`NavGraphHandle`] | the same from a file |"
)]
//! | an entity of your own | [`Door`] | a way from one map or graph to another |
//! | a unit | [`PathAgent`] | walking |
//! | a unit | [`PathRequest`] | the order to walk there |
//! | an entity of your own | [`GroupOrder`] | one order for many units, a place for each |
//! | a unit, if there are several maps | [`OnMap`] | the map or graph it walks on |
//!
//! Read [`PathStatus`], [`AgentPath`] and [`Motion`] of a unit, observe [`PathFound`], [`PathFailed`],
//! [`Arrived`] and the others, and ask [`NavQuery`] in any system: for paths, for everything within a
//! budget, for the nearest of many places, for the reasons of an answer. [`PathRequest::to_nearest`] sends a unit to
//! the nearest.
//!
//! # Maps without tiles
//!
//! Spawn [`NavMap`] with a [`NavGrid`] and a [`NavProjection`] of your own: see [`NavMap`].
//!
//! # Tiled and LDtk
//!
//! Maps from both editors are read by way of `bevy_ecs_tiled` 0.13 and `bevy_ecs_ldtk` 0.15.
#![cfg_attr(feature = "tilemap", doc = "The page [`editors`] has the code, and says what is refused.")]
//!
//! # Units that move in different ways
//!
//! A map defines movements by name ([`NavMap::with_movement`]), and a unit says which is its own ([`AgentMovement`]): what each
//! ground costs it, whether it cuts corners, how many cells it covers. Everything about it goes by that; [`NavQuery::of`] asks
//! as the unit, [`Door::only_for`] and [`Obstacle::only_for`] name whom they let pass and whom they stop, and
//! [`TerrainSpeed::ByCost`] lets ground slow it down by what it costs.
//!
//! # Turn by turn
//!
//! A [`PathAgent`] of speed 0 keeps its path and stands. Write the centre of the next cell
//! ([`AgentPath::remaining_cells`], [`NavQuery::world_of`]) into its `Transform` whenever it is its turn: the journey goes
//! on from there, and ends at the last cell. [`sync_maps_now`] lets the same turn build a wall and ask about it.
//!
//! # Waypoint graphs
//!
//! Spawn a [`NavGraph`] and order units with [`PathRequest::to_waypoint`], or to any position: same components, same
//! events. Edges have speeds of their own, units may slow down at waypoints ([`WaypointSlowdown`]), and the graph may be edited
//! while they walk. [`Door`]s join graphs and tile maps: one order leads through all of them, by the cheapest way.
//!
//! # Inspectors and scenes
//!
//! Every component, resource and event of the plugin is registered for reflection. What holds types of the search core is
//! opaque: a value with `Debug` and `Clone`, without fields to open. A scene (Bevy's `DynamicWorld`) writes
//! those components that load whole, and no others:
//!
//! - written: [`PathAgent`], [`OnMap`] and [`MapAgents`], [`Obstacle`], [`NavProjection`], and of tilemaps `Terrain`,
//!   `TextureTerrain`, `NavLayer` and `NavLayers`; of resources [`TilepathSettings`];
//! - not written: maps and graphs ([`NavMap`], [`NavGrid`], `NavRules`, [`NavGraph`], `NavGraphHandle`, [`Door`]), edges of
//!   tiles (`OneWay`, `Ledge`, `Fence`), [`OverlayArea`], orders and
//!   journeys ([`PathRequest`], [`GroupOrder`], [`AgentMovement`], [`AgentPath`], [`PathStatus`], [`Motion`]).
//!
//! So a loaded agent stands where it was drawn, without an order. Insert [`NavMap`] on loaded tilemaps and their tiles are read
//! again; give a map without tiles its [`NavGrid`]; until then it is not ready, and agents wait.
//!
//! # Features
//!
//! - `tilemap` (default): reads `bevy_ecs_tilemap` maps. Without it the plugin is small: good for dedicated
//!   servers.
//! - `waypoint_asset` (default): waypoint graphs from files, loaded again while the game runs: `NavGraphHandle`.
//! - `rules_asset` (default): the rules of maps from files, loaded again while the game runs: `NavRules`.
//! - `recording`: `PathRecorder` writes down what is asked and answered, to be replayed: a bug report is one file.
//! - `debug_draw`: `TilepathDebugPlugin` draws walls, costs, graphs, paths and searches with gizmos.
#![cfg_attr(docsrs, feature(doc_cfg))]

#[cfg(feature = "debug_draw")]
mod debug_draw;
mod diagnostics;
mod entries;
mod failure;
mod group;
mod journey;
mod map;
mod order;
mod plugin;
mod query;
#[cfg(feature = "recording")]
mod recorder;
mod report;
mod route;
mod schedule;
mod search;
mod settings;
mod sync;
mod walk;

/// The search core, for everything beyond the plugin: grids, text maps, searches of your own.
pub use tilepath;
pub use tilepath::{
    Algorithm, Cell, Cost, CostTable, Diagonals, MoveRange, Movement, NearestGoal, Path, StepCosts,
    explain::{ExplainError, FailureExplanation, Receipt, RouteComparison},
    field::FlowField,
    formation::Formation,
    waypoint::{WaypointEdge, WaypointGraph},
};

pub use crate::diagnostics::TilepathDiagnostics;
#[doc(hidden)]
pub use crate::entries::entries_kept;
#[cfg(feature = "tilemap")]
pub use crate::map::{
    edges::{Fence, Ledge, OneWay},
    layer::{NavLayer, NavLayers},
    terrain::{Terrain, TextureTerrain},
};
#[cfg(feature = "recording")]
pub use crate::recorder::PathRecorder;
#[cfg(feature = "rules_asset")]
pub use crate::sync::rules_asset::{NavRules, RulesAsset, RulesAssetError, RulesLoader};
#[cfg(feature = "waypoint_asset")]
pub use crate::sync::waypoint_asset::{
    NavGraphHandle, WaypointAssetError, WaypointGraphAsset, WaypointGraphLoader,
};
#[cfg(feature = "debug_draw")]
pub use crate::{
    debug_draw::{TilepathDebugPlugin, TilepathGizmos},
    search::show_search::ShowSearch,
};
pub use crate::{
    failure::PathFailure,
    group::{
        events::{GroupArrived, GroupFailed, GroupFailure},
        members::{Group, GroupMember},
        order::GroupOrder,
    },
    journey::{
        agent::{Motion, PathAgent},
        body::{Body, BodyPatience},
        number::AgentNumber,
        path::AgentPath,
        stepwise::{StepAgent, Stepwise},
    },
    map::{
        cells::ToCell,
        door::{Door, DoorEnd, Passage},
        graph_view::NavGraphView,
        lattice::Lattice,
        movement::AgentMovement,
        nav_graph::NavGraph,
        nav_grid::NavGrid,
        nav_map::{MissingTile, NavMap},
        nav_view::NavView,
        on_map::{MapAgents, OnMap},
        opaque::OpaqueClasses,
        place::Place,
        projection::NavProjection,
        waypoint_slowdown::WaypointSlowdown,
    },
    order::{
        approach::Approach,
        goal::PathGoal,
        request::PathRequest,
        status::PathStatus,
        stops::{PathStops, Repeat},
        target::PathTarget,
    },
    plugin::TilepathPlugin,
    query::{NavQuery, bodies::BodyStance, what_if::NavWhatIf, why_not::WhyNot},
    report::events::{
        Arrived, DoorPassed, PathBlocked, PathFailed, PathFound, PathLost, PathPointReached, Replanned,
        StopReached, WaitOver, WaitingFor,
    },
    route::{
        leg::PathLeg,
        speed::{Speed, TerrainSpeed},
    },
    schedule::{SyncMapsError, TilepathSystems, sync_maps_now},
    settings::TilepathSettings,
    sync::{obstacle::Obstacle, overlay_area::OverlayArea},
};

/// What most games name: `use bevy_tilepath::prelude::*`.
///
/// It leaves out common words, which games have for things of their own: `use bevy_tilepath::{Terrain, prelude::*}`.
pub mod prelude {
    #[cfg(feature = "tilemap")]
    pub use crate::NavLayer;
    #[cfg(feature = "recording")]
    pub use crate::PathRecorder;
    pub use crate::{
        AgentMovement, AgentPath, Approach, Arrived, Body, BodyPatience, DoorPassed, Formation, Group,
        GroupArrived, GroupFailed, GroupFailure, GroupOrder, MapAgents, NavGraph, NavGrid, NavMap,
        NavProjection, NavQuery, NavWhatIf, OnMap, PathAgent, PathBlocked, PathFailed, PathFailure,
        PathFound, PathGoal, PathLost, PathPointReached, PathRequest, PathStatus, PathStops, Replanned,
        Speed, StepAgent, Stepwise, StopReached, TerrainSpeed, TilepathPlugin, TilepathSettings,
        TilepathSystems, ToCell, WaitOver, WaitingFor, WaypointGraph, sync_maps_now,
    };
    #[cfg(feature = "waypoint_asset")]
    pub use crate::{NavGraphHandle, WaypointGraphAsset};
    #[cfg(feature = "rules_asset")]
    pub use crate::{NavRules, RulesAsset};
    #[cfg(feature = "debug_draw")]
    pub use crate::{ShowSearch, TilepathDebugPlugin, TilepathGizmos};
}

#[cfg(all(doc, feature = "tilemap"))]
#[doc = include_str!("../docs/editors.md")]
#[doc = "\n# The code for Tiled\n\n```ignore"]
#[doc = include_str!("../docs/tiled.rs")]
#[doc = "```\n\n# The code for LDtk\n\n```ignore"]
#[doc = include_str!("../docs/ldtk.rs")]
#[doc = "```"]
pub mod editors {}

/// Compiles the code of the README.
#[cfg(all(doctest, feature = "tilemap"))]
#[doc = include_str!("../../../README.md")]
struct Readme;

/// Compiles the code of this crate's README.
#[cfg(all(doctest, feature = "tilemap"))]
#[doc = include_str!("../README.md")]
struct CrateReadme;

#[cfg(test)]
mod tests {
    #[test]
    fn the_readme_has_the_quick_start() {
        let readme = include_str!("../../../README.md").replace("\r\n", "\n");
        let quick_start = include_str!("../docs/quick_start.rs").replace("\r\n", "\n");
        assert!(readme.contains(&format!("```rust,no_run\n{quick_start}```")));
    }
}

//! Pathfinding for Bevy: put a [`PathRequest`] on a unit, and it walks the cheapest path.
//!
//! A map is a [`bevy_ecs_tilemap`](https://docs.rs/bevy_ecs_tilemap) tilemap with a [`NavMap`] on
//! it (feature `tilemap`, on by default), or Bevy's own `TilemapChunk` with a [`NavMap`] on it
//! (feature `tilemap_chunk`). The plugin reads the tiles and follows every change of a tile. A map
//! can also be a grid of your own.
//!
//! The searches run in the crate [`tilepath`]. They are exact and deterministic, with equal results
//! on every machine.
//!
//! # Quick start
#![cfg_attr(feature = "tilemap", doc = "```no_run")]
#![cfg_attr(not(feature = "tilemap"), doc = "```ignore")]
#![doc = include_str!("../docs/quick_start.rs")]
//! ```
//!
//! # The guide
//!
//! A page for each idea, with a program and a picture: [the guide]. The pages: first unit, terrain and
//! movements, walls that change, bodies and groups, goals that move, stops and patrols, turn-based
//! games, tower defence, chunks with Tiled and LDtk, saving, testing, my unit does not move, lines and
//! physics, hexagons and isometric maps, doors and storeys, waypoint graphs, dangers and forbidden
//! areas, a roguelike.
//!
#![cfg_attr(
    docsrs,
    doc = "[the guide]: https://github.com/tilepath/tilepath/blob/main/docs/guide/src/SUMMARY.md"
)]
#![cfg_attr(not(docsrs), doc = "[the guide]: ../../../docs/guide/src/SUMMARY.md")]
//!
//! # Modules
//!
//! The [`prelude`] has the names that most games use. The root of the crate has further common
//! types. All other names are in modules, by topic: [`agents`], [`orders`], [`events`], [`maps`],
//! [`graphs`], [`doors`], [`groups`], [`queries`] and [`templates`]. The features `debug_draw` and
//! `recording` add the modules `debug` and `recording`.
//!
//! # Components
//!
//! | on | put | for |
//! |---|---|---|
//! | a tilemap, or an entity of your own | [`NavMap`] | a map with its rules |
#![cfg_attr(
    feature = "rules_asset",
    doc = "| the same entity | [`NavRules`](maps::NavRules) | rules, movements by name and texture classes from a file |"
)]
//! | a further tilemap | [`NavLayer`] | a layer above the map, such as bridges or trees; on each cell, the topmost tile with a class decides |
//! | a tile entity | [`Terrain`] | its terrain class |
//! | a tilemap | [`TextureTerrain`] | the terrain classes of tiles without `Terrain`, by texture index |
//! | a building, a door | [`Obstacle`] | blocking the cells under it |
//! | an entity of your own | [`NavGraph`] | named waypoints and the edges between them |
#![cfg_attr(
    feature = "waypoint_asset",
    doc = "| an entity of your own | [`NavGraphHandle`](graphs::NavGraphHandle) | a waypoint graph from a file |"
)]
//! | an entity of your own | [`Door`](doors::Door) | a connection from one map or graph to another |
//! | a unit | [`PathAgent`] | walking |
//! | a unit | [`PathRequest`] | the order to walk there |
//! | an entity of your own | [`GroupOrder`](groups::GroupOrder) | one order for many units, each with a place of its own |
//! | a unit, if there are several maps | [`OnMap`] | the map or graph on which it walks |
//!
//! A tilemap is an entity with `TilemapSize` of `bevy_ecs_tilemap`, or with Bevy's `TilemapChunk` and
//! `TilemapChunkTileData`.
//!
//! Read the components [`PathStatus`], [`AgentPath`] and [`Motion`] of a unit. Observe
//! [`PathFound`](events::PathFound), [`PathFailed`](events::PathFailed),
//! [`Arrived`](events::Arrived) and the other [`events`].
//!
//! Use [`NavQuery`] in any system to find a path, all cells that a unit reaches within a cost, the
//! nearest of many places, or the reason for an answer. [`PathRequest::to_nearest`] sends a unit to
//! the nearest place.
//!
//! # Bevy's own tilemap chunks
//!
//! With the feature `tilemap_chunk`, an entity with `TilemapChunk` and `TilemapChunkTileData` is a
//! tilemap: put [`NavMap`] on it, or [`NavLayer`] on each of several chunks. Its tiles are not
//! entities, so their classes come from a [`TextureTerrain`] on the chunk, by `tileset_index`. A tile
//! that is not in the table has class 1, and `None` is a cell without a tile.
//!
//! Change `TilemapChunkTileData` as for drawing. In the next
//! [`SyncMaps`](TilepathSystems::SyncMaps), the plugin compares the data with what it read before, so
//! only cells that differ become edits. If the data has another length than the chunk, the chunk is
//! not read, and an error is logged.
//!
//! Bevy draws a chunk around the position of its `Transform`. Cells are squares of
//! `tile_display_size` and lie where the tiles are drawn.
//!
//! # Tiled and LDtk
//!
//! The plugin reads maps from both editors through `bevy_ecs_tiled` and `bevy_ecs_ldtk`.
#![cfg_attr(feature = "tilemap", doc = "The page [`editors`] has the code, and lists the limits.")]
//!
//! # Units with different movements
//!
//! A map defines movements by name ([`NavMap::with_movement`]), and [`AgentMovement`] gives a unit
//! its movement. A movement sets what each ground costs the unit, whether it cuts corners, and how
//! many cells it covers. Searches and walking both use the movement:
//!
//! - [`NavQuery::map_of`] answers queries by the movement of a unit.
//! - [`Door::opens_for`](doors::Door::opens_for) lists the movements that a door lets pass, and
//!   [`Obstacle::blocks_only`] the movements that an obstacle stops.
//! - [`PathLine::Straight`](agents::PathLine::Straight) lets a unit walk straight across several cells,
//!   [`Drive::Velocity`](agents::Drive::Velocity) lets a physics engine move it.
//! - [`TerrainSpeed::ByCost`](agents::TerrainSpeed::ByCost) slows a unit down on expensive ground.
//!
//! # Scenes in code
//!
//! Bevy's `bsn!` takes every component that you put on an entity. Most components are their own
//! templates: `PathRequest::to_cell((9, 3))`, `AgentMovement::from("boat")`.
//!
//! - `OnMap(#Yard)` and `NavLayer { map: #Yard }` take the name of a map in the scene. In
//!   `MapAgents [..]` and `NavLayers [..]` below a map, agents and layers need no name.
//! - `NavRules { file: "ford.rules.ron" }` and `NavGraphHandle("town.waypoints.ron")` take the path
//!   of a file.
//! - `NavGrid::new(grid)`, [`Door::between`](templates::DoorTemplate::between) and
//!   [`GroupOrder::to`](templates::GroupOrderTemplate::to) are functions of templates. Other options
//!   of a door or a group order are fields: `Door { cost: 5.0 }`.
//! - To order a unit to a named entity, call a function that takes an `EntityTemplate` and returns
//!   Bevy's `template`.
//!
//! # Inspectors and scenes
//!
//! Every component, resource and event of the plugin is registered for reflection. An inspector
//! shows all fields, with these exceptions:
//!
//! - A value of the search core with private parts is one opaque value, with `Debug` and `Clone`:
//!   [`Cost`], [`CostTable`], [`Movement`], [`Path`], [`Algorithm`], the `StepCosts` of a map, the
//!   `Bounds` in a failure, the [`Formation`](groups::Formation) of a group. A [`Cell`], the
//!   [`Diagonals`] of a map and the `Direction` of an edge show their parts.
//! - Bevy shows no contents of an `Arc`. This concerns the names of waypoints, overlays and
//!   movements, and the lists of a [`PathGoal`].
//! - [`AgentPath`] and [`Group`](groups::Group) are opaque, because a change of a part would break
//!   them. Read them with their methods.
//! - [`BodyPatience`](agents::BodyPatience), [`OpaqueClasses`](maps::OpaqueClasses) and the edges of
//!   a `Fence` are opaque.
//! - The cells of a [`NavGrid`], the waypoints of a [`NavGraph`] and the present stop of
//!   [`PathStops`](orders::PathStops) are hidden. With the feature `serde`, grids and graphs are opaque.
//!
//! You may change values in an inspector while the game runs. Immutable components such as
//! [`PathRequest`] cannot be changed. Edit [`PathStops`](orders::PathStops) only with its methods:
//! agents do not notice other edits.
//!
//! Tools that need `ReflectComponent`, such as Bevy's remote protocol, see only the components that
//! a scene contains.
//!
//! # Saving
//!
//! With the feature `serde`, [`TilepathState`] is the state of the whole plugin as one value: in another
//! world, units go on exactly as in the game that was saved. A scene (Bevy's `DynamicWorld`) contains
//! maps, graphs, doors, areas, agents and orders, and loaded units search their paths again.
//! [`TilepathSnapshot`] takes back ticks in a running game, for rollback networking.
//!
//! # Features
//!
//! - `tilemap` (default): reads `bevy_ecs_tilemap` maps. Without this feature the plugin is small,
//!   for example for a dedicated server.
//! - `tilemap_chunk`: reads Bevy's own `TilemapChunk`s. It pulls in Bevy's renderer of sprites.
//! - `waypoint_asset` (default): waypoint graphs from files (`NavGraphHandle`). Changed files are
//!   reloaded while the game runs.
//! - `rules_asset` (default): rules of maps from files (`NavRules`). Changed files are reloaded
//!   while the game runs.
//! - `recording`: `PathRecorder` records the searches of orders on each tile map, with the answers.
//!   Write the recording of a map to a file, and attach the file to a bug report: it can be
//!   replayed.
//! - `serde`: [`TilepathState`] and the components can be written and read.
//! - `debug_draw`: `TilepathDebugPlugin` draws walls, costs, graphs, paths and searches with
//!   gizmos.
#![cfg_attr(docsrs, feature(doc_cfg))]

mod bevy_version;
mod core_types;
#[cfg(feature = "debug_draw")]
mod debug_draw;
mod diagnostics;
mod disabling;
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
mod state;
mod sync;
mod walk;

/// The search core. Use it for grids, for maps as text, and for searches without the plugin.
pub use tilepath;
pub use tilepath::{Algorithm, Cell, Cost, CostTable, Diagonals, Edit, Movement, Path};

pub use crate::map::{
    layer::NavLayer,
    terrain::{Terrain, TextureTerrain},
};
pub use crate::{
    diagnostics::TilepathDiagnostics,
    failure::PathFailure,
    journey::{
        agent::{Motion, PathAgent},
        body::Body,
        path::AgentPath,
        stepwise::Stepwise,
    },
    map::{
        movement::AgentMovement, nav_graph::NavGraph, nav_grid::NavGrid, nav_map::NavMap, on_map::OnMap,
        place::Place, projection::NavProjection,
    },
    order::{goal::PathGoal, request::PathRequest, status::PathStatus},
    plugin::TilepathPlugin,
    query::{NavQuery, view::NavView},
    schedule::{SyncMapsError, TilepathSystems, sync_maps_now},
    settings::TilepathSettings,
    state::{TilepathState, error::StateError, snapshot::TilepathSnapshot},
    sync::obstacle::Obstacle,
};
#[doc(hidden)]
pub use crate::{entries::entries_kept, journey::path::calm::ExamineAllPaths};

/// Agents in detail: speed, patience with other bodies, and the parts of a path on each map.
pub mod agents {
    pub use crate::{
        journey::{
            agent::Drive, body::BodyPatience, number::AgentNumber, path::outline::PathOutline,
            stepwise::StepAgent,
        },
        map::on_map::MapAgents,
        route::{
            leg::PathLeg,
            speed::{Speed, TerrainSpeed},
            walked_line::PathLine,
        },
    };
}

/// Gizmos that draw walls, costs, graphs, paths and searches.
#[cfg(feature = "debug_draw")]
pub mod debug {
    pub use crate::{
        debug_draw::{TilepathDebugPlugin, TilepathGizmos},
        search::show_search::ShowSearch,
    };
}

/// Doors: connections from one map or graph to another.
pub mod doors {
    pub use crate::map::door::{Door, DoorEnd, Passage};
}

/// Events of orders. Observe them with Bevy's observers.
pub mod events {
    pub use crate::report::events::{
        Arrived, DoorPassed, ObstacleClear, ObstacleOccupied, PathBlocked, PathFailed, PathFound, PathLost,
        PathPointReached, Replanned, StopReached, Stuck, WaitOver, WaitingFor,
    };
}

/// Waypoint graphs, in code and from files.
pub mod graphs {
    pub use tilepath::waypoint::{WaypointEdge, WaypointGraph};

    pub use crate::map::{graph_view::NavGraphView, waypoint_slowdown::WaypointSlowdown};
    #[cfg(feature = "waypoint_asset")]
    pub use crate::sync::waypoint_asset::{
        NavGraphHandle, WaypointAssetError, WaypointGraphAsset, WaypointGraphLoader,
    };
}

/// Group orders: one order for many units.
pub mod groups {
    pub use tilepath::formation::Formation;

    pub use crate::group::{
        events::{GroupArrived, GroupFailed, GroupFailure},
        members::{Group, GroupMember},
        order::GroupOrder,
    };
}

/// Maps in detail: arrangements of tiles, layers, edges between tiles, overlays, memories of
/// sides, and rules from files.
pub mod maps {
    pub use tilepath::Lattice;

    pub use crate::map::layer::NavLayers;
    pub use crate::map::{
        cells::ToCell,
        memory::NavMemory,
        nav_map::{MapLandmarks, MissingTile},
        opaque::OpaqueClasses,
    };
    #[cfg(feature = "tilemap")]
    pub use crate::map::{
        edges::{Edges, Fence, Ledge, OneWay},
        lattice::{lattice_of, tilemap_type_of},
    };
    pub use crate::sync::overlay_area::OverlayArea;
    #[cfg(feature = "rules_asset")]
    pub use crate::sync::rules_asset::{NavRules, RulesAsset, RulesAssetError, RulesLoader};
}

/// Orders in detail: lists of stops, and goals near a target.
pub mod orders {
    pub use crate::order::{
        approach::Approach,
        stop::Stop,
        stops::{PathStops, Repeat},
        target::PathTarget,
    };
}

/// Answers of [`NavQuery`] and [`NavView`], and copies of maps with supposed edits.
pub mod queries {
    pub use crate::query::{bodies::BodyStance, routes::NavRoute, what_if::NavWhatIf, why_not::WhyNot};
}

/// The recorder: it records searches and answers, which can be written to a file and replayed.
#[cfg(feature = "recording")]
pub mod recording {
    pub use crate::recorder::PathRecorder;
}

/// Templates of components, for scenes in code with Bevy's `bsn!`. The macro uses them by the names
/// of the components.
///
/// Components that are not in this list are their own templates.
pub mod templates {
    /// The template of [`NavLayer`](crate::NavLayer): the map is an entity, or the name of one in
    /// the scene.
    pub use crate::map::layer::NavLayerTemplate;
    /// The template of [`OnMap`](crate::OnMap): the map is an entity, or the name of one in the scene.
    pub use crate::map::on_map::OnMapTemplate;
    /// The template of [`NavRules`](crate::maps::NavRules): the file is a handle or a path.
    #[cfg(feature = "rules_asset")]
    pub use crate::sync::rules_asset::NavRulesTemplate;
    /// The template of [`NavGraphHandle`](crate::graphs::NavGraphHandle): the file is a handle or a
    /// path.
    #[cfg(feature = "waypoint_asset")]
    pub use crate::sync::waypoint_asset::NavGraphHandleTemplate;
    pub use crate::{
        group::order::template::GroupOrderTemplate,
        map::{
            door::template::DoorTemplate, nav_grid::template::NavGridTemplate, template_error::TemplateError,
        },
    };
}

/// The names that most games use: `use bevy_tilepath::prelude::*`.
///
/// All other names are at the root of the crate and in the modules of the crate:
/// `use bevy_tilepath::{events::StopReached, prelude::*}`.
pub mod prelude {
    pub use crate::{
        AgentMovement, AgentPath, Body, Cell, Cost, CostTable, Diagonals, Motion, Movement, NavGraph,
        NavGrid, NavMap, NavProjection, NavQuery, Obstacle, OnMap, PathAgent, PathFailure, PathGoal,
        PathRequest, PathStatus, Stepwise, TilepathPlugin, TilepathSystems,
        doors::Door,
        events::{Arrived, PathBlocked, PathFailed, PathFound, PathLost},
        groups::GroupOrder,
        queries::NavWhatIf,
        sync_maps_now,
    };
    pub use crate::{Terrain, TextureTerrain};
}

#[cfg(all(doc, feature = "tilemap"))]
#[doc = include_str!("../docs/editors.md")]
#[doc = "\n# The code for Tiled\n\n```ignore"]
#[cfg_attr(not(bevy_0_20), doc = include_str!("../docs/tiled.rs"))]
#[cfg_attr(bevy_0_20, doc = include_str!("../docs/bevy_0_20/tiled.rs"))]
#[doc = "```\n\n# The code for LDtk\n\n```ignore"]
#[cfg_attr(not(bevy_0_20), doc = include_str!("../docs/ldtk.rs"))]
#[cfg_attr(bevy_0_20, doc = include_str!("../docs/bevy_0_20/ldtk.rs"))]
#[doc = "```"]
pub mod editors {}

/// Compiles the code of the README.
#[cfg(all(doctest, feature = "tilemap"))]
#[doc = include_str!("../../../README.md")]
struct Readme;

#[cfg(test)]
mod tests {
    /// Returns the names that a module in this file makes public.
    fn names_of(module: &str) -> Vec<&'static str> {
        let source = include_str!("lib.rs");
        let (_, rest) = source.split_once(&format!("pub mod {module} {{")).unwrap();
        let (body, _) = rest.split_once("\n}").unwrap();
        let words = body.split(|letter: char| !(letter.is_alphanumeric() || letter == '_'));
        let is_name = |word: &&str| word.starts_with(char::is_uppercase) || *word == "sync_maps_now";
        words.filter(is_name).collect()
    }

    #[test]
    fn the_prelude_has_at_most_35_names() {
        let names = names_of("prelude");
        assert!(names.contains(&"TilepathPlugin") && names.contains(&"Terrain") && names.contains(&"Cell"));
        assert!(names.len() <= 35, "{}: {names:?}", names.len());
    }

    #[test]
    fn the_readme_has_the_quick_start() {
        let readme = include_str!("../../../README.md").replace("\r\n", "\n");
        let quick_start = include_str!("../docs/quick_start.rs").replace("\r\n", "\n");
        assert!(readme.contains(&format!("```rust,no_run\n{quick_start}```")));
    }
}

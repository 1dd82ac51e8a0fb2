//! The reader of tilemaps, for the grids of their maps.
//!
//! There are three kinds of tilemaps. On `bevy_ecs_tilemap` tilemaps (feature `tilemap`), the tile
//! entities decide: their position, tilemap and class. On Bevy's own `TilemapChunk`s (feature
//! `tilemap_chunk`), one component holds all tiles. Without tiles, the cells of a `NavGrid` with a
//! `NavLayer` count as tiles. Each tick, in this sequence:
//!
//! 1. `slots`: every tile entity has a slot that remembers where it was entered;
//! 2. [`layers`]: the tilemaps to read, their sizes, order and texture tables;
//! 3. `tile_data`, [`grid_cells`]: chunks and grids whose data changed are compared with what was read
//!    before;
//! 4. `tiles`: tiles that left give their cells back, then changed tiles enter theirs;
//! 5. [`grids`]: cells whose tiles changed are decided again and written to the map's grid;
//! 6. `edges`, `named_edges`: edges that tile entities close or name are entered into the grid.
//!
//! A scan of change ticks finds changes. Hooks and observers find removals, and miss none, however
//! many frames lie between two ticks.

mod claims;
#[cfg(feature = "tilemap")]
mod edges;
mod geometry;
mod grid_cells;
mod grids;
mod known;
mod layers;
#[cfg(any(feature = "tilemap", feature = "tilemap_chunk"))]
mod misplaced;
#[cfg(feature = "tilemap")]
mod named_edges;
mod rectangle;
mod refusal;
#[cfg(feature = "tilemap")]
mod slots;
#[cfg(feature = "tilemap_chunk")]
mod tile_data;
#[cfg(feature = "tilemap")]
mod tiles;

use bevy_app::App;
use bevy_ecs::{
    intern::Interned,
    schedule::{IntoScheduleConfigs, ScheduleLabel},
    world::World,
};

#[cfg(feature = "tilemap")]
use crate::map::edges::{Edges, Fence, Ledge, OneWay};
use crate::{
    map::{
        layer::{NavLayer, NavLayers},
        terrain::{Terrain, TextureTerrain},
    },
    schedule::SyncSteps,
    sync::tilemap::known::TilemapSync,
};

/// Returns the number of entries for tilemaps, and for tiles that are still to be examined.
pub(crate) fn entry_count(world: &World) -> usize {
    let tilemaps = world.get_resource::<TilemapSync>().map_or(0, |sync| {
        sync.claims.len()
            + sync.plans.len()
            + sync.written.len()
            + sync.refused.len()
            + sync.warned.len()
            + sync.to_fill.len()
    });
    #[cfg(feature = "tilemap")]
    let tilemaps = {
        let edges = world.get_resource::<edges::TileEdges>().map_or(0, edges::TileEdges::entry_count);
        let named = world.get_resource::<named_edges::NamedTileEdges>();
        let named = named.map_or(0, named_edges::NamedTileEdges::entry_count);
        let queue = world.get_resource::<slots::TileQueue>().map_or(0, slots::TileQueue::entry_count);
        tilemaps + edges + named + queue
    };
    tilemaps
}

pub(crate) fn plugin(app: &mut App, schedule: Interned<dyn ScheduleLabel>) {
    #[cfg(feature = "tilemap")]
    {
        slots::plugin(app);
        app.register_type::<OneWay>()
            .register_type::<Ledge>()
            .register_type::<Fence>()
            .register_type::<Edges>()
            .init_resource::<edges::TileEdges>()
            .init_resource::<named_edges::NamedTileEdges>();
    }
    app.register_type::<Terrain>()
        .register_type::<TextureTerrain>()
        .register_type::<NavLayer>()
        .register_type::<NavLayers>()
        .init_resource::<TilemapSync>()
        .add_systems(
            schedule,
            (
                #[cfg(feature = "tilemap")]
                slots::give_slots,
                layers::plan_maps,
                layers::follow_layers,
                #[cfg(feature = "tilemap_chunk")]
                tile_data::read_data,
                grid_cells::read_grids,
                #[cfg(feature = "tilemap")]
                (tiles::leave_cells, tiles::enter_cells).chain(),
                grids::write_grids,
                #[cfg(feature = "tilemap")]
                (edges::follow_edges, named_edges::follow_named_edges, misplaced::warn_of_terrain).chain(),
                #[cfg(feature = "tilemap_chunk")]
                misplaced::warn_of_terrain_of_chunks,
                #[cfg(all(feature = "tilemap", feature = "tilemap_chunk"))]
                misplaced::warn_of_both_kinds,
            )
                .chain()
                .in_set(SyncSteps::Tiles),
        );
}

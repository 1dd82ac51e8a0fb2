//! The reader of `bevy_ecs_tilemap` tilemaps, for the grids of their maps.
//!
//! The tile entities decide: their position, tilemap and class. Each tick, in this sequence:
//!
//! 1. [`slots`]: every tile has a slot that remembers where it was entered;
//! 2. [`layers`]: the tilemaps to read, their sizes, order and texture tables;
//! 3. [`tiles`]: tiles that left give their cells back, then changed tiles enter theirs;
//! 4. [`grids`]: cells whose tiles changed are decided again and written to the map's grid;
//! 5. [`edges`]: edges that tiles close are closed on the grid.
//!
//! A scan of change ticks finds changes. Hooks and observers find removals, and miss none, however
//! many frames lie between two ticks.

mod claims;
mod edges;
mod geometry;
mod grids;
mod known;
mod layers;
mod misplaced;
mod rectangle;
mod slots;
mod tiles;

use bevy_app::App;
use bevy_ecs::{
    intern::Interned,
    schedule::{IntoScheduleConfigs, ScheduleLabel},
    world::World,
};

use crate::{
    map::{
        edges::{Fence, Ledge, OneWay},
        layer::{NavLayer, NavLayers},
        terrain::{Terrain, TextureTerrain},
    },
    schedule::SyncSteps,
    sync::tilemap::known::TilemapSync,
};

/// Returns the number of entries for tilemaps, and for tiles that are still to be examined.
pub(crate) fn entry_count(world: &World) -> usize {
    let known = world.get_resource::<TilemapSync>().map_or(0, |sync| {
        sync.claims.len()
            + sync.plans.len()
            + sync.written.len()
            + sync.refused.len()
            + sync.warned.len()
            + sync.to_fill.len()
    });
    let edges = world.get_resource::<edges::TileEdges>().map_or(0, edges::TileEdges::entry_count);
    known + edges + world.get_resource::<slots::TileQueue>().map_or(0, slots::TileQueue::entry_count)
}

pub(crate) fn plugin(app: &mut App, schedule: Interned<dyn ScheduleLabel>) {
    slots::plugin(app);
    app.register_type::<Terrain>()
        .register_type::<TextureTerrain>()
        .register_type::<NavLayer>()
        .register_type::<NavLayers>()
        .register_type::<OneWay>()
        .register_type::<Ledge>()
        .register_type::<Fence>()
        .init_resource::<TilemapSync>()
        .init_resource::<edges::TileEdges>()
        .add_systems(
            schedule,
            (
                slots::give_slots,
                layers::plan_maps,
                layers::follow_layers,
                tiles::leave_cells,
                tiles::enter_cells,
                grids::write_grids,
                edges::follow_edges,
                misplaced::warn_of_terrain,
            )
                .chain()
                .in_set(SyncSteps::Tiles),
        );
}

//! Slots: every tile remembers where it was entered.
//!
//! Decision: `docs/decisions/33-reading-tiles.md`.

use bevy_app::App;
use bevy_ecs::{
    component::Component,
    entity::Entity,
    lifecycle::HookContext,
    observer::On,
    query::{With, Without},
    resource::Resource,
    system::{Commands, Query, ResMut},
    world::DeferredWorld,
};
use bevy_ecs_tilemap::{
    map::TilemapId,
    tiles::{TilePos, TileTextureIndex},
};

use crate::{
    bevy_version::OnRemove,
    disabling::{WasDisabled, WasEnabled},
    map::terrain::Terrain,
    sync::tilemap::claims::Claim,
};

/// The state of a tile in the sync. A clone of a tile starts with an empty slot.
#[derive(Component, Debug, Default)]
#[component(on_discard = slot_discarded, clone_behavior = Ignore)]
pub(crate) struct TileSlot {
    /// The place where the tile was entered, if there is one.
    pub(crate) entered: Option<Entered>,
    /// True if the queue holds the tile: it holds a tile only once, even if no tick comes for long.
    is_queued: bool,
}

/// A cell of a tilemap, in one filling of its cells, and the claim of the tile there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Entered {
    pub(crate) tilemap: Entity,
    pub(crate) epoch: u32,
    pub(crate) slot: u32,
    pub(crate) claim: Claim,
}

/// Tiles that hooks and observers have noted since the last tick.
#[derive(Resource, Default)]
pub(crate) struct TileQueue {
    pub(crate) left: Vec<Entered>,
    pub(crate) to_ask: Vec<Entity>,
}

impl TileQueue {
    pub(crate) fn entry_count(&self) -> usize {
        self.left.len() + self.to_ask.len()
    }
}

/// Queues a tile to be examined in the next tick, although none of its change ticks moved.
pub(crate) fn ask_again(world: &mut DeferredWorld, tile: Entity) {
    let Some(mut slot) = world.get_mut::<TileSlot>(tile) else { return };
    let was_queued = std::mem::replace(&mut slot.is_queued, true);
    if !was_queued && let Some(mut queue) = world.get_resource_mut::<TileQueue>() {
        queue.to_ask.push(tile);
    }
}

impl TileSlot {
    /// Notes that the queue no longer holds the tile.
    pub(crate) fn leave_queue(&mut self) {
        self.is_queued = false;
    }
}

pub(crate) fn plugin(app: &mut App) {
    app.init_resource::<TileQueue>()
        .add_observer(|disabled: On<WasDisabled>, world: DeferredWorld| leave_cell(world, disabled.entity))
        .add_observer(|enabled: On<WasEnabled>, mut world: DeferredWorld| {
            if let Some(mut slot) = world.get_mut::<TileSlot>(enabled.entity) {
                // The queue may have been emptied while the tile was disabled.
                slot.leave_queue();
                ask_again(&mut world, enabled.entity);
            }
        });
    // A removed component leaves no change tick behind.
    app.add_observer(|removed: OnRemove<Terrain>, mut world: DeferredWorld| {
        ask_again(&mut world, removed.entity);
    });
    // Tiles that are spawned with their slot need one move less. If tiles exist before the plugin,
    // this is refused, and `give_slots` adds their slots.
    let _ = app.try_register_required_components::<TilemapId, TileSlot>();
}

/// Examines tiles whose texture index is removed. An observer costs time for every tile that is
/// despawned, so it is added only when a tilemap has a texture table.
pub(crate) fn watch_textures(commands: &mut Commands) {
    commands.add_observer(|removed: OnRemove<TileTextureIndex>, mut world: DeferredWorld| {
        ask_again(&mut world, removed.entity);
    });
}

fn slot_discarded(world: DeferredWorld, context: HookContext) {
    leave_cell(world, context.entity);
}

/// Notes that a tile is gone or disabled.
fn leave_cell(mut world: DeferredWorld, tile: Entity) {
    let Some(mut slot) = world.get_mut::<TileSlot>(tile) else { return };
    let Some(entered) = slot.entered.take() else { return };
    if let Some(mut queue) = world.get_resource_mut::<TileQueue>() {
        queue.left.push(entered);
    }
}

/// Gives slots to tiles that were spawned before the plugin, or lost their slot, and queues them.
pub(crate) fn give_slots(
    tiles: Query<Entity, (With<TilePos>, With<TilemapId>, Without<TileSlot>)>,
    mut queue: ResMut<TileQueue>,
    mut commands: Commands,
) {
    for tile in &tiles {
        queue.to_ask.push(tile);
        commands.entity(tile).try_insert(TileSlot::default());
    }
}

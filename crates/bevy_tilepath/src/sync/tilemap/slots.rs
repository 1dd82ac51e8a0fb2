//! Every tile remembers where it was entered, and says so when it goes.

use bevy_app::App;
use bevy_ecs::{
    component::Component,
    entity::Entity,
    entity_disabling::Disabled,
    lifecycle::{HookContext, Remove},
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

use crate::{map::terrain::Terrain, sync::tilemap::claims::Claim};

/// What the sync knows of a tile. A clone of a tile starts with an empty one.
#[derive(Component, Debug, Default)]
#[component(on_discard = slot_discarded, clone_behavior = Ignore)]
pub(crate) struct TileSlot {
    /// Where the tile was entered, if anywhere.
    pub(crate) entered: Option<Entered>,
    /// Whether the queue holds the tile, so that it holds it once however long no tick comes.
    is_queued: bool,
}

/// A cell of a tilemap, in one filling of it, and what the tile said there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Entered {
    pub(crate) tilemap: Entity,
    pub(crate) epoch: u32,
    pub(crate) slot: u32,
    pub(crate) claim: Claim,
}

/// What hooks and observers saw since the last tick.
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

/// Has a tile looked at in the next tick although no change tick of it moved.
pub(crate) fn ask_again(world: &mut DeferredWorld, tile: Entity) {
    let Some(mut slot) = world.get_mut::<TileSlot>(tile) else { return };
    let was_queued = std::mem::replace(&mut slot.is_queued, true);
    if !was_queued && let Some(mut queue) = world.get_resource_mut::<TileQueue>() {
        queue.to_ask.push(tile);
    }
}

impl TileSlot {
    /// Notes that the queue does not hold the tile any more.
    pub(crate) fn leave_queue(&mut self) {
        self.is_queued = false;
    }
}

pub(crate) fn plugin(app: &mut App) {
    app.init_resource::<TileQueue>().add_observer(
        |enabled: On<Remove, Disabled>, mut world: DeferredWorld| {
            ask_again(&mut world, enabled.entity);
        },
    );
    // A removed component leaves no change tick behind.
    app.add_observer(|removed: On<Remove, Terrain>, mut world: DeferredWorld| {
        ask_again(&mut world, removed.entity);
    });
    // Spawning tiles with their slot spares a move each. Where tiles exist before the plugin this is
    // refused, and `give_slots` makes up for it.
    let _ = app.try_register_required_components::<TilemapId, TileSlot>();
}

/// Has tiles whose texture index is removed looked at. An observer costs something for every tile that is
/// despawned: there is none until a tilemap has a texture table.
pub(crate) fn watch_textures(commands: &mut Commands) {
    commands.add_observer(|removed: On<Remove, TileTextureIndex>, mut world: DeferredWorld| {
        ask_again(&mut world, removed.entity);
    });
}

fn slot_discarded(mut world: DeferredWorld, context: HookContext) {
    let Some(mut slot) = world.get_mut::<TileSlot>(context.entity) else { return };
    let Some(entered) = slot.entered.take() else { return };
    if let Some(mut queue) = world.get_resource_mut::<TileQueue>() {
        queue.left.push(entered);
    }
}

/// Tiles that were there before the plugin, or lost their slot, get one and are looked at.
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

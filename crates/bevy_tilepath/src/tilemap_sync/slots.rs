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

use super::claims::Claim;

/// Where a tile was entered, if anywhere; written by the sync alone.
///
/// A clone of a tile starts with an empty one.
#[derive(Component, Debug, Default)]
#[component(on_discard = slot_discarded, clone_behavior = Ignore)]
pub(super) struct TileSlot(pub(super) Option<Entered>);

/// A cell of a tilemap, in one filling of it, and what the tile said there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Entered {
    pub(super) tilemap: Entity,
    pub(super) epoch: u32,
    pub(super) slot: u32,
    pub(super) claim: Claim,
}

/// What hooks and observers saw since the last tick.
#[derive(Resource, Default)]
pub(crate) struct TileQueue {
    pub(super) left: Vec<Entered>,
    pub(super) to_ask: Vec<Entity>,
}

impl TileQueue {
    /// Has a tile looked at in the next tick although no change tick of it moved.
    pub(crate) fn ask_again(&mut self, tile: Entity) {
        self.to_ask.push(tile);
    }
}

pub(super) fn plugin(app: &mut App) {
    app.init_resource::<TileQueue>()
        .add_observer(|removed: On<Remove, TileTextureIndex>, mut queue: ResMut<TileQueue>| {
            queue.ask_again(removed.entity);
        })
        .add_observer(|enabled: On<Remove, Disabled>, mut queue: ResMut<TileQueue>| {
            queue.ask_again(enabled.entity);
        });
    // Spawning tiles with their slot spares a move each. Where tiles exist before the plugin this is
    // refused, and `give_slots` makes up for it.
    let _ = app.try_register_required_components::<TilemapId, TileSlot>();
}

fn slot_discarded(mut world: DeferredWorld, context: HookContext) {
    let Some(mut slot) = world.get_mut::<TileSlot>(context.entity) else { return };
    let Some(entered) = slot.0.take() else { return };
    if let Some(mut queue) = world.get_resource_mut::<TileQueue>() {
        queue.left.push(entered);
    }
}

/// Tiles that were there before the plugin, or lost their slot, get one and are looked at.
pub(super) fn give_slots(
    tiles: Query<Entity, (With<TilePos>, With<TilemapId>, Without<TileSlot>)>,
    mut queue: ResMut<TileQueue>,
    mut commands: Commands,
) {
    for tile in &tiles {
        queue.ask_again(tile);
        commands.entity(tile).try_insert(TileSlot::default());
    }
}

//! Which groups have a new order.

use bevy_ecs::{
    entity::{Entity, EntityIndexSet},
    resource::Resource,
    world::DeferredWorld,
};

use crate::group::members::Group;

/// Groups whose order has no places yet, and the numbers of orders.
#[derive(Resource, Debug, Default)]
pub(crate) struct GroupQueue {
    last_number: u64,
    /// In the order in which they were given.
    pub(super) fresh: EntityIndexSet,
}

impl GroupQueue {
    /// How many groups wait.
    pub(crate) fn entry_count(&self) -> usize {
        self.fresh.len()
    }
}

/// Gives the order of a group a number, and lets it wait for the next tick.
pub(super) fn enter(mut world: DeferredWorld, group: Entity) {
    let Some(mut queue) = world.get_resource_mut::<GroupQueue>() else { return };
    queue.last_number += 1;
    let number = queue.last_number;
    // A newer order of the same group waits behind the others.
    queue.fresh.shift_remove(&group);
    queue.fresh.insert(group);
    if let Some(mut state) = world.get_mut::<Group>(group) {
        state.fresh = Some(number);
        // Those belonged to the order that is replaced.
        state.pushed.clear();
    }
}

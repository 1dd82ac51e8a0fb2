//! Which groups have a new order.

use std::collections::BTreeMap;

use bevy_ecs::{
    entity::{Entity, EntityIndexSet},
    entity_disabling::Disabled,
    query::Allow,
    resource::Resource,
    world::{DeferredWorld, World},
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

/// The groups with an order under way, by the numbers of their orders.
pub(super) fn under_way(world: &mut World) -> BTreeMap<u64, Entity> {
    let mut groups = world.query_filtered::<(Entity, &Group), Allow<Disabled>>();
    groups
        .iter(world)
        .filter(|(_, group)| group.number != 0)
        .map(|(entity, group)| (group.number, entity))
        .collect()
}

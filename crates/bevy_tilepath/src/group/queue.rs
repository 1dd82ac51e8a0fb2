//! Groups with a new order.

use std::collections::BTreeMap;

use bevy_ecs::{
    entity::{Entity, EntityIndexSet, MapEntities},
    entity_disabling::Disabled,
    query::Allow,
    resource::Resource,
    world::{DeferredWorld, World},
};

use crate::{
    group::{
        members::{Fresh, Group},
        order::GroupOrder,
    },
    order::{queue::RequestQueue, state::RequestState},
};

/// Groups whose order has no places yet, and the number of the last order.
#[derive(Clone, Resource, Debug, Default)]
pub(crate) struct GroupQueue {
    last_number: u64,
    /// The groups, in the sequence of their orders.
    pub(super) fresh: EntityIndexSet,
    /// The work of earlier ticks beyond their shares. Groups wait until it is paid.
    pub(super) debt: u64,
}

/// The queue in a [`TilepathState`](crate::TilepathState).
#[derive(Debug, Clone, MapEntities)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(crate) struct GroupQueueState {
    last_number: u64,
    #[entities]
    #[cfg_attr(feature = "serde", serde(deserialize_with = "tilepath::read_list"))]
    fresh: Vec<Entity>,
    debt: u64,
}

impl GroupQueue {
    pub(crate) fn state(&self) -> GroupQueueState {
        let fresh = self.fresh.iter().copied().collect();
        GroupQueueState { last_number: self.last_number, fresh, debt: self.debt }
    }

    /// Puts a state back.
    pub(crate) fn put(&mut self, state: GroupQueueState) {
        let GroupQueueState { last_number, fresh, debt } = state;
        *self = Self { last_number, fresh: fresh.into_iter().collect(), debt };
    }

    /// Returns the number of groups that wait.
    pub(crate) fn entry_count(&self) -> usize {
        self.fresh.len()
    }
}

/// Gives the order of a group a number, and queues it for the next tick.
pub(super) fn enter(mut world: DeferredWorld, group: Entity) {
    let seen = last_order(&world, group);
    let Some(mut queue) = world.get_resource_mut::<GroupQueue>() else { return };
    queue.last_number += 1;
    let number = queue.last_number;
    // A newer order of the same group waits behind the others.
    queue.fresh.shift_remove(&group);
    queue.fresh.insert(group);
    if let Some(mut state) = world.get_mut::<Group>(group) {
        state.fresh = Some(Fresh { number, seen });
        // These stops belonged to the order that is replaced.
        state.pushed.clear();
    }
}

/// Returns the number of the last order to a single agent. `None` if a member is not an agent yet: a
/// scene may add the members, with their orders, after the group.
fn last_order(world: &DeferredWorld, group: Entity) -> Option<u64> {
    let mut members = world.get::<GroupOrder>(group)?.members().iter();
    let are_agents = members.all(|&member| world.get::<RequestState>(member).is_some());
    let queue = world.get_resource::<RequestQueue>().filter(|_| are_agents)?;
    Some(queue.last_number())
}

/// Returns the groups with an order under way, by the numbers of their orders.
pub(super) fn under_way(world: &mut World) -> BTreeMap<u64, Entity> {
    let mut groups = world.query_filtered::<(Entity, &Group), Allow<Disabled>>();
    groups
        .iter(world)
        .filter(|(_, group)| group.number != 0)
        .map(|(entity, group)| (group.number, entity))
        .collect()
}

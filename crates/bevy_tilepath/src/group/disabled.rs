//! Disabled members: left out until they are enabled again.

use std::collections::BTreeSet;

use bevy_app::App;
use bevy_ecs::{entity::Entity, observer::On, system::Commands, world::World};

use crate::{
    disabling::{WasDisabled, is_disabled, is_hidden},
    group::{
        members::{Fate, Group},
        order::GroupOrder,
    },
    journey::agent::PathAgent,
};

pub(super) fn plugin(app: &mut App) {
    app.add_observer(|disabled: On<WasDisabled>, mut commands: Commands| {
        let group = disabled.entity;
        commands.queue(move |world: &mut World| cancel_hidden(world, group));
    });
}

/// Cancels the order of a group whose entity is disabled by a component of the game, as if the entity
/// was despawned.
fn cancel_hidden(world: &mut World, group: Entity) {
    if is_hidden(world, group) && world.get::<GroupOrder>(group).is_some() {
        world.entity_mut(group).remove::<GroupOrder>();
        world.flush();
    }
}

impl Group {
    /// Takes disabled members out of the group. The others move up.
    pub(super) fn leave_out_disabled(&mut self, world: &mut World) {
        for member in &mut self.members {
            if member.fate.is_out() || !is_disabled(world, member.entity) {
                continue;
            }
            member.fate = Fate::Disabled { was_under_way: member.is_under_way() };
            member.give_speed_back(world);
            self.has_gaps = true;
        }
    }

    /// Sends members that are enabled again to the innermost places that are free now.
    pub(super) fn take_back_enabled(&mut self, world: &mut World, entity: Entity, order: &GroupOrder) {
        for index in 0..self.members.len() {
            let member = &self.members[index];
            let Fate::Disabled { was_under_way } = member.fate else { continue };
            if is_disabled(world, member.entity) {
                continue;
            }
            if world.get::<PathAgent>(member.entity).is_none()
                || member.has_other_order(world, (entity, self.number), was_under_way)
            {
                self.members[index].fate = member.fate_of_leaver(world, entity, self.number);
            } else {
                self.give_free_places(index);
                let next = self.members[index].passed.min(self.stops.len().saturating_sub(1));
                self.send_to_stop(world, entity, index, next, order);
            }
        }
    }

    /// Gives a member the innermost free place of its kind at each stop at which it had one.
    fn give_free_places(&mut self, index: usize) {
        for stop in 0..self.stops.len() {
            let Some(own) = self.members[index].slots.get(stop).copied().flatten() else { continue };
            let others = self.members.iter().filter(|member| !member.fate.is_out());
            let held: BTreeSet<usize> =
                others.filter_map(|member| member.slots.get(stop).copied().flatten()).collect();
            let slots = &self.stops[stop].slots;
            let free =
                (0..slots.len()).filter(|slot| slots[*slot].kind == slots[own].kind && !held.contains(slot));
            self.members[index].slots[stop] = free.min_by_key(|&slot| slots[slot].rank).or(Some(own));
        }
    }
}

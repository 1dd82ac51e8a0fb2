//! Members that had to make way for the last to come, or found no way past others: they are sent to their places again.

use bevy_ecs::{entity::Entity, world::World};

use crate::{
    group::{
        members::{Fate, Group, Member},
        order::GroupOrder,
        plan::send,
    },
    journey::body::BodyPlace,
    order::state::RequestState,
    walk::bodies::map_crowd::Crowds,
};

/// So often a member is sent back to its place: there may be no peace for others to come by.
const RETURNS: u8 = 3;

impl Group {
    /// Those who are not at their places because of others, once all have come to rest.
    pub(super) fn displaced(&self, world: &World) -> Vec<usize> {
        if self.members.iter().any(Member::is_under_way) || !self.pushed.is_empty() {
            return Vec::new();
        }
        (0..self.members.len()).filter(|&index| self.is_displaced(world, index)).collect()
    }

    fn is_displaced(&self, world: &World, index: usize) -> bool {
        let member = &self.members[index];
        let entered = world.get::<BodyPlace>(member.entity).and_then(|place| place.entered.as_ref());
        let Some(entered) = entered.filter(|entered| Some(entered.map) == self.map) else { return false };
        let is_free = world
            .get::<RequestState>(member.entity)
            .is_some_and(|state| state.order_of(member.entity).is_none());
        let here = world.get_resource::<Crowds>().and_then(|crowds| crowds.entered(entered));
        let last = self.stops.len().saturating_sub(1);
        matches!(member.fate, Fate::Arrived | Fate::Blocked)
            && member.returns < RETURNS
            && is_free
            && self
                .cell_of(member, last)
                .zip(here)
                .is_some_and(|(cell, crowd)| crowd.cell(entered.id) != cell)
    }

    /// Sends those back; and those on to the next stop who cannot come to one that is not the last.
    pub(super) fn send_back(&mut self, world: &mut World, entity: Entity, order: &GroupOrder) {
        let last = self.stops.len().saturating_sub(1);
        for index in self.displaced(world) {
            self.members[index].returns += 1;
            self.send_to_stop(world, (entity, index), last, order);
        }
        for index in 0..self.members.len() {
            let member = &self.members[index];
            let next = member.passed + 1;
            if member.fate == Fate::Blocked && next <= last && self.cell_of(member, last).is_some() {
                self.members[index].passed = next;
                self.send_to_stop(world, (entity, index), next, order);
            }
        }
    }

    /// From where it is a member goes to this stop and to those that follow.
    pub(super) fn send_to_stop(
        &mut self,
        world: &mut World,
        (entity, index): (Entity, usize),
        stop: usize,
        order: &GroupOrder,
    ) {
        self.members[index].slots[..stop].fill(None);
        send(world, (entity, self), index, order);
    }
}

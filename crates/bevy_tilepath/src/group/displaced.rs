//! Members that others pushed or stopped, sent again.

use bevy_ecs::{entity::Entity, world::World};

use crate::{
    group::{
        members::{Fate, Group, Member},
        order::GroupOrder,
        plan::send,
    },
    order::state::RequestState,
};

/// The most times that a displaced member is sent back to its place. Without a limit, members that
/// come by could push it away again and again.
const RETURNS: u8 = 3;

/// The most times that a member is sent back that could not get past others.
const RETURNS_IN_VAIN: u8 = 1;

impl Group {
    /// Returns the members that are not at their places because of others, if all have come to
    /// rest.
    pub(super) fn displaced(&self, world: &World) -> Vec<usize> {
        if self.members.iter().any(Member::is_under_way) || !self.pushed.is_empty() {
            return Vec::new();
        }
        (0..self.members.len()).filter(|&index| self.is_displaced(world, index)).collect()
    }

    fn is_displaced(&self, world: &World, index: usize) -> bool {
        let member = &self.members[index];
        let is_free = world
            .get::<RequestState>(member.entity)
            .is_some_and(|state| state.order_of(member.entity).is_none());
        let returns = match member.fate {
            Fate::Arrived => RETURNS,
            Fate::Blocked => RETURNS_IN_VAIN,
            _ => 0,
        };
        member.returns < returns && is_free && self.stands_at_place(world, index) == Some(false)
    }

    /// Returns whether a body stands at its last place. `None` if it is not in the crowd of the
    /// group's map, or has no place.
    fn stands_at_place(&self, world: &World, index: usize) -> Option<bool> {
        let member = &self.members[index];
        let place = self.cell_of(member, self.stops.len().saturating_sub(1))?;
        Some(self.standing_cell(world, member)? == place)
    }

    /// Counts a member as arrived if it gave up, and others pushed it to its place since.
    pub(super) fn note_pushed_to_places(&mut self, world: &World) {
        for index in 0..self.members.len() {
            if self.members[index].fate == Fate::Blocked && self.stands_at_place(world, index) == Some(true) {
                self.members[index].fate = Fate::Arrived;
            }
        }
    }

    /// Sends displaced members back to their places. A member that cannot reach a stop before the
    /// last is sent on to the next stop.
    pub(super) fn send_back(&mut self, world: &mut World, entity: Entity, order: &GroupOrder) {
        let last = self.stops.len().saturating_sub(1);
        for index in self.displaced(world) {
            self.members[index].returns += 1;
            self.send_to_stop(world, entity, index, last, order);
        }
        for index in 0..self.members.len() {
            let member = &self.members[index];
            let next = member.passed + 1;
            if member.fate == Fate::Blocked && next <= last && self.cell_of(member, last).is_some() {
                self.members[index].passed = next;
                self.send_to_stop(world, entity, index, next, order);
            }
        }
    }

    /// Sends a member from where it is to this stop and to the stops after it.
    pub(super) fn send_to_stop(
        &mut self,
        world: &mut World,
        entity: Entity,
        index: usize,
        stop: usize,
        order: &GroupOrder,
    ) {
        self.members[index].slots[..stop].fill(None);
        send(world, entity, self, index, order);
    }
}

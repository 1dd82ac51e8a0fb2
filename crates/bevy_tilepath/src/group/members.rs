//! Members of a group, and their states.

use bevy_ecs::{
    component::Component,
    entity::{Entity, MapEntities},
    world::World,
};
use bevy_reflect::{Reflect, std_traits::ReflectDefault};
use tilepath::Cell;

use crate::{
    journey::agent::PathAgent,
    map::place::Place,
    order::{request::PathRequest, state::RequestState},
    route::speed::Speed,
};

/// The members of a group and their places. [`GroupOrder`](crate::groups::GroupOrder) adds this
/// component to its own entity. While the entity has no order, the component is empty.
///
/// ```
/// use bevy_ecs::prelude::*;
/// use bevy_tilepath::{groups::Group, Cell};
///
/// // A click with shift sends the group on from where its order ends.
/// fn append(mut groups: Query<&mut Group>) {
///     for mut group in &mut groups {
///         group.push(Cell::new(4, 4));
///     }
/// }
/// # let _ = IntoSystem::into_system(append);
///
/// assert!(!Group::default().push(Cell::new(4, 4)), "there is no order that could go on");
/// ```
#[derive(Component, Debug, Clone, Default, PartialEq, MapEntities, Reflect)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[type_path = "bevy_tilepath"]
#[component(clone_behavior = Ignore)]
#[reflect(opaque)]
#[reflect(Default, Debug, Clone, PartialEq)]
pub struct Group {
    /// An order that has no places yet.
    pub(super) fresh: Option<Fresh>,
    /// The number of the present order, 0 without one.
    pub(super) number: u64,
    #[entities]
    pub(super) map: Option<Entity>,
    /// The members, sorted by their numbers.
    #[entities]
    #[cfg_attr(feature = "serde", serde(deserialize_with = "tilepath::read_list"))]
    pub(super) members: Vec<Member>,
    #[cfg_attr(feature = "serde", serde(deserialize_with = "tilepath::read_list"))]
    pub(super) stops: Vec<Stop>,
    /// Stops that have no places yet.
    #[entities]
    #[cfg_attr(feature = "serde", serde(deserialize_with = "tilepath::read_list"))]
    pub(super) pushed: Vec<Place>,
    /// True if a member has left or was lost since places were last given.
    pub(super) has_gaps: bool,
    /// The number of ticks before places are shared again among members in each other's way.
    pub(super) calm: u8,
}

/// An order that has no places yet.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(super) struct Fresh {
    /// The number of the order.
    pub(super) number: u64,
    /// The number of the last order to a single agent when this order was given. A member with a later
    /// order leaves the group. If a member was not an agent then, it is the number in the first tick.
    pub(super) seen: Option<u64>,
}

/// A member of a group.
#[derive(Debug, Clone, PartialEq, MapEntities)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(super) struct Member {
    #[entities]
    pub(super) entity: Entity,
    pub(super) number: u64,
    /// The number of its order.
    pub(super) order: u64,
    pub(super) fate: Fate,
    /// For each stop, the index of its place.
    #[cfg_attr(feature = "serde", serde(deserialize_with = "tilepath::read_list"))]
    pub(super) slots: Vec<Option<usize>>,
    /// The number of the group's stops that it has passed.
    pub(super) passed: usize,
    /// The number of times that it was sent to its place again.
    pub(super) returns: u8,
    /// Its own speed, and the speed that it was given.
    pub(super) pace: Option<(Speed, Speed)>,
}

/// The state of a member.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(super) enum Fate {
    UnderWay,
    Arrived,
    Short,
    /// Stopped by bodies that do not move.
    Blocked,
    Lost,
    /// Its order was cancelled.
    Left,
    /// It was given another order, or another group has it.
    Taken,
    /// Disabled: left out until it is enabled again.
    Disabled {
        /// True if it was under way, false if it had come to rest.
        was_under_way: bool,
    },
}

impl Fate {
    /// Returns whether the group goes on without the member.
    pub(super) fn is_out(self) -> bool {
        matches!(self, Self::Lost | Self::Left | Self::Taken | Self::Disabled { .. })
    }
}

/// The places of a stop.
#[derive(Debug, Clone, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(super) struct Stop {
    #[cfg_attr(feature = "serde", serde(deserialize_with = "tilepath::read_list"))]
    pub(super) slots: Vec<Slot>,
}

/// A place at a stop.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(super) struct Slot {
    pub(super) cell: Cell,
    /// The kind of the members that may stand there.
    pub(super) kind: usize,
    /// The rank of the place: 0 is taken first.
    pub(super) rank: usize,
}

/// The group to which an agent belongs. The plugin writes this component on each member.
#[derive(Component, Debug, Clone, Copy, PartialEq, Eq, Reflect)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[type_path = "bevy_tilepath"]
#[component(immutable, clone_behavior = Ignore)]
#[reflect(Debug, Clone, PartialEq)]
pub struct GroupMember {
    #[entities]
    group: Entity,
    number: u64,
    index: usize,
}

impl GroupMember {
    pub(super) fn new(group: Entity, number: u64, index: usize) -> Self {
        Self { group, number, index }
    }

    /// Returns the entity of the group.
    #[must_use]
    pub fn group(&self) -> Entity {
        self.group
    }

    pub(super) fn is_of(&self, group: Entity, number: u64) -> bool {
        (self.group, self.number) == (group, number)
    }

    /// Returns whether it belongs to a group with an older order than this, and follows that order.
    pub(super) fn follows_older(&self, world: &World, number: u64, order: u64) -> bool {
        let group = world.get::<Group>(self.group).filter(|_| self.number < number);
        group.is_some_and(|group| {
            self.index_in(group)
                .is_some_and(|index| group.members.get(index).is_some_and(|member| member.order == order))
        })
    }

    /// Returns its index in the list of members, if the list still belongs to the same order.
    pub(super) fn index_in(&self, group: &Group) -> Option<usize> {
        (group.number == self.number).then_some(self.index)
    }
}

impl Group {
    /// Adds a stop after the last stop of the present order, with the same formation. If there is
    /// no order, does nothing and returns false.
    ///
    /// Members that have arrived set out again. The order ends when all members rest at the new
    /// stop.
    pub fn push(&mut self, goal: impl Into<Place>) -> bool {
        let has_order = self.fresh.is_some() || self.number != 0;
        if has_order {
            self.pushed.push(goal.into());
        }
        has_order
    }

    /// Returns the members, sorted by [`AgentNumber`](crate::agents::AgentNumber). Members that
    /// left, were lost or are disabled are not included.
    pub fn members(&self) -> impl Iterator<Item = Entity> + '_ {
        self.present().map(|member| member.entity)
    }

    /// Returns the members that have a place at the last stop, each with the cell of its place. For
    /// a member that covers several cells, this is the lowest and leftmost of its cells.
    pub fn places(&self) -> impl Iterator<Item = (Entity, Cell)> + '_ {
        let last = self.stops.len().saturating_sub(1);
        self.present().filter_map(move |member| Some((member.entity, self.cell_of(member, last)?)))
    }

    /// Returns the tile map of the places, or `None` if there are no places yet.
    #[must_use]
    pub fn map(&self) -> Option<Entity> {
        self.map
    }

    fn present(&self) -> impl Iterator<Item = &Member> {
        self.members.iter().filter(|member| !member.fate.is_out())
    }

    /// Returns the place of a member at a stop.
    pub(super) fn cell_of(&self, member: &Member, stop: usize) -> Option<Cell> {
        let slot = (*member.slots.get(stop)?)?;
        Some(self.stops.get(stop)?.slots.get(slot)?.cell)
    }

    /// Takes all members out of the group. Cancels the orders of members that still follow them, if
    /// `is_cancelled` is true for the member.
    pub(super) fn cancel(mut self, world: &mut World, group: Entity, is_cancelled: impl Fn(&Member) -> bool) {
        for index in 0..self.members.len() {
            let member = &mut self.members[index];
            let entity = member.entity;
            member.give_speed_back(world);
            let member = &self.members[index];
            let may_follow = matches!(member.fate, Fate::UnderWay | Fate::Disabled { was_under_way: true });
            if may_follow && is_cancelled(member) && member.has_its_order(world, group, self.number) {
                world.entity_mut(entity).remove::<PathRequest>();
            }
            if world.get::<GroupMember>(entity).is_some_and(|of| of.is_of(group, self.number)) {
                world.entity_mut(entity).remove::<GroupMember>();
            }
        }
        world.flush();
    }

    /// Marks members that are gone as lost, members with another order as taken, and members without
    /// an order as left. Leaves out disabled members.
    pub(super) fn note_leavers(&mut self, world: &mut World, group: Entity) {
        self.leave_out_disabled(world);
        for member in &mut self.members {
            if !member.has_left(world, group, self.number) {
                continue;
            }
            member.fate = member.fate_of_leaver(world, group, self.number);
            member.give_speed_back(world);
            self.has_gaps = true;
        }
    }

    /// Returns the number of members in such a state.
    pub(super) fn count(&self, is_counted: impl Fn(Fate) -> bool) -> usize {
        self.members.iter().filter(|member| is_counted(member.fate)).count()
    }
}

impl Member {
    pub(super) fn is_under_way(&self) -> bool {
        self.fate == Fate::UnderWay
    }

    /// Converts a stop of the group to a stop of the member: the member may have no place at some
    /// stops.
    pub(super) fn own_index(&self, stop: usize) -> usize {
        self.slots.iter().take(stop).flatten().count()
    }

    /// Converts a stop of the member to a stop of the group.
    pub(super) fn stop_of(&self, own_index: usize) -> Option<usize> {
        let has_place = self.slots.iter().enumerate().filter(|(_, slot)| slot.is_some());
        has_place.map(|(stop, _)| stop).nth(own_index)
    }

    /// Returns whether it follows the order that this group gave. An equal order of another group
    /// is the same order for the member, and then belongs to the other group.
    pub(super) fn has_its_order(&self, world: &World, group: Entity, number: u64) -> bool {
        world.get::<RequestState>(self.entity).is_some_and(|state| state.holds(self.order))
            && self.is_of(world, group, number)
    }

    fn is_ordered(&self, world: &World) -> bool {
        world.get::<RequestState>(self.entity).is_some_and(|state| state.order_of(self.entity).is_some())
    }

    /// Returns whether no other group has taken it.
    fn is_of(&self, world: &World, group: Entity, number: u64) -> bool {
        world.get::<GroupMember>(self.entity).is_some_and(|of| of.is_of(group, number))
    }

    /// Returns whether it no longer follows the order of the group. A member under way was given
    /// another order, or its order is gone. A member at its place was ordered elsewhere, belongs to
    /// another group, or is gone.
    fn has_left(&self, world: &World, group: Entity, number: u64) -> bool {
        !self.fate.is_out() && self.has_other_order(world, (group, number), self.is_under_way())
    }

    /// Returns whether it no longer follows the order of the group, on which it is under way or has
    /// come to rest.
    pub(super) fn has_other_order(&self, world: &World, of: (Entity, u64), is_under_way: bool) -> bool {
        let (group, number) = of;
        if is_under_way {
            return !self.has_its_order(world, group, number);
        }
        self.is_ordered(world) || !self.is_of(world, group, number)
    }

    /// Returns the fate of a member that no longer follows the order of the group.
    pub(super) fn fate_of_leaver(&self, world: &World, group: Entity, number: u64) -> Fate {
        if world.get::<PathAgent>(self.entity).is_none() {
            Fate::Lost
        } else if self.has_other_order(world, (group, number), false) {
            Fate::Taken
        } else {
            Fate::Left
        }
    }

    /// Gives the member its own speed back.
    pub(super) fn give_speed_back(&mut self, world: &mut World) {
        if let Some((own, written)) = self.pace.take()
            && let Some(mut agent) = world.get_mut::<PathAgent>(self.entity)
            && agent.speed == written
        {
            agent.speed = own;
        }
    }
}

//! Planning of places for groups.

use bevy_ecs::{
    entity::{Entity, EntityHashSet},
    world::World,
};

use tracing::warn;

use crate::{
    failure::PathFailure,
    group::{
        events::GroupFailure,
        members::{Fate, Group, GroupMember, Member},
        order::GroupOrder,
        places::{Newcomer, Parts, look},
        queue::{GroupQueue, under_way},
        settle::fail,
    },
    journey::{agent::PathAgent, number::AgentNumber},
    order::{request::PathRequest, state::RequestState, stops::PathStops},
};

/// Notes members that left, finds places for new orders and stops, and closes gaps.
pub(super) fn plan_groups(world: &mut World, parts: &mut Parts) {
    let fresh: Vec<Entity> =
        std::mem::take(&mut world.resource_mut::<GroupQueue>().fresh).into_iter().collect();
    let under_way = under_way(world);
    if fresh.is_empty() && under_way.is_empty() {
        return;
    }
    for &group in under_way.values() {
        with_group(world, group, |world, state, _| state.note_leavers(world, group));
    }
    for group in fresh {
        if let Err(reason) = accept(world, parts, group) {
            fail(world, group, reason);
        }
    }
    for &entity in under_way.values() {
        with_group(world, entity, |world, group, order| {
            append_stops(world, parts, entity, group, order);
            group.send_back(world, entity, order);
            if std::mem::take(&mut group.has_gaps) {
                group.close_gaps(world, parts);
            }
            group.part_jammed(world, parts);
            if order.keeps_pace() {
                group.keep_pace(world);
            }
        });
    }
}

/// Takes a group out of the world, works on it, and puts it back.
fn with_group(world: &mut World, entity: Entity, work: impl FnOnce(&mut World, &mut Group, &GroupOrder)) {
    let Some(order) = world.get::<GroupOrder>(entity).cloned() else { return };
    let Some(mut group) = world.get_mut::<Group>(entity) else { return };
    if group.number == 0 {
        return;
    }
    let mut taken = std::mem::take(&mut *group);
    work(world, &mut taken, &order);
    put_back(world, entity, taken);
}

/// Puts a group back into the world. An observer of its members' orders may meanwhile have
/// cancelled the group's order, or given another one.
fn put_back(world: &mut World, entity: Entity, group: Group) {
    let is_ordered = world.get::<GroupOrder>(entity).is_some();
    match world.get_mut::<Group>(entity).filter(|_| is_ordered) {
        Some(mut state) => {
            let meanwhile = std::mem::replace(&mut *state, group);
            state.fresh = meanwhile.fresh.or(state.fresh);
        }
        None => group.cancel(world, entity, |_| true),
    }
}

/// Accepts a new order: finds places and sends the members there.
fn accept(world: &mut World, parts: &mut Parts, entity: Entity) -> Result<(), GroupFailure> {
    let Some(order) = world.get::<GroupOrder>(entity).cloned() else { return Ok(()) };
    let Some(number) = world.get::<Group>(entity).and_then(|group| group.fresh) else { return Ok(()) };
    let mut members = members(world, &order);
    let first = members.first().ok_or(GroupFailure::NoMembers)?.entity;
    let around = look(parts, world);
    let Some(view) = around.map_of(&order, first)? else {
        world.resource_mut::<GroupQueue>().fresh.insert(entity);
        return Ok(());
    };
    let map = view.map;
    let pushed = world.get::<Group>(entity).map(|group| group.pushed.clone());
    let mut stops = Vec::new();
    for goal in order.goals().iter().chain(pushed.iter().flatten()) {
        let around = look(parts, world);
        let Some(view) = around.map_of(&order, first)? else { break };
        let newcomers: Vec<Newcomer> = members
            .iter()
            .map(|member| Newcomer { entity: member.entity, before: last_cell(member, &stops) })
            .collect();
        let (stop, slots) = around.stop(&order, view, goal, &newcomers)?;
        members.iter_mut().zip(slots).for_each(|(member, slot)| member.slots.push(slot));
        stops.push(stop);
    }
    release_old(world, entity, &members);
    let mut group = Group { number, map: Some(map), members, stops, ..Group::default() };
    for index in 0..group.members.len() {
        send(world, entity, &mut group, index, &order);
    }
    if order.keeps_pace() {
        group.keep_pace(world);
    }
    put_back(world, entity, group);
    Ok(())
}

/// Returns the place of a member before the next stop in the list.
fn last_cell(member: &Member, stops: &[super::members::Stop]) -> Option<tilepath::Cell> {
    let mut slots = member.slots.iter().zip(stops).rev();
    slots.find_map(|(slot, stop)| Some(stop.slots[(*slot)?].cell))
}

/// Returns the members of an order, each once, sorted by their numbers.
fn members(world: &World, order: &GroupOrder) -> Vec<Member> {
    let mut seen = EntityHashSet::default();
    let mut members: Vec<Member> = order
        .members()
        .iter()
        .filter(|&&entity| seen.insert(entity))
        .filter_map(|&entity| {
            world.get::<PathAgent>(entity)?;
            let number = world.get::<AgentNumber>(entity)?.get();
            Some(Member {
                entity,
                number,
                order: 0,
                fate: Fate::UnderWay,
                slots: Vec::new(),
                passed: 0,
                returns: 0,
                pace: None,
            })
        })
        .collect();
    members.sort_by_key(|member| member.number);
    members
}

/// Stops members of the former order that are not in this one. The others keep walking until their
/// new order is answered.
fn release_old(world: &mut World, entity: Entity, members: &[Member]) {
    let Some(mut group) = world.get_mut::<Group>(entity) else { return };
    let old = std::mem::take(&mut *group);
    let stays: EntityHashSet = members.iter().map(|member| member.entity).collect();
    old.cancel(world, entity, |entity| !stays.contains(&entity));
}

/// Gives a member the order to its places.
pub(super) fn send(world: &mut World, entity: Entity, group: &mut Group, index: usize, order: &GroupOrder) {
    let member = &group.members[index];
    let who = member.entity;
    let mut cells = (0..group.stops.len()).filter_map(|stop| group.cell_of(member, stop));
    let Some(first) = cells.next() else {
        group.members[index].fate = Fate::Lost;
        return;
    };
    let mut request = cells.fold(PathRequest::to_cell(first).or_closest(), PathRequest::then);
    let is_elsewhere = world.get::<crate::OnMap>(who).is_some_and(|on_map| Some(on_map.0) != group.map);
    if let Some(map) = group.map.filter(|_| is_elsewhere || order.goal_map().is_some()) {
        request = request.on_map(map);
    }
    if let Ok(mut agent) = world.get_entity_mut(who) {
        agent.insert((request, GroupMember::new(entity, group.number, index)));
        world.flush();
    }
    let given = world.get::<RequestState>(who).and_then(|state| state.order_of(who));
    let member = &mut group.members[index];
    match given {
        Some(given) => (member.order, member.fate) = (given.number, Fate::UnderWay),
        None => member.fate = Fate::Lost,
    }
}

/// Finds places at the stops that were pushed, and sends all members there that are still in the
/// group.
fn append_stops(world: &mut World, parts: &mut Parts, entity: Entity, group: &mut Group, order: &GroupOrder) {
    if group.fresh.is_some() {
        return;
    }
    for goal in std::mem::take(&mut group.pushed) {
        let present: Vec<usize> = (0..group.members.len())
            .filter(|&index| {
                let member = &group.members[index];
                let state = world.get::<RequestState>(member.entity);
                // After the leavers were noted, an observer may have given this member an order.
                let is_free = state.is_some_and(|state| state.order_of(member.entity).is_none());
                match member.fate {
                    Fate::UnderWay => true,
                    Fate::Arrived | Fate::Short | Fate::Blocked => {
                        is_free && world.get::<PathAgent>(member.entity).is_some()
                    }
                    Fate::Lost | Fate::Left => false,
                }
            })
            .collect();
        let newcomers: Vec<Newcomer> = present
            .iter()
            .map(|&index| {
                let member = &group.members[index];
                let before = last_cell(member, &group.stops).filter(|_| member.is_under_way());
                Newcomer { entity: member.entity, before }
            })
            .collect();
        let around = look(parts, world);
        let Some(first) = present.first().map(|&index| group.members[index].entity) else { continue };
        let found = match around.map_of(order, first) {
            Ok(Some(view)) => around.stop(order, view, &goal, &newcomers),
            Ok(None) => Err(PathFailure::NoMap.into()),
            Err(reason) => Err(reason),
        };
        let (stop, slots) = match found {
            Ok(found) => found,
            Err(reason) => {
                warn!("a group goes on without the stop {goal}: {reason}");
                continue;
            }
        };
        let index_of_stop = group.stops.len();
        group.stops.push(stop);
        for member in &mut group.members {
            member.slots.resize(index_of_stop + 1, None);
        }
        for (&index, slot) in present.iter().zip(slots) {
            group.members[index].slots[index_of_stop] = slot;
            go_on(world, entity, group, index, index_of_stop, order);
        }
    }
}

/// Sends a member on to another stop. If it has arrived, it sets out again.
fn go_on(
    world: &mut World,
    entity: Entity,
    group: &mut Group,
    index: usize,
    stop: usize,
    order: &GroupOrder,
) {
    let member = &group.members[index];
    let who = member.entity;
    let Some(cell) = group.cell_of(member, stop) else { return };
    if member.is_under_way() {
        if let Some(mut stops) = world.get_mut::<PathStops>(who) {
            stops.push(cell);
        }
        return;
    }
    group.send_to_stop(world, entity, index, stop, order);
}

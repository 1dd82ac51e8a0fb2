//! Planning of places for groups.

use bevy_ecs::{entity::Entity, world::World};

use tracing::warn;

use crate::{
    disabling::is_hidden,
    failure::PathFailure,
    group::{
        allowance::Allowance,
        members::{Fate, Group, GroupMember},
        order::GroupOrder,
        places::{Newcomer, Parts, look},
        planning::{PlanUnderWay, Progress, accept, last_cell, see_all},
        queue::{GroupQueue, under_way},
        settle::fail,
    },
    journey::agent::PathAgent,
    order::{request::PathRequest, state::RequestState, stops::PathStops},
    search::goal_lists::GoalLists,
    settings::TilepathSettings,
};

/// Notes members that left, finds places for new orders and stops, and closes gaps, all within half
/// of the tick's budget.
pub(super) fn plan_groups(world: &mut World, parts: &mut Parts) {
    let share = world.resource::<TilepathSettings>().work_per_tick.max(1).div_ceil(2);
    let mut queue = world.resource_mut::<GroupQueue>();
    let mut allowance = Allowance::new(share, queue.debt);
    let fresh: Vec<Entity> = std::mem::take(&mut queue.fresh).into_iter().collect();
    let under_way = under_way(world);
    for &group in under_way.values() {
        with_group(world, group, |world, state, _| state.note_leavers(world, group));
    }
    plan_fresh(world, parts, fresh, &mut allowance);
    for &entity in under_way.values() {
        with_group(world, entity, |world, group, order| {
            // Its order has been replaced: members walk on, and no resting member sets out.
            if group.fresh.is_some() {
                return;
            }
            append_stops(world, parts, entity, group, order, &mut allowance);
            group.take_back_enabled(world, entity, order);
            group.send_back(world, entity, order);
            if allowance.is_left() && std::mem::take(&mut group.has_gaps) {
                group.close_gaps(world, parts, &mut allowance);
            }
            if allowance.is_left() {
                group.part_jammed(world, parts, &mut allowance);
            }
            if order.keeps_pace() {
                group.keep_pace(world);
            }
        });
    }
    world.resource_mut::<GroupQueue>().debt = allowance.debt;
    world.resource::<GoalLists>().add_groups(allowance.spent);
}

/// Plans new orders, the oldest first, one after the other.
fn plan_fresh(world: &mut World, parts: &mut Parts, mut fresh: Vec<Entity>, allowance: &mut Allowance) {
    see_all(world, &fresh);
    let planning = world.resource_mut::<PlanUnderWay>().0.take();
    let planning = planning.filter(|planning| planning.is_needed(world));
    // A plan under way goes on before older orders that waited for a map.
    if let Some(place) =
        planning.as_ref().and_then(|planning| fresh.iter().position(|&group| group == planning.entity()))
    {
        fresh[..=place].rotate_right(1);
    }
    world.resource_mut::<PlanUnderWay>().0 = planning;
    let mut waiting = Vec::new();
    for group in fresh {
        if !allowance.is_left() {
            waiting.push(group);
            continue;
        }
        match accept(world, parts, group, allowance) {
            Ok(Progress::Over) => {}
            Ok(Progress::NoMap | Progress::Later) => waiting.push(group),
            Err(reason) => fail(world, group, reason),
        }
    }
    // Observers may have given further orders, which are younger.
    let mut queue = world.resource_mut::<GroupQueue>();
    let younger = std::mem::take(&mut queue.fresh);
    waiting.retain(|group| !younger.contains(group));
    queue.fresh = waiting.into_iter().chain(younger).collect();
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
pub(super) fn put_back(world: &mut World, entity: Entity, group: Group) {
    let is_ordered = world.get::<GroupOrder>(entity).is_some();
    match world.get_mut::<Group>(entity).filter(|_| is_ordered) {
        Some(mut state) => {
            let meanwhile = std::mem::replace(&mut *state, group);
            state.fresh = meanwhile.fresh.or(state.fresh);
        }
        None => group.cancel(world, entity, |_| true),
    }
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
fn append_stops(
    world: &mut World,
    parts: &mut Parts,
    entity: Entity,
    group: &mut Group,
    order: &GroupOrder,
    allowance: &mut Allowance,
) {
    while allowance.is_left() && !group.pushed.is_empty() {
        let goal = group.pushed.remove(0);
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
                    // A place is kept for it.
                    Fate::Disabled { .. } => {
                        world.get::<PathAgent>(member.entity).is_some() && !is_hidden(world, member.entity)
                    }
                    Fate::Lost | Fate::Left | Fate::Taken => false,
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
            Ok(Some(view)) => around.stop(order, view, &goal, &newcomers, allowance),
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
    let Some(cell) = group.cell_of(member, stop).filter(|_| !member.fate.is_out()) else { return };
    if member.is_under_way() {
        if let Some(mut stops) = world.get_mut::<PathStops>(who) {
            stops.push(cell);
        }
        return;
    }
    group.send_to_stop(world, entity, index, stop, order);
}

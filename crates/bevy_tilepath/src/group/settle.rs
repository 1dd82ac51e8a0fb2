//! States of members, and ends of group orders.

use bevy_app::App;
use bevy_ecs::{
    change_detection::Mut,
    entity::Entity,
    entity_disabling::Disabled,
    observer::On,
    query::Allow,
    system::{Commands, Query},
    world::World,
};
use tilepath::Cost;

use crate::{
    bevy_version::OnRemove,
    failure::PathFailure,
    group::{
        events::{GroupArrived, GroupFailed, GroupFailure},
        members::{Fate, Group, GroupMember, Member},
        order::GroupOrder,
        queue::under_way,
    },
    report::{
        events::{Arrived, PathFailed, PathLost, StopReached},
        mistakes::note_mistake,
        publish::emit,
    },
};

type Members<'w, 's> = Query<'w, 's, &'static GroupMember, Allow<Disabled>>;
type Groups<'w, 's> = Query<'w, 's, &'static mut Group, Allow<Disabled>>;

pub(super) fn plugin(app: &mut App) {
    app.register_type::<GroupMember>()
        .add_observer(|removed: OnRemove<Group>, mut groups: Groups, mut commands: Commands| {
            let group = removed.entity;
            let Ok(mut state) = groups.get_mut(group) else { return };
            let cancelled = std::mem::take(&mut *state);
            // Without `Group`, the order is over.
            commands.queue(move |world: &mut World| {
                cancelled.cancel(world, group, |_| true);
                if let Ok(mut group) = world.get_entity_mut(group) {
                    group.remove::<GroupOrder>();
                }
            });
        })
        .add_observer(|arrived: On<Arrived>, members: Members, mut groups: Groups| {
            let is_short = arrived.partial || arrived.shortfall != Cost::ZERO;
            note(arrived.entity, if is_short { Fate::Short } else { Fate::Arrived }, &members, &mut groups);
        })
        .add_observer(|failed: On<PathFailed>, members: Members, mut groups: Groups| {
            note(failed.entity, Fate::Lost, &members, &mut groups);
        })
        .add_observer(|lost: On<PathLost>, members: Members, mut groups: Groups| {
            let is_blocked = matches!(lost.reason, PathFailure::Blocked { .. });
            note(lost.entity, if is_blocked { Fate::Blocked } else { Fate::Lost }, &members, &mut groups);
        })
        .add_observer(|reached: On<StopReached>, members: Members, mut groups: Groups| {
            if let Some(mut member) = member_of(reached.entity, &members, &mut groups)
                && let Some(stop) = member.stop_of(reached.index)
            {
                member.passed = stop + 1;
            }
        });
}

/// Returns the entry of an agent in its group, while the agent follows the group's order. The order of a
/// disabled agent may end, too.
fn member_of<'a>(agent: Entity, members: &Members, groups: &'a mut Groups) -> Option<Mut<'a, Member>> {
    let of = members.get(agent).ok()?;
    let group = groups.get_mut(of.group()).ok()?;
    let index = of.index_in(&group)?;
    let member = group.filter_map_unchanged(|group| group.members.get_mut(index))?;
    matches!(member.fate, Fate::UnderWay | Fate::Disabled { was_under_way: true }).then_some(member)
}

/// Notes that the order of an agent has ended. If the agent left its group before, this was noted
/// already.
fn note(agent: Entity, fate: Fate, members: &Members, groups: &mut Groups) {
    if let Some(mut member) = member_of(agent, members, groups) {
        member.fate = fate;
    }
    if fate == Fate::Lost
        && let Ok(of) = members.get(agent)
        && let Ok(mut group) = groups.get_mut(of.group())
    {
        group.has_gaps |= of.index_in(&group).is_some();
    }
}

/// Ends the orders of groups whose members have all come to rest.
pub(super) fn settle_groups(world: &mut World) {
    for &entity in under_way(world).values() {
        let Some(mut group) = world.get_mut::<Group>(entity) else { continue };
        let is_over = group.pushed.is_empty()
            && group.fresh.is_none()
            && !group.members.iter().any(Member::is_under_way);
        if is_over || group.members.iter().any(|member| member.pace.is_some() && !member.is_under_way()) {
            let mut taken = std::mem::take(&mut *group);
            for member in taken.members.iter_mut().filter(|member| !member.is_under_way()) {
                member.give_speed_back(world);
            }
            if is_over {
                // In this tick, too, an order may have led a member away from its place.
                taken.note_leavers(world, entity);
                taken.note_pushed_to_places(world);
            }
            if let Some(mut group) = world.get_mut::<Group>(entity) {
                *group = taken;
            }
        }
        // Members displaced by the last arrivals go back first.
        let is_in_place = |group: &Group| group.displaced(world).is_empty();
        if is_over && world.get::<Group>(entity).is_none_or(is_in_place) {
            end(world, entity);
        }
    }
}

fn end(world: &mut World, entity: Entity) {
    let Some(group) = world.get::<Group>(entity) else { return };
    let count = |fate| group.count(|member| member == fate);
    let [arrived, taken] = [Fate::Arrived, Fate::Taken].map(count);
    let (far, left) = (group.count_far(world), count(Fate::Left) + taken);
    let lost = group.count(Fate::is_out) - left + far;
    let with_shortfall = count(Fate::Short) + count(Fate::Blocked) - far;
    let is_replaced = taken == group.members.len();
    if arrived + with_shortfall > 0 {
        close(world, entity);
        emit(world, GroupArrived { entity, arrived, with_shortfall, lost, left });
    } else if lost > 0 {
        fail(world, entity, GroupFailure::NoneArrived { lost });
    } else if is_replaced {
        close(world, entity);
    } else {
        fail(world, entity, GroupFailure::AllLeft);
    }
}

/// Ends an order whose goal no member has reached.
pub(super) fn fail(world: &mut World, entity: Entity, reason: GroupFailure) {
    close(world, entity);
    if let GroupFailure::Path(reason) = reason {
        note_mistake(world, entity, reason);
    }
    emit(world, GroupFailed { entity, reason });
}

/// Removes the order, so that an observer of its end may give the next one.
fn close(world: &mut World, entity: Entity) {
    if let Some(mut group) = world.get_mut::<Group>(entity) {
        let ended = std::mem::take(&mut *group);
        // Disabled members keep their orders: when they are enabled, they go on alone.
        ended.cancel(world, entity, Member::is_under_way);
    }
    if let Ok(mut group) = world.get_entity_mut(entity) {
        group.remove::<GroupOrder>();
        world.flush();
    }
}

//! Orders to groups.

use bevy_ecs::{
    entity::{Entity, EntityHashSet},
    world::World,
};
use bevy_math::Vec2;
use bevy_tilepath::{
    Cell, OnMap, PathAgent, PathFailure, PathRequest,
    groups::{Formation, Group, GroupFailure, GroupOrder},
};
use rand::{Rng, seq::IndexedRandom};
use rand_chacha::ChaCha8Rng;

use crate::{crew::Agent, events::Told, level::Level, life::GroupLife, orders, places};

/// The most members of a group.
const MEMBERS: usize = 9;
/// The most times that a member may be sent to its place again. Other bodies can push it away again
/// and again.
const RETURNS: u32 = 3;

/// Groups that have an order.
#[derive(Debug, Default)]
pub(crate) struct Squads {
    pub(crate) open: Vec<Squad>,
    /// The number of the last order to a group.
    last_number: u64,
    /// The groups whose orders are over.
    ended: Vec<Entity>,
}

/// A group with an order.
#[derive(Debug)]
pub(crate) struct Squad {
    entity: Entity,
    /// The number of its order: orders that were given later have larger numbers.
    number: u64,
    life: GroupLife,
    members: Vec<Member>,
}

#[derive(Debug, Clone)]
struct Member {
    entity: Entity,
    fate: Fate,
    /// The number of the member's order: while its group is planned, the last one that the group's
    /// order replaces.
    order: u32,
    /// True if a later group has taken the member.
    is_taken: bool,
    /// The number of orders to its place.
    sent: u32,
    /// The side of the member at its first order, in cells.
    side: i32,
    /// The cell of its arrival, and the number of times that it had been put elsewhere before.
    at: Option<(Entity, Cell, u32)>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Fate {
    /// The member has no place yet.
    Unplaced,
    UnderWay,
    Arrived,
    Short,
    Lost,
    Left,
    /// It was not an agent in a tick in which its group may have been planned. The group counts it
    /// as lost, as left, or not at all.
    Gone,
}

/// Gives an order to a new group of agents on one map, or to a group that already has an order.
pub(crate) fn order(
    world: &mut World,
    level: &Level,
    squads: &mut Squads,
    crew: &mut [Agent],
    random: &mut ChaCha8Rng,
) {
    let Some(map) = crew.choose(random).and_then(|agent| world.get::<OnMap>(agent.entity)).map(|on| on.0)
    else {
        return;
    };
    let mut members: Vec<Entity> = crew
        .iter()
        .filter(|agent| !agent.chases && world.get::<OnMap>(agent.entity) == Some(&OnMap(map)))
        .map(|agent| agent.entity)
        .collect();
    for _ in random.random_range(1..=MEMBERS)..members.len() {
        members.swap_remove(random.random_range(0..members.len()));
    }
    if random.random_bool(0.2) {
        // An agent from another map, or a repeated one.
        members.extend(crew.choose(random).filter(|agent| !agent.chases).map(|agent| agent.entity));
    }
    let unit = members.first().copied().unwrap_or(Entity::PLACEHOLDER);
    let goal = |world: &World, random: &mut ChaCha8Rng| orders::goal(world, level, map, unit, random).0;
    let formation = Formation::ALL[random.random_range(0..Formation::ALL.len())];
    let mut given = GroupOrder::to(members, goal(world, random)).in_formation(formation);
    for _ in 0..[0, 0, 1, 2][random.random_range(0..4)] {
        given = given.then(goal(world, random));
    }
    if random.random_bool(0.3) {
        given = given.at_common_pace();
    }
    if random.random_bool(0.3) {
        given = given.facing(Vec2::from_angle(random.random_range(0.0..6.0)));
    }
    if random.random_bool(0.2) {
        given = given.on_map(map);
    }
    // If a member is not an agent yet, its orders up to the first tick do not count.
    let are_agents = given.members().iter().all(|&who| world.get::<PathAgent>(who).is_some());
    let named = if are_agents { given.members().to_vec() } else { Vec::new() };
    let replaced =
        if random.random_bool(0.2) { squads.open.choose(random).map(|squad| squad.entity) } else { None };
    let entity = match replaced {
        Some(entity) => {
            let old = squads.open.iter().position(|squad| squad.entity == entity).expect("it was chosen");
            let old = squads.open.swap_remove(old);
            for agent in crew.iter_mut() {
                agent.may_be_released |= old.is_under_way(agent.entity);
            }
            world.entity_mut(entity).insert(given);
            entity
        }
        None => world.spawn(given).id(),
    };
    squads.last_number += 1;
    let mut squad = Squad { entity, number: squads.last_number, life: GroupLife::Asked, members: Vec::new() };
    for who in named {
        squad.see(who, crew.iter().find(|agent| agent.entity == who), true);
    }
    squads.open.push(squad);
}

/// Cancels the order of a group, or changes its goal.
pub(crate) fn change(
    world: &mut World,
    level: &Level,
    squads: &mut Squads,
    crew: &mut [Agent],
    random: &mut ChaCha8Rng,
) -> Result<(), String> {
    if squads.open.is_empty() {
        return Ok(());
    }
    let index = random.random_range(0..squads.open.len());
    let entity = squads.open[index].entity;
    let kind = random.random_range(0..6);
    if kind > 2 {
        let map = level.any(random);
        let goal = orders::goal(world, level, map, entity, random).0;
        if let Some(mut group) = world.get_mut::<Group>(entity) {
            group.push(goal);
        }
        return Ok(());
    }
    let has_order = |world: &World, agent: &Agent| world.get::<PathRequest>(agent.entity).is_some();
    let ordered: Vec<bool> = crew.iter().map(|agent| has_order(world, agent)).collect();
    let squad = squads.open.swap_remove(index);
    match kind {
        0 => _ = world.despawn(entity),
        1 => _ = world.entity_mut(entity).remove::<GroupOrder>(),
        _ => _ = world.entity_mut(entity).remove::<Group>(),
    }
    if kind > 0 {
        squads.ended.push(entity);
    }
    for (agent, was_ordered) in crew.iter_mut().zip(ordered) {
        let is_cancelled = was_ordered && !has_order(world, agent);
        let is_meant = squad.members.iter().any(|member| {
            member.entity == agent.entity
                && member.fate == Fate::UnderWay
                && !member.is_taken
                && member.order == agent.orders
        });
        // The members may still have the order that was just replaced.
        let may_be = is_meant || agent.may_be_released;
        if is_cancelled {
            agent.is_cancelled();
        }
        if is_cancelled && !may_be || is_meant && was_ordered && !is_cancelled {
            return Err(format!(
                "the order of a group is cancelled: agent {} is a member under way: {is_meant}, its order is cancelled: \
                 {is_cancelled}",
                agent.number
            ));
        }
    }
    Ok(())
}

impl Squads {
    /// Replaces all entities, after a state was put into another world.
    pub(crate) fn replace_entities(&mut self, now: impl Fn(&mut Entity)) {
        self.ended.iter_mut().for_each(&now);
        for squad in &mut self.open {
            now(&mut squad.entity);
            for member in &mut squad.members {
                now(&mut member.entity);
                member.at.iter_mut().for_each(|(map, ..)| now(map));
            }
        }
    }

    /// Records after all deeds which members are gone, and which have another order.
    pub(crate) fn note_before(&mut self, world: &World, crew: &[Agent]) {
        for squad in &mut self.open {
            if squad.life == GroupLife::Asked {
                let mut seen = EntityHashSet::default();
                let named = world.get::<GroupOrder>(squad.entity).map_or(&[][..], GroupOrder::members);
                for &who in named.iter().filter(|who| seen.insert(**who)) {
                    let agent = crew.iter().find(|agent| agent.entity == who);
                    squad.see(who, agent, world.get::<PathAgent>(who).is_some());
                }
                continue;
            }
            for member in &mut squad.members {
                let agent = crew.iter().find(|agent| agent.entity == member.entity);
                if member.has_left(agent) {
                    let is_there = world.get::<PathAgent>(member.entity).is_some();
                    member.fate = if is_there { Fate::Left } else { Fate::Lost };
                }
            }
        }
    }

    /// Records an event of a member.
    pub(crate) fn note(&mut self, world: &World, agent: &Agent, told: &Told) -> Result<(), String> {
        if let Told::Ordered { group, .. } = *told {
            let squad = self.open.iter_mut().find(|squad| squad.entity == group);
            let number = squad.as_ref().map(|squad| squad.number);
            squad.map_or(&mut GroupLife::NoOrder, |squad| &mut squad.life).told(told)?;
            for squad in &mut self.open {
                let is_own = squad.entity == group;
                let is_younger =
                    squad.life == GroupLife::Asked && number.is_some_and(|older| older < squad.number);
                let Some(member) = squad.member_mut(agent.entity) else { continue };
                if is_own {
                    // Places are for its first size. It can be sent to its place again with another
                    // size.
                    if member.sent == 0 {
                        let map = world.get::<OnMap>(agent.entity).map(|on_map| on_map.0);
                        member.side = map.map_or(1, |map| places::side_of(world, map, agent.entity));
                    }
                    (member.fate, member.order, member.is_taken) = (Fate::UnderWay, agent.orders, false);
                    member.sent += 1;
                } else if is_younger {
                    // The order of an older group does not count.
                    member.order = agent.orders;
                } else {
                    member.is_taken = true;
                }
            }
            return Ok(());
        }
        let members = self.open.iter_mut().filter_map(|squad| squad.member_mut(agent.entity));
        for member in members.filter(|member| member.fate == Fate::UnderWay && !member.is_taken) {
            member.fate = match told {
                Told::Arrived(end) if end.is_there => {
                    member.at = end.place.cell().map(|cell| (end.map, cell, agent.puts));
                    Fate::Arrived
                }
                Told::Arrived(_) | Told::Lost(PathFailure::Blocked { .. }) => Fate::Short,
                Told::Lost(_) | Told::Failed(_) => Fate::Lost,
                _ => continue,
            };
        }
        Ok(())
    }

    /// Checks the end of a group's order: it ends once, and counts each member by the member's own
    /// events.
    pub(crate) fn end(
        &mut self,
        world: &World,
        crew: &[Agent],
        told: &Told,
        group: Entity,
    ) -> Result<(), String> {
        let Some(index) = self.open.iter().position(|squad| squad.entity == group) else {
            return Ok(GroupLife::NoOrder.told(told)?);
        };
        let mut squad = self.open.swap_remove(index);
        squad.life.told(told)?;
        self.ended.push(group);
        for member in squad.members.iter_mut().filter(|member| member.is_at_end() && member.is_taken) {
            member.fate = Fate::Left;
        }
        let count =
            |fates: &[Fate]| squad.members.iter().filter(|member| fates.contains(&member.fate)).count();
        let (arrived, short, left) = (count(&[Fate::Arrived]), count(&[Fate::Short]), count(&[Fate::Left]));
        let (lost, gone) = (count(&[Fate::Lost, Fate::Unplaced]), count(&[Fate::Gone]));
        // Members that other bodies stopped far from their places count as lost.
        let far = match told {
            Told::GroupArrived(end) => (arrived + short).saturating_sub(end.arrived + end.with_shortfall),
            _ => short,
        };
        let is_count = |told: usize, known: usize| (known..=known + gone + far).contains(&told);
        let all = squad.members.len() - gone;
        let is_right = match told {
            // Other bodies can have pushed a member to its place after it gave up.
            Told::GroupArrived(end) => {
                end.arrived + end.with_shortfall + far == arrived + short
                    && far <= short
                    && (left..=left + gone).contains(&end.left)
                    && is_count(end.lost, lost)
                    && is_count(end.left + end.lost, left + lost)
                    && end.arrived >= arrived
                    && arrived + short > 0
            }
            Told::GroupFailed(end) => match end.reason {
                GroupFailure::NoMembers => all == 0,
                GroupFailure::NoPlace { members } => {
                    count(&[Fate::Unplaced, Fate::Left]) == all && is_count(members, all)
                }
                GroupFailure::AllLeft => left == all,
                GroupFailure::NoneArrived { lost: told } => is_count(told, lost) && told > 0 && arrived == 0,
                _ => true,
            },
            _ => false,
        };
        if !is_right {
            let number = |who| crew.iter().find(|agent| agent.entity == who).map(|agent| agent.number);
            let fates: Vec<_> = squad.members.iter().map(|it| (number(it.entity), it.fate)).collect();
            return Err(format!(
                "{told:?}, but {arrived} arrived, {short} short of their places, {lost} lost, {left} left of {all}: {fates:?}"
            ));
        }
        squad.members.iter().try_for_each(|member| member.check_place(world, crew))
    }

    /// Ends the orders that are gone because other orders took all members. They end without an event.
    /// A member that was no agent for a while may be one of those.
    pub(crate) fn end_replaced(&mut self, world: &World) {
        let is_replaced = |squad: &Squad| {
            let is_taken = |member: &Member| member.is_taken || member.fate == Fate::Left;
            world.get::<GroupOrder>(squad.entity).is_none()
                && !squad.members.is_empty()
                && squad.members.iter().all(|member| is_taken(member) || member.fate == Fate::Gone)
        };
        let (ended, open) = std::mem::take(&mut self.open).into_iter().partition::<Vec<_>, _>(is_replaced);
        self.open = open;
        self.ended.extend(ended.iter().map(|squad| squad.entity));
    }

    /// Checks that each group with an order has the component of the order.
    pub(crate) fn check_lives(&self, world: &World) -> Result<(), String> {
        let has_order = |group: Entity| world.get::<GroupOrder>(group).is_some();
        for squad in &self.open {
            let seen = squad.life.seen(has_order(squad.entity));
            seen.map_err(|fault| format!("{}: {:?}", String::from(fault), squad.members))?;
        }
        let is_open = |group: &Entity| self.open.iter().any(|squad| squad.entity == *group);
        let mut ended = self.ended.iter().filter(|group| !is_open(group));
        Ok(ended.try_for_each(|group| GroupLife::NoOrder.seen(has_order(*group)))?)
    }

    /// Checks that no cell belongs to the places of two members.
    pub(crate) fn check_places(&self, world: &World, crew: &[Agent]) -> Result<(), String> {
        for squad in &self.open {
            let Some(group) = world.get::<Group>(squad.entity) else { continue };
            let Some(map) = group.map() else { continue };
            let is_as_before = |member: &Member| {
                member.fate == Fate::Unplaced || member.side == places::side_of(world, map, member.entity)
            };
            if squad.life == GroupLife::Asked || !squad.members.iter().all(is_as_before) {
                continue;
            }
            let mut taken: Vec<(Cell, Entity)> = Vec::new();
            for (who, place) in group.places() {
                for cell in places::footprint(place, places::side_of(world, map, who)) {
                    if let Some((_, other)) =
                        taken.iter().find(|(known, other)| *known == cell && *other != who)
                    {
                        let number =
                            |who| crew.iter().find(|agent| agent.entity == who).map(|agent| agent.number);
                        return Err(format!(
                            "{cell:?} belongs to the places of two members: {:?} and {:?}",
                            number(*other),
                            number(who)
                        ));
                    }
                    taken.push((cell, who));
                }
            }
        }
        Ok(())
    }

    /// Despawns the groups whose orders are over.
    pub(crate) fn clear(&mut self, world: &mut World) {
        for group in self.ended.drain(..) {
            // Some groups have another order now.
            if !self.open.iter().any(|squad| squad.entity == group) && world.get_entity(group).is_ok() {
                world.despawn(group);
            }
        }
    }
}

impl Squad {
    /// Records a member before a tick in which the group may be planned.
    fn see(&mut self, who: Entity, agent: Option<&Agent>, is_agent: bool) {
        let orders = agent.map_or(0, |agent| agent.orders);
        if self.member_mut(who).is_none() {
            self.members.push(Member { order: orders, ..Member::new(who) });
        }
        let Some(member) = self.member_mut(who) else { return };
        // An order that is newer than the order of the group stands.
        let has_newer = orders != member.order && agent.is_some_and(|agent| agent.life.has_order());
        member.fate = match member.fate {
            Fate::Gone => Fate::Gone,
            _ if !is_agent => Fate::Gone,
            _ if has_newer => Fate::Left,
            _ => Fate::Unplaced,
        };
    }

    fn member_mut(&mut self, who: Entity) -> Option<&mut Member> {
        self.members.iter_mut().find(|member| member.entity == who)
    }

    fn is_under_way(&self, who: Entity) -> bool {
        self.members.iter().any(|member| member.entity == who && member.fate == Fate::UnderWay)
    }
}

impl Member {
    fn new(entity: Entity) -> Self {
        Self { entity, fate: Fate::Unplaced, order: 0, is_taken: false, sent: 0, side: 1, at: None }
    }

    fn is_at_end(&self) -> bool {
        matches!(self.fate, Fate::Arrived | Fate::Short)
    }

    /// Returns whether the member is gone, or no longer follows its group.
    fn has_left(&self, agent: Option<&Agent>) -> bool {
        let Some(agent) = agent else { return self.fate == Fate::UnderWay || self.is_at_end() };
        let has_order = agent.life.has_order();
        match self.fate {
            // While it waits for the answer, the order stays, even if the entity is not an agent.
            Fate::UnderWay => agent.orders != self.order || !has_order || self.is_taken,
            Fate::Arrived | Fate::Short => agent.orders != self.order && has_order || self.is_taken,
            Fate::Unplaced | Fate::Lost | Fate::Left | Fate::Gone => false,
        }
    }

    /// Checks that a member that arrived is still in its place, if it was not moved since. It may
    /// just be coming back after it gave way.
    fn check_place(&self, world: &World, crew: &[Agent]) -> Result<(), String> {
        let Some((map, cell, puts)) = self.at.filter(|_| self.fate == Fate::Arrived) else { return Ok(()) };
        let Some(agent) = crew.iter().find(|agent| agent.entity == self.entity) else { return Ok(()) };
        let is_own = (agent.orders, agent.puts) == (self.order, puts) && self.sent <= RETURNS;
        if !is_own || world.get::<OnMap>(self.entity) != Some(&OnMap(map)) {
            return Ok(());
        }
        let there = places::place(world, map, cell, places::side_of(world, map, self.entity));
        let away =
            [Some(places::position(world, self.entity)), there].map(|at| places::units(world, map, at?));
        match away {
            [Some(here), Some(there)] if here.distance(there) > 1.5 => Err(format!(
                "agent {} arrived at {cell:?} for its group, and stands at {here} in cells when that has come to its end",
                agent.number
            )),
            _ => Ok(()),
        }
    }
}

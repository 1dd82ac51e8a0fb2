//! The search for the places of a new order, over several ticks.

use bevy_ecs::{
    entity::{Entity, EntityHashSet, MapEntities},
    resource::Resource,
    world::World,
};
use tilepath::{Bounds, Cell};

use crate::{
    group::{
        allowance::Allowance,
        events::GroupFailure,
        members::{Fate, Fresh, Group, GroupMember, Member, Stop},
        order::GroupOrder,
        places::{Newcomer, Parts, StopSearch, Surroundings, look},
        plan::{put_back, send},
    },
    journey::{agent::PathAgent, number::AgentNumber},
    map::{map_view::MapView, movement::AgentMovement, place::Place, version::Version},
    order::{queue::RequestQueue, state::RequestState},
};

/// The number of plans for one order that may be outdated at their end. The next plan is made
/// within one tick.
const TRIES: u32 = 2;

/// The plan under way, if there is one.
#[derive(Clone, Resource, Debug, Default)]
pub(crate) struct PlanUnderWay(pub(super) Option<Plan>);

#[derive(Clone, Debug)]
pub(super) enum Plan {
    Running(Box<Planning>),
    /// The plan of a state, whose work the next tick does again.
    Paused(PausedPlan),
}

/// The plan under way in a [`TilepathState`](crate::TilepathState): its order and its work.
#[derive(Debug, Clone, MapEntities)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(crate) struct PausedPlan {
    #[entities]
    entity: Entity,
    number: u64,
    tries: u32,
    work: u64,
}

impl Plan {
    fn paused(&self) -> PausedPlan {
        match self {
            Self::Running(planning) => {
                let Planning { entity, number, tries, work, .. } = **planning;
                PausedPlan { entity, number, tries, work }
            }
            Self::Paused(paused) => paused.clone(),
        }
    }

    fn is_for(&self, entity: Entity, fresh: Fresh) -> bool {
        let of = self.paused();
        (of.entity, of.number) == (entity, fresh.number)
    }

    /// Returns whether its order is still there and has no places yet.
    pub(super) fn is_needed(&self, world: &World) -> bool {
        let entity = self.entity();
        let group = world.get::<Group>(entity).and_then(|group| group.fresh);
        world.get::<GroupOrder>(entity).is_some() && group.is_some_and(|fresh| self.is_for(entity, fresh))
    }

    pub(super) fn entity(&self) -> Entity {
        self.paused().entity
    }
}

impl PlanUnderWay {
    /// Returns the plan for a state.
    pub(crate) fn state(&self) -> Option<PausedPlan> {
        self.0.as_ref().map(Plan::paused)
    }

    /// Puts a state back.
    pub(crate) fn put(&mut self, state: Option<PausedPlan>) {
        self.0 = state.map(Plan::Paused);
    }

    /// Returns the number of plans.
    pub(crate) fn entry_count(&self) -> usize {
        usize::from(self.0.is_some())
    }
}

/// The places found so far for one order.
#[derive(Clone, Debug)]
pub(crate) struct Planning {
    entity: Entity,
    /// The number of the order.
    number: u64,
    map: Entity,
    /// The map when the planning began.
    version: Version,
    bounds: Bounds,
    members: Vec<Member>,
    /// The movement and the map of each member when the planning began.
    seen: Vec<SeenMember>,
    stops: Vec<Stop>,
    /// The search for the places of the next stop.
    search: Option<StopSearch>,
    /// The number of plans before this one.
    tries: u32,
    /// The work so far.
    work: u64,
}

/// The movement and the map of a member.
type SeenMember = (Option<AgentMovement>, Option<Entity>);

/// The state of a new order after its turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Progress {
    /// The members have their orders, or the order is gone.
    Over,
    /// The order waits for a map.
    NoMap,
    /// The allowance is used up.
    Later,
}

/// Plans a new order within the allowance. When all places are known, sends the members there.
pub(super) fn accept(
    world: &mut World,
    parts: &mut Parts,
    entity: Entity,
    allowance: &mut Allowance,
) -> Result<Progress, GroupFailure> {
    let Some(order) = world.get::<GroupOrder>(entity).cloned() else { return Ok(Progress::Over) };
    let Some(fresh) = see(world, entity) else { return Ok(Progress::Over) };
    let mut plan = world.resource_mut::<PlanUnderWay>().0.take();
    plan.take_if(|plan| !plan.is_for(entity, fresh));
    let members = members(world, &order);
    let first = members.first().ok_or(GroupFailure::NoMembers)?.entity;
    let pushed = world.get::<Group>(entity).map(|group| group.pushed.clone()).unwrap_or_default();
    let goals: Vec<Place> = order.goals().iter().cloned().chain(pushed).collect();
    let around = look(parts, world);
    let Some(view) = around.map_of(&order, first)? else { return Ok(Progress::NoMap) };
    let begin =
        |tries| Box::new(Planning::begin((entity, fresh.number), &around, view, members.clone(), tries));
    let mut planning = match plan {
        Some(Plan::Running(planning)) => planning,
        Some(Plan::Paused(PausedPlan { tries, work, .. })) => {
            let mut planning = begin(tries);
            planning.advance(&around, (&order, view), &goals, &mut Allowance::new(work, 0))?;
            planning
        }
        None => begin(0),
    };
    loop {
        let is_over = if planning.is_on(view) {
            planning.advance(&around, (&order, view), &goals, allowance)
        } else {
            Ok(true)
        };
        match is_over {
            Ok(false) => {
                world.resource_mut::<PlanUnderWay>().0 = Some(Plan::Running(planning));
                return Ok(Progress::Later);
            }
            _ if planning.is_outdated(&around, view) => planning = begin(planning.tries + 1),
            Ok(true) => break,
            Err(reason) => return Err(reason),
        }
    }
    planning.finish(world, &order, fresh);
    Ok(Progress::Over)
}

/// Notes the first tick of a new order. Returns `None` if there is no new order.
fn see(world: &mut World, entity: Entity) -> Option<Fresh> {
    let last = world.resource::<RequestQueue>().last_number();
    let mut group = world.get_mut::<Group>(entity)?;
    let fresh = group.fresh.as_mut()?;
    fresh.seen.get_or_insert(last);
    Some(*fresh)
}

/// Notes the first tick of orders that wait behind others.
pub(super) fn see_all(world: &mut World, groups: &[Entity]) {
    for &group in groups {
        see(world, group);
    }
}

impl Planning {
    fn begin(
        (entity, number): (Entity, u64),
        around: &Surroundings,
        view: MapView,
        members: Vec<Member>,
        tries: u32,
    ) -> Self {
        Self {
            entity,
            number,
            map: view.map,
            version: view.grid.version(),
            bounds: view.grid.bounds(),
            seen: members.iter().map(|member| around.movement_and_map(member.entity)).collect(),
            members,
            stops: Vec::new(),
            search: None,
            tries,
            work: 0,
        }
    }

    /// Returns whether the planning can go on with this state of the map: nothing but cells has
    /// changed.
    fn is_on(&self, view: MapView) -> bool {
        let now = view.grid.version();
        self.map == view.map
            && self.bounds == view.grid.bounds()
            && self.version.revision_before(now).is_some()
    }

    /// Searches for the places of further stops within the allowance. Returns true when all are
    /// known.
    fn advance(
        &mut self,
        around: &Surroundings,
        (order, view): (&GroupOrder, MapView),
        goals: &[Place],
        allowance: &mut Allowance,
    ) -> Result<bool, GroupFailure> {
        while let Some(goal) = goals.get(self.stops.len()) {
            let budget = if self.tries >= TRIES { u64::MAX } else { allowance.left };
            if budget == 0 {
                return Ok(false);
            }
            let before = self.search.as_ref().map_or(0, |search| search.search.work());
            let search = if let Some(search) = &mut self.search {
                search
            } else {
                let newcomer = |member: &Member| Newcomer {
                    entity: member.entity,
                    before: last_cell(member, &self.stops),
                };
                let newcomers: Vec<Newcomer> = self.members.iter().map(newcomer).collect();
                self.search.insert(around.begin_stop(order, view, goal, &newcomers)?)
            };
            let found = search.advance(view.finder, budget);
            let work = search.search.work() - before;
            self.work += work;
            allowance.spend(work);
            if let Some((stop, slots)) = found? {
                self.members.iter_mut().zip(slots).for_each(|(member, slot)| member.slots.push(slot));
                self.stops.push(stop);
                self.search = None;
            }
        }
        Ok(true)
    }

    /// Returns whether the map has changed so that a place is no longer open, or a member has another
    /// movement or map.
    fn is_outdated(&self, around: &Surroundings, view: MapView) -> bool {
        let is_as_seen =
            |(member, seen): (&Member, &SeenMember)| around.movement_and_map(member.entity) == *seen;
        if !self.is_on(view) || !self.members.iter().zip(&self.seen).all(is_as_seen) {
            return true;
        }
        let is_open = |member: &Member, cell: Cell| {
            let unit = around.agents.get(member.entity).ok();
            unit.and_then(|unit| view.by(unit.movement).ok())
                .is_none_or(|seen| seen.rules.is_open(view.grid.grid(), cell))
        };
        let is_at_open_places = |member: &Member| {
            let slots = member.slots.iter().zip(&self.stops);
            let mut cells = slots.filter_map(|(slot, stop)| Some(stop.slots[(*slot)?].cell));
            cells.all(|cell| is_open(member, cell))
        };
        let is_whole = self.search.is_none();
        self.version != view.grid.version() && !(is_whole && self.members.iter().all(is_at_open_places))
    }

    /// Sends all members to their places.
    fn finish(self, world: &mut World, order: &GroupOrder, fresh: Fresh) {
        let Self { entity, number, map, members, stops, .. } = self;
        release_old(world, entity, &members);
        let mut group = Group { number, map: Some(map), members, stops, ..Group::default() };
        for index in 0..group.members.len() {
            let who = group.members[index].entity;
            let fate = if world.get::<PathAgent>(who).is_none() {
                Fate::Lost
            } else if has_newer_order(world, who, fresh) {
                Fate::Left
            } else {
                send(world, entity, &mut group, index, order);
                continue;
            };
            group.members[index].fate = fate;
            group.has_gaps = true;
        }
        if order.keeps_pace() {
            group.keep_pace(world);
        }
        put_back(world, entity, group);
    }
}

/// Returns whether an agent was given another order since the first tick of the group's order.
/// Orders of groups with older orders do not count.
fn has_newer_order(world: &World, agent: Entity, fresh: Fresh) -> bool {
    let order = world.get::<RequestState>(agent).and_then(|state| state.order_of(agent));
    order.is_some_and(|order| {
        let of_older = world.get::<GroupMember>(agent);
        fresh.seen.is_some_and(|seen| order.number > seen)
            && !of_older.is_some_and(|of| of.follows_older(world, fresh.number, order.number))
    })
}

/// Returns the place of a member before the next stop in the list.
pub(super) fn last_cell(member: &Member, stops: &[Stop]) -> Option<Cell> {
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

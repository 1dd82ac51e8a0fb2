//! What is to be searched for: one pending for each entity whose order has no answer yet, or whose way is planned again.

use bevy_ecs::{
    entity::{Entity, EntityHashMap},
    resource::Resource,
};

use crate::{
    map::{maps::Maps, movement::AgentMovement, version::Version},
    order::{
        goal::{Accepted, Goals, PathGoal},
        queue::RequestId,
        request::PathRequest,
        stop_cursor::StopCursor,
    },
    search::{order_search::OrderSearch, problem::SearchProblem, turns::Turns},
};

/// The number of map states, besides the present ones, that searches may keep between ticks. Each is a copy of a map.
const STATES: usize = 3;

/// What an agent does until the answer is there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Purpose {
    /// It waits for the first answer to an order; it may go on by an old way.
    Order,
    /// It stands on its way.
    Standing,
    /// It walks on by a way that can be walked, and is to have a better one if there is one.
    BetterWay,
    /// It walks on to a stop, and is to know the way from there to the one under that cursor, of stops that were edited so
    /// often.
    NextStop(StopCursor, u64),
    /// It walks on, and is to know how its way goes on.
    NextPart,
}

/// What an entity waits for.
#[derive(Debug)]
pub(crate) struct PendingSearch {
    /// The order that was accepted last.
    pub(crate) order: RequestId,
    pub(crate) request: PathRequest,
    pub(crate) map: Entity,
    /// Whether the entity's `OnMap` named the map.
    pub(crate) is_named: bool,
    pub(crate) goals: Goals,
    /// Of the entity; none for the rules of the maps.
    pub(crate) movement: Option<AgentMovement>,
    pub(crate) purpose: Purpose,
    pub(crate) running: Option<Running>,
    /// Whether a search was dropped for a newer order. The next one is run to its end.
    was_dropped: bool,
    /// How many answers did not hold any more when they were there.
    pub(crate) tries: u32,
}

/// A search under way, on a snapshot of its map.
#[derive(Debug)]
pub(crate) struct Running {
    /// What was asked, and for which order.
    pub(crate) problem: SearchProblem,
    pub(crate) search: OrderSearch,
    /// The map as it was.
    pub(crate) begun_on: Version,
}

impl Running {
    /// Whether its answer would be one to what is pending.
    pub(crate) fn asks_for(&self, pending: &PendingSearch) -> bool {
        let options = |request: &PathRequest| (request.algorithm(), request.wants_closest(), request.limit());
        let has_path = |request: &PathRequest| matches!(request.goal(), PathGoal::Along(_));
        !(has_path(&self.problem.request) || has_path(&pending.request))
            && self.problem.map == pending.map
            && self.problem.goals == pending.goals
            && self.problem.movement == pending.movement
            && options(&self.problem.request) == options(&pending.request)
    }
}

impl PendingSearch {
    pub(crate) fn new(
        order: RequestId,
        request: PathRequest,
        map: Entity,
        is_named: bool,
        (goals, movement): (Goals, Option<AgentMovement>),
    ) -> Self {
        Self {
            order,
            request,
            map,
            is_named,
            goals,
            movement,
            purpose: Purpose::Order,
            running: None,
            was_dropped: false,
            tries: 0,
        }
    }

    /// For an agent that walks on: is there a better way?
    pub(crate) fn for_better(self) -> Self {
        Self { purpose: Purpose::BetterWay, ..self }
    }

    /// For an agent that walks on: how does it go on from the stop?
    pub(crate) fn for_next_stop(self, cursor: StopCursor, edits: u64) -> Self {
        Self { purpose: Purpose::NextStop(cursor, edits), ..self }
    }

    /// For an agent that walks on: where does its way lead from the last cell that is known?
    pub(crate) fn for_next_part(self) -> Self {
        Self { purpose: Purpose::NextPart, ..self }
    }

    /// Whether the agent walks on whatever the answer is.
    pub(crate) fn is_optional(&self) -> bool {
        matches!(self.purpose, Purpose::BetterWay | Purpose::NextStop(..) | Purpose::NextPart)
    }

    pub(crate) fn is_for_next_part(&self) -> bool {
        self.purpose == Purpose::NextPart
    }

    pub(crate) fn is_for_next_stop(&self) -> bool {
        matches!(self.purpose, Purpose::NextStop(..))
    }

    /// What the order means, if this is for its present stop.
    pub(crate) fn accepted(&self) -> Option<Accepted<'_>> {
        let Self { request, map, goals, movement, .. } = self;
        let accepted = Accepted { asked: request.goal(), map: *map, goals, movement: movement.as_ref() };
        (!self.is_for_next_stop()).then_some(accepted)
    }

    /// For an agent that stands on its way until the answer is there.
    pub(crate) fn urgent(self) -> Self {
        Self { purpose: Purpose::Standing, ..self }
    }

    pub(crate) fn is_urgent(&self) -> bool {
        // A part is little work, and who waits for one stands soon.
        matches!(self.purpose, Purpose::Standing | Purpose::NextPart)
    }

    pub(crate) fn is_for_better(&self) -> bool {
        self.purpose == Purpose::BetterWay
    }

    /// Another order of the same entity takes its place.
    ///
    /// A search for the same goal goes on. Another one is dropped, but only once: an agent with a new order in every
    /// tick would never have a way otherwise.
    fn replace(&mut self, newer: Self) {
        if self.is_for_next_stop() {
            // It begins elsewhere.
            self.running = None;
        }
        match &mut self.running {
            Some(running) if running.asks_for(&newer) => {
                running.problem.order = newer.order;
                running.problem.request = newer.request.clone();
            }
            Some(_) if !self.was_dropped => {
                self.running = None;
                self.was_dropped = true;
            }
            _ => {}
        }
        let Self { order, request, map, is_named, goals, movement, .. } = newer;
        let purpose = if self.is_optional() { newer.purpose } else { self.purpose };
        let running = self.running.take();
        *self = Self { order, request, map, is_named, goals, movement, purpose, running, ..*self };
    }

    /// Whether what is being searched for is its own order.
    pub(crate) fn is_searching(&self) -> bool {
        self.running.as_ref().is_some_and(|running| running.problem.order == self.order)
    }

    /// A search has come to an end that was of use.
    pub(crate) fn begin_again(&mut self) {
        self.was_dropped = false;
        self.tries = 0;
    }
}

/// All pending, and the two queues in which they wait: urgent ones are those of agents that stand on their way.
#[derive(Resource, Debug, Default)]
pub(crate) struct Searches {
    /// Looked up and counted, never iterated where the order could matter.
    pending: EntityHashMap<PendingSearch>,
    urgent: Turns<Entity>,
    others: Turns<Entity>,
    /// What first turns cost of late, roughly.
    pub(crate) first_turn_work: u64,
}

impl Searches {
    pub(crate) fn note_first_turn(&mut self, work: u64) {
        let sum = self.first_turn_work.saturating_mul(7).saturating_add(work);
        self.first_turn_work = sum / 8;
    }

    /// Takes a pending in, at the place of the entity if it has one.
    pub(crate) fn enter(&mut self, pending: PendingSearch) {
        let entity = pending.order.entity;
        // The agent stands by now: what it waits for comes before all others.
        let is_behind = |known: &PendingSearch| known.is_optional() && !known.is_urgent();
        if pending.is_urgent() && self.pending.get(&entity).is_some_and(is_behind) {
            self.pending.remove(&entity);
        }
        if let Some(known) = self.pending.get_mut(&entity) {
            known.replace(pending);
        } else {
            self.queue(pending.is_urgent()).enter(entity);
            self.pending.insert(entity, pending);
        }
    }

    pub(crate) fn queue(&mut self, is_urgent: bool) -> &mut Turns<Entity> {
        if is_urgent { &mut self.urgent } else { &mut self.others }
    }

    /// Takes the pending out while it is worked on.
    pub(crate) fn take(&mut self, entity: Entity) -> Option<PendingSearch> {
        self.pending.remove(&entity)
    }

    pub(crate) fn put_back(&mut self, pending: PendingSearch) {
        self.pending.insert(pending.order.entity, pending);
    }

    pub(crate) fn get(&self, entity: Entity) -> Option<&PendingSearch> {
        self.pending.get(&entity)
    }

    /// The search under way for an entity.
    #[cfg(feature = "debug_draw")]
    pub(crate) fn search_of(&self, entity: Entity) -> Option<&OrderSearch> {
        self.pending.get(&entity)?.running.as_ref().map(|running| &running.search)
    }

    /// An agent that waits for an answer has come to another map by its old way. Its goals stay where they are.
    pub(crate) fn carry(&mut self, entity: Entity, map: Entity) {
        if let Some(pending) = self.pending.get_mut(&entity) {
            pending.map = map;
        }
    }

    /// The entity's order is no pending any more. Its place goes with the next [`retain`](Self::retain).
    pub(crate) fn forget(&mut self, entity: Entity) {
        self.pending.remove(&entity);
    }

    pub(crate) fn retain(&mut self, mut lives: impl FnMut(Entity) -> bool) {
        let Self { pending, urgent, others, .. } = self;
        let mut stays = |entity| {
            let stays = pending.contains_key(&entity) && lives(entity);
            if !stays {
                pending.remove(&entity);
            }
            stays
        };
        urgent.retain(&mut stays);
        others.retain(&mut stays);
    }

    /// Lets the youngest of the searches that hold too many states of maps begin again.
    pub(crate) fn bound_states(&mut self, maps: &Maps) {
        let Self { pending, urgent, others, .. } = self;
        let mut states: Vec<(Entity, Version)> = Vec::new();
        let mut is_one_too_many = |entity: Entity| {
            let Some(pending) = pending.get_mut(&entity) else { return false };
            let Some(Running { problem, begun_on, .. }) = &pending.running else { return false };
            let state = (problem.map, *begun_on);
            let is_present = maps.get(problem.map).is_some_and(|map| map.version() == *begun_on);
            if is_present || states.contains(&state) {
                return false;
            }
            if states.len() < STATES {
                states.push(state);
                return false;
            }
            pending.running = None;
            true
        };
        urgent.evict(&mut is_one_too_many);
        others.evict(&mut is_one_too_many);
    }

    /// How many pending and places in queues there are.
    pub(crate) fn entry_count(&self) -> usize {
        self.pending.len() + self.urgent.len() + self.others.len()
    }

    /// How many there are.
    pub(crate) fn len(&self) -> usize {
        self.pending.len()
    }

    /// How many wait, and how many are being searched for.
    pub(crate) fn count(&self) -> (usize, usize) {
        let searching = self.pending.values().filter(|pending| pending.running.is_some()).count();
        (self.pending.len() - searching, searching)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use bevy::{prelude::*, time::TimeUpdateStrategy};
    use tilepath::{Algorithm, Cell, Grid};

    use super::*;
    use crate::{NavGrid, NavMap, NavProjection, PathAgent, TilepathPlugin, TilepathSettings};

    #[test]
    fn searches_hold_few_states_of_a_map_that_is_edited_in_every_tick() {
        let mut app = App::new();
        app.add_plugins((MinimalPlugins, TilepathPlugin::default()))
            .insert_resource(TilepathSettings { work_per_tick: 3000 })
            .insert_resource(TimeUpdateStrategy::FixedTimesteps(1));
        app.update();
        let grid = NavGrid::new(Grid::new(64, 64, 1).unwrap());
        let map = app
            .world_mut()
            .spawn((NavMap::default(), grid, NavProjection::square(Vec2::ONE, Vec2::ZERO)))
            .id();
        let to = |x| PathRequest::to_cell(Cell::new(x, 63)).with_algorithm(Algorithm::Dijkstra);
        let asks: Vec<Entity> =
            (0..40).map(|x| app.world_mut().spawn((PathAgent::default(), to(x))).id()).collect();
        let mut most = 0;
        for t in 0..600 {
            let mut grid = app.world_mut().get_mut::<NavGrid>(map).unwrap();
            grid.set_terrain(Cell::new(5 + t % 50, 40), u8::from(t / 50 % 2 == 1)).unwrap();
            app.update();
            let present = app.world().get::<NavGrid>(map).unwrap().version();
            let searches = app.world().resource::<Searches>();
            let running = searches.pending.values().filter_map(|pending| pending.running.as_ref());
            let states: BTreeSet<String> = running
                .filter(|running| running.begun_on != present)
                .map(|running| format!("{:?}", running.begun_on))
                .collect();
            most = most.max(states.len());
        }
        assert!(most > 1 && most <= STATES, "{most} states of one map");
        for requester in asks {
            assert!(app.world().get::<crate::AgentPath>(requester).is_some(), "every order is answered");
        }
    }
}

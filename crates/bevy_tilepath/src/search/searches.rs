//! Queued searches, one for each entity.
//!
//! An entity has one if its order has no answer yet, or if its path is replanned.
//!
//! Decision: `docs/decisions/03-snapshots.md`.

mod state;

use std::{collections::BTreeSet, sync::Arc};

use bevy_ecs::{
    component::Component,
    entity::{Entity, EntityHashMap, EntityMapper, MapEntities},
    resource::Resource,
};
use tilepath::{Algorithm, MovementId};

pub(crate) use self::state::{PausedSearch, SearchesState};
use crate::{
    journey::path::AgentPath,
    map::{maps::Maps, movement::AgentMovement, nav_grid::NavGrid, place::MapPlace, version::Version},
    order::{
        goal::{Accepted, Goals, PathGoal},
        queue::RequestId,
        request::PathRequest,
        stop_cursor::StopCursor,
    },
    search::{order_search::OrderSearch, problem::SearchProblem, turns::Turns},
};

/// The most map states, besides the present ones, that searches keep between ticks. Each is a copy
/// of a map.
const STATES: usize = 3;

/// The purpose of a search, which is also what the agent does until the answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(crate) enum Purpose {
    /// The agent waits for the first answer to an order. It may walk on along an old path.
    Order,
    /// The path of the agent is closed. It stands, or walks on to the wall.
    Standing,
    /// The agent walks on along a valid path, and gets a better one if there is one.
    BetterWay,
    /// The agent walks on to a stop, and gets the path from there to the stop with this cursor. The
    /// number counts the edits of the stops.
    NextStop(StopCursor, u64),
    /// The entity to which the agent goes is on another map than the end of its path. The agent walks
    /// on to this end, and gets the path from map to map.
    Pursuit,
}

/// The queues of searches, from the first to get turns to the last.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Queue {
    /// Agents whose paths are closed, or whose targets have gone to other maps.
    Urgent,
    /// Orders without an answer, and paths from the next stop on.
    Orders,
    /// Agents that walk along valid paths.
    Better,
}

impl Queue {
    pub(crate) const ALL: [Self; 3] = [Self::Urgent, Self::Orders, Self::Better];
}

/// The search that an entity waits for.
#[derive(Debug, Clone)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(crate) struct PendingSearch {
    /// The order that was accepted last.
    pub(crate) order: RequestId,
    pub(crate) request: PathRequest,
    pub(crate) map: Entity,
    /// True if the entity's `OnMap` named the map.
    pub(crate) is_named: bool,
    pub(crate) goals: Goals,
    /// The movement of the entity; `None` for the rules of the maps.
    pub(crate) movement: Option<AgentMovement>,
    pub(crate) purpose: Purpose,
    /// The tick in which the agent stands before the wall that closes its path, if the search is urgent.
    /// The urgent queue is ordered by it.
    due: u64,
    #[cfg_attr(feature = "serde", serde(skip))]
    pub(crate) running: Option<Running>,
    /// True if a search was dropped for a newer order. The next search runs to its end.
    was_dropped: bool,
    /// The number of answers that were outdated when they arrived.
    pub(crate) tries: u32,
}

/// A search under way, on a snapshot of its map.
#[derive(Clone, Debug)]
pub(crate) struct Running {
    /// The input of the search, with its order.
    pub(crate) problem: SearchProblem,
    /// Shared with snapshots, which keep the search as it was.
    pub(crate) search: Arc<OrderSearch>,
    /// The version of the map when the search began.
    pub(crate) begun_on: Version,
    /// The work of the search when it began: the preprocessing of its map.
    pub(crate) begun_with: u64,
    /// True if it goes on from a state. Then it stays without landmarks: otherwise it would begin
    /// again after each state.
    pub(crate) is_resumed: bool,
}

impl Running {
    /// Returns a search that begins.
    pub(crate) fn new(problem: SearchProblem, search: OrderSearch, begun_on: Version) -> Self {
        let begun_with = search.work();
        Self { problem, search: Arc::new(search), begun_on, begun_with, is_resumed: false }
    }

    /// Returns whether its answer would be an answer to the queued search.
    pub(crate) fn asks_for(&self, pending: &PendingSearch) -> bool {
        let options = |request: &PathRequest| {
            (request.algorithm(), request.wants_closest(), request.limit(), request.through_door())
        };
        let has_path = |request: &PathRequest| matches!(request.goal(), PathGoal::Along(_));
        !(has_path(&self.problem.request) || has_path(&pending.request))
            && self.problem.map == pending.map
            && self.problem.goals == pending.goals
            && self.problem.movement == pending.movement
            && options(&self.problem.request) == options(&pending.request)
    }
}

impl MapEntities for PendingSearch {
    fn map_entities<M: EntityMapper>(&mut self, mapper: &mut M) {
        self.order.map_entities(mapper);
        Component::map_entities(&mut self.request, mapper);
        self.map.map_entities(mapper);
        self.goals.map_entities(mapper);
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
            due: 0,
            running: None,
            was_dropped: false,
            tries: 0,
        }
    }

    /// Returns the order without its search under way.
    fn without_search(&self) -> Self {
        let Self { request, goals, movement, .. } = self;
        let (request, goals, movement) = (request.clone(), goals.clone(), movement.clone());
        Self { request, goals, movement, running: None, ..*self }
    }

    /// Sets the purpose: a better path for an agent that walks on along this path. If the target has
    /// gone to another map, the search is as urgent as the search of an agent that stands in this tick.
    pub(crate) fn for_better(self, path: &AgentPath, now: u64) -> Self {
        let is_elsewhere = !path.is_partial() && !path.ends_on_map_of_goal();
        Self { purpose: if is_elsewhere { Purpose::Pursuit } else { Purpose::BetterWay }, due: now, ..self }
    }

    /// Sets the purpose: the path from the next stop on, for an agent that walks on.
    pub(crate) fn for_next_stop(self, cursor: StopCursor, edits: u64) -> Self {
        Self { purpose: Purpose::NextStop(cursor, edits), ..self }
    }

    /// Returns whether the agent walks on, whatever the answer is.
    pub(crate) fn is_optional(&self) -> bool {
        self.is_for_better() || self.is_for_next_stop()
    }

    pub(crate) fn is_for_next_stop(&self) -> bool {
        matches!(self.purpose, Purpose::NextStop(..))
    }

    /// Returns the accepted goals of the order, if the search is for its present stop.
    pub(crate) fn accepted(&self) -> Option<Accepted<'_>> {
        let Self { request, map, goals, movement, .. } = self;
        let (asked, named) = (request.goal(), request.goal_map());
        let accepted = Accepted { asked, named, map: *map, goals, movement: movement.as_ref() };
        (!self.is_for_next_stop()).then_some(accepted)
    }

    /// Sets the purpose: a new path for an agent whose path is closed. It stands from the tick `due` on.
    pub(crate) fn urgent(self, due: u64) -> Self {
        Self { purpose: Purpose::Standing, due, ..self }
    }

    pub(crate) fn is_urgent(&self) -> bool {
        self.queue() == Queue::Urgent
    }

    /// Returns the queue in which it waits.
    fn queue(&self) -> Queue {
        match self.purpose {
            Purpose::Standing | Purpose::Pursuit => Queue::Urgent,
            Purpose::Order | Purpose::NextStop(..) => Queue::Orders,
            Purpose::BetterWay => Queue::Better,
        }
    }

    pub(crate) fn is_for_better(&self) -> bool {
        matches!(self.purpose, Purpose::BetterWay | Purpose::Pursuit)
    }

    /// Replaces the order by a newer one of the same entity.
    ///
    /// A search for the same goal continues. A search for another goal is dropped, but only once:
    /// otherwise an agent with a new order in every tick would never get a path.
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
        let (purpose, tries) =
            if self.is_optional() { (newer.purpose, newer.tries) } else { (self.purpose, self.tries) };
        let running = self.running.take();
        *self = Self { order, request, map, is_named, goals, movement, purpose, running, tries, ..*self };
    }

    /// Returns whether landmarks of a map and a movement could lead the search.
    fn can_be_led(&self, map: Entity, movement: MovementId, grid: &NavGrid) -> bool {
        let id = match &self.movement {
            Some(movement) => grid.movement_of(movement),
            None => Some(grid.movement()),
        };
        self.map == map
            && id == Some(movement)
            && self.goals.single
            && self.request.limit().is_none()
            && self.request.algorithm().is_exact()
    }

    /// Returns whether the search under way is for the present order.
    pub(crate) fn is_searching(&self) -> bool {
        self.running.as_ref().is_some_and(|running| running.problem.order == self.order)
    }

    /// Resets the counters after a search whose answer was used.
    pub(crate) fn begin_again(&mut self) {
        self.was_dropped = false;
        self.tries = 0;
    }
}

/// All queued searches, in three [queues](Queue).
#[derive(Clone, Resource, Debug, Default)]
pub(crate) struct Searches {
    /// The queued searches by entity. They are looked up and counted, never iterated where the
    /// order could matter.
    pending: EntityHashMap<PendingSearch>,
    queues: [Turns<Entity>; Queue::ALL.len()],
    /// The average work of recent first turns, roughly.
    pub(crate) first_turn_work: u64,
}

impl Searches {
    pub(crate) fn note_first_turn(&mut self, work: u64) {
        let sum = self.first_turn_work.saturating_mul(7).saturating_add(work);
        self.first_turn_work = sum / 8;
    }

    /// Queues a search, at the place of its entity if it has one.
    pub(crate) fn enter(&mut self, pending: PendingSearch) {
        let entity = pending.order.entity;
        // The agent stands now, so its search comes before all others.
        let is_behind = |known: &PendingSearch| known.is_optional() && !known.is_urgent();
        if pending.is_urgent() && self.pending.get(&entity).is_some_and(is_behind) {
            self.pending.remove(&entity);
        }
        let due = if pending.is_urgent() { pending.due } else { 0 };
        let (before, queue) = if let Some(known) = self.pending.get_mut(&entity) {
            let before = known.queue();
            known.replace(pending);
            (Some(before), known.queue())
        } else {
            let queue = pending.queue();
            self.pending.insert(entity, pending);
            (None, queue)
        };
        if before != Some(queue) {
            self.queue(queue).enter(entity, due);
        }
    }

    pub(crate) fn queue(&mut self, queue: Queue) -> &mut Turns<Entity> {
        &mut self.queues[queue as usize]
    }

    /// Takes a queued search out while it is worked on.
    pub(crate) fn take(&mut self, entity: Entity) -> Option<PendingSearch> {
        self.pending.remove(&entity)
    }

    pub(crate) fn put_back(&mut self, pending: PendingSearch) {
        self.pending.insert(pending.order.entity, pending);
    }

    pub(crate) fn get(&self, entity: Entity) -> Option<&PendingSearch> {
        self.pending.get(&entity)
    }

    /// Returns the search under way for an entity.
    #[cfg(feature = "debug_draw")]
    pub(crate) fn search_of(&self, entity: Entity) -> Option<&OrderSearch> {
        self.pending.get(&entity)?.running.as_ref().map(|running| &*running.search)
    }

    /// Records that an agent with a queued search has come to another map along its old path. Its
    /// goals stay the same.
    pub(crate) fn carry(&mut self, entity: Entity, map: Entity) {
        if let Some(pending) = self.pending.get_mut(&entity) {
            pending.map = map;
        }
    }

    /// Drops the queued search of an entity. Its place in the queue is removed by the next
    /// [`retain`](Self::retain).
    pub(crate) fn forget(&mut self, entity: Entity) {
        self.pending.remove(&entity);
    }

    pub(crate) fn retain(&mut self, mut lives: impl FnMut(Entity) -> bool) {
        let Self { pending, queues, .. } = self;
        pending.retain(|&entity, _| lives(entity));
        for (queue, turns) in Queue::ALL.into_iter().zip(queues) {
            turns.retain(|entity| pending.get(&entity).is_some_and(|pending| pending.queue() == queue));
        }
    }

    /// Restarts the youngest of the searches that keep too many states of maps.
    pub(crate) fn bound_states(&mut self, maps: &Maps) {
        let Self { pending, queues, .. } = self;
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
        for turns in queues {
            turns.evict(&mut is_one_too_many);
        }
    }

    /// Returns the number of queued searches and of places in queues.
    pub(crate) fn entry_count(&self) -> usize {
        self.pending.len() + self.queues.iter().map(Turns::len).sum::<usize>()
    }

    /// Returns the number of queued searches.
    pub(crate) fn len(&self) -> usize {
        self.pending.len()
    }

    /// Returns the number of searches that have not begun, that are for one goal on a map and by a
    /// movement, and that landmarks could lead. Orders that may share a field count once for each goal.
    pub(crate) fn waiting_on(&self, map: Entity, movement: MovementId, grid: &NavGrid) -> usize {
        let is_it =
            |pending: &&PendingSearch| pending.running.is_none() && pending.can_be_led(map, movement, grid);
        let (mut alone, mut goals) = (0, BTreeSet::new());
        for pending in self.pending.values().filter(is_it) {
            match pending.goals.at.first() {
                Some((_, MapPlace::Cell(goal))) if pending.request.algorithm() == Algorithm::Auto => {
                    goals.insert(*goal);
                }
                _ => alone += 1,
            }
        }
        alone + goals.len()
    }

    /// Lets these searches begin again, after landmarks were made for them.
    pub(crate) fn begin_again(&mut self, map: Entity, movement: MovementId, grid: &NavGrid) {
        let can_be_led = |pending: &&mut PendingSearch| {
            let is_resumed = pending.running.as_ref().is_some_and(|running| running.is_resumed);
            !is_resumed && pending.can_be_led(map, movement, grid)
        };
        self.pending.values_mut().filter(can_be_led).for_each(|pending| pending.running = None);
    }

    /// Returns the searches under way.
    pub(crate) fn running(&self) -> impl Iterator<Item = &OrderSearch> {
        self.pending.values().filter_map(|pending| Some(&*pending.running.as_ref()?.search))
    }

    /// Returns the number of searches that wait, and the number that run.
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

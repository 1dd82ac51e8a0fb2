//! Queued searches in a state.

use std::sync::Arc;

use bevy_ecs::entity::{EntityMapper, MapEntities};
use tilepath::SearchStatus;

use super::{PendingSearch, Queue, Running, Searches};
use crate::{
    failure::PathFailure,
    map::{door::known::KnownDoors, maps::UnitMaps},
    order::{goal::Goals, request::PathRequest},
    search::{observers::SearchNotes, problem::SearchProblem, turns::TurnState},
};

/// The queued searches in a [`TilepathState`](crate::TilepathState), by queue and age.
#[derive(Debug, Clone, MapEntities)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(crate) struct SearchesState {
    #[entities]
    #[cfg_attr(feature = "serde", serde(deserialize_with = "tilepath::read_list"))]
    urgent: Vec<QueuedState>,
    #[entities]
    #[cfg_attr(feature = "serde", serde(deserialize_with = "tilepath::read_list"))]
    others: Vec<QueuedState>,
    /// The searches under way, in the same order.
    #[entities]
    #[cfg_attr(feature = "serde", serde(deserialize_with = "tilepath::read_list"))]
    paused: Vec<PausedSearch>,
    first_turn_work: u64,
}

/// A queued search, and its place in the queue.
#[derive(Debug, Clone, MapEntities)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
struct QueuedState {
    #[entities]
    pending: PendingSearch,
    turn: TurnState,
}

/// A search under way: its input and its work.
#[derive(Debug, Clone)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(crate) struct PausedSearch {
    pub(crate) problem: SearchProblem,
    /// The work since the search began. The preprocessing of its map is not part of it.
    work: u64,
}

impl MapEntities for PausedSearch {
    fn map_entities<M: EntityMapper>(&mut self, mapper: &mut M) {
        self.problem.map_entities(mapper);
    }
}

impl SearchesState {
    /// Returns the requests of all searches, with their accepted goals.
    pub(crate) fn requests_mut(&mut self) -> impl Iterator<Item = (&mut PathRequest, &mut Goals)> {
        let queued = self.urgent.iter_mut().chain(&mut self.others);
        let queued = queued.map(|queued| (&mut queued.pending.request, &mut queued.pending.goals));
        let paused = self.paused.iter_mut().map(|paused| &mut paused.problem);
        queued.chain(paused.map(|problem| (&mut problem.request, &mut problem.goals)))
    }
}

impl Running {
    fn paused(&self) -> PausedSearch {
        let work = self.search.work().saturating_sub(self.begun_with);
        PausedSearch { problem: self.problem.clone(), work }
    }

    /// Begins a search of a state on the present maps, and does its work again.
    pub(crate) fn resumed(
        paused: PausedSearch,
        maps: &UnitMaps,
        doors: &KnownDoors,
        notes: &mut SearchNotes,
    ) -> Result<Self, PathFailure> {
        let PausedSearch { problem, work } = paused;
        let begun_on = maps.find(problem.map)?.version();
        let search = problem.begin(maps, doors, notes)?;
        let mut running = Self { is_resumed: true, ..Self::new(problem, search, begun_on) };
        let end = running.begun_with.saturating_add(work);
        let search = Arc::make_mut(&mut running.search);
        let mut status = SearchStatus::Running;
        while status == SearchStatus::Running && search.work() < end {
            status = search.advance(end - search.work(), maps, notes);
        }
        Ok(running)
    }
}

impl Searches {
    pub(crate) fn state(&self) -> SearchesState {
        let queued = |queue: Queue| -> Vec<QueuedState> {
            let states = self.queues[queue as usize].state().into_iter();
            let state = |(entity, turn)| {
                let pending = self.pending.get(&entity).filter(|pending| pending.queue() == queue)?;
                Some(QueuedState { pending: pending.without_search(), turn })
            };
            states.filter_map(state).collect()
        };
        let [urgent, mut others, better] = Queue::ALL.map(queued);
        others.extend(better);
        let running = |queued: &QueuedState| self.pending.get(&queued.pending.order.entity)?.running.as_ref();
        let paused = urgent.iter().chain(&others).filter_map(running).map(Running::paused).collect();
        SearchesState { urgent, others, paused, first_turn_work: self.first_turn_work }
    }

    /// Puts a state back. Returns the searches that were under way.
    pub(crate) fn put(&mut self, state: SearchesState) -> Vec<PausedSearch> {
        let SearchesState { urgent, others, paused, first_turn_work } = state;
        *self = Self { first_turn_work, ..Self::default() };
        for QueuedState { pending, turn } in urgent.into_iter().chain(others) {
            self.queue(pending.queue()).put(pending.order.entity, turn);
            self.put_back(pending);
        }
        paused
    }

    /// Lets a queued search go on with a search that was under way in a state.
    pub(crate) fn resume(&mut self, running: Running) {
        if let Some(pending) = self.pending.get_mut(&running.problem.order.entity) {
            pending.running = Some(running);
        }
    }
}

//! The search for an order: on one map, or from map to map.

use tilepath::SearchStatus;

use crate::{
    failure::PathFailure,
    map::{door::known::KnownDoors, maps::UnitMaps, version::Version},
    order::route::Route,
    search::{
        map_search::MapSearch, multi_map::MultiMapSearch, observers::SearchNotes, problem::SearchProblem,
    },
};

#[cfg(feature = "debug_draw")]
use {crate::search::map_search::CellStates, bevy_ecs::entity::Entity};

/// A search that is run in slices, on snapshots of its maps.
#[derive(Debug)]
pub(crate) enum OrderSearch {
    OneMap(MapSearch),
    MultiMap(Box<MultiMapSearch>),
}

impl SearchProblem {
    /// A search by the present rules of the maps.
    pub(crate) fn begin(
        &self,
        maps: &UnitMaps,
        doors: &KnownDoors,
        notes: &mut SearchNotes,
    ) -> Result<OrderSearch, PathFailure> {
        let map = maps.find(self.map)?;
        if let Some(path) = self.given_path() {
            return self.begin_along(path, &map).map(OrderSearch::OneMap);
        }
        // After an entity an agent goes over its own map.
        if self.request.has_entity() || self.goals.reach.is_some() {
            return self.begin_on(&map, notes).map(OrderSearch::OneMap);
        }
        let index = &doors.index;
        if self.goals.are_on(self.map) && index.round_trips(self.map).is_none() {
            return self.begin_on(&map, notes).map(OrderSearch::OneMap);
        }
        let search = MultiMapSearch::begin(self, maps, index, notes)?;
        Ok(OrderSearch::MultiMap(Box::new(search)))
    }
}

impl OrderSearch {
    pub(crate) fn advance(&mut self, slice: u64, maps: &UnitMaps, notes: &mut SearchNotes) -> SearchStatus {
        match self {
            Self::OneMap(search) => search.advance(slice, maps),
            Self::MultiMap(search) => search.advance(slice, maps, notes),
        }
    }

    /// The same beside others that are advanced at once, as far as that goes: where the next part of a search begins,
    /// [`advance`](Self::advance) goes on. [`settle`](Self::settle) comes first.
    pub(crate) fn advance_apart(&mut self, slice: u64, maps: &UnitMaps) {
        match self {
            Self::OneMap(search) => search.advance_apart(slice, maps),
            Self::MultiMap(search) => search.advance_apart(slice, maps),
        }
    }

    /// Others need not pay any more for what it has paid for.
    pub(crate) fn settle(&mut self) {
        match self {
            Self::OneMap(search) => search.settle(),
            Self::MultiMap(search) => search.settle(),
        }
    }

    /// The work done so far, in the unit of the budget: what the slices have cost, and what was done before the first.
    pub(crate) fn work(&self) -> u64 {
        match self {
            Self::OneMap(search) => search.work(),
            Self::MultiMap(search) => search.work(),
        }
    }

    /// What it has made of the cells of a map so far; the map is the one under search.
    #[cfg(feature = "debug_draw")]
    pub(crate) fn cell_states(&self) -> Option<(Entity, CellStates<'_>)> {
        match self {
            Self::OneMap(search) => search.cell_states(),
            Self::MultiMap(search) => search.cell_states(),
        }
    }

    /// Whether everything it was begun on is still as it was.
    pub(crate) fn is_current(&self, begun_on: &Version, maps: &UnitMaps, doors: &KnownDoors) -> bool {
        match self {
            Self::OneMap(search) => maps.get(search.map()).is_some_and(|map| map.version() == *begun_on),
            Self::MultiMap(search) => search.is_current(maps, &doors.index),
        }
    }

    /// The answer of a search that is done.
    pub(crate) fn finish(
        self,
        problem: &SearchProblem,
        maps: &UnitMaps,
        notes: &mut SearchNotes,
    ) -> Result<Route, PathFailure> {
        let answer = match self {
            Self::OneMap(search) => search.answer(problem, maps, notes),
            Self::MultiMap(search) => search.finish(),
        };
        answer.map_err(|reason| maps.plain_reason(reason, &problem.goals))
    }
}

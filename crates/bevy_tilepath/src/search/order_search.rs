//! Searches for orders: on one map, or from map to map.

use tilepath::{PathSearch, SearchStatus};

use crate::{
    failure::PathFailure,
    map::{door::known::KnownDoors, maps::UnitMaps, version::Version},
    order::route::Route,
    search::{
        ended_search::EndedSearch, map_search::MapSearch, multi_map::MultiMapSearch, observers::SearchNotes,
        problem::SearchProblem,
    },
};

#[cfg(feature = "debug_draw")]
use {crate::search::map_search::CellStates, bevy_ecs::entity::Entity};

/// A search on snapshots of its maps that runs in slices.
#[derive(Clone, Debug)]
pub(crate) enum OrderSearch {
    OneMap(MapSearch),
    MultiMap(Box<MultiMapSearch>),
}

impl SearchProblem {
    /// Begins a search with the present rules of the maps.
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
        let index = &doors.index;
        // An agent that walks to a target on its own map does not leave the map.
        let stays = self.request.has_entity() || self.goals.reach.is_some();
        let stays = stays || index.round_trips(self.map).is_none();
        if self.request.through_door().is_none() && self.goals.are_on(self.map) && stays {
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

    /// Advances the search while others run on other threads, up to the point where a new part
    /// begins. Then call [`settle`](Self::settle), and [`advance`](Self::advance) to go on.
    pub(crate) fn advance_apart(&mut self, slice: u64, maps: &UnitMaps) {
        match self {
            Self::OneMap(search) => search.advance_apart(slice, maps),
            Self::MultiMap(search) => search.advance_apart(slice, maps),
        }
    }

    /// Settles shared preprocessing: other searches need not pay for what this one has paid for.
    pub(crate) fn settle(&mut self) {
        match self {
            Self::OneMap(search) => search.settle(),
            Self::MultiMap(search) => search.settle(),
        }
    }

    /// Returns the search for one goal on one map that is under way.
    pub(crate) fn path_search(&self) -> Option<&PathSearch> {
        match self {
            Self::OneMap(search) => search.path_search(),
            Self::MultiMap(search) => search.path_search(),
        }
    }

    /// Returns the work done so far, in the unit of the budget: the cost of the slices, and the
    /// work before the first slice.
    pub(crate) fn work(&self) -> u64 {
        match self {
            Self::OneMap(search) => search.work(),
            Self::MultiMap(search) => search.work(),
        }
    }

    /// Returns the map under search, and the states of its cells.
    #[cfg(feature = "debug_draw")]
    pub(crate) fn cell_states(&self) -> Option<(Entity, CellStates<'_>)> {
        match self {
            Self::OneMap(search) => search.cell_states(),
            Self::MultiMap(search) => search.cell_states(),
        }
    }

    /// Returns whether all its maps are still unchanged.
    pub(crate) fn is_current(&self, begun_on: &Version, maps: &UnitMaps, doors: &KnownDoors) -> bool {
        match self {
            Self::OneMap(search) => maps.get(search.map()).is_some_and(|map| map.version() == *begun_on),
            Self::MultiMap(search) => search.is_current(maps, &doors.index),
        }
    }

    /// Returns what landmarks have to know of a search that has ended; `None` if they could not have
    /// led it.
    pub(crate) fn ended(&self) -> Option<EndedSearch> {
        match self {
            Self::OneMap(search) => search.ended(),
            Self::MultiMap(_) => None,
        }
    }

    /// Returns the answer of a search that is done.
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

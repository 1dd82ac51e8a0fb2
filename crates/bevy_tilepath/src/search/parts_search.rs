//! Searches for paths in parts: over portals, then the first part.

use bevy_ecs::entity::Entity;
use smallvec::smallvec;
use tilepath::{
    Algorithm, Answer, CellState, NearWay, NearWayAnswer, NearWaySearch, Path, PathQuery, QueryError,
    SearchStatus, Statistics,
};

use crate::{
    failure::PathFailure,
    map::{
        map_view::MapView,
        maps::{AnyMap, UnitMaps},
    },
    order::{
        grid_query::{GridQuery, GridReply},
        route::Route,
    },
    route::near_rest::NearRest,
    search::{
        observers::{NoteNumber, SearchNotes},
        problem::SearchProblem,
    },
};

/// The distance in cells up to which a path is found at once: it is little longer than a first
/// part.
const FAR: u32 = 128;

/// A search that runs in slices.
#[derive(Debug)]
pub(crate) struct PartsSearch {
    map: Entity,
    note: NoteNumber,
    stage: Stage,
    work: u64,
    statistics: Statistics,
}

#[derive(Debug)]
enum Stage {
    Portals(Box<NearWaySearch>),
    First(Box<NearWay>, Path),
    Whole(Result<Answer, QueryError>),
    /// The map was edited during the search, and the path is not valid any more.
    Outdated,
}

impl PartsSearch {
    /// Returns whether a query is answered in parts.
    pub(crate) fn is_for(query: &PathQuery) -> bool {
        let (from, to) = (query.start(), query.goal());
        query.algorithm() == Algorithm::Near && from.x.abs_diff(to.x).max(from.y.abs_diff(to.y)) > FAR
    }

    pub(crate) fn begin(
        view: &MapView,
        query: &PathQuery,
        notes: &mut SearchNotes,
    ) -> Result<Self, PathFailure> {
        let note = notes.ask(view, GridQuery::Path(query));
        let begun = view.finder.begin_near_way(query);
        if let Err(error) = &begun {
            notes.answer(note, GridReply::Path(&Err(*error)));
        }
        let search = begun?;
        let work = search.work();
        let stage = Stage::Portals(Box::new(search));
        Ok(Self { map: view.map, note, stage, work, statistics: Statistics::default() })
    }

    pub(crate) fn advance(&mut self, slice: u64, maps: &UnitMaps) -> SearchStatus {
        let Stage::Portals(search) = &mut self.stage else { return SearchStatus::Done };
        let status = search.advance(slice);
        (self.work, self.statistics) = (search.work(), search.statistics());
        if status == SearchStatus::Running {
            return status;
        }
        if let Stage::Portals(search) = std::mem::replace(&mut self.stage, Stage::Outdated) {
            self.stage = match search.finish() {
                Ok(NearWayAnswer::InParts(way)) => self.first_part(way, maps),
                Ok(NearWayAnswer::Whole(answer)) => Stage::Whole(Ok(answer)),
                Err(error) => Stage::Whole(Err(error)),
            };
        }
        SearchStatus::Done
    }

    /// Advances the search while others run on other threads, as far as it does not need the
    /// present map. Call [`settle`](Self::settle) afterwards.
    pub(crate) fn advance_apart(&mut self, slice: u64) {
        if let Stage::Portals(search) = &mut self.stage {
            search.advance_apart(slice);
            (self.work, self.statistics) = (search.work(), search.statistics());
        }
    }

    /// Settles shared preprocessing: other searches need not pay for what this one has paid for.
    pub(crate) fn settle(&mut self) {
        if let Stage::Portals(search) = &mut self.stage {
            search.settle();
        }
    }

    fn first_part(&mut self, mut way: NearWay, maps: &UnitMaps) -> Stage {
        let Some(AnyMap::Tiles(view)) = maps.get(self.map) else { return Stage::Outdated };
        let part = way.refine(view.finder);
        self.work += way.work();
        self.statistics = way.statistics();
        match part {
            Ok(Some(part)) => Stage::First(Box::new(way), part),
            Ok(None) | Err(_) => Stage::Outdated,
        }
    }

    pub(crate) fn work(&self) -> u64 {
        self.work
    }

    pub(crate) fn statistics(&self) -> Statistics {
        self.statistics
    }

    pub(crate) fn map(&self) -> Entity {
        self.map
    }

    /// Returns the answer of a search that is done. A path in parts cannot be recorded as an
    /// answer: only its query is recorded.
    pub(crate) fn answer(
        self,
        problem: &SearchProblem,
        maps: &UnitMaps,
        notes: &mut SearchNotes,
    ) -> Result<Route, PathFailure> {
        let Some(AnyMap::Tiles(view)) = maps.get(self.map) else { return Err(PathFailure::NoMap) };
        match self.stage {
            Stage::Portals(_) => Err(PathFailure::LimitReached),
            // Another search begins, because the map has changed.
            Stage::Outdated => Err(PathFailure::Unreachable),
            Stage::Whole(answer) => {
                let reply = GridReply::Path(&answer);
                notes.end(self.note, problem.order.entity, Some(&view), reply, |_| CellState::Unseen);
                let Answer { outcome, statistics, .. } = answer?;
                let (path, partial) = problem.path_of(outcome)?;
                Ok(problem.route(smallvec![view.leg(path, None)], 0, partial, statistics))
            }
            Stage::First(way, part) => {
                let partial = way.goal() != way.query().goal();
                let route = problem.route(smallvec![view.leg(part, None)], 0, partial, self.statistics);
                let near = (!way.is_whole()).then(|| Box::new(NearRest::new(*way, view.unit())));
                Ok(Route { near, ..route })
            }
        }
    }
}

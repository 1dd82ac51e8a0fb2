//! Searches for orders on one map.
//!
//! There are searches for one goal, for the nearest of many goals, and along a graph.

use std::collections::BTreeSet;

use bevy_ecs::entity::Entity;
use smallvec::smallvec;
use tilepath::{
    Algorithm, Cell, Cost, NearestQuery, NearestSearch, Outcome, Path, PathQuery, PathSearch, RangeQuery,
    SearchStatus, Statistics,
};

use crate::{
    failure::PathFailure,
    map::{
        map_view::MapView,
        maps::{AnyMap, UnitMaps},
        place::MapPlace,
    },
    order::{
        goal::PathGoal,
        grid_query::{GridQuery, GridReply},
        reach::Reach,
        route::Route,
    },
    search::{
        ended_search::EndedSearch,
        graph_order::GraphOrder,
        observers::{NoteNumber, SearchNotes},
        problem::SearchProblem,
    },
};

/// The most cells that are expanded for a path that may be straight.
const STRAIGHT: u64 = 64;

/// A search on a snapshot of its map that runs in slices.
#[derive(Clone, Debug)]
pub(crate) enum MapSearch {
    One {
        search: Box<PathSearch>,
        map: Entity,
        chosen: usize,
        note: NoteNumber,
    },
    Nearest {
        search: Box<NearestSearch>,
        map: Entity,
        limit: u64,
        note: NoteNumber,
    },
    Graph(Box<GraphOrder>),
    /// A path that is known at once: a given path that was checked, a straight one, or the flight from
    /// something.
    Given {
        map: Entity,
        route: Box<Route>,
        work: u64,
    },
}

/// The state of each cell in a search.
#[cfg(feature = "debug_draw")]
pub(crate) type CellStates<'a> = Box<dyn Fn(Cell) -> tilepath::CellState + 'a>;

impl SearchProblem {
    /// Returns the path that the order gives, which is walked as it is. Only the first answer uses
    /// it, not a replan.
    pub(crate) fn given_path(&self) -> Option<&Path> {
        match self.request.goal() {
            PathGoal::Along(path) if !self.replan => Some(path),
            _ => None,
        }
    }

    /// Checks a given path with the present rules. No search is necessary.
    pub(crate) fn begin_along(&self, path: &Path, map: &AnyMap) -> Result<MapSearch, PathFailure> {
        let (AnyMap::Tiles(view), MapPlace::Cell(standing)) = (map, &self.start) else {
            return Err(PathFailure::WrongKindOfMap);
        };
        let (start, standing) = (path.start(), *standing);
        if start != standing || !self.goals.are_on(self.map) {
            return Err(PathFailure::PathBeginsElsewhere { start, standing });
        }
        view.verify(path).map_err(PathFailure::PathOutdated)?;
        let legs = smallvec![view.leg(path.clone(), None)];
        let route = self.route(legs, 0, false, Statistics::default());
        Ok(MapSearch::Given { map: view.map, route: Box::new(route), work: 0 })
    }

    /// Begins a search that does not leave the map.
    pub(crate) fn begin_on(&self, map: &AnyMap, notes: &mut SearchNotes) -> Result<MapSearch, PathFailure> {
        match (map, &self.start) {
            (AnyMap::Tiles(view), MapPlace::Cell(start)) => self.begin_on_tiles(view, *start, notes),
            (AnyMap::Graph(view), _) => Ok(MapSearch::Graph(Box::new(GraphOrder::begin(self, view)?))),
            (AnyMap::Tiles(_), _) => Err(PathFailure::QueryRefused),
        }
    }

    fn begin_on_tiles(
        &self,
        view: &MapView,
        start: Cell,
        notes: &mut SearchNotes,
    ) -> Result<MapSearch, PathFailure> {
        let request = &self.request;
        let cells = self.goals.cells().ok_or(PathFailure::QueryRefused)?;
        if self.goals.single {
            let query = self.query(view, start, cells[0]).with_algorithm(request.algorithm());
            return MapSearch::one(view, &query, 0, notes);
        }
        if let Some(reach) = &self.goals.reach {
            if reach.holds(start, view) {
                return MapSearch::one(view, &self.query(view, start, start), 0, notes);
            }
            if let Some(budget) = reach.approach.budget() {
                return self.begin_flight(view, start, reach, budget);
            }
            if !reach.holds(cells[0], view) {
                // No cell is near enough.
                return if request.wants_closest() {
                    MapSearch::one(view, &self.query(view, start, cells[0]), 0, notes)
                } else {
                    Err(PathFailure::Unreachable)
                };
            }
        }
        if request.has_entity()
            && let Some(straight) = self.straight_to_nearest(view, start, &cells)
        {
            return Ok(straight);
        }
        let movement = view.movement;
        let query = NearestQuery::new(start, &*cells).with_movement(movement);
        let begun = view.finder.begin_nearest(&query);
        if let Err(error) = &begun {
            let note = notes.ask(view, GridQuery::Nearest(&query));
            notes.answer(note, GridReply::Nearest(&Err(*error)));
        }
        let search = begun?;
        if let Some(here) = cells.iter().position(|&cell| cell == start) {
            // A start on a goal comes before everything, also before a limit of 0.
            return MapSearch::one(view, &self.query(view, start, start), here, notes);
        }
        // The search is done before it begins: no goal can be reached.
        if request.wants_closest() && search.is_done() {
            return MapSearch::one(view, &self.query(view, start, cells[0]), 0, notes);
        }
        let limit = request.limit().unwrap_or(u64::MAX);
        let note = notes.ask(view, GridQuery::Nearest(&query));
        Ok(MapSearch::Nearest { search: Box::new(search), map: view.map, limit, note })
    }

    /// Returns the path to the goal that is nearest by distance, if the path costs no more than this
    /// distance: then no other goal is cheaper. A chase on open ground needs no search in all
    /// directions.
    fn straight_to_nearest(&self, view: &MapView, start: Cell, goals: &[Cell]) -> Option<MapSearch> {
        if self.request.limit().is_some() || self.request.algorithm() != Algorithm::Auto {
            return None;
        }
        let open = goals.iter().copied().filter(|&goal| view.is_passable(goal));
        let (least, goal) =
            open.map(|goal| (view.least_cost(start, goal), goal)).min_by_key(|&(least, _)| least)?;
        let query = PathQuery::new(start, goal).with_movement(view.movement).with_limit(STRAIGHT);
        let answer = view.finder.solve(&query).ok()?;
        let path = answer.outcome.into_path().filter(|path| Some(path.cost()) == least)?;
        let work = answer.statistics.expanded;
        let route = self.route(smallvec![view.leg(path, None)], 0, false, answer.statistics);
        Some(MapSearch::Given { map: view.map, route: Box::new(route), work })
    }

    /// Finds the path to the cheapest cell within the budget that is far enough away, or else to
    /// the farthest cell.
    fn begin_flight(
        &self,
        view: &MapView,
        start: Cell,
        reach: &Reach,
        budget: Cost,
    ) -> Result<MapSearch, PathFailure> {
        let query = RangeQuery::new(start, budget).with_movement(view.movement);
        let range = view.finder.solve_range(&query)?;
        // An agent that flees should not run past its enemy, if it need not.
        let near = reach.farness(start, view);
        let mut keeps_away = BTreeSet::from([start]);
        for reached in range.cells() {
            let comes_from = reached.came_from().is_some_and(|before| keeps_away.contains(&before));
            if comes_from && reach.farness(reached.cell, view) >= near {
                keeps_away.insert(reached.cell);
            }
        }
        let far = || range.cells().iter().map(|reached| reached.cell).filter(|&cell| reach.holds(cell, view));
        let far_enough = far().find(|cell| keeps_away.contains(cell)).or_else(|| far().next());
        let end = far_enough.or_else(|| {
            let farthest = |best: Option<(Cell, f64)>, cell: Cell| {
                let far = reach.farness(cell, view);
                best.filter(|&(_, most)| most >= far).or(Some((cell, far)))
            };
            range.cells().iter().map(|reached| reached.cell).fold(None, farthest).map(|(cell, _)| cell)
        });
        let path = end.and_then(|end| range.path_to(end)).ok_or(PathFailure::Unreachable)?;
        let expanded = range.cells().len() as u64;
        let statistics = Statistics::of(Algorithm::Dijkstra, expanded);
        let legs = smallvec![view.leg(path, None)];
        let route = Box::new(self.route(legs, 0, far_enough.is_none(), statistics));
        Ok(MapSearch::Given { map: view.map, route, work: expanded })
    }

    /// Returns the work of `begin` that the search does not count: each of many goals beyond one
    /// tile map is looked up, and each cell of a given path is checked.
    pub(crate) fn begin_work(&self) -> u64 {
        match self.given_path() {
            Some(path) => path.cells().len() as u64,
            None if self.goals.cells().is_some() => 0,
            None => self.goals.at.len() as u64,
        }
    }

    /// Returns the path of an outcome, and whether it leads only to the closest cell.
    pub(super) fn path_of(&self, outcome: Outcome) -> Result<(Path, bool), PathFailure> {
        match outcome {
            Outcome::Found(path) => Ok((path, false)),
            Outcome::Unreachable { closest: Some(path) } => Ok((path, true)),
            Outcome::LimitReached { best, .. } if self.request.wants_closest() => Ok((best, true)),
            Outcome::Unreachable { closest: None } => Err(PathFailure::Unreachable),
            Outcome::LimitReached { .. } => Err(PathFailure::LimitReached),
        }
    }

    fn query(&self, view: &MapView, start: Cell, goal: Cell) -> PathQuery {
        let mut query = PathQuery::new(start, goal).with_movement(view.movement);
        if self.request.wants_closest() {
            query = query.or_closest();
        }
        match self.request.limit() {
            Some(expansions) => query.with_limit(expansions),
            None => query,
        }
    }
}

impl MapSearch {
    pub(crate) fn one(
        view: &MapView,
        query: &PathQuery,
        chosen: usize,
        notes: &mut SearchNotes,
    ) -> Result<Self, PathFailure> {
        let (search, note) = notes.begin(view, query)?;
        Ok(Self::One { search, map: view.map, chosen, note })
    }

    pub(crate) fn advance(&mut self, slice: u64, maps: &UnitMaps) -> SearchStatus {
        match self {
            Self::One { search, .. } => search.advance(slice),
            Self::Nearest { search, limit, .. } => {
                let left = limit.saturating_sub(search.statistics().expanded);
                let status = search.advance(slice.min(left));
                if slice < left { status } else { SearchStatus::Done }
            }
            Self::Graph(search) => search.advance(slice, maps),
            Self::Given { .. } => SearchStatus::Done,
        }
    }

    /// Advances the search while others run on other threads. Call [`settle`](Self::settle)
    /// afterwards.
    pub(crate) fn advance_apart(&mut self, slice: u64, maps: &UnitMaps) {
        match self {
            Self::One { search, .. } => _ = search.advance_apart(slice),
            Self::Nearest { .. } | Self::Graph(_) | Self::Given { .. } => _ = self.advance(slice, maps),
        }
    }

    /// Settles shared preprocessing: other searches need not pay for what this one has paid for.
    pub(crate) fn settle(&mut self) {
        match self {
            Self::One { search, .. } => search.settle(),
            Self::Nearest { .. } | Self::Graph(_) | Self::Given { .. } => {}
        }
    }

    /// Returns the work done so far, in the unit of the budget: the cost of the slices, and the
    /// work before the first slice.
    pub(crate) fn work(&self) -> u64 {
        match self {
            Self::One { search, .. } => search.work(),
            Self::Nearest { search, .. } => search.work(),
            Self::Graph(search) => search.work(),
            Self::Given { work, .. } => *work,
        }
    }

    /// Returns what landmarks have to know of a search that has ended; `None` if they could not have
    /// led it.
    pub(crate) fn ended(&self) -> Option<EndedSearch> {
        let Self::One { search, map, .. } = self else { return None };
        let (query, statistics) = (search.query(), search.statistics());
        if statistics.algorithm != Algorithm::AStar || query.limit().is_some() {
            return None;
        }
        let costs = [search.estimate_from(query.start()), search.cost_to(query.goal())];
        let [bound, cost] = costs.map(|cost| cost.map_or(0, |cost| cost.get().into()));
        let (movement, work, is_led) = (query.movement(), search.work(), search.landmarks().next().is_some());
        Some(EndedSearch { map: *map, movement, work, is_led, bound, cost })
    }

    pub(crate) fn statistics(&self) -> Statistics {
        match self {
            Self::One { search, .. } => search.statistics(),
            Self::Nearest { search, .. } => search.statistics(),
            Self::Graph(search) => search.statistics(),
            Self::Given { route, .. } => route.statistics,
        }
    }

    /// Returns the map under search, and the states of its cells.
    #[cfg(feature = "debug_draw")]
    pub(crate) fn cell_states(&self) -> Option<(Entity, CellStates<'_>)> {
        match self {
            Self::One { search, map, .. } => Some((*map, Box::new(|cell| search.cell_state(cell)))),
            Self::Nearest { search, map, .. } => Some((*map, Box::new(|cell| search.cell_state(cell)))),
            Self::Graph(_) | Self::Given { .. } => None,
        }
    }
    /// Returns the search for one goal, if it is one.
    pub(crate) fn path_search(&self) -> Option<&PathSearch> {
        match self {
            Self::One { search, .. } => Some(search),
            Self::Nearest { .. } | Self::Graph(_) | Self::Given { .. } => None,
        }
    }

    pub(crate) fn map(&self) -> Entity {
        match self {
            Self::One { map, .. } | Self::Nearest { map, .. } | Self::Given { map, .. } => *map,
            Self::Graph(search) => search.map,
        }
    }

    /// Returns the answer of a search that is done.
    pub(crate) fn answer(
        self,
        problem: &SearchProblem,
        maps: &UnitMaps,
        notes: &mut SearchNotes,
    ) -> Result<Route, PathFailure> {
        let tiles = |map: Entity| match maps.get(map) {
            Some(AnyMap::Tiles(view)) => Some(view),
            _ => None,
        };
        let legs = |map: Entity, path: Path| match tiles(map) {
            Some(view) => Ok(smallvec![view.leg(path, None)]),
            None => Err(PathFailure::NoMap),
        };
        let agent = problem.order.entity;
        match self {
            Self::One { search, map, chosen, note } => {
                let answer = search.answer().ok_or(PathFailure::LimitReached)?;
                let reply = GridReply::Path(&answer);
                notes.end(note, agent, tiles(map).as_ref(), reply, |cell| search.cell_state(cell));
                let answer = answer?;
                let (path, partial) = problem.path_of(answer.outcome)?;
                let is_short = match (&problem.goals.reach, tiles(map)) {
                    (Some(reach), Some(view)) => !reach.holds(path.goal(), &view),
                    _ => false,
                };
                Ok(problem.route(legs(map, path)?, chosen, partial || is_short, answer.statistics))
            }
            Self::Nearest { search, map, note, .. } => {
                let answer = search.answer().ok_or(PathFailure::LimitReached)?;
                let reply = GridReply::Nearest(&answer);
                notes.end(note, agent, tiles(map).as_ref(), reply, |cell| search.cell_state(cell));
                let answer = answer?;
                let statistics = answer.statistics;
                let nearest = answer.goals.into_iter().next().ok_or(PathFailure::Unreachable)?;
                Ok(problem.route(legs(map, nearest.path)?, nearest.index, false, statistics))
            }
            Self::Graph(search) => search.finish(problem, maps),
            Self::Given { route, .. } => Ok(*route),
        }
    }
}

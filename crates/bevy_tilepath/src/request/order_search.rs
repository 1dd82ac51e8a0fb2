//! The search for an order: on one map for one goal or for the nearest of many, or from map to map.

use bevy_ecs::entity::Entity;
use tilepath::{
    Algorithm, Cell, NearestQuery, NearestSearch, Outcome, Path, PathQuery, PathSearch, SearchStatus,
    Statistics, WaypointRoute,
};

use crate::{
    agent::{CellCourse, Course, Entrance, FoundLeg, Ground, Roads, Standing, Track},
    doors::KnownDoors,
    failure::PathFailure,
    maps::{AnyMap, Maps, Stamp},
    request::{CrossingSearch, Goals, Job, NoteNumber, PathGoal, SearchNotes, Spot},
};

/// A search that is run in slices, on a snapshot of its map.
#[derive(Debug)]
pub(crate) enum OrderSearch {
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
    Crossing(Box<CrossingSearch>),
    /// On a graph, where it has been searched at once, or along a path that was given.
    Answered(Box<Answered>),
}

/// What was found without a search in slices.
#[derive(Debug)]
pub(crate) struct Answered {
    map: Entity,
    answer: Result<Way, PathFailure>,
}

/// What a search has made of cells.
#[cfg(feature = "debug_draw")]
pub(crate) type CellStates<'a> = Box<dyn Fn(Cell) -> tilepath::CellState + 'a>;

/// A way for an order.
#[derive(Debug)]
pub(crate) struct Way {
    /// At least one.
    pub(crate) legs: Vec<FoundLeg>,
    pub(crate) partial: bool,
    /// The index of the goal it leads to, or as near to as possible.
    pub(crate) chosen: usize,
    pub(crate) statistics: Statistics,
}

impl Job {
    /// A search by the present rules of the maps.
    pub(crate) fn begin(
        &self,
        maps: &Maps,
        doors: &KnownDoors,
        notes: &mut SearchNotes,
    ) -> Result<OrderSearch, PathFailure> {
        let map = maps.ready(self.map).ok_or(PathFailure::NoMap)?;
        if let Some(path) = self.given_path() {
            return self.begin_along(path, &map);
        }
        if !self.goals.are_on(self.map) || doors.lead_from(self.map) {
            return Ok(OrderSearch::Crossing(Box::new(CrossingSearch::new(self, maps, doors)?)));
        }
        self.begin_on(&map, notes)
    }

    /// The path that is to be walked as it is: with the first answer, not when that is planned anew.
    fn given_path(&self) -> Option<&Path> {
        match self.request.goal() {
            PathGoal::Along(path) if !self.replan => Some(path),
            _ => None,
        }
    }

    /// Nothing to search: the path is checked by the present rules.
    fn begin_along(&self, path: &Path, map: &AnyMap) -> Result<OrderSearch, PathFailure> {
        let (AnyMap::Tiles(ground), Spot::Cell(standing)) = (map, &self.start) else {
            return Err(PathFailure::WrongKindOfMap);
        };
        let (start, standing) = (path.start(), *standing);
        if start != standing || !self.goals.are_on(self.map) {
            return Err(PathFailure::PathBeginsElsewhere { start, standing });
        }
        ground.grid.verify(path).map_err(PathFailure::PathOutdated)?;
        let legs = vec![ground.leg(path.clone(), None)];
        let way = Way { legs, partial: false, chosen: 0, statistics: Statistics::default() };
        Ok(OrderSearch::Answered(Box::new(Answered { map: ground.map, answer: Ok(way) })))
    }

    /// A search that does not leave the map.
    pub(crate) fn begin_on(&self, map: &AnyMap, notes: &mut SearchNotes) -> Result<OrderSearch, PathFailure> {
        match (map, &self.start) {
            (AnyMap::Tiles(ground), Spot::Cell(start)) => self.begin_on_tiles(ground, *start, notes),
            (AnyMap::Graph(roads), _) => {
                let answer = self.answer_on_graph(roads);
                Ok(OrderSearch::Answered(Box::new(Answered { map: roads.map, answer })))
            }
            (AnyMap::Tiles(_), _) => Err(PathFailure::QueryRefused),
        }
    }

    fn begin_on_tiles(
        &self,
        ground: &Ground,
        start: Cell,
        notes: &mut SearchNotes,
    ) -> Result<OrderSearch, PathFailure> {
        let request = &self.request;
        let cells = match &self.goals {
            Goals::Cell { cell, .. } => {
                let query = self.query(ground, start, *cell).with_algorithm(request.algorithm());
                return OrderSearch::one(ground, &query, 0, notes);
            }
            Goals::Cells { cells, .. } => cells,
            Goals::Spots(_) => return Err(PathFailure::QueryRefused),
        };
        let movement = ground.grid.movement();
        let query = NearestQuery::new(start, cells.to_vec()).with_movement(movement);
        let begun = ground.grid.finder().begin_nearest(&query);
        if let Err(error) = &begun {
            let note = notes.ask_nearest(ground, &query);
            notes.answer_nearest(note, &Err(*error));
        }
        let search = begun?;
        if let Some(here) = cells.iter().position(|&cell| cell == start) {
            // Wins over everything, a limit of 0 included.
            return OrderSearch::one(ground, &self.query(ground, start, start), here, notes);
        }
        // Over before it has begun: none of them can be reached.
        if request.wants_closest() && search.is_done() {
            return OrderSearch::one(ground, &self.query(ground, start, cells[0]), 0, notes);
        }
        let limit = request.limit().unwrap_or(u64::MAX);
        let note = notes.ask_nearest(ground, &query);
        Ok(OrderSearch::Nearest { search: Box::new(search), map: ground.map, limit, note })
    }

    /// What [`begin`](Self::begin) costs that the search does not count: each of many goals beyond one tile map is looked up,
    /// each cell of a path that is given is checked.
    pub(crate) fn begin_work(&self) -> u64 {
        match &self.goals {
            Goals::Cell { .. } => self.given_path().map_or(0, |path| path.cells().len() as u64),
            Goals::Cells { .. } => 0,
            Goals::Spots(_) => self.goals.len() as u64,
        }
    }

    fn query(&self, ground: &Ground, start: Cell, goal: Cell) -> PathQuery {
        let mut query = PathQuery::new(start, goal).with_movement(ground.grid.movement());
        if self.request.wants_closest() {
            query = query.or_closest();
        }
        match self.request.limit() {
            Some(expansions) => query.with_limit(expansions),
            None => query,
        }
    }

    /// The route to the goal that is cheapest to reach, the first of equals.
    fn answer_on_graph(&self, roads: &Roads) -> Result<Way, PathFailure> {
        let mut best: Result<(usize, WaypointRoute), PathFailure> = Err(PathFailure::NoGoals);
        let mut expanded = 0;
        for index in 0..self.goals.len() {
            let (_, goal) = self.goals.spot(index);
            match (roads.graph.route(&self.start, &goal), &best) {
                (Ok(route), best_so_far) => {
                    expanded += route.expanded();
                    if best_so_far.as_ref().map_or(true, |(_, known)| route.cost() < known.cost()) {
                        best = Ok((index, route));
                    }
                }
                (Err(reason), Err(PathFailure::NoGoals)) => best = Err(reason),
                (Err(_), _) => {}
            }
        }
        let mut partial = false;
        if matches!(best, Err(PathFailure::Unreachable))
            && self.request.wants_closest()
            && let Some(closest) = roads.closest(&self.start, &self.goals.spot(0).1)
        {
            partial = true;
            best = roads.graph.route(&self.start, &Spot::Waypoint(closest)).map(|route| (0, route));
        }
        let (chosen, route) = best?;
        if self.request.limit().is_some_and(|limit| expanded > limit) {
            return Err(PathFailure::LimitReached);
        }
        let legs = vec![roads.leg(&route, &self.start, None)];
        Ok(Way { legs, partial, chosen, statistics: graph_statistics(expanded) })
    }
}

/// What a search over waypoints did.
pub(super) fn graph_statistics(expanded: u64) -> Statistics {
    let mut statistics = Statistics::default();
    statistics.expanded = expanded;
    statistics.algorithm = Algorithm::AStar;
    statistics
}

impl Ground<'_> {
    /// A path over cells as a leg of a journey, and the door by which it is entered with what that costs.
    pub(crate) fn leg(&self, path: Path, entrance: Option<(Entrance, f64)>) -> FoundLeg {
        let cost = f64::from(path.cost().get()) * AnyMap::Tiles(*self).unit();
        FoundLeg {
            map: self.map,
            course: Course::Cells(CellCourse::new(path, self.grid)),
            entrance: entrance.map(|(entrance, _)| entrance),
            route_cost: cost + entrance.map_or(0.0, |(_, cost)| cost),
            edition: None,
            placement: None,
        }
    }
}

impl Roads<'_> {
    /// A route as a leg of a journey, and the door by which it is entered with what that costs.
    pub(crate) fn leg(
        &self,
        route: &WaypointRoute,
        start: &Spot,
        entrance: Option<(Entrance, f64)>,
    ) -> FoundLeg {
        let mut track = Track::new(route, self.graph.easing);
        if let Spot::OnEdge { here, .. } = start {
            track = track.beginning_at(*here, self.rounding_at(*here));
        }
        FoundLeg {
            map: self.map,
            course: Course::Waypoints(track),
            entrance: entrance.map(|(entrance, _)| entrance),
            route_cost: route.cost() * AnyMap::Graph(*self).unit() + entrance.map_or(0.0, |(_, cost)| cost),
            edition: None,
            placement: None,
        }
    }
}

impl OrderSearch {
    fn one(
        ground: &Ground,
        query: &PathQuery,
        chosen: usize,
        notes: &mut SearchNotes,
    ) -> Result<Self, PathFailure> {
        let note = notes.ask(ground, query);
        let search = ground.grid.finder().begin(query);
        if let Err(error) = &search {
            notes.answer(note, &Err(*error));
        }
        Ok(Self::One { search: Box::new(search?), map: ground.map, chosen, note })
    }

    pub(crate) fn advance(&mut self, slice: u64, maps: &Maps, notes: &mut SearchNotes) -> SearchStatus {
        match self {
            Self::One { search, .. } => search.advance(slice),
            Self::Nearest { search, limit, .. } => {
                let left = limit.saturating_sub(search.statistics().expanded);
                let status = search.advance(slice.min(left));
                if slice < left { status } else { SearchStatus::Done }
            }
            Self::Crossing(search) => search.advance(slice, maps, notes),
            Self::Answered(_) => SearchStatus::Done,
        }
    }

    /// The work done so far, in the unit of the budget: what the slices have cost, and what was done before the first.
    pub(crate) fn work(&self) -> u64 {
        match self {
            Self::One { search, .. } => search.work(),
            Self::Nearest { search, .. } => search.work(),
            Self::Crossing(search) => search.work(),
            Self::Answered(_) => self.statistics().expanded,
        }
    }

    pub(crate) fn statistics(&self) -> Statistics {
        match self {
            Self::One { search, .. } => search.statistics(),
            Self::Nearest { search, .. } => search.statistics(),
            Self::Crossing(search) => search.statistics(),
            Self::Answered(answered) => {
                answered.answer.as_ref().map_or_else(|_| graph_statistics(0), |way| way.statistics)
            }
        }
    }

    /// What it has made of the cells of a map so far; the map is the one under search.
    #[cfg(feature = "debug_draw")]
    pub(crate) fn cell_states(&self) -> Option<(Entity, CellStates<'_>)> {
        match self {
            Self::One { search, map, .. } => Some((*map, Box::new(|cell| search.cell_state(cell)))),
            Self::Nearest { search, map, .. } => Some((*map, Box::new(|cell| search.cell_state(cell)))),
            Self::Crossing(search) => search.cell_states(),
            Self::Answered(_) => None,
        }
    }

    /// Whether everything it was begun on is still as it was.
    pub(crate) fn is_current(&self, begun_on: &Stamp, maps: &Maps, doors: &KnownDoors) -> bool {
        let map = match self {
            Self::One { map, .. } | Self::Nearest { map, .. } => *map,
            Self::Crossing(search) => return search.is_current(maps, doors),
            Self::Answered(answered) => answered.map,
        };
        maps.get(map).is_some_and(|map| map.stamp() == *begun_on)
    }

    /// The answer of a search that is done.
    pub(crate) fn finish(self, job: &Job, maps: &Maps, notes: &mut SearchNotes) -> Result<Way, PathFailure> {
        self.answer(job, maps, notes).map_err(|reason| maps.plain_reason(reason, &job.goals))
    }

    fn answer(self, job: &Job, maps: &Maps, notes: &mut SearchNotes) -> Result<Way, PathFailure> {
        let leg = |map: Entity, path: Path| match maps.get(map) {
            Some(AnyMap::Tiles(ground)) => Ok(vec![ground.leg(path, None)]),
            _ => Err(PathFailure::NoMap),
        };
        match self {
            Self::One { search, map, chosen, note } => {
                let answer = search.answer().ok_or(PathFailure::LimitReached)?;
                notes.answer(note, &answer);
                notes.searched(job.order.entity, map, maps, &search);
                let answer = answer?;
                let (path, partial) = match answer.outcome {
                    Outcome::Found(path) => (path, false),
                    Outcome::Unreachable { closest: Some(path) } => (path, true),
                    Outcome::LimitReached { best } if job.request.wants_closest() => (best, true),
                    Outcome::Unreachable { closest: None } => return Err(PathFailure::Unreachable),
                    Outcome::LimitReached { .. } => return Err(PathFailure::LimitReached),
                };
                Ok(Way { legs: leg(map, path)?, partial, chosen, statistics: answer.statistics })
            }
            Self::Nearest { search, map, note, .. } => {
                notes.searched_nearest(job.order.entity, map, maps, &search);
                let answer = search.answer().ok_or(PathFailure::LimitReached)?;
                notes.answer_nearest(note, &answer);
                let answer = answer?;
                let statistics = answer.statistics;
                let nearest = answer.goals.into_iter().next().ok_or(PathFailure::Unreachable)?;
                Ok(Way { legs: leg(map, nearest.path)?, partial: false, chosen: nearest.index, statistics })
            }
            Self::Crossing(search) => search.finish(maps, notes),
            Self::Answered(answered) => answered.answer,
        }
    }
}

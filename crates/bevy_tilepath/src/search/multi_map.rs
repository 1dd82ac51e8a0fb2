//! Searches for orders with doors: over several maps.
//!
//! Such a search runs on the order's own map first, then over all maps at once.
//!
//! Decision: `docs/decisions/49-doors.md`.

mod part;
pub(crate) mod rest;
mod round_trip;
mod segment;
mod spread;

use std::sync::Arc;

use bevy_ecs::entity::Entity;
use tilepath::{Cell, PathQuery, PathSearch, SearchStatus};

use crate::{
    failure::PathFailure,
    map::{
        door::index::DoorIndex,
        map_view::MapView,
        maps::{AnyMap, UnitMaps},
        place::MapPlace,
        version::Version,
    },
    order::{goal::Goals, route::Route},
    search::{
        graph_order::graph_statistics,
        map_search::MapSearch,
        multi_map::{segment::SegmentSearch, spread::Spread},
        observers::SearchNotes,
        problem::SearchProblem,
    },
};

#[cfg(feature = "debug_draw")]
use crate::search::map_search::CellStates;

/// A search over several maps that runs in slices.
///
/// If the goal is on the own map, that map is searched first. Other maps are searched only if a
/// path out of it and back may cost less.
#[derive(Clone, Debug)]
pub(crate) struct MultiMapSearch {
    problem: SearchProblem,
    doors: Arc<DoorIndex>,
    phase: Phase,
    /// The path on the own map.
    local: Option<Route>,
    /// The versions of the maps that were searched.
    versions: Vec<(Entity, Version)>,
    has_looked_at_doors: bool,
    /// The number of cells expanded in earlier phases.
    expanded: u64,
    work: u64,
    overflowed: bool,
    /// True if the phase under way was advanced while others ran, and its result is not handled
    /// yet.
    was_apart: bool,
}

#[derive(Clone, Debug)]
enum Phase {
    /// The search on the own map.
    Local(Box<MapSearch>),
    Spread(Box<Spread>),
    Segments(Box<SegmentSearch>),
    /// The search for the closest place on the own map, because there is no path to a goal.
    Closest(Box<MapSearch>),
    Done(Result<Box<Route>, PathFailure>),
}

impl MultiMapSearch {
    /// Begins the search for an order to another map, or on a map with doors out and back.
    pub(crate) fn begin(
        problem: &SearchProblem,
        maps: &UnitMaps,
        doors: &Arc<DoorIndex>,
        notes: &mut SearchNotes,
    ) -> Result<Self, PathFailure> {
        let own = maps.find(problem.map)?;
        let mut search = Self {
            problem: problem.with_entrances(maps, doors)?,
            doors: Arc::clone(doors),
            phase: Phase::Done(Err(PathFailure::Unreachable)),
            local: None,
            versions: vec![(problem.map, own.version())],
            has_looked_at_doors: false,
            expanded: 0,
            work: 0,
            overflowed: false,
            was_apart: false,
        };
        if problem.request.through_door().is_some() {
            problem.check_places(maps)?;
            search.spread(maps, f64::INFINITY);
        } else if problem.goals.are_on(problem.map) {
            let local = match &own {
                AnyMap::Tiles(view) if problem.may_stay_on(view) => Some(problem.begin_on(&own, notes)?),
                AnyMap::Tiles(_) => None,
                AnyMap::Graph(_) => Some(problem.without_closest().begin_on(&own, notes)?),
            };
            match local {
                Some(local) => search.phase = Phase::Local(Box::new(local)),
                None => search.spread(maps, f64::INFINITY),
            }
        } else {
            problem.check_places(maps)?;
            // Targets on the own map come before all others.
            let near = problem.near_own_targets().filter(|near| match &own {
                AnyMap::Tiles(view) => near.may_stay_on(view),
                AnyMap::Graph(_) => false,
            });
            match near {
                Some(near) => search.phase = Phase::Local(Box::new(near.begin_on(&own, notes)?)),
                None => search.spread(maps, f64::INFINITY),
            }
        }
        Ok(search)
    }

    fn spread(&mut self, maps: &UnitMaps, ceiling: f64) {
        self.has_looked_at_doors = true;
        self.phase = Phase::Spread(Box::new(Spread::new(&self.problem, maps, &self.doors, ceiling)));
    }

    pub(crate) fn advance(&mut self, slice: u64, maps: &UnitMaps, notes: &mut SearchNotes) -> SearchStatus {
        let limit = self.work().saturating_add(slice);
        loop {
            let left = limit.saturating_sub(self.work());
            if matches!(self.phase, Phase::Done(_)) {
                return SearchStatus::Done;
            }
            if left == 0 {
                return SearchStatus::Running;
            }
            let before = self.work();
            self.take_turn(left, maps, notes);
            // A turn counts at least one unit of work. A turn that only ends what was done apart is
            // part of that turn.
            let belongs_to_last = std::mem::take(&mut self.was_apart);
            self.work += u64::from(self.work() == before && !belongs_to_last);
        }
    }

    /// Advances the phase under way while other searches run. A step that begins further searches
    /// waits, because they are counted and recorded.
    pub(crate) fn advance_apart(&mut self, slice: u64, maps: &UnitMaps) {
        let allowed = self.problem.request.limit().unwrap_or(u64::MAX);
        let before = self.work();
        match &mut self.phase {
            Phase::Local(search) | Phase::Closest(search) => search.advance_apart(slice, maps),
            Phase::Spread(spread) => {
                let allowance = allowed.saturating_sub(self.expanded + spread.expanded()).saturating_add(1);
                spread.advance(slice.min(allowance), maps);
            }
            Phase::Segments(_) | Phase::Done(_) => {}
        }
        self.was_apart = self.work() > before;
    }

    /// Settles shared preprocessing: other searches need not pay for what this one has paid for.
    pub(crate) fn settle(&mut self) {
        if let Phase::Local(search) | Phase::Closest(search) = &mut self.phase {
            search.settle();
        }
    }

    /// Advances the phase under way, and begins the next phase if it is over.
    fn take_turn(&mut self, left: u64, maps: &UnitMaps, notes: &mut SearchNotes) {
        let allowed = self.problem.request.limit().unwrap_or(u64::MAX);
        match &mut self.phase {
            Phase::Local(search) => {
                if search.advance(left, maps) == SearchStatus::Done {
                    self.end_local(maps, notes);
                }
            }
            Phase::Spread(spread) => {
                let allowance = allowed.saturating_sub(self.expanded + spread.expanded()).saturating_add(1);
                let is_running = spread.advance(left.min(allowance), maps);
                if self.expanded + spread.expanded() > allowed {
                    self.end(Err(PathFailure::LimitReached));
                } else if !is_running {
                    self.end_spread(maps, notes);
                }
            }
            Phase::Segments(search) => {
                let allowance = allowed.saturating_sub(self.expanded + search.expanded).saturating_add(1);
                let ended = search.advance(left.min(allowance), &self.problem, maps, notes);
                if self.expanded + search.expanded > allowed {
                    self.end(Err(PathFailure::LimitReached));
                } else if let Some(legs) = ended {
                    let chosen = search.goal;
                    let statistics = graph_statistics(self.expanded + search.expanded);
                    let route = legs.map(|legs| self.problem.route(legs, chosen, false, statistics));
                    self.end(route);
                }
            }
            Phase::Closest(search) => {
                if search.advance(left, maps) == SearchStatus::Done {
                    let answer = self.finish_phase(maps, notes);
                    self.end(answer);
                }
            }
            Phase::Done(_) => {}
        }
    }

    /// Returns the answer of a search on the own map.
    fn finish_phase(&mut self, maps: &UnitMaps, notes: &mut SearchNotes) -> Result<Route, PathFailure> {
        match self.leave_phase() {
            Phase::Local(search) | Phase::Closest(search) => search.answer(&self.problem, maps, notes),
            Phase::Spread(_) | Phase::Segments(_) | Phase::Done(_) => Err(PathFailure::QueryRefused),
        }
    }

    /// Ends the phase under way and adds up its work.
    fn leave_phase(&mut self) -> Phase {
        self.work = self.work();
        self.expanded = self.expanded();
        std::mem::replace(&mut self.phase, Phase::Done(Err(PathFailure::Unreachable)))
    }

    fn end(&mut self, answer: Result<Route, PathFailure>) {
        self.leave_phase();
        // There is a path, although doors might have saved some of its cost.
        let answer = match (answer, self.local.take()) {
            (Err(_), Some(local)) => Ok(local),
            (answer, _) => answer,
        };
        self.phase = Phase::Done(answer.map(Box::new));
    }

    fn end_local(&mut self, maps: &UnitMaps, notes: &mut SearchNotes) {
        match self.finish_phase(maps, notes) {
            Ok(route) if route.partial || self.problem.goals.reach.is_some() => self.end(Ok(route)),
            Ok(route) => {
                let cost = route.cost();
                let (may_cost_less, work) = round_trip::may_cost_less(&self.problem, &self.doors, maps, cost);
                self.work += work;
                if !may_cost_less {
                    return self.end(Ok(route));
                }
                self.local = Some(route);
                self.spread(maps, cost);
            }
            Err(reason @ (PathFailure::Unreachable | PathFailure::CostOverflow)) => {
                self.overflowed = reason == PathFailure::CostOverflow;
                self.spread(maps, f64::INFINITY);
            }
            Err(reason) => self.end(Err(reason)),
        }
    }

    fn end_spread(&mut self, maps: &UnitMaps, notes: &mut SearchNotes) {
        let Phase::Spread(spread) = self.leave_phase() else { return };
        self.versions.extend(&spread.versions);
        self.overflowed |= spread.has_overflowed();
        if let Some((goal, segments)) = spread.found() {
            self.phase = Phase::Segments(Box::new(SegmentSearch::new(goal, segments)));
            return;
        }
        let problem = &self.problem;
        let (map, first) = &problem.goals.at[0];
        let is_unknown = matches!(first, MapPlace::Waypoint(_))
            && maps.ready(*map).is_some_and(|map| matches!(map, AnyMap::Graph(_)) && !map.has(first));
        if is_unknown {
            return self.end(Err(PathFailure::UnknownWaypoint));
        }
        if self.local.is_none()
            && problem.request.wants_closest()
            && problem.request.through_door().is_none()
            && let Some(goals) = problem.goals.on(problem.map)
            && let Some(map) = maps.ready(problem.map)
        {
            return match (SearchProblem { goals, ..problem.clone() }).begin_on(&map, notes) {
                Ok(search) => self.phase = Phase::Closest(Box::new(search)),
                Err(reason) => self.end(Err(reason)),
            };
        }
        let reason = if self.overflowed { PathFailure::CostOverflow } else { PathFailure::Unreachable };
        self.end(Err(reason));
    }

    pub(crate) fn work(&self) -> u64 {
        self.work
            + match &self.phase {
                Phase::Local(search) | Phase::Closest(search) => search.work(),
                Phase::Spread(spread) => spread.work,
                Phase::Segments(search) => search.work,
                Phase::Done(_) => 0,
            }
    }

    fn expanded(&self) -> u64 {
        self.expanded
            + match &self.phase {
                Phase::Local(search) | Phase::Closest(search) => search.statistics().expanded,
                Phase::Spread(spread) => spread.expanded(),
                Phase::Segments(search) => search.expanded,
                Phase::Done(_) => 0,
            }
    }
    /// Returns the search for one goal on one map that is under way.
    pub(crate) fn path_search(&self) -> Option<&PathSearch> {
        match &self.phase {
            Phase::Local(search) | Phase::Closest(search) => search.path_search(),
            Phase::Segments(search) => search.path_search(),
            Phase::Spread(_) | Phase::Done(_) => None,
        }
    }

    #[cfg(feature = "debug_draw")]
    pub(crate) fn cell_states(&self) -> Option<(Entity, CellStates<'_>)> {
        match &self.phase {
            Phase::Local(search) | Phase::Closest(search) => search.cell_states(),
            Phase::Spread(spread) => {
                let part = spread.shown()?;
                Some((part.map, Box::new(|cell| part.cell_state(cell))))
            }
            Phase::Segments(search) => {
                let (map, search) = search.shown()?;
                Some((map, Box::new(|cell| search.cell_state(cell))))
            }
            Phase::Done(_) => None,
        }
    }

    /// Returns whether all maps that were searched are unchanged, and the doors too if they were
    /// used.
    pub(crate) fn is_current(&self, maps: &UnitMaps, doors: &Arc<DoorIndex>) -> bool {
        (!self.has_looked_at_doors || Arc::ptr_eq(&self.doors, doors))
            && self
                .versions
                .iter()
                .all(|(map, version)| maps.get(*map).is_some_and(|map| map.version() == *version))
    }

    pub(crate) fn finish(self) -> Result<Route, PathFailure> {
        match self.phase {
            Phase::Done(answer) => answer.map(|route| *route),
            _ => Err(PathFailure::LimitReached),
        }
    }
}

impl SearchProblem {
    /// Returns the order without the wish for the closest place.
    fn without_closest(&self) -> Self {
        Self { request: self.request.clone().or_exactly(), ..self.clone() }
    }

    /// Returns the order to its targets on the agent's own map, if there are any.
    fn near_own_targets(&self) -> Option<Self> {
        let goals = self.goals.on(self.map).filter(|goals| goals.reach.is_some())?;
        Some(Self { goals, ..self.without_closest() })
    }

    /// Returns the order with the goals at which doors lead straight in between the others. From elsewhere
    /// to cells near a target, no other path avoids the outermost of these cells.
    ///
    /// # Errors
    /// No cell is near enough to a target.
    fn with_entrances(&self, maps: &UnitMaps, doors: &DoorIndex) -> Result<Self, PathFailure> {
        let Some(reach) = &self.goals.reach else { return Ok(self.clone()) };
        let is_held = |map: Entity, cell: Cell| match maps.ready(map) {
            Some(AnyMap::Tiles(view)) => reach.holds(cell, &view),
            _ => false,
        };
        if let (map, MapPlace::Cell(first)) = self.goals.at[0]
            && !is_held(map, first)
        {
            return Err(PathFailure::Unreachable);
        }
        let mut at = self.goals.at.to_vec();
        for map in reach.targets.iter().map(|covered| covered.map) {
            let ways_in = doors.of(map).map_or(&[][..], |doors| doors.ways_in());
            for place in ways_in.iter().map(|&number| doors.exit(number).to.map_place()) {
                if place.cell().is_some_and(|cell| is_held(map, cell)) && !at.contains(&(map, place.clone()))
                {
                    at.push((map, place));
                }
            }
        }
        Ok(Self { goals: Goals::new(at.into(), false, Some(reach.clone())), ..self.clone() })
    }

    /// Returns whether a goal may be reached without leaving a map. Returns true for an invalid
    /// query: the search then returns the error.
    fn may_stay_on(&self, view: &MapView) -> bool {
        let MapPlace::Cell(start) = self.start else { return true };
        let (finder, movement) = (view.grid.finder(), view.movement);
        let is_reachable =
            |goal| finder.is_reachable(&PathQuery::new(start, goal).with_movement(movement)).unwrap_or(true);
        self.goals.at.iter().any(|(_, goal)| goal.cell().is_none_or(is_reachable))
    }

    /// Returns the error of places that no search would find, as on a map without doors.
    fn check_places(&self, maps: &UnitMaps) -> Result<(), PathFailure> {
        let outside = |map: Entity, map_place: &MapPlace| match (maps.ready(map), map_place) {
            (Some(AnyMap::Tiles(view)), MapPlace::Cell(cell)) => {
                Some((*cell, view.grid.bounds())).filter(|(cell, bounds)| !bounds.contains(*cell))
            }
            _ => None,
        };
        let goals = || self.goals.at.iter();
        if !goals().any(|(map, _)| maps.ready(*map).is_some()) {
            return Err(goals().find_map(|(map, _)| maps.find(*map).err()).unwrap_or(PathFailure::NoMap));
        }
        if let Some((cell, bounds)) = outside(self.map, &self.start) {
            return Err(PathFailure::start_off(cell, bounds));
        }
        if let Some((cell, bounds)) = goals().find_map(|(map, place)| outside(*map, place)) {
            return Err(PathFailure::goal_off(cell, bounds));
        }
        let is_somewhere = |map| maps.ready(map).is_some_and(|map| map.projection().is_somewhere());
        if goals().any(|(map, _)| is_somewhere(*map)) { Ok(()) } else { Err(PathFailure::MapWithoutArea) }
    }
}

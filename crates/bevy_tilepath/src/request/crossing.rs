//! The search for a way from map to map, through doors.
//!
//! The ends of all doors, the start and the goals are the nodes of a small graph. What a stretch between two of them
//! on one map costs is at first only known to be no less than some bound; it is searched when the best way known so
//! far would lead over it. Once every stretch of the best way is known, no other can be better: its bound is a bound.

use std::collections::BTreeMap;

use bevy_ecs::entity::Entity;
use tilepath::{
    Answer, Graph, NodeId, Outcome, Path, PathQuery, PathSearch, QueryError, SearchStatus, Statistics,
    WaypointRoute,
};

#[cfg(feature = "debug_draw")]
use crate::request::order_search::CellStates;
use crate::{
    agent::{Entrance, FoundLeg},
    doors::{KnownDoor, KnownDoors, Passage},
    failure::PathFailure,
    maps::{AnyMap, Maps, Stamp},
    request::{Job, NoteNumber, OrderSearch, SearchNotes, Spot, Way, graph_statistics},
};

/// A search over several maps, run in slices.
#[derive(Debug)]
pub(crate) struct CrossingSearch {
    job: Job,
    /// A way into a map is never a way out of it: stretches and doors alternate.
    graph: Graph,
    nodes: Vec<Station>,
    goals: Vec<NodeId>,
    known: BTreeMap<(NodeId, NodeId), Stretch>,
    under_way: Option<(NodeId, NodeId, Box<PathSearch>, NoteNumber)>,
    /// As all maps were when it began.
    stamps: Vec<(Entity, Stamp)>,
    doors_edition: u64,
    expanded: u64,
    /// As `expanded`, but in the unit of the budget.
    work: u64,
    overflowed: bool,
    state: State,
}

#[derive(Debug)]
enum State {
    Searching,
    /// By these nodes, to the goal of that index.
    Found(Vec<NodeId>, usize),
    Failed(PathFailure),
    /// There is no way: as near as possible on the own map.
    Closest(Box<OrderSearch>),
}

/// A place where a stretch begins or ends.
#[derive(Debug, Clone)]
struct Station {
    map: Entity,
    spot: Spot,
}

/// What is known exactly.
#[derive(Debug)]
enum Stretch {
    Cells(Path),
    Waypoints(WaypointRoute),
    Door(Entrance, f64),
}

impl CrossingSearch {
    pub(super) fn new(job: &Job, maps: &Maps, doors: &KnownDoors) -> Result<Self, PathFailure> {
        let is_ready = |index| maps.ready(job.goals.spot(index).0).is_some();
        if !(0..job.goals.len()).any(is_ready) {
            return Err(PathFailure::NoMap);
        }
        check_bounds(job, maps)?;
        let mut search = Self {
            job: job.clone(),
            graph: Graph::new(),
            nodes: Vec::new(),
            goals: Vec::new(),
            known: BTreeMap::new(),
            under_way: None,
            stamps: Vec::new(),
            doors_edition: doors.edition(),
            expanded: 0,
            work: 0,
            overflowed: false,
            state: State::Searching,
        };
        search.lay_out(maps, doors).ok_or(PathFailure::QueryRefused)?;
        Ok(search)
    }

    /// Puts up the nodes and what leads from one to another, at bounds.
    fn lay_out(&mut self, maps: &Maps, doors: &KnownDoors) -> Option<()> {
        // One enters a map at these, and leaves it, or stays, at those.
        let start = self.add(self.job.map, self.job.start.clone(), maps)?;
        let (mut ways_in, mut ways_out) = (vec![start], Vec::new());
        for known in doors.iter() {
            let KnownDoor { entity, door, edition } = known;
            if maps.ready(door.from.map()).is_none() || maps.ready(door.to.map()).is_none() {
                continue;
            }
            let there = [(&door.from, &door.to)];
            let back = (!door.one_way).then_some((&door.to, &door.from));
            for (out, into) in there.into_iter().chain(back) {
                let way_out = self.add(out.map(), out.spot(), maps)?;
                let way_in = self.add(into.map(), into.spot(), maps)?;
                self.graph.add_edge(way_out, way_in, door.cost).ok()?;
                let leaps = door.passage == Passage::Leap;
                let entrance = Entrance { door: *entity, leaps, edition: *edition };
                self.known.insert((way_out, way_in), Stretch::Door(entrance, door.cost));
                ways_out.push(way_out);
                ways_in.push(way_in);
            }
        }
        for index in 0..self.job.goals.len() {
            let (map, spot) = self.job.goals.spot(index);
            let goal = self.add(map, spot, maps)?;
            self.goals.push(goal);
        }
        for &from in &ways_in {
            for &to in ways_out.iter().chain(&self.goals) {
                if let Some(bound) = self.bound(from, to, maps) {
                    // A bound that is no number belongs to a map without area: nobody gets there.
                    let _ = self.graph.add_edge(from, to, bound);
                }
            }
        }
        Some(())
    }

    fn add(&mut self, map: Entity, spot: Spot, maps: &Maps) -> Option<NodeId> {
        if !self.stamps.iter().any(|&(known, _)| known == map)
            && let Some(stamp) = maps.get(map).map(|map| map.stamp())
        {
            self.stamps.push((map, stamp));
        }
        self.nodes.push(Station { map, spot });
        self.graph.add_node().ok()
    }

    /// The least that the stretch can cost; `None` if they are on different maps.
    fn bound(&self, from: NodeId, to: NodeId, maps: &Maps) -> Option<f64> {
        let (from, to) = (&self.nodes[from.index()], &self.nodes[to.index()]);
        if from.map != to.map {
            return None;
        }
        let map = maps.ready(from.map).filter(|map| map.projection().is_somewhere())?;
        match (map, &from.spot, &to.spot) {
            (map @ AnyMap::Tiles(ground), Spot::Cell(from), Spot::Cell(to)) => {
                let movement = ground.grid.finder().movement(ground.grid.movement())?;
                let steps = from.x.abs_diff(to.x).max(from.y.abs_diff(to.y));
                Some(f64::from(steps) * f64::from(movement.steps().straight()) * map.unit())
            }
            _ => Some(0.0),
        }
    }

    pub(super) fn advance(&mut self, slice: u64, maps: &Maps, notes: &mut SearchNotes) -> SearchStatus {
        let limit = self.job.request.limit().unwrap_or(u64::MAX);
        let mut left = slice;
        while left > 0 {
            match &mut self.state {
                State::Closest(search) => return search.advance(left, maps, notes),
                State::Found(..) | State::Failed(_) => return SearchStatus::Done,
                State::Searching => {}
            }
            let before = self.work;
            match self.under_way.take() {
                Some((from, to, mut search, note)) => {
                    let already = (search.statistics().expanded, search.work());
                    let status = search.advance(left.min(limit.saturating_sub(self.expanded).max(1)));
                    self.expanded += search.statistics().expanded - already.0;
                    self.work += search.work() - already.1;
                    match status {
                        SearchStatus::Running => self.under_way = Some((from, to, search, note)),
                        SearchStatus::Done => {
                            let map = self.nodes[from.index()].map;
                            notes.searched(self.job.order.entity, map, maps, &search);
                            let answer = search.finish();
                            notes.answer(note, &answer);
                            self.settle_cells(from, to, answer, maps);
                        }
                    }
                }
                None => self.choose(maps, notes),
            }
            if self.expanded > limit && matches!(self.state, State::Searching) {
                self.state = State::Failed(PathFailure::LimitReached);
            }
            left = left.saturating_sub((self.work - before).max(1));
        }
        match &self.state {
            State::Searching | State::Closest(_) => SearchStatus::Running,
            State::Found(..) | State::Failed(_) => SearchStatus::Done,
        }
    }

    /// Looks at the best way by what is known, and begins the first stretch of it that is not.
    fn choose(&mut self, maps: &Maps, notes: &mut SearchNotes) {
        let Ok(tree) = self.graph.shortest_path_tree(NodeId::new(0)) else {
            self.state = State::Failed(PathFailure::CostOverflow);
            return;
        };
        let mut best: Option<(f64, usize)> = None;
        for (index, &goal) in self.goals.iter().enumerate() {
            if let Some(cost) = tree.distance(goal)
                && best.is_none_or(|(least, _)| cost < least)
            {
                best = Some((cost, index));
            }
        }
        let Some((chosen, path)) =
            best.and_then(|(_, chosen)| Some((chosen, tree.path_to(self.goals[chosen])?)))
        else {
            self.state = self.without_a_way(maps, notes);
            return;
        };
        let unknown = path.nodes.windows(2).find(|pair| !self.known.contains_key(&(pair[0], pair[1])));
        match unknown {
            None => self.state = State::Found(path.nodes, chosen),
            Some(pair) => self.begin_stretch(pair[0], pair[1], maps, notes),
        }
    }

    fn without_a_way(&self, maps: &Maps, notes: &mut SearchNotes) -> State {
        let job = &self.job;
        if let (map, Spot::Waypoint(id)) = job.goals.spot(0)
            && let Some(AnyMap::Graph(roads)) = maps.ready(map)
            && !roads.graph.graph().contains(&id)
        {
            return State::Failed(PathFailure::UnknownWaypoint);
        }
        if job.request.wants_closest()
            && job.goals.are_on(job.map)
            && let Some(map) = maps.ready(job.map)
        {
            return match job.begin_on(&map, notes) {
                Ok(search) => State::Closest(Box::new(search)),
                Err(reason) => State::Failed(reason),
            };
        }
        State::Failed(if self.overflowed { PathFailure::CostOverflow } else { PathFailure::Unreachable })
    }

    fn begin_stretch(&mut self, from: NodeId, to: NodeId, maps: &Maps, notes: &mut SearchNotes) {
        let (start, goal) = (&self.nodes[from.index()], &self.nodes[to.index()]);
        match (maps.ready(start.map), &start.spot, &goal.spot) {
            (Some(AnyMap::Tiles(ground)), &Spot::Cell(start), &Spot::Cell(goal)) => {
                let query = PathQuery::new(start, goal).with_movement(ground.grid.movement());
                let note = notes.ask(&ground, &query);
                match ground.grid.finder().begin(&query) {
                    Ok(search) => self.under_way = Some((from, to, Box::new(search), note)),
                    Err(error) => {
                        notes.answer(note, &Err(error));
                        self.close(from, to);
                    }
                }
            }
            (Some(map @ AnyMap::Graph(roads)), start, goal) => match roads.graph.route(start, goal) {
                Ok(route) => {
                    self.expanded += route.expanded();
                    self.work += route.expanded();
                    self.settle(from, to, route.cost() * map.unit(), Stretch::Waypoints(route));
                }
                Err(_) => self.close(from, to),
            },
            _ => self.close(from, to),
        }
    }

    fn settle_cells(&mut self, from: NodeId, to: NodeId, answer: Result<Answer, QueryError>, maps: &Maps) {
        let unit = maps.get(self.nodes[from.index()].map).map_or(f64::NAN, |map| map.unit());
        match answer.map(|answer| answer.outcome) {
            Ok(Outcome::Found(path)) => {
                self.settle(from, to, f64::from(path.cost().get()) * unit, Stretch::Cells(path));
            }
            Ok(_) => self.close(from, to),
            Err(error) => {
                self.overflowed |= PathFailure::from(error) == PathFailure::CostOverflow;
                self.close(from, to);
            }
        }
    }

    fn settle(&mut self, from: NodeId, to: NodeId, cost: f64, stretch: Stretch) {
        if self.graph.set_edge_cost(from, to, cost).is_ok() {
            self.known.insert((from, to), stretch);
        } else {
            self.close(from, to);
        }
    }

    /// There is no way from one to the other on their map.
    fn close(&mut self, from: NodeId, to: NodeId) {
        self.graph.remove_edge(from, to).expect("stretches are closed once");
    }

    pub(super) fn work(&self) -> u64 {
        let closest = if let State::Closest(search) = &self.state { search.work() } else { 0 };
        self.work + closest
    }

    #[cfg(feature = "debug_draw")]
    pub(super) fn cell_states(&self) -> Option<(Entity, CellStates<'_>)> {
        if let State::Closest(search) = &self.state {
            return search.cell_states();
        }
        let (from, _, search, _) = self.under_way.as_ref()?;
        Some((self.nodes[from.index()].map, Box::new(|cell| search.cell_state(cell))))
    }

    pub(super) fn statistics(&self) -> Statistics {
        match &self.state {
            State::Closest(search) => search.statistics(),
            _ => graph_statistics(self.expanded),
        }
    }

    pub(super) fn is_current(&self, maps: &Maps, doors: &KnownDoors) -> bool {
        self.doors_edition == doors.edition()
            && self.stamps.iter().all(|(map, stamp)| maps.get(*map).is_some_and(|map| map.stamp() == *stamp))
    }

    pub(super) fn finish(mut self, maps: &Maps, notes: &mut SearchNotes) -> Result<Way, PathFailure> {
        let statistics = self.statistics();
        match self.state {
            State::Searching => Err(PathFailure::LimitReached),
            State::Failed(reason) => Err(reason),
            State::Closest(search) => search.finish(&self.job, maps, notes),
            State::Found(ref nodes, chosen) => {
                let mut entrance = None;
                let mut legs: Vec<FoundLeg> = Vec::new();
                for pair in nodes.windows(2) {
                    let from = &self.nodes[pair[0].index()];
                    let map = maps.get(from.map).ok_or(PathFailure::NoMap)?;
                    let stretch = self.known.remove(&(pair[0], pair[1])).ok_or(PathFailure::QueryRefused)?;
                    match (stretch, map) {
                        (Stretch::Door(door, cost), _) => entrance = Some((door, cost)),
                        (Stretch::Cells(path), AnyMap::Tiles(ground)) => {
                            legs.push(ground.leg(path, entrance.take()));
                        }
                        (Stretch::Waypoints(route), AnyMap::Graph(roads)) => {
                            legs.push(roads.leg(&route, &from.spot, entrance.take()));
                        }
                        _ => return Err(PathFailure::NoMap),
                    }
                }
                Ok(Way { legs, partial: false, chosen, statistics })
            }
        }
    }
}

/// What no search would find, for the same reasons as on a map without doors.
fn check_bounds(job: &Job, maps: &Maps) -> Result<(), PathFailure> {
    let outside = |map: Entity, spot: &Spot| match (maps.ready(map), spot) {
        (Some(AnyMap::Tiles(ground)), Spot::Cell(cell)) => {
            Some((*cell, ground.grid.bounds())).filter(|(cell, bounds)| !bounds.contains(*cell))
        }
        _ => None,
    };
    if let Some((cell, bounds)) = outside(job.map, &job.start) {
        return Err(PathFailure::start_off(cell, bounds));
    }
    let mut is_anywhere = false;
    for index in 0..job.goals.len() {
        let (map, spot) = job.goals.spot(index);
        if let Some((cell, bounds)) = outside(map, &spot) {
            return Err(PathFailure::goal_off(cell, bounds));
        }
        is_anywhere |= maps.ready(map).is_some_and(|map| map.projection().is_somewhere());
    }
    if is_anywhere { Ok(()) } else { Err(PathFailure::MapWithoutArea) }
}

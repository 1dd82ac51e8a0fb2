//! The spread over several maps: the cheapest place of all maps is settled next.

use std::sync::Arc;

use bevy_ecs::entity::{Entity, EntityHashMap};

use crate::{
    map::{
        door::index::{DoorIndex, Entrance},
        maps::UnitMaps,
        place::MapPlace,
        version::Version,
    },
    search::{
        multi_map::{
            part::{MapPart, PortalNode},
            rest::{DOORS_A_UNIT, Rests},
            segment::{Segment, SegmentCourse},
        },
        problem::SearchProblem,
    },
};

/// The part of a cost that counts as more than rounding.
const ROUNDING: f64 = 1e-9;

/// One search for each map that a path may lead over.
#[derive(Clone, Debug)]
pub(crate) struct Spread {
    doors: Arc<DoorIndex>,
    start: (Entity, MapPlace),
    goals: EntityHashMap<Vec<(usize, MapPlace)>>,
    is_single_goal: bool,
    rests: Rests,
    parts: Vec<MapPart>,
    /// The index of a map's part; `None` for maps that no path leads over.
    by_map: EntityHashMap<Option<usize>>,
    /// The versions of the maps when their parts began.
    pub(crate) versions: Vec<(Entity, Version)>,
    /// The upper limit: paths must cost less.
    ceiling: f64,
    best: Option<Best>,
    last_part: usize,
    pub(crate) work: u64,
    overflowed: bool,
}

#[derive(Debug, Clone, Copy)]
struct Best {
    cost: f64,
    goal: usize,
    part: usize,
    node: PortalNode,
}

impl Spread {
    /// Returns a search for paths that cost less than a ceiling, by more than rounding.
    pub(crate) fn new(
        problem: &SearchProblem,
        maps: &UnitMaps,
        doors: &Arc<DoorIndex>,
        ceiling: f64,
    ) -> Self {
        let mut goals: EntityHashMap<Vec<(usize, MapPlace)>> = EntityHashMap::default();
        for (index, (map, place)) in problem.goals.at.iter().enumerate() {
            goals.entry(*map).or_default().push((index, place.clone()));
        }
        let rests = Rests::new(&goals, doors, maps, ceiling);
        let mut spread = Self {
            doors: Arc::clone(doors),
            start: (problem.map, problem.start.clone()),
            is_single_goal: problem.goals.at.len() == 1,
            goals,
            work: 1 + rests.work / DOORS_A_UNIT,
            rests,
            parts: Vec::new(),
            by_map: EntityHashMap::default(),
            versions: Vec::new(),
            ceiling: ceiling * (1.0 - ROUNDING),
            best: None,
            last_part: 0,
            overflowed: false,
        };
        spread.part_of(problem.map, maps);
        spread
    }

    /// Returns the index of the part of a map. The part begins when the first door leads there.
    fn part_of(&mut self, map: Entity, maps: &UnitMaps) -> Option<usize> {
        if let Some(known) = self.by_map.get(&map) {
            return *known;
        }
        self.versions.extend(maps.get(map).map(|view| (map, view.version())));
        let start = (self.start.0 == map).then_some(&self.start.1);
        let goals = self.goals.get(&map).map_or(&[][..], |goals| goals);
        let part = maps.ready(map).and_then(|view| MapPart::new(&view, start, goals, &self.rests));
        let number = part.map(|part| {
            self.parts.push(part);
            self.parts.len() - 1
        });
        self.by_map.insert(map, number);
        number
    }

    /// Settles the cheapest places of all maps within this budget. Returns whether there is more to
    /// do.
    pub(crate) fn advance(&mut self, budget: u64, maps: &UnitMaps) -> bool {
        let limit = self.work.saturating_add(budget);
        while self.work < limit {
            // Finds the map with the cheapest place, and the cost up to which it may go before
            // another map is cheaper.
            let mut next: Option<(f64, usize)> = None;
            let mut until = self.best.map_or(self.ceiling, |best| best.cost);
            for (number, part) in self.parts.iter_mut().enumerate() {
                let Some(cost) = part.next_cost() else { continue };
                match next {
                    Some((least, _)) if cost >= least => until = until.min(cost),
                    _ => {
                        until = next.map_or(until, |(second, _)| until.min(second));
                        next = Some((cost, number));
                    }
                }
            }
            let Some((_, number)) = next.filter(|&(cost, _)| self.may_be_better(cost)) else {
                return false;
            };
            self.last_part = number;
            let part = &mut self.parts[number];
            let before = part.expanded();
            let settled = part.advance(limit - self.work, until, self.doors.of(part.map));
            self.work += (part.expanded() - before).max(1);
            let Some(settled) = settled else { continue };
            if let Some(goal) = settled.goal
                && self.best.is_none_or(|best| (settled.cost, goal) < (best.cost, best.goal))
                && settled.cost < self.ceiling
            {
                self.best = Some(Best { cost: settled.cost, goal, part: number, node: settled.node });
            }
            for exit in settled.exits {
                self.work += 1;
                self.pass(exit, settled.cost, maps);
            }
        }
        true
    }

    /// Returns whether a path with at least this cost may be better than the best one. Of several
    /// goals with equal costs the first counts.
    fn may_be_better(&self, cost: f64) -> bool {
        match self.best {
            Some(best) if self.is_single_goal => cost < best.cost,
            Some(best) => cost <= best.cost,
            None => cost < self.ceiling,
        }
    }

    fn pass(&mut self, number: usize, cost: f64, maps: &UnitMaps) {
        let doors = Arc::clone(&self.doors);
        let exit = doors.exit(number);
        let to = exit.to.map();
        if exit.is_dead_end && !self.goals.contains_key(&to) || !exit.lets_pass(maps.movement) {
            return;
        }
        // A path back to the start never costs less than nothing: it would be a ring.
        if to == self.start.0 && exit.to.map_place() == self.start.1 {
            return;
        }
        // The part begins even if nothing gets in, because the answer now depends on that map.
        let Some(part) = self.part_of(to, maps) else { return };
        let map_place = exit.to.map_place();
        if !maps.get(to).is_some_and(|map| map.lets_in(&map_place)) {
            return;
        }
        if self.parts[part].enter(&map_place, cost + exit.cost, number).is_none() {
            self.overflowed = true;
        }
    }

    /// Returns the best goal that was found, and the path to it.
    pub(crate) fn found(&self) -> Option<(usize, Vec<Segment>)> {
        let best = self.best?;
        let mut segments = Vec::new();
        let (mut part, mut node) = (&self.parts[best.part], best.node);
        loop {
            let entered_by = part.entered_by(node).map(|number| self.doors.exit(number));
            let course = match part.cells_to(node) {
                Some((from, to)) => SegmentCourse::Cells { from, to },
                None => SegmentCourse::Waypoints(part.route_to(node)?),
            };
            let entrance: Option<(Entrance, f64)> = entered_by.map(|exit| (exit.entrance, exit.cost));
            segments.push(Segment { map: part.map, entrance, course });
            let Some(exit) = entered_by else { break };
            // The cheapest path passes each exit at most once.
            if segments.len() > self.by_map.len() + self.work as usize {
                return None;
            }
            part = &self.parts[(*self.by_map.get(&exit.from.map())?)?];
            node = part.node_of(&exit.from.map_place())?;
        }
        segments.reverse();
        Some((best.goal, segments))
    }

    /// Returns whether a path was left out because its cost is too large to be counted.
    pub(crate) fn has_overflowed(&self) -> bool {
        self.overflowed || self.rests.overflowed || self.parts.iter().any(MapPart::has_overflowed)
    }

    pub(crate) fn expanded(&self) -> u64 {
        self.parts.iter().map(MapPart::expanded).sum()
    }

    /// Returns the part under search.
    #[cfg(feature = "debug_draw")]
    pub(crate) fn shown(&self) -> Option<&MapPart> {
        self.parts.get(self.last_part)
    }
}

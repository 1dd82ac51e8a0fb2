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
    /// The search up to the door through which the order leads, if it names one. Goals count only
    /// behind this door.
    before: Option<Before>,
    parts: Vec<MapPart>,
    /// The index of a map's part, behind that door and before it; `None` for maps that no path leads
    /// over.
    by_map: [EntityHashMap<Option<usize>>; 2],
    passes: Vec<Pass>,
    /// The versions of the maps when their parts began.
    pub(crate) versions: Vec<(Entity, Version)>,
    /// The upper limit: paths must cost less.
    ceiling: f64,
    best: Option<Best>,
    last_part: usize,
    pub(crate) work: u64,
    overflowed: bool,
}

/// The route to the door through which an order leads.
#[derive(Debug, Clone)]
struct Before {
    door: Entity,
    /// The ends where the door may be entered.
    ends: EntityHashMap<Vec<(usize, MapPlace)>>,
    rests: Rests,
}

/// A door that was passed.
#[derive(Debug, Clone, Copy)]
struct Pass {
    /// The number of the exit.
    exit: usize,
    /// The index of the part that it leaves.
    from: usize,
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
        let before = problem.request.through_door().map(|door| {
            let mut ends: EntityHashMap<Vec<(usize, MapPlace)>> = EntityHashMap::default();
            for exit in doors.of_door(door) {
                ends.entry(exit.from.map()).or_default().push((0, exit.from.map_place()));
            }
            let rests = Rests::new(&ends, doors, maps, ceiling);
            Before { door, ends, rests }
        });
        let mut spread = Self {
            doors: Arc::clone(doors),
            start: (problem.map, problem.start.clone()),
            is_single_goal: problem.goals.at.len() == 1,
            goals,
            work: 1 + rests.work / DOORS_A_UNIT,
            rests,
            before,
            parts: Vec::new(),
            by_map: [EntityHashMap::default(), EntityHashMap::default()],
            passes: Vec::new(),
            versions: Vec::new(),
            ceiling: ceiling * (1.0 - ROUNDING),
            best: None,
            last_part: 0,
            overflowed: false,
        };
        spread.part_of(problem.map, spread.before.is_some(), maps);
        spread
    }

    /// Returns the index of the part of a map, before the door of the order or not. The part begins
    /// when the first door leads there.
    fn part_of(&mut self, map: Entity, is_before: bool, maps: &UnitMaps) -> Option<usize> {
        if let Some(known) = self.by_map[usize::from(is_before)].get(&map) {
            return *known;
        }
        self.versions.extend(maps.get(map).map(|view| (map, view.version())));
        let begins = self.start.0 == map && is_before == self.before.is_some();
        let start = begins.then_some(&self.start.1);
        let goals = self.goals.get(&map).filter(|_| !is_before).map_or(&[][..], |goals| goals);
        let rests = self.before.as_ref().filter(|_| is_before).map_or(&self.rests, |before| &before.rests);
        let part = maps.ready(map).and_then(|view| MapPart::new(&view, start, goals, rests));
        let number = part.map(|mut part| {
            part.is_before = is_before;
            self.parts.push(part);
            self.parts.len() - 1
        });
        self.by_map[usize::from(is_before)].insert(map, number);
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
                self.pass(Pass { exit, from: number }, settled.cost, maps);
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

    fn pass(&mut self, pass: Pass, cost: f64, maps: &UnitMaps) {
        let doors = Arc::clone(&self.doors);
        let exit = doors.exit(pass.exit);
        let to = exit.to.map();
        let before = self.before.as_ref().filter(|_| self.parts[pass.from].is_before);
        let is_through = before.is_some_and(|before| before.door == exit.entrance.door);
        let is_before = before.is_some() && !is_through;
        let has_goals = is_through || before.map_or(&self.goals, |before| &before.ends).contains_key(&to);
        if exit.is_dead_end && !has_goals || !exit.lets_pass(maps.movement) {
            return;
        }
        // A path back to the start never costs less than nothing: it would be a ring.
        let begins_there = to == self.start.0 && exit.to.map_place() == self.start.1;
        if begins_there && is_before == self.before.is_some() {
            return;
        }
        // The part begins even if nothing gets in, because the answer now depends on that map.
        let Some(part) = self.part_of(to, is_before, maps) else { return };
        let map_place = exit.to.map_place();
        if !maps.get(to).is_some_and(|map| map.lets_in(&map_place)) {
            return;
        }
        self.passes.push(pass);
        let is_new = self.parts[part].enter(&map_place, cost + exit.cost, self.passes.len() - 1);
        self.overflowed |= is_new.is_none();
        if is_new != Some(true) {
            self.passes.pop();
        }
    }

    /// Returns the best goal that was found, and the path to it.
    pub(crate) fn found(&self) -> Option<(usize, Vec<Segment>)> {
        let best = self.best?;
        let mut segments = Vec::new();
        let (mut part, mut node) = (&self.parts[best.part], best.node);
        loop {
            let pass = part.entered_by(node).map(|number| self.passes[number]);
            let entered_by = pass.map(|pass| self.doors.exit(pass.exit));
            let course = match part.cells_to(node) {
                Some((from, to)) => SegmentCourse::Cells { from, to },
                None => SegmentCourse::Waypoints(part.route_to(node)?),
            };
            let entrance: Option<(Entrance, f64)> = entered_by.map(|exit| (exit.entrance, exit.cost));
            segments.push(Segment { map: part.map, entrance, course });
            let (Some(pass), Some(exit)) = (pass, entered_by) else { break };
            // The cheapest path passes each exit at most once, on each side of the order's door.
            if segments.len() > self.passes.len() + 1 {
                return None;
            }
            part = &self.parts[pass.from];
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

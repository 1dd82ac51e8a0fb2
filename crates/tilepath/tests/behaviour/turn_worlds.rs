//! Random rules of turns, and brute force over all states (cell, turn, points left).
//!
//! The brute force is written from the rules in words. It shares no code with the core.

use std::collections::{BTreeMap, BTreeSet};

use proptest::{collection::vec, prelude::*, sample::select};
use testkit::Oracle;
use tilepath::{
    Cell, Cost, Movement, PathFinder,
    turns::{LongStep, TurnQuery, Zone},
};

use crate::plane_worlds::PlaneWorld;

type Place = (i32, i32);

/// The kinds of zones.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Kind {
    New,
    Beside,
    NoStepWithin,
    NoStepOut,
}

/// A zone by its places. Some of them are off the map.
#[derive(Clone, Debug)]
pub(crate) struct ZoneDraft {
    pub(crate) kind: Kind,
    pub(crate) cells: Vec<Place>,
    pub(crate) except: Vec<Place>,
}

/// The rules of the turns of a unit.
#[derive(Clone, Debug)]
pub(crate) struct TurnDraft {
    pub(crate) points: u64,
    pub(crate) left: Option<u64>,
    pub(crate) turns: u64,
    pub(crate) long_step: LongStep,
    pub(crate) no_stop: Vec<Place>,
    pub(crate) stops_only_on: Option<Vec<Place>>,
    pub(crate) points_on: Vec<(u8, u64)>,
    pub(crate) turn_ends: Vec<(u8, u8)>,
    pub(crate) zones: Vec<ZoneDraft>,
}

impl TurnDraft {
    /// Returns the movement of the unit, with its ends of turns.
    pub(crate) fn movement(&self, plain: Movement) -> Movement {
        self.turn_ends.iter().fold(plain, |movement, &(from, to)| movement.with_turn_end([from], [to]))
    }

    pub(crate) fn query(&self, world: &PlaneWorld, start: Place) -> TurnQuery {
        let origin = world.origin;
        let cell = |&(x, y): &Place| Cell::new(origin.x.wrapping_add(x), origin.y.wrapping_add(y));
        let cells = |places: &[Place]| -> Vec<Cell> { places.iter().map(cell).collect() };
        let mut query = TurnQuery::new(world.cell(start), Cost::new(self.points as u32))
            .with_turns(self.turns as u32)
            .with_no_stop(cells(&self.no_stop))
            .with_long_step(self.long_step);
        if let Some(left) = self.left {
            query = query.with_points_left(Cost::new(left as u32));
        }
        if let Some(only) = &self.stops_only_on {
            query = query.with_stops_only_on(cells(only));
        }
        for &(class, points) in &self.points_on {
            query = query.with_points_on([class], Cost::new(points as u32));
        }
        for zone in &self.zones {
            let listed = cells(&zone.cells);
            let made = match zone.kind {
                Kind::New => Zone::new(listed),
                Kind::Beside => Zone::beside(listed),
                Kind::NoStepWithin => Zone::no_step_within(listed),
                Kind::NoStepOut => Zone::no_step_out(listed),
            };
            query = query.with_zone(made.except(cells(&zone.except)));
        }
        query
    }
}

/// A moment: the turn, the points left, and the points used in this turn.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct Moment {
    pub(crate) turn: u64,
    pub(crate) left: u64,
    pub(crate) used: u64,
}

/// The rules of a unit on a map, in words.
pub(crate) struct Truth<'a> {
    world: &'a PlaneWorld,
    draft: &'a TurnDraft,
    oracle: &'a Oracle,
    pub(crate) start: Place,
}

impl<'a> Truth<'a> {
    pub(crate) fn new(world: &'a PlaneWorld, draft: &'a TurnDraft, oracle: &'a Oracle, start: Place) -> Self {
        Self { world, draft, oracle, start }
    }

    fn class(&self, place: Place) -> u8 {
        let slot = self.world.land.map.slot(place);
        if self.world.land.void[slot] { 0 } else { self.world.land.map.classes[slot] }
    }

    /// A turn has the points of the class where it begins; of several values the last applies.
    fn whole_turn(&self, place: Place) -> u64 {
        if self.draft.turns == 0 {
            return 0;
        }
        let class = self.class(place);
        let own = self.draft.points_on.iter().rev().find(|(other, _)| *other == class);
        own.map_or(self.draft.points, |&(_, points)| points)
    }

    pub(crate) fn first_moment(&self) -> Moment {
        let left = if self.draft.turns == 0 { Some(0) } else { self.draft.left };
        Moment { turn: 1, left: left.unwrap_or_else(|| self.whole_turn(self.start)), used: 0 }
    }

    /// The start is always a place to stop.
    pub(crate) fn may_stop(&self, place: Place) -> bool {
        let is_listed = self.draft.stops_only_on.as_ref().is_none_or(|only| only.contains(&place));
        place == self.start || is_listed && !self.draft.no_stop.contains(&place)
    }

    fn touch(&self, one: Place, other: Place) -> bool {
        testkit::direction(one, other).is_some_and(|number| self.world.land.directions().contains(&number))
    }

    /// Returns whether the step ends the turn, or `None` if a zone forbids it.
    fn ends_turn(&self, from: Place, to: Place) -> Option<bool> {
        let mut ends = self.draft.turn_ends.contains(&(self.class(from), self.class(to)));
        for zone in self.draft.zones.iter().filter(|zone| !zone.except.contains(&to)) {
            let is_in = |place: Place| zone.cells.contains(&place);
            match zone.kind {
                Kind::New => ends |= is_in(to),
                Kind::Beside => {
                    let on_map = zone.cells.iter().filter(|&&enemy| self.world.land.map.contains(enemy));
                    let mut enemies = on_map.copied();
                    ends |= enemies.any(|enemy| self.touch(enemy, from) && self.touch(enemy, to));
                }
                Kind::NoStepWithin if is_in(from) && is_in(to) => return None,
                Kind::NoStepOut if is_in(from) && from != self.start => return None,
                Kind::NoStepWithin | Kind::NoStepOut => {}
            }
        }
        Some(ends)
    }

    /// Returns the moment after a step, if it may be taken at this moment.
    fn after(&self, moment: Moment, from: Place, to: Place, cost: u64) -> Option<Moment> {
        let ends = self.ends_turn(from, to)?;
        let whole = self.whole_turn(from);
        let spent = if cost <= moment.left {
            cost
        } else {
            let is_allowed = match self.draft.long_step {
                LongStep::OwnTurn => {
                    moment.used == 0 && moment.left >= whole && whole > 0 && cost > whole && self.may_stop(to)
                }
                LongStep::AnyPoints => moment.left > 0,
                _ => false,
            };
            is_allowed.then_some(moment.left)?
        };
        let spent = if ends { moment.left } else { spent };
        let is_allowed = !ends || self.may_stop(to);
        is_allowed.then(|| Moment { left: moment.left - spent, used: moment.used + spent, ..moment })
    }

    /// Returns the moment after a wait for the next turn, if the unit may stop here.
    fn next_turn(&self, moment: Moment, place: Place) -> Option<Moment> {
        let waits = self.may_stop(place) && moment.turn < self.draft.turns;
        waits.then(|| Moment { turn: moment.turn + 1, left: self.whole_turn(place), used: 0 })
    }

    /// Returns the best moment at each of some numbered nodes: the least turn, then the most points
    /// left. Every state is visited.
    fn best(
        &self,
        place: impl Fn(usize) -> Place,
        edges: impl Fn(usize) -> Vec<(usize, u64)>,
        start: usize,
    ) -> BTreeMap<usize, (u64, u64)> {
        // Whether points were used in the turn is part of the state; how many is not.
        let first = (start, self.first_moment());
        let key = |(node, moment): (usize, Moment)| (node, moment.turn, moment.left, moment.used == 0);
        let mut seen = BTreeSet::from([key(first)]);
        let mut waiting = vec![first];
        let mut best: BTreeMap<usize, (u64, u64)> = BTreeMap::new();
        while let Some((node, moment)) = waiting.pop() {
            let here = place(node);
            if self.may_stop(here) {
                let rank = |(turn, left): (u64, u64)| (turn, u64::MAX - left);
                let known = best.entry(node).or_insert((moment.turn, moment.left));
                if rank((moment.turn, moment.left)) < rank(*known) {
                    *known = (moment.turn, moment.left);
                }
            }
            let mut next: Vec<(usize, Moment)> = Vec::new();
            next.extend(self.next_turn(moment, here).map(|moment| (node, moment)));
            for (end, cost) in edges(node) {
                next.extend(self.after(moment, here, place(end), cost).map(|moment| (end, moment)));
            }
            waiting.extend(next.into_iter().filter(|&state| seen.insert(key(state))));
        }
        best
    }

    /// Returns the best turn and the most points left in it, for each slot where the unit may stop.
    pub(crate) fn range(&self) -> BTreeMap<usize, (u64, u64)> {
        let map = &self.world.land.map;
        let edges: Vec<Vec<(usize, u64)>> = (self.world.positions())
            .map(|from| {
                let beside = (-1..=1).flat_map(|dy| (-1..=1).map(move |dx| (from.0 + dx, from.1 + dy)));
                let ends = beside.filter(|&to| to != from && map.contains(to));
                ends.filter_map(|to| Some((map.slot(to), self.cost(from, to)?))).collect()
            })
            .collect();
        self.best(|slot| map.position(slot), |slot| edges[slot].clone(), map.slot(self.start))
    }

    pub(crate) fn cost(&self, from: Place, to: Place) -> Option<u64> {
        self.oracle.step_cost_since(self.start, from, to)
    }

    /// Returns the best turn and points left at the end of a line of places.
    pub(crate) fn line(&self, places: &[Place]) -> Option<(u64, u64)> {
        let step = |index: usize| {
            let to = places.get(index + 1)?;
            Some((index + 1, self.cost(places[index], *to)?))
        };
        let best = self.best(|index| places[index], |index| step(index).into_iter().collect(), 0);
        best.get(&(places.len() - 1)).copied()
    }

    /// Walks a path with its stops. Returns the last moment.
    ///
    /// # Panics
    /// If a step or a stop is not allowed.
    pub(crate) fn walk(&self, places: &[Place], stops: &[usize]) -> Moment {
        let (mut moment, mut here) = (self.first_moment(), 0);
        for (number, &stop) in stops.iter().enumerate() {
            if number > 0 {
                moment = self.next_turn(moment, places[here]).expect("the unit may stop and has a turn left");
            }
            for index in here..stop {
                let cost = self.cost(places[index], places[index + 1]).expect("a step of the map");
                let after = self.after(moment, places[index], places[index + 1], cost);
                moment = after.unwrap_or_else(|| panic!("step {index} of {places:?} at {moment:?}"));
            }
            here = stop;
        }
        assert!(self.may_stop(places[here]), "the unit stops on {:?}", places[here]);
        moment
    }
}

/// Draws rules of turns for a unit whose straight step costs this much on the cheapest ground.
pub(crate) fn turn_draft(world: &PlaneWorld, step: u64) -> impl Strategy<Value = TurnDraft> + use<> {
    let cells = world.land.map.classes.len();
    let (width, height) = (world.land.map.width as i32, world.land.map.height as i32);
    // Some places are off the map.
    let places = move |most: usize| vec((-1..=width, -1..=height), 0..=most);
    let points = move || (0..60_u64, 1..=4_u64).prop_map(move |(number, part)| number * step / (part * part));
    let kind = select(vec![Kind::New, Kind::Beside, Kind::NoStepWithin, Kind::NoStepOut]);
    let zone = (kind, places(cells / 2), places(cells / 4));
    let zone = zone.prop_map(|(kind, cells, except)| ZoneDraft { kind, cells, except });
    let only = prop_oneof![3 => Just(None), 1 => places(cells).prop_map(Some)];
    let long_step = select(vec![LongStep::Never, LongStep::OwnTurn, LongStep::AnyPoints]);
    let left = prop_oneof![1 => Just(None), 1 => points().prop_map(Some)];
    let of_classes = prop_oneof![1 => Just(0..=0_usize), 2 => Just(0..=3)];
    let of_pairs = prop_oneof![1 => Just(0..=0_usize), 2 => Just(0..=8)];
    (
        (points(), left, 0..=5_u64, long_step),
        (places(cells / 3), only),
        of_classes.prop_flat_map(move |count| vec((0..4_u8, points()), count)),
        of_pairs.prop_flat_map(|count| vec((0..4_u8, 0..4_u8), count)),
        vec(zone, 0..=2),
    )
        .prop_map(
            |((points, left, turns, long_step), (no_stop, stops_only_on), points_on, turn_ends, zones)| {
                TurnDraft {
                    points,
                    left,
                    turns,
                    long_step,
                    no_stop,
                    stops_only_on,
                    points_on,
                    turn_ends,
                    zones,
                }
            },
        )
}

/// Makes a finder with the draft's movement on the present map.
pub(crate) fn finder(world: &PlaneWorld, draft: &TurnDraft) -> PathFinder {
    PathFinder::new(world.grid(), draft.movement(world.movement(0)))
}

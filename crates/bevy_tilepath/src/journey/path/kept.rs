//! What is proven of how good the rest of a way is.

use bevy_ecs::entity::Entity;
use smallvec::SmallVec;

use super::AgentPath;
use crate::{
    map::{
        place::{MapPlace, Place},
        span::{Span, Spot},
    },
    order::{
        goal::PathGoal,
        route::{Known, Route, Worth},
    },
    route::leg::PathLeg,
};

/// For how many ticks a cell has to be open, where the way was lost, before it counts as a way again: so that a gate that
/// opens and closes for ever does not make agents dance. Each time the way is lost there it is twice as many.
const TRUST: u64 = 32;

/// The longest such wait.
const MOST_TRUST: u64 = 1 << 12;

/// How many places are remembered where the way was lost: the last ones.
const LOST: usize = 4;

/// A cell so near to one where the way was lost belongs to the same gate.
const GATE: f64 = 4.0;

/// By how much, as a part of them, sums of costs on several maps may be off; and bounds in the costs of one map, if doors have a part
/// in them.
const ROUNDING: f64 = 1e-6;

/// What the cheapest rest of a way costs at least.
///
/// It is at first the bound of the search. Walking lowers it by what was walked, an edit to what a way by the changed places would cost
/// at least. While the rest costs no more than that, and what the order tolerates, no search could find a better one.
///
/// # Units
/// A way of one leg over tiles, as most are, is counted in the costs of its map, which are whole numbers; every other in world
/// units, as [`Door`](crate::doors::Door) says.
#[derive(Debug, Clone, Default)]
pub(crate) struct Kept {
    /// The point of the path, by its index, from which it counts.
    pub(crate) at: usize,
    pub(crate) least: f64,
    /// What edits alone, since the search began that is under way, have lowered it to.
    opened: f64,
    /// By how much the goal has come nearer since then, at most.
    moved: f64,
    /// By how much a sum of costs may be off.
    slack: f64,
    /// Up to where what happened to maps and doors is in it.
    pub(crate) known: Known,
    /// Of an order that leads near to a target, or away from it: the way does not end there any more.
    pub(crate) misses_goal: bool,
    /// Where the way was lost, the oldest first.
    pub(crate) lost: SmallVec<[LostPlace; 1]>,
}

/// Where a way was lost: at a wall, a door, or a stretch of a graph.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct LostPlace {
    pub(crate) map: Entity,
    /// What is so near belongs to the same gate.
    pub(crate) gate: Span,
    wait: u64,
    /// The tick in which it opened; `None` while it is closed, and when it counts as any other place again.
    pub(crate) opened: Option<u64>,
}

impl LostPlace {
    /// Whether it has been open for long enough.
    pub(crate) fn is_trusted(&self, now: u64) -> bool {
        self.opened.is_some_and(|opened| now.saturating_sub(opened) >= self.wait)
    }
}

impl Kept {
    pub(crate) fn new(least: f64, misses_goal: bool, known: Known) -> Self {
        Self { least, misses_goal, known, opened: f64::INFINITY, ..Self::default() }
    }

    /// An edit makes ways of that cost possible.
    pub(crate) fn lower(&mut self, least: f64) {
        self.least = self.least.min(least);
        self.opened = self.opened.min(least);
    }

    /// No way costs less than that: there is none that is shorter.
    pub(crate) fn raise(&mut self, least: f64) {
        self.least = self.least.max(least);
    }

    fn walk(&mut self, cost: f64) {
        self.least = (self.least - cost).max(0.0);
        self.opened = (self.opened - cost).max(0.0);
    }

    /// A search has begun.
    pub(crate) fn begin_search(&mut self) {
        (self.opened, self.moved) = (f64::INFINITY, 0.0);
    }

    /// Whether anything that opened since a search began leads to the goal.
    pub(crate) fn has_opened(&self) -> bool {
        self.opened < f64::INFINITY
    }

    /// The goal has moved to where a way back to the old one costs so much.
    pub(crate) fn move_goal(&mut self, back: f64) {
        self.walk(back);
        self.moved += back;
    }

    /// The way was lost there.
    pub(crate) fn lose(&mut self, map: Entity, gate: Span) {
        let known = self.lost.iter().position(|lost| (lost.map, lost.gate) == (map, gate));
        let wait = known.map_or(TRUST, |known| (2 * self.lost.remove(known).wait).min(MOST_TRUST));
        if self.lost.len() == LOST {
            self.lost.remove(0);
        }
        self.lost.push(LostPlace { map, gate, wait, opened: None });
    }

    /// Whether a place where the way was lost waits for being trusted.
    pub(crate) fn waits(&self) -> bool {
        self.lost.iter().any(|lost| lost.opened.is_some())
    }

    /// Whether what has opened belongs to a gate where the way was lost, which has to be open for a while to be trusted.
    pub(crate) fn waits_for(&mut self, map: Entity, opened: &Span, now: u64) -> bool {
        let mut waits = false;
        for lost in self.lost.iter_mut().filter(|lost| lost.map == map && lost.gate.touches(opened)) {
            lost.opened = lost.opened.or(Some(now));
            waits = true;
        }
        waits
    }

    /// Something has closed.
    pub(crate) fn close(&mut self, map: Entity, closed: &Span) {
        for lost in self.lost.iter_mut().filter(|lost| lost.map == map && lost.gate.touches(closed)) {
            lost.opened = None;
        }
    }

    /// A gate that has been open for long enough: it counts as any other place again.
    pub(crate) fn take_trusted(&mut self, now: u64) -> Option<(Entity, Span)> {
        let lost = self.lost.iter_mut().find(|lost| lost.is_trusted(now))?;
        lost.opened = None;
        Some((lost.map, lost.gate))
    }
}

impl AgentPath {
    /// The bound of a way that was found just now.
    pub(crate) fn keep_found(&mut self) {
        let Self { route, .. } = self;
        let is_short = route.partial && route.goals.reach.is_some();
        let least = if route.is_proven { self.in_own_unit(&self.route.worth()) } else { 0.0 };
        self.kept = Kept::new(least, is_short, self.route.known);
        self.kept.slack = if self.is_counted_in_cells() {
            ROUNDING
        } else {
            ROUNDING * self.route.cost() + self.legs().map(|leg| leg.rounding).sum::<f64>()
        };
    }

    /// Whether its costs are those of one tile map.
    pub(crate) fn is_counted_in_cells(&self) -> bool {
        self.route.legs.len() == 1 && self.path().is_some()
    }

    /// What one unit of its own costs is in world units.
    pub(crate) fn unit(&self) -> f64 {
        if self.is_counted_in_cells() { self.leg().unit() } else { 1.0 }
    }

    fn in_own_unit(&self, worth: &Worth) -> f64 {
        match worth.cells {
            Some((map, least)) if self.is_counted_in_cells() && map == self.map() => least,
            _ => worth.in_world / self.unit(),
        }
    }

    /// The index, in the leg under way, of the cell or stop that the agent left last; 0 before it has reached the first.
    pub(crate) fn passed(&self) -> usize {
        self.leg().index_of(self.next).saturating_sub(1)
    }

    /// The same among all points.
    pub(crate) fn passed_point(&self) -> usize {
        self.leg().first + self.passed()
    }

    /// What the way costs from the point of that index on.
    pub(crate) fn rest_from(&self, point: usize) -> f64 {
        let mut legs = self.route.legs.iter().skip_while(|leg| leg.end <= point);
        let Some(leg) = legs.next() else { return 0.0 };
        let here = leg.rest_from(point.saturating_sub(leg.first));
        if self.is_counted_in_cells() {
            return here;
        }
        here * leg.unit() + legs.map(|leg| leg.door_cost + leg.rest_from(0) * leg.unit()).sum::<f64>()
    }

    /// What it costs from a place on, if it leads over that; not before where the agent was when a search began.
    fn rest_at(&self, map: Entity, place: &Spot) -> Option<f64> {
        let since = self.kept.at.saturating_sub(SLOW_SEARCH);
        self.route.legs.iter().filter(|leg| leg.map() == map && leg.end > since).find_map(|leg| {
            let rest = leg.rest_at(place, since.saturating_sub(leg.first))?;
            let behind = leg.end - 1;
            let unit = if self.is_counted_in_cells() { 1.0 } else { leg.unit() };
            Some(rest * unit + self.rest_from(behind))
        })
    }

    /// Takes off the bound what has been walked since.
    pub(crate) fn walk_bound_on(&mut self) {
        let passed = self.passed_point();
        if passed > self.kept.at {
            self.kept.walk((self.rest_from(self.kept.at) - self.rest_from(passed)).max(0.0));
            self.kept.at = passed;
        }
    }

    /// Whether the rest may be worse than the cheapest one by more than that part of it.
    pub(crate) fn may_be_worse(&self, tolerance: f32) -> bool {
        self.exceeds(self.rest_from(self.kept.at), self.kept.least, tolerance)
    }

    /// Whether the rest costs more than is proven, so that walking alone may make it worse than is tolerated.
    pub(crate) fn is_loose(&self) -> bool {
        self.exceeds(self.rest_from(self.kept.at), self.kept.least, 0.0)
    }

    /// Whether a cost is more than another one, and that part of it on top.
    fn exceeds(&self, cost: f64, least: f64, tolerance: f32) -> bool {
        cost > least * (1.0 + f64::from(tolerance)) + self.kept.slack
    }

    /// The way was lost at a place ahead.
    pub(crate) fn lose(&mut self, map: Entity, place: &Place) {
        let gate = self.legs_left().iter().filter(|leg| leg.map() == map).find_map(|leg| leg.span_of(place));
        if let Some(gate) = gate {
            let beside = if matches!(place, Place::Cell(_)) { GATE } else { 0.0 };
            self.kept.lose(map, gate.grown(beside));
        }
    }

    /// A search has shown that no way from that place, which may be one of the path, is better than this.
    pub(crate) fn prove(&mut self, map: Entity, from: &Spot, worth: &Worth) {
        let Some(begun) = self.rest_at(map, from) else { return };
        // The agent was there, or was nearer to there than to where the bound counts from.
        let walked = begun - self.rest_from(self.kept.at);
        let least = (self.in_own_unit(worth) - walked - self.kept.moved).max(0.0);
        self.kept.least = self.kept.least.max(least.min(self.kept.opened));
    }

    /// Whether another way from where the agent is costs less by more than that part of it, or leads to the goal where this
    /// one does not.
    pub(crate) fn is_worse_than(&self, other: &Route, tolerance: f32) -> bool {
        if !self.is_partial() && !self.leads_to_goal() {
            return true;
        }
        if self.is_partial() != other.partial {
            return self.is_partial();
        }
        let has_place = matches!(self.route.asked, PathGoal::One(_) | PathGoal::Nearest(_));
        if has_place && self.is_partial() {
            let end = |leg: &PathLeg| (leg.map(), leg.last_map_place());
            return other.legs.last().map(end) != self.route.legs.last().map(end);
        }
        if !self.leads_to_goal() {
            return true;
        }
        let Some(leg) = other.legs.first() else { return false };
        let rest = self.rest_at(leg.map(), &leg.start());
        let rest = rest.unwrap_or_else(|| self.rest_from(self.passed_point()));
        self.exceeds(rest, self.in_own_unit(&other.price()), tolerance)
    }

    /// Whether it ends at the goal, and not where that was before it moved.
    pub(crate) fn leads_to_goal(&self) -> bool {
        if self.route.goals.reach.is_some() {
            return !self.kept.misses_goal;
        }
        let Some(path) = self.path().filter(|_| self.route.legs.len() == 1) else { return true };
        self.route.goals.at[self.route.chosen].1 == MapPlace::Cell(path.goal())
    }

    /// No search is to be made for what is known now.
    pub(crate) fn trust(&mut self) {
        self.kept.least = self.rest_from(self.kept.at);
    }
}

/// How many points an agent may have gone on while a search ran.
const SLOW_SEARCH: usize = 1 << 12;

#[cfg(test)]
mod tests {
    use tilepath::Cell;

    use super::*;
    use crate::journey::path::tests::along_strip;

    #[test]
    fn bound_known_before_a_search_that_began_further_on_counts_from_there() {
        let mut path = along_strip(9);
        path.kept.lower(70.0);
        assert_eq!((path.rest_from(0), path.rest_from(1)), (80.0, 70.0));
        let prove = |path: &mut AgentPath, least| {
            let worth = Worth { cells: Some((path.map(), least)), in_world: f64::NAN };
            path.prove(path.map(), &Spot::Cell(Cell::new(1, 0)), &worth);
            path.kept.least as u64
        };
        assert_eq!(prove(&mut path, 50.0), 70);
        assert!(path.is_loose());
        path.kept.begin_search();
        assert_eq!(prove(&mut path, 65.0), 75);
    }

    #[test]
    fn cell_that_is_lost_again_is_trusted_half_as_fast() {
        let mut kept = Kept::new(100.0, false, Known::default());
        let (map, gate) = (Entity::PLACEHOLDER, Span::of_cell(Cell::new(3, 3)));
        kept.lose(map, gate);
        kept.lost[0].opened = Some(10);
        assert!(
            kept.waits() && !kept.lost[0].is_trusted(10 + TRUST - 1) && kept.lost[0].is_trusted(10 + TRUST)
        );
        kept.lose(map, gate);
        assert_eq!((kept.lost.len(), kept.lost[0].wait, kept.lost[0].opened), (1, 2 * TRUST, None));
        for x in 0..10 {
            kept.lose(map, Span::of_cell(Cell::new(x, 0)));
        }
        assert_eq!(kept.lost.len(), LOST);
    }

    #[test]
    fn edits_during_a_search_stay_when_its_answer_comes() {
        let mut kept = Kept::new(100.0, false, Known::default());
        kept.lower(60.0);
        kept.begin_search();
        kept.walk(10.0);
        kept.lower(55.0);
        kept.walk(10.0);
        assert_eq!((kept.least, kept.opened), (40.0, 45.0));
    }
}

//! Knowledge of the rest of a path: its lower bound, and the doors ahead.
//!
//! Decision: `docs/decisions/43-kept-paths.md`.

use bevy_ecs::entity::{Entity, MapEntities};
use smallvec::SmallVec;
use tilepath::Cost;

use super::AgentPath;
use crate::{
    map::{
        place::{MapPlace, Place},
        span::{Span, Spot},
        version::Version,
    },
    order::{
        goal::PathGoal,
        route::{Known, Route, Worth},
    },
    route::leg::PathLeg,
};

/// The number of ticks for which a gate must be open before it counts again, after a path was lost
/// there. Each time a path is lost there, the number doubles. Otherwise agents would turn round
/// again and again at a gate that opens and closes.
const TRUST: u64 = 32;

/// The largest such number of ticks.
const MOST_TRUST: u64 = 1 << 12;

/// The number of places that are remembered where the path was lost: the last ones.
const LOST: usize = 4;

/// The distance in cells within which a cell belongs to the same gate.
const GATE: f64 = 4.0;

/// The relative rounding error of sums of costs on several maps, and of bounds on one map if doors
/// are part of them.
const ROUNDING: f64 = 1e-6;

/// A lower bound of the cost of the rest of a path.
///
/// At first it is the bound of the search. Walking lowers it by the cost walked. An edit lowers it
/// to the least cost of a path through the edited places. If the rest costs no more than the bound,
/// with what the order tolerates, no search could find a better path.
///
/// # Units
/// A path of one leg over tiles, the most frequent kind, is counted in the costs of its map, which
/// are whole numbers. Any other path is counted in world units: see [`Door`](crate::doors::Door).
#[derive(Debug, Clone, Default, MapEntities)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(crate) struct Proof {
    /// The index of the point of the path from which the bound counts.
    pub(crate) at: usize,
    pub(crate) least: f64,
    /// The bound that follows from edits alone, since the search under way began.
    opened: f64,
    /// The most that edits can save paths since then.
    saved: f64,
    /// The most by which the goal has come nearer since then.
    moved: f64,
    /// The rounding error of a sum of costs.
    slack: f64,
    /// The versions of maps and doors up to which changes are included.
    pub(crate) known: Known,
    /// The version of all doors at which the doors ahead are known to be open.
    pub(crate) doors: Version,
    /// True if an order that leads near a target, or away from it, does not end there any more.
    pub(crate) misses_goal: bool,
    /// The places where the path was lost, the oldest first.
    #[entities]
    #[cfg_attr(feature = "serde", serde(deserialize_with = "tilepath::read_list"))]
    pub(crate) lost: SmallVec<[LostPlace; 1]>,
}

/// A place where a path was lost: at a wall, a door, or a stretch of a graph.
#[derive(Debug, Clone, Copy, PartialEq, MapEntities)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(crate) struct LostPlace {
    #[entities]
    pub(crate) map: Entity,
    /// The area of the gate. Cells within it belong to the same gate.
    pub(crate) gate: Span,
    wait: u64,
    /// The tick in which it opened. `None` while it is closed, and after it counts as any other
    /// place again.
    pub(crate) opened: Option<u64>,
}

impl LostPlace {
    /// Returns whether it has been open for long enough.
    pub(crate) fn is_trusted(&self, now: u64) -> bool {
        self.opened.is_some_and(|opened| now.saturating_sub(opened) >= self.wait)
    }
}

impl Proof {
    pub(crate) fn new(least: f64, misses_goal: bool, known: Known) -> Self {
        Self { least, misses_goal, known, opened: f64::INFINITY, ..Self::default() }
    }

    /// Lowers the bound, because an edit makes paths of this cost possible.
    pub(crate) fn lower(&mut self, least: f64) {
        self.lower_by(least, f64::INFINITY);
    }

    /// Lowers the bound, because an edit makes paths of this cost possible, and makes no path cheaper by
    /// more than this saving.
    pub(crate) fn lower_by(&mut self, least: f64, saving: f64) {
        self.least = self.least.min(least.max(self.least - saving));
        self.opened = self.opened.min(least);
        self.saved += saving;
    }

    /// Returns whether the bound is above a cost.
    pub(crate) fn is_above(&self, least: f64) -> bool {
        self.least > least || self.opened > least
    }

    /// Raises the bound, because there is no path that costs less.
    pub(crate) fn raise(&mut self, least: f64) {
        self.least = self.least.max(least);
    }

    fn walk(&mut self, cost: f64) {
        self.least = (self.least - cost).max(0.0);
        self.opened = (self.opened - cost).max(0.0);
    }

    /// Prepares the bound for a search that begins.
    pub(crate) fn begin_search(&mut self) {
        (self.opened, self.saved, self.moved) = (f64::INFINITY, 0.0, 0.0);
    }

    /// Returns whether anything that opened since the search began leads to the goal.
    pub(crate) fn has_opened(&self) -> bool {
        self.opened < f64::INFINITY
    }

    /// Lowers the bound, because the goal has moved: a path back to the old goal costs this much.
    pub(crate) fn move_goal(&mut self, back: f64) {
        self.walk(back);
        self.moved += back;
    }

    /// Remembers that the path was lost at this place.
    pub(crate) fn lose(&mut self, map: Entity, gate: Span) {
        let known = self.lost.iter().position(|lost| (lost.map, lost.gate) == (map, gate));
        let wait = known.map_or(TRUST, |known| (2 * self.lost.remove(known).wait).min(MOST_TRUST));
        if self.lost.len() == LOST {
            self.lost.remove(0);
        }
        self.lost.push(LostPlace { map, gate, wait, opened: None });
    }

    /// Returns whether a gate where the path was lost is open but not trusted yet.
    pub(crate) fn waits(&self) -> bool {
        self.lost.iter().any(|lost| lost.opened.is_some())
    }

    /// Returns whether the opened area belongs to a gate where the path was lost. Such a gate must
    /// be open for a while before it counts.
    pub(crate) fn waits_for(&mut self, map: Entity, opened: &Span, now: u64) -> bool {
        let mut waits = false;
        for lost in self.lost.iter_mut().filter(|lost| lost.map == map && lost.gate.touches(opened)) {
            lost.opened = lost.opened.or(Some(now));
            waits = true;
        }
        waits
    }

    /// Closes the gates that this area touches.
    pub(crate) fn close(&mut self, map: Entity, closed: &Span) {
        for lost in self.lost.iter_mut().filter(|lost| lost.map == map && lost.gate.touches(closed)) {
            lost.opened = None;
        }
    }

    /// Returns a gate that has been open for long enough. From now on it counts as any other place.
    pub(crate) fn take_trusted(&mut self, now: u64) -> Option<(Entity, Span)> {
        let lost = self.lost.iter_mut().find(|lost| lost.is_trusted(now))?;
        lost.opened = None;
        Some((lost.map, lost.gate))
    }
}

impl AgentPath {
    /// Sets the bound of a path that has just been found.
    pub(crate) fn keep_found(&mut self) {
        let route = self.route();
        let is_short = route.partial && route.goals.reach.is_some();
        let least = if route.is_proven { self.in_own_unit(&route.worth()) } else { 0.0 };
        self.proof = Proof::new(least, is_short, route.known);
        self.proof.slack = if self.is_counted_in_cells() {
            ROUNDING
        } else {
            ROUNDING * self.route().cost() + self.legs().map(|leg| leg.rounding).sum::<f64>()
        };
    }

    /// Sets the bound of a path whose only leg now is the one behind its last door. Its unit is another
    /// one, so nothing is known of cheaper paths.
    pub(crate) fn keep_last_leg(&mut self) {
        let lost = std::mem::take(&mut self.proof.lost);
        self.proof = Proof { slack: ROUNDING, lost, ..Proof::new(0.0, false, self.proof.known) };
    }

    /// Returns whether the costs are the costs of one tile map.
    pub(crate) fn is_counted_in_cells(&self) -> bool {
        self.route().legs.len() == 1 && self.path().is_some()
    }

    /// Returns the value of one cost unit of the path in world units.
    pub(crate) fn unit(&self) -> f64 {
        if self.is_counted_in_cells() { self.leg().unit() } else { 1.0 }
    }

    fn in_own_unit(&self, worth: &Worth) -> f64 {
        match worth.cells {
            Some((map, least)) if self.is_counted_in_cells() && map == self.map() => least,
            _ => worth.in_world / self.unit(),
        }
    }

    /// Returns the index, in the leg under way, of the cell or stop that the agent left last. It is
    /// 0 before the agent has reached the first.
    pub(crate) fn passed(&self) -> usize {
        self.plan.passed()
    }

    /// Returns the index, among all points, of the point that the agent left last.
    pub(crate) fn passed_point(&self) -> usize {
        self.leg().first + self.passed()
    }

    /// Returns the cost of the path from the point with this index.
    pub(crate) fn rest_from(&self, point: usize) -> f64 {
        let mut legs = self.route().legs.iter().skip_while(|leg| leg.end <= point);
        let Some(leg) = legs.next() else { return 0.0 };
        let here = leg.rest_from(point.saturating_sub(leg.first));
        if self.is_counted_in_cells() {
            return here;
        }
        here * leg.unit() + legs.map(|leg| leg.door_cost + leg.rest_from(0) * leg.unit()).sum::<f64>()
    }

    /// Returns the cost of the path from a place on it. Places that the agent passed before the
    /// search began do not count.
    fn rest_at(&self, map: Entity, place: &Spot) -> Option<f64> {
        let since = self.proof.at.saturating_sub(SLOW_SEARCH);
        self.route().legs.iter().filter(|leg| leg.map() == map && leg.end > since).find_map(|leg| {
            let rest = leg.rest_at(place, since.saturating_sub(leg.first))?;
            let behind = leg.end - 1;
            let unit = if self.is_counted_in_cells() { 1.0 } else { leg.unit() };
            Some(rest * unit + self.rest_from(behind))
        })
    }

    /// Returns whether a place of the agent is not on its path: the agent walks along a straight line,
    /// or other code moves it.
    pub(crate) fn is_beside(&self, map: Entity, here: &MapPlace) -> bool {
        matches!(here, MapPlace::Cell(cell) if map == self.map() && self.rest_at(map, &Spot::Cell(*cell)).is_none())
    }

    /// Lowers the bound by what has been walked.
    pub(crate) fn walk_bound_on(&mut self) {
        let passed = self.passed_point();
        if passed > self.proof.at {
            self.proof.walk((self.rest_from(self.proof.at) - self.rest_from(passed)).max(0.0));
            self.proof.at = passed;
        }
    }

    /// Returns whether the rest may cost more than the cheapest path, by more than this part of it.
    pub(crate) fn may_be_worse(&self, tolerance: f32) -> bool {
        self.exceeds(self.rest_from(self.proof.at), self.proof.least, tolerance)
    }

    /// Returns whether the rest costs more than the bound. Then walking alone may make it worse
    /// than is tolerated.
    pub(crate) fn is_loose(&self) -> bool {
        self.exceeds(self.rest_from(self.proof.at), self.proof.least, 0.0)
    }

    /// Returns the last next point at which a loose path over one tile map is still tolerated. Walking lowers
    /// the rest and the bound by the same cost, so the rest exceeds the bound by an ever greater part.
    /// Returns `None` if the path is not tolerated now.
    pub(crate) fn tolerated_until(&self, tolerance: f32) -> Option<usize> {
        let (_, ahead) = self.leg().cells()?.remaining.get(self.proof.at..)?.split_last()?;
        let excess = self.rest_from(self.proof.at) - self.proof.least;
        let is_tolerated = |rest: &Cost| {
            let rest = f64::from(rest.get());
            !self.exceeds(rest, (rest - excess).max(0.0), tolerance)
        };
        let tolerated = ahead.partition_point(is_tolerated);
        (tolerated > 0).then_some(self.proof.at + tolerated)
    }

    /// Returns whether a cost is more than another one plus this part of it.
    fn exceeds(&self, cost: f64, least: f64, tolerance: f32) -> bool {
        cost > least * (1.0 + f64::from(tolerance)) + self.proof.slack
    }

    /// Remembers that the path was lost at a place ahead.
    pub(crate) fn lose(&mut self, map: Entity, place: &Place) {
        let gate = self.legs_left().iter().filter(|leg| leg.map() == map).find_map(|leg| leg.span_of(place));
        if let Some(gate) = gate {
            let beside = if matches!(place, Place::Cell(_)) { GATE } else { 0.0 };
            self.proof.lose(map, gate.grown(beside));
        }
    }

    /// Raises the bound: a search has shown that no path from this place is better. If the place is
    /// not on the path, nothing changes.
    pub(crate) fn prove(&mut self, map: Entity, from: &Spot, worth: &Worth) {
        let Some(begun) = self.rest_at(map, from) else { return };
        // The agent was at the place, or was nearer to it than to the point from which the bound
        // counts. In the second case `walked` may be negative.
        let walked = begun - self.rest_from(self.proof.at);
        let least = (self.in_own_unit(worth) - walked - self.proof.moved).max(0.0);
        let after_edits = self.proof.opened.max(least - self.proof.saved);
        self.proof.least = self.proof.least.max(least.min(after_edits));
    }

    /// Returns whether another path from the place of the agent costs less, by more than this part
    /// of it. Returns true also if only the other path leads to the goal.
    pub(crate) fn is_worse_than(&self, other: &Route, tolerance: f32) -> bool {
        if !self.is_partial() && !self.leads_to_goal() {
            return true;
        }
        if self.is_partial() != other.partial {
            return self.is_partial();
        }
        let has_place = matches!(self.route().asked, PathGoal::One(_) | PathGoal::Nearest(_));
        if has_place && self.is_partial() {
            let end = |leg: &PathLeg| (leg.map(), leg.last_map_place());
            return other.legs.last().map(end) != self.route().legs.last().map(end);
        }
        if !self.leads_to_goal() {
            return true;
        }
        let Some(leg) = other.legs.first() else { return false };
        let rest = self.rest_at(leg.map(), &leg.start());
        let rest = rest.unwrap_or_else(|| self.rest_from(self.passed_point()));
        self.exceeds(rest, self.in_own_unit(&other.price()), tolerance)
    }

    /// Returns whether the path ends at the goal, and not at the old place of a goal that has
    /// moved.
    pub(crate) fn leads_to_goal(&self) -> bool {
        match self.route().goals.reach {
            Some(_) => !self.proof.misses_goal,
            None => self.plan.ends_at_goal(),
        }
    }

    /// Sets the bound to the cost of the rest, so that no search runs for the changes known now.
    pub(crate) fn trust(&mut self) {
        self.proof.least = self.rest_from(self.proof.at);
    }
}

/// The most points that an agent may pass while a search runs.
const SLOW_SEARCH: usize = 1 << 12;

#[cfg(test)]
mod tests {
    use tilepath::Cell;

    use super::*;
    use crate::journey::path::tests::along_strip;

    #[test]
    fn bound_known_before_a_search_that_began_further_on_counts_from_there() {
        let mut path = along_strip(9);
        path.proof.lower(70.0);
        assert_eq!((path.rest_from(0), path.rest_from(1)), (80.0, 70.0));
        let prove = |path: &mut AgentPath, least| {
            let worth = Worth { cells: Some((path.map(), least)), in_world: f64::NAN };
            path.prove(path.map(), &Spot::Cell(Cell::new(1, 0)), &worth);
            path.proof.least as u64
        };
        assert_eq!(prove(&mut path, 50.0), 70);
        assert!(path.is_loose());
        path.proof.begin_search();
        assert_eq!(prove(&mut path, 65.0), 75);
    }

    #[test]
    fn loose_path_is_tolerated_until_the_rest_exceeds_the_bound_by_too_much() {
        for (least, tolerance) in
            [(290.0, 0.1), (200.0, 0.5), (200.0, 0.49), (0.0, 9.0), (299.0, 0.01), (280.0, 0.0)]
        {
            let mut path = along_strip(31);
            path.proof.lower(least);
            let until = path.tolerated_until(tolerance);
            let mut is_tolerated = |next: &usize| {
                path.plan.set_next(*next);
                path.walk_bound_on();
                !path.may_be_worse(tolerance)
            };
            assert_eq!(until, (1..31).take_while(|next| is_tolerated(next)).last(), "{least} {tolerance}");
        }
    }

    #[test]
    fn cell_that_is_lost_again_is_trusted_half_as_fast() {
        let mut kept = Proof::new(100.0, false, Known::default());
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
        let mut kept = Proof::new(100.0, false, Known::default());
        kept.lower(60.0);
        kept.begin_search();
        kept.walk(10.0);
        kept.lower(55.0);
        kept.walk(10.0);
        assert_eq!((kept.least, kept.opened), (40.0, 45.0));
    }
}

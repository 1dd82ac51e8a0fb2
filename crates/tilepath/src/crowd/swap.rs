//! Bodies that must pass each other in a narrow corridor.

use super::{
    BodyId, Crowd, Guide,
    body::{NONE, Role},
    occupancy::Hold,
};
use crate::{cost::Cost, topology::Topology};
use std::ops::Range;

/// The most cells along which a corridor is followed.
const FARTHEST: usize = 1_024;
/// The distance from a dead end, along each axis in cells, within which bodies count that must
/// enter it first.
const NEAR: u32 = 2;

/// A corridor that leads nowhere else.
#[derive(Clone, Copy, Debug)]
struct DeadEnd {
    /// The cell in it to which a body goes.
    goal: u32,
    /// The cell after the goal, or [`NONE`].
    after: u32,
    /// The number of cells after the goal.
    beyond: u32,
    /// The number of its cells that other bodies hold.
    held: u32,
}

impl Crowd {
    /// Returns the body with which `body`, which wants to enter a cell with these exits, must change
    /// places, or [`NONE`]. Both back out of the corridor, `body` first.
    #[inline]
    pub(super) fn partner<G: Guide>(&self, body: usize, wanted: u32, exits: u8, guide: &mut G) -> u32 {
        let ways = exits & self.straight_ways();
        if ways.count_ones() > 3 || self.bodies[body].size > 1 {
            return NONE;
        }
        self.partner_in_corridor(body, wanted, ways, guide)
    }

    fn partner_in_corridor<G: Guide>(&self, body: usize, wanted: u32, ways: u8, guide: &mut G) -> u32 {
        let state = &self.bodies[body];
        let here = state.from;
        if self.ways_among(body, [here, wanted], ways, guide).0 > 1 {
            return NONE;
        }
        let has_goal = matches!(state.role, Role::UnderWay | Role::Returning);
        let opposite = self
            .standing_on(body, wanted)
            .filter(|&other| has_goal && other as u32 != self.bodies[body].target)
            .filter(|&other| !self.bodies[body].is_kept_by_one_at_its_goal(&self.bodies[other]));
        if let Some(other) = opposite
            && self.bodies[other].decided != self.round
            && !self.bodies[other].is_asked()
            && self.must_swap(body, [here, wanted], None, guide)
            && self.can_swap(body, [wanted, here], guide)
        {
            return other as u32;
        }
        // A body that was drawn out of a corridor continues until the other body can leave the
        // corridor too. A body that would be pushed into the corridor goes elsewhere.
        if let Some(asks) = self.stack.last().map(|frame| frame.body as usize)
            && self.must_swap(asks, [here, wanted], Some(body), guide)
            && self.can_swap(body, [wanted, here], guide)
        {
            return asks as u32;
        }
        if let Some(other) = self.one_to_let_past(body, [here, wanted], guide) {
            return other as u32;
        }
        NONE
    }

    /// Returns a body nearby that could not get past `body`, once `body` is in a dead end.
    fn one_to_let_past<G: Guide>(
        &self,
        body: usize,
        [here, wanted]: [u32; 2],
        guide: &mut G,
    ) -> Option<usize> {
        let exits = guide.exits(BodyId(body as u32), here as usize).bits() & self.straight_ways();
        let beside = (0..8).filter(|&direction| exits >> direction & 1 == 1);
        for slot in beside.map(|direction| self.beside(here, direction)) {
            if slot != wanted && self.is_to_be_let_past(body, slot, [here, wanted], guide) {
                return self.standing_on(body, slot);
            }
        }
        let way = [here, wanted];
        if self.is_alone_near(body, here) {
            return None;
        }
        if matches!(self.bodies[body].role, Role::UnderWay | Role::Returning) {
            self.dead_end(body, way, guide)?;
        }
        self.first_near(body, here, way, guide).filter(|_| self.can_swap(body, [wanted, here], guide))
    }

    fn is_to_be_let_past<G: Guide>(&self, body: usize, slot: u32, way: [u32; 2], guide: &mut G) -> bool {
        if self.occupancy.is_free(slot as usize) {
            return false;
        }
        let is_to_be_let_past = |other: usize| {
            matches!(self.bodies[other].role, Role::UnderWay | Role::Returning)
                && self.must_swap(other, way, Some(body), guide)
                && self.can_swap(body, [way[1], way[0]], guide)
        };
        self.standing_on(body, slot).is_some_and(is_to_be_let_past)
    }

    /// Returns whether a body wants a cell with these exits, before a dead end that another body nearby
    /// must enter first.
    #[inline]
    pub(super) fn one_goes_first<G: Guide>(
        &self,
        body: usize,
        wanted: u32,
        exits: u8,
        guide: &mut G,
    ) -> bool {
        let is_open = match self.topology {
            Topology::Square => exits == u8::MAX,
            Topology::Hexagonal => exits == self.straight_ways(),
        };
        let ways = exits & self.straight_ways();
        !is_open && self.bodies[body].size == 1 && self.one_goes_into_dead_end(body, wanted, ways, guide)
    }

    fn one_goes_into_dead_end<G: Guide>(
        &self,
        body: usize,
        wanted: u32,
        mut left: u8,
        guide: &mut G,
    ) -> bool {
        let id = BodyId(body as u32);
        while left != 0 {
            let direction = left.trailing_zeros() as u8;
            left &= left - 1;
            let next = self.beside(wanted, direction);
            if next == self.bodies[body].from {
                continue;
            }
            let ways = guide.exits(id, next as usize).bits() & self.straight_ways();
            if ways.count_ones() > 3 || self.ways_among(body, [wanted, next], ways, guide).0 > 1 {
                continue;
            }
            // Only for another body, the corridor is followed to its end.
            if self.stack.is_empty() && self.is_alone_near(body, wanted) {
                return false;
            }
            if self.dead_end(body, [wanted, next], guide).is_none() {
                continue;
            }
            let way = [wanted, next];
            if self.first_near(body, wanted, way, guide).is_some()
                || self.first_asking(body, way, guide)
                || self
                    .standing_on(body, next)
                    .is_some_and(|other| self.draws_another(other, body, wanted, guide))
            {
                return true;
            }
        }
        false
    }

    /// Returns whether `body`, which `outer` would draw out of a dead end, must draw out a body
    /// itself and go in before `outer`.
    pub(super) fn draws_another<G: Guide>(&self, body: usize, outer: usize, to: u32, guide: &mut G) -> bool {
        let state = &self.bodies[body];
        let way = [to, state.from];
        if !matches!(state.role, Role::UnderWay | Role::Returning) {
            return false;
        }
        let next = match self.ways_on(body, way, guide) {
            (0, _) => self.full_bay(body, way, guide),
            (1, next) => Some(next),
            _ => None,
        };
        next.is_some_and(|next| self.must_swap(body, [state.from, next], None, guide))
            && self.must_swap(body, way, Some(outer), guide)
    }

    /// Returns a standing body near a cell that must enter a dead end before `body`.
    fn first_near<G: Guide>(&self, body: usize, centre: u32, way: [u32; 2], guide: &mut G) -> Option<usize> {
        let mut others = self.near(body, centre).filter(|&(slot, _)| slot != way[1]);
        others.find(|&(_, other)| self.must_swap(other, way, Some(body), guide)).map(|(_, other)| other)
    }

    /// Returns whether a standing body is the only one near a cell beside its own.
    fn is_alone_near(&self, body: usize, centre: u32) -> bool {
        let [columns, rows] = self.square(centre);
        let width = self.bounds.width();
        let held = |row: u32| self.occupancy.count(row * width + columns.start..row * width + columns.end);
        let shares_cell = || self.occupancy.at(self.bodies[body].from as usize).nth(1).is_some();
        rows.map(held).sum::<usize>() <= 1 && !shares_cell()
    }

    /// Returns the other standing bodies near a cell that have a goal, with their cells.
    fn near(&self, body: usize, centre: u32) -> impl Iterator<Item = (u32, usize)> + '_ {
        let [columns, rows] = self.square(centre);
        let width = self.bounds.width();
        let slots = rows.flat_map(move |row| columns.clone().map(move |column| row * width + column));
        slots.filter(|&slot| !self.occupancy.is_free(slot as usize)).filter_map(move |slot| {
            let other = self.standing_on(body, slot)?;
            matches!(self.bodies[other].role, Role::UnderWay | Role::Returning).then_some((slot, other))
        })
    }

    /// Returns the columns and rows near a cell.
    fn square(&self, centre: u32) -> [Range<u32>; 2] {
        let (width, height) = (self.bounds.width(), self.bounds.height());
        [(centre % width, width), (centre / width, height)]
            .map(|(at, end)| at.saturating_sub(NEAR)..(at + NEAR + 1).min(end))
    }

    /// Returns whether one of the bodies that push `body`, directly or through others, must enter a
    /// dead end before it.
    fn first_asking<G: Guide>(&self, body: usize, way: [u32; 2], guide: &mut G) -> bool {
        let width = self.bounds.width();
        let [x, y] = [way[0] % width, way[0] / width];
        let asking = self.stack.iter().map(|frame| frame.body as usize);
        asking.filter(|&other| other != body && self.bodies[other].size == 1).any(|other| {
            let slot = self.bodies[other].from;
            slot != way[1]
                && (slot % width).abs_diff(x) <= NEAR
                && (slot / width).abs_diff(y) <= NEAR
                && matches!(self.bodies[other].role, Role::UnderWay | Role::Returning)
                && self.must_swap(other, way, Some(body), guide)
        })
    }

    /// Returns whether a body that claims the wanted cell must enter a dead end before `body`, a
    /// few cells further. Then it keeps its claim, whatever the priorities.
    pub(super) fn is_claimed_by_first<G: Guide>(&self, body: usize, wanted: u32, guide: &mut G) -> bool {
        if self.bodies[body].size > 1 {
            return false;
        }
        let claims = self.occupancy.at(wanted as usize).find(|&(owner, hold)| {
            let other = &self.bodies[owner as usize];
            hold == Hold::Claims
                && owner as usize != body
                && other.size == 1
                && matches!(other.role, Role::UnderWay | Role::Returning)
                && other.excludes(&self.bodies[body])
        });
        let Some((other, _)) = claims else { return false };
        let id = BodyId(body as u32);
        let mut at = wanted;
        for _ in 0..=NEAR {
            let exits = guide.exits(id, at as usize).bits() & self.straight_ways();
            let ways = (0..8).filter(|&direction| exits >> direction & 1 == 1);
            let ways = ways.map(|direction| self.beside(at, direction));
            let next = ways.min_by_key(|&slot| guide.rest(id, slot as usize).unwrap_or(Cost::MAX));
            let Some(next) = next else { return false };
            if self.must_swap(other as usize, [at, next], Some(body), guide) {
                return true;
            }
            at = next;
        }
        false
    }

    /// Returns the straight directions, a bit each: on hexagons all six.
    const fn straight_ways(&self) -> u8 {
        match self.topology {
            Topology::Square => 0b0101_0101,
            Topology::Hexagonal => 0b1101_1101,
        }
    }

    /// Returns the body of one cell that stands there in the way of another.
    fn standing_on(&self, body: usize, slot: u32) -> Option<usize> {
        let state = &self.bodies[body];
        let others = self.occupancy.at(slot as usize).filter(|&(owner, hold)| {
            let other = &self.bodies[owner as usize];
            hold == Hold::Holds
                && owner as usize != body
                && !other.is_stepping()
                && other.size == 1
                && other.is_movable()
                && state.excludes(other)
        });
        others.map(|(owner, _)| owner as usize).next()
    }

    /// Returns whether `pusher` cannot reach its goal in a dead end by pushing. That is so if more
    /// bodies are ahead than there are cells beyond the goal, or if one of them wants to be farther
    /// out than the goal.
    ///
    /// If `enters` is given, returns whether that body would be in the way if it went in first.
    fn must_swap<G: Guide>(
        &self,
        pusher: usize,
        way: [u32; 2],
        enters: Option<usize>,
        guide: &mut G,
    ) -> bool {
        if enters.is_some_and(|enters| enters as u32 == self.bodies[pusher].target) {
            return false;
        }
        let Some(end) = self.dead_end(pusher, way, guide) else { return false };
        let Some(enters) = enters else {
            return end.held > end.beyond || self.is_one_to_end_farther_out(pusher, way, end, guide);
        };
        // Two bodies with the same goal need not let each other past.
        let is_in_the_way = !self.goes_there_too(enters, pusher, end, guide)
            && self.ends_farther_out(enters, true, end, guide);
        // A body with a goal must go in, even if there is room only after others have come out.
        let has_goal = matches!(self.bodies[enters].role, Role::UnderWay | Role::Returning);
        is_in_the_way || !has_goal && end.held >= end.beyond
    }

    /// Returns the dead end that the corridor leads into, if the goal of a body is in it.
    fn dead_end<G: Guide>(
        &self,
        body: usize,
        [mut behind, mut ahead]: [u32; 2],
        guide: &mut G,
    ) -> Option<DeadEnd> {
        let rest = |guide: &mut G, slot: u32| {
            let rest = guide.rest(BodyId(body as u32), slot as usize);
            rest.map_or(u32::MAX, Cost::get)
        };
        if rest(guide, ahead) >= rest(guide, behind) {
            return None;
        }
        let (mut held, mut found) = (0, None);
        for _ in 0..FARTHEST {
            found = match found {
                _ if rest(guide, ahead) == 0 => {
                    Some(DeadEnd { goal: ahead, after: NONE, beyond: 0, held: 0 })
                }
                Some(DeadEnd { after: NONE, .. }) => {
                    found.map(|end| DeadEnd { after: ahead, beyond: 1, ..end })
                }
                _ => found.map(|end| DeadEnd { beyond: end.beyond + 1, ..end }),
            };
            held += u32::from(self.is_held_against(body, ahead));
            match self.ways_on(body, [behind, ahead], guide) {
                (0, _) => match self.full_bay(body, [behind, ahead], guide) {
                    Some(bay) => (behind, ahead) = (ahead, bay),
                    None => return found.map(|end| DeadEnd { held, ..end }),
                },
                (1, next) => (behind, ahead) = (ahead, next),
                _ => return None,
            }
        }
        None
    }

    /// Returns the last cell of a dead end, which is held. If there are several, returns the one
    /// nearest to the goal of a body.
    fn full_bay<G: Guide>(&self, body: usize, [behind, ahead]: [u32; 2], guide: &mut G) -> Option<u32> {
        let id = BodyId(body as u32);
        let exits = guide.exits(id, ahead as usize).bits() & self.straight_ways();
        let bays = (0..8).filter(|&direction| exits >> direction & 1 == 1);
        let bays = bays.map(|direction| self.beside(ahead, direction)).filter(|&bay| bay != behind);
        bays.min_by_key(|&bay| guide.rest(id, bay as usize).unwrap_or(Cost::MAX))
    }

    /// Returns whether a body that is in the way of another in a dead end wants to be farther out
    /// than the other's goal.
    fn is_one_to_end_farther_out<G: Guide>(
        &self,
        body: usize,
        [mut behind, mut ahead]: [u32; 2],
        end: DeadEnd,
        guide: &mut G,
    ) -> bool {
        let mut is_before = true;
        for _ in 0..FARTHEST {
            if let Some(other) = self.standing_on(body, ahead)
                && self.ends_farther_out(other, is_before, end, guide)
            {
                return true;
            }
            is_before &= ahead != end.goal;
            let next = match self.ways_on(body, [behind, ahead], guide) {
                (0, _) => self.full_bay(body, [behind, ahead], guide),
                (_, next) => Some(next),
            };
            let Some(next) = next else { return false };
            (behind, ahead) = (ahead, next);
        }
        false
    }

    /// Returns whether a standing body wants to be at the goal of another in a dead end, or farther
    /// out. A resting body wants to stay where it is, so `is_before` decides: true if it is not
    /// beyond the goal. A body without a goal may be pushed anywhere.
    fn ends_farther_out<G: Guide>(&self, body: usize, is_before: bool, end: DeadEnd, guide: &mut G) -> bool {
        let state = &self.bodies[body];
        let mut rest = |slot: u32| guide.rest(BodyId(body as u32), slot as usize).unwrap_or(Cost::MAX);
        match state.role {
            Role::UnderWay | Role::Returning => {
                end.after == NONE || rest(end.after) >= rest(end.goal) && rest(end.goal) > Cost::ZERO
            }
            Role::Resting => is_before && state.goal != NONE,
            Role::Absent | Role::Fixed => false,
        }
    }

    /// Returns whether a body has the goal of another, which is in a dead end.
    fn goes_there_too<G: Guide>(&self, body: usize, other: usize, end: DeadEnd, guide: &mut G) -> bool {
        let (state, there) = (&self.bodies[body], &self.bodies[other]);
        state.goal != NONE && state.goal == there.goal
            || matches!(state.role, Role::UnderWay | Role::Returning)
                && guide.rest(BodyId(body as u32), end.goal as usize) == Some(Cost::ZERO)
    }

    /// Returns whether a body that this one excludes stands on a cell or enters it.
    fn is_held_against(&self, body: usize, slot: u32) -> bool {
        let state = &self.bodies[body];
        self.occupancy.at(slot as usize).any(|(owner, hold)| {
            hold == Hold::Holds && owner as usize != body && state.excludes(&self.bodies[owner as usize])
        })
    }

    /// Returns whether a corridor leads to a place where two bodies can pass each other.
    fn can_swap<G: Guide>(&self, body: usize, [mut behind, mut ahead]: [u32; 2], guide: &mut G) -> bool {
        let first = behind;
        for _ in 0..FARTHEST {
            if ahead == first {
                return false;
            }
            match self.ways_on(body, [behind, ahead], guide) {
                (0, _) => return false,
                (1, next) => (behind, ahead) = (ahead, next),
                _ => return true,
            }
        }
        false
    }

    /// Returns the number of cells to which a corridor leads on, at most two, and the last of them. An
    /// occupied one-cell bay does not count.
    fn ways_on<G: Guide>(&self, body: usize, way: [u32; 2], guide: &mut G) -> (u32, u32) {
        let ways = guide.exits(BodyId(body as u32), way[1] as usize).bits() & self.straight_ways();
        self.ways_among(body, way, ways, guide)
    }

    /// Returns the same as [`ways_on`](Self::ways_on), by the straight exits of the cell ahead.
    fn ways_among<G: Guide>(
        &self,
        body: usize,
        [behind, ahead]: [u32; 2],
        mut ways: u8,
        guide: &mut G,
    ) -> (u32, u32) {
        let id = BodyId(body as u32);
        let (mut count, mut last) = (0, behind);
        while ways != 0 {
            let direction = ways.trailing_zeros() as u8;
            ways &= ways - 1;
            let next = self.beside(ahead, direction);
            if next == behind {
                continue;
            }
            let is_full = !self.occupancy.is_free(next as usize)
                && self.is_held_against(body, next)
                && (guide.exits(id, next as usize).bits() & self.straight_ways()).is_power_of_two();
            if !is_full {
                (count, last) = (count + 1, next);
                if count == 2 {
                    break;
                }
            }
        }
        (count, last)
    }
}

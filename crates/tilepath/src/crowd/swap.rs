//! Two bodies that must pass each other where a corridor leaves no room.

use super::{
    BodyId, Crowd, Guide,
    body::{NONE, Role},
    occupancy::Hold,
};
use crate::{cost::Cost, topology::Topology};

/// Corridors are followed no further.
const FARTHEST: usize = 1_024;

impl Crowd {
    /// The body with which another, which wants to enter a cell, must change places, if it can: both back out, this one first.
    pub(super) fn partner<G: Guide>(&mut self, body: usize, wanted: u32, guide: &mut G) -> u32 {
        let state = &self.bodies[body];
        let here = state.from;
        if state.size > 1 {
            return NONE;
        }
        let ways = guide.exits(BodyId(body as u32), wanted as usize).bits() & self.straight_ways();
        if ways.count_ones() > 3 || self.ways_on(body, [here, wanted], guide).0 > 1 {
            return NONE;
        }
        let opposite = self.standing_on(body, wanted);
        if let Some(other) = opposite
            && self.bodies[other].decided != self.round
            && !self.bodies[other].is_asked()
            && self.must_swap(body, [here, wanted], 0, guide)
            && self.can_swap(body, [wanted, here], guide)
        {
            return other as u32;
        }
        // One that has been drawn out of a corridor goes on, until the other can leave it too; and one that would be pushed into it
        // goes elsewhere.
        if let Some(asks) = self.stack.last().map(|frame| frame.body as usize)
            && self.must_swap(asks, [here, wanted], 1, guide)
            && self.can_swap(body, [wanted, here], guide)
        {
            return asks as u32;
        }
        let mut beside = guide.exits(BodyId(body as u32), here as usize).bits() & self.straight_ways();
        while beside != 0 {
            let direction = beside.trailing_zeros() as u8;
            beside &= beside - 1;
            let slot = self.beside(here, direction);
            if slot == wanted || self.occupancy.is_free(slot as usize) {
                continue;
            }
            if let Some(other) = self.standing_on(body, slot)
                && matches!(self.bodies[other].role, Role::UnderWay | Role::Returning)
                && self.must_swap(other, [here, wanted], 1, guide)
                && self.can_swap(body, [wanted, here], guide)
            {
                return other as u32;
            }
        }
        NONE
    }

    /// The straight directions, a bit each: on hexagons all six.
    const fn straight_ways(&self) -> u8 {
        match self.topology {
            Topology::Square => 0b0101_0101,
            Topology::Hexagonal => 0b1101_1101,
        }
    }

    /// The body of one cell that stands there in the way of another.
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

    /// Whether a body cannot get to its goal in a dead end by pushing: more bodies are ahead than cells beyond the goal.
    fn must_swap<G: Guide>(
        &self,
        pusher: usize,
        [mut behind, mut ahead]: [u32; 2],
        mut pushed: u32,
        guide: &mut G,
    ) -> bool {
        let rest = |guide: &mut G, slot: u32| {
            let rest = guide.rest(BodyId(pusher as u32), slot as usize);
            rest.map_or(u32::MAX, Cost::get)
        };
        if rest(guide, ahead) >= rest(guide, behind) {
            return false;
        }
        let mut beyond = None;
        for _ in 0..FARTHEST {
            beyond = beyond.map(|cells: u32| cells + 1);
            if rest(guide, ahead) == 0 {
                beyond = Some(0);
            }
            pushed += u32::from(self.is_held_against(pusher, ahead));
            match self.ways_on(pusher, [behind, ahead], guide) {
                (0, _) => return beyond.is_some_and(|beyond| pushed > beyond),
                (1, next) => (behind, ahead) = (ahead, next),
                _ => return false,
            }
        }
        false
    }

    /// Whether a body in the way of another stands on a cell or enters it.
    fn is_held_against(&self, body: usize, slot: u32) -> bool {
        let state = &self.bodies[body];
        self.occupancy.at(slot as usize).any(|(owner, hold)| {
            hold == Hold::Holds && owner as usize != body && state.excludes(&self.bodies[owner as usize])
        })
    }

    /// Whether a corridor leads to a place where two can pass each other.
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

    /// How many ways lead on from a cell, and the last of them. A bay of one cell in which a body is is none.
    fn ways_on<G: Guide>(&self, body: usize, [behind, ahead]: [u32; 2], guide: &mut G) -> (u32, u32) {
        let id = BodyId(body as u32);
        let mut ways = guide.exits(id, ahead as usize).bits() & self.straight_ways();
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
            }
        }
        (count, last)
    }
}

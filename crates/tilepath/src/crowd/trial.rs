//! Whether a body may step onto a cell.

use super::{
    Crowd,
    body::{BodyState, are_exclusive},
    decide::Frame,
    occupancy::Hold,
};
use crate::topology::Topology;

/// What stands between a body and a cell.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Trial {
    /// Nothing; or one that leaves it, and is followed.
    Free { follows: bool },
    /// A body that may make way. Where `many`, the cell may stay closed although it does.
    Asks { other: u32, many: bool },
    /// A step that will be over.
    Waits,
    /// Something that stays for this tick.
    Refused,
}

/// In which directions a leader may walk, by that of its follower, a bit each: not more than a quarter turn apart.
const FOLLOWED_ON_SQUARES: [u8; 8] = followed([0, 1, 2, 3, 4, 5, 6, 7], 8, 2);
/// On hexagons directions are sixths of a turn apart, so that it is one sixth at most.
const FOLLOWED_ON_HEXAGONS: [u8; 8] = followed([0, 9, 1, 2, 3, 9, 4, 5], 6, 1);

/// By the place of each direction in the circle, or 9.
const fn followed(places: [u8; 8], circle: u8, most: u8) -> [u8; 8] {
    let mut sets = [0; 8];
    let mut follower = 0;
    while follower < 8 {
        let mut leader = 0;
        while leader < 8 {
            if places[follower] < 9 && places[leader] < 9 {
                let turn = (places[follower] + circle - places[leader]) % circle;
                if turn <= most || turn >= circle - most {
                    sets[follower] |= 1 << leader;
                }
            }
            leader += 1;
        }
        follower += 1;
    }
    sets
}

impl Crowd {
    /// Whether one body may walk in the footsteps of another, by their directions.
    #[inline]
    fn may_follow(&self, follower: u8, leader: u8) -> bool {
        let sets = match self.topology {
            Topology::Square => FOLLOWED_ON_SQUARES,
            Topology::Hexagonal => FOLLOWED_ON_HEXAGONS,
        };
        sets[usize::from(follower & 7)] >> (leader & 7) & 1 == 1
    }

    /// What stands between a body and an anchor beside its own. It may have set out for it already.
    pub(super) fn inspect(&self, body: usize, direction: u8, to: u32) -> Trial {
        let state = &self.bodies[body];
        let mut trial = Trial::Free { follows: false };
        if state.size == 1 {
            if !self.occupancy.is_free(to as usize) {
                trial = self.inspect_cell(body, direction, to as usize, trial);
            }
            if trial != Trial::Refused {
                trial = worse(trial, self.inspect_crossing(state, direction));
            }
        } else {
            for slot in self.strip(state, to) {
                trial = self.inspect_cell(body, direction, slot, trial);
                if trial == Trial::Refused {
                    return trial;
                }
            }
        }
        if state.is_crowded && self.leaves_with_another(body) {
            return Trial::Refused;
        }
        trial
    }

    /// The same for one of the cells to be entered, after others.
    fn inspect_cell(&self, body: usize, direction: u8, slot: usize, mut trial: Trial) -> Trial {
        let state = &self.bodies[body];
        for (owner, hold) in self.occupancy.at(slot) {
            let other = &self.bodies[owner as usize];
            if owner as usize == body || !state.excludes(other) {
                continue;
            }
            let found = match hold {
                Hold::Claims if other.claim_key < self.key => Trial::Refused,
                Hold::Claims => continue,
                Hold::Holds if other.is_stepping() => self.meets_step(other),
                Hold::Holds => self.meets_standing(state, other, owner),
                Hold::Leaves => self.meets_leaving(state, direction, other),
            };
            trial = worse(trial, found);
            if trial == Trial::Refused {
                break;
            }
        }
        trial
    }

    /// The cell is being entered.
    fn meets_step(&self, other: &BodyState) -> Trial {
        // What was decided in this round is decided for good; a step of earlier rounds may be any body's.
        if other.is_asked() || other.decided == self.round || other.is_held_within_step() {
            Trial::Refused
        } else {
            Trial::Waits
        }
    }

    fn meets_standing(&self, state: &BodyState, other: &BodyState, owner: u32) -> Trial {
        let stays = other.decided == self.round || other.is_asked() || !other.is_movable();
        let is_kept = state.is_kept_by_one_at_its_goal(other) || owner == state.target;
        if stays || other.size > state.size || is_kept {
            Trial::Refused
        } else {
            Trial::Asks { other: owner, many: false }
        }
    }

    fn meets_leaving(&self, state: &BodyState, direction: u8, other: &BodyState) -> Trial {
        if other.is_held_within_step() || self.overlap([other.to, state.from], [other.size, state.size]) {
            return Trial::Refused;
        }
        let follows = self.may_follow(direction, other.direction);
        match (follows, other.is_asked()) {
            (true, true) if self.closes_ring(other.depth as usize, direction) => {
                Trial::Free { follows: true }
            }
            (_, true) => Trial::Refused,
            (true, false) => Trial::Free { follows: true },
            (false, false) => Trial::Waits,
        }
    }

    /// Whether all on the stack, from a place on, follow each other if the last one walks in a direction: then they step
    /// together. One of several cells that makes way for another may still hold cells that this one is to enter.
    fn closes_ring(&self, first: usize, direction: u8) -> bool {
        let Some(ring) = self.stack.get(first..) else { return false };
        let Some((last, others)) = ring.split_last() else { return false };
        let steps = |frame: &Frame| {
            let state = &self.bodies[frame.body as usize];
            if frame.body == last.body {
                (direction, self.beside(state.from, direction), state.size)
            } else {
                (frame.direction, state.to, state.size)
            }
        };
        let makes_way = |(frame, next): (&Frame, &Frame)| {
            let ((towards, to, size), (next_towards, next_to, next_size)) = (steps(frame), steps(next));
            self.may_follow(towards, next_towards) && !self.overlap([to, next_to], [size, next_size])
        };
        ring.iter().all(|frame| !frame.asks_many) && others.iter().zip(&ring[1..]).all(makes_way)
    }

    /// Whether a diagonal step would cross another one.
    fn inspect_crossing(&self, state: &BodyState, direction: u8) -> Trial {
        let others = self.crossing(state, direction).map(|other| &self.bodies[other as usize]);
        others.fold(Trial::Free { follows: false }, |trial, other| worse(trial, self.meets_step(other)))
    }

    /// Those whose diagonal steps a step of a body of one cell would cross.
    pub(super) fn crossing(&self, state: &BodyState, direction: u8) -> impl Iterator<Item = u32> + '_ {
        let is_diagonal = state.size == 1 && direction & 1 == 1 && self.topology == Topology::Square;
        let sides = [direction + 7, direction + 1].map(|side| self.beside(state.from, side % 8));
        let (layer, blocks) = (state.layer, state.blocks);
        let pairs = is_diagonal.then_some([(sides[0], sides[1]), (sides[1], sides[0])]);
        pairs.into_iter().flatten().flat_map(move |(from, to)| {
            self.occupancy.at(from as usize).filter_map(move |(owner, hold)| {
                let other = &self.bodies[owner as usize];
                let crosses = hold == Hold::Leaves
                    && other.to == to
                    && other.size == 1
                    && are_exclusive([layer, blocks], [other.layer, other.blocks]);
                crosses.then_some(owner)
            })
        })
    }

    /// Whether another body, on which it was put, leaves a cell that it would leave.
    fn leaves_with_another(&self, body: usize) -> bool {
        let state = &self.bodies[body];
        let others = self.covered(state.from, state.size).flat_map(|slot| self.occupancy.at(slot));
        others.into_iter().any(|(other, hold)| {
            let other_state = &self.bodies[other as usize];
            hold == Hold::Leaves && other as usize != body && state.excludes(other_state)
        })
    }
}

/// What two findings come to.
fn worse(one: Trial, other: Trial) -> Trial {
    match (one, other) {
        (Trial::Refused, _) | (_, Trial::Refused) => Trial::Refused,
        (Trial::Asks { other: first, many }, Trial::Asks { other: second, .. }) => {
            Trial::Asks { other: first, many: many || first != second }
        }
        // What is asked makes way, and the body waits all the same: no ring may count on it.
        (Trial::Asks { other, .. }, Trial::Waits) | (Trial::Waits, Trial::Asks { other, .. }) => {
            Trial::Asks { other, many: true }
        }
        (asks @ Trial::Asks { .. }, _) | (_, asks @ Trial::Asks { .. }) => asks,
        (Trial::Waits, _) | (_, Trial::Waits) => Trial::Waits,
        (Trial::Free { follows: one }, Trial::Free { follows: other }) => {
            Trial::Free { follows: one || other }
        }
    }
}

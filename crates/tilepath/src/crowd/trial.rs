//! Checks whether a body may step onto a cell.

use super::{
    Crowd,
    body::{BodyState, are_exclusive},
    decide::Frame,
    occupancy::Hold,
};
use crate::topology::Topology;

/// The result of a check: what prevents a body from entering a cell.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Trial {
    /// Nothing. `follows` is true if another body leaves the cell and is followed.
    Free { follows: bool },
    /// A body that may make way. If `many`, the cell may stay closed even if that body makes way.
    Asks { other: u32, many: bool },
    /// A step that will end.
    Waits,
    /// An obstacle that stays for this tick.
    Refused,
}

/// The directions in which a leader may walk, a bit each, by the direction of its follower. The two
/// are at most a quarter turn apart.
const FOLLOWED_ON_SQUARES: [u8; 8] = followed([0, 1, 2, 3, 4, 5, 6, 7], 8, 2);
/// On hexagons, directions are sixths of a turn apart, so the limit is one sixth.
const FOLLOWED_ON_HEXAGONS: [u8; 8] = followed([0, 9, 1, 2, 3, 9, 4, 5], 6, 1);

/// Returns the sets, given the place of each direction in the circle, or 9 for a direction without
/// a place.
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
    /// Returns whether a body may follow another, by their directions.
    #[inline]
    fn may_follow(&self, follower: u8, leader: u8) -> bool {
        let sets = match self.topology {
            Topology::Square => FOLLOWED_ON_SQUARES,
            Topology::Hexagonal => FOLLOWED_ON_HEXAGONS,
        };
        sets[usize::from(follower & 7)] >> (leader & 7) & 1 == 1
    }

    /// Returns what prevents a body from stepping to an anchor beside its own. The body may already
    /// have set out for it.
    pub(super) fn inspect(&self, body: usize, direction: u8, to: u32) -> Trial {
        let state = &self.bodies[body];
        let mut trial = Trial::Free { follows: false };
        if state.size == 1 {
            if !self.occupancy.is_free(to as usize) {
                trial = self.inspect_cell(body, direction, to as usize, trial);
            }
            if trial != Trial::Refused && self.is_between_two(state, direction) {
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

    /// Combines `trial` with the result for one of the cells to be entered.
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

    /// Returns the result for a cell that another body enters.
    fn meets_step(&self, other: &BodyState) -> Trial {
        // Decisions of this round are final, so the cell stays taken. A step of an earlier round
        // ends, and then any body may enter.
        if other.is_asked() || other.decided == self.round || other.is_held_within_step() {
            Trial::Refused
        } else {
            Trial::Waits
        }
    }

    fn meets_standing(&self, state: &BodyState, other: &BodyState, owner: u32) -> Trial {
        let stays = other.decided == self.round || other.is_asked() || !other.is_movable();
        let is_kept = state.is_kept_by_one_at_its_goal(other) || owner == state.target;
        if stays || is_kept || !state.is_large_enough_to_push(other) {
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

    /// Returns whether all bodies on the stack from place `first` on follow each other if the last
    /// one walks in this direction. Then they step together. A larger body that makes way may still
    /// hold cells that the next body must enter.
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

    /// Returns the result for diagonal steps that this diagonal step would cross.
    fn inspect_crossing(&self, state: &BodyState, direction: u8) -> Trial {
        let others = self.crossing(state, direction).map(|other| &self.bodies[other as usize]);
        others.fold(Trial::Free { follows: false }, |trial, other| worse(trial, self.meets_step(other)))
    }

    /// Returns the cells on both sides of a diagonal step.
    #[inline]
    fn sides(&self, state: &BodyState, direction: u8) -> [u32; 2] {
        [direction + 7, direction + 1].map(|side| self.beside(state.from, side % 8))
    }

    /// Returns whether the step of a one-cell body is a diagonal one between two cells that are not
    /// free. A step that it would cross has both cells.
    #[inline]
    fn is_between_two(&self, state: &BodyState, direction: u8) -> bool {
        let is_diagonal = state.size == 1 && direction & 1 == 1 && self.topology == Topology::Square;
        is_diagonal && self.sides(state, direction).iter().all(|&side| !self.occupancy.is_free(side as usize))
    }

    /// Returns the bodies whose diagonal steps a step of a one-cell body would cross.
    pub(super) fn crossing(&self, state: &BodyState, direction: u8) -> impl Iterator<Item = u32> + '_ {
        let [left, right] = self.sides(state, direction);
        let (layer, blocks) = (state.layer, state.blocks);
        let pairs = self.is_between_two(state, direction).then_some([(left, right), (right, left)]);
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

    /// Returns whether another body, onto which this one was put, leaves a cell that this one would
    /// leave.
    fn leaves_with_another(&self, body: usize) -> bool {
        let state = &self.bodies[body];
        let others = self.covered(state.from, state.size).flat_map(|slot| self.occupancy.at(slot));
        others.into_iter().any(|(other, hold)| {
            let other_state = &self.bodies[other as usize];
            hold == Hold::Leaves && other as usize != body && state.excludes(other_state)
        })
    }
}

/// Returns the combined result of two checks.
fn worse(one: Trial, other: Trial) -> Trial {
    match (one, other) {
        (Trial::Refused, _) | (_, Trial::Refused) => Trial::Refused,
        (Trial::Asks { other: first, many }, Trial::Asks { other: second, .. }) => {
            Trial::Asks { other: first, many: many || first != second }
        }
        // The pushed body makes way, but this body still waits: no ring may count on it.
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

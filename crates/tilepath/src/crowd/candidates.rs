//! The order in which a body tries the cells beside it.

use super::{
    BodyId, Crowd, Guide, Surroundings,
    body::{NO_DIRECTION, NONE, Role},
    decide::Frame,
};
use crate::cost::Cost;

/// The key of a cell that is not a candidate, or was tried.
pub(super) const OUT: u64 = u64::MAX;
/// The index of the key for standing, after the keys of the eight directions.
pub(super) const STAND: usize = 8;

/// The first key of a cell that is not nearer to the goal.
pub(super) const FIRST_NOT_NEARER: u64 = AS_IT_IS << 60;

/// The bits of a key for the cost of the path over the cell.
const WORTH: u64 = (1 << 60) - (1 << 20);
/// The bit of a key that marks a cell that is not free.
const HELD: u64 = 1 << 19;
/// The place of the bits that decide between cells of equal worth.
const TIE: u32 = 4;
/// The bits of a key for its own index: of two keys that are equal otherwise, the first one is lower.
pub(super) const PLACE: u64 = (1 << TIE) - 1;
/// The highest key of a candidate, without its index.
const LAST: u64 = (OUT - PLACE) - (1 << TIE);
/// The groups of keys, in the top bits: the lower group comes first.
const NEARER: u64 = 0;
const AS_IT_IS: u64 = 1;
const FARTHER: u64 = 2;
const ASTRAY: u64 = 3;
const AT_WORST: u64 = 4;

impl Crowd {
    /// Returns the options of a standing body. The best option has the lowest key.
    pub(super) fn consider<G: Guide>(&mut self, body: usize, guide: &mut G) -> Frame {
        let id = BodyId(body as u32);
        let claim = self.bodies[body].claim;
        if claim != NO_DIRECTION {
            self.give_up_claim(body);
        }
        let state = &self.bodies[body];
        let (here, role, number) = (state.from, state.role, state.number);
        let must_go = state.is_crowded || state.is_sent_away;
        let is_asked = !self.stack.is_empty();
        let has_goal = matches!(role, Role::UnderWay | Role::Returning);
        let seen = if has_goal {
            guide.look_around(id, here as usize, &self.offsets)
        } else {
            // For a body without a goal, all cells are equal.
            let exits = guide.exits(id, here as usize);
            Surroundings { exits, rest: Cost::ZERO, rests: [Cost::ZERO; 8], step_costs: [Cost::ZERO; 8] }
        };
        let draw = number.wrapping_mul(0x9E37_79B1) ^ self.tick.wrapping_mul(0xC2B2_AE3D);
        let mut frame = Frame { body: body as u32, ..Frame::EMPTY };
        let nearer = seen.nearer();
        let mut held = self.rate(&mut frame.keys, nearer, [here, draw], &seen, |_| NEARER);
        // A body that may stand does so before it takes another cell.
        let others = seen.exits.bits() & !nearer;
        let takes_others = is_asked || must_go || claim != NO_DIRECTION;
        if takes_others {
            held |= self.rate(&mut frame.keys, others, [here, draw], &seen, not_nearer);
        }
        if !is_asked {
            let group = if must_go { AT_WORST } else { AS_IT_IS };
            frame.keys[STAND] = group << 60 | STAND as u64;
        }
        let best = frame.best();
        let wish = best.filter(|&best| best != STAND).map_or(NO_DIRECTION, |best| best as u8);
        self.bodies[body].wish = wish;
        let mut exits_there = 0;
        if (has_goal || is_asked) && wish != NO_DIRECTION {
            let wanted = self.beside(here, wish);
            exits_there = guide.exits(id, wanted as usize).bits();
            frame.pulls = self.partner(body, wanted, exits_there, guide);
        }
        if frame.pulls != NONE {
            if !takes_others {
                self.rate(&mut frame.keys, others, [here, draw], &seen, not_nearer);
            }
            // Pushing the partner away comes after all other ways out.
            let partner = self.bodies[frame.pulls as usize].from;
            for direction in (0..8).filter(|&direction| self.beside(here, direction) == partner) {
                let key = &mut frame.keys[usize::from(direction)];
                if (FARTHER << 60..OUT).contains(key) {
                    *key = FARTHER << 60 | HELD | u64::from(direction);
                }
            }
            // Free cells still come first. The draw decides between them, so that no two bodies
            // turn in circles.
            for key in frame.keys.iter_mut().filter(|key| **key != OUT) {
                *key = (LAST - ((*key & !WORTH & !PLACE) ^ HELD)) | *key & PLACE;
            }
            frame.keys[usize::from(wish)] = LAST | u64::from(wish);
        }
        let is_claim_kept = claim != NO_DIRECTION
            && frame.keys[usize::from(claim)] != OUT
            && (frame.pulls == NONE || claim != wish);
        let mut leads_away = false;
        if is_claim_kept {
            leads_away = frame.keys[usize::from(claim)] >= AS_IT_IS << 60;
            frame.keys[usize::from(claim)] = u64::from(claim);
            if frame.pulls == NONE {
                self.bodies[body].wish = claim;
            }
        }
        if has_goal && frame.pulls == NONE {
            self.keep_back(&mut frame, wish, [held, exits_there], guide);
        }
        if frame.is_kept && leads_away && !is_asked {
            // The body was pushed aside. It takes this step only if it is pushed again.
            frame.keys[usize::from(claim)] = OUT;
        }
        if is_asked && self.bodies[body].size > 1 {
            self.step_aside(&mut frame, guide);
        }
        frame
    }

    /// Sets the keys of the cells in the directions of a set, in the group of the cell's cost to the goal.
    /// Returns the directions of cells that are not free, a bit each.
    #[inline]
    fn rate(
        &self,
        keys: &mut [u64; 9],
        mut directions: u8,
        [here, draw]: [u32; 2],
        seen: &Surroundings,
        group: impl Fn(Cost) -> u64,
    ) -> u8 {
        let mut held = 0;
        while directions != 0 {
            let direction = directions.trailing_zeros() as usize & 7;
            directions &= directions - 1;
            let to = (here as usize).wrapping_add_signed(self.offsets[direction]);
            let rest = seen.rests[direction];
            let worth = u64::from(rest.get().saturating_add(seen.step_costs[direction].get()));
            let is_held = !self.occupancy.is_free(to);
            held |= u8::from(is_held) << direction;
            let tie = u64::from(tie(draw, to as u32));
            keys[direction] =
                group(rest) << 60 | worth << 20 | (u64::from(is_held) * HELD) | tie << TIE | direction as u64;
        }
        held
    }

    /// Puts cells last that must be left to other bodies, which go into a dead end first.
    ///
    /// `wish` is the direction that the body prefers. `held` has the directions of cells that are not
    /// free, and `exits` has the directions in which the preferred cell may be left.
    fn keep_back<G: Guide>(&self, frame: &mut Frame, wish: u8, [held, exits]: [u8; 2], guide: &mut G) {
        let body = frame.body as usize;
        let here = self.bodies[body].from;
        let mut left = held | 1_u8.checked_shl(wish.into()).unwrap_or(0);
        while left != 0 {
            let direction = left.trailing_zeros() as u8;
            left &= left - 1;
            let key = &mut frame.keys[usize::from(direction)];
            let to = self.beside(here, direction);
            if *key < AS_IT_IS << 60
                && (direction == wish && self.one_goes_first(body, to, exits, guide)
                    || held >> direction & 1 == 1 && self.is_claimed_by_first(body, to, guide))
            {
                *key = AT_WORST << 60 | u64::from(direction);
                frame.is_kept = true;
            }
        }
    }
}

/// Returns the group of a cell with this cost to the goal, which is not below the cost of the own cell.
#[inline]
fn not_nearer(rest: Cost) -> u64 {
    if rest == Cost::MAX { ASTRAY } else { FARTHER }
}

/// Returns twelve bits that decide between cells of equal worth.
#[inline]
const fn tie(draw: u32, slot: u32) -> u32 {
    let mixed = (draw ^ slot).wrapping_mul(0x85EB_CA77);
    (mixed ^ mixed >> 15).wrapping_mul(0x2C1B_3C6D) >> 20
}

//! In which order a body tries the cells beside it.

use super::{
    BodyId, Crowd, Guide,
    body::{NO_DIRECTION, NONE, Role},
    decide::Frame,
};

/// No candidate, or one that was tried.
pub(super) const OUT: u64 = u64::MAX;
/// Where the key of standing has its place behind those of the eight directions.
pub(super) const STAND: usize = 8;

/// What comes before anything else in the order.
const NEARER: u64 = 0;
const AS_IT_IS: u64 = 1;
const FARTHER: u64 = 2;
const ASTRAY: u64 = 3;
const AT_WORST: u64 = 4;

impl Crowd {
    /// What a body that stands may do, the best with the lowest key.
    pub(super) fn consider<G: Guide>(&mut self, body: usize, guide: &mut G) -> Frame {
        let id = BodyId(body as u32);
        let claim = self.bodies[body].claim;
        self.give_up_claim(body);
        let state = &self.bodies[body];
        let (here, role, number) = (state.from, state.role, state.number);
        let has_goal = matches!(role, Role::UnderWay | Role::Returning);
        let rest_at = |guide: &mut G, slot: u32| {
            if has_goal { guide.rest(id, slot as usize).map_or(u32::MAX, |rest| rest.get()) } else { 0 }
        };
        let rest_here = rest_at(guide, here);
        let mut exits = guide.exits(id, here as usize).bits();
        let mut keys = [OUT; 9];
        while exits != 0 {
            let direction = exits.trailing_zeros() as u8;
            exits &= exits - 1;
            let to = self.beside(here, direction);
            let rest = rest_at(guide, to);
            let group = match rest {
                u32::MAX => ASTRAY,
                _ if rest < rest_here => NEARER,
                _ => FARTHER,
            };
            let towards = crate::cell::Direction::ALL[usize::from(direction)];
            let step = if has_goal { guide.step_cost(id, to as usize, towards).get() } else { 0 };
            let worth = u64::from(rest.saturating_add(step));
            let is_held = u64::from(!self.occupancy.is_free(to as usize));
            keys[usize::from(direction)] =
                group << 60 | worth << 20 | is_held << 19 | u64::from(tie(number, to, self.tick));
        }
        let is_asked = !self.stack.is_empty();
        let mut frame = Frame { body: body as u32, keys, pulls: NONE, ..Frame::EMPTY };
        if !is_asked {
            frame.keys[STAND] = if self.bodies[body].is_crowded { AT_WORST } else { AS_IT_IS } << 60;
        }
        let best = frame.best();
        let wish = best.filter(|&best| best != STAND).map_or(NO_DIRECTION, |best| best as u8);
        self.bodies[body].wish = wish;
        if has_goal && wish != NO_DIRECTION {
            frame.pulls = self.partner(body, self.beside(here, wish), guide);
        }
        if frame.pulls != NONE {
            for key in frame.keys.iter_mut().filter(|key| **key != OUT) {
                *key = (OUT - 1) - *key;
            }
        } else if claim != NO_DIRECTION && frame.keys[usize::from(claim)] != OUT {
            frame.keys[usize::from(claim)] = 0;
            self.bodies[body].wish = claim;
        }
        frame
    }
}

/// Twelve bits that decide between cells of equal worth.
#[inline]
fn tie(number: u32, slot: u32, tick: u32) -> u32 {
    let mixed = number.wrapping_mul(0x9E37_79B1) ^ slot.wrapping_mul(0x85EB_CA77) ^ tick.wrapping_mul(0xC2B2_AE3D);
    let mixed = (mixed ^ mixed >> 15).wrapping_mul(0x2C1B_3C6D);
    (mixed ^ mixed >> 13).wrapping_mul(0x297A_2D39) >> 20
}

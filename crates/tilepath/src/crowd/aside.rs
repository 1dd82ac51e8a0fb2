//! Larger bodies at rest that make way for smaller ones.
//!
//! Decision: `docs/decisions/30-crowds.md`.

use super::{
    BodyId, Crowd, Guide,
    body::{BodyState, Role},
    candidates::{FIRST_NOT_NEARER, OUT},
    decide::Frame,
    occupancy::Hold,
};
use crate::{cost::Cost, size::Size};

/// The number of ticks after which a waiting body pushes larger bodies that rest.
pub(super) const TICKS_TO_PUSH_LARGER: u32 = 16;

/// The most cells of a pushing body's path that a larger body leaves free, and the most steps that
/// it looks ahead for that.
const FARTHEST: usize = farthest(Size::MAX);
/// The side of the square of anchors in which it looks.
const SIDE: usize = 2 * FARTHEST + 1;

const fn farthest(side: u8) -> usize {
    2 * side as usize + 2
}

/// The next cells of a body's path.
struct Ahead {
    anchors: [u32; FARTHEST],
    count: usize,
    side: u8,
}

/// Bodies around which a larger body looks for a place.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Around {
    All,
    /// Only bodies that do not step when it pushes them.
    Staying,
}

impl BodyState {
    /// Returns whether it may push another body, by their sizes. It pushes a larger body only if it
    /// has waited long, and the larger one has nowhere to go.
    pub(super) fn is_large_enough_to_push(&self, other: &Self) -> bool {
        other.size <= self.size
            || self.waited >= TICKS_TO_PUSH_LARGER
                && self.role == Role::UnderWay
                && matches!(other.role, Role::Resting | Role::Returning)
    }
}

impl Crowd {
    /// Changes the options of a body that a smaller one pushes. It takes the step that leads soonest
    /// to a place beside the path of the smaller one. If there is no such place, it stays, or goes on
    /// back to the cell on which it rested.
    pub(super) fn step_aside<G: Guide>(&self, frame: &mut Frame, guide: &mut G) {
        let Some(pusher) = self.stack.last().map(|frame| frame.body as usize) else { return };
        let body = frame.body as usize;
        if self.bodies[pusher].size >= self.bodies[body].size {
            return;
        }
        let ahead = self.ahead_of(pusher, farthest(self.bodies[body].size), guide);
        let found = self.first_step_aside(body, &ahead, Around::All, guide);
        let found = found.or_else(|| self.first_step_aside(body, &ahead, Around::Staying, guide));
        for (direction, key) in (0..).zip(&mut frame.keys) {
            let is_tried = found.map_or(*key < FIRST_NOT_NEARER, |found| direction == found);
            if !is_tried {
                *key = OUT;
            }
        }
    }

    /// Returns the cells of a body's path from the one that it tries to enter, at most this many.
    fn ahead_of<G: Guide>(&self, body: usize, most: usize, guide: &mut G) -> Ahead {
        let state = &self.bodies[body];
        let id = BodyId(body as u32);
        let mut ahead = Ahead { anchors: [state.to; FARTHEST], count: 1, side: state.size };
        let mut here = (guide.rest(id, state.to as usize), state.to);
        while ahead.count < most.min(FARTHEST) {
            let exits = guide.exits(id, here.1 as usize).bits();
            let beside = (0..8).filter(|&direction| exits >> direction & 1 == 1);
            let rests = beside.map(|direction| {
                let slot = self.beside(here.1, direction);
                (guide.rest(id, slot as usize).unwrap_or(Cost::MAX), slot)
            });
            let Some((rest, slot)) = rests.min().filter(|&(rest, _)| here.0.is_some_and(|here| rest < here))
            else {
                break;
            };
            here = (Some(rest), slot);
            ahead.anchors[ahead.count] = slot;
            ahead.count += 1;
        }
        ahead
    }

    /// Returns the first step of the shortest walk of a body to a place beside a path.
    fn first_step_aside<G: Guide>(
        &self,
        body: usize,
        ahead: &Ahead,
        around: Around,
        guide: &mut G,
    ) -> Option<u8> {
        let state = &self.bodies[body];
        let width = self.bounds.width();
        let most = farthest(state.size) as u32;
        let (x, y) = (state.from % width, state.from / width);
        // The place of an anchor in the square, if it is near enough.
        let place = |slot: u32| {
            let (right, up) = ((slot % width + most).wrapping_sub(x), (slot / width + most).wrapping_sub(y));
            (right <= 2 * most && up <= 2 * most).then_some(up as usize * SIDE + right as usize)
        };
        let mut seen = [false; SIDE * SIDE];
        let mut queue = [(0, 0_u8); SIDE * SIDE];
        let (mut next, mut end) = (0, 1);
        queue[0].0 = state.from;
        seen[place(state.from)?] = true;
        while next < end {
            let (slot, first) = queue[next];
            let exits = guide.exits(BodyId(body as u32), slot as usize).bits();
            for direction in (0..8).filter(|&direction| exits >> direction & 1 == 1) {
                let entered = self.beside(slot, direction);
                let Some(place) = place(entered).filter(|&place| !seen[place]) else { continue };
                seen[place] = true;
                if self.is_kept_from(body, entered, around) {
                    continue;
                }
                let first = if next == 0 { direction } else { first };
                if !self.is_on(entered, state.size, ahead) {
                    return Some(first);
                }
                queue[end] = (entered, first);
                end += 1;
            }
            next += 1;
        }
        None
    }

    /// Returns whether a body of this size, on this anchor, has a cell of a path.
    fn is_on(&self, anchor: u32, side: u8, ahead: &Ahead) -> bool {
        ahead.anchors[..ahead.count]
            .iter()
            .any(|&on_path| self.overlap([on_path, anchor], [ahead.side, side]))
    }

    /// Returns whether another body keeps a body from this anchor.
    fn is_kept_from(&self, body: usize, anchor: u32, around: Around) -> bool {
        let state = &self.bodies[body];
        self.covered(anchor, state.size).flat_map(|slot| self.occupancy.at(slot)).any(|(owner, hold)| {
            let other = &self.bodies[owner as usize];
            let stays = other.is_held() || other.is_asked() || other.size > state.size;
            // A pushing body has set out, but it does not enter these cells before they are left.
            let is_there = if other.is_asked() { hold == Hold::Leaves } else { hold != Hold::Claims };
            owner as usize != body && is_there && (around == Around::All || stays) && state.excludes(other)
        })
    }
}

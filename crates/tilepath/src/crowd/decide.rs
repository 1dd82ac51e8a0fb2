//! Priority inheritance with backtracking.
//!
//! Decision: `docs/decisions/30-crowds.md`.

use super::{
    BodyId, Crowd, Guide,
    body::{NO_DIRECTION, NONE, Role},
    candidates::{OUT, PLACE, STAND},
    trial::Trial,
};
use crate::{cell::Direction, cost::Cost};

/// A body that decides: the first on the stack, or a body that the one below it pushes.
#[derive(Clone, Debug)]
pub(super) struct Frame {
    pub(super) body: u32,
    /// The keys of the options left to try, by direction, and of standing. The lowest key is tried
    /// first.
    pub(super) keys: [u64; 9],
    /// The direction of the cell that it tries.
    pub(super) direction: u8,
    /// The number of cells that it has tried.
    pub(super) tried: u8,
    /// True if the body may have to stand even if the pushed body makes way.
    pub(super) asks_many: bool,
    /// The body that it draws along with its first choice, or [`NONE`].
    pub(super) pulls: u32,
    /// True if another body has to go first. That body may still push it.
    pub(super) is_kept: bool,
}

impl Frame {
    pub(super) const EMPTY: Self = Self {
        body: NONE,
        keys: [OUT; 9],
        direction: NO_DIRECTION,
        tried: 0,
        asks_many: false,
        pulls: NONE,
        is_kept: false,
    };

    /// Returns the option to try next.
    #[inline]
    pub(super) fn best(&self) -> Option<usize> {
        let best = self.keys.iter().fold(OUT, |best, &key| best.min(key));
        (best != OUT).then_some((best & PLACE) as usize)
    }
}

/// The result of a body's decision.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Answer {
    /// It steps.
    Granted,
    /// It stands, and will for this tick.
    Refused,
    /// It waits for a cell that is held by a step.
    Waits,
}

impl Crowd {
    /// Lets all standing bodies with a wish decide, together with the bodies that they push.
    pub(super) fn decide<G: Guide>(&mut self, guide: &mut G) {
        self.round = self.round.wrapping_add(1);
        self.renew_order();
        for place in 0..self.order.len() {
            let body = self.order[place].1 as usize;
            let state = &self.bodies[body];
            if state.decided == self.round || !state.begins() {
                continue;
            }
            if state.is_crowded && !self.is_overlapping(body) {
                self.bodies[body].is_crowded = false;
                if !self.bodies[body].begins() {
                    continue;
                }
            }
            self.key = self.bodies[body].key;
            self.ask(body, guide);
        }
    }

    /// Notes that the priority or the role of a body has changed.
    pub(super) fn reorder(&mut self, body: usize) {
        if !std::mem::replace(&mut self.bodies[body].is_reordered, true) {
            self.reordered.push((0, body as u32));
        }
    }

    /// Sorts the bodies that have changed, and merges them into the order of the others.
    fn renew_order(&mut self) {
        if self.reordered.is_empty() {
            return;
        }
        let Self { order, reordered, bodies, .. } = self;
        order.retain(|&(_, body)| !bodies[body as usize].is_reordered);
        reordered.retain_mut(|(key, body)| {
            let state = &mut bodies[*body as usize];
            state.is_reordered = false;
            *key = state.key;
            !matches!(state.role, Role::Absent | Role::Fixed)
        });
        reordered.sort_unstable();
        let mut left = order.len();
        order.extend_from_slice(reordered);
        // From the last place on, so that nothing is overwritten before it has moved.
        for place in (0..order.len()).rev() {
            let Some(&last) = reordered.last() else { break };
            if left > 0 && order[left - 1] > last {
                left -= 1;
                order[place] = order[left];
            } else {
                reordered.pop();
                order[place] = last;
            }
        }
    }

    /// Lets a body decide, together with all bodies that it pushes.
    fn ask<G: Guide>(&mut self, first: usize, guide: &mut G) {
        self.chain.clear();
        self.enter(first, guide);
        let mut told = None;
        while let Some(top) = self.stack.len().checked_sub(1) {
            let answer = match told.take() {
                None => self.try_next(top, guide),
                Some(Answer::Granted) => self.try_again(top, guide),
                Some(Answer::Refused) => {
                    self.step_back(self.stack[top].body as usize);
                    self.try_next(top, guide)
                }
                Some(Answer::Waits) => {
                    self.step_back(self.stack[top].body as usize);
                    Some(self.wait(top))
                }
            };
            if let Some(answer) = answer {
                self.stack.pop();
                told = Some(answer);
            }
        }
        if told == Some(Answer::Refused) {
            self.turn_block(first, guide);
        }
        self.chain.clear();
    }

    fn enter<G: Guide>(&mut self, body: usize, guide: &mut G) {
        self.decisions += 1;
        let frame = self.consider(body, guide);
        self.bodies[body].depth = self.stack.len() as u32;
        self.stack.push(frame);
    }

    /// Tries one cell after the other, until there is an answer or a pushed body has to decide
    /// first.
    fn try_next<G: Guide>(&mut self, top: usize, guide: &mut G) -> Option<Answer> {
        loop {
            let frame = &mut self.stack[top];
            let body = frame.body as usize;
            let best = frame.best().filter(|&best| best != STAND);
            let Some(best) = best else {
                let is_kept = frame.is_kept && top == 0;
                let state = &mut self.bodies[body];
                state.depth = NONE;
                if !is_kept {
                    state.decided = self.round;
                }
                self.chain.push(body as u32);
                return Some(Answer::Refused);
            };
            frame.keys[best] = OUT;
            frame.direction = best as u8;
            frame.tried += 1;
            frame.asks_many = false;
            let to = self.beside(self.bodies[body].from, best as u8);
            match self.inspect(body, best as u8, to) {
                Trial::Refused => {}
                Trial::Waits => return Some(self.wait(top)),
                Trial::Free { follows } => {
                    self.set_out(body, to);
                    return Some(self.grant(top, follows, guide));
                }
                Trial::Asks { other, .. } if self.is_at_common_goal(body, other as usize, guide) => {}
                Trial::Asks { other, many } => {
                    self.stack[top].asks_many = many;
                    self.bodies[body].direction = best as u8;
                    self.set_out(body, to);
                    self.enter(other as usize, guide);
                    return None;
                }
            }
        }
    }

    /// Checks the same cell again, after a pushed body has made way.
    fn try_again<G: Guide>(&mut self, top: usize, guide: &mut G) -> Option<Answer> {
        let Frame { body, direction, .. } = self.stack[top];
        let body = body as usize;
        let to = self.bodies[body].to;
        match self.inspect(body, direction, to) {
            Trial::Free { follows } => Some(self.grant(top, follows, guide)),
            Trial::Asks { other, .. } if !self.is_at_common_goal(body, other as usize, guide) => {
                self.enter(other as usize, guide);
                None
            }
            Trial::Waits => {
                self.step_back(body);
                Some(self.wait(top))
            }
            Trial::Asks { .. } | Trial::Refused => {
                self.step_back(body);
                self.try_next(top, guide)
            }
        }
    }

    /// Returns whether `other` has arrived at the goal that it shares with the body that pushes it,
    /// but does not rest there yet.
    fn is_at_common_goal<G: Guide>(&self, body: usize, other: usize, guide: &mut G) -> bool {
        let (state, there) = (&self.bodies[body], &self.bodies[other]);
        state.goal != NONE
            && state.goal == there.goal
            && there.role == Role::UnderWay
            && guide.rest(BodyId(other as u32), there.from as usize) == Some(Cost::ZERO)
    }

    /// Makes the body wait for the cell that it tries.
    fn wait(&mut self, top: usize) -> Answer {
        let Frame { body, direction, .. } = self.stack[top];
        self.claim(body as usize, direction, self.key);
        let state = &mut self.bodies[body as usize];
        (state.decided, state.depth) = (self.round, NONE);
        Answer::Waits
    }

    /// Begins the step of a body that has set out for the cell that it tries.
    fn grant<G: Guide>(&mut self, top: usize, follows: bool, guide: &mut G) -> Answer {
        let Frame { body, direction, pulls, tried, .. } = self.stack[top];
        let left = self.bodies[body as usize].from;
        self.begin_step(body as usize, direction, follows, guide);
        if pulls != NONE && tried == 1 {
            self.pull(pulls as usize, body as usize, left, guide);
        }
        Answer::Granted
    }

    pub(super) fn begin_step<G: Guide>(&mut self, body: usize, direction: u8, follows: bool, guide: &mut G) {
        let entered = self.bodies[body].to as usize;
        let towards = Direction::ALL[usize::from(direction)];
        let length = guide.effort(BodyId(body as u32), entered, towards).max(1);
        let state = &mut self.bodies[body];
        (state.direction, state.follows, state.length) = (direction, follows, length);
        (state.spent, state.share, state.waited) = (0, 0, 0);
        state.begun += 1;
        (state.decided, state.depth) = (self.round, NONE);
        (state.is_crowded, state.is_sent_away) = (false, false);
    }

    /// Makes a body that has not decided step onto a cell that was just left, if nothing prevents
    /// it.
    fn pull<G: Guide>(&mut self, body: usize, puller: usize, to: u32, guide: &mut G) {
        let state = &self.bodies[body];
        if state.decided == self.round || state.is_asked() || state.is_stepping() || !state.is_movable() {
            return;
        }
        let Some(direction) = (0..8).find(|&direction| self.beside(state.from, direction) == to) else {
            return;
        };
        let exits = guide.exits(BodyId(body as u32), state.from as usize);
        if !exits.contains(Direction::ALL[usize::from(direction)])
            || self.draws_another(body, puller, to, guide)
        {
            return;
        }
        if let Trial::Free { follows } = self.inspect(body, direction, to) {
            self.give_up_claim(body);
            self.set_out(body, to);
            self.begin_step(body, direction, follows, guide);
        }
    }
}

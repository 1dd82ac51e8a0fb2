//! Walking along steps: no follower gets ahead of its leader.

use super::{
    Crowd,
    body::{NO_DIRECTION, NONE, Role, WHOLE},
    effort::MAX_STEPS_PER_TICK,
    occupancy::Hold,
};

impl Crowd {
    /// Begins a tick: each body gets its whole stride, and stepping bodies walk on. Returns how
    /// many times bodies may begin steps.
    pub(super) fn begin_tick(&mut self) -> u32 {
        self.tick = self.tick.wrapping_add(1);
        let mut most = MAX_STEPS_PER_TICK;
        for state in &mut self.bodies {
            (state.left, state.begun, state.ended) = (state.stride, 0, 0);
            most = most.max(state.steps);
            if state.role == Role::UnderWay || state.is_stepping() {
                state.waited = state.waited.saturating_add(1);
            }
        }
        self.advance();
        most
    }

    /// Makes all stepping bodies use the rest of their strides, at most to the ends of their steps.
    /// Returns whether a body could begin another step.
    pub(super) fn advance(&mut self) -> bool {
        self.pass = self.pass.wrapping_add(1);
        let mut goes_on = false;
        for body in 0..self.bodies.len() {
            let state = &self.bodies[body];
            if !state.is_stepping() || state.left == 0 || state.passed == self.pass {
                continue;
            }
            if state.follows {
                self.advance_behind(body as u32);
            } else {
                self.walk(body, None);
            }
            let state = &self.bodies[body];
            goes_on |= !state.is_stepping() && state.left > 0;
        }
        goes_on
    }

    /// Makes a body walk. First, all bodies that it follows walk.
    fn advance_behind(&mut self, body: u32) {
        let mut chain = std::mem::take(&mut self.chain);
        chain.push(body);
        self.bodies[body as usize].depth = 0;
        while let Some(&last) = chain.last() {
            let waits_for = (self.leaders(last as usize))
                .find(|&leader| self.bodies[leader as usize].passed != self.pass);
            match waits_for {
                Some(leader) if self.bodies[leader as usize].is_asked() => {
                    let first = self.bodies[leader as usize].depth as usize;
                    self.walk_ring(&chain[first..]);
                    for member in chain.drain(first..) {
                        self.bodies[member as usize].depth = NONE;
                    }
                }
                Some(leader) => {
                    self.bodies[leader as usize].depth = chain.len() as u32;
                    chain.push(leader);
                }
                None => {
                    let limit = self.leaders(last as usize);
                    let limit = limit.map(|leader| self.bodies[leader as usize].share).min();
                    self.walk(last as usize, limit);
                    self.bodies[last as usize].depth = NONE;
                    chain.pop();
                }
            }
        }
        self.chain = chain;
    }

    /// Returns the bodies that leave cells which this body enters as their follower.
    pub(super) fn leaders(&self, body: usize) -> impl Iterator<Item = u32> + '_ {
        let state = &self.bodies[body];
        let follows = state.follows.then_some(());
        let entered = follows.into_iter().flat_map(|()| self.strip(state, state.to));
        let others = entered.flat_map(|slot| self.occupancy.at(slot));
        others.filter_map(move |(other, hold)| {
            let leads = hold == Hold::Leaves
                && other as usize != body
                && state.excludes(&self.bodies[other as usize]);
            leads.then_some(other)
        })
    }

    /// Returns the share of the step that a body would reach without a limit.
    fn reach(&self, body: usize) -> u32 {
        let state = &self.bodies[body];
        let (spent, length) = (u64::from(state.spent) + u64::from(state.left), u64::from(state.length));
        if spent < length { (spent * u64::from(WHOLE) / length) as u32 } else { WHOLE }
    }

    /// Makes bodies that follow each other in a ring walk as far as the slowest of them.
    fn walk_ring(&mut self, ring: &[u32]) {
        let inside = |body: u32| ring.contains(&body);
        let reach = ring.iter().map(|&body| {
            // A leader outside the ring may walk later in this pass. Its present share is its least
            // possible share.
            let outside = self.leaders(body as usize).filter(|&leader| !inside(leader));
            let limit = outside.map(|leader| self.bodies[leader as usize].share).min();
            self.reach(body as usize).min(limit.unwrap_or(WHOLE))
        });
        let share = reach.min();
        for &body in ring {
            self.walk(body as usize, share);
        }
    }

    /// Makes a body use the rest of its stride, up to the share `limit` of its step if there is
    /// one.
    fn walk(&mut self, body: usize, limit: Option<u32>) {
        let reach = self.reach(body);
        let pass = self.pass;
        let state = &mut self.bodies[body];
        state.passed = pass;
        let share = reach.min(limit.unwrap_or(WHOLE)).max(state.share);
        let before = (state.share, state.spent);
        if share == WHOLE {
            state.waited = 0;
            state.ended += 1;
            state.left = (u64::from(state.spent) + u64::from(state.left))
                .saturating_sub(u64::from(state.length))
                .min(u64::from(u32::MAX)) as u32;
            (state.share, state.spent, state.follows) = (0, 0, false);
            self.leave(body);
            let state = &mut self.bodies[body];
            // The wish was a direction from the old cell.
            (state.from, state.wish) = (state.to, NO_DIRECTION);
        } else {
            state.spent = if share < reach {
                let walked = u64::from(share) * u64::from(state.length);
                walked.div_ceil(u64::from(WHOLE)) as u32
            } else {
                state.spent.saturating_add(state.left)
            };
            state.share = share;
            state.left = 0;
            if (state.share, state.spent) != before {
                state.waited = 0;
            }
        }
    }
}

//! Rounds of turns that run side by side.
//!
//! Turns are dealt in order, searched on the threads of Bevy's task pool, and settled in order. The
//! threads decide neither the turns of a round, nor their limits of work, nor the order in which
//! they end. Without threads the same rounds run one turn after the other.
//!
//! Decision: `docs/decisions/41-search-rounds.md`.

use std::sync::Arc;

use bevy_ecs::entity::Entity;
use bevy_tasks::ComputeTaskPool;
use tilepath::SearchStatus;

use super::{Outcome, Work};
use crate::{
    map::maps::Maps,
    order::{queue::RequestId, status::PathStatus},
    search::{
        searches::{PendingSearch, Purpose, Queue, Running, Searches},
        turns::{MOST_DEALT, Retention, Rule, Share, Turn},
    },
};

/// The number of long searches that share what is left of a share, so that several threads have
/// work. It is small, because each search takes longer the more of them there are.
const SHARERS: u64 = 4;

/// The least work of a slice: no slice is cut to less.
const LEAST_SLICE: u64 = 2048;

/// The least work of a round, as far as it can be predicted, for which other threads are woken.
const WORTH_WAKING: u64 = 2048;

/// A turn that was dealt, with its state.
struct Dealt {
    turn: Turn<Entity>,
    rule: Rule,
    /// The part of the share that was taken for it.
    taken: u64,
    /// The limit of work for its search.
    slice: u64,
    /// The work for making it ready.
    cost: u64,
    pending: PendingSearch,
    /// The present order of the entity.
    living: RequestId,
}

impl Dealt {
    fn work(&self) -> u64 {
        self.pending.running.as_ref().map_or(0, |running| running.search.work())
    }

    /// Advances its search by one slice, which other searches do not notice.
    fn advance(&mut self, maps: &Maps) {
        if let Some(Running { search, problem, .. }) = &mut self.pending.running
            && self.slice > 0
        {
            Arc::make_mut(search).advance_apart(self.slice, &maps.of(problem.movement.as_ref()));
        }
    }
}

impl Work<'_, '_, '_> {
    /// Gives turns to the searches of one queue until its share is used up.
    pub(super) fn share(&mut self, searches: &mut Searches, queue: Queue, mut share: Share) {
        while self.round(searches, queue, &mut share) {}
    }

    /// Runs one round of turns. Returns false if the queue is empty or the share is used up.
    pub(super) fn round(&mut self, searches: &mut Searches, queue: Queue, share: &mut Share) -> bool {
        let Some(mut dealt) = self.deal(searches, queue, share) else { return false };
        let before: Vec<u64> = dealt.iter().map(Dealt::work).collect();
        advance_all(&mut dealt, &self.present.maps, searches.first_turn_work);
        for (mut dealt, before) in dealt.into_iter().zip(before) {
            let spent = self.spent;
            let outcome = self.end_slice(&mut dealt, before);
            let cost = dealt.cost + self.spent - spent;
            if dealt.turn.level == 0 {
                searches.note_first_turn(cost);
            }
            share.settle(dealt.rule, dealt.taken, cost);
            self.end_turn(searches, queue, &dealt.turn, dealt.pending, outcome, cost);
        }
        true
    }

    /// Deals the turns of a round, and ends turns without a search. Returns `None` if there are no
    /// turns.
    fn deal(&mut self, searches: &mut Searches, queue: Queue, share: &mut Share) -> Option<Vec<Dealt>> {
        let most = share.left().div_ceil(SHARERS).max(LEAST_SLICE);
        let (mut dealt, mut level, mut is_over) = (Vec::new(), None, true);
        while dealt.len() < MOST_DEALT
            && let Some(rule) = share.next(dealt.is_empty())
            && let Some(turn) = searches.queue(queue).deal(rule, level)
        {
            is_over = false;
            // Longer searches come after these.
            level = level.or(turn.is_next_by_level.then_some(turn.level));
            let Some(mut pending) = searches.take(turn.id) else {
                searches.queue(queue).leave(&turn);
                continue;
            };
            let (rule, mut taken) = share.take_for(&turn, rule, most);
            let before = self.spent;
            let ready = self.make_ready(&mut pending, taken);
            let cost = self.spent - before;
            match ready {
                Ok(living) => {
                    let slice = taken.saturating_sub(cost);
                    // Beginning may cost more than the turn has, and new ground may make the turn
                    // longer than planned.
                    let usual = if turn.level == 0 { searches.first_turn_work } else { 0 };
                    taken += share.take(rule, usual.max(cost).saturating_sub(taken));
                    taken += share.take(rule.other(), cost.saturating_sub(taken));
                    dealt.push(Dealt { turn, rule, taken, slice, cost, pending, living });
                }
                Err(outcome) => {
                    share.settle(rule, taken, cost);
                    self.end_turn(searches, queue, &turn, pending, outcome, cost);
                }
            }
        }
        if dealt.len() < MOST_DEALT {
            share_rest(&mut dealt, share);
        }
        (!is_over).then_some(dealt)
    }

    /// Begins the search of a turn. Returns an error if there is no search.
    fn make_ready(&mut self, pending: &mut PendingSearch, slice: u64) -> Result<RequestId, Outcome> {
        let entity = pending.order.entity;
        // The entity may have been despawned, or the order cancelled, after it was accepted.
        let requester = self.requesters.get(entity).map_err(|_| Outcome::Over)?;
        let living = requester.state.order_of(entity).ok_or(Outcome::Over)?;
        if let Err(why) = self.find_map(pending) {
            if pending.order == living && !pending.is_optional() {
                self.put_off(pending, why);
            }
            return Err(Outcome::Over);
        }
        let before = self.spent;
        if let Some(outcome) = self.ask_field(pending, slice, living) {
            return Err(outcome);
        }
        if pending.running.is_none()
            && let Err(reason) = self.begin(pending)
        {
            self.spent = self.spent.max(before + 1);
            if pending.is_for_next_stop() {
                self.find_no_next_way(pending);
            } else if pending.is_for_better() {
                self.keep(pending, reason);
            } else {
                self.answer(pending, Err(reason));
            }
            return Err(Outcome::Over);
        }
        Ok(living)
    }

    /// Continues where the search could not while others ran, and ends it if it is done. `before`
    /// is its work before the slice.
    fn end_slice(&mut self, dealt: &mut Dealt, before: u64) -> Outcome {
        let Dealt { pending, living, slice, .. } = dealt;
        let Some(Running { search, problem, .. }) = &mut pending.running else { return Outcome::Running };
        if *slice == 0 {
            return Outcome::Running;
        }
        let search = Arc::make_mut(search);
        search.settle();
        let rest = slice.saturating_sub(search.work() - before);
        let unit = self.present.maps.of(problem.movement.as_ref());
        let status = search.advance(rest, &unit, &mut self.notes);
        self.spent += (search.work() - before).max(1);
        if status == SearchStatus::Running {
            return Outcome::Running;
        }
        self.complete(pending, *living)
    }

    /// Settles a turn that has cost this much work.
    fn end_turn(
        &mut self,
        searches: &mut Searches,
        queue: Queue,
        turn: &Turn<Entity>,
        mut pending: PendingSearch,
        outcome: Outcome,
        cost: u64,
    ) {
        match outcome {
            Outcome::Running => {
                if searches.queue(queue).charge(turn, cost) == Retention::Evicted {
                    pending.running = None;
                    self.show(&pending, PathStatus::Queued);
                }
                searches.put_back(pending);
            }
            Outcome::Over => {
                searches.queue(queue).leave(turn);
                self.fields.leave(turn.id);
            }
            Outcome::Replaced | Outcome::Outdated => {
                searches.queue(queue).leave(turn);
                pending.purpose = match outcome {
                    Outcome::Outdated => Purpose::Standing,
                    _ => Purpose::Order,
                };
                self.show(&pending, PathStatus::Queued);
                searches.enter(pending);
            }
        }
    }
}

/// Gives the rest of the share, in equal parts, to the turns if there are few of them.
fn share_rest(dealt: &mut [Dealt], share: &mut Share) {
    let by_level = || dealt.iter().filter(|dealt| dealt.rule == Rule::Level).count() as u64;
    let part = share.of_level() / by_level().max(1);
    for dealt in dealt.iter_mut().filter(|dealt| dealt.rule == Rule::Level) {
        let whole = dealt.turn.slice.saturating_sub(dealt.cost);
        let more = share.take(Rule::Level, whole.saturating_sub(dealt.slice).min(part));
        dealt.taken += more;
        dealt.slice += more;
    }
}

/// Advances each search by one slice, on the threads of the pool if there are several and the work
/// is worth it. `first_turn_work` is the usual work of a first turn.
fn advance_all(dealt: &mut [Dealt], maps: &Maps, first_turn_work: u64) {
    let expected = |dealt: &Dealt| {
        if dealt.turn.level == 0 { dealt.slice.min(first_turn_work) } else { dealt.slice }
    };
    let is_worth_while = || dealt.iter().map(expected).fold(0, u64::saturating_add) >= WORTH_WAKING;
    let pool = ComputeTaskPool::try_get().filter(|pool| pool.thread_num() > 1);
    match pool {
        Some(pool) if dealt.len() > 1 && is_worth_while() => {
            pool.scope(|scope| {
                for dealt in dealt {
                    scope.spawn(async move { dealt.advance(maps) });
                }
            });
        }
        _ => dealt.iter_mut().for_each(|dealt| dealt.advance(maps)),
    }
}

//! Turns that are had side by side: dealt in order, searched on the threads of Bevy's task pool, settled in order.
//!
//! Which turns make a round, what each of them may cost and in which order they end does not depend on the threads: where there are
//! none the same rounds are run one turn after the other.

use bevy_ecs::entity::Entity;
use bevy_tasks::ComputeTaskPool;
use tilepath::SearchStatus;

use super::{Outcome, Work};
use crate::{
    map::maps::Maps,
    order::{queue::RequestId, status::PathStatus},
    search::{
        searches::{PendingSearch, Purpose, Running, Searches},
        turns::{MOST_DEALT, Retention, Rule, Share, Turn},
    },
};

/// This number of long searches share what is left of a share, so that there is something to do for several threads;
/// but not more than that, because each of them is over the later the more there are.
const SHARERS: u64 = 4;

/// No slice is cut to less than this.
const LEAST_SLICE: u64 = 2048;

/// A round of less work than this, as far as that can be told, is not worth to wake other threads for.
const WORTH_WAKING: u64 = 2048;

/// A turn that was dealt, and what is known of it.
struct Dealt {
    turn: Turn<Entity>,
    rule: Rule,
    /// What was taken of the share for it.
    taken: u64,
    /// What its search may cost.
    slice: u64,
    /// What it has cost to get ready.
    cost: u64,
    pending: PendingSearch,
    /// The order of the entity as it is now.
    living: RequestId,
}

impl Dealt {
    fn work(&self) -> u64 {
        self.pending.running.as_ref().map_or(0, |running| running.search.work())
    }

    /// One slice of its search, which others do not notice.
    fn advance(&mut self, maps: &Maps) {
        if let Some(Running { search, problem, .. }) = &mut self.pending.running
            && self.slice > 0
        {
            search.advance_apart(self.slice, &maps.of(problem.movement.as_ref()));
        }
    }
}

impl Work<'_, '_, '_> {
    /// Lets the searches of one queue have their turns until its share is spent.
    pub(super) fn share(&mut self, searches: &mut Searches, is_urgent: bool, mut share: Share) {
        while self.round(searches, is_urgent, &mut share) {}
    }

    /// One round of turns. `false`: the queue is empty, or the share is spent.
    pub(super) fn round(&mut self, searches: &mut Searches, is_urgent: bool, share: &mut Share) -> bool {
        let Some(mut dealt) = self.deal(searches, is_urgent, share) else { return false };
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
            self.end_turn(searches, is_urgent, &dealt.turn, dealt.pending, outcome, cost);
        }
        true
    }

    /// Deals the turns of a round, and ends those for which nothing is to be searched. `None`: there are none.
    fn deal(&mut self, searches: &mut Searches, is_urgent: bool, share: &mut Share) -> Option<Vec<Dealt>> {
        let most = share.left().div_ceil(SHARERS).max(LEAST_SLICE);
        let (mut dealt, mut level, mut is_over) = (Vec::new(), None, true);
        while dealt.len() < MOST_DEALT
            && let Some(rule) = share.next(dealt.is_empty())
            && let Some(turn) = searches.queue(is_urgent).deal(rule, level)
        {
            is_over = false;
            // Those that were searched for longer come after them.
            level = level.or(turn.is_next_by_level.then_some(turn.level));
            let Some(mut pending) = searches.take(turn.id) else {
                searches.queue(is_urgent).leave(&turn);
                continue;
            };
            let (rule, mut taken) = share.take_for(&turn, rule, most);
            let before = self.spent;
            let ready = self.make_ready(&mut pending, taken);
            let cost = self.spent - before;
            match ready {
                Ok(living) => {
                    let slice = taken.saturating_sub(cost);
                    // To begin may cost more than the turn, and new ground may make it longer than it is meant to be.
                    let usual = if turn.level == 0 { searches.first_turn_work } else { 0 };
                    taken += share.take(rule, usual.max(cost).saturating_sub(taken));
                    taken += share.take(rule.other(), cost.saturating_sub(taken));
                    dealt.push(Dealt { turn, rule, taken, slice, cost, pending, living });
                }
                Err(outcome) => {
                    share.settle(rule, taken, cost);
                    self.end_turn(searches, is_urgent, &turn, pending, outcome, cost);
                }
            }
        }
        if dealt.len() < MOST_DEALT {
            share_rest(&mut dealt, share);
        }
        (!is_over).then_some(dealt)
    }

    /// Begins what is to be searched. `Err`: nothing is.
    fn make_ready(&mut self, pending: &mut PendingSearch, slice: u64) -> Result<RequestId, Outcome> {
        let entity = pending.order.entity;
        // It may have been despawned, or the order cancelled, since it was accepted.
        let requester = self.requesters.get(entity).map_err(|_| Outcome::Over)?;
        let living = requester.state.order_of(entity).ok_or(Outcome::Over)?;
        if let Err(why) = self.find_map(pending) {
            if pending.order == living && !pending.is_optional() {
                self.put_off(pending, why);
            }
            return Err(Outcome::Over);
        }
        let before = self.spent;
        if pending.is_for_next_part() {
            self.take_next_part(pending);
            return Err(Outcome::Over);
        }
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

    /// Goes on where the search could not while others did, and concludes it if it is over. It had done so much work before.
    fn end_slice(&mut self, dealt: &mut Dealt, before: u64) -> Outcome {
        let Dealt { pending, living, slice, .. } = dealt;
        let Some(Running { search, problem, .. }) = &mut pending.running else { return Outcome::Running };
        if *slice == 0 {
            return Outcome::Running;
        }
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

    /// What becomes of a pending after a turn that has cost so much.
    fn end_turn(
        &mut self,
        searches: &mut Searches,
        is_urgent: bool,
        turn: &Turn<Entity>,
        mut pending: PendingSearch,
        outcome: Outcome,
        cost: u64,
    ) {
        match outcome {
            Outcome::Running => {
                if searches.queue(is_urgent).charge(turn, cost) == Retention::Evicted {
                    pending.running = None;
                    self.show(&pending, PathStatus::Queued);
                }
                searches.put_back(pending);
            }
            Outcome::Over => {
                searches.queue(is_urgent).leave(turn);
                self.fields.leave(turn.id);
            }
            Outcome::Replaced | Outcome::Outdated => {
                searches.queue(is_urgent).leave(turn);
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

/// Where few have their turns, they have what is left of the share, in equal parts.
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

/// One slice of each search: on the threads of the pool, if there are some and it is worth while. `first_turn_work` is about what a first
/// turn costs.
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

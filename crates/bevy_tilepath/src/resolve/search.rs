//! Advances searches within the tick's budget of work, fairly.
//!
//! Searches take turns of one slice each, so that a short one is not held up by a long one. What is
//! [urgent](RequestQueue::urgent) comes first, is run to its end, and gets up to half of the budget.

use std::time::Duration;

use bevy_ecs::{
    change_detection::DetectChangesMut,
    entity_disabling::Disabled,
    query::Allow,
    system::{Query, Res, ResMut},
};
use bevy_time::Time;
use tilepath::SearchStatus;

use crate::{
    agent::{Course, Found, FoundLeg, PathStatus},
    diagnostics::TilepathDiagnostics,
    doors::KnownDoors,
    failure::PathFailure,
    maps::{AnyMap, Maps},
    replan::WatchedMaps,
    request::{
        Job, Notice, Order, OrderSearch, RequestQueue, RequestTicket, Running, SearchNotes, WaitingForMap,
        Way,
    },
    settings::TilepathSettings,
};

/// Work of one turn.
const SLICE: u64 = 512;

/// Searches that take turns at a time: each holds memory in the size of what it has seen of its map.
const TURNS: usize = 32;

type Orders<'w, 's> = Query<'w, 's, (&'static RequestTicket, &'static mut PathStatus), Allow<Disabled>>;

pub(crate) fn advance_searches(
    mut queue: ResMut<RequestQueue>,
    maps: Maps,
    mut orders: Orders,
    watched: Res<WatchedMaps>,
    doors: Res<KnownDoors>,
    time: Res<Time>,
    settings: Res<TilepathSettings>,
    mut diagnostics: ResMut<TilepathDiagnostics>,
    notes: SearchNotes,
) {
    let queue = &mut *queue;
    drop_dead_orders(queue, &orders);
    drop_dead_maps(queue, &maps, time.elapsed());

    let budget = settings.work_per_tick.max(1);
    let mut work = Work { maps: &maps, watched: &watched, doors: &doors, notes, spent: 0 };
    // At least one: an urgent search may take more than the budget, and must not wait for ever.
    let mut first = true;
    while (first || work.spent < budget / 2)
        && let Some(job) = queue.urgent.pop_front()
    {
        first = false;
        work.run_to_end(queue, &job);
    }
    let reserved = work.spent + (budget - budget.min(work.spent)).max(budget.div_ceil(2));
    work.take_turns(queue, reserved, &mut orders);
    while work.spent < budget
        && let Some(job) = queue.urgent.pop_front()
    {
        work.run_to_end(queue, &job);
    }

    diagnostics.work = work.spent;
    diagnostics.answers = 0;
    diagnostics.replans = 0;
    diagnostics.waiting_for_map = queue.waiting.len();
    diagnostics.queued = queue.accepted.len() + queue.urgent.len();
    diagnostics.searching = queue.running.len();
}

/// Forgets what is queued for orders that were replaced, cancelled or despawned.
fn drop_dead_orders(queue: &mut RequestQueue, orders: &Orders) {
    let lives = |order: Order| orders.get(order.entity).is_ok_and(|(ticket, _)| ticket.holds(order.number));
    queue.accepted.retain(|job| lives(job.order));
    queue.urgent.retain(|job| lives(job.order));
    queue.running.retain(|running| lives(running.job.order));
}

/// A journey on a map that is gone is lost, a request fails. Where only the map was taken off the entity,
/// or its tiles cannot be read any more, the request waits for it.
fn drop_dead_maps(queue: &mut RequestQueue, maps: &Maps, now: Duration) {
    let RequestQueue { accepted, urgent, running, waiting, notices, .. } = queue;
    let mut lives = |job: &Job| {
        if maps.ready(job.map).is_some() {
            return true;
        }
        if job.replan {
            notices.push((job.order, Notice::Lost(PathFailure::NoMap)));
        } else if maps.entity_exists(job.map) {
            let named = job.named.then_some(job.map);
            waiting.push(WaitingForMap { order: job.order, named, since: now });
        } else {
            notices.push((job.order, Notice::Failed(PathFailure::NoMap)));
        }
        false
    };
    accepted.retain(&mut lives);
    urgent.retain(&mut lives);
    running.retain(|running| lives(&running.job));
}

struct Work<'a, 'w, 's> {
    maps: &'a Maps<'w, 's>,
    watched: &'a WatchedMaps,
    doors: &'a KnownDoors,
    notes: SearchNotes<'w, 's>,
    spent: u64,
}

impl Work<'_, '_, '_> {
    /// Searches the map as it is now, to the end.
    fn run_to_end(&mut self, queue: &mut RequestQueue, job: &Job) {
        self.spent += job.begin_work();
        let answer = job.begin(self.maps, self.doors, &mut self.notes).and_then(|mut search| {
            self.spent += search.begun_work();
            while self.advance(&mut search, SLICE) == SearchStatus::Running {}
            search.finish(job, self.maps, &mut self.notes)
        });
        self.answer(queue, job, answer);
    }

    /// One slice of a search, and what it cost.
    fn advance(&mut self, search: &mut OrderSearch, slice: u64) -> SearchStatus {
        let before = search.work();
        let status = search.advance(slice, self.maps, &mut self.notes);
        self.spent += (search.work() - before).max(1);
        status
    }

    /// Gives every search one slice after the other until so much has been spent in this tick.
    fn take_turns(&mut self, queue: &mut RequestQueue, limit: u64, orders: &mut Orders) {
        while self.spent < limit {
            while queue.running.len() < TURNS
                && self.spent < limit
                && let Some(job) = queue.accepted.pop_front()
            {
                self.begin(queue, job, orders);
            }
            // To begin searches may have cost all that was left.
            if self.spent >= limit {
                break;
            }
            let Some(mut running) = queue.running.pop_front() else { break };
            let slice = SLICE.min(limit - self.spent);
            match self.advance(&mut running.search, slice) {
                SearchStatus::Running => queue.running.push_back(running),
                SearchStatus::Done => self.complete(queue, running),
            }
        }
    }

    fn begin(&mut self, queue: &mut RequestQueue, job: Job, orders: &mut Orders) {
        let Some(begun_on) = self.maps.get(job.map).map(|map| map.stamp()) else { return };
        self.spent += job.begin_work();
        match job.begin(self.maps, self.doors, &mut self.notes) {
            Ok(search) => {
                self.spent += search.begun_work();
                if let Ok((_, mut status)) = orders.get_mut(job.order.entity) {
                    status.set_if_neq(PathStatus::Searching);
                }
                queue.running.push_back(Running { job, search, begun_on });
            }
            Err(reason) => {
                self.spent += 1;
                self.answer(queue, &job, Err(reason));
            }
        }
    }

    /// Takes the answer if it still holds on the maps as they are now. Otherwise the search is repeated, once:
    /// then it is run to its end within the tick.
    fn complete(&mut self, queue: &mut RequestQueue, running: Running) {
        let Running { job, search, begun_on } = running;
        if self.maps.get(job.map).is_none() {
            return;
        }
        let unchanged = search.is_current(&begun_on, self.maps, self.doors);
        let answer = search.finish(&job, self.maps, &mut self.notes);
        let holds = unchanged || matches!(&answer, Ok(Way { legs, partial: false, .. }) if self.holds(legs));
        if holds {
            self.answer(queue, &job, answer);
        } else {
            queue.urgent.push_back(job);
        }
    }

    /// Whether a path found on an earlier state of its map can still be walked. Routes over several maps are searched
    /// again.
    fn holds(&self, legs: &[FoundLeg]) -> bool {
        let [FoundLeg { map, course: Course::Cells(course), .. }] = legs else { return false };
        let Some(AnyMap::Tiles(ground)) = self.maps.get(*map) else { return false };
        ground.grid.verify(course.path()).is_ok()
    }

    fn answer(&self, queue: &mut RequestQueue, job: &Job, answer: Result<Way, PathFailure>) {
        let found = answer.map(|way| {
            let Way { mut legs, partial, chosen, statistics } = way;
            for leg in &mut legs {
                let map = self.maps.get(leg.map);
                let watch = self.watched.get(leg.map);
                let watch = watch.filter(|watch| map.is_some_and(|map| watch.describes(&map.stamp())));
                leg.edition = watch.map(|watch| watch.edition);
                leg.placement = watch.map(|watch| watch.placement);
            }
            Box::new(Found {
                goals: job.goals.clone(),
                chosen,
                partial,
                statistics,
                legs,
                doors_edition: self.doors.edition(),
                replan: job.replan,
            })
        });
        let notice = match found {
            Ok(found) => Notice::Found(found),
            Err(reason) if job.replan => Notice::Lost(reason),
            Err(reason) => Notice::Failed(reason),
        };
        queue.notices.push((job.order, notice));
    }
}

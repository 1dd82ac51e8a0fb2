//! Advances searches within the tick's budget of work, fairly.
//!
//! Searches take turns of one slice each, so that a short one is not held up by a long one. What is
//! [urgent](RequestQueue::urgent) comes first, is run to its end, and gets up to half of the budget.

use std::time::Duration;

use bevy_ecs::{
    change_detection::DetectChangesMut,
    entity::Entities,
    entity_disabling::Disabled,
    query::{Allow, With},
    system::{Query, Res, ResMut},
};
use bevy_time::Time;
use tilepath::SearchStatus;

use crate::{
    agent::{Found, PathStatus},
    diagnostics::TilepathDiagnostics,
    failure::PathFailure,
    nav_map::{NavGrid, NavMap},
    replan::WatchedMaps,
    request::{Job, Notice, Order, OrderSearch, RequestQueue, RequestTicket, Running, WaitingForMap, Way},
    settings::TilepathSettings,
};

/// Expanded cells of one turn.
const SLICE: u64 = 512;

/// Searches that take turns at a time: each holds memory in the size of what it has seen of its map.
const TURNS: usize = 32;

type Maps<'w, 's> = Query<'w, 's, &'static NavGrid, With<NavMap>>;
type Orders<'w, 's> = Query<'w, 's, (&'static RequestTicket, &'static mut PathStatus), Allow<Disabled>>;

pub(super) fn advance_searches(
    mut queue: ResMut<RequestQueue>,
    maps: Maps,
    mut orders: Orders,
    entities: &Entities,
    watched: Res<WatchedMaps>,
    time: Res<Time>,
    settings: Res<TilepathSettings>,
    mut diagnostics: ResMut<TilepathDiagnostics>,
) {
    let queue = &mut *queue;
    drop_dead_orders(queue, &orders);
    drop_dead_maps(queue, &maps, entities, time.elapsed());

    let budget = settings.work_per_tick.max(1);
    let mut work = Work { maps: &maps, watched: &watched, spent: 0 };
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

/// A journey on a map that is gone is lost, a request fails. Where only [`NavMap`] was taken off the entity,
/// or its tiles cannot be read any more, the request waits for it.
fn drop_dead_maps(queue: &mut RequestQueue, maps: &Maps, entities: &Entities, now: Duration) {
    let RequestQueue { accepted, urgent, running, waiting, notices, .. } = queue;
    let mut lives = |job: &Job| {
        if maps.get(job.map).is_ok_and(NavGrid::is_ready) {
            return true;
        }
        if job.replan {
            notices.push((job.order, Notice::Lost(PathFailure::NoMap)));
        } else if entities.contains(job.map) {
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
    spent: u64,
}

impl Work<'_, '_, '_> {
    /// Searches the map as it is now, to the end.
    fn run_to_end(&mut self, queue: &mut RequestQueue, job: &Job) {
        let Ok(grid) = self.maps.get(job.map) else { return };
        self.spent += job.begin_work();
        let answer = job.begin(grid).map_err(PathFailure::from).and_then(|mut search| {
            while self.advance(&mut search, SLICE) == SearchStatus::Running {}
            search.finish(job.request.wants_closest())
        });
        self.answer(queue, job, grid, answer);
    }

    /// One slice of a search, and what it cost.
    fn advance(&mut self, search: &mut OrderSearch, slice: u64) -> SearchStatus {
        let before = search.statistics().expanded;
        let status = search.advance(slice);
        self.spent += match status {
            SearchStatus::Running => slice,
            SearchStatus::Done => (search.statistics().expanded - before).max(1),
        };
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
        let Ok(grid) = self.maps.get(job.map) else { return };
        self.spent += job.begin_work();
        match job.begin(grid) {
            Ok(search) => {
                if let Ok((_, mut status)) = orders.get_mut(job.order.entity) {
                    status.set_if_neq(PathStatus::Searching);
                }
                let (generation, rules_edition) = (grid.generation(), grid.rules_edition());
                queue.running.push_back(Running { job, search, generation, rules_edition });
            }
            Err(error) => {
                self.spent += 1;
                self.answer(queue, &job, grid, Err(error.into()));
            }
        }
    }

    /// Takes the answer if it still holds on the map as it is now. Otherwise the search is repeated, once:
    /// then it is run to its end within the tick.
    fn complete(&mut self, queue: &mut RequestQueue, running: Running) {
        let Running { job, search, generation, rules_edition } = running;
        let Ok(grid) = self.maps.get(job.map) else { return };
        let unchanged = generation == grid.generation()
            && search.revision() == grid.revision()
            && rules_edition == grid.rules_edition();
        let answer = search.finish(job.request.wants_closest());
        let holds = unchanged
            || matches!(&answer, Ok(Way { path, partial: false, .. })
                if grid.finder().movement(grid.movement())
                    .is_some_and(|movement| path.verify(grid.grid(), movement).is_ok()));
        if holds {
            self.answer(queue, &job, grid, answer);
        } else {
            queue.urgent.push_back(job);
        }
    }

    fn answer(&self, queue: &mut RequestQueue, job: &Job, grid: &NavGrid, answer: Result<Way, PathFailure>) {
        let found = answer.map(|way| {
            let watch = self.watched.get(job.map).filter(|watch| watch.describes(grid));
            Box::new(Found {
                map: job.map,
                goals: job.goals.clone(),
                way,
                revision: grid.revision(),
                edition: watch.map(|watch| watch.edition),
                placement: watch.map(|watch| watch.placement),
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

//! The budget of work: searches advance within a tick.
//!
//! [Urgent](Queue::Urgent) searches come first with up to half of the budget, then orders. While any of
//! them wait, searches for better paths get at most a quarter. What is left goes to the queues in this
//! order. Each queue works by [turns](super::turns). Several turns run [side by side](round).
//!
//! Decision: `docs/decisions/40-work-budget.md`.

mod better_way;
mod field_turn;
mod next_stop;
mod round;

use std::sync::Arc;

use bevy_ecs::system::{Res, ResMut, SystemParam};
use bevy_time::Time;
use tilepath::SearchStatus;

use crate::{
    diagnostics::TilepathDiagnostics,
    failure::PathFailure,
    journey::parents::ParentPlaces,
    map::{
        door::known::KnownDoors,
        map_view::MapView,
        maps::{AnyMap, Maps, UnitMaps},
        place::MapPlace,
        watch::WatchedMaps,
    },
    order::{
        pending_event::PendingEvent,
        queue::{NotYet, RequestId, RequestQueue, WaitingForMap},
        route::{Known, Route},
        status::PathStatus,
    },
    route::leg::PathLeg,
    search::{
        accept::Requesters,
        landmarks::LandmarkCredit,
        observers::{SearchNotes, SearchObservers},
        problem::SearchProblem,
        searches::{PendingSearch, Purpose, Queue, Running, Searches},
        shared_fields::{FieldQuestion, SharedFields},
        targets::Targets,
        turns::Share,
    },
    settings::TilepathSettings,
};

/// The number of answers that may be outdated when they arrive. The next search then runs to its
/// end within a tick.
const TRIES: u32 = 2;

/// The divisor of the part of the budget that searches for better paths get while others wait: one part
/// in four.
const BETTER_SHARE: u64 = 4;

/// The state of the world in this tick.
#[derive(SystemParam)]
pub(crate) struct Present<'w, 's> {
    maps: Maps<'w, 's>,
    targets: Targets<'w, 's>,
    parents: Res<'w, ParentPlaces>,
    doors: Res<'w, KnownDoors>,
    watched: Res<'w, WatchedMaps>,
    time: Res<'w, Time>,
}

pub(crate) fn advance_searches(
    present: Present,
    mut searches: ResMut<Searches>,
    mut fields: ResMut<SharedFields>,
    mut credit: ResMut<LandmarkCredit>,
    mut queue: ResMut<RequestQueue>,
    mut requesters: Requesters,
    settings: Res<TilepathSettings>,
    mut diagnostics: ResMut<TilepathDiagnostics>,
    observers: SearchObservers,
) {
    searches.bound_states(&present.maps);
    let budget = present.targets.rest_of(settings.work_per_tick.max(1));
    let elsewhere = present.targets.take_work() + credit.work;
    // Searches get at least half of it.
    let budget = budget.saturating_sub(credit.work).max(budget.div_ceil(2));
    let waits = |entity| searches.get(entity).is_some();
    let led_work = |question: &FieldQuestion| {
        let Some(AnyMap::Tiles(view)) = present.maps.ready(question.map) else { return None };
        let rules = view.finder.movement(question.movement)?;
        credit.led_work(&MapView { movement: question.movement, rules, ..view })
    };
    let spent = fields.begin_tick(&present.maps, budget, searches.len(), waits, &led_work);
    let mut work = Work {
        present: &present,
        requesters: &mut requesters,
        queue: &mut queue,
        fields: &mut fields,
        credit: &mut credit,
        notes: SearchNotes::with(observers),
        spent,
        begun: 0,
    };
    let half = budget.saturating_sub(spent).div_ceil(2);
    work.share(&mut searches, Queue::Urgent, Share::new(half));
    // An urgent search may have used more than its share. The others get their share all the same.
    let rest = budget.saturating_sub(work.spent).max(half);
    let has_better = searches.queue(Queue::Better).len() > 0;
    let for_better = if has_better { rest.min(budget / BETTER_SHARE) } else { 0 };
    work.share(&mut searches, Queue::Orders, Share::new(rest - for_better));
    work.share(&mut searches, Queue::Better, Share::new(for_better));
    while work.spent < budget
        && Queue::ALL.into_iter().any(|queue| {
            let mut rest = Share::by_level(budget - work.spent);
            work.round(&mut searches, queue, &mut rest)
        })
    {}
    work.fields.end_tick(&present.maps);

    diagnostics.work = work.spent + elsewhere + present.targets.take_work();
    diagnostics.landmark_work = work.credit.work;
    (diagnostics.led_searches, diagnostics.landmark_savings) = work.credit.take_savings();
    diagnostics.searches = work.begun;
    diagnostics.answers = 0;
    diagnostics.replans = 0;
    diagnostics.waiting_for_map = queue.waiting.len();
    (diagnostics.queued, diagnostics.searching) = searches.count();
}

struct Work<'a, 'w, 's> {
    present: &'a Present<'a, 'a>,
    requesters: &'a mut Requesters<'w, 's>,
    queue: &'a mut RequestQueue,
    fields: &'a mut SharedFields,
    credit: &'a mut LandmarkCredit,
    notes: SearchNotes<'a, 'a>,
    spent: u64,
    /// The number of searches begun.
    begun: usize,
}

/// The result of a turn of a queued search.
enum Outcome {
    /// The search goes on in its next turn, or another one begins there.
    Running,
    /// It is answered, or its order is gone.
    Over,
    /// A search for a replaced order has ended. Next is the turn of the newer order.
    Replaced,
    /// The answer is not valid any more.
    Outdated,
}

impl Work<'_, '_, '_> {
    /// Updates the map of a queued search if the map is gone or the entity was given another one.
    fn find_map(&mut self, pending: &mut PendingSearch) -> Result<(), NotYet> {
        let Ok(requester) = self.requesters.get_mut(pending.order.entity) else { return Ok(()) };
        let maps = &self.present.maps;
        if pending.is_for_next_stop() {
            return maps.ready(pending.map).map(drop).ok_or(PathFailure::NoMap.into());
        }
        let is_elsewhere = requester.named_map().is_some_and(|map| map != pending.map);
        if is_elsewhere || requester.movement() != pending.movement.as_ref() {
            let named_before = pending.is_named.then_some(pending.map);
            let living = requester.state.order_of(pending.order.entity);
            // If there is a newer order, its map and movement are taken over together with it.
            if is_elsewhere || living == Some(pending.order) {
                let target =
                    requester.target(named_before, pending.accepted(), maps, &self.present.targets)?;
                (pending.request, pending.map, pending.goals) = (target.request, target.map, target.goals);
                pending.movement = requester.movement().cloned();
                pending.is_named |= is_elsewhere;
                pending.running = None;
            }
        } else if maps.ready(pending.map).is_none() {
            return Err(maps.missing(pending.map));
        }
        Ok(())
    }

    /// Handles a missing map: the order waits for one, or fails.
    fn put_off(&mut self, pending: &PendingSearch, why: NotYet) {
        let is_answered = self.is_answered(pending);
        match why {
            NotYet::Wait if !is_answered => {
                let named = pending.is_named.then_some(pending.map);
                let since = self.present.time.elapsed();
                self.queue.waiting.push(WaitingForMap { order: pending.order, named, since });
            }
            NotYet::NextTick => {
                self.queue.ask_again(pending.order.entity);
            }
            NotYet::Wait | NotYet::Fail(_) => self.answer(pending, Err(why.reason())),
        }
    }

    /// Returns the search problem from the present place of the entity.
    fn problem(&mut self, pending: &PendingSearch) -> Result<SearchProblem, PathFailure> {
        let Present { maps, parents, watched, doors, .. } = self.present;
        let requester =
            self.requesters.get_mut(pending.order.entity).map_err(|_| PathFailure::AgentRemoved)?;
        let unit = maps.of(pending.movement.as_ref());
        let map = unit.find(pending.map)?;
        let next_start = requester.path.as_ref().and_then(|path| path.next_start());
        let start = match next_start.filter(|_| pending.is_for_next_stop()) {
            Some(start) => start,
            None => {
                pending.start_from(requester.standing_place(&unit, &map, parents)?, requester.path.as_deref())
            }
        };
        Ok(SearchProblem {
            order: pending.order,
            request: pending.request.clone(),
            map: pending.map,
            start,
            goals: pending.goals.clone(),
            movement: pending.movement.clone(),
            replan: requester.state.answered,
            known: Known { maps: watched.log.number, doors: doors.log.number },
        })
    }

    /// Begins a search from the present place of the entity.
    fn begin(&mut self, pending: &mut PendingSearch) -> Result<(), PathFailure> {
        let problem = self.problem(pending)?;
        let Present { maps, doors, .. } = self.present;
        let unit = maps.of(pending.movement.as_ref());
        let map = unit.find(pending.map)?;
        self.begun += 1;
        self.spent += problem.begin_work();
        let search = problem.begin(&unit, doors, &mut self.notes)?;
        self.spent += search.work();
        pending.running = Some(Running::new(problem, search, map.version()));
        if let Ok(mut requester) = self.requesters.get_mut(pending.order.entity) {
            requester.await_search();
        }
        self.show(pending, PathStatus::Searching);
        Ok(())
    }

    /// Ends a search that is done.
    fn complete(&mut self, pending: &mut PendingSearch, living: RequestId) -> Outcome {
        let Present { maps, doors, .. } = self.present;
        let Some(Running { problem, search, begun_on, .. }) = pending.running.take() else {
            return Outcome::Running;
        };
        let unit = maps.of(problem.movement.as_ref());
        let is_current = search.is_current(&begun_on, &unit, doors);
        if let Some(ended) = search.ended() {
            self.credit.note(ended);
        }
        let answer = Arc::unwrap_or_clone(search).finish(&problem, &unit, &mut self.notes);
        self.conclude(pending, &problem, answer, is_current, living)
    }

    /// Accepts the answer if it is valid for the present place of the entity and the present maps.
    fn conclude(
        &mut self,
        pending: &mut PendingSearch,
        problem: &SearchProblem,
        answer: Result<Route, PathFailure>,
        is_current: bool,
        living: RequestId,
    ) -> Outcome {
        if let Purpose::NextStop(cursor, edits) = pending.purpose {
            self.take_next_way(pending, problem, answer, is_current, cursor, edits);
            return Outcome::Over;
        }
        if pending.is_for_better() {
            return self.take_if_better(pending, problem, answer, is_current);
        }
        let Some(answer) = self.as_of_now(pending, problem, answer, is_current) else {
            return self.ask_again(pending);
        };
        let answer = answer.map(|route| self.share_goals(problem, route));
        if problem.order == living {
            self.answer(pending, answer);
            return Outcome::Over;
        }
        if let Ok(route) = answer {
            self.queue.tell(living, PendingEvent::Interim(Box::new(route)));
        }
        pending.begin_again();
        // An order that was given after orders were accepted gets its turn in the next tick.
        if pending.order == living { Outcome::Replaced } else { Outcome::Over }
    }

    /// Makes the agent stand, unless it walks on to a wall, and queues the search again. If answers have
    /// been outdated too often, runs the search within this tick.
    fn ask_again(&mut self, pending: &mut PendingSearch) -> Outcome {
        if let Ok(mut requester) = self.requesters.get_mut(pending.order.entity) {
            requester.hold_unless_closed();
        }
        pending.tries += 1;
        if pending.tries < TRIES {
            return Outcome::Outdated;
        }
        if let Err(reason) = self.begin(pending) {
            self.answer(pending, Err(reason));
            return Outcome::Over;
        }
        // A search that begins and ends in this tick is about the present maps.
        if let Some(Running { problem, search, .. }) = pending.running.take() {
            let mut search = Arc::unwrap_or_clone(search);
            let unit = self.present.maps.of(problem.movement.as_ref());
            let mut status = SearchStatus::Running;
            while status == SearchStatus::Running {
                let before = search.work();
                status = search.advance(u64::MAX, &unit, &mut self.notes);
                self.spent += (search.work() - before).max(1);
            }
            let answer = search.finish(&problem, &unit, &mut self.notes);
            self.answer(pending, answer);
        }
        Outcome::Over
    }

    /// Returns the answer for the present place of the entity. Returns `None` if another search is
    /// necessary.
    fn as_of_now(
        &mut self,
        pending: &PendingSearch,
        problem: &SearchProblem,
        answer: Result<Route, PathFailure>,
        is_current: bool,
    ) -> Option<Result<Route, PathFailure>> {
        let Present { maps, parents, doors, .. } = self.present;
        let requester = self.requesters.get_mut(pending.order.entity).ok()?;
        let unit = maps.of(problem.movement.as_ref());
        let map = unit.ready(pending.map)?;
        let start = match requester.standing_place(&unit, &map, parents) {
            Ok(start) => start,
            Err(reason) => return Some(Err(reason)),
        };
        let holds = is_current
            || matches!(&answer, Ok(Route { legs, partial: false, .. }) if can_be_walked(legs, &unit, doors));
        let answer = answer.map(|route| Route { is_proven: is_current, ..route });
        if !holds {
            None
        } else if problem.map == pending.map && problem.start == start {
            Some(answer)
        } else {
            rest_of(answer.ok()?, &map, &start).map(Ok)
        }
    }

    /// Answers an order, unless it has been replaced.
    fn answer(&mut self, pending: &PendingSearch, answer: Result<Route, PathFailure>) {
        let Ok(mut requester) = self.requesters.get_mut(pending.order.entity) else { return };
        if !requester.state.holds(pending.order.number) {
            return;
        }
        if let Err(reason) = answer
            && (requester.waits_for_way(reason) || requester.waits_for_door(pending, reason))
        {
            return requester.wait_for_way(pending.order, reason, self.queue, &self.present.parents);
        }
        let pending_event = match answer {
            Ok(route) if requester.state.answered => PendingEvent::Replanned(Box::new(route)),
            Ok(route) => PendingEvent::Found(Box::new(route)),
            Err(reason) => PendingEvent::ended(reason, requester.state.answered),
        };
        self.queue.tell(pending.order, pending_event);
    }

    /// Returns whether the queued search is for a journey under way.
    fn is_answered(&self, pending: &PendingSearch) -> bool {
        self.requesters.get(pending.order.entity).is_ok_and(|requester| requester.state.answered)
    }

    /// Shows the status of a queued search whose order has no answer yet.
    fn show(&mut self, pending: &PendingSearch, status: PathStatus) {
        if let Ok(mut requester) = self.requesters.get_mut(pending.order.entity)
            && requester.state.holds(pending.order.number)
            && !requester.state.answered
        {
            PathStatus::show(requester.status.reborrow(), status);
        }
    }
}

/// Returns whether a path found on earlier states of its maps can still be walked as it was found.
fn can_be_walked(legs: &[PathLeg], maps: &UnitMaps, doors: &KnownDoors) -> bool {
    legs.iter().all(|leg| {
        let map = maps.ready(leg.map());
        let lets_in = |map: &AnyMap| match leg.entrance {
            Some(entrance) => {
                doors.is_as_in(entrance.door, entrance.version)
                    && leg.first_map_place().is_some_and(|place| map.lets_in(&place))
            }
            None => true,
        };
        map.is_some_and(|map| leg.is_as_found(&map) && lets_in(&map))
    })
}

/// Returns the rest of a path from a place on it.
fn rest_of(mut route: Route, map: &AnyMap, map_place: &MapPlace) -> Option<Route> {
    let (passed, leg) = match (map, map_place) {
        (AnyMap::Tiles(view), MapPlace::Cell(cell)) => {
            route.legs.iter().enumerate().find_map(|(index, leg)| {
                let path = leg.path().filter(|_| leg.map() == view.map)?;
                let step = path.cells().iter().position(|passed| passed == cell)?;
                let rest = path.rest_from(step, view.grid.grid(), view.rules).ok()?;
                Some((index, view.leg(rest, None)))
            })?
        }
        (AnyMap::Graph(view), _) => {
            let index = route.legs.iter().position(|leg| leg.map() == view.map)?;
            let mut leg = route.legs[index].clone();
            leg.begin_at(map_place).then_some((index, leg))?
        }
        _ => return None,
    };
    route.legs.drain(..passed);
    route.legs[0] = leg;
    Some(route)
}

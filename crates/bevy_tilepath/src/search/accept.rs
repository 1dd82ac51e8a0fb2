//! Acceptance of orders: their maps and goals.
//!
//! Decision: `docs/decisions/42-answers.md`.

use std::time::Duration;

use bevy_ecs::{
    entity::Entity,
    entity_disabling::Disabled,
    hierarchy::ChildOf,
    query::{Allow, Changed, Has, QueryData, With},
    system::{Local, Query, Res, ResMut},
};
use bevy_math::Vec2;
use bevy_time::Time;
use bevy_transform::components::Transform;
use tracing::warn;

use crate::{
    failure::PathFailure,
    journey::{
        agent::PathAgent,
        body::Body,
        number::{AgentNumber, precedence},
        parents::ParentPlaces,
        path::{AgentPath, Progress, path_mut::PathMut},
        standing_on::StandingOn,
    },
    map::{
        maps::{AnyMap, Maps, UnitMaps},
        movement::AgentMovement,
        on_map::OnMap,
        place::MapPlace,
    },
    order::{
        goal::{Accepted, Goals},
        pending_event::PendingEvent,
        queue::{NotYet, RequestId, RequestQueue, WaitingForMap},
        request::PathRequest,
        state::RequestState,
        status::PathStatus,
        stops::PathStops,
    },
    search::{
        misnamed::Misnamed,
        searches::{PendingSearch, Searches},
        target_places::TargetPlaces,
        targets::Targets,
    },
};

/// The time for which an order waits for a map before a warning is logged.
const PATIENCE: Duration = Duration::from_secs(1);

/// The components of an entity that gives an order.
#[derive(QueryData)]
#[query_data(mutable)]
pub(crate) struct Requester {
    entity: Entity,
    pub(super) request: &'static PathRequest,
    pub(super) stops: Option<&'static PathStops>,
    pub(crate) state: &'static mut RequestState,
    pub(crate) status: &'static mut PathStatus,
    number: Option<&'static AgentNumber>,
    standing_on: Option<&'static StandingOn>,
    pub(crate) path: Option<&'static mut AgentPath>,
    transform: Option<&'static Transform>,
    parent: Option<&'static ChildOf>,
    on_map: Option<&'static OnMap>,
    movement: Option<&'static AgentMovement>,
    /// True if it walks along the path of its answer.
    walks: Has<PathAgent>,
    pub(super) is_body: Has<Body>,
}

/// The present request, map and goals of an order.
pub(crate) struct Target {
    pub(crate) request: PathRequest,
    pub(crate) map: Entity,
    pub(crate) goals: Goals,
}

/// All entities that may give orders.
pub(crate) type Requesters<'w, 's> = Query<'w, 's, Requester, Allow<Disabled>>;

impl RequesterItem<'_, '_> {
    pub(crate) fn named_map(&self) -> Option<Entity> {
        self.on_map.map(|on_map| on_map.0)
    }

    /// Returns the movement of the order, or else of the entity; `None` stands for the rules of the
    /// maps.
    pub(crate) fn movement(&self) -> Option<&AgentMovement> {
        self.request.movement().or(self.movement)
    }

    /// Returns the order up to its present stop, its map, and its goals there. `accepted` has the
    /// goals that the order had before.
    pub(crate) fn target(
        &self,
        named_before: Option<Entity>,
        accepted: Option<Accepted>,
        maps: &Maps,
        targets: &Targets,
    ) -> Result<Target, NotYet> {
        let request = self.request.to_present(self.stops).ok_or(PathFailure::NoGoals)?;
        let request = if self.state.has_passed_door { request.past_door() } else { request };
        if let Some(fault) = request.fault() {
            return Err(NotYet::Fail(fault));
        }
        let unit = maps.of(self.movement());
        let map = unit.see(maps.resolve(self.named_map(), named_before)?)?;
        if map.entity() == self.entity && self.walks {
            return Err(NotYet::Fail(PathFailure::OwnMap));
        }
        let asked = (request.goal(), request.goal_map(), map.entity());
        let is_same = |accepted: &Accepted| (accepted.asked, accepted.named, accepted.map) == asked;
        let goals =
            targets.goals(Some(self.entity), &request, &unit, &map, accepted.filter(is_same).as_ref())?;
        Ok(Target { request, map: map.entity(), goals })
    }

    /// Returns the goals of the order as its journey has them.
    fn accepted(&self, order: RequestId) -> Option<Accepted<'_>> {
        let path = self.path.as_deref().filter(|path| self.state.answered && path.order == order.number)?;
        let route = path.route();
        let (asked, goals, movement) = (&route.asked, &route.goals, route.movement.as_ref());
        Some(Accepted { asked, named: route.named, map: path.map(), goals, movement })
    }

    /// Returns the position of the entity in the world.
    pub(super) fn position(&self, parents: &ParentPlaces) -> Option<Vec2> {
        Some(parents.standing(self.parent, self.transform, self.standing_on)?.here)
    }

    /// Returns the place of the entity on the map.
    pub(crate) fn standing_place(
        &self,
        maps: &UnitMaps,
        map: &AnyMap,
        parents: &ParentPlaces,
    ) -> Result<MapPlace, PathFailure> {
        let standing = parents
            .standing(self.parent, self.transform, self.standing_on)
            .ok_or(PathFailure::PositionNotFinite)?;
        maps.standing_place(map, &standing, self.path.as_deref())
    }

    /// Makes an agent stand until its search ends, if it walks on to a wall: the search begins where it is.
    pub(super) fn await_search(&mut self) {
        if let Some(path) = self.path.as_mut().filter(|path| path.plan.is_closed_ahead()) {
            PathMut::new(path.reborrow()).plan.set_searched(true);
        }
    }

    /// Makes an agent stand that walks along an old path, unless that path leads to a wall. Then the agent
    /// walks on to the wall.
    pub(super) fn hold_unless_closed(&mut self) {
        if self.path.as_ref().is_none_or(|path| !path.plan.is_closed_ahead()) {
            self.hold();
        }
    }

    /// Makes an agent stand that walks along an old path.
    pub(crate) fn hold(&mut self) {
        if let Some(path) = &mut self.path
            && path.progress == Progress::Walking
        {
            PathMut::new(path.reborrow()).progress = Progress::Replanning;
        }
    }
}

pub(crate) fn accept_requests(
    mut queue: ResMut<RequestQueue>,
    mut searches: ResMut<Searches>,
    mut requesters: Requesters,
    maps: Maps,
    targets: Targets,
    (parents, time): (Res<ParentPlaces>, Res<Time>),
    changed_stops: Query<Entity, (Changed<PathStops>, With<PathRequest>, Allow<Disabled>)>,
    mut misnamed: Local<Misnamed>,
) {
    let queue = &mut *queue;
    let now = time.elapsed();
    queue.wake(|order, world| {
        let requester = requesters.get_mut(order.entity).ok()?;
        requester.state.holds(order.number).then(|| requester.asked_by(world, &parents))
    });
    // Journeys check their stops together with their paths.
    for entity in &changed_stops {
        // A state that is put marks all stops as changed.
        let awaits = requesters.get(entity).is_ok_and(|requester| {
            let edits = requester.stops.map_or(0, PathStops::edits);
            requester.state.awaits_answer() && requester.state.edits_seen != edits
        });
        if awaits && !queue.waiting.iter().any(|waiting| waiting.order.entity == entity) {
            queue.ask_again(entity);
        }
    }
    let mut fresh: Vec<WaitingForMap> = (queue.take_fresh().into_iter())
        .filter_map(|entity| {
            let state = requesters.get(entity).ok()?.state;
            Some(WaitingForMap { order: state.order_of(entity)?, named: state.named_map, since: now })
        })
        .collect();
    fresh.sort_by_cached_key(|new| {
        let requester = requesters.get(new.order.entity).ok();
        precedence(requester.and_then(|requester| requester.number), new.order)
    });
    for waiting in std::mem::take(&mut queue.waiting).into_iter().chain(fresh) {
        let Ok(mut requester) = requesters.get_mut(waiting.order.entity) else { continue };
        if requester.state.holds(waiting.order.number)
            && accept(
                queue,
                &mut searches,
                &mut requester,
                (waiting.order, waiting.named),
                (&maps, &targets, &parents),
                &mut misnamed,
            )
        {
            let named = requester.named_map().or(waiting.named);
            queue.waiting.push(WaitingForMap { named, ..waiting });
        }
    }
    searches.retain(|entity| {
        requesters.get(entity).is_ok_and(|requester| requester.state.order_of(entity).is_some())
    });

    let is_long = queue.waiting.iter().any(|waiting| now.saturating_sub(waiting.since) >= PATIENCE);
    if is_long && !queue.warned {
        warn!(
            "{} path request(s) have been waiting for a map for a second: spawn a NavMap whose tiles or NavGrid are \
             there, or a NavGraph that is loaded, or point OnMap at one",
            queue.waiting.len()
        );
    }
    queue.warned = !queue.waiting.is_empty() && (queue.warned || is_long);
}

/// Queues the order, or answers it at once. Returns whether it waits for a map.
fn accept(
    queue: &mut RequestQueue,
    searches: &mut Searches,
    requester: &mut RequesterItem,
    (order, named_before): (RequestId, Option<Entity>),
    (maps, targets, parents): (&Maps, &Targets, &ParentPlaces),
    misnamed: &mut Misnamed,
) -> bool {
    requester.state.edits_seen = requester.stops.map_or(0, PathStops::edits);
    let is_answered = requester.state.answered;
    let pending = searches.get(order.entity).filter(|pending| pending.order == order);
    let accepted = pending.and_then(PendingSearch::accepted).or_else(|| requester.accepted(order));
    match requester.target(named_before, accepted, maps, targets) {
        Ok(Target { request, map, goals }) => {
            misnamed.warn_of_overlays(map, requester.movement(), maps);
            misnamed.warn_of_edges(map, requester.movement(), maps);
            let (is_named, found_for) = (requester.on_map.is_some(), (goals, requester.movement().cloned()));
            let pending = PendingSearch::new(order, request, map, is_named, found_for);
            searches.enter(if is_answered { pending.urgent(queue.tick) } else { pending });
            if !is_answered {
                let is_searching = searches.get(order.entity).is_some_and(PendingSearch::is_searching);
                let status = if is_searching { PathStatus::Searching } else { PathStatus::Queued };
                PathStatus::show(requester.status.reborrow(), status);
            }
        }
        Err(NotYet::NextTick) => {
            queue.ask_again(order.entity);
        }
        Err(why) => {
            searches.forget(order.entity);
            if let NotYet::Fail(PathFailure::UnknownMovement { map }) = why {
                misnamed.warn_of_movement(map, requester.movement(), maps);
            }
            match why {
                NotYet::Wait if !is_answered => {
                    PathStatus::show(requester.status.reborrow(), PathStatus::WaitingForMap);
                    return true;
                }
                NotYet::Fail(reason) if requester.waits_for_way(reason) => {
                    requester.wait_for_way(order, reason, queue, parents);
                }
                NotYet::Wait | NotYet::NextTick | NotYet::Fail(_) => {
                    queue.tell(order, PendingEvent::ended(why.reason(), is_answered));
                }
            }
        }
    }
    false
}

//! Takes orders in: which map, from where on it, to which places.

mod search;

#[cfg(feature = "recording")]
pub(crate) use search::advance_searches;

use std::time::Duration;

use bevy_app::App;
use bevy_ecs::{
    change_detection::DetectChangesMut,
    entity::Entity,
    entity_disabling::Disabled,
    hierarchy::ChildOf,
    intern::Interned,
    query::{Allow, QueryData},
    schedule::{IntoScheduleConfigs, ScheduleLabel},
    system::{Query, Res, ResMut},
};
use bevy_time::Time;
use bevy_transform::components::Transform;
use tracing::warn;

use crate::{
    agent::{AgentNumber, AgentPath, Footing, OnMap, ParentPlaces, PathStatus, precedence},
    failure::PathFailure,
    maps::Maps,
    request::{Job, NotYet, Notice, Order, PathRequest, RequestQueue, RequestTicket, WaitingForMap},
    schedule::TilepathSystems,
};

/// How long an order waits for a map before that is said.
const PATIENCE: Duration = Duration::from_secs(1);

pub(crate) fn plugin(app: &mut App, schedule: Interned<dyn ScheduleLabel>) {
    app.add_systems(
        schedule,
        (
            accept_requests.in_set(TilepathSystems::AcceptRequests),
            search::advance_searches.in_set(TilepathSystems::Search),
        ),
    );
}

/// What is known of the entity that asks.
#[derive(QueryData)]
#[query_data(mutable)]
pub(crate) struct Asker {
    request: &'static PathRequest,
    ticket: &'static RequestTicket,
    status: &'static mut PathStatus,
    number: Option<&'static AgentNumber>,
    footing: Option<&'static Footing>,
    path: Option<&'static AgentPath>,
    transform: Option<&'static Transform>,
    parent: Option<&'static ChildOf>,
    on_map: Option<&'static OnMap>,
}

impl AskerItem<'_, '_> {
    fn named_map(&self) -> Option<Entity> {
        self.on_map.map(|on_map| on_map.0)
    }

    fn job(
        &self,
        order: Order,
        named_before: Option<Entity>,
        maps: &Maps,
        parents: &ParentPlaces,
    ) -> Result<Job, NotYet> {
        if let Some(fault) = self.request.goal().fault() {
            return Err(NotYet::Fail(fault));
        }
        let map = maps.resolve(self.named_map(), named_before)?;
        let goals = maps.goals(self.request, &map)?;
        let standing = parents
            .standing(self.parent, self.transform, self.footing)
            .ok_or(NotYet::Fail(PathFailure::PositionNotFinite))?;
        let start = maps.standing_spot(&map, &standing, self.path).map_err(NotYet::Fail)?;
        Ok(Job {
            order,
            request: self.request.clone(),
            map: map.entity(),
            named: self.on_map.is_some(),
            start,
            here: standing.here,
            goals,
            replan: self.ticket.is_answered(),
        })
    }
}

pub(crate) fn accept_requests(
    mut queue: ResMut<RequestQueue>,
    mut askers: Query<Asker, Allow<Disabled>>,
    maps: Maps,
    parents: Res<ParentPlaces>,
    time: Res<Time>,
) {
    let queue = &mut *queue;
    let now = time.elapsed();
    let mut still_waiting = Vec::new();

    for waiting in std::mem::take(&mut queue.waiting) {
        let Ok(mut asker) = askers.get_mut(waiting.order.entity) else { continue };
        if asker.ticket.holds(waiting.order.number)
            && accept(queue, &mut asker, waiting.order, waiting.named, &maps, &parents)
        {
            let named = asker.named_map().or(waiting.named);
            still_waiting.push(WaitingForMap { named, ..waiting });
        }
    }
    let mut fresh = queue.take_fresh();
    fresh.sort_by_cached_key(|&entity| {
        let asker = askers.get(entity).ok()?;
        Some(precedence(asker.number, asker.ticket.order_of(entity)?))
    });
    for entity in fresh {
        let Ok(mut asker) = askers.get_mut(entity) else { continue };
        let Some(order) = asker.ticket.order_of(entity) else { continue };
        let named = asker.ticket.named_map();
        if accept(queue, &mut asker, order, named, &maps, &parents) {
            let named = asker.named_map().or(named);
            still_waiting.push(WaitingForMap { order, named, since: now });
        }
    }

    queue.waiting = still_waiting;
    let oldest = queue.waiting.iter().map(|waiting| waiting.since).min();
    match oldest {
        None => queue.warned = false,
        Some(since) if !queue.warned && now.saturating_sub(since) >= PATIENCE => {
            queue.warned = true;
            warn!(
                "{} path request(s) have been waiting for a map for a second: spawn a NavMap whose tiles or \
                 NavGrid are there, or a NavGraph that is loaded, or point OnMap at one",
                queue.waiting.len()
            );
        }
        Some(_) => {}
    }
}

/// Puts the order into the queue of searches, or answers it. Returns whether it waits for a map.
fn accept(
    queue: &mut RequestQueue,
    asker: &mut AskerItem,
    order: Order,
    named_before: Option<Entity>,
    maps: &Maps,
    parents: &ParentPlaces,
) -> bool {
    let replan = asker.ticket.is_answered();
    match asker.job(order, named_before, maps, parents) {
        Ok(job) if replan => queue.urgent.push_back(job),
        Ok(job) => {
            asker.status.set_if_neq(PathStatus::Queued);
            queue.accepted.push_back(job);
        }
        Err(NotYet::Wait) if !replan => {
            asker.status.set_if_neq(PathStatus::WaitingForMap);
            return true;
        }
        Err(why) => {
            let reason = match why {
                NotYet::Wait => PathFailure::NoMap,
                NotYet::Fail(reason) => reason,
            };
            queue.notices.push((order, if replan { Notice::Lost(reason) } else { Notice::Failed(reason) }));
        }
    }
    false
}

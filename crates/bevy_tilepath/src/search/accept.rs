//! Takes orders in: which map, to which places.

use std::time::Duration;

use bevy_ecs::{
    change_detection::DetectChangesMut,
    entity::Entity,
    entity_disabling::Disabled,
    hierarchy::ChildOf,
    query::{Allow, QueryData},
    system::{Query, Res, ResMut},
};
use bevy_time::Time;
use bevy_transform::components::Transform;
use tracing::warn;

use crate::{
    failure::PathFailure,
    journey::{
        footing::Footing,
        number::{AgentNumber, precedence},
        parents::ParentPlaces,
        path::{AgentPath, Progress},
    },
    map::{
        maps::{AnyMap, Maps},
        on_map::OnMap,
        place::Spot,
    },
    order::{
        goal::Goals,
        notice::Notice,
        queue::{NotYet, Order, RequestQueue, WaitingForMap},
        request::PathRequest,
        status::PathStatus,
        ticket::RequestTicket,
    },
    search::searches::{Searches, Task},
};

/// How long an order waits for a map before that is said.
const PATIENCE: Duration = Duration::from_secs(1);

/// What is known of the entity that asks.
#[derive(QueryData)]
#[query_data(mutable)]
pub(crate) struct Asker {
    request: &'static PathRequest,
    pub(crate) ticket: &'static RequestTicket,
    pub(crate) status: &'static mut PathStatus,
    number: Option<&'static AgentNumber>,
    footing: Option<&'static Footing>,
    path: Option<&'static mut AgentPath>,
    transform: Option<&'static Transform>,
    parent: Option<&'static ChildOf>,
    on_map: Option<&'static OnMap>,
}

/// All that may ask.
pub(crate) type Askers<'w, 's> = Query<'w, 's, Asker, Allow<Disabled>>;

impl AskerItem<'_, '_> {
    pub(crate) fn named_map(&self) -> Option<Entity> {
        self.on_map.map(|on_map| on_map.0)
    }

    /// The map the order is about, and its goals there.
    pub(crate) fn target(
        &self,
        named_before: Option<Entity>,
        maps: &Maps,
    ) -> Result<(Entity, Goals), NotYet> {
        if let Some(fault) = self.request.goal().fault() {
            return Err(NotYet::Fail(fault));
        }
        let map = maps.resolve(self.named_map(), named_before)?;
        Ok((map.entity(), maps.goals(self.request, &map)?))
    }

    /// Where on the map the entity stands now.
    pub(crate) fn standing_spot(
        &self,
        maps: &Maps,
        map: &AnyMap,
        parents: &ParentPlaces,
    ) -> Result<Spot, PathFailure> {
        let standing = parents
            .standing(self.parent, self.transform, self.footing)
            .ok_or(PathFailure::PositionNotFinite)?;
        maps.standing_spot(map, &standing, self.path.as_deref())
    }

    /// Lets an agent stand that goes on by an old way.
    pub(crate) fn hold(&mut self) {
        if let Some(path) = &mut self.path
            && path.progress == Progress::Walking
        {
            // Not visible outside the plugin.
            path.bypass_change_detection().progress = Progress::Replanning;
        }
    }
}

pub(crate) fn accept_requests(
    mut queue: ResMut<RequestQueue>,
    mut searches: ResMut<Searches>,
    mut askers: Askers,
    maps: Maps,
    time: Res<Time>,
) {
    let queue = &mut *queue;
    let now = time.elapsed();
    let mut still_waiting = Vec::new();

    for waiting in std::mem::take(&mut queue.waiting) {
        let Ok(mut asker) = askers.get_mut(waiting.order.entity) else { continue };
        if asker.ticket.holds(waiting.order.number)
            && accept(queue, &mut searches, &mut asker, waiting.order, waiting.named, &maps)
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
        if accept(queue, &mut searches, &mut asker, order, named, &maps) {
            let named = asker.named_map().or(named);
            still_waiting.push(WaitingForMap { order, named, since: now });
        }
    }
    searches.retain(|entity| askers.get(entity).is_ok_and(|asker| asker.ticket.order_of(entity).is_some()));

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

/// Makes the order a task, or answers it. Returns whether it waits for a map.
fn accept(
    queue: &mut RequestQueue,
    searches: &mut Searches,
    asker: &mut AskerItem,
    order: Order,
    named_before: Option<Entity>,
    maps: &Maps,
) -> bool {
    let is_answered = asker.ticket.is_answered();
    match asker.target(named_before, maps) {
        Ok((map, goals)) => {
            let task = Task::new(order, asker.request.clone(), map, asker.on_map.is_some(), goals);
            searches.enter(if is_answered { task.urgent() } else { task });
            if !is_answered {
                let is_searching = searches.get(order.entity).is_some_and(Task::is_searching);
                let status = if is_searching { PathStatus::Searching } else { PathStatus::Queued };
                asker.status.set_if_neq(status);
            }
        }
        Err(why) => {
            searches.forget(order.entity);
            match why {
                NotYet::Wait if !is_answered => {
                    asker.status.set_if_neq(PathStatus::WaitingForMap);
                    return true;
                }
                NotYet::Wait => queue.notices.push((order, Notice::Lost(PathFailure::NoMap))),
                NotYet::Fail(reason) if is_answered => queue.notices.push((order, Notice::Lost(reason))),
                NotYet::Fail(reason) => queue.notices.push((order, Notice::Failed(reason))),
            }
        }
    }
    false
}

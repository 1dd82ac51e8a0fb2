//! Orders of entities that are enabled again.

use bevy_ecs::{
    entity_disabling::Disabled,
    observer::On,
    query::Allow,
    system::{Query, Res, ResMut},
};

use crate::{
    disabling::WasEnabled,
    journey::path::AgentPath,
    order::{queue::RequestQueue, state::RequestState},
    search::searches::Searches,
};

/// Queues the order of an entity again if it waits for an answer, and its search was dropped while a
/// component of the game disabled the entity.
pub(super) fn resume_search(
    enabled: On<WasEnabled>,
    orders: Query<(&RequestState, Option<&AgentPath>), Allow<Disabled>>,
    searches: Res<Searches>,
    mut queue: ResMut<RequestQueue>,
) {
    let entity = enabled.entity;
    let Ok((state, path)) = orders.get(entity) else { return };
    let Some(order) = state.order_of(entity) else { return };
    let is_replanned = path.is_some_and(|path| path.order == order.number && path.is_replanned());
    let is_known = searches.get(entity).is_some_and(|pending| pending.order == order)
        || queue.waiting.iter().any(|waiting| waiting.order == order)
        || queue.without_way.contains_key(&entity);
    if (state.awaits_answer() || is_replanned) && !is_known {
        queue.ask_again(entity);
    }
}

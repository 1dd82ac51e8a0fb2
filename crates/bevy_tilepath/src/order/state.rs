//! The state of an entity's order.
//!
//! Orders are numbered. A search or an event carries its order's number, and is dropped if the
//! entity's state has another number. The hooks also run without the plugin: then orders have no
//! numbers.

use bevy_ecs::{
    component::Component,
    entity::{Entity, MapEntities},
    lifecycle::HookContext,
    world::{DeferredWorld, World},
};

use crate::{
    failure::PathFailure,
    map::{
        movement::{AgentMovement, own_movement_changed},
        on_map::OnMap,
    },
    order::{
        pending_event::PendingEvent,
        queue::{RequestId, RequestQueue},
        request::PathRequest,
        status::PathStatus,
        stops::PathStops,
    },
};

/// The number of the entity's order, 0 without one.
///
/// It is not cloned with an entity: the clone's request is an order of its own.
#[derive(Component, Debug, Clone, Default, MapEntities)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[component(clone_behavior = Ignore, on_remove = state_removed)]
pub(crate) struct RequestState {
    number: u64,
    /// True if its path was found.
    pub(crate) answered: bool,
    /// The map that `OnMap` named when the order was given. If the map is despawned, `OnMap` is
    /// gone, too.
    #[entities]
    pub(crate) named_map: Option<Entity>,
    /// True if the unit has passed the door through which the order leads.
    pub(crate) has_passed_door: bool,
    /// The number of failed tries since the order began to wait for a path.
    pub(crate) vain: u32,
    /// The number of edits of its stops when the order was accepted last.
    #[cfg_attr(feature = "serde", serde(default))]
    pub(crate) edits_seen: u64,
    /// The order of a discarded component, in case an equal one follows. It is set while the
    /// component is removed, unless the plugin itself removes it. Boxed, because the state is read
    /// in every tick.
    #[cfg_attr(feature = "serde", serde(skip))]
    pub(crate) discarded: Option<Box<(u64, bool, PathRequest)>>,
}

impl RequestState {
    pub(crate) fn holds(&self, number: u64) -> bool {
        self.number == number && number != 0
    }

    pub(crate) fn order_of(&self, entity: Entity) -> Option<RequestId> {
        (self.number != 0).then_some(RequestId { entity, number: self.number })
    }

    /// Returns whether there is an order that has no answer yet.
    pub(crate) fn awaits_answer(&self) -> bool {
        self.number != 0 && !self.answered
    }

    /// Ends the order, so that the removal of its component does not count as a cancel.
    pub(crate) fn close(&mut self) {
        self.number = 0;
        self.answered = false;
    }
}

/// Ends the order of an entity that loses its state, as by `remove_with_requires::<PathAgent>()`.
fn state_removed(mut world: DeferredWorld, context: HookContext) {
    let Some(state) = world.get::<RequestState>(context.entity) else { return };
    let Some(order) = state.order_of(context.entity) else { return };
    let pending_event = PendingEvent::ended(PathFailure::AgentRemoved, state.answered);
    // Runs later, when a despawned entity is gone.
    world.commands().queue(move |world: &mut World| {
        if lacks_state(world, order.entity)
            && let Some(mut queue) = world.get_resource_mut::<RequestQueue>()
        {
            queue.tell(order, pending_event);
        }
    });
}

/// Returns whether the entity has an order that cannot be answered.
pub(crate) fn lacks_state(world: &World, entity: Entity) -> bool {
    world.get::<PathRequest>(entity).is_some() && world.get::<RequestState>(entity).is_none()
}

pub(crate) fn request_inserted(mut world: DeferredWorld, context: HookContext) {
    let Some(request) = world.get::<PathRequest>(context.entity).cloned() else { return };
    note_own_movement(&mut world, &request);
    let Some(mut state) = world.get_mut::<RequestState>(context.entity) else { return };
    if let Some(discarded) = state.discarded.take()
        && discarded.2 == request
    {
        (state.number, state.answered) = (discarded.0, discarded.1);
        return;
    }
    enter_queue(world, context.entity);
}

fn note_own_movement(world: &mut DeferredWorld, request: &PathRequest) {
    if matches!(request.movement(), Some(AgentMovement::Own(_))) {
        own_movement_changed(world);
    }
}

/// Lists the stops of the entity's new request, and puts it into the queue.
fn enter_queue(mut world: DeferredWorld, entity: Entity) {
    if let Some(request) = world.get::<PathRequest>(entity).cloned()
        && let Some(mut stops) = world.get_mut::<PathStops>(entity)
    {
        stops.begin(&request);
    }
    give_number(world, entity);
}

/// Gives the entity's request a number and puts it into the queue, without a change of its stops.
pub(crate) fn give_number(mut world: DeferredWorld, entity: Entity) {
    let Some(mut queue) = world.get_resource_mut::<RequestQueue>() else { return };
    let number = queue.next_number();
    let named_map = world.get::<OnMap>(entity).map(|on_map| on_map.0);
    let Some(mut state) = world.get_mut::<RequestState>(entity) else { return };
    state.number = number;
    state.named_map = named_map;
    state.answered = false;
    state.discarded = None;
    state.vain = 0;
    state.has_passed_door = false;
    if let Some(status) = world.get_mut::<PathStatus>(entity) {
        PathStatus::show(status, PathStatus::Queued);
    }
    if let Some(mut queue) = world.get_resource_mut::<RequestQueue>()
        && queue.ask_again(entity)
        && queue.is_crowded()
    {
        drop_dead(&mut world);
    }
}

/// Drops new orders of entities that are gone. If no tick comes, their number has no limit.
fn drop_dead(world: &mut DeferredWorld) {
    let Some(mut queue) =
        world.get_resource_mut::<RequestQueue>().map(|mut queue| std::mem::take(&mut *queue))
    else {
        return;
    };
    queue.retain(|entity| world.get::<RequestState>(entity).is_some());
    if let Some(mut place) = world.get_resource_mut::<RequestQueue>() {
        *place = queue;
    }
}

/// Puts an order that is already answered back into the queue, to be planned again.
pub(crate) fn plan_again(world: &mut DeferredWorld, order: RequestId) {
    if world.get::<RequestState>(order.entity).is_some_and(|state| state.holds(order.number))
        && let Some(mut queue) = world.get_resource_mut::<RequestQueue>()
    {
        queue.ask_again(order.entity);
    }
}

/// Suspends the order of a component that is about to be replaced or removed.
pub(crate) fn request_discarded(mut world: DeferredWorld, context: HookContext) {
    let Some(request) = world.get::<PathRequest>(context.entity).cloned() else { return };
    note_own_movement(&mut world, &request);
    let Some(mut state) = world.get_mut::<RequestState>(context.entity) else { return };
    if state.number != 0 {
        state.discarded = Some(Box::new((state.number, state.answered, request)));
        state.close();
    }
}

/// Cancels the order of a removed component, unless the plugin closed the order itself.
pub(crate) fn request_removed(mut world: DeferredWorld, context: HookContext) {
    let Some(mut state) = world.get_mut::<RequestState>(context.entity) else { return };
    let is_cancelled = state.discarded.take().is_some();
    if let Some(mut stops) = world.get_mut::<PathStops>(context.entity) {
        stops.end();
    }
    if !is_cancelled {
        return;
    }
    if let Some(status) = world.get_mut::<PathStatus>(context.entity) {
        PathStatus::show(status, PathStatus::Idle);
    }
}

#[cfg(test)]
mod tests {
    use bevy_ecs::world::World;
    use tilepath::Cell;

    use super::*;

    #[test]
    fn orders_given_and_despawned_while_no_tick_comes_are_forgotten() {
        let mut world = World::new();
        world.init_resource::<RequestQueue>();
        let request = || PathRequest::to_cell(Cell::new(1, 1));
        let first: Vec<Entity> = (0..300).map(|_| world.spawn(request()).id()).collect();
        for _ in 0..20_000 {
            let entity = world.spawn(request()).id();
            world.despawn(entity);
        }
        let last = world.spawn(request()).id();
        let fresh = world.resource_mut::<RequestQueue>().take_fresh();
        assert!(fresh.len() < 2048 && fresh.capacity() < 8192, "{} of {}", fresh.len(), fresh.capacity());
        assert_eq!(fresh[..300], first, "the first order given comes first");
        assert_eq!(fresh.last(), Some(&last));
    }
}

//! The queue of orders, and their pending events.

use std::time::Duration;

use bevy_ecs::{
    entity::{Entity, EntityHashMap, EntityIndexSet, EntityMapper, MapEntities},
    resource::Resource,
};
use bevy_math::Vec2;

use crate::{
    failure::PathFailure,
    map::{movement::AgentMovement, version::Version},
    order::pending_event::PendingEvent,
};

/// One order. It is valid while the entity's state has this number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, MapEntities)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(crate) struct RequestId {
    #[entities]
    pub(crate) entity: Entity,
    pub(crate) number: u64,
}

/// An order that waits for a map.
#[derive(Debug, Clone, MapEntities)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(crate) struct WaitingForMap {
    #[entities]
    pub(crate) order: RequestId,
    /// The map that the entity's `OnMap` named.
    #[entities]
    pub(crate) named: Option<Entity>,
    pub(crate) since: Duration,
}

/// An order that waits because no path leads to its goal.
#[derive(Debug, Clone, MapEntities)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(crate) struct WaitingForWay {
    #[entities]
    pub(crate) order: RequestId,
    /// The inputs of the last search, which found no path. `None` if the goal may move by itself.
    #[entities]
    pub(crate) known: Option<AskedInVain>,
    /// The tick from which the order is tried again.
    pub(crate) from: u64,
}

/// All inputs on which the answer to an order depends.
#[derive(Debug, Clone, PartialEq, MapEntities)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(crate) struct AskedInVain {
    pub(crate) world: WorldState,
    /// The place of the entity.
    pub(crate) place: Option<Vec2>,
    /// The map of the entity.
    #[entities]
    pub(crate) map: Option<Entity>,
    pub(crate) movement: Option<AgentMovement>,
}

/// The state of all maps, graphs and doors at some time.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(crate) struct WorldState {
    /// The number of ticks so far in which a map has changed.
    pub(crate) changes: u64,
    pub(crate) doors: Version,
}

/// The reason why an order cannot be searched now.
#[derive(Debug, Clone, Copy)]
pub(crate) enum NotYet {
    Wait,
    /// The list of goals is looked up in the next tick.
    NextTick,
    Fail(PathFailure),
}

impl NotYet {
    /// Returns the failure of an order that cannot wait.
    pub(crate) fn reason(self) -> PathFailure {
        match self {
            Self::Wait | Self::NextTick => PathFailure::NoMap,
            Self::Fail(reason) => reason,
        }
    }
}

impl From<PathFailure> for NotYet {
    fn from(reason: PathFailure) -> Self {
        Self::Fail(reason)
    }
}

/// Orders between insertion and acceptance, and pending events.
#[derive(Clone, Resource, Debug, Default)]
pub(crate) struct RequestQueue {
    last_number: u64,
    /// Entities with a new order, added by the hooks. An entity has one place, even if it gets many
    /// orders.
    fresh: EntityIndexSet,
    /// The number of the tick.
    pub(crate) tick: u64,
    /// The state of the world in this tick.
    pub(crate) world: WorldState,
    /// The length of `fresh` from which entities that are gone are removed.
    crowd: usize,
    pub(crate) waiting: Vec<WaitingForMap>,
    /// The orders that wait for a path, by entity. Their sequence has no effect.
    pub(crate) without_way: EntityHashMap<WaitingForWay>,
    /// True if the current time of waiting has caused a warning.
    pub(crate) warned: bool,
    pending_events: Vec<(RequestId, PendingEvent)>,
}

/// The queue in a [`TilepathState`](crate::TilepathState).
#[derive(Debug, Clone, MapEntities)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(crate) struct QueueState {
    last_number: u64,
    #[entities]
    #[cfg_attr(feature = "serde", serde(deserialize_with = "tilepath::read_list"))]
    fresh: Vec<Entity>,
    tick: u64,
    /// With the time for which each has waited.
    #[entities]
    #[cfg_attr(feature = "serde", serde(deserialize_with = "tilepath::read_list"))]
    waiting: Vec<WaitingForMap>,
    #[entities]
    #[cfg_attr(feature = "serde", serde(deserialize_with = "tilepath::read_list"))]
    without_way: Vec<WaitingForWay>,
    warned: bool,
    #[entities]
    #[cfg_attr(feature = "serde", serde(deserialize_with = "tilepath::read_list"))]
    ended: Vec<EndedOrder>,
}

/// An order that has ended between two ticks. The next tick triggers its event.
#[derive(Debug, Clone, MapEntities)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
struct EndedOrder {
    #[entities]
    order: RequestId,
    #[entities]
    end: OrderEnd,
}

#[derive(Debug, Clone)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
enum OrderEnd {
    Failed(PathFailure),
    Lost(PathFailure),
    WaitOver,
}

impl MapEntities for OrderEnd {
    fn map_entities<M: EntityMapper>(&mut self, mapper: &mut M) {
        if let Self::Failed(reason) | Self::Lost(reason) = self {
            reason.map_entities(mapper);
        }
    }
}

impl WorldState {
    /// Stands for the present state of the world in a [`QueueState`].
    const PRESENT: Self = Self { changes: u64::MAX, doors: Version::PRESENT };
}

impl RequestQueue {
    /// Returns the queue for a state. `present` is the state of the world, and `now` the time since
    /// the start of the game.
    pub(crate) fn state(&self, present: WorldState, now: Duration) -> QueueState {
        let mark = |world: &mut WorldState| {
            *world = if *world == present { WorldState::PRESENT } else { WorldState::default() };
        };
        let mut without_way: Vec<WaitingForWay> = self.without_way.values().cloned().collect();
        without_way.sort_unstable_by_key(|waiting| waiting.order.number);
        without_way
            .iter_mut()
            .filter_map(|waiting| waiting.known.as_mut())
            .for_each(|known| mark(&mut known.world));
        let waited = |waiting: &WaitingForMap| WaitingForMap {
            since: now.saturating_sub(waiting.since),
            ..waiting.clone()
        };
        // No other events are pending between two ticks.
        let end = |event: &PendingEvent| match event {
            PendingEvent::Failed(reason) => Some(OrderEnd::Failed(*reason)),
            PendingEvent::Lost(reason) => Some(OrderEnd::Lost(*reason)),
            PendingEvent::WaitOver => Some(OrderEnd::WaitOver),
            _ => None,
        };
        QueueState {
            last_number: self.last_number,
            fresh: self.fresh.iter().copied().collect(),
            tick: self.tick,
            waiting: self.waiting.iter().map(waited).collect(),
            without_way,
            warned: self.warned,
            ended: (self.pending_events.iter())
                .filter_map(|(order, event)| Some(EndedOrder { order: *order, end: end(event)? }))
                .collect(),
        }
    }

    /// Puts a state back.
    pub(crate) fn put(&mut self, state: QueueState, present: WorldState, now: Duration) {
        let resolve = |known: &mut AskedInVain| {
            known.world = if known.world == WorldState::PRESENT { present } else { WorldState::default() };
        };
        let QueueState { last_number, fresh, tick, waiting, mut without_way, warned, ended } = state;
        without_way.iter_mut().filter_map(|waiting| waiting.known.as_mut()).for_each(resolve);
        let begun =
            |waiting: WaitingForMap| WaitingForMap { since: now.saturating_sub(waiting.since), ..waiting };
        let event = |end| match end {
            OrderEnd::Failed(reason) => PendingEvent::Failed(reason),
            OrderEnd::Lost(reason) => PendingEvent::Lost(reason),
            OrderEnd::WaitOver => PendingEvent::WaitOver,
        };
        *self = Self {
            last_number,
            fresh: fresh.into_iter().collect(),
            tick,
            world: present,
            crowd: 0,
            waiting: waiting.into_iter().map(begun).collect(),
            without_way: without_way.into_iter().map(|waiting| (waiting.order.entity, waiting)).collect(),
            warned,
            pending_events: ended.into_iter().map(|ended| (ended.order, event(ended.end))).collect(),
        };
    }

    pub(crate) fn next_number(&mut self) -> u64 {
        self.last_number += 1;
        self.last_number
    }

    /// Returns the number of the last order.
    pub(crate) fn last_number(&self) -> u64 {
        self.last_number
    }

    /// Adds an event of an order.
    pub(crate) fn tell(&mut self, order: RequestId, event: PendingEvent) {
        self.pending_events.push((order, event));
    }

    /// Returns all events.
    pub(crate) fn events_mut(&mut self) -> impl Iterator<Item = (RequestId, &mut PendingEvent)> {
        self.pending_events.iter_mut().map(|(order, event)| (*order, event))
    }

    /// Takes all events. Give the list back with [`keep_room`](Self::keep_room).
    pub(crate) fn take_events(&mut self) -> Vec<(RequestId, PendingEvent)> {
        std::mem::take(&mut self.pending_events)
    }

    /// Keeps the memory of an empty list, unless new events were added.
    pub(crate) fn keep_room(&mut self, list: Vec<(RequestId, PendingEvent)>) {
        if self.pending_events.is_empty() {
            self.pending_events = list;
        }
    }

    /// Queues the entity's order, new or to be tried again. Returns false if it was queued already.
    pub(crate) fn ask_again(&mut self, entity: Entity) -> bool {
        self.fresh.insert(entity)
    }

    /// Returns the number of orders and events in the queue.
    pub(crate) fn entry_count(&self) -> usize {
        self.fresh.len() + self.waiting.len() + self.without_way.len() + self.pending_events.len()
    }

    pub(crate) fn is_crowded(&self) -> bool {
        self.fresh.len() >= self.crowd.max(1024)
    }

    /// Drops new orders of entities that are gone.
    pub(crate) fn retain(&mut self, is_there: impl Fn(Entity) -> bool) {
        self.fresh.retain(|&entity| is_there(entity));
        self.crowd = 2 * self.fresh.len();
    }

    /// Takes the entities with new orders. From now on they may enter again.
    pub(crate) fn take_fresh(&mut self) -> Vec<Entity> {
        self.crowd = 0;
        std::mem::take(&mut self.fresh).into_iter().collect()
    }
}

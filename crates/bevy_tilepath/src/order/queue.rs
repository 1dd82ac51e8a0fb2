//! Where orders wait for their turn, and what is to be told about them.

use std::time::Duration;

use bevy_ecs::{
    entity::{Entity, EntityHashMap, EntityIndexSet},
    resource::Resource,
};
use bevy_math::Vec2;

use crate::{
    failure::PathFailure,
    map::{movement::AgentMovement, version::Version},
    order::pending_event::PendingEvent,
};

/// One order: valid as long as the entity's state shows this number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct RequestId {
    pub(crate) entity: Entity,
    pub(crate) number: u64,
}

/// An order that waits for a map.
#[derive(Debug)]
pub(crate) struct WaitingForMap {
    pub(crate) order: RequestId,
    /// The map its `OnMap` named.
    pub(crate) named: Option<Entity>,
    pub(crate) since: Duration,
}

/// An order to whose goal no way leads, and which waits for one.
#[derive(Debug)]
pub(crate) struct WaitingForWay {
    pub(crate) order: RequestId,
    /// By what it was asked in vain; `None` if its goal may move by itself.
    pub(crate) known: Option<AskedInVain>,
    /// The tick from which it is asked again.
    pub(crate) from: u64,
}

/// All by which the answer to an order may be another one.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct AskedInVain {
    pub(crate) world: WorldState,
    /// Where the entity was.
    pub(crate) place: Option<Vec2>,
    /// The map that it was on.
    pub(crate) map: Option<Entity>,
    pub(crate) movement: Option<AgentMovement>,
}

/// All maps, graphs and doors as they were at some time.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct WorldState {
    /// The ticks so far in which a map has changed.
    pub(crate) changes: u64,
    pub(crate) doors: Version,
}

/// Why an order cannot be searched now.
#[derive(Debug, Clone, Copy)]
pub(crate) enum NotYet {
    Wait,
    /// Its list of goals is looked up in the next tick.
    NextTick,
    Fail(PathFailure),
}

impl NotYet {
    /// Why it fails if it cannot wait.
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

/// Orders on their way from insertion to acceptance, and what is to be told.
#[derive(Resource, Debug, Default)]
pub(crate) struct RequestQueue {
    last_number: u64,
    /// Entities with a new order, as the hooks saw them. Each has one place, however often it is ordered about.
    fresh: EntityIndexSet,
    /// The number of the tick.
    pub(crate) tick: u64,
    /// The world in this tick.
    pub(crate) world: WorldState,
    /// At this length entities that are gone are removed from it.
    crowd: usize,
    pub(crate) waiting: Vec<WaitingForMap>,
    /// By entity. The order in which they are there plays no part.
    pub(crate) without_way: EntityHashMap<WaitingForWay>,
    /// Whether the present spell of waiting has been warned about.
    pub(crate) warned: bool,
    pending_events: Vec<(RequestId, PendingEvent)>,
}

impl RequestQueue {
    pub(crate) fn next_number(&mut self) -> u64 {
        self.last_number += 1;
        self.last_number
    }

    /// Adds an event of an order.
    pub(crate) fn tell(&mut self, order: RequestId, event: PendingEvent) {
        self.pending_events.push((order, event));
    }

    /// Takes all events. Give the list back with [`keep_room`](Self::keep_room).
    pub(crate) fn take_events(&mut self) -> Vec<(RequestId, PendingEvent)> {
        std::mem::take(&mut self.pending_events)
    }

    /// Keeps the memory of an empty list, unless events have come meanwhile.
    pub(crate) fn keep_room(&mut self, list: Vec<(RequestId, PendingEvent)>) {
        if self.pending_events.is_empty() {
            self.pending_events = list;
        }
    }

    /// The order of an entity is new, or is to be asked again. `false`: that was known.
    pub(crate) fn ask_again(&mut self, entity: Entity) -> bool {
        self.fresh.insert(entity)
    }

    /// How many orders and events are on their way.
    pub(crate) fn entry_count(&self) -> usize {
        self.fresh.len() + self.waiting.len() + self.without_way.len() + self.pending_events.len()
    }

    pub(crate) fn is_crowded(&self) -> bool {
        self.fresh.len() >= self.crowd.max(1024)
    }

    /// Forgets entities with new orders that are gone.
    pub(crate) fn retain(&mut self, is_there: impl Fn(Entity) -> bool) {
        self.fresh.retain(|&entity| is_there(entity));
        self.crowd = 2 * self.fresh.len();
    }

    /// Takes the entities with new orders; from now on they may enter again.
    pub(crate) fn take_fresh(&mut self) -> Vec<Entity> {
        self.crowd = 0;
        std::mem::take(&mut self.fresh).into_iter().collect()
    }
}

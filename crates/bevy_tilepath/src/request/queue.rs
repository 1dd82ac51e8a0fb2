//! Where orders wait for their turn, and what is to be told about them.

use std::{collections::VecDeque, time::Duration};

use bevy_ecs::{entity::Entity, resource::Resource};
use bevy_math::Vec2;

use crate::{
    agent::{Found, Passed},
    failure::PathFailure,
    maps::Stamp,
    request::{Goals, OrderSearch, PathRequest, Place, Spot},
};

/// One order: valid as long as the entity's ticket shows this number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Order {
    pub(crate) entity: Entity,
    pub(crate) number: u64,
}

/// An order that waits for a map.
#[derive(Debug)]
pub(crate) struct WaitingForMap {
    pub(crate) order: Order,
    /// The map its `OnMap` named.
    pub(crate) named: Option<Entity>,
    pub(crate) since: Duration,
}

/// What is to be searched for an order.
#[derive(Debug, Clone)]
pub(crate) struct Job {
    pub(crate) order: Order,
    pub(crate) request: PathRequest,
    pub(crate) map: Entity,
    /// Whether the entity's `OnMap` named the map.
    pub(crate) named: bool,
    pub(crate) start: Spot,
    /// Where that is in the world.
    pub(crate) here: Vec2,
    pub(crate) goals: Goals,
    /// The order has been answered before: this is for a journey under way.
    pub(crate) replan: bool,
}

/// A search under way, on a snapshot of its map.
#[derive(Debug)]
pub(crate) struct Running {
    pub(crate) job: Job,
    pub(crate) search: OrderSearch,
    /// The map as it was.
    pub(crate) begun_on: Stamp,
}

/// Why an order cannot be searched now.
#[derive(Debug, Clone, Copy)]
pub(crate) enum NotYet {
    Wait,
    Fail(PathFailure),
}

/// What is to be told about an order.
#[derive(Debug)]
pub(crate) enum Notice {
    Found(Box<Found>),
    Failed(PathFailure),
    Blocked { map: Entity, place: Place },
    Passed(Passed),
    Arrived { map: Entity, place: Place, chosen: usize, partial: bool },
    Lost(PathFailure),
}

/// All orders on their way from insertion to answer.
#[derive(Resource, Debug, Default)]
pub(crate) struct RequestQueue {
    last_number: u64,
    round: u64,
    /// Entities with a new order, as the hooks saw them.
    pub(crate) fresh: Vec<Entity>,
    pub(crate) waiting: Vec<WaitingForMap>,
    /// Whether the present spell of waiting has been warned about.
    pub(crate) warned: bool,
    /// In order of acceptance.
    pub(crate) accepted: VecDeque<Job>,
    /// Journeys to replan and searches to repeat: they come first and are run to their end.
    pub(crate) urgent: VecDeque<Job>,
    /// Takes turns, the next one in front.
    pub(crate) running: VecDeque<Running>,
    pub(crate) notices: Vec<(Order, Notice)>,
}

impl RequestQueue {
    pub(super) fn next_number(&mut self) -> u64 {
        self.last_number += 1;
        self.last_number
    }

    pub(crate) fn round(&self) -> u64 {
        self.round
    }

    /// How many orders, searches and notices are on their way.
    pub(crate) fn entry_count(&self) -> usize {
        let orders = self.fresh.len() + self.waiting.len() + self.accepted.len() + self.urgent.len();
        orders + self.running.len() + self.notices.len()
    }

    /// Takes the entities with new orders; from now on they may enter again.
    pub(crate) fn take_fresh(&mut self) -> Vec<Entity> {
        self.round += 1;
        std::mem::take(&mut self.fresh)
    }
}

//! What is to be told about orders.

use bevy_ecs::entity::Entity;
use tilepath::Statistics;

use crate::{failure::PathFailure, map::place::Place, order::goal::Goals, route::course::FoundLeg};

/// What is to be told about an order.
#[derive(Debug)]
pub(crate) enum PendingEvent {
    Found(Box<Found>),
    /// A way for an order that this one has replaced, to go by until this one is answered.
    Interim(Box<Found>),
    Failed(PathFailure),
    Blocked {
        map: Entity,
        place: Place,
    },
    Passed(Passed),
    Arrived {
        map: Entity,
        place: Place,
        chosen: usize,
        partial: bool,
    },
    Lost(PathFailure),
}

/// An answer on its way to the entity.
#[derive(Debug)]
pub(crate) struct Found {
    pub(crate) goals: Goals,
    pub(crate) chosen: usize,
    pub(crate) partial: bool,
    pub(crate) statistics: Statistics,
    /// At least one.
    pub(crate) legs: Vec<FoundLeg>,
    pub(crate) doors_edition: u64,
    pub(crate) replan: bool,
}

/// What an agent came past.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Passed {
    Place { map: Entity, place: Place },
    Door { door: Entity, from: Entity, to: Entity, leaps: bool },
}

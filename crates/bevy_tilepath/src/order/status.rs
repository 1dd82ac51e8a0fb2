//! The status of an entity's order.

use bevy_ecs::{
    change_detection::{DetectChangesMut, Mut},
    component::Component,
    entity::{EntityMapper, MapEntities},
};
use bevy_reflect::{Reflect, std_traits::ReflectDefault};

use crate::failure::PathFailure;

/// The current state of an entity's order ([`PathRequest`](crate::PathRequest)). The plugin writes
/// the status, and your code reads it.
#[derive(Component, Debug, Clone, Copy, Default, PartialEq, Eq, Reflect)]
#[component(map_entities)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[type_path = "bevy_tilepath"]
#[reflect(Default, Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum PathStatus {
    /// There is no order. No order was given, the order was cancelled, or the order was answered
    /// for an entity without [`PathAgent`](crate::PathAgent).
    #[default]
    Idle,
    /// The order waits for its map. There is no map yet, the tiles of the map have not been read,
    /// or the graph has not been loaded.
    WaitingForMap,
    /// The order waits for its search. An agent that walks follows its old path.
    Queued,
    /// The search runs. An agent that walks follows its old path.
    Searching,
    /// No path leads to the goal, for this reason. The order [waits](crate::PathRequest::or_wait)
    /// for a path.
    WaitingForWay(PathFailure),
    /// The agent follows its path. It may stand for a moment while a blocked path is replanned.
    Following,
    /// The agent has a path, but [`PathAgent::paused`](crate::PathAgent::paused) makes it stand.
    Paused,
    /// The agent is at the end of its path: at the centre of the last cell, or at the requested
    /// waypoint or position.
    Arrived,
    /// No path was found or the path was lost, for this reason.
    Failed(PathFailure),
}

impl MapEntities for PathStatus {
    fn map_entities<M: EntityMapper>(&mut self, mapper: &mut M) {
        if let Self::WaitingForWay(reason) | Self::Failed(reason) = self {
            reason.map_entities(mapper);
        }
    }
}

impl PathStatus {
    /// Writes the status of an entity. No other code does.
    pub(crate) fn show(mut shown: Mut<Self>, status: Self) {
        shown.set_if_neq(status);
    }

    /// Queues a search that ran when a state was taken, and cannot go on.
    pub(crate) fn queue_again(&mut self) {
        if matches!(self, Self::Searching) {
            *self = Self::Queued;
        }
    }
}

//! What the plugin is doing for an entity.

use bevy_ecs::{
    change_detection::{DetectChangesMut, Mut},
    component::Component,
};
use bevy_reflect::{Reflect, std_traits::ReflectDefault};

use crate::failure::PathFailure;

/// What the plugin is doing for an entity. Written by the plugin; read it as you like.
#[derive(Component, Debug, Clone, Copy, Default, PartialEq, Eq, Reflect)]
#[type_path = "bevy_tilepath"]
#[reflect(Default, Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum PathStatus {
    /// There is no order: none was given, it was cancelled, or it was the request of an entity
    /// without [`PathAgent`](crate::PathAgent) and has been answered.
    #[default]
    Idle,
    /// There is no map yet, or its tiles have not been read, or its graph has not been loaded.
    WaitingForMap,
    /// The request waits for its turn. An agent that was under way goes on along its old path.
    Queued,
    /// The search is under way. An agent that was under way goes on along its old path.
    Searching,
    /// No way leads to the goal, and the order [waits](crate::PathRequest::or_wait) for one: for that reason.
    WaitingForWay(PathFailure),
    /// On the way. It may stand still for a moment while a blocked way is replanned.
    Following,
    /// On the way, held by [`PathAgent::paused`](crate::PathAgent::paused).
    Paused,
    /// At the end of its path: at the centre of the last cell, or at the waypoint or position asked for.
    Arrived,
    /// The request could not be answered with a path, or the way was lost.
    Failed(PathFailure),
}

impl PathStatus {
    /// Writes what is shown of an entity: nothing else does.
    pub(crate) fn show(mut shown: Mut<Self>, status: Self) {
        shown.set_if_neq(status);
    }
}

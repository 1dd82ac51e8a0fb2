//! Events of groups.

use bevy_app::App;
use bevy_ecs::{entity::Entity, event::EntityEvent, message::Message};
use bevy_reflect::Reflect;
use thiserror::Error;

use crate::failure::PathFailure;

/// An event, triggered when the order of a group ends and at least one member is at its place or
/// near it. All members have come to rest.
///
/// Each member had its own events before: [`Arrived`](crate::events::Arrived),
/// [`PathFailed`](crate::events::PathFailed) or [`PathLost`](crate::events::PathLost). A member can
/// have several of them.
#[derive(EntityEvent, Message, Debug, Clone, Copy, PartialEq, Eq, Reflect)]
#[type_path = "bevy_tilepath"]
#[reflect(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct GroupArrived {
    /// The group.
    pub entity: Entity,
    /// The number of members at their places.
    pub arrived: usize,
    /// The number of members that came only near to their places: at most 20 steps of the map from
    /// them. They have a [shortfall](crate::events::Arrived::shortfall) because of other bodies, or a
    /// [partial](crate::events::Arrived::partial) path because of walls. Members that gave up
    /// because a body did not move ([`PathFailure::Blocked`]) are included.
    pub with_shortfall: usize,
    /// The number of members that found no place, ended farther from it than that, lost their path
    /// for another reason, were despawned, are disabled, or have no `PathAgent` any more.
    ///
    /// If walls keep a member so far away, its path is lost with [`PathFailure::Unreachable`].
    pub lost: usize,
    /// The number of members that left the group: they got another order, or their order was
    /// cancelled.
    pub left: usize,
}

/// An event, triggered when the order of a group ends and no member came to its place or near it.
///
/// If other orders took all members, the order was replaced and ends without an event.
#[derive(EntityEvent, Message, Debug, Clone, Copy, PartialEq, Eq, Reflect)]
#[type_path = "bevy_tilepath"]
#[reflect(Debug, Clone, PartialEq)]
pub struct GroupFailed {
    /// The group.
    pub entity: Entity,
    /// The reason why no member arrived.
    pub reason: GroupFailure,
}

/// The reason why no member of a group came to its place. The `Display` text states what to do.
///
/// ```
/// use bevy_tilepath::{groups::GroupFailure, PathFailure};
///
/// assert!(GroupFailure::NoMembers.to_string().contains("PathAgent"));
/// assert_eq!(GroupFailure::Path(PathFailure::NoMap).to_string(), PathFailure::NoMap.to_string());
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Error, Reflect)]
#[type_path = "bevy_tilepath"]
#[reflect(Debug, Clone, PartialEq, Hash)]
#[non_exhaustive]
pub enum GroupFailure {
    /// The order names no existing entity with a [`PathAgent`](crate::PathAgent). Entities that a
    /// component of your game disables do not count.
    #[error("the group has no members: name entities that are there and have a PathAgent")]
    NoMembers,
    /// The group is on a waypoint graph.
    #[error(
        "a waypoint graph has no cells for a formation: order the members singly, or name a tile map with on_map"
    )]
    OnGraph,
    /// No member can reach a free cell around the goal.
    #[error("none of the {members} members finds a free cell that it can reach: choose another goal")]
    NoPlace {
        /// The number of members.
        members: usize,
    },
    /// All members left the group: the orders of some were cancelled, and the others got other orders.
    #[error("the orders of all members were cancelled or replaced: nothing is left to do")]
    AllLeft,
    /// No member arrived. All members that did not leave the group lost their path, were despawned or
    /// are disabled.
    #[error("all {lost} members lost their path or are gone: see the events of each, and order again")]
    NoneArrived {
        /// The number of members that lost their path, were despawned or are disabled.
        lost: usize,
    },
    /// The whole order failed for this reason, before any member got a path. For example, there is
    /// no map.
    #[error(transparent)]
    Path(#[from] PathFailure),
}

pub(super) fn plugin(app: &mut App) {
    app.add_message::<GroupArrived>()
        .register_type::<GroupArrived>()
        .add_message::<GroupFailed>()
        .register_type::<GroupFailed>()
        .register_type::<GroupFailure>();
}

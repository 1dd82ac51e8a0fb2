//! Events of groups.

use bevy_app::App;
use bevy_ecs::{entity::Entity, event::EntityEvent, message::Message};
use bevy_reflect::Reflect;
use thiserror::Error;

use crate::failure::PathFailure;

/// An event, triggered when the order of a group is over: all members have come to rest, and at
/// least one of them at its place or near it.
///
/// Each member had its own [`Arrived`](crate::events::Arrived),
/// [`PathFailed`](crate::events::PathFailed) or [`PathLost`](crate::events::PathLost) before, some
/// of them more than once.
#[derive(EntityEvent, Message, Debug, Clone, Copy, PartialEq, Eq, Reflect)]
#[type_path = "bevy_tilepath"]
#[reflect(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct GroupArrived {
    /// The group.
    pub entity: Entity,
    /// The number of members at their places.
    pub arrived: usize,
    /// The number of members that came only near to their places: with a
    /// [shortfall](crate::events::Arrived::shortfall) because of other bodies, or by a
    /// [partial](crate::events::Arrived::partial) path because of walls.
    pub with_shortfall: usize,
    /// The number of members that found no place, lost their path, or are gone.
    pub lost: usize,
    /// The number of members that got another order, while walking or at their places.
    pub left: usize,
}

/// An event, triggered when the order of a group is over, and no member came to its place.
#[derive(EntityEvent, Message, Debug, Clone, Copy, PartialEq, Eq, Reflect)]
#[type_path = "bevy_tilepath"]
#[reflect(opaque)]
#[reflect(Debug, Clone, PartialEq)]
pub struct GroupFailed {
    /// The group.
    pub entity: Entity,
    /// The reason.
    pub reason: GroupFailure,
}

/// The reason why no member of a group came to its place. Its `Display` text has the remedy.
///
/// ```
/// use bevy_tilepath::{groups::GroupFailure, PathFailure};
///
/// assert!(GroupFailure::NoMembers.to_string().contains("PathAgent"));
/// assert_eq!(GroupFailure::Path(PathFailure::NoMap).to_string(), PathFailure::NoMap.to_string());
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Error, Reflect)]
#[type_path = "bevy_tilepath"]
#[reflect(opaque)]
#[reflect(Debug, Clone, PartialEq, Hash)]
#[non_exhaustive]
pub enum GroupFailure {
    /// The order names no existing entity with a [`PathAgent`](crate::PathAgent).
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
    /// All members were ordered elsewhere.
    #[error("all members were given orders of their own: nothing is left to do")]
    AllLeft,
    /// All members that did not leave lost their path, or are gone.
    #[error("all {lost} members lost their path or are gone: see the events of each, and order again")]
    NoneArrived {
        /// The number of these members.
        lost: usize,
    },
    /// The order cannot be followed on any map in its present state.
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

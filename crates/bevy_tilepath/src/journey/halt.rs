//! Reasons why an agent with a path stands.

use bevy_ecs::entity::{Entity, MapEntities};

/// The one reason why an agent with a path begins no step, for agents that walk alone and for bodies.
/// If there are several, the first of this list counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, MapEntities)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(crate) enum Halt {
    /// Other code puts it back to one place again and again.
    PutBack,
    /// This body blocks it and does not move.
    Body(#[entities] Entity),
    /// Its path is replanned, or the next part of its path is not known yet.
    Replanning,
    /// It is at the end of its path, and its order goes on.
    AtGoal,
    /// [`PathAgent::paused`](crate::PathAgent::paused) is set.
    Paused,
    /// It is [`Stepwise`](crate::Stepwise) and has begun all its steps.
    NoSteps,
    NoSpeed,
    /// It may not pass this door yet.
    Door(#[entities] Entity),
    /// Other code moves it, and it makes no progress.
    Stuck,
}

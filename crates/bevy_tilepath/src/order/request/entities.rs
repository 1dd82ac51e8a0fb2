//! Orders to entities.

use super::PathRequest;
use crate::order::goal::PathGoal;

impl PathRequest {
    /// Makes the order endless. When the agent has reached its target entity, or is [near
    /// enough](crate::PathGoal::Around) to the entity, the agent waits until the entity moves on.
    /// The order ends only if it fails, is replaced or is cancelled.
    ///
    /// Later stops are reached only by [`PathStops::skip`](crate::orders::PathStops::skip). If the
    /// order does not lead to an entity, `following` has no effect.
    ///
    /// ```
    /// use bevy_ecs::prelude::*;
    /// use bevy_tilepath::{PathGoal, PathRequest};
    ///
    /// let mut world = World::new();
    /// let hero = world.spawn_empty().id();
    /// assert!(PathRequest::to(hero).following().follows());
    /// assert!(PathRequest::to(PathGoal::within(hero, 3.0)).following().follows());
    /// ```
    #[must_use]
    #[doc(alias = "follow")]
    pub fn following(self) -> Self {
        Self { follows: true, ..self }
    }

    /// Returns whether the order stays valid after the agent has reached its target entity: see
    /// [`following`](Self::following).
    #[must_use]
    pub fn follows(&self) -> bool {
        self.follows
    }

    /// Returns whether the agent waits at the end of such a path, for its goal to move on or for a
    /// path to the goal.
    pub(crate) fn waits_at_end(&self, is_partial: bool) -> bool {
        self.waits_at_end_for(self.goal(), is_partial)
    }

    /// Returns whether the agent waits at the end of such a path to the goal of one of its stops.
    pub(crate) fn waits_at_end_for(&self, goal: &PathGoal, is_partial: bool) -> bool {
        self.follows && goal.has_entity() || self.waits && is_partial
    }

    /// Returns whether the order depends on the place of an entity.
    pub(crate) fn has_entity(&self) -> bool {
        self.goal().has_entity()
    }
}

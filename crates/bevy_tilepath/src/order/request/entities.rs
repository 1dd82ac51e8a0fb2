//! Orders to entities.

use super::PathRequest;

impl PathRequest {
    /// Makes the order endless. When the agent has reached its entity, or is
    /// [near enough](crate::PathGoal::Around) to it, the agent waits until the entity moves on.
    /// Only a failure, another order or a cancel ends the order.
    ///
    /// Later stops are reached only by [`PathStops::skip`](crate::orders::PathStops::skip). If the
    /// order does not lead to an entity, the option has no effect.
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

    /// Returns whether the order goes on when the agent has reached the entity.
    #[must_use]
    pub fn follows(&self) -> bool {
        self.follows
    }

    /// Returns whether the agent waits at the end of such a path, for its goal to move on or for a
    /// path to the goal.
    pub(crate) fn waits_at_end(&self, is_partial: bool) -> bool {
        self.follows && self.has_entity() || self.waits && is_partial
    }

    /// Returns whether the order depends on the place of an entity.
    pub(crate) fn has_entity(&self) -> bool {
        self.goal.has_entity()
    }
}

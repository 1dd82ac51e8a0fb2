//! Orders to entities.

use super::PathRequest;

impl PathRequest {
    /// The same order without end: where the agent has come to its entity, or [near to](crate::PathGoal::Around) it, it waits until
    /// the entity goes on. Only a failure, another order or a cancel ends it. Stops after that are reached by
    /// [`PathStops::skip`](crate::orders::PathStops::skip) alone. Without an entity to lead to it makes no difference.
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

    /// Whether it goes on when the agent has come to the entity.
    #[must_use]
    pub fn follows(&self) -> bool {
        self.follows
    }

    /// Whether it waits at the end of such a way for its goal to go on, or for a way to that.
    pub(crate) fn waits_at_end(&self, is_partial: bool) -> bool {
        self.follows && self.has_entity() || self.waits && is_partial
    }

    /// Whether it depends on where an entity is.
    pub(crate) fn has_entity(&self) -> bool {
        self.goal.has_entity()
    }
}

//! Orders to entities.

use bevy_ecs::entity::Entity;

use super::PathRequest;
use crate::order::goal::PathGoal;

impl PathRequest {
    /// To an entity, wherever it goes: to intercept it, to hand something over. It ends with [`Arrived`](crate::Arrived) at the
    /// centre of the cell where the entity is.
    ///
    /// - The entity may be anything with a `Transform`: an agent, the player, a crate on a cart. It is looked for in each tick.
    /// - The way is led after it cell by cell. A search is made only where a better way may have come up by more than the order
    ///   [tolerates](Self::with_tolerance), or the entity went where the way could not be led: far, or where this agent cannot go.
    ///   So a long chase costs few searches, and none is made while the entity stands.
    /// - If the entity is despawned, disabled, or loses its `Transform`, the order ends with
    ///   [`TargetGone`](crate::PathFailure::TargetGone); on another map, or where the agent is on a graph, with
    ///   [`TargetElsewhere`](crate::PathFailure::TargetElsewhere); where no way leads to it any more, with the reason. With
    ///   [`or_closest`](Self::or_closest) the agent comes as near as it can.
    /// - Two that follow each other meet.
    ///
    /// ```
    /// use bevy_ecs::prelude::*;
    /// use bevy_tilepath::{PathGoal, PathRequest};
    ///
    /// let mut world = World::new();
    /// let thief = world.spawn_empty().id();
    /// assert_eq!(PathRequest::to_entity(thief).goal(), &PathGoal::Entity(thief));
    /// ```
    #[must_use]
    #[doc(alias = "chase", alias = "pursue", alias = "intercept")]
    pub fn to_entity(target: Entity) -> Self {
        Self::to(PathGoal::Entity(target))
    }

    /// After an entity, without end: as [`to_entity`](Self::to_entity), but where it has come to the entity the agent waits
    /// until that goes on. Only a failure, another order or a cancel ends it.
    ///
    /// ```
    /// use bevy_ecs::prelude::*;
    /// use bevy_tilepath::PathRequest;
    ///
    /// let mut world = World::new();
    /// let master = world.spawn_empty().id();
    /// let dog = world.spawn(PathRequest::follow(master)).id();
    /// assert!(world.get::<PathRequest>(dog).unwrap().follows());
    /// ```
    #[must_use]
    pub fn follow(target: Entity) -> Self {
        Self { follows: true, ..Self::to_entity(target) }
    }

    /// Whether it goes on when the agent has come to the entity.
    #[must_use]
    pub fn follows(&self) -> bool {
        self.follows
    }

    /// The entity that it leads to.
    pub(crate) fn target(&self) -> Option<Entity> {
        match self.goal {
            PathGoal::Entity(target) => Some(target),
            _ => None,
        }
    }
}

//! Orders to entities.

use bevy_ecs::entity::Entity;
use tilepath::Cost;

use super::PathRequest;
use crate::order::{goal::PathGoal, target::PathTarget};

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
    /// - A [`Body`](crate::Body) that goes to a body with which it shares no cells ends beside that, and does not push it away;
    ///   [`Arrived::short_by`](crate::Arrived::short_by) is the step between them. Where others stand there already it ends behind those.
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
        Self::to_entity(target).following()
    }

    /// The same order without end: where the agent has come to its entity, or [near to](PathGoal::Around) it, it waits until that
    /// goes on. Stops after that are reached by [`PathStops::skip`](crate::PathStops::skip) alone. Without an entity to lead to it
    /// makes no difference.
    ///
    /// ```
    /// use bevy_ecs::prelude::*;
    /// use bevy_tilepath::PathRequest;
    ///
    /// let mut world = World::new();
    /// let hero = world.spawn_empty().id();
    /// assert!(PathRequest::within(hero, 3.0).following().follows());
    /// ```
    #[must_use]
    pub fn following(self) -> Self {
        Self { follows: true, ..self }
    }

    /// To the cell that is cheapest to reach of those no farther away from a target than that: to shoot, to hear, to guard.
    ///
    /// See [`Approach::Within`](crate::Approach::Within) for what is measured. The target is a [`Place`](crate::Place) on the
    /// agent's own tile map or an entity, of which all that is said with [`to_entity`](Self::to_entity) holds.
    ///
    /// - An agent that is near enough has arrived.
    /// - A distance that is negative, NaN or more than 128 fails with
    ///   [`InvalidDistance`](crate::PathFailure::InvalidDistance).
    ///
    /// # Units
    /// Cells.
    ///
    /// ```
    /// use bevy_tilepath::{Cell, PathRequest};
    ///
    /// let archer = PathRequest::within(Cell::new(8, 3), 4.5);
    /// assert_eq!(archer.goal().to_string(), "within 4.5 cells of (8, 3)");
    /// ```
    #[must_use]
    pub fn within(target: impl Into<PathTarget>, distance: f32) -> Self {
        Self::to(PathGoal::within(target, distance))
    }

    /// To the cell that is cheapest to reach of those beside a target, which may be a wall itself: to gather, to build, to talk.
    /// See [`Approach::Beside`](crate::Approach::Beside).
    ///
    /// ```
    /// use bevy_ecs::prelude::*;
    /// use bevy_tilepath::{Approach, PathGoal, PathRequest};
    ///
    /// let mut world = World::new();
    /// let tree = world.spawn_empty().id();
    /// let gather = PathRequest::beside(tree);
    /// assert_eq!(gather.goal(), &PathGoal::Around([tree.into()].into(), Approach::Beside));
    /// ```
    #[must_use]
    #[doc(alias = "gather", alias = "interact")]
    pub fn beside(target: impl Into<PathTarget>) -> Self {
        Self::to(PathGoal::beside(target))
    }

    /// To the cell that is cheapest to reach of those from which a target can be seen, no farther away than a range.
    /// See [`Approach::InSight`](crate::Approach::InSight). What hides is what the map says:
    /// [`NavMap::opaque`](crate::NavMap::opaque).
    ///
    /// A range that is negative, NaN or more than 64 fails with [`InvalidDistance`](crate::PathFailure::InvalidDistance).
    ///
    /// # Units
    /// Cells.
    #[must_use]
    #[doc(alias = "line of sight")]
    pub fn in_sight(target: impl Into<PathTarget>, range: f32) -> Self {
        Self::to(PathGoal::in_sight(target, range))
    }

    /// Away from a target, until it is that far away: to a cell far enough that is cheap to reach or, where none is within the
    /// budget, to the one that is farthest away. Then the path is [partial](crate::PathFound::partial).
    ///
    /// - When the target comes after it and the end of the way is no longer far enough, another one is searched for while the
    ///   agent walks on. It arrives where it is far enough, or cornered.
    /// - It takes the cheapest way that leads to no cell nearer to the target than the agent is; only where none of those is far
    ///   enough it runs past it. An [overlay](crate::OverlayArea) of danger around the target keeps it farther off.
    /// - Far is measured as for [`Approach::Within`](crate::Approach::Within), across walls, too.
    /// - A distance that is negative or NaN fails with [`InvalidDistance`](crate::PathFailure::InvalidDistance), a budget of 0
    ///   with [`NoBudget`](crate::PathFailure::NoBudget).
    ///
    /// # Units
    /// `distance` is in cells, `budget` in units of cost: by the default rules a straight step on ground of class 1 costs 10.
    ///
    /// # Complexity
    /// That of all cells within the budget, in one tick.
    ///
    /// ```
    /// use bevy_ecs::prelude::*;
    /// use bevy_tilepath::{Cost, PathRequest};
    ///
    /// let mut world = World::new();
    /// let wolf = world.spawn_empty().id();
    /// let deer = world.spawn(PathRequest::flee(wolf, 12.0, Cost::new(200))).id();
    /// assert!(world.get::<PathRequest>(deer).is_some());
    /// ```
    #[must_use]
    #[doc(alias = "escape")]
    pub fn flee(from: impl Into<PathTarget>, distance: f32, budget: Cost) -> Self {
        Self::to(PathGoal::flee(from, distance, budget))
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

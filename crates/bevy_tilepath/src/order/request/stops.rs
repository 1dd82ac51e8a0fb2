//! Orders of several stops, and orders that wait for a way.

use super::PathRequest;
use crate::order::{
    goal::PathGoal,
    stops::{PathStops, Repeat},
};

impl PathRequest {
    /// From there on to another goal: a stop more.
    ///
    /// - All stops are one order: it is answered once, each stop that is reached tells
    ///   [`StopReached`](crate::events::StopReached), and only the last one ends it with [`Arrived`](crate::events::Arrived).
    /// - What follows a stop is searched for before the agent is there, so that it goes on without a halt. Where that was not
    ///   possible (the budget of work is used up, the map was edited, stops lie closer together than it walks in a tick) it
    ///   stands at the stop until the way is known, and is [`Replanned`](crate::events::Replanned).
    /// - A stop may be anything that an order can lead to, an entity, too; of a [path](Self::along) it is the end. Options of the
    ///   order hold for all of its stops.
    /// - Where no way leads to a stop the order ends when the one before it is reached, with the reason; see
    ///   [`or_closest`](Self::or_closest) and [`or_wait`](Self::or_wait).
    /// - To change the stops while the agent walks, edit its [`PathStops`].
    ///
    /// ```
    /// use bevy_ecs::prelude::*;
    /// use bevy_tilepath::{orders::PathStops, Cell, PathRequest};
    ///
    /// let mut world = World::new();
    /// let guard = world.spawn(PathRequest::to(Cell::new(2, 2)).then(Cell::new(9, 2)).back_and_forth()).id();
    /// let stops = world.get::<PathStops>(guard).unwrap();
    /// assert_eq!((stops.goals().len(), stops.current()), (2, 0));
    /// ```
    #[must_use]
    #[doc(alias = "patrol", alias = "queue", alias = "waypoints")]
    pub fn then(mut self, goal: impl Into<PathGoal>) -> Self {
        self.further_stops.push(goal.into());
        self
    }

    /// After the last stop to the first again, without end. An agent whose order has one stop only stays there until others are
    /// appended to its [`PathStops`].
    #[must_use]
    pub fn looped(self) -> Self {
        Self { repeat: Repeat::Loop, ..self }
    }

    /// After the last stop back along the list to the first, and so on without end.
    #[must_use]
    #[doc(alias = "ping-pong")]
    pub fn back_and_forth(self) -> Self {
        Self { repeat: Repeat::BackAndForth, ..self }
    }

    /// If no way leads to the goal, waits for one where the agent is: at first, and whenever the way is lost later.
    ///
    /// Such an order does not end because of walls, nor because the ground under the entity leaves the map. Its [status](crate::PathStatus) is
    /// [`WaitingForWay`](crate::PathStatus::WaitingForWay) meanwhile. It is asked again when a map, a graph or a door has
    /// changed, or the entity that it leads to may have moved, and less often each time that this was in vain: after 1, 2, 4,
    /// up to 64 ticks. With [`or_closest`](Self::or_closest) the agent waits as near to the goal as it can come.
    ///
    /// ```
    /// use bevy_tilepath::PathRequest;
    ///
    /// assert!(PathRequest::to_cell((8, 3)).or_wait().waits());
    /// ```
    #[must_use]
    pub fn or_wait(self) -> Self {
        Self { waits: true, ..self }
    }

    /// Whether it waits for a way where there is none.
    #[must_use]
    pub fn waits(&self) -> bool {
        self.waits
    }

    /// What comes after its last stop.
    #[must_use]
    pub fn repeat(&self) -> Repeat {
        self.repeat
    }

    /// The stops after its [goal](Self::goal), as it was given: [`PathStops`] has those of now.
    #[must_use]
    pub fn further_stops(&self) -> &[PathGoal] {
        &self.further_stops
    }

    /// The part of it that leads to one goal.
    pub(crate) fn to_one(&self, goal: &PathGoal) -> Self {
        Self {
            goal: goal.clone(),
            goal_map: self.goal_map,
            algorithm: self.algorithm,
            closest: self.closest,
            limit: self.limit,
            movement: self.movement.clone(),
            tolerance: self.tolerance,
            follows: self.follows,
            waits: self.waits,
            further_stops: Vec::new(),
            repeat: Repeat::Once,
        }
    }

    /// The part of it that leads to the present stop, which an order without any left does not have.
    pub(crate) fn to_present(&self, stops: Option<&PathStops>) -> Option<Self> {
        let goal = match stops {
            Some(stops) => stops.goal()?,
            None => &self.goal,
        };
        Some(self.to_one(goal))
    }
}

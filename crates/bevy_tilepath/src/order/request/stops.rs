//! Orders of several stops, and orders that wait for a path.

use super::PathRequest;
use crate::order::{
    goal::PathGoal,
    stops::{PathStops, Repeat},
};

impl PathRequest {
    /// Adds a stop, to which the agent goes on from the goal before.
    ///
    /// - All stops are one order. It is answered once, each stop that is reached triggers
    ///   [`StopReached`](crate::events::StopReached), and the last one ends the order with
    ///   [`Arrived`](crate::events::Arrived).
    /// - The path from a stop is searched before the agent is there, so that the agent goes on
    ///   without a halt. That is not always possible: the budget of work is used up, the map was
    ///   edited, or stops lie closer together than the agent walks in a tick. Then the agent stands
    ///   at the stop until the path is known, and is [`Replanned`](crate::events::Replanned).
    /// - A stop may be any goal, also an entity. If it is a [path](Self::along), the stop is the
    ///   end of the path. Options of the order apply to all its stops.
    /// - If no path leads to a stop, the order ends with the reason when the agent reaches the stop
    ///   before it. See [`or_closest`](Self::or_closest) and [`or_wait`](Self::or_wait).
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

    /// Lets the order begin again at the first stop after the last one, without end. If the order
    /// has only one stop, the agent stays there until you append a stop to its [`PathStops`].
    #[must_use]
    pub fn looped(self) -> Self {
        Self { repeat: Repeat::Loop, ..self }
    }

    /// Lets the order go back along the list of stops after the last one, then forth again, without
    /// end.
    #[must_use]
    #[doc(alias = "ping-pong")]
    pub fn back_and_forth(self) -> Self {
        Self { repeat: Repeat::BackAndForth, ..self }
    }

    /// If no path leads to the goal, lets the agent wait for one where it is: at first, and
    /// whenever its path is lost later.
    ///
    /// Walls do not end such an order, and neither does ground that leaves the map under the
    /// entity. Its [status](crate::PathStatus) is then
    /// [`WaitingForWay`](crate::PathStatus::WaitingForWay).
    ///
    /// The order is tried again if a map, a graph or a door has changed, or if its target entity
    /// may have moved. After each failure the delay grows: 1, 2, 4, up to 64 ticks. With
    /// [`or_closest`](Self::or_closest) the agent waits as near to the goal as it can come.
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

    /// Returns whether the order waits for a path if no path leads to the goal.
    #[must_use]
    pub fn waits(&self) -> bool {
        self.waits
    }

    /// Returns what comes after the last stop.
    #[must_use]
    pub fn repeat(&self) -> Repeat {
        self.repeat
    }

    /// Returns the stops after the [goal](Self::goal), as they were given. [`PathStops`] has the
    /// current stops.
    #[must_use]
    pub fn further_stops(&self) -> &[PathGoal] {
        &self.further_stops
    }

    /// Returns the part of the order that leads to one goal.
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

    /// Returns the part of the order that leads to the present stop, or `None` if no stop is left.
    pub(crate) fn to_present(&self, stops: Option<&PathStops>) -> Option<Self> {
        let goal = match stops {
            Some(stops) => stops.goal()?,
            None => &self.goal,
        };
        Some(self.to_one(goal))
    }
}

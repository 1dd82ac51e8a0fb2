//! Orders of several stops, and orders that wait for a path.

use std::sync::Arc;

use bevy_ecs::entity::Entity;

use super::PathRequest;
use crate::order::{
    goal::PathGoal,
    stop::Stop,
    stops::{PathStops, Repeat},
};

impl PathRequest {
    /// Adds a stop to the end of the order. The agent goes on to this stop from the goal or stop
    /// before it.
    ///
    /// - All stops belong to one order, which is answered once. Each stop that the agent reaches
    ///   triggers [`StopReached`](crate::events::StopReached). At the last stop, the order ends
    ///   with [`Arrived`](crate::events::Arrived).
    /// - The search for the path from a stop runs before the agent is there, so that the agent goes
    ///   on without a halt. The path may come too late: if the budget of work is used up, if the
    ///   map was edited, or if stops lie closer together than the agent walks in a tick. In these
    ///   cases the agent stands at the stop until the path is found, and
    ///   [`Replanned`](crate::events::Replanned) is triggered.
    /// - A stop may be any goal, also an entity. If the goal is a [path](Self::along), the stop is
    ///   the end of the path. Options of the order apply to all stops.
    /// - A [`Stop`] may lie on a map of its own, and the agent may [wait](Stop::wait) there.
    /// - If no path leads to a stop, the agent walks to the stop before it. There the order ends
    ///   with the reason. See [`or_closest`](Self::or_closest) and [`or_wait`](Self::or_wait).
    /// - To change the stops while the agent walks, edit its [`PathStops`].
    ///
    /// ```
    /// use bevy_ecs::prelude::*;
    /// use bevy_tilepath::{orders::PathStops, Cell, PathRequest};
    ///
    /// let mut world = World::new();
    /// let guard = world.spawn(PathRequest::to(Cell::new(2, 2)).then(Cell::new(9, 2)).back_and_forth()).id();
    /// let stops = world.get::<PathStops>(guard).unwrap();
    /// assert_eq!((stops.stops().len(), stops.current()), (2, 0));
    /// ```
    #[must_use]
    #[doc(alias = "patrol", alias = "queue", alias = "waypoints")]
    pub fn then(mut self, stop: impl Into<Stop>) -> Self {
        self.further_stops.push(stop.into());
        self
    }

    /// Adds a stop on this map or graph to the end of the order. [`Door`](crate::doors::Door)s lead
    /// the agent from stop to stop, so a patrol may lead over several floors.
    ///
    /// ```
    /// use bevy_ecs::prelude::*;
    /// use bevy_tilepath::{Cell, PathRequest, orders::Stop};
    ///
    /// let mut world = World::new();
    /// let [cellar, hall] = [world.spawn_empty().id(), world.spawn_empty().id()];
    /// let patrol = PathRequest::to(Cell::new(2, 2)).on_map(cellar).then_on(hall, Cell::new(9, 2)).looped();
    /// assert_eq!(patrol.further_stops()[0], Stop::from(Cell::new(9, 2)).on_map(hall));
    /// ```
    #[must_use]
    pub fn then_on(self, map: Entity, goal: impl Into<Stop>) -> Self {
        self.then(goal.into().on_map(map))
    }

    /// Lets the order loop: after the last stop, it begins again at the first stop, without end. If
    /// the order has only one stop, the agent stays there until you append a stop to its
    /// [`PathStops`].
    #[must_use]
    pub fn looped(self) -> Self {
        Self { repeat: Repeat::Loop, ..self }
    }

    /// Lets the order go back and forth: after the last stop, it goes back through the list to the
    /// first stop, then forth again, without end.
    #[must_use]
    #[doc(alias = "ping-pong")]
    pub fn back_and_forth(self) -> Self {
        Self { repeat: Repeat::BackAndForth, ..self }
    }

    /// Lets the agent wait for a path where it stands, instead of ending the order. That applies if
    /// no path leads to the goal when the order is given, and whenever the path is lost later.
    ///
    /// Walls do not end such an order. If the cells under the agent or its goal leave the map, the
    /// order does not end either. While the agent waits, its [status](crate::PathStatus) is
    /// [`WaitingForWay`](crate::PathStatus::WaitingForWay).
    ///
    /// The order is tried again after a map, a graph or a door has changed, or if the target entity
    /// of the order may have moved. The delay to the next try doubles after each failure, from 1
    /// tick to at most 64 ticks. With [`or_closest`](Self::or_closest) the agent waits as near to
    /// the goal as it can come.
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

    /// Returns whether the order waits if no path leads to the goal: see
    /// [`or_wait`](Self::or_wait).
    #[must_use]
    pub fn waits(&self) -> bool {
        self.waits
    }

    /// Returns the rule for what comes after the last stop.
    #[must_use]
    pub fn repeat(&self) -> Repeat {
        self.repeat
    }

    /// Returns the stops after the [goal](Self::goal), as they were when the order was created.
    /// [`PathStops`] has the current stops.
    #[must_use]
    pub fn further_stops(&self) -> &[Stop] {
        &self.further_stops
    }

    /// Returns whether the lists of goals and the lists of an equal order are the same lists in memory.
    pub(crate) fn shares_lists_with(&self, other: &Self) -> bool {
        self.stops().zip(other.stops()).all(|(own, other)| match (&own.goal, &other.goal) {
            (PathGoal::Nearest(own), PathGoal::Nearest(other)) => Arc::ptr_eq(own, other),
            _ => true,
        })
    }

    /// Returns the goals of all stops.
    pub(crate) fn goals_mut(&mut self) -> impl Iterator<Item = &mut PathGoal> {
        std::iter::once(&mut self.first).chain(&mut self.further_stops).map(|stop| &mut stop.goal)
    }

    /// Returns all stops.
    pub(crate) fn stops(&self) -> impl Iterator<Item = &Stop> {
        std::iter::once(&self.first).chain(&self.further_stops)
    }

    /// Returns the part of the order that leads to one stop.
    pub(crate) fn to_one(&self, stop: &Stop) -> Self {
        Self {
            first: stop.clone(),
            goal_map: self.goal_map,
            algorithm: self.algorithm,
            through: self.through,
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
        let stop = match stops {
            Some(stops) => stops.present()?,
            None => &self.first,
        };
        Some(self.to_one(stop))
    }
}

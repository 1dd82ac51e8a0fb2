//! One stop of an order.

use bevy_ecs::entity::{Entity, EntityMapper, MapEntities};
use bevy_reflect::Reflect;

use crate::{failure::PathFailure, order::goal::PathGoal};

/// A stop of an order: a goal, the map of this goal, and the time for which the agent stands there.
///
/// Every [`PathGoal`] is a stop, and so is every value that turns into a goal. Use the type for a
/// stop on another map, and for a stop at which the agent waits.
///
/// ```
/// use bevy_ecs::prelude::*;
/// use bevy_tilepath::{Cell, PathRequest, orders::Stop};
///
/// let mut world = World::new();
/// let upper_floor = world.spawn_empty().id();
/// let post = Stop::from(Cell::new(4, 4)).wait(5.0);
/// let patrol = PathRequest::to(post).then_on(upper_floor, Cell::new(9, 2)).looped();
/// assert_eq!(patrol.further_stops(), [Stop::from(Cell::new(9, 2)).on_map(upper_floor)]);
/// ```
#[derive(Debug, Clone, PartialEq, Reflect)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[type_path = "bevy_tilepath"]
#[reflect(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Stop {
    /// The goal.
    pub goal: PathGoal,
    /// The map or graph of the goal, or `None` for the map of the order: see
    /// [`PathRequest::on_map`](crate::PathRequest::on_map).
    pub map: Option<Entity>,
    /// The time in seconds for which the agent stands at the goal.
    pub seconds: f32,
}

impl<G: Into<PathGoal>> From<G> for Stop {
    fn from(goal: G) -> Self {
        Self { goal: goal.into(), map: None, seconds: 0.0 }
    }
}

impl MapEntities for Stop {
    fn map_entities<M: EntityMapper>(&mut self, mapper: &mut M) {
        self.goal.map_entities(mapper);
        self.map.map_entities(mapper);
    }
}

impl Stop {
    /// Sets the map or graph of the goal. [`Door`](crate::doors::Door)s lead the agent there.
    #[must_use]
    pub fn on_map(self, map: Entity) -> Self {
        Self { map: Some(map), ..self }
    }

    /// Lets the agent stand at the goal for this time, in seconds, before it goes on. If the stop is
    /// the last one of the order, the order ends after this time.
    ///
    /// [`StopReached`](crate::events::StopReached) is triggered when the agent is there, also if the
    /// order has no other stop. The time ends with a tick. It does not run while the agent is
    /// [paused](crate::PathAgent::paused), and with infinity the agent stays until the stop is
    /// [skipped](crate::orders::PathStops::skip).
    ///
    /// If the time is NaN or negative, the order fails with
    /// [`InvalidWait`](crate::PathFailure::InvalidWait) when the stop is its next one.
    ///
    /// ```
    /// use bevy_tilepath::{Cell, orders::Stop};
    ///
    /// let station = Stop::from(Cell::new(4, 4)).wait(2.5);
    /// assert_eq!(station.seconds, 2.5);
    /// ```
    #[must_use]
    pub fn wait(self, seconds: f32) -> Self {
        Self { seconds, ..self }
    }

    /// Returns the failure if the stop is invalid on every map.
    pub(crate) fn fault(&self) -> Option<PathFailure> {
        let is_valid = self.seconds >= 0.0;
        (!is_valid).then_some(PathFailure::InvalidWait).or_else(|| self.goal.fault())
    }
}

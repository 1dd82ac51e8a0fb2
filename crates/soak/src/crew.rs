//! The stored state of each agent, for the checks.

use bevy_ecs::entity::Entity;
use bevy_math::Vec2;
use bevy_tilepath::{Cell, PathAgent};

use crate::life::Life;

/// An agent, with the state for its checks.
#[derive(Debug)]
#[expect(clippy::struct_excessive_bools, reason = "each happens by itself")]
pub(crate) struct Agent {
    /// The number of the agent, in the order of spawning. The numbers of entities can differ
    /// between runs.
    pub(crate) number: u32,
    pub(crate) entity: Entity,
    /// True if the agent gets an order to another agent in each tick.
    pub(crate) chases: bool,
    pub(crate) life: Life,
    pub(crate) asked: Option<Asked>,
    /// Its position just before the tick.
    pub(crate) before: Before,
    /// The gap, if the agent is between the two ends of a door.
    pub(crate) gap: Option<Gap>,
    /// Walls in which the agent may be: it was put there, or they were built over it.
    pub(crate) excused: Vec<(Entity, Cell)>,
    /// True if the agent was put at its position since the last tick.
    pub(crate) is_put: bool,
    /// True if its body was put at its position since the last tick.
    pub(crate) is_body_put: bool,
    /// The number of ticks for which it has stood with an order.
    pub(crate) stands: u32,
    /// The number of ticks for which it has had an order and has not moved.
    pub(crate) still: u32,
    /// Its speed and drive after the last tick.
    pub(crate) walker: Option<PathAgent>,
    /// The number of its orders and cancellations.
    pub(crate) orders: u32,
    /// The number of times that it was put elsewhere.
    pub(crate) puts: u32,
    /// True if its group got an order that may not be for it. It then stops without an event.
    pub(crate) may_be_released: bool,
}

/// The order of an agent.
#[derive(Debug, Clone)]
pub(crate) struct Asked {
    /// The goals; the agent can go to any of them.
    pub(crate) goals: Vec<Spot>,
    pub(crate) is_limited: bool,
    /// The first cell, for an order along a path.
    pub(crate) along_from: Option<(Entity, Cell)>,
    /// True if the agent was put on another map since, where the order means other places.
    pub(crate) is_vague: bool,
    /// True if the goal moves, or if there are several stops. Only the plugin has the current goal.
    pub(crate) lives: bool,
}

/// A place on a map.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Spot {
    /// One of these cells; several if a position lies near an edge.
    Cells(Entity, Vec<Cell>),
    Waypoint(Entity, String),
    /// A position on a graph.
    Beside(Entity),
}

impl Spot {
    pub(crate) fn map(&self) -> Entity {
        let (Self::Cells(map, _) | Self::Waypoint(map, _) | Self::Beside(map)) = *self;
        map
    }
}

#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Before {
    pub(crate) world: Vec2,
    pub(crate) local: Vec2,
    pub(crate) map: Option<Entity>,
    /// The door through which the agent came onto the current leg of its journey.
    pub(crate) door: Option<Entity>,
}

/// A walk between two ends of a door, by the end that the agent left.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Gap {
    pub(crate) left: Option<(Entity, Cell)>,
    /// True if the agent was put elsewhere since. Near the line between the ends it is still in the
    /// door, farther away it is on the ground. Only the plugin has the exact limit.
    pub(crate) is_doubted: bool,
}

impl Agent {
    pub(crate) fn new(number: u32, entity: Entity) -> Self {
        Self {
            number,
            entity,
            chases: false,
            life: Life::NEW,
            asked: None,
            before: Before::default(),
            gap: None,
            excused: Vec::new(),
            is_put: true,
            is_body_put: true,
            stands: 0,
            still: 0,
            walker: None,
            orders: 0,
            puts: 0,
            may_be_released: false,
        }
    }

    /// Records that the agent was put elsewhere.
    pub(crate) fn was_put(&mut self) {
        (self.is_put, self.is_body_put) = (true, true);
        if let Some(gap) = &mut self.gap {
            gap.is_doubted = true;
        }
        self.excused.clear();
        (self.stands, self.still, self.puts) = (0, 0, self.puts + 1);
    }

    /// Records an order.
    pub(crate) fn is_ordered(&mut self, asked: Asked) {
        self.life.ordered();
        self.asked = Some(asked);
        (self.orders, self.may_be_released) = (self.orders + 1, false);
    }

    /// Records that the agent stops without an event.
    pub(crate) fn is_cancelled(&mut self) {
        self.life.cancelled();
        (self.orders, self.may_be_released) = (self.orders + 1, false);
    }
}

//! What is remembered of each agent from tick to tick.

use bevy_ecs::entity::Entity;
use bevy_math::Vec2;
use bevy_tilepath::Cell;

use crate::life::Life;

/// An agent, and what the checks know of it.
#[derive(Debug)]
#[expect(clippy::struct_excessive_bools, reason = "each happens by itself")]
pub(crate) struct Agent {
    /// In the order in which they came: entities have other numbers in each run.
    pub(crate) number: u32,
    pub(crate) entity: Entity,
    /// Whether it is ordered after another agent in each tick.
    pub(crate) chases: bool,
    pub(crate) life: Life,
    pub(crate) asked: Option<Asked>,
    /// Where it was just before the tick.
    pub(crate) before: Before,
    /// It is between the two ends of a door.
    pub(crate) gap: Option<Gap>,
    /// Walls that it may be in: put there, or built over it.
    pub(crate) excused: Vec<(Entity, Cell)>,
    /// It was put where it is since the last tick.
    pub(crate) is_put: bool,
    /// The same, as far as bodies are concerned.
    pub(crate) is_body_put: bool,
    /// The number of ticks that it has stood with an order.
    pub(crate) stands: u32,
    /// How often it was ordered, or an order of it was cancelled.
    pub(crate) orders: u32,
    /// How often it was put elsewhere.
    pub(crate) puts: u32,
    /// The order of its group was replaced by one that may not be for it: it stops without an event.
    pub(crate) may_be_released: bool,
}

/// What it was ordered to do.
#[derive(Debug, Clone)]
pub(crate) struct Asked {
    /// Any of these.
    pub(crate) goals: Vec<Spot>,
    pub(crate) is_limited: bool,
    /// Along a path from this cell.
    pub(crate) along_from: Option<(Entity, Cell)>,
    /// Since then it was put on another map, where the same words mean other places.
    pub(crate) is_vague: bool,
    /// Its goal moves, or there are several one after the other: where it leads at a time, only the plugin knows.
    pub(crate) lives: bool,
}

/// A place, by its map.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Spot {
    /// One of these cells; several where a position lies near an edge.
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
    /// The door by which it came onto the leg of its journey.
    pub(crate) door: Option<Entity>,
}

/// The way between two ends of a door, by the end that was left.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Gap {
    pub(crate) left: Option<(Entity, Cell)>,
    /// It was put elsewhere since. Near the line between the ends it is in the door still, farther away on the ground;
    /// which, only the plugin knows.
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
            orders: 0,
            puts: 0,
            may_be_released: false,
        }
    }

    /// It was put elsewhere.
    pub(crate) fn was_put(&mut self) {
        (self.is_put, self.is_body_put) = (true, true);
        if let Some(gap) = &mut self.gap {
            gap.is_doubted = true;
        }
        self.excused.clear();
        (self.stands, self.puts) = (0, self.puts + 1);
    }

    /// It is about that from now on.
    pub(crate) fn is_ordered(&mut self, asked: Asked) {
        self.life.ordered();
        self.asked = Some(asked);
        (self.orders, self.may_be_released) = (self.orders + 1, false);
    }

    /// It stops, and nothing is told of that.
    pub(crate) fn is_cancelled(&mut self) {
        self.life.cancelled();
        (self.orders, self.may_be_released) = (self.orders + 1, false);
    }
}

//! Doors between maps.

pub(crate) mod box_tree;
pub(crate) mod index;
pub(crate) mod known;

use std::sync::Arc;

use bevy_app::App;
use bevy_ecs::{
    component::Component,
    entity::{Entity, EntityMapper, MapEntities},
    intern::Interned,
    schedule::ScheduleLabel,
};
use bevy_reflect::{Reflect, std_traits::ReflectDefault};
use tilepath::Cell;

use crate::map::place::MapPlace;

/// A door from one map to another, such as from a cell of a tile map to a waypoint of a graph. It
/// may also join two places of one map. Routes lead through it if that is cheapest.
///
/// Put it on an entity of its own. An order to a place on another map is searched over all doors.
/// An order to a place on the agent's own map also uses doors, if the route out and back is
/// cheaper.
///
/// - The agent's [`OnMap`](crate::OnMap) changes as it passes, and
///   [`DoorPassed`](crate::events::DoorPassed) is triggered.
/// - If a door ahead of an agent is closed or despawned, the rest of its route is planned again. A
///   wall on the cell to which the door leads has the same effect: a door never leads into a wall.
/// - If a door opens, agents take it if it saves more than their order
///   [tolerates](crate::PathRequest::with_tolerance).
/// - A unit passes by its [movement](crate::AgentMovement). If this movement is closed at the other
///   end, or unknown on the map there, the door leads the unit nowhere.
/// - For a unit of several cells, the cell at a door's end is its lowest and leftmost cell.
///
/// # Units
/// The cost of a route is a sum in world units:
///
/// - A path over cells counts cost ÷ straight step cost × the side of a square as large as a cell.
///   So a straight step on ground of cost 1 counts its length in the world.
/// - A path along a graph counts its cost × the scale of the graph's entity.
/// - A door counts its [`cost`](Self::cost).
///
/// The cheapest sum is exact, apart from the rounding of floats. A route whose sum is not finite is
/// left out.
///
/// # Complexity
/// For an order that stays on its map, doors add at most a few microseconds. There is one
/// exception: if the distances out to a door and back from one are together less than the path on
/// the map, the cells within that cost are searched once more.
///
/// A route to another map takes one search of each map that it may lead over, for any number of
/// doors, and one search for each of its legs. Rooms with a single door are not entered, except for
/// goals in them. All this work counts in the budget.
///
/// # Memory
/// About 400 bytes for each direction of a door, rebuilt in a tick in which any door changes. While
/// a route through doors is searched, 16 bytes for each cell that the search reaches.
///
/// ```
/// use bevy_ecs::prelude::*;
/// use bevy_tilepath::{doors::{Door, DoorEnd}, Cell};
///
/// let mut world = World::new();
/// # let (house, road) = (world.spawn_empty().id(), world.spawn_empty().id());
/// // A house's door, and a jetty from which one only leaves.
/// world.spawn(Door::new(DoorEnd::cell(house, Cell::new(3, 0)), DoorEnd::waypoint(road, "n4")));
/// let jetty = Door::new(DoorEnd::waypoint(road, "jetty"), DoorEnd::waypoint(road, "island"));
/// world.spawn(jetty.with_cost(200.0).one_way().leaping());
/// ```
#[derive(Component, Debug, Clone, PartialEq, Reflect)]
#[type_path = "bevy_tilepath"]
#[doc(alias = "portal", alias = "teleporter", alias = "off-mesh link")]
#[reflect(opaque)]
#[reflect(Debug, Clone, PartialEq)]
pub struct Door {
    /// The first end.
    #[entities]
    pub from: DoorEnd,
    /// The second end.
    #[entities]
    pub to: DoorEnd,
    /// The cost to pass, besides the paths to it. The default is 0. A negative, infinite or NaN
    /// cost closes the door.
    pub cost: f64,
    /// True if the door leads only from [`from`](Self::from) to [`to`](Self::to).
    pub one_way: bool,
    /// The kind of passage: on foot, or at once.
    pub passage: Passage,
    /// True if units can pass.
    pub open: bool,
    /// The names of the [movements](crate::AgentMovement) that may pass. Empty: all may pass. A
    /// unit without a named movement moves by the rules of its map or by a movement of its own. It
    /// passes only doors with an empty list. See [`only_for`](Self::only_for).
    pub movements: Vec<String>,
}

/// An end of a [`Door`].
#[derive(Debug, Clone, PartialEq, Eq, Reflect)]
#[type_path = "bevy_tilepath"]
#[reflect(opaque)]
#[reflect(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum DoorEnd {
    /// A cell of a tile map.
    Cell {
        /// The map.
        map: Entity,
        /// The cell.
        cell: Cell,
    },
    /// A waypoint of a graph.
    Waypoint {
        /// The entity of the graph.
        graph: Entity,
        /// The waypoint.
        id: Arc<str>,
    },
}

impl DoorEnd {
    /// Creates an end at a cell of a tile map.
    #[must_use]
    pub fn cell(map: Entity, cell: Cell) -> Self {
        Self::Cell { map, cell }
    }

    /// Creates an end at a waypoint of a graph.
    #[must_use]
    pub fn waypoint(graph: Entity, id: impl Into<Arc<str>>) -> Self {
        Self::Waypoint { graph, id: id.into() }
    }

    /// Returns the map or graph on which the end lies.
    #[must_use]
    pub fn map(&self) -> Entity {
        match self {
            Self::Cell { map, .. } => *map,
            Self::Waypoint { graph, .. } => *graph,
        }
    }

    pub(crate) fn map_place(&self) -> MapPlace {
        match self {
            Self::Cell { cell, .. } => MapPlace::Cell(*cell),
            Self::Waypoint { id, .. } => MapPlace::Waypoint(id.clone()),
        }
    }
}

impl MapEntities for DoorEnd {
    fn map_entities<E: EntityMapper>(&mut self, mapper: &mut E) {
        match self {
            Self::Cell { map, .. } => map.map_entities(mapper),
            Self::Waypoint { graph, .. } => graph.map_entities(mapper),
        }
    }
}

/// The kind of passage through a [`Door`].
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Reflect)]
#[type_path = "bevy_tilepath"]
#[reflect(Default, Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Passage {
    /// The unit walks straight from one end to the other.
    #[default]
    Walk,
    /// The unit is put at the other end at once: stairs, a portal.
    Leap,
}

impl Door {
    /// Creates an open door in both directions. It costs nothing, and units walk through it.
    #[must_use]
    pub fn new(from: DoorEnd, to: DoorEnd) -> Self {
        let (cost, one_way, passage, open) = (0.0, false, Passage::Walk, true);
        Self { from, to, cost, one_way, passage, open, movements: Vec::new() }
    }

    /// Sets the [`cost`](Self::cost).
    #[must_use]
    pub fn with_cost(self, cost: f64) -> Self {
        Self { cost, ..self }
    }

    /// Makes the door lead only from the first end to the second.
    #[must_use]
    pub fn one_way(self) -> Self {
        Self { one_way: true, ..self }
    }

    /// Makes the door put agents at the other end at once.
    #[must_use]
    pub fn leaping(self) -> Self {
        Self { passage: Passage::Leap, ..self }
    }

    /// Adds [movements](Self::movements) that may pass. The door stops all units whose movement was
    /// not added.
    ///
    /// ```
    /// use bevy_ecs::prelude::*;
    /// use bevy_tilepath::doors::{Door, DoorEnd};
    ///
    /// # let road = World::new().spawn_empty().id();
    /// let lock = Door::new(DoorEnd::waypoint(road, "sea"), DoorEnd::waypoint(road, "canal")).only_for(["boat"]);
    /// assert_eq!(lock.movements, ["boat"]);
    /// ```
    #[must_use]
    pub fn only_for<N: Into<String>>(mut self, names: impl IntoIterator<Item = N>) -> Self {
        self.movements.extend(names.into_iter().map(Into::into));
        self
    }

    fn is_passable(&self) -> bool {
        self.open && self.cost.is_finite() && self.cost >= 0.0
    }
}

pub(crate) fn plugin(app: &mut App, schedule: Interned<dyn ScheduleLabel>) {
    app.register_type::<Door>().register_type::<DoorEnd>().register_type::<Passage>();
    known::plugin(app, schedule);
}

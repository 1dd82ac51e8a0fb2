//! Doors between maps.

pub(crate) mod box_tree;
pub(crate) mod index;
pub(crate) mod known;
pub(crate) mod template;

#[cfg(feature = "serde")]
use bevy_ecs::reflect::ReflectComponent;
#[cfg(feature = "serde")]
use bevy_reflect::{ReflectDeserialize, ReflectSerialize};
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

use crate::{core_types, map::place::MapPlace};

/// A door between two places, on two maps or on one map. For example, a door leads from a cell of a
/// tile map to a waypoint of a graph. A route leads through a door if that makes the route
/// cheapest.
///
/// Put the component on an entity of its own. The search for an order to another map considers all
/// doors. An order to a place on the agent's own map also uses doors, if it is cheaper to leave the
/// map through a door and to come back.
///
/// - When an agent passes a door, the agent's [`OnMap`](crate::OnMap) changes, and
///   [`DoorPassed`](crate::events::DoorPassed) is triggered.
/// - If a door ahead of an agent is closed or despawned, the rest of its route is planned again. A
///   wall on the cell to which the door leads has the same effect: a door never leads into a wall.
/// - If a door opens, agents take it if their route becomes cheaper by more than their order
///   [tolerates](crate::PathRequest::with_tolerance).
/// - The [movement](crate::AgentMovement) of a unit decides whether a door leads the unit anywhere.
///   The cell at the other end must be open to this movement. If the movement has a name, the map
///   at the other end must define this name.
/// - A unit of several cells stands at an end of a door with its lowest and leftmost cell.
///
/// # Units
/// The cost of a route is a sum in world units:
///
/// - A path over cells counts (cost of the path ÷ cost of a straight step) × (side of a square as
///   large as a cell). So a straight step on ground of cost 1 counts as much as its length in the
///   world.
/// - A path along a graph counts (cost of the path) × (scale of the graph's entity).
/// - A door counts its [`cost`](Self::cost).
///
/// The chosen route has the lowest sum, apart from the rounding of floats. A route whose sum is not
/// finite is left out.
///
/// # Complexity
/// For an order to a place on the agent's own map, doors add at most a few microseconds. There is
/// one exception. The distance from the start to a door, plus the distance from a door to the goal,
/// may be less than the cost of the path on the map. In this case, the cells within the cost of
/// this path are searched once more.
///
/// A route to another map takes one search of each map that the route may cross, for any number of
/// doors. Then it takes one search for each part of the route that lies on one map. A room with a
/// single door is searched only if it contains a goal. All this work counts in the
/// [budget](crate::TilepathSettings::work_per_tick).
///
/// # Memory
/// About 400 bytes for each direction of a door. This index of doors is built again in each tick in
/// which a door changes. While a search for a route through doors runs, it takes 16 bytes for each
/// cell that it reaches.
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
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[type_path = "bevy_tilepath"]
#[component(on_insert = known::door_inserted)]
#[doc(alias = "portal", alias = "teleporter", alias = "off-mesh link")]
#[reflect(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", reflect(Component, Serialize, Deserialize))]
pub struct Door {
    /// The first end of the door. If the door is one-way, units enter at this end.
    #[entities]
    pub from: DoorEnd,
    /// The second end of the door.
    #[entities]
    pub to: DoorEnd,
    /// The cost of passing the door, without the paths to and from the door. The default is 0. A
    /// negative, infinite or NaN cost closes the door.
    pub cost: f64,
    /// True if the door leads only from [`from`](Self::from) to [`to`](Self::to).
    pub one_way: bool,
    /// The kind of passage: units walk through the door, or are put at the other end at once.
    pub passage: Passage,
    /// True if the door is open, so that units can pass.
    pub open: bool,
    /// The names of the [movements](crate::AgentMovement) that may pass. If the list is empty, all
    /// units may pass. A unit without a named movement passes only doors with an empty list: it
    /// moves by the rules of its map or by a movement of its own. See [`opens_for`](Self::opens_for).
    #[cfg_attr(feature = "serde", serde(deserialize_with = "tilepath::read_list"))]
    pub movements: Vec<String>,
}

/// An end of a [`Door`].
#[derive(Debug, Clone, PartialEq, Eq, Reflect)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[type_path = "bevy_tilepath"]
#[reflect(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum DoorEnd {
    /// A cell of a tile map.
    Cell {
        /// The entity of the map.
        map: Entity,
        /// The cell.
        #[reflect(remote = core_types::Cell)]
        cell: Cell,
    },
    /// A waypoint of a graph.
    Waypoint {
        /// The entity of the graph.
        graph: Entity,
        /// The id of the waypoint.
        id: Arc<str>,
    },
}

impl DoorEnd {
    /// Creates the end of a door, at a cell of a tile map.
    #[must_use]
    pub fn cell(map: Entity, cell: Cell) -> Self {
        Self::Cell { map, cell }
    }

    /// Creates the end of a door, at a waypoint of a graph.
    #[must_use]
    pub fn waypoint(graph: Entity, id: impl Into<Arc<str>>) -> Self {
        Self::Waypoint { graph, id: id.into() }
    }

    /// Returns the entity of the map or graph on which this end of the door lies.
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
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[type_path = "bevy_tilepath"]
#[reflect(Default, Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Passage {
    /// The unit walks in a straight line from one end of the door to the other.
    #[default]
    Walk,
    /// The unit is put at the other end of the door at once: stairs, a portal.
    Leap,
}

impl Door {
    /// Creates an open door in both directions. To pass the door costs nothing, and units walk
    /// through the door.
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

    /// Makes the door a portal that puts units at the other end at once: [`Passage::Leap`].
    #[must_use]
    pub fn leaping(self) -> Self {
        Self { passage: Passage::Leap, ..self }
    }

    /// Adds names of [movements](Self::movements) that may pass. Units with any other movement
    /// cannot pass the door.
    ///
    /// ```
    /// use bevy_ecs::prelude::*;
    /// use bevy_tilepath::doors::{Door, DoorEnd};
    ///
    /// # let road = World::new().spawn_empty().id();
    /// let lock = Door::new(DoorEnd::waypoint(road, "sea"), DoorEnd::waypoint(road, "canal")).opens_for(["boat"]);
    /// assert_eq!(lock.movements, ["boat"]);
    /// ```
    #[must_use]
    pub fn opens_for<N: Into<String>>(mut self, names: impl IntoIterator<Item = N>) -> Self {
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

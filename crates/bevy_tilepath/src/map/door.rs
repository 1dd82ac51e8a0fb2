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

/// A way from one map to another: from a cell of a tile map to a waypoint of a graph, or between any two of them, also
/// on one map. Routes lead through it wherever that is cheapest.
///
/// Put it on an entity of its own. An order to a place on another map is found over all doors; one to a place on the
/// agent's own map, too, if a way out and back is cheaper. The agent's [`OnMap`](crate::OnMap) changes as it passes, and
/// [`DoorPassed`](crate::events::DoorPassed) tells of it. A door that is closed or despawned ahead of an agent lets the rest of
/// its journey be planned again, and so does a wall on the cell that it leads to: a door never leads into a wall. One that opens is
/// taken if it saves more than an order [tolerates](crate::PathRequest::with_tolerance).
///
/// A unit passes by its [movement](crate::AgentMovement): a door leads it nowhere where that is closed, or not known to the map
/// there. A cell at which a door ends is, of a unit of several cells, the lowest and leftmost one.
///
/// # Units
/// All legs of a route are counted in world units: a path over cells counts the length of a straight step in the world
/// for every straight step on ground of cost 1 (that is, cost ÷ straight step cost × the side of a square that is as
/// large as a cell), a way along a graph its cost × the scale of the graph's entity, a door its
/// [`cost`](Self::cost). The cheapest sum is exact, as far as sums of floats go. A sum that is no finite number cannot be
/// counted: a way that costs so much is left out.
///
/// # Complexity
/// An order that stays on its map costs what it costs without doors, and up to a few microseconds, unless the distances out
/// to a door and back from one are less than the way on the map: then the ground within that cost is searched once more. A
/// way to another map takes one search of each map that it may lead over, however many doors there are, and one for each of
/// its legs. Rooms with a single door are not entered, except for goals in them. All of it is counted in the budget.
///
/// # Memory
/// Some 400 bytes for each direction of a door, made again in a tick in which any door changes; and while a way through
/// doors is searched, 16 bytes for each cell that the search reaches.
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
    /// One end.
    #[entities]
    pub from: DoorEnd,
    /// The other end.
    #[entities]
    pub to: DoorEnd,
    /// What it costs to pass, besides the ways to it. By default nothing. Negative, infinite or NaN: it is closed.
    pub cost: f64,
    /// Whether it leads only from [`from`](Self::from) to [`to`](Self::to).
    pub one_way: bool,
    /// How one passes.
    pub passage: Passage,
    /// Whether one can pass.
    pub open: bool,
    /// The names of the [movements](crate::AgentMovement) that may pass, without any all of them. A unit without a name, which
    /// moves by the rules of its map or has a movement of its own, passes only doors that name none. See
    /// [`only_for`](Self::only_for).
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
    /// A cell of a tile map.
    #[must_use]
    pub fn cell(map: Entity, cell: Cell) -> Self {
        Self::Cell { map, cell }
    }

    /// A waypoint of a graph.
    #[must_use]
    pub fn waypoint(graph: Entity, id: impl Into<Arc<str>>) -> Self {
        Self::Waypoint { graph, id: id.into() }
    }

    /// The map or graph it lies on.
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

/// How one passes a [`Door`].
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Reflect)]
#[type_path = "bevy_tilepath"]
#[reflect(Default, Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Passage {
    /// On foot: straight from one end to the other.
    #[default]
    Walk,
    /// Put at the other end at once: stairs, a portal.
    Leap,
}

impl Door {
    /// An open door both ways that costs nothing and is passed on foot.
    #[must_use]
    pub fn new(from: DoorEnd, to: DoorEnd) -> Self {
        let (cost, one_way, passage, open) = (0.0, false, Passage::Walk, true);
        Self { from, to, cost, one_way, passage, open, movements: Vec::new() }
    }

    /// With another [`cost`](Self::cost).
    #[must_use]
    pub fn with_cost(self, cost: f64) -> Self {
        Self { cost, ..self }
    }

    /// Only from the first end to the second.
    #[must_use]
    pub fn one_way(self) -> Self {
        Self { one_way: true, ..self }
    }

    /// With agents put at the other end at once.
    #[must_use]
    pub fn leaping(self) -> Self {
        Self { passage: Passage::Leap, ..self }
    }

    /// A door only for units with these [movements](Self::movements), besides those that were named before: all others it stops.
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

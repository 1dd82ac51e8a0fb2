//! Goals of orders: as requested, and as places of maps.

mod constructors;

use std::{borrow::Cow, fmt, sync::Arc};

use bevy_ecs::entity::{Entity, EntityMapper, MapEntities};
use bevy_reflect::Reflect;
use tilepath::{Cell, Cost, Path};

use crate::{
    core_types,
    failure::PathFailure,
    map::{
        movement::AgentMovement,
        place::{MapPlace, Place},
    },
    order::{
        approach::Approach,
        reach::Reach,
        target::{Listed, PathTarget},
    },
};

/// The goal of a [`PathRequest`](crate::PathRequest).
#[derive(Debug, Clone, PartialEq, Reflect)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[type_path = "bevy_tilepath"]
#[reflect(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum PathGoal {
    /// One place. When the request is accepted, a position in the world is converted to a place of
    /// the map: on a tile map, to the cell under the position. This place stays the goal if the map
    /// moves later, or if the agent changes its [movement](crate::AgentMovement).
    ///
    /// If the new movement has another size, the unit goes to the cells whose middle is nearest to
    /// the former middle. If an order waits for a map or a path, each new try accepts the order
    /// again.
    One(Place),
    /// A list of places, of which the one that is cheapest to reach is the goal: see
    /// [`nearest`](Self::nearest).
    Nearest(
        #[cfg_attr(feature = "serde", serde(deserialize_with = "crate::order::read_shared::list"))]
        Arc<[Place]>,
    ),
    /// The last cell of this path, reached along the path: see [`along`](Self::along).
    Along(#[reflect(remote = core_types::Path)] Arc<Path>),
    /// This entity, also while it moves: to intercept the entity, to hand something over. The order
    /// ends with [`Arrived`](crate::events::Arrived) at the centre of the cell where the entity is.
    ///
    /// - The entity may be anything with a `Transform`: an agent, the player, a crate on a cart.
    ///   Its position is read in each tick.
    /// - The end of the path follows the entity cell by cell. A search runs only in two cases.
    ///   Either another path may be better by more than the order
    ///   [tolerates](crate::PathRequest::with_tolerance). Or the path cannot be extended, because
    ///   the entity went far or to a closed cell. So a long chase costs few searches. If the entity
    ///   stands still, no search runs.
    /// - If the entity is despawned, disabled, or loses its `Transform`, the order ends with
    ///   [`TargetGone`](crate::PathFailure::TargetGone). If no path leads to the entity any more, the
    ///   order ends with the reason.
    /// - The entity is on the map of its [`OnMap`](crate::OnMap). Without `OnMap`, it is on the map
    ///   that the order [names](crate::PathRequest::on_map), or else on the agent's own map. An entity
    ///   inside a [`Door`](crate::doors::Door) counts as standing at the end on its map.
    /// - [`Door`](crate::doors::Door)s lead the agent to an entity on another map. If the entity goes
    ///   to another map, the agent walks on to the place where it was last, and a search finds the
    ///   path from map to map. If no door leads there now, the agent waits, with the
    ///   [status](crate::PathStatus) [`WaitingForWay`](crate::PathStatus::WaitingForWay), until a door
    ///   opens or the entity moves. A new order to such an entity fails with
    ///   [`Unreachable`](crate::PathFailure::Unreachable), unless it may
    ///   [wait](crate::PathRequest::or_wait).
    /// - If the entity is on a waypoint graph, the order ends with
    ///   [`TargetElsewhere`](crate::PathFailure::TargetElsewhere). If the map of the entity is
    ///   despawned while the agent goes there, the order ends with
    ///   [`NoMap`](crate::PathFailure::NoMap).
    /// - With [`or_closest`](crate::PathRequest::or_closest) the agent goes as near to the entity
    ///   as it can.
    /// - An order that is [`following`](crate::PathRequest::following) does not end when the agent
    ///   has reached the entity.
    /// - If agents go to each other, two or several in a ring, they meet. When the pursuer of one is
    ///   two steps away, this one stands until the pursuer has come: the slowest, or the one with the
    ///   lowest [`AgentNumber`](crate::agents::AgentNumber).
    /// - If a [`Body`](crate::Body) goes to another body and the two may not share a cell, the
    ///   first body ends beside the other, and does not push the other away.
    ///   [`Arrived::shortfall`](crate::events::Arrived::shortfall) is then the cost of the step
    ///   between the two. If further bodies already stand around the goal, the first body ends
    ///   behind them.
    ///
    /// ```
    /// use bevy_ecs::prelude::*;
    /// use bevy_tilepath::{PathGoal, PathRequest};
    ///
    /// let mut world = World::new();
    /// let thief = world.spawn_empty().id();
    /// assert_eq!(PathRequest::to(thief).goal(), &PathGoal::Entity(thief));
    /// ```
    #[doc(alias = "chase", alias = "pursue", alias = "intercept")]
    Entity(Entity),
    /// A cell that lies to these targets as the approach states: see [`within`](Self::within),
    /// [`beside`](Self::beside), [`in_sight`](Self::in_sight) and [`flee`](Self::flee).
    ///
    /// An order within a distance of a target, or beside one, also leads through
    /// [`Door`](crate::doors::Door)s to a target on another map, as an order to an
    /// [entity](Self::Entity) does. Among several targets, those on the agent's own map come first. If
    /// none of these can be reached, the order leads to the target that is cheapest to reach. Sight
    /// and flight count only targets on the agent's own map.
    Around(
        #[cfg_attr(feature = "serde", serde(deserialize_with = "crate::order::read_shared::list"))]
        Arc<[PathTarget]>,
        Approach,
    ),
}

impl<P: Into<Place>> From<P> for PathGoal {
    fn from(place: P) -> Self {
        Self::One(place.into())
    }
}

impl From<Entity> for PathGoal {
    fn from(entity: Entity) -> Self {
        Self::Entity(entity)
    }
}

impl MapEntities for PathGoal {
    fn map_entities<M: EntityMapper>(&mut self, mapper: &mut M) {
        match self {
            Self::One(place) => place.map_entities(mapper),
            Self::Nearest(places) => map_list(places, mapper),
            Self::Along(_) => {}
            Self::Entity(target) => target.map_entities(mapper),
            Self::Around(targets, _) => map_list(targets, mapper),
        }
    }
}

/// Maps the entities of a shared list. The list stays shared if it names none.
fn map_list<T: Clone + PartialEq + MapEntities>(list: &mut Arc<[T]>, mapper: &mut impl EntityMapper) {
    let mut mapped = list.to_vec();
    mapped.map_entities(mapper);
    if **list != *mapped {
        *list = mapped.into();
    }
}

impl fmt::Display for PathGoal {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::One(place) => place.fmt(formatter),
            Self::Nearest(places) => write!(formatter, "the nearest of {} places", places.len()),
            Self::Along(path) => {
                write!(formatter, "{} along a path of {} cells", path.goal(), path.cells().len())
            }
            Self::Entity(target) => write!(formatter, "entity {target}"),
            Self::Around(targets, approach) => approach.write(&Listed(targets), formatter),
        }
    }
}

impl PathGoal {
    /// Returns the failure if the goal is invalid on every map.
    pub(crate) fn fault(&self) -> Option<PathFailure> {
        let (places, targets) = (self.places(), self.targets());
        let is_empty = places.is_empty() && targets.is_empty() && !matches!(self, Self::Entity(_));
        let of_targets = targets.iter().filter_map(PathTarget::place);
        if is_empty {
            Some(PathFailure::NoGoals)
        } else if !places.iter().chain(of_targets).all(Place::is_finite) {
            Some(PathFailure::PositionNotFinite)
        } else {
            self.approach().and_then(Approach::fault)
        }
    }

    /// Returns the places of the goal, any of which is enough. Empty if the goal is an entity, or
    /// lies around targets.
    pub(crate) fn places(&self) -> Cow<'_, [Place]> {
        match self {
            Self::One(place) => Cow::Borrowed(std::slice::from_ref(place)),
            Self::Nearest(places) => Cow::Borrowed(places),
            Self::Along(path) => Cow::Owned(vec![Place::Cell(path.goal())]),
            Self::Entity(_) | Self::Around(..) => Cow::Borrowed(&[]),
        }
    }

    /// Returns the targets that the goal lies near to, or away from.
    pub(crate) fn targets(&self) -> &[PathTarget] {
        match self {
            Self::Around(targets, _) => targets,
            Self::One(_) | Self::Nearest(_) | Self::Along(_) | Self::Entity(_) => &[],
        }
    }

    /// Returns how the goal lies to its targets.
    pub(crate) fn approach(&self) -> Option<Approach> {
        match self {
            Self::Around(_, approach) => Some(*approach),
            Self::One(_) | Self::Nearest(_) | Self::Along(_) | Self::Entity(_) => None,
        }
    }

    /// Returns the highest cost of the path, if the order searches all cells within that cost.
    pub(crate) fn budget(&self) -> Option<Cost> {
        self.approach().and_then(Approach::budget)
    }

    /// Returns the entity to which, or near to which, the order leads.
    pub(crate) fn target(&self) -> Option<Entity> {
        match self {
            Self::Entity(target) => Some(*target),
            Self::Around(targets, _) if self.budget().is_none() => match &**targets {
                [PathTarget::Entity(target)] => Some(*target),
                _ => None,
            },
            Self::One(_) | Self::Nearest(_) | Self::Along(_) | Self::Around(..) => None,
        }
    }

    /// Returns the entity on whose cell the order of this agent ends. An agent that goes near to
    /// itself, or flees from itself alone, is there already.
    pub(crate) fn entity_to_reach(&self, agent: Option<Entity>) -> Option<Entity> {
        match self {
            Self::Entity(target) => Some(*target),
            Self::Around(targets, approach) => match (&**targets, approach) {
                // Nothing is nearer than the entity's own cell.
                ([PathTarget::Entity(target)], Approach::Within(0.0)) => Some(*target),
                _ => agent.filter(|agent| targets.iter().all(|target| target.is(*agent))),
            },
            Self::One(_) | Self::Nearest(_) | Self::Along(_) => None,
        }
    }

    /// Returns whether the goal depends on the place of an entity.
    pub(crate) fn has_entity(&self) -> bool {
        let is_entity = |target: &PathTarget| matches!(target, PathTarget::Entity(_));
        matches!(self, Self::Entity(_)) || self.targets().iter().any(is_entity)
    }

    /// Returns whether the goal is one place, and not a list of places.
    pub(crate) fn is_single(&self) -> bool {
        !matches!(self, Self::Nearest(_) | Self::Around(..))
    }
}

/// The request, map, goals and movement of an order, as accepted.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Accepted<'a> {
    pub(crate) asked: &'a PathGoal,
    /// The map that the order named for it.
    pub(crate) named: Option<Entity>,
    /// The agent's own map.
    pub(crate) map: Entity,
    pub(crate) goals: &'a Goals,
    /// The movement of the agent when the order was accepted.
    pub(crate) movement: Option<&'a AgentMovement>,
}

/// The goals of an order, as they were when it was accepted.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(crate) struct Goals {
    /// The places, at least one, on maps of both kinds.
    #[cfg_attr(feature = "serde", serde(deserialize_with = "crate::order::read_shared::list"))]
    pub(crate) at: Arc<[(Entity, MapPlace)]>,
    /// True if one place was requested, and not the nearest of a list.
    pub(crate) single: bool,
    /// The cells on which an order near a target, or away from targets, may end. `at` then has the
    /// outermost of them.
    pub(crate) reach: Option<Reach>,
    /// The cells of a list on one map, shared by all searches that go to them.
    #[cfg_attr(feature = "serde", serde(deserialize_with = "crate::order::read_shared::optional_list"))]
    cells: Option<Arc<[Cell]>>,
    /// A number that is equal for equal lists of several cells.
    number: Option<u32>,
}

impl MapEntities for Goals {
    fn map_entities<M: EntityMapper>(&mut self, mapper: &mut M) {
        self.at = self.at.iter().map(|(map, place)| (mapper.get_mapped(*map), place.clone())).collect();
        self.reach.map_entities(mapper);
    }
}

impl Goals {
    /// Creates the goal of one cell.
    pub(crate) fn one(map: Entity, cell: Cell) -> Self {
        Self::new([(map, MapPlace::Cell(cell))].into(), true, None)
    }

    /// Creates goals of at least one place. If `single` is false, the nearest of the list is the
    /// goal.
    pub(crate) fn new(at: Arc<[(Entity, MapPlace)]>, single: bool, reach: Option<Reach>) -> Self {
        let cells = if single { None } else { cells_on_one_map(&at) };
        let number = cells.as_deref().filter(|cells| cells.len() > 1).map(number_of);
        Self { at, single, reach, cells, number }
    }

    /// Returns whether all goals lie on `map`.
    pub(crate) fn are_on(&self, map: Entity) -> bool {
        match &self.cells {
            Some(_) => self.at[0].0 == map,
            None => self.at.iter().all(|&(on, _)| on == map),
        }
    }

    /// Returns the goals that lie on `map`, or `None` without such goals.
    pub(crate) fn on(&self, map: Entity) -> Option<Self> {
        let at: Arc<[_]> = self.at.iter().filter(|&&(on, _)| on == map).cloned().collect();
        (!at.is_empty()).then(|| Self::new(at, self.single, self.reach.clone()))
    }

    /// Returns a number for the list of cells, if it has several. It is equal for the same cells in
    /// the same order, and is never a slot of a map.
    pub(crate) fn number(&self) -> Option<u32> {
        self.number
    }

    /// Returns the goal cells, or `None` if a goal is not a cell, or if the goals lie on different
    /// maps.
    pub(crate) fn cells(&self) -> Option<Arc<[Cell]>> {
        if self.single { cells_on_one_map(&self.at) } else { self.cells.clone() }
    }
}

/// Returns a number above all slots, and below the value that stands for no goal.
fn number_of(cells: &[Cell]) -> u32 {
    let mix = |sum: u32, part: i32| (sum ^ part as u32).wrapping_mul(0x9E37_79B1).rotate_left(15);
    let sum = cells.iter().fold(0, |sum, cell| mix(mix(sum, cell.x), cell.y));
    (sum | 1 << 31).min(u32::MAX - 1)
}

fn cells_on_one_map(at: &[(Entity, MapPlace)]) -> Option<Arc<[Cell]>> {
    let map = at.first()?.0;
    at.iter().map(|(on, place)| place.cell().filter(|_| *on == map)).collect()
}

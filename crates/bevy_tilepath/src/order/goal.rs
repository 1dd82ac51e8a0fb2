//! Where an order leads: as the user says it, and as places of maps.

mod constructors;

use std::{borrow::Cow, fmt, sync::Arc};

use bevy_ecs::entity::Entity;
use bevy_reflect::Reflect;
use tilepath::{Cell, Cost, Path};

use crate::{
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

/// Where a request leads.
#[derive(Debug, Clone, PartialEq, Reflect)]
#[type_path = "bevy_tilepath"]
#[reflect(opaque)]
#[reflect(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum PathGoal {
    /// This place. A position is the one in the world at the time when the request is accepted: on a tile map the cell
    /// under it. It stays that place while the map moves, and when the agent [moves](crate::AgentMovement) in another way; a unit
    /// of another size then goes where the middle of the former one would have been. An order that waits for a map or a way is
    /// accepted when it is asked again.
    One(Place),
    /// Whichever of these places is cheapest to reach: see [`nearest`](Self::nearest).
    Nearest(Arc<[Place]>),
    /// The last cell of this path, along it: see [`along`](Self::along).
    Along(Arc<Path>),
    /// Where this entity is, wherever it goes: to intercept it, to hand something over. The order ends with
    /// [`Arrived`](crate::events::Arrived) at the centre of the cell where the entity is.
    ///
    /// - The entity may be anything with a `Transform`: an agent, the player, a crate on a cart. It is looked for in each tick.
    /// - The way is led after it cell by cell. A search is made only where a better way may have come up by more than the order
    ///   [tolerates](crate::PathRequest::with_tolerance), or the entity went where the way could not be led: far, or where this
    ///   agent cannot go. So a long chase costs few searches, and none is made while the entity stands.
    /// - If the entity is despawned, disabled, or loses its `Transform`, the order ends with
    ///   [`TargetGone`](crate::PathFailure::TargetGone); on another map, or where the agent is on a graph, with
    ///   [`TargetElsewhere`](crate::PathFailure::TargetElsewhere); where no way leads to it any more, with the reason. With
    ///   [`or_closest`](crate::PathRequest::or_closest) the agent comes as near as it can.
    /// - An order that is [`following`](crate::PathRequest::following) does not end where the agent has come to the entity.
    /// - Two that follow each other meet.
    /// - A [`Body`](crate::Body) that goes to a body with which it shares no cells ends beside that, and does not push it away;
    ///   [`Arrived::shortfall`](crate::events::Arrived::shortfall) is the step between them. Where others stand there already it ends behind those.
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
    /// On a cell that lies so to the nearest of these targets, on the agent's own tile map: see [`within`](Self::within),
    /// [`beside`](Self::beside), [`in_sight`](Self::in_sight) and [`flee`](Self::flee).
    Around(Arc<[PathTarget]>, Approach),
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
    /// What is wrong with it on every map.
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

    /// The places it names, any of which will do; none for that of an entity, and for one around targets.
    pub(crate) fn places(&self) -> Cow<'_, [Place]> {
        match self {
            Self::One(place) => Cow::Borrowed(std::slice::from_ref(place)),
            Self::Nearest(places) => Cow::Borrowed(places),
            Self::Along(path) => Cow::Owned(vec![Place::Cell(path.goal())]),
            Self::Entity(_) | Self::Around(..) => Cow::Borrowed(&[]),
        }
    }

    /// What it is near to, or away from.
    pub(crate) fn targets(&self) -> &[PathTarget] {
        match self {
            Self::Around(targets, _) => targets,
            Self::One(_) | Self::Nearest(_) | Self::Along(_) | Self::Entity(_) => &[],
        }
    }

    /// How its end lies to its targets.
    pub(crate) fn approach(&self) -> Option<Approach> {
        match self {
            Self::Around(_, approach) => Some(*approach),
            Self::One(_) | Self::Nearest(_) | Self::Along(_) | Self::Entity(_) => None,
        }
    }

    /// What the way may cost, of one that looks at all cells which can be reached for that.
    pub(crate) fn budget(&self) -> Option<Cost> {
        self.approach().and_then(Approach::budget)
    }

    /// The entity to which it leads, or near to which.
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

    /// Whether it depends on where an entity is.
    pub(crate) fn has_entity(&self) -> bool {
        let is_entity = |target: &PathTarget| matches!(target, PathTarget::Entity(_));
        matches!(self, Self::Entity(_)) || self.targets().iter().any(is_entity)
    }

    /// Whether it names one place, and no list of places.
    pub(crate) fn is_single(&self) -> bool {
        !matches!(self, Self::Nearest(_) | Self::Around(..))
    }
}

/// What an order meant when it was accepted.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Accepted<'a> {
    pub(crate) asked: &'a PathGoal,
    /// The agent's own map.
    pub(crate) map: Entity,
    pub(crate) goals: &'a Goals,
    /// By which the agent moved then.
    pub(crate) movement: Option<&'a AgentMovement>,
}

/// The goals of an order, as they were when it was accepted.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Goals {
    /// At least one, on maps of either kind.
    pub(crate) at: Arc<[(Entity, MapPlace)]>,
    /// Whether one was asked for, and not the nearest of a list.
    pub(crate) single: bool,
    /// Of an order that leads near to a target, or away from it: on which cells it may end. Of those it names the outermost.
    pub(crate) reach: Option<Reach>,
    /// For a list of cells of one map: these cells, for all searches that go to them.
    cells: Option<Arc<[Cell]>>,
    /// Equal for equal lists of several cells.
    number: Option<u32>,
}

impl Goals {
    /// One cell.
    pub(crate) fn one(map: Entity, cell: Cell) -> Self {
        Self::new([(map, MapPlace::Cell(cell))].into(), true, None)
    }

    /// At least one place, or the nearest of a list where `single` is not set.
    pub(crate) fn new(at: Arc<[(Entity, MapPlace)]>, single: bool, reach: Option<Reach>) -> Self {
        let cells = if single { None } else { cells_on_one_map(&at) };
        let number = cells.as_deref().filter(|cells| cells.len() > 1).map(number_of);
        Self { at, single, reach, cells, number }
    }

    /// Whether all lie on that map.
    pub(crate) fn are_on(&self, map: Entity) -> bool {
        self.at.iter().all(|&(on, _)| on == map)
    }

    /// A number for all of its cells, if it has several: no slot of a map, and equal for the same cells in the same order.
    pub(crate) fn number(&self) -> Option<u32> {
        self.number
    }

    /// The goal cells; `None` if a goal is not a cell, or if the goals lie on different maps.
    pub(crate) fn cells(&self) -> Option<Arc<[Cell]>> {
        if self.single { cells_on_one_map(&self.at) } else { self.cells.clone() }
    }
}

/// Above all slots, and below what stands for no goal.
fn number_of(cells: &[Cell]) -> u32 {
    let mix = |sum: u32, part: i32| (sum ^ part as u32).wrapping_mul(0x9E37_79B1).rotate_left(15);
    let sum = cells.iter().fold(0, |sum, cell| mix(mix(sum, cell.x), cell.y));
    (sum | 1 << 31).min(u32::MAX - 1)
}

fn cells_on_one_map(at: &[(Entity, MapPlace)]) -> Option<Arc<[Cell]>> {
    let map = at.first()?.0;
    at.iter().map(|(on, place)| place.cell().filter(|_| *on == map)).collect()
}

//! Where an order leads: as the user says it, and as places of maps.

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
        approach::{Approach, PathTarget},
        reach::Reach,
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
    /// Whichever of these places is cheapest to reach.
    Nearest(Arc<[Place]>),
    /// The last cell of this path, along it.
    Along(Arc<Path>),
    /// Where this entity is, wherever it goes.
    Entity(Entity),
    /// Near to a target on the agent's own tile map.
    Near(PathTarget, Approach),
    /// Away from a target on the agent's own tile map: see [`PathRequest::flee`](crate::PathRequest::flee).
    Flee {
        /// What it flees from.
        from: PathTarget,
        /// How far away is far enough, in cells, as for an [`Approach`].
        distance: f32,
        /// What the way may cost.
        budget: Cost,
    },
}

impl<P: Into<Place>> From<P> for PathGoal {
    fn from(place: P) -> Self {
        Self::One(place.into())
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
            Self::Near(target, Approach::Within(distance)) => {
                write!(formatter, "within {distance} cells of {target}")
            }
            Self::Near(target, Approach::Beside) => write!(formatter, "beside {target}"),
            Self::Near(target, Approach::InSight(range)) => {
                write!(formatter, "in sight of {target}, within {range} cells")
            }
            Self::Flee { from, distance, .. } => write!(formatter, "{distance} cells away from {from}"),
        }
    }
}

impl PathGoal {
    /// What is wrong with it on every map.
    pub(crate) fn fault(&self) -> Option<PathFailure> {
        match &*self.places() {
            [] if matches!(self, Self::Entity(_)) || self.path_target().is_some() => self.approach_fault(),
            [] => Some(PathFailure::NoGoals),
            places => (!places.iter().all(Place::is_finite))
                .then_some(PathFailure::PositionNotFinite)
                .or_else(|| self.approach_fault()),
        }
    }

    /// The places it names, any of which will do, or near to which; none for that of an entity.
    pub(crate) fn places(&self) -> Cow<'_, [Place]> {
        match self {
            Self::One(place) => Cow::Borrowed(std::slice::from_ref(place)),
            Self::Nearest(places) => Cow::Borrowed(places),
            Self::Along(path) => Cow::Owned(vec![Place::Cell(path.goal())]),
            Self::Near(PathTarget::Place(place), _) | Self::Flee { from: PathTarget::Place(place), .. } => {
                Cow::Borrowed(std::slice::from_ref(place))
            }
            Self::Entity(_) | Self::Near(..) | Self::Flee { .. } => Cow::Borrowed(&[]),
        }
    }

    /// The entity to which it leads, or near to which.
    pub(crate) fn target(&self) -> Option<Entity> {
        match self {
            Self::Entity(target) | Self::Near(PathTarget::Entity(target), _) => Some(*target),
            _ => None,
        }
    }

    /// Whether it names one place, and no list of places.
    pub(crate) fn is_single(&self) -> bool {
        !matches!(self, Self::Nearest(_) | Self::Near(..) | Self::Flee { .. })
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

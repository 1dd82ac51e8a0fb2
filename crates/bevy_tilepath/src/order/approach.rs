//! Goals that are reached near something: within a distance, beside it, in sight of it; and flight from it.

use std::fmt;

use bevy_ecs::entity::Entity;
use bevy_reflect::Reflect;
use tilepath::Cost;

use crate::{failure::PathFailure, map::place::Place, order::goal::PathGoal};

/// The longest distance of an approach, in cells.
const MOST_CELLS: f32 = 128.0;

/// Something that an agent goes near to, or flees from.
#[derive(Debug, Clone, PartialEq, Reflect)]
#[type_path = "bevy_tilepath"]
#[reflect(opaque)]
#[reflect(Debug, Clone, PartialEq)]
pub enum PathTarget {
    /// A place on the agent's own tile map. A position stands for the cell under it when the order is accepted.
    Place(Place),
    /// An entity, wherever it goes.
    Entity(Entity),
}

impl<P: Into<Place>> From<P> for PathTarget {
    fn from(place: P) -> Self {
        Self::Place(place.into())
    }
}

impl From<Entity> for PathTarget {
    fn from(entity: Entity) -> Self {
        Self::Entity(entity)
    }
}

impl fmt::Display for PathTarget {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Place(place) => place.fmt(formatter),
            Self::Entity(entity) => write!(formatter, "entity {entity}"),
        }
    }
}

/// How near to a target an order ends.
///
/// # Units
/// Distances are in cells, from the centre of the agent's cell to that of the target's: on squares as the crow flies, on hexagons
/// the steps between them. At most 128, in sight at most 64.
#[derive(Debug, Clone, Copy, PartialEq, Reflect)]
#[type_path = "bevy_tilepath"]
#[reflect(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Approach {
    /// On a cell no farther away than this; 0: on the target's own cell.
    Within(f32),
    /// On a cell from which one allowed step leads onto the target, if that were open: to gather, to talk, to strike. The target
    /// covers the cells of its [`Obstacle`](crate::Obstacle), or those of its [movement's](crate::AgentMovement) size, or one.
    Beside,
    /// On a cell no farther away than this from which no [opaque](crate::NavMap::opaque) cell hides the target.
    InSight(f32),
}

impl Approach {
    fn has_fault(self) -> bool {
        match self {
            Self::Within(distance) => !(0.0..=MOST_CELLS).contains(&distance),
            Self::InSight(range) => !(0.0..=MOST_CELLS / 2.0).contains(&range),
            Self::Beside => false,
        }
    }
}

impl PathGoal {
    /// Within a distance of a target: see [`Approach::Within`].
    ///
    /// # Units
    /// Cells.
    #[must_use]
    pub fn within(target: impl Into<PathTarget>, distance: f32) -> Self {
        Self::Near(target.into(), Approach::Within(distance))
    }

    /// Beside a target: see [`Approach::Beside`].
    #[must_use]
    pub fn beside(target: impl Into<PathTarget>) -> Self {
        Self::Near(target.into(), Approach::Beside)
    }

    /// In sight of a target: see [`Approach::InSight`].
    ///
    /// # Units
    /// Cells.
    #[must_use]
    pub fn in_sight(target: impl Into<PathTarget>, range: f32) -> Self {
        Self::Near(target.into(), Approach::InSight(range))
    }

    /// Away from a target: see [`PathRequest::flee`](crate::PathRequest::flee).
    #[must_use]
    pub fn flee(target: impl Into<PathTarget>, distance: f32, budget: Cost) -> Self {
        Self::Flee { from: target.into(), distance, budget }
    }

    /// What it is near to, or away from.
    pub(crate) fn path_target(&self) -> Option<&PathTarget> {
        match self {
            Self::Near(target, _) | Self::Flee { from: target, .. } => Some(target),
            Self::One(_) | Self::Nearest(_) | Self::Along(_) | Self::Entity(_) => None,
        }
    }

    /// What is wrong with the distances and the budget that it names.
    pub(crate) fn approach_fault(&self) -> Option<PathFailure> {
        match self {
            Self::Near(_, approach) => approach.has_fault().then_some(PathFailure::InvalidDistance),
            // However far it is, no agent may come as far: it flees as far as it can.
            Self::Flee { distance, .. } if distance.is_nan() || *distance < 0.0 => {
                Some(PathFailure::InvalidDistance)
            }
            Self::Flee { budget, .. } => (*budget == Cost::ZERO).then_some(PathFailure::NoBudget),
            Self::One(_) | Self::Nearest(_) | Self::Along(_) | Self::Entity(_) => None,
        }
    }
}

//! Targets that orders go near to, or flee from.

use std::fmt;

use bevy_ecs::entity::{Entity, EntityMapper, MapEntities};
use bevy_reflect::Reflect;

use crate::map::place::Place;

/// A target: an agent goes near to it, or flees from it.
#[derive(Debug, Clone, PartialEq, Reflect)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[type_path = "bevy_tilepath"]
#[reflect(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum PathTarget {
    /// A place on the agent's own tile map. When the order is accepted, a position is replaced by
    /// the cell under it.
    Place(Place),
    /// An entity, also while it moves.
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

impl PathTarget {
    /// Returns whether the target is this entity.
    pub(crate) fn is(&self, entity: Entity) -> bool {
        *self == Self::Entity(entity)
    }

    /// Returns the place, or `None` if the target is an entity.
    pub(crate) fn place(&self) -> Option<&Place> {
        match self {
            Self::Place(place) => Some(place),
            Self::Entity(_) => None,
        }
    }
}

impl MapEntities for PathTarget {
    fn map_entities<M: EntityMapper>(&mut self, mapper: &mut M) {
        match self {
            Self::Place(place) => place.map_entities(mapper),
            Self::Entity(entity) => entity.map_entities(mapper),
        }
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

/// Several targets, written as a list in a sentence.
pub(crate) struct Listed<'a>(pub(crate) &'a [PathTarget]);

impl fmt::Display for Listed<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, target) in self.0.iter().enumerate() {
            let between = match index {
                0 => "",
                _ if index + 1 == self.0.len() => " and ",
                _ => ", ",
            };
            write!(formatter, "{between}{target}")?;
        }
        Ok(())
    }
}

//! The units inside obstacles that make room.

use bevy_ecs::{
    component::Component,
    entity::{Entity, EntityMapper, MapEntities},
};

/// The units that an [`Obstacle`](super::obstacle::Obstacle) found inside at its present place. Only the
/// plugin writes it. It is missing until the first look, and after each move.
#[derive(Clone, Component, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[component(map_entities, clone_behavior = Ignore)]
pub(crate) struct Room {
    /// Units inside that were ordered aside.
    #[cfg_attr(feature = "serde", serde(deserialize_with = "tilepath::read_list"))]
    pub(crate) asked: Vec<Entity>,
    /// Units inside that an event has named, because they cannot leave.
    #[cfg_attr(feature = "serde", serde(deserialize_with = "tilepath::read_list"))]
    pub(crate) named: Vec<Entity>,
    /// True once no unit was inside. From then on, no unit is ordered aside.
    pub(crate) is_clear: bool,
}

impl MapEntities for Room {
    fn map_entities<M: EntityMapper>(&mut self, mapper: &mut M) {
        self.asked.iter_mut().chain(&mut self.named).for_each(|unit| unit.map_entities(mapper));
    }
}

//! Where the entities are that agents go to.

use bevy_ecs::{
    entity::Entity,
    query::With,
    system::{Query, SystemParam},
};
use bevy_transform::components::Transform;
use tilepath::Cell;

use crate::{
    failure::PathFailure,
    journey::standing_on::{Standing, StandingOn},
    map::{
        maps::{AnyMap, UnitMaps},
        on_map::OnMap,
        place::MapPlace,
        world_places::WorldPlaces,
    },
    order::{goal::Goals, queue::NotYet, request::PathRequest},
};

type TargetParts = (Option<&'static OnMap>, Option<&'static StandingOn>, &'static Transform);

/// All that agents may be sent to.
#[derive(SystemParam)]
pub(crate) struct Targets<'w, 's> {
    entities: Query<'w, 's, TargetParts, With<Transform>>,
    places: WorldPlaces<'w, 's>,
}

impl Targets<'_, '_> {
    /// The goals of an order that leads to one stop, of an agent on that map.
    pub(crate) fn goals(
        &self,
        request: &PathRequest,
        unit: &UnitMaps,
        map: &AnyMap,
    ) -> Result<Goals, NotYet> {
        let Some(target) = request.target() else { return unit.goals(request, map) };
        let cell = self.cell_of(target, map)?;
        Ok(Goals { at: [(map.entity(), MapPlace::Cell(cell))].into(), single: true })
    }

    /// The cell of a map on which an entity is, for a unit that comes there.
    pub(crate) fn cell_of(&self, target: Entity, map: &AnyMap) -> Result<Cell, PathFailure> {
        let Ok((on_map, standing_on, transform)) = self.entities.get(target) else {
            return Err(PathFailure::TargetGone);
        };
        let AnyMap::Tiles(view) = map else { return Err(PathFailure::TargetElsewhere) };
        if on_map.is_some_and(|on_map| on_map.0 != view.map) {
            return Err(PathFailure::TargetElsewhere);
        }
        let here = self.places.of(target).translation;
        let standing = Standing { here, local: transform.translation.truncate(), last_seen: standing_on };
        view.standing_cell(&standing).map_err(|reason| match reason {
            PathFailure::StartOutOfBounds { cell, bounds } => PathFailure::goal_off(cell, bounds),
            other => other,
        })
    }
}

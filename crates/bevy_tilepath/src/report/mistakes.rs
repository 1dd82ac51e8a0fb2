//! Probable mistakes in the set-up of a game.

use std::mem::replace;

use bevy_ecs::{entity::Entity, resource::Resource, world::World};
use tracing::warn;

use crate::failure::PathFailure;

/// The kinds of mistakes for which a warning was logged. Each kind is logged once: a beginner reads
/// the log, and an event without an observer shows nothing.
#[derive(Resource, Default)]
pub(crate) struct LoggedMistakes {
    ambiguous_map: bool,
    own_map: bool,
    map_without_area: bool,
    start_off_map: bool,
}

/// Logs a warning if the order of an entity failed because of a mistake in the set-up.
pub(crate) fn note_mistake(world: &mut World, entity: Entity, reason: PathFailure) {
    let mut logged = world.resource_mut::<LoggedMistakes>();
    let is_logged = match reason {
        PathFailure::AmbiguousMap => &mut logged.ambiguous_map,
        PathFailure::OwnMap => &mut logged.own_map,
        PathFailure::MapWithoutArea => &mut logged.map_without_area,
        PathFailure::StartOutOfBounds { .. } => &mut logged.start_off_map,
        _ => return,
    };
    if !replace(is_logged, true) {
        warn!(
            "an order of {entity} failed: {reason}. Further orders that fail for this reason are not logged"
        );
    }
}

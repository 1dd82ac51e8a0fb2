//! Probable mistakes in the set-up of a game.

use std::mem::{Discriminant, discriminant};

use bevy_ecs::{entity::Entity, resource::Resource, world::World};
use tracing::warn;

use crate::failure::PathFailure;

/// The kinds of mistakes for which a warning was logged. Each kind is logged once: an event without
/// an observer shows nothing, and a beginner has none.
#[derive(Resource, Default)]
pub(crate) struct LoggedMistakes(Vec<Discriminant<PathFailure>>);

/// Logs a warning if the order of an entity failed because of a mistake in the set-up.
pub(crate) fn note_mistake(world: &mut World, entity: Entity, reason: PathFailure) {
    let is_mistake = matches!(
        reason,
        PathFailure::AmbiguousMap
            | PathFailure::OwnMap
            | PathFailure::MapWithoutArea
            | PathFailure::StartOutOfBounds { .. }
    );
    let LoggedMistakes(logged) = &mut *world.resource_mut::<LoggedMistakes>();
    let kind = discriminant(&reason);
    if is_mistake && !logged.contains(&kind) {
        logged.push(kind);
        warn!(
            "an order of {entity} failed: {reason}. Further orders that fail for this reason are not logged"
        );
    }
}

//! Games with disabled entities.

use bevy::{ecs::entity_disabling::Disabled, prelude::*};

use super::Game;

/// A component of the game that disables entities.
#[derive(Component)]
pub(crate) struct Frozen;

/// Runs a test with `Disabled`, and with a component of the game. The two functions disable and enable
/// an entity.
pub(crate) fn with_both(test: fn(Game, fn(&mut Game, Entity), fn(&mut Game, Entity))) {
    test(
        Game::new(),
        |game, unit| _ = game.world_mut().entity_mut(unit).insert(Disabled),
        |game, unit| _ = game.world_mut().entity_mut(unit).remove::<Disabled>(),
    );
    test(
        Game::with_disabling::<Frozen>(),
        |game, unit| _ = game.world_mut().entity_mut(unit).insert(Frozen),
        |game, unit| _ = game.world_mut().entity_mut(unit).remove::<Frozen>(),
    );
}

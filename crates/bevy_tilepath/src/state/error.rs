//! The reasons why a state is not put back.

use bevy_ecs::entity::Entity;
use thiserror::Error;
use tilepath::{Bounds, crowd::CrowdStateError};

use crate::schedule::SyncMapsError;

impl From<(Entity, CrowdStateError)> for StateError {
    fn from((map, error): (Entity, CrowdStateError)) -> Self {
        Self::Crowd { map, error }
    }
}

/// The reason why [`TilepathState`](crate::TilepathState) was not taken or not put back. Orders,
/// agents and maps are as before.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum StateError {
    /// The maps cannot be read now.
    #[error(transparent)]
    Maps(#[from] SyncMapsError),
    /// The app has no [`TilepathPlugin`](crate::TilepathPlugin).
    #[error("there are no maps to read: add TilepathPlugin first")]
    NoMaps,
    /// The world has an agent, a map, or another entity of the plugin that the state does not know.
    #[error(
        "{entity} has components of tilepath and is not in the state: despawn it before, or name it in `entities`"
    )]
    NotInState {
        /// The entity of the world.
        entity: Entity,
    },
    /// An entity of the state is to become an entity that the world does not have.
    #[error("{entity} of the state is to become {target}, which is not there: spawn it before")]
    NoEntity {
        /// The entity in the state.
        entity: Entity,
        /// The entity that the caller named for it.
        target: Entity,
    },
    /// Two entities of the state are to become one.
    #[error("two entities of the state are to become {target}: name one entity for each")]
    SameEntity {
        /// The entity that the caller named twice.
        target: Entity,
    },
    /// Tilemaps filled the map when the state was taken, and none does now.
    #[error(
        "the map {map} was read from tilemaps and has none now: spawn them with NavMap before the state is put back"
    )]
    NoTiles {
        /// The map in the world.
        map: Entity,
    },
    /// The tilemaps of a map lie elsewhere, or have other cells.
    #[error(
        "the tilemaps of the map {map} cover {found}, and in the state {expected}: spawn the tilemaps of this save"
    )]
    OtherTiles {
        /// The map in the world.
        map: Entity,
        /// Its bounds in the world.
        found: Bounds,
        /// Its bounds in the state.
        expected: Bounds,
    },
    /// The bodies of a crowd contradict each other.
    #[error("the crowd of the map {map} of the state is invalid: {error}")]
    Crowd {
        /// The map in the state.
        map: Entity,
        /// The fault of the crowd.
        error: CrowdStateError,
    },
}

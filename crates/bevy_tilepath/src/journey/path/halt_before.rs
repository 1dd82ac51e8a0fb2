//! The limit of an agent on its path.

use bevy_ecs::entity::Entity;

/// The first point that an agent may not reach in this tick.
///
/// It holds for agents that walk along their path, and for agents that other code moves. A crowd does
/// not read the points of paths, so for a body in a crowd it has no effect.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct HaltBefore {
    pub(crate) point: usize,
    /// The door that the point is behind, or `None` if the place of the point is closed.
    pub(crate) door: Option<Entity>,
}

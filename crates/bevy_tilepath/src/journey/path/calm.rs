//! A journey that nothing has happened to.

use bevy_ecs::entity::Entity;

use crate::order::route::Known;

/// By what a journey over one tile map was found to be right, and to have nothing about it that walking on could change. While
/// that stays it need not be looked at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Calm {
    pub(crate) map: Entity,
    /// The state of the map; see [`Watch`](crate::map::watch::Watch).
    pub(crate) state: u64,
    /// Whether the agent had a movement.
    pub(crate) has_movement: bool,
    /// Maps and doors as they were.
    pub(crate) known: Known,
    /// Whether what happens to other maps matters.
    pub(crate) is_wide: bool,
}

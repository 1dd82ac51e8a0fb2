//! A search that has ended, for landmarks.

use bevy_ecs::entity::Entity;
use tilepath::MovementId;

/// A search that has ended and that an estimate led.
#[derive(Clone, Copy, Debug)]
pub(crate) struct EndedSearch {
    pub(crate) map: Entity,
    pub(crate) movement: MovementId,
    pub(crate) work: u64,
    pub(crate) is_led: bool,
    /// The estimate of its start.
    pub(crate) bound: u64,
    /// The cost of the path, or 0 without one.
    pub(crate) cost: u64,
}

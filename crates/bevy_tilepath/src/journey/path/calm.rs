//! Journeys that need no check.
//!
//! Decision: `docs/decisions/45-quiet-journeys.md`.

use bevy_ecs::{entity::Entity, resource::Resource};
use tilepath::{Bounds, Cell};

use crate::order::route::Known;

/// In a world with this resource each tick examines all paths, also calm ones. The answers stay the
/// same. For tests that compare them.
#[doc(hidden)]
#[derive(Resource, Debug, Clone, Copy)]
pub struct ExamineAllPaths;

/// The state in which a journey over one tile map was checked and found valid, and walking on up to
/// a point cannot make it invalid. While the state stays the same, the journey needs no check.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Calm {
    /// The revision of the path.
    pub(crate) revision: u64,
    pub(crate) map: Entity,
    /// The state of the map; see [`Watch`](crate::map::watch::Watch).
    pub(crate) state: u64,
    /// True if the agent had a movement.
    pub(crate) has_movement: bool,
    /// The versions of maps and doors.
    pub(crate) known: Known,
    /// True if changes of other maps matter.
    pub(crate) is_wide: bool,
    /// The last next point at which it needs no check. Behind it the path may be worse than is tolerated.
    pub(crate) until: usize,
    /// The cells that matter for it besides those near its path. `None` if any edit may matter.
    pub(crate) ellipse: Option<Ellipse>,
}

/// The cells over which a path from one cell to the goals may cost less than this.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Ellipse {
    pub(crate) from: Cell,
    pub(crate) goals: Bounds,
    pub(crate) cost: f64,
}

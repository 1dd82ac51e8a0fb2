//! How an agent walks, and the line under way.

use bevy_math::{DVec2, Vec2};
use tilepath::Cell;

use crate::route::speed::{Gait, GaitKind};

/// How an agent goes through doors.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) enum DoorRule {
    #[default]
    Open,
    /// A [`Body`](crate::Body) stops before a door, until the place behind it is its own,
    Closed,
    /// and stops behind it.
    OneDoor,
}

/// The time that an agent walks, and how.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Stride {
    pub(crate) seconds: f64,
    pub(crate) gait: Gait,
    /// How many points it may reach, if that is limited. Counted down.
    pub(crate) steps: Option<u32>,
    /// The index of the stop at the end of its path.
    pub(crate) stop: usize,
}

/// The straight line an agent is walking, from where it began to the next point.
///
/// How far it has come is kept apart from the position: adding many small steps to a position would round each
/// of them, and none of the distance may be lost.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Walk {
    pub(crate) from: Vec2,
    /// The distance that would have been walked at full speed.
    pub(crate) effort: f64,
    /// What the effort is counted by.
    pub(super) kind: GaitKind,
    /// Whether the line begins at a waypoint, where walkers may be slower.
    pub(super) slows_from: bool,
    /// The cells from which and to which it leads. Kept here because it is read every tick.
    pub(super) step: Option<(Cell, Cell)>,
    /// It is in a crowd, stands, and all of its path up to its cell is known to be behind it.
    pub(super) is_still: bool,
    /// Where the agent was put, `None` until its first leg is chosen. If it is elsewhere, other code
    /// has moved it.
    pub(crate) position: Option<Vec2>,
    pub(super) line: Option<Line>,
}

/// A line between two points of a path that is walked at one pace.
#[derive(Debug, Clone, Copy)]
pub(super) struct Line {
    /// A unit vector; zero where the points are one.
    pub(super) direction: DVec2,
    /// The effort of walking all of it.
    pub(super) effort: f64,
    /// A part of the walker's speed.
    pub(super) speed: f64,
    /// How long a straight step is there.
    pub(super) straight: f64,
}

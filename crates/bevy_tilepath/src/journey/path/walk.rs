//! The gait of an agent, and the line under way.
//!
//! Decision: `docs/decisions/48-walking.md`.

use bevy_math::{DVec2, Vec2};
use tilepath::Cell;

use super::put_back::PutBack;
use crate::route::speed::{Gait, GaitKind};

/// The time for which an agent walks, and its gait.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Stride {
    pub(crate) seconds: f64,
    pub(crate) gait: Gait,
    /// The number of points that it may reach, if there is a limit. It is counted down.
    pub(crate) steps: Option<u32>,
    /// The index of the stop at the end of its path. `None` if it does not go on from there in this
    /// time.
    pub(crate) stop: Option<usize>,
}

/// The straight line that an agent is walking, from where it began to the next point.
///
/// The distance that it has come is kept apart from the position. To add many small steps to a
/// position would round each of them, and no distance may be lost.
#[derive(Debug, Clone, Copy, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(crate) struct Walk {
    pub(crate) from: Vec2,
    /// The distance that would have been walked at full speed.
    pub(crate) effort: f64,
    /// The kind of gait in which the effort is counted.
    pub(super) kind: GaitKind,
    /// True if the line begins at a waypoint where walkers may be slower.
    pub(super) slows_from: bool,
    /// The cells from which and to which the line leads. They are kept here because they are read
    /// in every tick.
    pub(super) step: Option<(Cell, Cell)>,
    /// True if the agent is in a crowd, stands, and has passed all of its path up to its cell.
    pub(super) is_still: bool,
    /// The place where the plugin put the agent; `None` before its first line is set. If the agent
    /// is elsewhere, other code has moved it.
    pub(crate) position: Option<Vec2>,
    /// True if the agent is beside the path and cannot get back onto it.
    pub(crate) is_astray: bool,
    /// The progress of an agent that other code moves.
    pub(crate) driven: Option<Driven>,
    /// The place where other code put the agent after its last step.
    pub(crate) put_back: Option<PutBack>,
    #[cfg_attr(feature = "serde", serde(skip))]
    pub(super) line: Option<Line>,
}

impl Walk {
    /// Begins a line from here, on this step.
    pub(super) fn begin_line(&mut self, here: Vec2, step: Option<(Cell, Cell)>) {
        let Self { kind, is_astray, driven, put_back, .. } = *self;
        *self = Self {
            from: here,
            kind,
            step,
            position: Some(here),
            is_astray,
            driven,
            put_back,
            ..Self::default()
        };
    }
}

/// A line between two points of a path that is walked at one pace.
#[derive(Debug, Clone, Copy)]
pub(super) struct Line {
    /// The revision of the plan for which it was computed.
    pub(super) revision: u64,
    /// A unit vector; zero if the two points are equal.
    pub(super) direction: DVec2,
    /// The effort for the whole line.
    pub(super) effort: f64,
    /// The pace, as a part of the walker's speed.
    pub(super) speed: f64,
    /// The length of a straight step there.
    pub(super) straight: f64,
}

/// The progress of an agent that other code moves.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(crate) struct Driven {
    /// The index of the next point, and the least distance to it so far.
    pub(super) nearest: (usize, f64),
    pub(super) seconds_without_progress: f64,
    /// The place where the agent was stuck first, and how often it was stuck around there.
    pub(crate) stuck: Option<(Vec2, u8)>,
    /// True from the second without progress until it makes progress.
    pub(super) is_stuck: bool,
    pub(super) ticks_off_path: u8,
}

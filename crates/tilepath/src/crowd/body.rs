//! Bodies: their description, and their state in a crowd.

use super::effort::{EFFORT_PER_STRAIGHT_STEP, MAX_STEPS_PER_TICK};
use crate::{cell::Cell, size::Size};
use thiserror::Error;

/// The id of a body of a [`Crowd`](super::Crowd). The id is valid until the body is removed. After
/// that, a new body may get the same id.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct BodyId(pub(super) u32);

impl BodyId {
    /// Returns the number of the id. Numbers are small and begin at 0, so they can be indices of
    /// tables.
    #[must_use]
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// The activity of a body. It sets for which other bodies the body makes way.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
#[non_exhaustive]
pub enum Activity {
    /// The body holds its cells and never makes way: a crate, a building, a hero that the player
    /// moves.
    Fixed,
    /// The body has nowhere to go. It makes way for other bodies, but not for bodies under way to
    /// the goal at which it rests. For a smaller body it makes way after that body has waited for
    /// 16 ticks, if there is a place beside the path of that body.
    Resting,
    /// The body goes back to the cell on which it rested, with the lowest priority. The guide leads
    /// it there.
    Returning,
    /// The body is under way to its goal.
    UnderWay {
        /// The tick of the game at which the body last arrived, passed a stop, or stood beside the
        /// body that it follows. Bodies with a lower tick decide first.
        since: u32,
    },
}

/// The description of a body that is inserted into a [`Crowd`](super::Crowd).
///
/// # Examples
/// ```
/// use tilepath::{Cell, crowd::{Activity, Body}};
/// let flier = Body { layer: 2, blocks: 2, ..Body::new(7, Cell::new(3, 4)) };
/// assert!(!flier.excludes(&Body::new(8, Cell::new(3, 4))), "it passes over those on the ground");
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Body {
    /// A number that the game chooses, different for each body. If two bodies have been under way
    /// for equally long, the body with the lower number decides first.
    pub number: u32,
    /// The cell on which the body stands. For a body that covers several cells: the anchor, the
    /// lowest and leftmost cell.
    pub cell: Cell,
    /// The size of the body's footprint.
    pub size: Size,
    /// The layers in which the body is, one bit for each layer.
    pub layer: u32,
    /// The layers with which the body cannot share cells, one bit for each layer.
    pub blocks: u32,
    /// The effort that the body makes in a tick, in the unit of
    /// [`Guide::effort`](super::Guide::effort). A body with a stride of 0 stays on its cells.
    pub stride: u32,
    /// The activity of the body.
    pub activity: Activity,
    /// The number of the body's goal. The game chooses it; bodies with the same number have the
    /// same goal. Bodies that rest at a goal do not make way for bodies under way to this goal.
    pub goal: Option<u32>,
}

impl Body {
    /// Creates a resting body of one cell, in layer 1, which takes one tick for a straight step.
    #[must_use]
    pub const fn new(number: u32, cell: Cell) -> Self {
        Self {
            number,
            cell,
            size: Size::ONE,
            layer: 1,
            blocks: 1,
            stride: EFFORT_PER_STRAIGHT_STEP,
            activity: Activity::Resting,
            goal: None,
        }
    }

    /// Returns true if the two bodies must not share cells: at least one of them blocks a layer of
    /// the other.
    #[must_use]
    pub const fn excludes(&self, other: &Self) -> bool {
        are_exclusive([self.layer, self.blocks], [other.layer, other.blocks])
    }
}

/// The error of a body that cannot be put on a cell.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum CrowdError {
    /// A cell under the body would not be on the map.
    #[error("a body of size {side} at {cell} would stand off the map; choose a cell further inside", side = size.side())]
    OutOfBounds {
        /// The anchor given.
        cell: Cell,
        /// The size of the body.
        size: Size,
    },
}

/// Returns whether two bodies may not share cells, by the layers that each is in and the layers
/// that it blocks.
pub(super) const fn are_exclusive(one: [u32; 2], other: [u32; 2]) -> bool {
    one[1] & other[0] != 0 || other[1] & one[0] != 0
}

/// No body, no slot, or no place on a stack.
pub(super) const NONE: u32 = u32::MAX;
/// A whole step, as a share.
pub(super) const WHOLE: u32 = 1 << 20;

/// The state of a body in a crowd.
#[derive(Clone, PartialEq, Eq, Debug)]
#[expect(clippy::struct_excessive_bools, reason = "each is a fact of its own")]
pub(super) struct BodyState {
    /// The priority: the body with the smaller key decides first.
    pub(super) key: u64,
    /// The slot of the anchor that it stands on or leaves.
    pub(super) from: u32,
    /// The slot of the anchor that it enters; equal to `from` if it stands.
    pub(super) to: u32,
    pub(super) layer: u32,
    pub(super) blocks: u32,
    /// The round in which it decided last.
    pub(super) decided: u32,
    /// Its place on the stack of deciding bodies, or [`NONE`].
    pub(super) depth: u32,
    pub(super) goal: u32,
    pub(super) stride: u32,
    /// The unused part of the stride in this tick.
    pub(super) left: u32,
    /// The effort of the step, and the effort already made for it.
    pub(super) length: u32,
    pub(super) spent: u32,
    /// The walked share of the step, in parts of [`WHOLE`].
    pub(super) share: u32,
    /// The number of the last pass in which it walked.
    pub(super) passed: u32,
    /// The first of its nodes in the occupancy.
    pub(super) nodes: u32,
    pub(super) number: u32,
    /// The body that it goes to, or [`NONE`].
    pub(super) target: u32,
    /// The largest number of steps that it may begin in a tick, and the number begun in this tick.
    pub(super) steps: u32,
    pub(super) begun: u32,
    /// The number of steps ended in this tick.
    pub(super) ended: u32,
    pub(super) since: u32,
    /// The number of ticks for which it has stood under way, or its step has made no progress.
    pub(super) waited: u32,
    pub(super) size: u8,
    /// The direction of its step.
    pub(super) direction: u8,
    /// The direction of the cell that it waits for, or [`NO_DIRECTION`].
    pub(super) claim: u8,
    /// The direction that it preferred in its last decision, or [`NO_DIRECTION`].
    pub(super) wish: u8,
    pub(super) role: Role,
    /// True if it follows another body.
    pub(super) follows: bool,
    /// True if it was put onto another body.
    pub(super) is_crowded: bool,
    /// True if it must leave its cell, in any direction.
    pub(super) is_sent_away: bool,
    /// True if its place in the order of bodies is not known.
    pub(super) is_reordered: bool,
    /// The priority of its claim: its own priority, or the priority of a body that pushed it.
    pub(super) claim_key: u64,
}

pub(super) const NO_DIRECTION: u8 = 8;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Role {
    Absent,
    Fixed,
    Resting,
    Returning,
    UnderWay,
}

impl BodyState {
    pub(super) const ABSENT: Self = Self {
        key: 0,
        from: 0,
        to: 0,
        layer: 0,
        blocks: 0,
        decided: 0,
        depth: NONE,
        goal: NONE,
        stride: 0,
        left: 0,
        length: 1,
        spent: 0,
        share: 0,
        passed: 0,
        nodes: 0,
        number: 0,
        target: NONE,
        steps: MAX_STEPS_PER_TICK,
        begun: 0,
        ended: 0,
        since: 0,
        waited: 0,
        size: 1,
        direction: 0,
        claim: NO_DIRECTION,
        wish: NO_DIRECTION,
        role: Role::Absent,
        follows: false,
        is_crowded: false,
        is_sent_away: false,
        is_reordered: false,
        claim_key: 0,
    };

    pub(super) const fn is_stepping(&self) -> bool {
        self.from != self.to
    }

    pub(super) const fn excludes(&self, other: &Self) -> bool {
        are_exclusive([self.layer, self.blocks], [other.layer, other.blocks])
    }

    /// Returns whether `other` rests at the goal to which this body is under way. Then `other` does
    /// not make way.
    pub(super) fn is_kept_by_one_at_its_goal(&self, other: &Self) -> bool {
        self.goal != NONE
            && self.goal == other.goal
            && self.role == Role::UnderWay
            && matches!(other.role, Role::Resting | Role::Returning)
    }

    /// Returns whether it can step if another body pushes it.
    pub(super) fn is_movable(&self) -> bool {
        !self.is_held() && self.begun < self.steps
    }

    /// Returns whether it stays where it is until its activity or its stride changes.
    pub(super) fn is_held(&self) -> bool {
        matches!(self.role, Role::Absent | Role::Fixed) || self.stride == 0
    }

    /// Returns whether it decides without a push.
    pub(super) fn begins(&self) -> bool {
        let has_wish =
            matches!(self.role, Role::UnderWay | Role::Returning) || self.is_crowded || self.is_sent_away;
        has_wish && !self.is_stepping() && self.is_movable()
    }

    /// Returns whether its step cannot end because its stride is 0. No body waits for such a step.
    pub(super) const fn is_held_within_step(&self) -> bool {
        self.is_stepping() && self.stride == 0
    }

    pub(super) const fn is_asked(&self) -> bool {
        self.depth != NONE
    }

    pub(super) fn set_activity(&mut self, activity: Activity) {
        (self.role, self.since) = match activity {
            Activity::Fixed => (Role::Fixed, 0),
            Activity::Resting => (Role::Resting, 0),
            Activity::Returning => (Role::Returning, 0),
            Activity::UnderWay { since } => (Role::UnderWay, since),
        };
        // Bodies under way come first, then the lower `since`, then the lower number.
        let rest = u64::from(self.role != Role::UnderWay) << 63;
        self.key = rest | u64::from(self.since.min(u32::MAX >> 1)) << 32 | u64::from(self.number);
    }

    pub(super) const fn activity(&self) -> Activity {
        match self.role {
            Role::Absent | Role::Fixed => Activity::Fixed,
            Role::Resting => Activity::Resting,
            Role::Returning => Activity::Returning,
            Role::UnderWay => Activity::UnderWay { since: self.since },
        }
    }
}

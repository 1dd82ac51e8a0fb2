//! What stands in the way of others: a body, as it is described and as it is kept.

use crate::{cell::Cell, size::Size};
use thiserror::Error;

/// The number of a body of a [`Crowd`](super::Crowd): valid until the body is removed, and given again after that.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct BodyId(pub(super) u32);

impl BodyId {
    /// The number itself: small, from 0, so that tables can be kept by it.
    #[must_use]
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// What a body is about.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
#[non_exhaustive]
pub enum Activity {
    /// It holds its cells and is never asked to make way: a crate, a building, a hero whom the player moves.
    Fixed,
    /// It has nowhere to go, and makes way for others; not for those on their way to its own goal.
    Resting,
    /// It goes back to where it rested, after all others. The guide leads it there.
    Returning,
    /// It is on its way, since a tick of the game's.
    UnderWay {
        /// When it last arrived, passed a stop, or stood beside what it follows. Who has been under way for longer goes first.
        since: u32,
    },
}

/// A body as it enters a [`Crowd`](super::Crowd).
///
/// # Examples
/// ```
/// use tilepath::{Cell, crowd::{Activity, Body}};
/// let flier = Body { layer: 2, blocks: 2, ..Body::new(7, Cell::new(3, 4)) };
/// assert!(!flier.excludes(&Body::new(8, Cell::new(3, 4))), "it passes over those on the ground");
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Body {
    /// A number of the game's, different for each body. Of two that are under way for equally long the lower goes first.
    pub number: u32,
    /// Where it stands: of a body that covers several cells the anchor, the lowest and leftmost.
    pub cell: Cell,
    /// How many cells it covers.
    pub size: Size,
    /// The layers that it is in, a bit each.
    pub layer: u32,
    /// The layers that it cannot share cells with, a bit each.
    pub blocks: u32,
    /// How far it comes in a tick, in the unit of [`Guide::effort`](super::Guide::effort). One of 0 holds its cells.
    pub stride: u32,
    /// What it is about.
    pub activity: Activity,
    /// A number of the game's for where it goes, if others may have the same goal: those who rest at a goal do not make way
    /// for those on the way to it.
    pub goal: Option<u32>,
}

impl Body {
    /// A resting body of one cell, in layer 1, which takes one tick for a straight step.
    #[must_use]
    pub const fn new(number: u32, cell: Cell) -> Self {
        Self {
            number,
            cell,
            size: Size::ONE,
            layer: 1,
            blocks: 1,
            stride: super::EFFORT_PER_STRAIGHT_STEP,
            activity: Activity::Resting,
            goal: None,
        }
    }

    /// Whether the two may not share cells: either blocks a layer of the other.
    #[must_use]
    pub const fn excludes(&self, other: &Self) -> bool {
        are_exclusive([self.layer, self.blocks], [other.layer, other.blocks])
    }
}

/// Why a body could not be put on a cell.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum CrowdError {
    /// A cell under it would not be on the map.
    #[error("a body of size {side} at {cell} would stand off the map; choose a cell further inside", side = size.side())]
    OutOfBounds {
        /// The anchor named.
        cell: Cell,
        /// The size of the body.
        size: Size,
    },
}

/// Whether two bodies may not share cells, by the layers that each is in and those that it blocks.
pub(super) const fn are_exclusive(one: [u32; 2], other: [u32; 2]) -> bool {
    one[1] & other[0] != 0 || other[1] & one[0] != 0
}

/// No body, no slot, no place on a stack.
pub(super) const NONE: u32 = u32::MAX;
/// The whole of a step, as a share.
pub(super) const WHOLE: u32 = 1 << 20;

/// A body as the crowd keeps it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct BodyState {
    /// The smaller, the earlier it decides.
    pub(super) key: u64,
    /// The slot of the anchor that it stands on or leaves.
    pub(super) from: u32,
    /// That which it enters; the same where it stands.
    pub(super) to: u32,
    pub(super) layer: u32,
    pub(super) blocks: u32,
    /// The round in which it decided last.
    pub(super) decided: u32,
    /// Its place among those that are being asked, or [`NONE`].
    pub(super) depth: u32,
    pub(super) goal: u32,
    pub(super) stride: u32,
    /// What is left of the stride in this tick.
    pub(super) left: u32,
    /// What the step takes, and what was walked of it.
    pub(super) length: u32,
    pub(super) spent: u32,
    /// What was walked of the step, of [`WHOLE`].
    pub(super) share: u32,
    /// The pass over all steps in which it walked last.
    pub(super) passed: u32,
    /// The first of its nodes of the occupancy.
    pub(super) nodes: u32,
    pub(super) number: u32,
    /// The body that it goes to, or [`NONE`].
    pub(super) target: u32,
    /// How many steps it may begin in a tick, and how many it has begun in this one.
    pub(super) steps: u32,
    pub(super) begun: u32,
    /// How many it has ended in this tick.
    pub(super) ended: u32,
    pub(super) since: u32,
    /// For how many ticks it has stood, under way, or has come no further with its step.
    pub(super) waited: u32,
    pub(super) size: u8,
    /// That of its step.
    pub(super) direction: u8,
    /// The direction of the cell that it waits for, or [`NO_DIRECTION`].
    pub(super) claim: u8,
    /// The direction that it would have liked best when it decided last, or [`NO_DIRECTION`].
    pub(super) wish: u8,
    pub(super) role: Role,
    /// Whether it walks in the footsteps of another.
    pub(super) follows: bool,
    /// Whether it was put onto another.
    pub(super) is_crowded: bool,
    /// Whether it is to leave its cell, wherever it goes.
    pub(super) is_sent_away: bool,
    /// The priority of its claim: its own, or that of a body which waits for it.
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
        steps: super::MAX_STEPS_PER_TICK,
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
        claim_key: 0,
    };

    pub(super) const fn is_stepping(&self) -> bool {
        self.from != self.to
    }

    pub(super) const fn excludes(&self, other: &Self) -> bool {
        are_exclusive([self.layer, self.blocks], [other.layer, other.blocks])
    }

    /// Whether another rests at the goal to which it is under way: that one makes no way for it.
    pub(super) fn is_kept_by_one_at_its_goal(&self, other: &Self) -> bool {
        self.goal != NONE
            && self.goal == other.goal
            && self.role == Role::UnderWay
            && matches!(other.role, Role::Resting | Role::Returning)
    }

    /// Whether it can be asked to step at all.
    pub(super) fn is_movable(&self) -> bool {
        !self.is_held() && self.begun < self.steps
    }

    /// Whether it stays where it is until it is about something else.
    pub(super) fn is_held(&self) -> bool {
        matches!(self.role, Role::Absent | Role::Fixed) || self.stride == 0
    }

    /// Whether it decides without being asked.
    pub(super) fn begins(&self) -> bool {
        let has_wish =
            matches!(self.role, Role::UnderWay | Role::Returning) || self.is_crowded || self.is_sent_away;
        has_wish && !self.is_stepping() && self.is_movable()
    }

    /// Whether its step does not end until it is given a stride again: nobody waits for that.
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
        // Those under way before all others, then by time, then by number.
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

//! The state of a body under way that makes no progress.

use super::body::BodyId;
use crate::cell::Cell;

/// The state of a body under way that makes no progress: the body stands, or its step has stopped.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Waiting {
    /// The number of ticks that the body has waited.
    pub ticks: u32,
    /// The anchor that the body wants to enter; `None` if there is no such anchor. During a step:
    /// the anchor that the body enters.
    pub cell: Option<Cell>,
    /// The other body that is in the way. It is on one of the cells to be entered, or it takes a
    /// diagonal step that this body would cross.
    pub by: Option<BodyId>,
    /// True if bodies with a lower priority cannot enter `cell` before this body.
    pub is_claimed: bool,
}

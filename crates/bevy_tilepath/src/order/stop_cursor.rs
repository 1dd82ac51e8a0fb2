//! A place in the list of stops.

/// To which stop an agent is under way, and in which direction it goes through the list.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct StopCursor {
    pub(crate) index: usize,
    pub(super) backwards: bool,
}

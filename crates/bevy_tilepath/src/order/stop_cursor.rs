//! A place in the list of stops.

/// The index of the stop to which an agent goes, and its direction through the list.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(crate) struct StopCursor {
    pub(crate) index: usize,
    pub(super) backwards: bool,
}

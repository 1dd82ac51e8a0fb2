//! The limit of the memory that a finder keeps.

/// The limit in bytes for all movements together, and when the memory was last counted.
#[derive(Clone, Copy, Debug)]
pub(crate) struct MemoryLimit {
    pub(super) bytes: usize,
    /// The number of the map's revision when the memory was last counted. Only later queries have
    /// added to it.
    pub(super) counted_at: u64,
}

impl Default for MemoryLimit {
    /// Returns no limit.
    fn default() -> Self {
        Self { bytes: usize::MAX, counted_at: 0 }
    }
}

//! Numbers that emit grids and graphs apart.

use std::sync::atomic::{AtomicU64, Ordering};

/// Grids and graphs are told apart by number, so that a reader never takes a new one for the one it knows.
pub(crate) fn next_generation() -> u64 {
    static NEXT: AtomicU64 = AtomicU64::new(0);
    NEXT.fetch_add(1, Ordering::Relaxed)
}

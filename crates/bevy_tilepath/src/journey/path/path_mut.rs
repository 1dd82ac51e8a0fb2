//! One write of a path.

use std::ops::{Deref, DerefMut};

use bevy_ecs::change_detection::{DetectChangesMut, Mut};

use super::AgentPath;

/// A path that is written. At the end of the write it counts as changed if its revision or its next
/// point differs; see [`AgentPath::revision`].
pub(crate) struct PathMut<'a> {
    path: Mut<'a, AgentPath>,
    before: (u64, usize),
}

impl<'a> PathMut<'a> {
    pub(crate) fn new(path: Mut<'a, AgentPath>) -> Self {
        let before = (path.revision(), path.next_point());
        Self { path, before }
    }
}

impl Deref for PathMut<'_> {
    type Target = AgentPath;

    fn deref(&self) -> &AgentPath {
        &self.path
    }
}

impl DerefMut for PathMut<'_> {
    fn deref_mut(&mut self) -> &mut AgentPath {
        self.path.bypass_change_detection()
    }
}

impl Drop for PathMut<'_> {
    fn drop(&mut self) {
        if (self.path.revision(), self.path.next_point()) != self.before {
            self.path.set_changed();
        }
    }
}

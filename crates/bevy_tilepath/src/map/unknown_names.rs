//! Names that maps do not know.

use std::{collections::BTreeSet, sync::Arc};

use bevy_ecs::entity::Entity;

/// The most names that are remembered; then all are forgotten.
const MAX_NAMES: usize = 256;

/// Names that a map does not know and that were warned of, so that each warning comes once.
#[derive(Debug, Default)]
pub(crate) struct UnknownNames(BTreeSet<(Entity, Arc<str>)>);

impl UnknownNames {
    /// Returns whether the name is to be warned of, and counts it as warned of.
    pub(crate) fn is_new(&mut self, map: Entity, name: &Arc<str>) -> bool {
        if self.0.len() >= MAX_NAMES {
            self.0.clear();
        }
        self.0.insert((map, name.clone()))
    }
}

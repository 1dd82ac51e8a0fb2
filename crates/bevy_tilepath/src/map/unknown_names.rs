//! Names that maps do not define.

use std::{collections::BTreeSet, sync::Arc};

use bevy_ecs::entity::Entity;

/// The most names that are stored. Then all are dropped.
const MAX_NAMES: usize = 256;

/// Names that a map does not define and for which a warning was given, so that each warning comes
/// once.
#[derive(Debug, Default)]
pub(crate) struct UnknownNames(BTreeSet<(Entity, Arc<str>)>);

impl UnknownNames {
    /// Returns whether a warning is due for the name, and stores the name.
    pub(crate) fn is_new(&mut self, map: Entity, name: &Arc<str>) -> bool {
        if self.0.len() >= MAX_NAMES {
            self.0.clear();
        }
        self.0.insert((map, name.clone()))
    }
}

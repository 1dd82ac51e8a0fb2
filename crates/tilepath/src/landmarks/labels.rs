//! The regions of connected cells, as labels.
//!
//! No step that is not in a patch leads from one region to another.

use super::{ground::MapGround, patch::MOST_OPENED, tables::LandmarkTables};
use crate::{journal::Revision, space::grid::GridNode};
use rustc_hash::FxHashMap;
use std::{collections::BTreeSet, sync::Arc};

/// The label of cells that were closed when the labels were made.
pub(super) const NO_LABEL: u16 = u16::MAX;

/// The label of the region of each cell, on a map of several regions.
#[derive(Clone, Debug)]
pub(super) struct Labels {
    of_slot: Arc<Vec<u16>>,
    width: usize,
    revision: Revision,
    /// The labels of cells that were closed, by packed node.
    opened: Arc<FxHashMap<u32, u16>>,
}

impl Labels {
    pub(super) fn new(of_slot: Arc<Vec<u16>>, width: u32, revision: Revision) -> Self {
        Self { of_slot, width: width as usize, revision, opened: Arc::default() }
    }

    /// Returns the label of the region with a number. All regions after many share one.
    pub(super) const fn of_region(number: usize) -> u16 {
        if number < NO_LABEL as usize { number as u16 } else { NO_LABEL - 1 }
    }

    pub(super) const fn revision(&self) -> Revision {
        self.revision
    }

    pub(super) fn bytes(&self) -> usize {
        size_of_val(&**self.of_slot)
    }

    #[inline]
    pub(super) fn at(&self, node: GridNode) -> u16 {
        match self.of_slot[node.y() as usize * self.width + node.x() as usize] {
            NO_LABEL => self.opened.get(&node.packed()).copied().unwrap_or(NO_LABEL),
            label => label,
        }
    }
}

impl LandmarkTables {
    /// Gives labels to open cells that have none, of the cells beside them. Returns the cells.
    pub(super) fn fill_labels(&mut self, map: MapGround<'_>, near: &BTreeSet<u32>) -> BTreeSet<u32> {
        let mut filled = BTreeSet::new();
        let Some(labels) = &mut self.labels else { return filled };
        let mut waiting = near.clone();
        while let Some(packed) = waiting.pop_first() {
            let node = GridNode::from_packed(packed);
            if labels.at(node) != NO_LABEL || filled.len() == MOST_OPENED {
                continue;
            }
            let (mut label, mut beside) = (NO_LABEL, Vec::new());
            let mut see = |other: GridNode| match labels.at(other) {
                NO_LABEL => beside.push(other.packed()),
                known => label = label.min(known),
            };
            map.for_steps_from(node, |other, _| see(other));
            map.for_steps_to(node, |other, _| see(other));
            if label != NO_LABEL {
                Arc::make_mut(&mut labels.opened).insert(packed, label);
                filled.insert(packed);
                waiting.extend(beside);
            }
        }
        filled
    }
}

//! What jump point search remembers of a cell.

use crate::{
    cell::Direction,
    cost::Cost,
    search::records::{NodeRecords, Record},
    space::grid::GridNode,
};

/// How a jump point was reached: from which one, and by a last step in which direction.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct JumpLink {
    pub(crate) parent: GridNode,
    pub(crate) direction: Direction,
}

/// The records of jump points: cost, predecessor, and generation with flags, twelve bytes a cell, of which few are ever
/// touched.
#[derive(Default)]
pub(crate) struct JumpRecords {
    entries: Vec<[u32; 3]>,
    generation: u16,
}

const CLOSED: u32 = 1 << 8;
const START: u32 = 8;

impl NodeRecords for JumpRecords {
    type Key = usize;
    type Cost = Cost;
    type Link = JumpLink;

    fn begin(&mut self, key_count: usize) {
        if self.entries.len() != key_count || self.generation == u16::MAX {
            self.entries = vec![[0; 3]; key_count];
            self.generation = 0;
        }
        self.generation += 1;
    }

    #[inline]
    fn get(&self, key: usize) -> Option<Record<Cost, JumpLink>> {
        let [cost, parent, state] = self.entries[key];
        (state >> 16 == u32::from(self.generation)).then(|| Record {
            cost: Cost::new(cost),
            link: Direction::ALL
                .get((state & 15) as usize)
                .map(|&direction| JumpLink { parent: GridNode::from_packed(parent), direction }),
            is_closed: state & CLOSED != 0,
        })
    }

    #[inline]
    fn open(&mut self, key: usize, cost: Cost, link: Option<JumpLink>) {
        let (parent, direction) =
            link.map_or((0, START), |link| (link.parent.packed(), link.direction as u32));
        self.entries[key] = [cost.get(), parent, u32::from(self.generation) << 16 | direction];
    }

    #[inline]
    fn close(&mut self, key: usize) {
        self.entries[key][2] |= CLOSED;
    }
}

impl std::fmt::Debug for JumpRecords {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("JumpRecords").field("cells", &self.entries.len()).finish_non_exhaustive()
    }
}

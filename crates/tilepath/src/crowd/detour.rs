//! A way around bodies that stay where they are.

use super::{BodyId, Crowd, Lead, body::Role, occupancy::Hold};
use crate::{
    cell::{Cell, Direction},
    cost::Cost,
};
use std::{
    cmp::Reverse,
    collections::{BTreeMap, BinaryHeap},
};

impl Crowd {
    /// The cheapest way by which a body that stands comes back to its own way, beyond bodies that rest, are fixed or wait for good:
    /// from the cell after its own to one of its way. Bodies that step, or are under way, are not seen. `None` where there is none
    /// among `most` cells.
    ///
    /// # Panics
    /// If the body is not there.
    ///
    /// # Complexity
    /// O(most × log most), and it allocates: for bodies that have waited for a while.
    #[must_use]
    pub fn detour(&self, id: BodyId, lead: &Lead, most: usize) -> Option<Vec<Cell>> {
        let state = &self.bodies[self.present(id)];
        let bounds = lead.steps.bounds();
        let start = state.from;
        let mut reached: BTreeMap<u32, (Cost, u32)> = BTreeMap::from([(start, (Cost::ZERO, start))]);
        let mut queue = BinaryHeap::from([Reverse((Cost::ZERO, start))]);
        let mut best: Option<(Cost, u32)> = None;
        for _ in 0..most {
            let Some(Reverse((cost, slot))) = queue.pop() else { break };
            if best.is_some_and(|(least, _)| least <= cost) {
                break;
            }
            if reached.get(&slot).is_some_and(|&(known, _)| known < cost) {
                continue;
            }
            let rest = bounds.cell(slot as usize).and_then(|cell| lead.way.rest(cell));
            if let Some(sum) = rest.and_then(|rest| cost.checked_add(rest))
                && slot != start
                && best.is_none_or(|(least, _)| sum < least)
            {
                best = Some((sum, slot));
            }
            let exits = lead.steps.exits(slot as usize);
            for direction in Direction::ALL.into_iter().filter(|&direction| exits.contains(direction)) {
                let entered = self.beside(slot, direction as u8);
                let step = lead.steps.cost(entered as usize, direction);
                let Some(sum) = cost.checked_add(step).filter(|_| !self.is_kept(id, entered)) else {
                    continue;
                };
                let known = reached.entry(entered).or_insert((Cost::MAX, slot));
                if sum < known.0 {
                    *known = (sum, slot);
                    queue.push(Reverse((sum, entered)));
                }
            }
        }
        let mut slot = best?.1;
        let mut cells = Vec::new();
        while slot != start {
            cells.push(self.cell_of(slot));
            slot = reached.get(&slot)?.1;
        }
        cells.reverse();
        Some(cells)
    }

    /// Whether a body that is going nowhere holds one of the cells.
    fn is_kept(&self, id: BodyId, anchor: u32) -> bool {
        let state = &self.bodies[id.index()];
        self.covered(anchor, state.size).flat_map(|slot| self.occupancy.at(slot)).any(|(owner, hold)| {
            let other = &self.bodies[owner as usize];
            owner != id.0
                && hold == Hold::Holds
                && !other.is_stepping()
                && other.role != Role::UnderWay
                && state.excludes(other)
        })
    }
}

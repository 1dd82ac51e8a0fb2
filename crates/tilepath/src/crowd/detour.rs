//! Paths around bodies that stay where they are.

use super::{
    BodyId, Crowd, Guide, Lead,
    body::{BodyState, Role},
    occupancy::Hold,
};
use crate::{
    cell::{Cell, Direction},
    cost::Cost,
};
use std::{
    cmp::Reverse,
    collections::{BTreeMap, BinaryHeap},
};

/// Reached cells: the cost of the path there, and the cell before.
type Reached = BTreeMap<u32, (Cost, u32)>;

impl Crowd {
    /// Returns the cheapest path on which a standing body gets past bodies that stay. Bodies stay
    /// if they rest, are fixed, go back or are held within a step. The path leads from the cell of
    /// the body to a cell of [`lead.way`](Lead::way) beyond the first body that stays.
    ///
    /// The search expands at most `most` cells. If it finds no such path, it returns the path to
    /// the cell nearest to the goal, if this cell is nearer than the cell of the body. Otherwise it
    /// returns `None`: the body can only wait. Bodies under way are ignored,
    /// unless their step is held.
    ///
    /// # Panics
    /// If the crowd has no body with this id.
    ///
    /// # Complexity
    /// O(most × log most). It allocates, so use it only for bodies that have waited for a while.
    #[must_use]
    pub fn detour(&self, id: BodyId, lead: &Lead, guide: &mut impl Guide, most: usize) -> Option<Vec<Cell>> {
        let start = self.bodies[self.present(id)].from;
        let bounds = lead.steps.bounds();
        let is_kept_at =
            |&(cell, _): &(Cell, Cost)| bounds.slot(cell).is_some_and(|slot| self.is_kept(id, slot as u32));
        // If the goal itself is taken, no cell lies beyond.
        let beyond: BTreeMap<u32, Cost> = (lead.way.cells().skip_while(|cell| !is_kept_at(cell)).skip(1))
            .filter_map(|(cell, rest)| Some((bounds.slot(cell)? as u32, rest)))
            .collect();
        let (reached, joined) = self.spread(id, lead, &beyond, most);
        let nearest = || {
            let here = guide.rest(id, start as usize);
            let rest = |(&slot, &(cost, _))| Some((guide.rest(id, slot as usize)?, cost, slot));
            let nearest: Option<(Cost, Cost, u32)> = reached.iter().filter_map(rest).min();
            nearest.filter(|&(rest, ..)| here.is_none_or(|here| rest < here)).map(|(.., slot)| slot)
        };
        let mut slot = joined.or_else(nearest)?;
        let mut cells = vec![self.cell_of(slot)];
        while slot != start {
            slot = reached.get(&slot)?.1;
            cells.push(self.cell_of(slot));
        }
        cells.reverse();
        Some(cells)
    }

    /// Returns the cells that a body can reach around all staying bodies, and the cell of `beyond`
    /// over which the path is cheapest.
    fn spread(
        &self,
        id: BodyId,
        lead: &Lead,
        beyond: &BTreeMap<u32, Cost>,
        most: usize,
    ) -> (Reached, Option<u32>) {
        let start = self.bodies[id.index()].from;
        let mut reached = Reached::from([(start, (Cost::ZERO, start))]);
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
            if let Some(sum) = beyond.get(&slot).and_then(|&rest| cost.checked_add(rest))
                && best.is_none_or(|(least, _)| sum < least)
            {
                best = Some((sum, slot));
            }
            let exits = lead.steps.exits(slot as usize);
            for direction in Direction::ALL.into_iter().filter(|&direction| exits.contains(direction)) {
                let entered = self.beside(slot, direction as u8);
                let step = lead.steps.cost(entered as usize, direction);
                let is_kept = self.is_kept(id, entered) || self.crosses_held_step(id, slot, direction);
                let Some(sum) = cost.checked_add(step).filter(|_| !is_kept) else { continue };
                let known = reached.entry(entered).or_insert((Cost::MAX, slot));
                if sum < known.0 {
                    *known = (sum, slot);
                    queue.push(Reverse((sum, entered)));
                }
            }
        }
        (reached, best.map(|(_, slot)| slot))
    }

    /// Returns whether a staying body has one of the cells. A body that is held within a step also
    /// has the cells that it leaves.
    fn is_kept(&self, id: BodyId, anchor: u32) -> bool {
        let state = &self.bodies[id.index()];
        self.covered(anchor, state.size).flat_map(|slot| self.occupancy.at(slot)).any(|(owner, hold)| {
            let other = &self.bodies[owner as usize];
            let stays = other.is_held_within_step() || !other.is_stepping() && other.role != Role::UnderWay;
            owner != id.0 && hold != Hold::Claims && stays && state.excludes(other)
        })
    }

    /// Returns whether a step would cross the step of a body that is held within it.
    fn crosses_held_step(&self, id: BodyId, from: u32, direction: Direction) -> bool {
        let state = BodyState { from, ..self.bodies[id.index()].clone() };
        self.crossing(&state, direction as u8).any(|other| self.bodies[other as usize].is_held_within_step())
    }
}

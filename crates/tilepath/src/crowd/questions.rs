//! Queries about waiting bodies and bodies in the way.

use super::{
    Body, BodyId, Crowd, Waiting,
    body::{NO_DIRECTION, Role, are_exclusive},
    occupancy::Hold,
};
use crate::cell::Cell;

impl Crowd {
    /// Returns why a body under way stands, or why its step makes no progress. Returns `None` if
    /// the body walks or is not under way.
    ///
    /// # Panics
    /// If the crowd has no body with this id.
    #[must_use]
    pub fn waiting(&self, id: BodyId) -> Option<Waiting> {
        let body = self.present(id);
        let state = &self.bodies[body];
        if state.role != Role::UnderWay || self.is_walking(id) {
            return None;
        }
        if state.is_stepping() {
            let by = self.leaders(body).next().map(BodyId);
            return Some(Waiting {
                ticks: state.waited,
                cell: Some(self.cell_of(state.to)),
                by,
                is_claimed: false,
            });
        }
        let wanted = (state.wish != NO_DIRECTION).then(|| self.beside(state.from, state.wish));
        let by = wanted.and_then(|to| {
            let others = self.strip(state, to).flat_map(|slot| self.occupancy.at(slot));
            let mut others = others.filter(|&(other, hold)| {
                hold != Hold::Claims && other as usize != body && state.excludes(&self.bodies[other as usize])
            });
            others.next().map(|(other, _)| other).or_else(|| self.crossing(state, state.wish).next())
        });
        Some(Waiting {
            ticks: state.waited,
            cell: wanted.map(|to| self.cell_of(to)),
            by: by.map(BodyId),
            is_claimed: state.claim != NO_DIRECTION && state.claim == state.wish,
        })
    }

    /// Returns whether a body shares cells with another body that it excludes, because one of the
    /// two was put onto the other.
    ///
    /// # Panics
    /// If the crowd has no body with this id.
    #[must_use]
    pub fn overlaps(&self, id: BodyId) -> bool {
        self.is_overlapping(self.present(id))
    }

    /// Returns the bodies in the way of a body that is not in the crowd yet. They stand on, enter
    /// or leave one of its cells. If the new body covers several cells, the same id may come more
    /// than once. If one of these cells is off the map, the result is empty.
    ///
    /// # Complexity
    /// O(cells covered).
    pub fn in_the_way_of(&self, body: &Body) -> impl Iterator<Item = BodyId> + '_ {
        let layers = [body.layer, body.blocks];
        let slot = self.anchor_slot(body.cell, body.size).ok();
        let side = body.size.side();
        let others = slot.into_iter().flat_map(move |slot| self.covered(slot, side));
        others.flat_map(|slot| self.occupancy.at(slot)).filter_map(move |(other, hold)| {
            let state = &self.bodies[other as usize];
            let is_in_the_way = hold != Hold::Claims && are_exclusive(layers, [state.layer, state.blocks]);
            is_in_the_way.then_some(BodyId(other))
        })
    }

    /// Returns the bodies that stand on a cell, enter it or leave it.
    pub fn on(&self, cell: Cell) -> impl Iterator<Item = BodyId> + '_ {
        let slot = self.bounds.slot(cell);
        let all = slot.into_iter().flat_map(|slot| self.occupancy.at(slot));
        all.filter(|&(_, hold)| hold != Hold::Claims).map(|(body, _)| BodyId(body))
    }
}

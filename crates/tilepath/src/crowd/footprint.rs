//! The cells under bodies, and their entries in the occupancy.

use super::{
    Crowd,
    body::{BodyState, CrowdError, NO_DIRECTION, Role},
    occupancy::Hold,
};
use crate::{cell::Cell, size::Size};

impl Crowd {
    pub(super) fn anchor_slot(&self, cell: Cell, size: Size) -> Result<u32, CrowdError> {
        let reach = u32::from(size.side()) - 1;
        let fits = |(x, y): &(u32, u32)| x + reach < self.bounds.width() && y + reach < self.bounds.height();
        let (x, y) = self.bounds.local(cell).filter(fits).ok_or(CrowdError::OutOfBounds { cell, size })?;
        Ok(y * self.bounds.width() + x)
    }

    /// Returns the slot beside another. The caller must ensure that it is on the map.
    #[inline]
    pub(super) fn beside(&self, slot: u32, direction: u8) -> u32 {
        (slot as usize).wrapping_add_signed(self.offsets[usize::from(direction & 7)]) as u32
    }

    /// Returns the slots under an anchor, row by row.
    #[inline]
    pub(super) fn covered(&self, anchor: u32, side: u8) -> impl Iterator<Item = usize> + use<> {
        let width = self.bounds.width() as usize;
        let side = usize::from(side);
        (0..side).flat_map(move |y| (0..side).map(move |x| anchor as usize + y * width + x))
    }

    /// Returns whether a slot lies under an anchor.
    #[inline]
    pub(super) fn covers(&self, anchor: u32, side: u8, slot: usize) -> bool {
        if side == 1 {
            return anchor as usize == slot;
        }
        let width = self.bounds.width() as usize;
        let (x, y) = (anchor as usize % width, anchor as usize / width);
        let side = usize::from(side);
        (slot % width).wrapping_sub(x) < side && (slot / width).wrapping_sub(y) < side
    }

    /// Returns the slots that a standing body enters with a step to an anchor.
    #[inline]
    pub(super) fn strip(&self, state: &BodyState, to: u32) -> impl Iterator<Item = usize> + '_ {
        let (from, side) = (state.from, state.size);
        self.covered(to, side).filter(move |&slot| !self.covers(from, side, slot))
    }

    /// Returns whether two footprints share a cell.
    pub(super) fn overlap(&self, [one, other]: [u32; 2], [side, other_side]: [u8; 2]) -> bool {
        if side == 1 && other_side == 1 {
            return one == other;
        }
        self.covered(one, side).any(|slot| self.covers(other, other_side, slot))
    }

    /// Adds the entries of a standing body, and stores whether it overlaps another.
    pub(super) fn hold(&mut self, body: usize) {
        let state = &self.bodies[body];
        let (anchor, side, nodes) = (state.from, state.size, state.nodes);
        for (node, slot) in (nodes..).zip(self.covered(anchor, side)) {
            self.occupancy.link(slot, node);
        }
        self.bodies[body].is_crowded = self.is_overlapping(body);
    }

    /// Removes all entries of a body.
    pub(super) fn release(&mut self, body: usize) {
        self.give_up_claim(body);
        if self.bodies[body].is_stepping() {
            self.leave(body);
        }
        let state = &self.bodies[body];
        let (anchor, side, nodes) = (state.to, state.size, state.nodes);
        for (node, slot) in (nodes..).zip(self.covered(anchor, side)) {
            self.occupancy.unlink(slot, node);
        }
    }

    /// Enters the step of a standing body: it holds the cells under the new anchor and leaves the
    /// others.
    pub(super) fn set_out(&mut self, body: usize, to: u32) {
        let state = &mut self.bodies[body];
        let (from, side, nodes) = (state.from, state.size, state.nodes);
        state.to = to;
        if side == 1 {
            self.occupancy.unlink(from as usize, nodes);
            self.occupancy.link(to as usize, nodes);
            self.occupancy.link(from as usize, nodes + 1);
            return;
        }
        for (node, (old, new)) in (nodes..).zip(self.covered(from, side).zip(self.covered(to, side))) {
            self.occupancy.unlink(old, node);
            self.occupancy.link(new, node);
        }
        let leaving = nodes + u32::from(side) * u32::from(side);
        for (node, slot) in (leaving..).zip(self.covered(from, side)) {
            if !self.covers(to, side, slot) {
                self.occupancy.link(slot, node);
            }
        }
    }

    /// Takes back a step that was entered and not begun.
    pub(super) fn step_back(&mut self, body: usize) {
        self.leave(body);
        let state = &mut self.bodies[body];
        let (from, to, side, nodes) = (state.from, state.to, state.size, state.nodes);
        state.to = from;
        for (node, (old, new)) in (nodes..).zip(self.covered(to, side).zip(self.covered(from, side))) {
            self.occupancy.unlink(old, node);
            self.occupancy.link(new, node);
        }
    }

    /// Removes the entries of the cells that a stepping body leaves.
    pub(super) fn leave(&mut self, body: usize) {
        let state = &self.bodies[body];
        let (from, to, side, nodes) = (state.from, state.to, state.size, state.nodes);
        if side == 1 {
            self.occupancy.unlink(from as usize, nodes + 1);
            return;
        }
        let leaving = nodes + u32::from(side) * u32::from(side);
        for (node, slot) in (leaving..).zip(self.covered(from, side)) {
            if !self.covers(to, side, slot) {
                self.occupancy.unlink(slot, node);
            }
        }
    }

    /// Makes a standing body claim the cells in a direction.
    pub(super) fn claim(&mut self, body: usize, direction: u8, key: u64) {
        self.give_up_claim(body);
        let state = &mut self.bodies[body];
        (state.claim, state.claim_key) = (direction, key);
        let (from, side, nodes) = (state.from, state.size, state.nodes);
        let to = self.beside(from, direction);
        let claims = nodes + 2 * u32::from(side) * u32::from(side);
        for (node, slot) in (claims..).zip(self.covered(to, side)) {
            if !self.covers(from, side, slot) {
                self.occupancy.link(slot, node);
            }
        }
    }

    /// Removes the claim of a standing body.
    #[inline]
    pub(super) fn give_up_claim(&mut self, body: usize) {
        let state = &mut self.bodies[body];
        if state.claim == NO_DIRECTION {
            return;
        }
        let (from, side, nodes) = (state.from, state.size, state.nodes);
        let direction = std::mem::replace(&mut state.claim, NO_DIRECTION);
        let to = self.beside(from, direction);
        let claims = nodes + 2 * u32::from(side) * u32::from(side);
        for (node, slot) in (claims..).zip(self.covered(to, side)) {
            if !self.covers(from, side, slot) {
                self.occupancy.unlink(slot, node);
            }
        }
    }

    /// Returns whether another body that this one excludes holds one of its cells.
    pub(super) fn is_overlapping(&self, body: usize) -> bool {
        let state = &self.bodies[body];
        let others = self.covered(state.to, state.size).flat_map(|slot| self.occupancy.at(slot));
        others.into_iter().any(|(other, hold)| {
            let other_state = &self.bodies[other as usize];
            hold == Hold::Holds
                && other as usize != body
                && other_state.role != Role::Absent
                && state.excludes(other_state)
        })
    }
}

//! Edges that are one-way or closed.

use super::Grid;
use crate::{
    cell::{Cell, Direction},
    exits::Exits,
    journal::Change,
    topology::Topology,
};

impl Grid {
    /// Returns the directions in which units may leave a cell, or `None` outside the map's
    /// rectangle.
    #[must_use]
    pub fn exits(&self, cell: Cell) -> Option<Exits> {
        let slot = self.bounds.slot(cell)?;
        Some(self.exits.as_ref().map_or(Exits::ALL, |exits| exits[slot]))
    }

    /// Makes an edge of a cell a ledge.
    pub(super) fn make_ledge(&mut self, cell: Cell, down: Direction) {
        let Some(below) = cell.neighbour(down) else { return };
        let up = down.opposite();
        self.close_towards(below, up);
        if self.topology == Topology::Square {
            for turn in [1, 7] {
                // Past either end of the edge: diagonally up onto the cell, and diagonally up from
                // below it.
                if let Some(aside) = below.neighbour(up.turned(2 * turn)) {
                    self.close_towards(aside, up.turned(8 - turn));
                }
                self.close_towards(below, up.turned(turn));
            }
        }
    }

    /// Returns whether any exit is closed.
    pub(crate) const fn has_exits(&self) -> bool {
        self.exits.is_some()
    }

    /// Returns the exits of the cell at a slot.
    fn exits_at(&self, slot: usize) -> Exits {
        self.exits.as_ref().map_or(Exits::ALL, |exits| exits[slot])
    }

    /// Closes the step from a cell to one beside it.
    pub(super) fn close(&mut self, cell: Cell, towards: Cell) {
        if let Some(direction) = Direction::between(cell, towards) {
            self.close_towards(cell, direction);
        }
    }

    /// Opens the step from a cell to one beside it.
    pub(super) fn open(&mut self, cell: Cell, towards: Cell) {
        if let Some(direction) = Direction::between(cell, towards) {
            self.change_exits(cell, |exits| exits.with(direction));
        }
    }

    fn close_towards(&mut self, cell: Cell, direction: Direction) {
        self.change_exits(cell, |exits| exits.without(direction));
    }

    /// Changes the exits of a cell. Does nothing if the cell lies off the map.
    pub(super) fn change_exits(&mut self, cell: Cell, change: impl FnOnce(Exits) -> Exits) {
        let Some(slot) = self.bounds.slot(cell) else { return };
        let old = self.exits_at(slot);
        let new = change(old);
        if old == new {
            return;
        }
        let cells = self.bounds.cell_count();
        self.exits.get_or_insert_with(|| vec![Exits::ALL; cells])[slot] = new;
        self.fenced_cells += usize::from(old == Exits::ALL);
        self.fenced_cells -= usize::from(new == Exits::ALL);
        if self.fenced_cells == 0 {
            self.exits = None;
        }
        self.note_edit(slot, if new.and(old) == new { Change::Closed } else { Change::Opened });
    }
}

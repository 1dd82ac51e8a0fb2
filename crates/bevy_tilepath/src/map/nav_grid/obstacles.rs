//! Cells of a map under obstacles.

use std::{collections::btree_map::Entry, sync::Arc};

use tilepath::{Cell, Grid};

use crate::map::{
    movement::obstacle_overlay,
    nav_grid::{NavGrid, WALL},
};

/// A cell under obstacles.
#[derive(Debug)]
pub(super) struct Covered {
    pub(super) obstacles: u32,
    /// `None` where the cell is void.
    pub(super) terrain: Option<u8>,
}

impl NavGrid {
    /// Puts one more obstacle on a cell of the map.
    pub(crate) fn cover(&mut self, cell: Cell) {
        if !self.bounds().contains(cell) {
            return;
        }
        let terrain = self.terrain(cell);
        let covered = self.covered.entry(cell).or_insert(Covered { obstacles: 0, terrain });
        covered.obstacles += 1;
        if covered.obstacles == 1 && terrain.is_some() {
            self.write(cell, Some(WALL));
        }
    }

    /// Takes one obstacle off a cell that it was put on.
    pub(crate) fn uncover(&mut self, cell: Cell) {
        if let Entry::Occupied(mut covered) = self.covered.entry(cell) {
            covered.get_mut().obstacles -= 1;
            if covered.get().obstacles == 0 {
                let terrain = covered.remove().terrain;
                // The cell may have left the map meanwhile.
                if self.bounds().contains(cell) {
                    self.write(cell, terrain);
                }
            }
        }
    }

    /// Puts one more obstacle on a cell that is one to the movement of a name.
    pub(crate) fn close(&mut self, cell: Cell, name: &Arc<str>) {
        if !self.bounds().contains(cell) {
            return;
        }
        let obstacles = self.closed.entry((cell, name.clone())).or_insert(0);
        *obstacles += 1;
        if *obstacles == 1 {
            self.write_closed(cell, name, Grid::CLOSING);
        }
    }

    /// Takes one of them off again.
    pub(crate) fn open(&mut self, cell: Cell, name: &Arc<str>) {
        if let Entry::Occupied(mut obstacles) = self.closed.entry((cell, name.clone())) {
            *obstacles.get_mut() -= 1;
            if *obstacles.get() == 0 {
                obstacles.remove();
                self.write_closed(cell, name, 0);
            }
        }
    }

    fn write_closed(&mut self, cell: Cell, name: &str, value: u16) {
        // Only a cell that is gone from the map is refused, and there is nothing to open there.
        let _ = self.finder.set_overlay(&obstacle_overlay(name), [(cell, value)]);
    }
}

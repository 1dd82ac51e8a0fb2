//! Edits of cell classes and void cells.

use super::Grid;
use crate::{
    bit_grid::BitGrid,
    bounds::{Bounds, GridError},
    cell::Cell,
    edit::Edit,
    journal::Change,
    terrain::CostTable,
};
use std::{iter, sync::Arc};

/// A cell that an edit has changed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct CellEdit {
    pub(crate) cell: Cell,
    /// The class before, or `None` if the cell was void.
    pub(crate) old: Option<u8>,
    pub(crate) new: u8,
}

impl CellEdit {
    /// Returns whether the cell opened or closed for movements with these costs.
    pub(crate) fn turns_for(&self, costs: &CostTable) -> bool {
        self.old.is_some_and(|old| costs.is_passable(old)) != costs.is_passable(self.new)
    }
}

impl Grid {
    /// Sets the terrain class of one cell, and returns whether the edit changed the map. A void
    /// cell becomes a cell of the map.
    ///
    /// # Errors
    /// [`GridError::OutOfBounds`]. The map is unchanged.
    ///
    /// # Complexity
    /// O(1). If a paused search uses the current state of the map, the first edit copies the
    /// terrain classes of all cells.
    pub fn set_terrain(&mut self, cell: Cell, class: u8) -> Result<bool, GridError> {
        let bounds = self.bounds;
        let slot = bounds.slot(cell).ok_or(GridError::OutOfBounds { cell, bounds })?;
        let old = self.classes[slot];
        let was_void = self.void.as_mut().is_some_and(|void| leave_void(void, &bounds, cell));
        if old == class && !was_void {
            return Ok(false);
        }
        if old != class {
            Arc::make_mut(&mut self.classes)[slot] = class;
        }
        if !was_void {
            self.counts[usize::from(old)] -= 1;
        }
        self.counts[usize::from(class)] += 1;
        if was_void {
            self.drop_void_without_cells();
        }
        self.note_edit(slot, if was_void { Change::Opened } else { Change::Class(old) });
        Ok(true)
    }

    /// Makes edits of classes that were checked. Returns the changed cells in the order of the
    /// edits.
    pub(crate) fn make_edits_of_classes(&mut self, edits: &[Edit]) -> Vec<CellEdit> {
        let bounds = self.bounds;
        let mut written = Vec::new();
        for run in edits.chunk_by(|one, other| [one, other].iter().all(|edit| is_of_one_cell(edit))) {
            if let [Edit::TerrainIn { area, class }] = *run {
                let cells = bounds.slots_in(area).map(|(cell, slot)| (cell, slot, class));
                self.write(area.cell_count(), cells, &mut written);
            } else {
                let cells = run.iter().filter_map(|edit| match *edit {
                    Edit::Terrain { cell, class } => Some((cell, bounds.slot(cell)?, class)),
                    _ => None,
                });
                self.write(run.len(), cells, &mut written);
            }
        }
        if written.iter().any(|edit| edit.old.is_none()) {
            self.drop_void_without_cells();
        }
        written
    }

    /// Sets the classes of `count` cells by their slots, which are on the map.
    fn write(
        &mut self,
        count: usize,
        cells: impl Iterator<Item = (Cell, usize, u8)> + Clone,
        written: &mut Vec<CellEdit>,
    ) {
        if cells.clone().all(|(cell, slot, new)| self.classes[slot] == new && self.contains(cell)) {
            return;
        }
        written.reserve(count);
        let Self { bounds, classes, counts, void, revision, journal, .. } = self;
        // Check once for all cells whether a search shares the classes: the check takes as long as
        // the rest of an edit.
        let classes = Arc::make_mut(classes);
        for (cell, slot, new) in cells {
            let was_void = void.as_mut().is_some_and(|void| leave_void(void, bounds, cell));
            let old = std::mem::replace(&mut classes[slot], new);
            if old == new && !was_void {
                continue;
            }
            if !was_void {
                counts[usize::from(old)] -= 1;
            }
            counts[usize::from(new)] += 1;
            *revision = revision.next();
            journal.record(slot, if was_void { Change::Opened } else { Change::Class(old) });
            written.push(CellEdit { cell, old: (!was_void).then_some(old), new });
        }
    }

    /// Drops the bits of void cells if no cell is void.
    ///
    /// # Complexity
    /// O(256): all other cells are counted by their classes.
    pub(super) fn drop_void_without_cells(&mut self) {
        let classed: u64 = self.counts.iter().map(|&count| u64::from(count)).sum();
        if classed == self.bounds.cell_count() as u64 {
            self.void = None;
        }
    }

    /// Makes cells void, by their slots, which are on the map.
    pub(crate) fn leave(&mut self, mut cells: impl Iterator<Item = (Cell, usize)>) {
        let Some(first) = cells.find(|&(cell, _)| self.contains(cell)) else { return };
        let Self { bounds, classes, counts, void, revision, journal, .. } = self;
        let void = void.get_or_insert_with(|| Box::new(BitGrid::new(bounds.width(), bounds.height())));
        let classes = Arc::make_mut(classes); // one check for all cells, as above
        for (cell, slot) in iter::once(first).chain(cells) {
            let Some((x, y)) = bounds.local(cell).filter(|&(x, y)| !void.get(x, y)) else { continue };
            void.set(x, y, true);
            counts[usize::from(std::mem::take(&mut classes[slot]))] -= 1;
            *revision = revision.next();
            journal.record(slot, Change::Closed);
        }
    }
}

const fn is_of_one_cell(edit: &Edit) -> bool {
    matches!(edit, Edit::Terrain { .. })
}

/// Makes a cell a cell of the map, and returns whether it was void.
fn leave_void(void: &mut BitGrid, bounds: &Bounds, cell: Cell) -> bool {
    let Some((x, y)) = bounds.local(cell) else { return false };
    let was_void = void.get(x, y);
    void.set(x, y, false);
    was_void
}

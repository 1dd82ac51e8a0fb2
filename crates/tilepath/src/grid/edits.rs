//! Many cells changed at once: all or none.

use super::{Grid, leave_void};
use crate::{
    bit_grid::BitGrid,
    bounds::{Bounds, GridError},
    cell::Cell,
    journal::Change,
    terrain::CostTable,
};
use std::{iter, sync::Arc};

/// One cell that an edit has changed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct CellEdit {
    pub(crate) cell: Cell,
    /// `None` for a void one.
    pub(crate) old: Option<u8>,
    pub(crate) new: u8,
}

impl CellEdit {
    /// Whether the cell opened or closed for movements with these costs.
    pub(crate) fn turns_for(&self, costs: &CostTable) -> bool {
        self.old.is_some_and(|old| costs.is_passable(old)) != costs.is_passable(self.new)
    }
}

impl Grid {
    /// Changes many cells, in their order; says how many changes made a difference. A cell given twice is changed twice.
    ///
    /// # Errors
    /// [`GridError::OutOfBounds`] for the first cell that is not on the map; the map is as before.
    ///
    /// # Complexity
    /// O(cells). The revision rises by one, and the journal grows by one, for each change that makes a difference, as
    /// with [`Grid::set_terrain`].
    ///
    /// # Examples
    /// ```
    /// use tilepath::{Cell, Grid, GridError};
    /// let mut grid = Grid::new(5, 5, 1)?;
    /// let bridge = [(Cell::new(2, 1), 2), (Cell::new(2, 2), 2), (Cell::new(2, 3), 1)];
    /// assert_eq!(grid.set_terrains(&bridge)?, 2, "one cell had its class before");
    ///
    /// let too_long = [(Cell::new(2, 4), 2), (Cell::new(2, 5), 2)];
    /// assert!(matches!(grid.set_terrains(&too_long), Err(GridError::OutOfBounds { .. })));
    /// assert_eq!(grid.terrain(Cell::new(2, 4)), Some(1), "all or none");
    /// # Ok::<(), GridError>(())
    /// ```
    pub fn set_terrains(&mut self, cells: &[(Cell, u8)]) -> Result<usize, GridError> {
        self.edit_cells(cells).map(|edits| edits.len())
    }

    /// Changes all cells of a rectangle to one class; says for how many that made a difference.
    ///
    /// # Errors
    /// [`GridError::OutOfBounds`] for a corner of the rectangle that is not on the map; the map is as before. A rectangle
    /// without cells may lie anywhere.
    ///
    /// # Complexity
    /// O(cells of the rectangle), otherwise as [`Grid::set_terrains`].
    ///
    /// # Examples
    /// ```
    /// use tilepath::{Bounds, Cell, Grid};
    /// let mut grid = Grid::new(20, 20, 1)?;
    /// let house = Bounds::new(Cell::new(3, 4), 6, 5)?;
    /// assert_eq!(grid.set_terrain_in(house, 0)?, 30);
    /// assert_eq!(grid.class_count(0), 30);
    /// # Ok::<(), tilepath::GridError>(())
    /// ```
    pub fn set_terrain_in(&mut self, area: Bounds, class: u8) -> Result<usize, GridError> {
        self.edit_area(area, class).map(|edits| edits.len())
    }

    /// Takes many cells out of the map, see [`set_void`](Self::set_void); says for how many that made a difference.
    ///
    /// # Errors
    /// [`GridError::OutOfBounds`] for the first cell that is not on the map; the map is as before.
    ///
    /// # Examples
    /// ```
    /// use tilepath::{Bounds, Cell, Grid};
    /// let mut grid = Grid::new(8, 8, 1)?;
    /// let chunk: Vec<Cell> = Bounds::new(Cell::new(4, 4), 4, 4)?.cells().collect();
    /// assert_eq!(grid.set_voids(&chunk)?, 16);
    /// assert_eq!(grid.class_count(1), 48);
    /// # Ok::<(), tilepath::GridError>(())
    /// ```
    pub fn set_voids(&mut self, cells: &[Cell]) -> Result<usize, GridError> {
        let bounds = self.bounds;
        if let Some(&cell) = cells.iter().find(|&&cell| !bounds.contains(cell)) {
            return Err(GridError::OutOfBounds { cell, bounds });
        }
        Ok(self.leave(cells.iter().filter_map(|&cell| Some((cell, bounds.slot(cell)?)))))
    }

    /// Changes many cells and tells which of them are others than before, in their order.
    pub(crate) fn edit_cells(&mut self, cells: &[(Cell, u8)]) -> Result<Vec<CellEdit>, GridError> {
        let bounds = self.bounds;
        if let Some(&(cell, _)) = cells.iter().find(|(cell, _)| !bounds.contains(*cell)) {
            return Err(GridError::OutOfBounds { cell, bounds });
        }
        let slots = cells.iter().filter_map(|&(cell, class)| Some((cell, bounds.slot(cell)?, class)));
        Ok(self.edit(cells.len(), slots))
    }

    /// Takes all cells of a rectangle out of the map, as [`Grid::set_void`] does one; says of how many that was news.
    ///
    /// For parts of a world that go while the rectangle stays.
    ///
    /// # Errors
    /// As [`Grid::set_terrain_in`]; the map is as before.
    ///
    /// # Complexity
    /// O(cells of the rectangle), otherwise as [`Grid::set_terrains`].
    ///
    /// # Examples
    /// ```
    /// use tilepath::{Bounds, Cell, Grid};
    /// let mut grid = Grid::new(128, 64, 1)?;
    /// assert_eq!(grid.set_void_in(Bounds::new(Cell::new(64, 0), 64, 64)?)?, 64 * 64);
    /// assert!(!grid.contains(Cell::new(64, 0)) && grid.contains(Cell::new(63, 0)));
    /// # Ok::<(), tilepath::GridError>(())
    /// ```
    pub fn set_void_in(&mut self, area: Bounds) -> Result<usize, GridError> {
        self.check_corners(&area)?;
        Ok(self.leave(self.bounds.slots_in(area)))
    }

    /// Whether a rectangle that has cells lies on the map.
    fn check_corners(&self, area: &Bounds) -> Result<(), GridError> {
        if area.is_empty() {
            return Ok(());
        }
        let (right, top) = (area.width() - 1, area.height() - 1);
        let mut corners =
            [(0, 0), (right, 0), (0, top), (right, top)].map(|(x, y)| area.global(x, y)).into_iter();
        match corners.find(|&cell| !self.bounds.contains(cell)) {
            Some(cell) => Err(GridError::OutOfBounds { cell, bounds: self.bounds }),
            None => Ok(()),
        }
    }

    /// Changes the cells of a rectangle and tells which of them are others than before, row by row.
    pub(crate) fn edit_area(&mut self, area: Bounds, class: u8) -> Result<Vec<CellEdit>, GridError> {
        self.check_corners(&area)?;
        let slots = self.bounds.slots_in(area).map(|(cell, slot)| (cell, slot, class));
        Ok(self.edit(area.cell_count(), slots))
    }

    /// Changes as many cells by their slots, which are on the map.
    fn edit(
        &mut self,
        count: usize,
        cells: impl Iterator<Item = (Cell, usize, u8)> + Clone,
    ) -> Vec<CellEdit> {
        let mut edits = Vec::new();
        if cells.clone().all(|(cell, slot, new)| self.classes[slot] == new && self.contains(cell)) {
            return edits;
        }
        edits.reserve(count);
        let Self { bounds, classes, counts, void, revision, journal, .. } = self;
        // Whether a search holds the classes is asked once for all cells: it takes as long as the rest of an edit.
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
            edits.push(CellEdit { cell, old: (!was_void).then_some(old), new });
        }
        edits
    }

    /// Takes cells out of the map by their slots, which are on it; says for how many that made a difference.
    pub(super) fn leave(&mut self, mut cells: impl Iterator<Item = (Cell, usize)>) -> usize {
        let Some(first) = cells.find(|&(cell, _)| self.contains(cell)) else { return 0 };
        let Self { bounds, classes, counts, void, revision, journal, .. } = self;
        let void = void.get_or_insert_with(|| Box::new(BitGrid::new(bounds.width(), bounds.height())));
        let classes = Arc::make_mut(classes); // once, as above
        let before = *revision;
        for (cell, slot) in iter::once(first).chain(cells) {
            let Some((x, y)) = bounds.local(cell).filter(|&(x, y)| !void.get(x, y)) else { continue };
            void.set(x, y, true);
            counts[usize::from(std::mem::take(&mut classes[slot]))] -= 1;
            *revision = revision.next();
            journal.record(slot, Change::Closed);
        }
        (revision.number() - before.number()) as usize
    }
}

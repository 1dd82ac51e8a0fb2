//! Edits of a finder's map, which everything derived from it follows.

use crate::{
    bounds::{Bounds, GridError},
    cell::{Cell, Direction},
    exits::Exits,
    finder::{
        PathFinder, lazy_movement_map::LazyMovementMap, movements::KeptMovement, reachability::LazyRegions,
    },
    grid::{Grid, edits::CellEdit},
    movement_map::area::EditedAreas,
};

impl PathFinder {
    /// Changes the terrain of one cell; says whether that made a difference.
    ///
    /// # Errors
    /// [`GridError::OutOfBounds`]; everything is as before.
    ///
    /// # Complexity
    /// O(movements). Once jump points were asked for, O((width + height) / 64) more, and O(1) for each cell from which a scan now
    /// ends elsewhere. While a paused search still holds the present state, the first edit copies it once.
    pub fn set_terrain(&mut self, cell: Cell, class: u8) -> Result<bool, GridError> {
        let Some(old) = self.grid.terrain(cell) else {
            return self.edit(|grid| grid.set_terrain(cell, class));
        };
        let has_changed = self.grid.set_terrain(cell, class)?;
        if has_changed {
            for KeptMovement { map: movement_map, regions, .. } in &mut self.movements {
                movement_map.follow_edit(&self.grid, cell, (old, class), |area| regions.follow_edits(area));
            }
            self.keep_within_limit();
        }
        Ok(has_changed)
    }

    /// Changes the terrain of many cells, in their order; says how many changes made a difference. What is derived from the map
    /// is renewed once for all of them.
    ///
    /// # Errors
    /// [`GridError::OutOfBounds`] for the first cell that is not on the map; everything is as before.
    ///
    /// # Complexity
    /// O(cells × movements). Once jump points were asked for, O(1) more for each cell from which a scan now ends elsewhere, and
    /// O(cells of the map) at most. While a paused search still holds the present state, the first edit copies it once.
    ///
    /// # Examples
    /// ```
    /// use tilepath::{Cell, Grid, Movement, PathFinder};
    /// let mut finder = PathFinder::new(Grid::new(9, 9, 1)?, Movement::new());
    /// let wall: Vec<(Cell, u8)> = (0..9).map(|y| (Cell::new(4, y), 0)).collect();
    /// assert_eq!(finder.set_terrains(&wall)?, 9);
    /// assert!(finder.find(Cell::new(0, 0), Cell::new(8, 0))?.path().is_none());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn set_terrains(&mut self, cells: &[(Cell, u8)]) -> Result<usize, GridError> {
        let edits = self.grid.edit_cells(cells)?;
        let bounds = self.grid.bounds();
        let edited = EditedAreas::of(edits.iter().filter_map(|edit| bounds.local(edit.cell)));
        self.follow_terrain(&edits, &edited);
        Ok(edits.len())
    }

    /// Changes the terrain of all cells of a rectangle to one class; says for how many that made a difference. What is derived
    /// from the map is renewed once for all of them: a house goes up in the time of a few edits.
    ///
    /// # Errors
    /// [`GridError::OutOfBounds`] for a corner of the rectangle that is not on the map; everything is as before. A rectangle
    /// without cells may lie anywhere.
    ///
    /// # Complexity
    /// As [`PathFinder::set_terrains`].
    ///
    /// # Examples
    /// ```
    /// use tilepath::{Bounds, Cell, Cost, Grid, Movement, PathFinder};
    /// let mut finder = PathFinder::new(Grid::new(20, 20, 1)?, Movement::new());
    /// let house = Bounds::new(Cell::new(5, 0), 6, 5)?;
    /// assert_eq!(finder.set_terrain_in(house, 0)?, 30);
    /// let around = finder.find(Cell::new(0, 0), Cell::new(15, 0))?;
    /// assert!(around.path().is_some_and(|path| path.cost() > Cost::new(150)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn set_terrain_in(&mut self, area: Bounds, class: u8) -> Result<usize, GridError> {
        let edits = self.grid.edit_area(area, class)?;
        let bounds = self.grid.bounds();
        let edited = EditedAreas::together(edits.iter().filter_map(|edit| bounds.local(edit.cell)));
        self.follow_terrain(&edits, &edited);
        Ok(edits.len())
    }

    /// Takes a cell out of the map; see [`Grid::set_void`].
    ///
    /// # Errors
    /// As [`Grid::set_void`]; everything is as before.
    pub fn set_void(&mut self, cell: Cell) -> Result<bool, GridError> {
        self.edit(|grid| grid.set_void(cell))
    }

    /// Takes many cells out of the map; see [`Grid::set_voids`].
    ///
    /// # Errors
    /// As [`Grid::set_voids`]; everything is as before.
    pub fn set_voids(&mut self, cells: &[Cell]) -> Result<usize, GridError> {
        self.edit(|grid| grid.set_voids(cells))
    }

    /// Takes all cells of a rectangle out of the map; see [`Grid::set_void_in`].
    ///
    /// # Errors
    /// As [`Grid::set_void_in`]; everything is as before.
    pub fn set_void_in(&mut self, area: Bounds) -> Result<usize, GridError> {
        self.edit(|grid| grid.set_void_in(area))
    }

    /// Gives cells values under a name; see [`Grid::set_overlay`].
    ///
    /// # Errors
    /// As [`Grid::set_overlay`]; everything is as before.
    ///
    /// # Examples
    /// ```
    /// use tilepath::{Cell, Cost, Grid, Movement, PathFinder};
    /// let mut finder = PathFinder::new(Grid::new(9, 3, 1)?, Movement::new().with_overlay("danger"));
    /// let (from, to) = (Cell::new(0, 1), Cell::new(8, 1));
    /// assert_eq!(finder.find(from, to)?.path().unwrap().cost(), Cost::new(80));
    /// finder.set_overlay("danger", (0..3).map(|y| (Cell::new(4, y), 5)))?; // a tower covers a column
    /// assert_eq!(finder.find(from, to)?.path().unwrap().cost(), Cost::new(130));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn set_overlay(
        &mut self,
        name: &str,
        values: impl IntoIterator<Item = (Cell, u16)>,
    ) -> Result<usize, GridError> {
        self.edit(|grid| grid.set_overlay(name, values))
    }

    /// Takes all values of an overlay away, and says of how many cells.
    pub fn clear_overlay(&mut self, name: &str) -> usize {
        self.edit(|grid| Ok(grid.clear_overlay(name))).unwrap_or(0)
    }

    /// Says in which directions a cell may be left; see [`Grid::set_exits`].
    ///
    /// # Errors
    /// As [`Grid::set_exits`]; everything is as before.
    pub fn set_exits(&mut self, cell: Cell, exits: Exits) -> Result<bool, GridError> {
        self.edit(|grid| grid.set_exits(cell, exits))
    }

    /// The same for any set.
    #[cfg(feature = "recording")]
    pub(crate) fn replace_exits(&mut self, cell: Cell, exits: Exits) -> Result<bool, GridError> {
        self.edit(|grid| grid.replace_exits(cell, exits))
    }

    /// Closes the step from `to` back to `from`; see [`Grid::one_way`].
    ///
    /// # Errors
    /// As [`Grid::one_way`]; everything is as before.
    pub fn one_way(&mut self, from: Cell, to: Cell) -> Result<bool, GridError> {
        self.edit(|grid| grid.one_way(from, to))
    }

    /// Closes the edge between two cells in both directions; see [`Grid::fence`].
    ///
    /// # Errors
    /// As [`Grid::fence`]; everything is as before.
    pub fn fence(&mut self, from: Cell, to: Cell) -> Result<bool, GridError> {
        self.edit(|grid| grid.fence(from, to))
    }

    /// Opens the edge between two cells in both directions; see [`Grid::open_edge`].
    ///
    /// # Errors
    /// As [`Grid::open_edge`]; everything is as before.
    ///
    /// # Complexity
    /// As an edit of two cells. The edge that closes first or opens last on a map costs O(cells of the map) for each movement in use.
    pub fn open_edge(&mut self, from: Cell, to: Cell) -> Result<bool, GridError> {
        self.edit(|grid| grid.open_edge(from, to))
    }

    /// Makes the edge of cells a ledge, to be stepped off in one direction; see [`Grid::ledge`].
    ///
    /// # Errors
    /// As [`Grid::ledge`]; everything is as before.
    pub fn ledge(&mut self, cells: &[Cell], down: Direction) -> Result<bool, GridError> {
        self.edit(|grid| grid.ledge(cells, down))
    }

    /// Makes a cell what it is on another map of the same bounds.
    pub(crate) fn copy_cell(&mut self, other: &Grid, cell: Cell) -> Result<(), GridError> {
        if self.grid.terrain(cell) != other.terrain(cell) {
            match other.terrain(cell) {
                Some(class) => self.set_terrain(cell, class)?,
                None => self.set_void(cell)?,
            };
        }
        if let Some(exits) = other.exits(cell).filter(|&exits| self.grid.exits(cell) != Some(exits)) {
            self.edit(|grid| grid.replace_exits(cell, exits))?;
        }
        for name in other.overlay_names() {
            let value = other.overlay(name, cell);
            if value != self.grid.overlay(name, cell) {
                self.edit(|grid| grid.set_overlay(name, [(cell, value)]))?;
            }
        }
        Ok(())
    }

    /// Brings what is derived from the map in step with classes that it has just taken, in these rectangles.
    fn follow_terrain(&mut self, edits: &[CellEdit], edited: &EditedAreas) {
        if edits.is_empty() {
            return;
        }
        for KeptMovement { map: movement_map, regions, .. } in &mut self.movements {
            movement_map.follow_terrain(&self.grid, edits, edited, |area| regions.follow_edits(area));
        }
        self.keep_within_limit();
    }

    /// Edits the map, and lets all that is derived from it follow.
    fn edit<T>(&mut self, edit: impl FnOnce(&mut Grid) -> Result<T, GridError>) -> Result<T, GridError> {
        let before = self.grid.revision();
        let edited = edit(&mut self.grid)?;
        let cells: Option<Vec<Cell>> = self.grid.changes_since(before).map(Iterator::collect);
        for KeptMovement { map: movement_map, regions, .. } in &mut self.movements {
            if let Some(cells) = &cells {
                movement_map.follow_edits(&self.grid, cells, |area| regions.follow_edits(area));
            } else {
                *movement_map = LazyMovementMap::new(movement_map.movement().clone(), &self.grid);
                *regions = LazyRegions::default();
            }
        }
        self.keep_within_limit();
        Ok(edited)
    }
}

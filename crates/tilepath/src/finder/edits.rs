//! Many cells changed at once.

use crate::{
    bounds::{Bounds, GridError},
    cell::Cell,
    finder::PathFinder,
    grid::edits::CellEdit,
};

impl PathFinder {
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
        self.follow_edits(&edits);
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
        self.follow_edits(&edits);
        Ok(edits.len())
    }

    /// Brings what is derived from the map in step with edits that it has just taken.
    fn follow_edits(&mut self, edits: &[CellEdit]) {
        if edits.is_empty() {
            return;
        }
        let bounds = self.grid.bounds();
        for (movement_map, regions) in self.movement_maps.iter_mut().zip(&mut self.regions) {
            let costs = movement_map.movement().costs();
            let turned =
                edits.iter().filter(|edit| costs.is_passable(edit.old) != costs.is_passable(edit.new));
            for (x, y) in turned.filter_map(|edit| bounds.local(edit.cell)) {
                regions.follow_edit(x, y);
            }
            movement_map.follow_edits(&self.grid, edits);
        }
    }
}

//! Copies of cells that a side sees into its memory.

use tilepath::{Cell, Edit, GridError};

use crate::map::nav_grid::NavGrid;

impl NavGrid {
    /// Copies cells of another map, the truth, into this map, and returns the number of changes. Use it
    /// on a [`NavMemory`](crate::maps::NavMemory), before each step of its units, with the cells that
    /// they see ([`NavView::cells_in_view`](crate::NavView::cells_in_view)).
    ///
    /// After the call these cells have the class, the exits and all overlay values of the truth, or they
    /// are void as there. The walls of obstacles and the values of areas on the truth are included. So
    /// the memory keeps a house, as a wall, until the side looks there again.
    ///
    /// - An overlay of the memory's own, such as a danger that the side has marked, loses its values on
    ///   these cells: mark them again after the call.
    /// - An obstacle on the memory itself keeps its cells closed, as for [`edit`](Self::edit).
    ///
    /// # Errors
    /// The map is then unchanged.
    /// - [`GridError::DifferentMaps`] if the truth has another size, origin or topology. The error names
    ///   both maps.
    /// - [`GridError::OutOfBounds`] names the first cell outside the rectangle of the map.
    ///
    /// # Complexity
    /// O(cells), for each overlay. Only cells that differ are edited. Then it takes the work of
    /// [`edit`](Self::edit).
    ///
    /// # Examples
    /// ```
    /// use bevy_tilepath::{Cell, NavGrid, tilepath::{Grid, GridError}};
    ///
    /// let mut truth = NavGrid::new(Grid::new(9, 9, 1)?);
    /// truth.set_terrain(Cell::new(4, 4), 0)?;
    /// let mut memory = NavGrid::new(Grid::from_tiles(truth.bounds(), [])?);
    /// assert_eq!(memory.reveal(&truth, [Cell::new(3, 4), Cell::new(4, 4)])?, 2);
    /// assert_eq!([3, 4, 5].map(|x| memory.terrain(Cell::new(x, 4))), [Some(1), Some(0), None]);
    ///
    /// let other = NavGrid::new(Grid::new(8, 9, 1)?);
    /// assert!(matches!(memory.reveal(&other, []), Err(GridError::DifferentMaps { .. })));
    /// # Ok::<(), GridError>(())
    /// ```
    pub fn reveal(
        &mut self,
        truth: &Self,
        cells: impl IntoIterator<Item = Cell>,
    ) -> Result<usize, GridError> {
        let mut hidden = Vec::new();
        let cells = cells.into_iter().inspect(|&cell| {
            // The searched grid does not show the own terrain under an obstacle.
            if self.is_under_obstacle(cell) {
                let terrain = truth.terrain(cell);
                hidden.push(terrain.map_or(Edit::void(cell), |class| Edit::terrain(cell, class)));
            }
        });
        let mut edits = self.grid().edits_to_match(truth.grid(), cells)?;
        edits.append(&mut hidden);
        if edits.is_empty() { Ok(0) } else { self.edit(&edits) }
    }
}

//! Cells, edges and overlays of a map are edited.

use tilepath::{Cell, Direction, GridError};
use tracing::warn;

use crate::map::nav_grid::{NavGrid, WALL};

impl NavGrid {
    /// Changes the terrain of a cell and returns whether its own terrain changed. Under an obstacle
    /// the new terrain shows once the obstacle is gone.
    ///
    /// For maps without tiles. On a map that tilemaps fill change the [`Terrain`](crate::Terrain) of the tile instead: an edit
    /// here holds until that tile changes, or the map is read again as a whole, and a warning says so.
    ///
    /// # Errors
    /// [`GridError::OutOfBounds`] if the cell is not on the map.
    pub fn set_terrain(&mut self, cell: Cell, class: u8) -> Result<bool, GridError> {
        if let Some((tilemap, _)) = self.tilemaps.first()
            && self.bounds().contains(cell)
            && self.first_edit.is_none()
        {
            warn!(
                "NavGrid::set_terrain edits the cell {cell} of a map that the tilemap {tilemap} fills: that holds until the tile \
                 there changes or the map is read again as a whole; change the Terrain of the tile instead"
            );
            self.first_edit = Some(cell);
        }
        if let Some(covered) = self.covered.get_mut(&cell) {
            let changed = covered.terrain != Some(class);
            covered.terrain = Some(class);
            if changed && self.terrain(cell).is_none() {
                self.write(cell, Some(WALL));
            }
            return Ok(changed);
        }
        self.finder.set_terrain(cell, class)
    }

    /// Closes the step from `to` back to `from`; see [`Grid::one_way`](tilepath::Grid::one_way). On a tilemap put
    /// [`OneWay`](crate::maps::OneWay) on the tile.
    ///
    /// # Errors
    /// As [`Grid::one_way`](tilepath::Grid::one_way); the map is as before.
    pub fn one_way(&mut self, from: Cell, to: Cell) -> Result<bool, GridError> {
        self.finder.one_way(from, to)
    }

    /// Closes the edge between two cells in both directions; see [`Grid::fence`](tilepath::Grid::fence). On a tilemap put
    /// [`Fence`](crate::maps::Fence) on one of the tiles.
    ///
    /// # Errors
    /// As [`Grid::fence`](tilepath::Grid::fence); the map is as before.
    pub fn fence(&mut self, from: Cell, to: Cell) -> Result<bool, GridError> {
        self.finder.fence(from, to)
    }

    /// Opens the edge between two cells in both directions.
    ///
    /// # Errors
    /// As [`Grid::open_edge`](tilepath::Grid::open_edge); the map is as before.
    pub fn open_edge(&mut self, from: Cell, to: Cell) -> Result<bool, GridError> {
        self.finder.open_edge(from, to)
    }

    /// Makes the edge of cells in a straight direction a ledge; see [`Grid::ledge`](tilepath::Grid::ledge). On a tilemap put
    /// [`Ledge`](crate::maps::Ledge) on the tiles.
    ///
    /// # Errors
    /// As [`Grid::ledge`](tilepath::Grid::ledge); the map is as before.
    pub fn ledge(&mut self, cells: &[Cell], down: Direction) -> Result<bool, GridError> {
        self.finder.ledge(cells, down)
    }

    /// Gives cells values under a name, for units whose movement names it; see
    /// [`Grid::set_overlay`](tilepath::Grid::set_overlay). For what lies around an entity use
    /// [`OverlayArea`](crate::maps::OverlayArea).
    ///
    /// # Errors
    /// As [`Grid::set_overlay`](tilepath::Grid::set_overlay); the map is as before.
    pub fn set_overlay(
        &mut self,
        name: &str,
        values: impl IntoIterator<Item = (Cell, u16)>,
    ) -> Result<usize, GridError> {
        self.finder.set_overlay(name, values)
    }

    /// Says in which directions a cell may be left, and whether that made a difference.
    #[cfg(feature = "tilemap")]
    pub(crate) fn write_exits(&mut self, cell: Cell, exits: tilepath::Exits) -> bool {
        if self.grid().exits(cell) == Some(exits) {
            return false;
        }
        if exits == tilepath::Exits::NONE {
            // One by one: a set without any is no answer, but edges from all sides make it.
            let around =
                self.grid().topology().directions().iter().map(|direction| cell + direction.offset());
            return around
                .fold(false, |changed, next| self.finder.one_way(next, cell).unwrap_or(false) | changed);
        }
        self.finder.set_exits(cell, exits).unwrap_or(false)
    }

    pub(super) fn write(&mut self, cell: Cell, class: Option<u8>) {
        match class {
            Some(class) => self.finder.set_terrain(cell, class),
            None => self.finder.set_void(cell),
        }
        .expect("the cell was found on this map");
    }

    /// Writes cells of the map, void ones without a class; under obstacles they show once these are gone. Says whether that
    /// made a difference.
    #[cfg(feature = "tilemap")]
    pub(crate) fn write_cells(&mut self, cells: &[(Cell, Option<u8>)]) -> bool {
        let mut changed = false;
        let (mut classes, mut voids) = (Vec::with_capacity(cells.len()), Vec::new());
        for &(cell, class) in cells {
            let mut shown = class;
            if let Some(covered) = self.covered.get_mut(&cell) {
                changed |= covered.terrain != class;
                covered.terrain = class;
                shown = class.map(|_| WALL);
            }
            match shown {
                Some(class) => classes.push((cell, class)),
                None => voids.push(cell),
            }
        }
        let on_map = "the cells lie within the map's bounds";
        changed |= self.finder.set_terrains(&classes).expect(on_map) > 0;
        changed | (self.finder.set_voids(&voids).expect(on_map) > 0)
    }
}

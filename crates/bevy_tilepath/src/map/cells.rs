//! Cells from and to the coordinates of other crates.

use bevy_math::{IVec2, UVec2};
use tilepath::Cell;

/// A cell, or a type that converts to a cell and back: a [`Cell`] or its coordinates.
///
/// `TilePos` does not implement this trait: the cell of a tile depends on the
/// [`Lattice`](crate::maps::Lattice) of the map.
///
/// ```
/// use bevy_math::{IVec2, UVec2};
/// use bevy_tilepath::{maps::ToCell, Cell};
///
/// let cell = Cell::new(3, 4);
/// assert_eq!([(3, 4).to_cell(), IVec2::new(3, 4).to_cell(), UVec2::new(3, 4).to_cell()], [cell; 3]);
/// assert_eq!((cell.to_ivec2(), cell.to_uvec2()), (IVec2::new(3, 4), Some(UVec2::new(3, 4))));
/// assert_eq!(Cell::new(-1, 0).to_uvec2(), None);
/// ```
pub trait ToCell: Copy {
    /// Returns the cell. A coordinate that does not fit into `i32` becomes the limit of `i32`,
    /// where no map has cells.
    fn to_cell(self) -> Cell;

    /// Returns the coordinates of the cell.
    fn to_ivec2(self) -> IVec2 {
        let Cell { x, y } = self.to_cell();
        IVec2::new(x, y)
    }

    /// Returns the coordinates of the cell, or `None` if a coordinate is negative.
    fn to_uvec2(self) -> Option<UVec2> {
        UVec2::try_from(self.to_ivec2()).ok()
    }
}

impl ToCell for Cell {
    fn to_cell(self) -> Cell {
        self
    }
}

impl ToCell for (i32, i32) {
    fn to_cell(self) -> Cell {
        self.into()
    }
}

impl ToCell for IVec2 {
    fn to_cell(self) -> Cell {
        Cell::new(self.x, self.y)
    }
}

impl ToCell for UVec2 {
    fn to_cell(self) -> Cell {
        let [x, y] = [self.x, self.y].map(|coordinate| i32::try_from(coordinate).unwrap_or(i32::MAX));
        Cell::new(x, y)
    }
}

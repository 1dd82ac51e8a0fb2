//! The rectangle of cells that a map covers.

pub(crate) mod overlap;

use crate::{cell::Cell, topology::Topology};
use std::fmt;
use thiserror::Error;

/// The index of a cell in a [`Bounds`], from 0. It counts row by row from the lowest row, and in
/// each row from the lowest column. Use slots for lists with one entry per cell, such as
/// [`Grid::classes`](crate::Grid::classes).
pub type Slot = usize;

/// The rectangle of cells that a map covers. It converts between cells and [slots](Slot).
///
/// Slots are row-major from the lowest row: `(y - origin.y) * width + (x - origin.x)`.
///
/// # Examples
/// ```
/// use tilepath::{Bounds, Cell};
/// let bounds = Bounds::new(Cell::new(-2, 0), 5, 3)?;
/// assert_eq!(bounds.slot(Cell::new(-2, 1)), Some(5));
/// assert_eq!(bounds.cell(5), Some(Cell::new(-2, 1)));
/// assert_eq!(bounds.slot(Cell::new(3, 0)), None);
/// # Ok::<(), tilepath::GridError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(try_from = "crate::stored::StoredBounds"))]
pub struct Bounds {
    origin: Cell,
    width: u32,
    height: u32,
}

impl Bounds {
    /// The longest side of a map, in cells.
    pub const MAX_SIDE: u32 = 65_535;
    /// The largest number of cells of a map.
    pub const MAX_CELLS: u64 = 1 << 28;

    /// Creates a rectangle of `width` × `height` cells; `origin` is the cell at the lowest column
    /// and the lowest row. If a side is 0, the rectangle has no cells.
    ///
    /// # Errors
    /// - [`GridError::MapTooLarge`]: a side is longer than [`Bounds::MAX_SIDE`], or the number of
    ///   cells is larger than [`Bounds::MAX_CELLS`].
    /// - [`GridError::OriginOutOfRange`]: the far corner would pass the range of `i32`.
    pub fn new(origin: Cell, width: u32, height: u32) -> Result<Self, GridError> {
        let cells = u64::from(width) * u64::from(height);
        if width > Self::MAX_SIDE || height > Self::MAX_SIDE || cells > Self::MAX_CELLS {
            return Err(GridError::MapTooLarge { width, height });
        }
        if origin.x.checked_add_unsigned(width).is_none() || origin.y.checked_add_unsigned(height).is_none() {
            return Err(GridError::OriginOutOfRange { origin, width, height });
        }
        Ok(Self { origin, width, height })
    }

    /// Returns the cell at the lowest column and the lowest row. Its slot is 0.
    #[must_use]
    pub const fn origin(&self) -> Cell {
        self.origin
    }

    /// Returns the number of columns.
    #[must_use]
    pub const fn width(&self) -> u32 {
        self.width
    }

    /// Returns the number of rows.
    #[must_use]
    pub const fn height(&self) -> u32 {
        self.height
    }

    /// Returns the number of cells: columns × rows.
    #[must_use]
    pub const fn cell_count(&self) -> usize {
        self.width as usize * self.height as usize
    }

    /// Returns whether the rectangle has no cells.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.width == 0 || self.height == 0
    }

    /// Returns whether the cell is in the rectangle. It never panics, for any coordinates.
    #[must_use]
    pub fn contains(&self, cell: Cell) -> bool {
        self.local(cell).is_some()
    }

    /// Returns the slot of a cell, or `None` if the cell is outside.
    #[must_use]
    pub fn slot(&self, cell: Cell) -> Option<Slot> {
        let (x, y) = self.local(cell)?;
        Some(y as usize * self.width as usize + x as usize)
    }

    /// Returns the cell of a slot, or `None` if the slot is higher than the slot of the last cell.
    #[must_use]
    pub fn cell(&self, slot: Slot) -> Option<Cell> {
        (slot < self.cell_count()).then(|| {
            let width = self.width as usize;
            self.global((slot % width) as u32, (slot / width) as u32)
        })
    }

    /// Returns every cell in the order of its slot: the lowest row first, and each row from west to
    /// east.
    pub fn cells(&self) -> impl Iterator<Item = Cell> + use<> {
        let bounds = *self;
        (0..self.height).flat_map(move |y| (0..bounds.width).map(move |x| bounds.global(x, y)))
    }

    /// Returns column and row counted from the origin, or `None` if the cell is outside.
    pub(crate) fn local(&self, cell: Cell) -> Option<(u32, u32)> {
        // No side exceeds the range of `i32`. So the wrapped difference is less than the side only
        // for cells inside.
        let x = cell.x.wrapping_sub(self.origin.x) as u32;
        let y = cell.y.wrapping_sub(self.origin.y) as u32;
        (x < self.width && y < self.height).then_some((x, y))
    }

    /// Returns the cell this many columns and rows from the origin. The caller must ensure that it
    /// is inside.
    pub(crate) fn global(&self, x: u32, y: u32) -> Cell {
        Cell { x: self.origin.x.wrapping_add_unsigned(x), y: self.origin.y.wrapping_add_unsigned(y) }
    }
}

impl fmt::Display for Bounds {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { origin, width, height } = self;
        write!(formatter, "{width} × {height} cells from {origin}")
    }
}

/// The error of a map that cannot be created or edited.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum GridError {
    /// A side is longer than [`Bounds::MAX_SIDE`], or the number of cells is larger than
    /// [`Bounds::MAX_CELLS`]. No memory was allocated.
    #[error(
        "a map of {width} × {height} cells is too large: sides go to {max_side} and cells to {max_cells}; split it into several maps",
        max_side = Bounds::MAX_SIDE,
        max_cells = Bounds::MAX_CELLS
    )]
    MapTooLarge {
        /// The requested number of columns.
        width: u32,
        /// The requested number of rows.
        height: u32,
    },
    /// The far corner would pass the range of `i32`.
    #[error(
        "a map of {width} × {height} cells from {origin} passes the range of 32-bit coordinates; move its origin"
    )]
    OriginOutOfRange {
        /// The requested origin.
        origin: Cell,
        /// The number of columns.
        width: u32,
        /// The number of rows.
        height: u32,
    },
    /// The given list does not have exactly one entry for each cell of the map.
    #[error("the map needs {expected} terrain classes, one a cell, row by row, but {found} were given")]
    WrongCellCount {
        /// The number of cells of the map.
        expected: usize,
        /// The number of entries given.
        found: usize,
    },
    /// The cell is not on the map.
    #[error("cell {cell} is not on the map of {bounds}")]
    OutOfBounds {
        /// The cell that is not on the map.
        cell: Cell,
        /// The map's rectangle.
        bounds: Bounds,
    },
    /// Two cells do not touch, so there is no edge between them.
    #[error("there is no edge between {from} and {to}; name two cells that touch")]
    NotNeighbours {
        /// The first cell.
        from: Cell,
        /// The second cell.
        to: Cell,
    },
    /// Two maps were compared that do not have the same rectangle and the same shape of cells.
    #[error(
        "a map of {bounds}, {topology}, cannot follow a map of {other_bounds}, {other_topology}; give both the same \
        size, origin and topology"
    )]
    DifferentMaps {
        /// The rectangle of the map that was to be changed.
        bounds: Bounds,
        /// The shape of its cells.
        topology: Topology,
        /// The rectangle of the other map.
        other_bounds: Bounds,
        /// The shape of the other map's cells.
        other_topology: Topology,
    },
    /// The set of exits is empty.
    #[error("cell {cell} would have no exit; leave it one, or close the cell by its terrain")]
    NoExit {
        /// The cell of the edit.
        cell: Cell,
    },
}

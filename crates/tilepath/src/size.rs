//! The size of a unit's footprint.

use crate::cell::Cell;
use thiserror::Error;

/// The size of a unit's footprint: the side of a square of 1 × 1 to 8 × 8 cells.
///
/// The unit's cell is its anchor: the lowest and leftmost cell of the footprint. For example, a
/// unit of size 2 at (3, 4) covers (3, 4), (4, 4), (3, 5) and (4, 5).
///
/// # Examples
/// ```
/// use tilepath::{Cell, Size};
/// let tank = Size::new(2)?;
/// let covered: Vec<Cell> = tank.footprint(Cell::new(3, 4)).collect();
/// assert_eq!(covered, [(3, 4), (4, 4), (3, 5), (4, 5)].map(Cell::from));
/// assert!(Size::new(9).is_err());
/// # Ok::<(), tilepath::SizeError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(try_from = "u8", into = "u8"))]
#[doc(alias = "footprint")]
#[doc(alias = "clearance")]
pub struct Size(u8);

impl Size {
    /// One cell: the default.
    pub const ONE: Self = Self(1);
    /// The largest side, in cells.
    pub const MAX: u8 = 8;

    /// Creates a footprint of `side` × `side` cells.
    ///
    /// # Errors
    /// [`SizeError`] unless `1 ≤ side ≤ 8`.
    pub const fn new(side: u8) -> Result<Self, SizeError> {
        if side >= 1 && side <= Self::MAX { Ok(Self(side)) } else { Err(SizeError { side }) }
    }

    /// Returns the side, in cells.
    #[inline]
    #[must_use]
    pub const fn side(self) -> u8 {
        self.0
    }

    /// Returns the cells under a unit with this anchor, row by row from the lowest row, each row
    /// from west to east. Cells whose coordinates would leave the range of `i32` are left out.
    pub fn footprint(self, anchor: Cell) -> impl Iterator<Item = Cell> + Clone {
        let side = i32::from(self.0);
        (0..side).flat_map(move |dy| (0..side).map(move |dx| (dx, dy))).filter_map(move |(dx, dy)| {
            Some(Cell { x: anchor.x.checked_add(dx)?, y: anchor.y.checked_add(dy)? })
        })
    }
}

impl Default for Size {
    fn default() -> Self {
        Self::ONE
    }
}

impl TryFrom<u8> for Size {
    type Error = SizeError;

    fn try_from(side: u8) -> Result<Self, Self::Error> {
        Self::new(side)
    }
}

impl From<Size> for u8 {
    fn from(size: Size) -> Self {
        size.0
    }
}

/// The error for a side that is not from 1 to 8 cells.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
#[error("a unit cannot have size {side}; use a side of 1 to {max} cells", max = Size::MAX)]
#[non_exhaustive]
pub struct SizeError {
    /// The side given.
    pub side: u8,
}

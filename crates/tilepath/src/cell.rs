//! Cells and the eight directions between them.

use std::{
    fmt,
    ops::{Add, AddAssign, Sub, SubAssign},
};

/// A cell of a grid, by its column `x` and its row `y`. Rows count upwards.
///
/// Coordinates may be negative if the origin of the grid is negative.
///
/// # Examples
/// ```
/// use tilepath::{Cell, Direction};
/// let cell = Cell::new(3, 4);
/// assert_eq!(cell.neighbour(Direction::NorthWest), Some(Cell::new(2, 5)));
/// assert_eq!(cell.to_string(), "(3, 4)");
/// assert_eq!(cell + (1, -2), Cell::new(4, 2));
/// assert_eq!(<(i32, i32)>::from(cell - Cell::new(1, 1)), (2, 3));
/// assert_eq!(Cell::from([i32::MAX, 0]) + (1, 0), Cell::new(i32::MAX, 0)); // stays on the plane
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(from = "(i32, i32)", into = "(i32, i32)"))]
pub struct Cell {
    /// The column, growing to the east.
    pub x: i32,
    /// The row, growing to the north.
    pub y: i32,
}

impl Cell {
    /// Creates the cell at column `x`, row `y`.
    #[must_use]
    pub const fn new(x: i32, y: i32) -> Self {
        Self { x, y }
    }

    /// Returns the neighbour cell in a direction, or `None` if a coordinate would leave the range
    /// of `i32`.
    #[must_use]
    pub fn neighbour(self, direction: Direction) -> Option<Self> {
        let (dx, dy) = direction.offset();
        Some(Self { x: self.x.checked_add(dx)?, y: self.y.checked_add(dy)? })
    }
}

impl From<(i32, i32)> for Cell {
    fn from((x, y): (i32, i32)) -> Self {
        Self { x, y }
    }
}

impl From<Cell> for (i32, i32) {
    fn from(cell: Cell) -> Self {
        (cell.x, cell.y)
    }
}

impl From<[i32; 2]> for Cell {
    fn from([x, y]: [i32; 2]) -> Self {
        Self { x, y }
    }
}

impl From<Cell> for [i32; 2] {
    fn from(cell: Cell) -> Self {
        [cell.x, cell.y]
    }
}

impl<T: Into<Self>> Add<T> for Cell {
    type Output = Self;

    /// Returns the cell that lies this many columns and rows further. If a coordinate would leave
    /// the range of `i32`, it stays at the end of the range. To detect this case, add the
    /// coordinates yourself.
    fn add(self, offset: T) -> Self {
        let Self { x, y } = offset.into();
        Self { x: self.x.saturating_add(x), y: self.y.saturating_add(y) }
    }
}

impl<T: Into<Self>> Sub<T> for Cell {
    type Output = Self;

    /// Returns the cell that lies this many columns and rows back; for two cells, the offset
    /// between them. If a coordinate would leave the range of `i32`, it stays at the end of the
    /// range.
    fn sub(self, offset: T) -> Self {
        let Self { x, y } = offset.into();
        Self { x: self.x.saturating_sub(x), y: self.y.saturating_sub(y) }
    }
}

impl<T: Into<Self>> AddAssign<T> for Cell {
    fn add_assign(&mut self, offset: T) {
        *self = *self + offset;
    }
}

impl<T: Into<Self>> SubAssign<T> for Cell {
    fn sub_assign(&mut self, offset: T) {
        *self = *self - offset;
    }
}

impl fmt::Display for Cell {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "({}, {})", self.x, self.y)
    }
}

/// One of the eight compass directions. A step to the north increases y, a step to the east
/// increases x.
///
/// Every search tries neighbour cells in the order of these variants, and uses this order for ties.
/// The order does not change within a version of this crate.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[repr(u8)]
pub enum Direction {
    /// Up.
    North,
    /// Up and right.
    NorthEast,
    /// Right.
    East,
    /// Down and right.
    SouthEast,
    /// Down.
    South,
    /// Down and left.
    SouthWest,
    /// Left.
    West,
    /// Up and left.
    NorthWest,
}

const OFFSETS: [(i32, i32); 8] = [(0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1)];

impl Direction {
    /// All eight directions, clockwise from north.
    pub const ALL: [Self; 8] = [
        Self::North,
        Self::NorthEast,
        Self::East,
        Self::SouthEast,
        Self::South,
        Self::SouthWest,
        Self::West,
        Self::NorthWest,
    ];

    /// Returns the numbers that one step in this direction adds to x and y.
    #[inline]
    #[must_use]
    pub const fn offset(self) -> (i32, i32) {
        OFFSETS[self as usize]
    }

    /// Returns whether the direction is diagonal, so that a step changes both x and y.
    #[inline]
    #[must_use]
    pub const fn is_diagonal(self) -> bool {
        self as u8 & 1 == 1
    }

    /// Returns the opposite direction.
    #[inline]
    #[must_use]
    pub const fn opposite(self) -> Self {
        self.turned(4)
    }

    /// Returns the direction after a clockwise turn by this many eighths of a full turn.
    #[inline]
    #[must_use]
    pub const fn turned(self, eighths: usize) -> Self {
        Self::ALL[(self as usize + eighths) % 8]
    }

    /// Returns the set of some directions: bit n for the nth of [`ALL`](Self::ALL).
    pub(crate) fn set_of(directions: impl IntoIterator<Item = Self>) -> u8 {
        directions.into_iter().fold(0, |set, direction| set | 1 << direction as u8)
    }

    /// Returns the directions of a set, in compass order.
    pub(crate) fn in_set(set: u8) -> impl Iterator<Item = Self> {
        Self::ALL.into_iter().filter(move |&direction| set >> direction as u8 & 1 == 1)
    }

    /// Returns the direction of the step from one cell to a cell that touches it. Returns `None` if
    /// the cells are equal or do not touch.
    ///
    /// # Examples
    /// ```
    /// use tilepath::{Cell, Direction};
    /// assert_eq!(Direction::between(Cell::new(0, 0), Cell::new(1, -1)), Some(Direction::SouthEast));
    /// assert_eq!(Direction::between(Cell::new(0, 0), Cell::new(2, 0)), None);
    /// ```
    #[must_use]
    pub fn between(from: Cell, to: Cell) -> Option<Self> {
        let offset = (to.x.checked_sub(from.x)?, to.y.checked_sub(from.y)?);
        OFFSETS.iter().position(|&candidate| candidate == offset).map(|index| Self::ALL[index])
    }
}

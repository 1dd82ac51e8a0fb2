//! Layouts of a tilemap's tiles, and their cells.

use crate::{
    bounds::{Bounds, GridError},
    cell::Cell,
    text::UnknownName,
    topology::Topology,
};
use std::{fmt, str::FromStr};

/// The layout of a tilemap's tiles. It converts between tiles and the cells of a map.
///
/// Use a lattice if tiles come from an editor or a tilemap. Tiles that are neighbours on the drawn
/// map become cells that are neighbours.
///
/// In four lattices, a tile and its cell have the same coordinates: [`Square`](Self::Square),
/// [`Diamond`](Self::Diamond), [`HexRow`](Self::HexRow) and [`HexColumn`](Self::HexColumn). The
/// other five lattices are staircases: each column or row of cells is shifted against the column or
/// row before.
///
/// The [rectangle around all cells](Self::bounds_of) of a staircase has more cells than the tilemap
/// has tiles. The cells without a tile are [void](crate::Grid::from_tiles).
///
/// # Units
/// Columns count to the east and rows to the north, so tile (0, 0) is at the lower left. If the
/// rows of your tilemap count from the top, see [`counted_from_top`](Self::counted_from_top).
///
/// # Examples
/// ```
/// use tilepath::{Cell, Grid, Lattice, Topology};
///
/// let lattice: Lattice = "hex-row-odd".parse()?;
/// assert_eq!((lattice, lattice.topology()), (Lattice::HexRowOdd, Topology::Hexagonal));
/// assert_eq!(lattice.cell_of((3, 5)), Cell::new(1, 5));
/// assert_eq!(lattice.tile_of(Cell::new(1, 5)), (3, 5));
///
/// // A map of 20 by 10 tiles, all of class 1.
/// let tiles = (0..10).flat_map(|y| (0..20).map(move |x| (lattice.cell_of((x, y)), 1)));
/// let grid = Grid::from_tiles(lattice.bounds_of(20, 10)?, tiles)?.with_topology(lattice.topology());
/// assert_eq!((grid.width(), grid.height(), grid.class_count(1)), (24, 10, 200));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
#[non_exhaustive]
pub enum Lattice {
    /// Rectangles side by side, with eight directions. This is the default.
    #[default]
    Square,
    /// Diamonds with eight directions. x grows to the lower right and y to the upper right.
    #[doc(alias = "isometric")]
    Diamond,
    /// Diamonds, each row half a tile to the right of the row below. The directions are as in
    /// [`Diamond`](Self::Diamond): a step to the north, east, south or west crosses a side of a
    /// diamond. Tile (x, y) is cell (x, x + y).
    Staggered,
    /// Hexagons with a corner at the top. Each row lies half a tile to the right of the row below.
    HexRow,
    /// Hexagons with a corner at the top. Odd rows lie half a tile to the right of even rows. Tile
    /// (x, y) is cell (x − ⌊y/2⌋, y).
    HexRowOdd,
    /// Hexagons with a corner at the top. Even rows lie half a tile to the right of odd rows. Tile
    /// (x, y) is cell (x − ⌊(y+1)/2⌋, y).
    HexRowEven,
    /// Hexagons with a side at the top. Each column lies half a tile above the column to its left.
    HexColumn,
    /// Hexagons with a side at the top. Odd columns lie half a tile above even columns. Tile (x, y)
    /// is cell (x, y − ⌊x/2⌋).
    HexColumnOdd,
    /// Hexagons with a side at the top. Even columns lie half a tile above odd columns. Tile (x, y)
    /// is cell (x, y − ⌊(x+1)/2⌋).
    HexColumnEven,
}

impl Lattice {
    /// All lattices.
    pub const ALL: &'static [Self] = &[
        Self::Square,
        Self::Diamond,
        Self::Staggered,
        Self::HexRow,
        Self::HexRowOdd,
        Self::HexRowEven,
        Self::HexColumn,
        Self::HexColumnOdd,
        Self::HexColumnEven,
    ];

    /// Returns the topology of the cells. The topology sets which cells are neighbours.
    #[must_use]
    pub const fn topology(self) -> Topology {
        match self {
            Self::Square | Self::Diamond | Self::Staggered => Topology::Square,
            Self::HexRow
            | Self::HexRowOdd
            | Self::HexRowEven
            | Self::HexColumn
            | Self::HexColumnOdd
            | Self::HexColumnEven => Topology::Hexagonal,
        }
    }

    /// Returns the cell of a tile. Coordinates outside the range of `i32` become the nearest number
    /// in the range. No map has cells there.
    #[inline]
    #[must_use]
    pub fn cell_of(self, tile: (i32, i32)) -> Cell {
        let (x, y) = (i64::from(tile.0), i64::from(tile.1));
        limited(x + self.right(y), y + self.up(x)).into()
    }

    /// Returns the tile of a cell: the inverse of [`cell_of`](Self::cell_of). The tilemap is taken
    /// as endless. Coordinates outside the range of `i32` become the nearest number in the range.
    #[inline]
    #[must_use]
    pub fn tile_of(self, cell: Cell) -> (i32, i32) {
        let (x, y) = (i64::from(cell.x), i64::from(cell.y));
        // A lattice shifts either rows or columns, by an amount that depends on the unchanged
        // coordinate.
        limited(x - self.right(y), y - self.up(x))
    }

    /// Returns the shift to the east of the cells in a row of tiles.
    #[inline]
    const fn right(self, row: i64) -> i64 {
        match self {
            Self::HexRowOdd => -row.div_euclid(2),
            Self::HexRowEven => -(row + 1).div_euclid(2),
            _ => 0,
        }
    }

    /// Returns the shift to the north of the cells in a column of tiles.
    #[inline]
    const fn up(self, column: i64) -> i64 {
        match self {
            Self::Staggered => column,
            Self::HexColumnOdd => -column.div_euclid(2),
            Self::HexColumnEven => -(column + 1).div_euclid(2),
            _ => 0,
        }
    }

    /// Returns whether every cell in the rectangle around the cells has a tile. In a staircase,
    /// some cells have no tile.
    #[must_use]
    pub const fn is_rectangular(self) -> bool {
        matches!(self, Self::Square | Self::Diamond | Self::HexRow | Self::HexColumn)
    }

    /// Returns the rectangle around the cells of a tilemap of `width` by `height` tiles whose first tile is (0, 0).
    ///
    /// # Errors
    /// [`GridError::MapTooLarge`] if a side of the rectangle is too long, or if it has too many cells.
    /// The rectangle of a staircase has more cells than tiles.
    ///
    /// # Examples
    /// ```
    /// use tilepath::{Cell, Lattice};
    ///
    /// let bounds = Lattice::Staggered.bounds_of(20, 10)?;
    /// assert_eq!((bounds.width(), bounds.height()), (20, 29));
    /// let bounds = Lattice::HexColumnEven.bounds_of(20, 10)?;
    /// assert_eq!((bounds.origin(), bounds.width(), bounds.height()), (Cell::new(0, -10), 20, 20));
    /// # Ok::<(), tilepath::GridError>(())
    /// ```
    pub fn bounds_of(self, width: u32, height: u32) -> Result<Bounds, GridError> {
        if width == 0 || height == 0 {
            return Bounds::new(Cell::default(), width, height);
        }
        let (last_column, last_row) = (i64::from(width) - 1, i64::from(height) - 1);
        let (right, up) = (self.right(last_row), self.up(last_column));
        let side = |length: u32, moved: i64| {
            u32::try_from(moved.unsigned_abs()).map_or(u32::MAX, |moved| length.saturating_add(moved))
        };
        Bounds::new(limited(right.min(0), up.min(0)).into(), side(width, right), side(height, up))
    }

    /// Converts the lattice of a tilemap whose rows are counted from the top to rows counted from
    /// the bottom. `rows` is the number of rows.
    ///
    /// Row `r` from the top is row `rows − 1 − r` from the bottom. If the number of rows is even,
    /// odd rows from the top are even rows from the bottom, so [`HexRowOdd`](Self::HexRowOdd) and
    /// [`HexRowEven`](Self::HexRowEven) swap. All other lattices stay the same, because left,
    /// right, above and below do not depend on how rows count.
    ///
    /// # Examples
    /// ```
    /// use tilepath::Lattice;
    ///
    /// assert_eq!(Lattice::HexRowOdd.counted_from_top(10), Lattice::HexRowEven);
    /// assert_eq!(Lattice::HexRowOdd.counted_from_top(11), Lattice::HexRowOdd);
    /// assert_eq!(Lattice::HexColumnOdd.counted_from_top(10), Lattice::HexColumnOdd);
    /// ```
    #[must_use]
    pub const fn counted_from_top(self, rows: u32) -> Self {
        match self {
            Self::HexRowOdd if rows.is_multiple_of(2) => Self::HexRowEven,
            Self::HexRowEven if rows.is_multiple_of(2) => Self::HexRowOdd,
            _ => self,
        }
    }

    /// Returns the name of the lattice, as the command line and [`FromStr`] read it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Square => "square",
            Self::Diamond => "diamond",
            Self::Staggered => "staggered",
            Self::HexRow => "hex-row",
            Self::HexRowOdd => "hex-row-odd",
            Self::HexRowEven => "hex-row-even",
            Self::HexColumn => "hex-column",
            Self::HexColumnOdd => "hex-column-odd",
            Self::HexColumnEven => "hex-column-even",
        }
    }
}

/// Returns the coordinates, each limited to the range of `i32`.
#[inline]
fn limited(x: i64, y: i64) -> (i32, i32) {
    let limited = |value: i64| value.clamp(i32::MIN.into(), i32::MAX.into()) as i32;
    (limited(x), limited(y))
}

impl fmt::Display for Lattice {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.pad(self.name())
    }
}

const KNOWN: &str = "square, diamond, staggered, hex-row, hex-row-odd, hex-row-even, hex-column, hex-column-odd or \
                     hex-column-even";

impl FromStr for Lattice {
    type Err = UnknownName;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Self::ALL.iter().copied().find(|lattice| lattice.name() == text).ok_or_else(|| UnknownName {
            text: text.to_owned(),
            kind: "lattice",
            known: KNOWN,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::{KNOWN, Lattice};
    use crate::{bounds::Bounds, cell::Cell};
    use std::collections::HashSet;

    #[test]
    fn tiles_and_cells_are_one_for_one_within_the_bounds() {
        for &lattice in Lattice::ALL {
            for (width, height) in [(0, 0), (0, 3), (1, 1), (1, 6), (6, 1), (4, 5), (5, 4), (7, 7)] {
                let bounds = lattice.bounds_of(width, height).unwrap();
                let tiles = (0..height).flat_map(|y| (0..width).map(move |x| (x as i32, y as i32)));
                let cells: HashSet<Cell> = tiles
                    .map(|tile| {
                        let cell = lattice.cell_of(tile);
                        assert!(bounds.contains(cell), "{lattice:?}: {tile:?} {cell} {bounds:?}");
                        assert_eq!(lattice.tile_of(cell), tile, "{lattice:?}");
                        cell
                    })
                    .collect();
                assert_eq!(cells.len(), (width * height) as usize, "{lattice:?}");
                if lattice.is_rectangular() {
                    assert_eq!(cells.len(), bounds.cell_count(), "{lattice:?}");
                }
                let sides = |axis: fn(&Cell) -> i32| {
                    let all: Vec<i32> = cells.iter().map(axis).collect();
                    all.iter().max().map_or(0, |most| most - all.iter().min().unwrap() + 1)
                };
                if !cells.is_empty() {
                    assert_eq!(sides(|cell| cell.x), bounds.width() as i32, "{lattice:?}: tight");
                    assert_eq!(sides(|cell| cell.y), bounds.height() as i32, "{lattice:?}: tight");
                }
            }
        }
    }

    #[test]
    fn tiles_of_negative_coordinates_go_there_and_back() {
        for &lattice in Lattice::ALL {
            for tile in (-9..9).flat_map(|y| (-9..9).map(move |x| (x, y))) {
                assert_eq!(lattice.tile_of(lattice.cell_of(tile)), tile, "{lattice:?}");
            }
        }
    }

    #[test]
    fn coordinates_end_at_the_limits_of_their_range() {
        let (least, most) = (i32::MIN, i32::MAX);
        assert_eq!(Lattice::Staggered.cell_of((most, most)), Cell::new(most, most));
        assert_eq!(Lattice::Staggered.tile_of(Cell::new(most, least)), (most, least));
        assert_eq!(Lattice::HexRowOdd.cell_of((least, most)), Cell::new(least, most));
        for &lattice in Lattice::ALL {
            for tile in [(least, least), (most, most), (least, most), (most, least)] {
                let _ = lattice.cell_of(tile);
                let _ = lattice.tile_of(tile.into());
            }
        }
    }

    #[test]
    fn staircases_past_the_limits_are_refused() {
        let most = Bounds::MAX_SIDE;
        assert!(Lattice::Staggered.bounds_of(1, most).is_ok());
        assert!(Lattice::Staggered.bounds_of(2, most).is_err());
        assert!(Lattice::HexRowOdd.bounds_of(u32::MAX, u32::MAX).is_err());
    }

    #[test]
    fn rows_from_the_top_cover_equal_cells_with_another_first_row() {
        for &lattice in Lattice::ALL {
            for rows in 1..6_u32 {
                let from_bottom = lattice.counted_from_top(rows);
                assert_eq!(from_bottom.counted_from_top(rows), lattice);
                assert_eq!(from_bottom.topology(), lattice.topology());
                // Returns whether the row lies farther right in a picture than the row below.
                let is_moved = |lattice: Lattice, row: u32| match lattice {
                    Lattice::HexRowOdd => row % 2 == 1,
                    Lattice::HexRowEven => row.is_multiple_of(2),
                    _ => false,
                };
                for row in 0..rows {
                    assert_eq!(is_moved(lattice, row), is_moved(from_bottom, rows - 1 - row), "{lattice}");
                }
            }
        }
    }

    #[test]
    fn names_are_read_as_they_are_written() {
        for &lattice in Lattice::ALL {
            assert_eq!(lattice.to_string().parse(), Ok(lattice));
            assert!(KNOWN.split([',', ' ']).any(|name| name == lattice.name()), "{lattice}");
            #[cfg(feature = "serde")]
            assert_eq!(serde_json::to_string(&lattice).unwrap(), format!("\"{lattice}\""));
        }
        for wrong in ["", "hexagonal", "HexRow", "hex_row", "hex-row "] {
            let error = wrong.parse::<Lattice>().unwrap_err();
            assert_eq!(error.to_string(), format!("\"{wrong}\" is an invalid lattice: say {KNOWN}"));
        }
    }
}

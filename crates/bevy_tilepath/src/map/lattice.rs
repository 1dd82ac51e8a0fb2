//! How the tiles of a tilemap lie beside each other.

#[cfg(feature = "tilemap")]
use bevy_ecs_tilemap::map::{HexCoordSystem, IsoCoordSystem, TilemapType};
use bevy_math::{IVec2, Mat2, Vec2};
use bevy_reflect::{Reflect, std_traits::ReflectDefault};
use tilepath::{Bounds, Cell, GridError, Topology};

/// How the tiles of a tilemap lie beside each other: the nine types that `bevy_ecs_tilemap` draws.
///
/// It says which cell of the map a tile is, and where that cell lies. On squares, diamonds and the two hexagonal types in
/// axial coordinates a tile and its cell have the same coordinates. The other five are staircases: as the map counts its
/// cells, each column or row of tiles is moved against the one before, and the rectangle around all cells is larger than
/// the tiles. What is left of it is void.
///
/// # Units
/// Tile and cell coordinates count to the east and to the north, as `TilePos` does.
///
/// ```
/// use bevy_math::IVec2;
/// use bevy_tilepath::{maps::Lattice, tilepath::Topology, Cell};
///
/// assert_eq!(Lattice::HexRowOdd.topology(), Topology::Hexagonal);
/// let cell = Lattice::HexRowOdd.cell_of(IVec2::new(3, 5));
/// assert_eq!(cell, Cell::new(1, 5));
/// assert_eq!(Lattice::HexRowOdd.tile_of(cell), IVec2::new(3, 5));
/// assert_eq!(Lattice::Diamond.cell_of(IVec2::new(3, 5)), Cell::new(3, 5));
/// ```
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Reflect)]
#[type_path = "bevy_tilepath"]
#[reflect(Default, Debug, Clone, PartialEq, Hash)]
pub enum Lattice {
    /// `TilemapType::Square`: rectangles side by side, eight directions.
    #[default]
    Square,
    /// `IsoCoordSystem::Diamond`: diamonds, x to the lower right and y to the upper right, eight directions.
    Diamond,
    /// `IsoCoordSystem::Staggered`: diamonds, x to the right and y to the upper right. The eight directions are those of
    /// [`Diamond`](Self::Diamond), so that straight steps lead over the sides of a diamond. Tile (x, y) is cell (x, x + y).
    Staggered,
    /// `HexCoordSystem::Row`: hexagons with a corner at the top, each row half a tile to the right of the one below.
    HexRow,
    /// `HexCoordSystem::RowOdd`: odd rows half a tile to the right. Tile (x, y) is cell (x − ⌊y/2⌋, y).
    HexRowOdd,
    /// `HexCoordSystem::RowEven`: even rows half a tile to the right. Tile (x, y) is cell (x − ⌊(y+1)/2⌋, y).
    HexRowEven,
    /// `HexCoordSystem::Column`: hexagons with a side at the top, each column half a tile above the one to its left.
    HexColumn,
    /// `HexCoordSystem::ColumnOdd`: odd columns half a tile up. Tile (x, y) is cell (x, y − ⌊x/2⌋).
    HexColumnOdd,
    /// `HexCoordSystem::ColumnEven`: even columns half a tile up. Tile (x, y) is cell (x, y − ⌊(x+1)/2⌋).
    HexColumnEven,
}

impl Lattice {
    /// All nine.
    pub const ALL: [Self; 9] = [
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

    /// Which cells touch.
    #[must_use]
    pub const fn topology(self) -> Topology {
        match self {
            Self::Square | Self::Diamond | Self::Staggered => Topology::Square,
            _ => Topology::Hexagonal,
        }
    }

    /// The cell of a tile. Coordinates past the range of cells end at its limit, where no map has cells.
    #[must_use]
    pub fn cell_of(self, tile: IVec2) -> Cell {
        let (x, y) = (i64::from(tile.x), i64::from(tile.y));
        limited_cell(x + self.right(y), y + self.up(x))
    }

    /// The tile of a cell, on an endless tilemap; the inverse of [`cell_of`](Self::cell_of).
    #[must_use]
    pub fn tile_of(self, cell: Cell) -> IVec2 {
        let (x, y) = (i64::from(cell.x), i64::from(cell.y));
        // Either rows are moved or columns: what is moved depends on what is not.
        let tile = limited_cell(x - self.right(y), y - self.up(x));
        IVec2::new(tile.x, tile.y)
    }

    /// How far the cells of a row of tiles are moved to the east.
    const fn right(self, row: i64) -> i64 {
        match self {
            Self::HexRowOdd => -row.div_euclid(2),
            Self::HexRowEven => -(row + 1).div_euclid(2),
            _ => 0,
        }
    }

    /// How far the cells of a column of tiles are moved to the north.
    const fn up(self, column: i64) -> i64 {
        match self {
            Self::Staggered => column,
            Self::HexColumnOdd => -column.div_euclid(2),
            Self::HexColumnEven => -(column + 1).div_euclid(2),
            _ => 0,
        }
    }

    /// Whether the tiles of a row are a row of cells.
    #[cfg(feature = "tilemap")]
    pub(crate) const fn keeps_rows(self) -> bool {
        !matches!(self, Self::Staggered | Self::HexColumnOdd | Self::HexColumnEven)
    }

    /// Whether tiles fill the rectangle around their cells.
    #[must_use]
    pub const fn is_rectangular(self) -> bool {
        matches!(self, Self::Square | Self::Diamond | Self::HexRow | Self::HexColumn)
    }

    /// The rectangle around the cells of a tilemap of `width` by `height` tiles whose first tile is (0, 0).
    ///
    /// # Errors
    /// [`GridError::MapTooLarge`], which counts cells: a staircase has more of them than tiles.
    ///
    /// ```
    /// use bevy_tilepath::{maps::Lattice, Cell};
    ///
    /// let bounds = Lattice::Staggered.bounds_of(20, 10)?;
    /// assert_eq!((bounds.width(), bounds.height()), (20, 29));
    /// let bounds = Lattice::HexColumnEven.bounds_of(20, 10)?;
    /// assert_eq!((bounds.origin(), bounds.width(), bounds.height()), (Cell::new(0, -10), 20, 20));
    /// # Ok::<(), bevy_tilepath::tilepath::GridError>(())
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
        Bounds::new(limited_cell(right.min(0), up.min(0)), side(width, right), side(height, up))
    }

    /// The vectors to the centres of the next cells in the east and in the north, in grid sizes.
    pub(crate) const fn shape(self) -> Mat2 {
        let (east, north) = match self {
            Self::Square => (Vec2::X, Vec2::Y),
            Self::Diamond | Self::Staggered => (Vec2::new(0.5, -0.5), Vec2::new(0.5, 0.5)),
            Self::HexRow | Self::HexRowOdd | Self::HexRowEven => (Vec2::X, Vec2::new(0.5, 0.75)),
            Self::HexColumn | Self::HexColumnOdd | Self::HexColumnEven => (Vec2::new(0.75, 0.5), Vec2::Y),
        };
        Mat2::from_cols(east, north)
    }

    /// The inverse of [`shape`](Self::shape).
    pub(crate) const fn cells_from_shape(self) -> Mat2 {
        const ROW: f32 = 1.0 / 0.75;
        let (x, y) = match self {
            Self::Square => (Vec2::X, Vec2::Y),
            Self::Diamond | Self::Staggered => (Vec2::new(1.0, 1.0), Vec2::new(-1.0, 1.0)),
            Self::HexRow | Self::HexRowOdd | Self::HexRowEven => (Vec2::X, Vec2::new(-0.5 * ROW, ROW)),
            Self::HexColumn | Self::HexColumnOdd | Self::HexColumnEven => {
                (Vec2::new(ROW, -0.5 * ROW), Vec2::Y)
            }
        };
        Mat2::from_cols(x, y)
    }

    /// The corners of a cell, from its centre, in cells: once around it.
    pub(crate) const fn corners(self) -> &'static [Vec2] {
        match self.topology() {
            Topology::Square => &SQUARE,
            Topology::Hexagonal => &HEXAGON,
        }
    }

    /// Across the sides of a cell that are not along the axes, in cells. Squares have none.
    pub(crate) const fn normals(self) -> &'static [Vec2] {
        match self.topology() {
            Topology::Square => &[],
            Topology::Hexagonal => &HEXAGON_NORMALS,
        }
    }

    /// The coordinates of the cell under a point in cells; cell (x, y) has its centre half a cell beyond (x, y).
    pub(crate) fn cell_under(self, units: Vec2) -> Vec2 {
        let nearest = units.floor();
        match self.topology() {
            Topology::Square => nearest,
            Topology::Hexagonal => {
                // The third axis of hexagons runs along x + y. Each is rounded, and the one that was rounded most follows
                // from the other two.
                let point = units - 0.5;
                let sum = point.element_sum();
                let nearest_sum = (sum + 0.5).floor();
                let off = (point - nearest).abs();
                let off_sum = (sum - nearest_sum).abs();
                if off.x > off.y && off.x > off_sum {
                    Vec2::new(nearest_sum - nearest.y, nearest.y)
                } else if off.y > off_sum {
                    Vec2::new(nearest.x, nearest_sum - nearest.x)
                } else {
                    nearest
                }
            }
        }
    }
}

const SQUARE: [Vec2; 4] =
    [Vec2::new(-0.5, -0.5), Vec2::new(0.5, -0.5), Vec2::new(0.5, 0.5), Vec2::new(-0.5, 0.5)];

const THIRD: f32 = 1.0 / 3.0;

const HEXAGON: [Vec2; 6] = [
    Vec2::new(THIRD, THIRD),
    Vec2::new(-THIRD, 2.0 * THIRD),
    Vec2::new(-2.0 * THIRD, THIRD),
    Vec2::new(-THIRD, -THIRD),
    Vec2::new(THIRD, -2.0 * THIRD),
    Vec2::new(2.0 * THIRD, -THIRD),
];

const HEXAGON_NORMALS: [Vec2; 3] = [Vec2::new(2.0, 1.0), Vec2::new(1.0, 2.0), Vec2::new(1.0, -1.0)];

/// The cell of these coordinates, or the one at the limit of its range.
fn limited_cell(x: i64, y: i64) -> Cell {
    let limited = |value: i64| value.clamp(i32::MIN.into(), i32::MAX.into()) as i32;
    Cell::new(limited(x), limited(y))
}

#[cfg(feature = "tilemap")]
impl From<TilemapType> for Lattice {
    fn from(tilemap_type: TilemapType) -> Self {
        match tilemap_type {
            TilemapType::Square => Self::Square,
            TilemapType::Isometric(IsoCoordSystem::Diamond) => Self::Diamond,
            TilemapType::Isometric(IsoCoordSystem::Staggered) => Self::Staggered,
            TilemapType::Hexagon(HexCoordSystem::Row) => Self::HexRow,
            TilemapType::Hexagon(HexCoordSystem::RowOdd) => Self::HexRowOdd,
            TilemapType::Hexagon(HexCoordSystem::RowEven) => Self::HexRowEven,
            TilemapType::Hexagon(HexCoordSystem::Column) => Self::HexColumn,
            TilemapType::Hexagon(HexCoordSystem::ColumnOdd) => Self::HexColumnOdd,
            TilemapType::Hexagon(HexCoordSystem::ColumnEven) => Self::HexColumnEven,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn tiles_and_cells_are_one_for_one_within_the_bounds() {
        for lattice in Lattice::ALL {
            for (width, height) in [(0, 0), (0, 3), (1, 1), (1, 6), (6, 1), (4, 5), (5, 4), (7, 7)] {
                let bounds = lattice.bounds_of(width, height).unwrap();
                let tiles = (0..height).flat_map(|y| (0..width).map(move |x| IVec2::new(x as i32, y as i32)));
                let cells: HashSet<Cell> = tiles
                    .map(|tile| {
                        let cell = lattice.cell_of(tile);
                        assert!(bounds.contains(cell), "{lattice:?}: {tile} {cell} {bounds:?}");
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
        for lattice in Lattice::ALL {
            for tile in (-9..9).flat_map(|y| (-9..9).map(move |x| IVec2::new(x, y))) {
                assert_eq!(lattice.tile_of(lattice.cell_of(tile)), tile, "{lattice:?}");
            }
            for tile in [IVec2::MIN, IVec2::MAX, IVec2::new(i32::MIN, i32::MAX)] {
                let _ = lattice.cell_of(tile);
                let _ = lattice.tile_of(Cell::new(tile.x, tile.y));
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
    fn shapes_and_their_inverses_undo_each_other() {
        for lattice in Lattice::ALL {
            let same = lattice.cells_from_shape() * lattice.shape();
            assert!(same.abs_diff_eq(Mat2::IDENTITY, 1e-6), "{lattice:?}: {same}");
        }
    }

    #[test]
    fn corners_are_those_of_the_cell() {
        for lattice in Lattice::ALL {
            for &corner in lattice.corners() {
                for (share, is_within) in [(0.999, true), (1.001, false)] {
                    let cell = lattice.cell_under(corner * share + 0.5);
                    assert_eq!(cell == Vec2::ZERO, is_within, "{lattice:?} {corner}");
                }
            }
        }
    }

    #[test]
    fn a_point_lies_in_the_cell_whose_centre_is_nearest() {
        // Diamonds twice as wide as high are squares that were stretched: there the nearest is measured before.
        let regular = Vec2::new(1.0, 1.0 / 0.75_f32.sqrt());
        for (lattice, size) in
            [(Lattice::Square, Vec2::ONE), (Lattice::HexRow, regular), (Lattice::Diamond, Vec2::ONE)]
        {
            for (x, y) in (-150..150).flat_map(|y| (-150..150).map(move |x| (x, y))) {
                let point = Vec2::new(x as f32, y as f32) / 100.0 + 0.0031;
                let cell = lattice.cell_under(point + 0.5);
                let distance = |cell: Vec2| (lattice.shape() * (point - cell) * size).length();
                for other in
                    (-1..=1).flat_map(|dy| (-1..=1).map(move |dx| cell + Vec2::new(dx as f32, dy as f32)))
                {
                    assert!(distance(cell) <= distance(other) + 1e-5, "{lattice:?} {point}: {cell} {other}");
                }
            }
        }
    }
}

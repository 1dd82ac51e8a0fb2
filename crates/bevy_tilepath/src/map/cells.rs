//! Cells from and to the coordinates of other crates.

#[cfg(feature = "tilemap")]
use bevy_ecs_tilemap::tiles::TilePos;
use bevy_math::{IVec2, UVec2};
use tilepath::Cell;

/// What names a cell: a [`Cell`], its coordinates, or a `TilePos` of `bevy_ecs_tilemap`; and back.
///
/// ```
/// use bevy_math::{IVec2, UVec2};
/// use bevy_tilepath::{Cell, ToCell};
///
/// let cell = Cell::new(3, 4);
/// assert_eq!([(3, 4).to_cell(), IVec2::new(3, 4).to_cell(), UVec2::new(3, 4).to_cell()], [cell; 3]);
/// assert_eq!((cell.to_ivec2(), cell.to_uvec2()), (IVec2::new(3, 4), Some(UVec2::new(3, 4))));
/// assert_eq!(Cell::new(-1, 0).to_uvec2(), None);
/// ```
pub trait ToCell: Copy {
    /// The cell. Coordinates beyond its range end at the limit, where no map has cells.
    fn to_cell(self) -> Cell;

    /// The coordinates.
    fn to_ivec2(self) -> IVec2 {
        let Cell { x, y } = self.to_cell();
        IVec2::new(x, y)
    }

    /// The coordinates, if none is negative.
    fn to_uvec2(self) -> Option<UVec2> {
        UVec2::try_from(self.to_ivec2()).ok()
    }

    /// The tile, if no coordinate is negative.
    #[cfg(feature = "tilemap")]
    fn to_tile_pos(self) -> Option<TilePos> {
        self.to_uvec2().map(TilePos::from)
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

#[cfg(feature = "tilemap")]
impl ToCell for TilePos {
    fn to_cell(self) -> Cell {
        UVec2::from(self).to_cell()
    }
}

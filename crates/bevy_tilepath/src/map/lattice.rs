//! Lattices in Bevy: types of tilemaps, shapes of cells, reflection.
//!
//! Decision: `docs/decisions/34-tilemap-geometry.md`.

#[cfg(feature = "tilemap")]
use bevy_ecs_tilemap::map::{HexCoordSystem, IsoCoordSystem, TilemapType};
use bevy_math::{Mat2, Vec2};
use bevy_reflect::{Reflect, std_traits::ReflectDefault};
use tilepath::{Lattice, Topology};

/// Returns the [`Lattice`] of a tilemap type: how tiles of this type lie beside each other.
///
/// Use this function if your game computes the cell of a tile, or creates the
/// [`NavProjection`](crate::NavProjection) of a map. The plugin uses it for each tilemap that it
/// reads.
///
/// ```
/// use bevy_ecs_tilemap::map::{HexCoordSystem, TilemapType};
/// use bevy_tilepath::{maps::{lattice_of, Lattice}, Cell};
///
/// let lattice = lattice_of(TilemapType::Hexagon(HexCoordSystem::RowOdd));
/// assert_eq!(lattice, Lattice::HexRowOdd);
/// assert_eq!(lattice.cell_of((3, 5)), Cell::new(1, 5));
/// ```
#[cfg(feature = "tilemap")]
#[must_use]
pub const fn lattice_of(tilemap_type: TilemapType) -> Lattice {
    match tilemap_type {
        TilemapType::Square => Lattice::Square,
        TilemapType::Isometric(IsoCoordSystem::Diamond) => Lattice::Diamond,
        TilemapType::Isometric(IsoCoordSystem::Staggered) => Lattice::Staggered,
        TilemapType::Hexagon(HexCoordSystem::Row) => Lattice::HexRow,
        TilemapType::Hexagon(HexCoordSystem::RowOdd) => Lattice::HexRowOdd,
        TilemapType::Hexagon(HexCoordSystem::RowEven) => Lattice::HexRowEven,
        TilemapType::Hexagon(HexCoordSystem::Column) => Lattice::HexColumn,
        TilemapType::Hexagon(HexCoordSystem::ColumnOdd) => Lattice::HexColumnOdd,
        TilemapType::Hexagon(HexCoordSystem::ColumnEven) => Lattice::HexColumnEven,
    }
}

/// Returns the tilemap type for a lattice, the inverse of [`lattice_of`]. Returns `None` if
/// `bevy_ecs_tilemap` cannot draw this lattice. It can draw each lattice of [`Lattice::ALL`].
///
/// Use this function if your game first reads the lattice, for example from a level file, and then
/// spawns the tilemap.
///
/// ```
/// use bevy_ecs_tilemap::map::{HexCoordSystem, TilemapType};
/// use bevy_tilepath::maps::{tilemap_type_of, Lattice};
///
/// let lattice: Lattice = "hex-row-odd".parse()?;
/// assert_eq!(tilemap_type_of(lattice), Some(TilemapType::Hexagon(HexCoordSystem::RowOdd)));
/// # Ok::<(), bevy_tilepath::tilepath::UnknownName>(())
/// ```
#[cfg(feature = "tilemap")]
#[must_use]
pub const fn tilemap_type_of(lattice: Lattice) -> Option<TilemapType> {
    Some(match lattice {
        Lattice::Square => TilemapType::Square,
        Lattice::Diamond => TilemapType::Isometric(IsoCoordSystem::Diamond),
        Lattice::Staggered => TilemapType::Isometric(IsoCoordSystem::Staggered),
        Lattice::HexRow => TilemapType::Hexagon(HexCoordSystem::Row),
        Lattice::HexRowOdd => TilemapType::Hexagon(HexCoordSystem::RowOdd),
        Lattice::HexRowEven => TilemapType::Hexagon(HexCoordSystem::RowEven),
        Lattice::HexColumn => TilemapType::Hexagon(HexCoordSystem::Column),
        Lattice::HexColumnOdd => TilemapType::Hexagon(HexCoordSystem::ColumnOdd),
        Lattice::HexColumnEven => TilemapType::Hexagon(HexCoordSystem::ColumnEven),
        _ => return None,
    })
}

/// The shapes of a lattice in the world.
pub(crate) trait LatticeShape: Copy {
    /// Returns whether each row of tiles is a row of cells.
    fn keeps_rows(self) -> bool;

    /// Returns the vectors to the centres of the next cells in the east and in the north, in grid
    /// sizes.
    fn shape(self) -> Mat2;

    /// Returns the inverse of [`shape`](Self::shape).
    fn cells_from_shape(self) -> Mat2;

    /// Returns the corners of a cell, relative to its centre, in cells, in sequence around it.
    fn corners(self) -> &'static [Vec2];

    /// Returns the directions across those sides of a cell that are not along the axes, in cells.
    /// Empty for squares.
    fn normals(self) -> &'static [Vec2];

    /// Returns the coordinates of the cell under a point. The point is in cells: cell (x, y) has
    /// its centre half a cell beyond (x, y).
    fn cell_under(self, units: Vec2) -> Vec2;
}

impl LatticeShape for Lattice {
    fn keeps_rows(self) -> bool {
        matches!(
            self,
            Self::Square
                | Self::Diamond
                | Self::HexRow
                | Self::HexRowOdd
                | Self::HexRowEven
                | Self::HexColumn
        )
    }

    fn shape(self) -> Mat2 {
        let (east, north) = match self {
            Self::Square => (Vec2::X, Vec2::Y),
            Self::Diamond | Self::Staggered => (Vec2::new(0.5, -0.5), Vec2::new(0.5, 0.5)),
            Self::HexRow | Self::HexRowOdd | Self::HexRowEven => (Vec2::X, Vec2::new(0.5, 0.75)),
            // Hexagons in columns.
            _ => (Vec2::new(0.75, 0.5), Vec2::Y),
        };
        Mat2::from_cols(east, north)
    }

    fn cells_from_shape(self) -> Mat2 {
        const ROW: f32 = 1.0 / 0.75;
        let (x, y) = match self {
            Self::Square => (Vec2::X, Vec2::Y),
            Self::Diamond | Self::Staggered => (Vec2::new(1.0, 1.0), Vec2::new(-1.0, 1.0)),
            Self::HexRow | Self::HexRowOdd | Self::HexRowEven => (Vec2::X, Vec2::new(-0.5 * ROW, ROW)),
            // Hexagons in columns.
            _ => (Vec2::new(ROW, -0.5 * ROW), Vec2::Y),
        };
        Mat2::from_cols(x, y)
    }

    fn corners(self) -> &'static [Vec2] {
        match self.topology() {
            Topology::Square => &SQUARE,
            Topology::Hexagonal => &HEXAGON,
        }
    }

    fn normals(self) -> &'static [Vec2] {
        match self.topology() {
            Topology::Square => &[],
            Topology::Hexagonal => &HEXAGON_NORMALS,
        }
    }

    fn cell_under(self, units: Vec2) -> Vec2 {
        let nearest = units.floor();
        match self.topology() {
            Topology::Square => nearest,
            Topology::Hexagonal => {
                // The third axis of hexagons runs along x + y. Each coordinate is rounded. The
                // coordinate with the greatest rounding is computed from the other two.
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

/// A copy of [`Lattice`] for scenes and inspectors: reflection needs a type of this crate.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Reflect)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[type_path = "bevy_tilepath"]
#[type_name = "Lattice"]
#[reflect(Default, Debug, Clone, PartialEq, Hash)]
pub(crate) enum ReflectedLattice {
    #[default]
    Square,
    Diamond,
    Staggered,
    HexRow,
    HexRowOdd,
    HexRowEven,
    HexColumn,
    HexColumnOdd,
    HexColumnEven,
}

impl From<Lattice> for ReflectedLattice {
    fn from(lattice: Lattice) -> Self {
        match lattice {
            Lattice::Diamond => Self::Diamond,
            Lattice::Staggered => Self::Staggered,
            Lattice::HexRow => Self::HexRow,
            Lattice::HexRowOdd => Self::HexRowOdd,
            Lattice::HexRowEven => Self::HexRowEven,
            Lattice::HexColumn => Self::HexColumn,
            Lattice::HexColumnOdd => Self::HexColumnOdd,
            Lattice::HexColumnEven => Self::HexColumnEven,
            // The core has no other lattice: a test checks each of `Lattice::ALL`.
            _ => Self::Square,
        }
    }
}

impl From<ReflectedLattice> for Lattice {
    fn from(lattice: ReflectedLattice) -> Self {
        match lattice {
            ReflectedLattice::Square => Self::Square,
            ReflectedLattice::Diamond => Self::Diamond,
            ReflectedLattice::Staggered => Self::Staggered,
            ReflectedLattice::HexRow => Self::HexRow,
            ReflectedLattice::HexRowOdd => Self::HexRowOdd,
            ReflectedLattice::HexRowEven => Self::HexRowEven,
            ReflectedLattice::HexColumn => Self::HexColumn,
            ReflectedLattice::HexColumnOdd => Self::HexColumnOdd,
            ReflectedLattice::HexColumnEven => Self::HexColumnEven,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(feature = "tilemap")]
    #[test]
    fn lattices_and_types_of_tilemaps_are_one_for_one() {
        for &lattice in Lattice::ALL {
            assert_eq!(tilemap_type_of(lattice).map(lattice_of), Some(lattice));
        }
    }

    #[test]
    fn reflection_lists_all_lattices() {
        for &lattice in Lattice::ALL {
            assert_eq!(Lattice::from(ReflectedLattice::from(lattice)), lattice);
        }
    }

    #[test]
    fn shapes_and_their_inverses_undo_each_other() {
        for &lattice in Lattice::ALL {
            let same = lattice.cells_from_shape() * lattice.shape();
            assert!(same.abs_diff_eq(Mat2::IDENTITY, 1e-6), "{lattice:?}: {same}");
        }
    }

    #[test]
    fn corners_equal_the_corners_of_the_cell() {
        for &lattice in Lattice::ALL {
            for &corner in lattice.corners() {
                for (share, is_within) in [(0.999, true), (1.001, false)] {
                    let cell = lattice.cell_under(corner * share + 0.5);
                    assert_eq!(cell == Vec2::ZERO, is_within, "{lattice:?} {corner}");
                }
            }
        }
    }

    #[test]
    fn point_lies_in_the_cell_with_the_nearest_centre() {
        // Diamonds twice as wide as high are stretched squares. The nearest cell is found by
        // distances before the stretch.
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

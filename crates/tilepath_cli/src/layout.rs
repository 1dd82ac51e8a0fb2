//! Places of a file and cells of the map, by `--topology`.
//!
//! Only this module turns rows from the top into rows from the bottom.

use crate::place::Place;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use tilepath::{Cell, Direction, Grid, GridError, Lattice, Topology};

/// Returns the parser of `--topology`. Its values are the names of [`Lattice`].
pub(crate) fn lattices() -> impl TypedValueParser<Value = Lattice> {
    PossibleValuesParser::new(Lattice::ALL.iter().map(|lattice| lattice.name()))
        .try_map(|name| name.parse::<Lattice>())
}

/// The places of a file and their cells on the map. Each place has one cell.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Layout {
    lattice: Lattice,
    columns: u32,
    rows: u32,
    /// The cell of the lower left tile.
    first: Cell,
}

impl Layout {
    /// Returns the layout of a file.
    ///
    /// # Errors
    /// If the map would be too large.
    pub(crate) fn new(lattice: Lattice, columns: u32, rows: u32) -> Result<Self, GridError> {
        lattice.bounds_of(columns, rows)?;
        Ok(Self { lattice, columns, rows, first: Cell::default() })
    }

    /// Returns the layout of a map that does not come from a file of rows. Hexagons get the
    /// library's own layout.
    pub(crate) fn of_grid(grid: &Grid) -> Self {
        let lattice = match grid.topology() {
            Topology::Square => Lattice::Square,
            Topology::Hexagonal => Lattice::HexRow,
        };
        Self { lattice, columns: grid.width(), rows: grid.height(), first: grid.bounds().origin() }
    }

    /// The arrangement.
    pub(crate) const fn lattice(&self) -> Lattice {
        self.lattice
    }

    /// The cell of the lower left tile.
    pub(crate) const fn first(&self) -> Cell {
        self.first
    }

    /// Columns of the file.
    pub(crate) const fn columns(&self) -> u32 {
        self.columns
    }

    /// Rows of the file.
    pub(crate) const fn rows(&self) -> u32 {
        self.rows
    }

    /// Returns the cell of a place, or `None` outside the file.
    pub(crate) fn cell(&self, Place { column, row }: Place) -> Option<Cell> {
        let is_inside = column < self.columns && row < self.rows;
        is_inside.then(|| self.cell_of_tile((column as i32, (self.rows - 1 - row) as i32)))
    }

    /// Returns the cell of a tile. Rows of tiles count from the bottom.
    pub(crate) fn cell_of_tile(&self, tile: (i32, i32)) -> Cell {
        self.lattice.cell_of(tile) + self.first
    }

    /// Returns the place of a cell, or `None` for a cell that is not in the file.
    pub(crate) fn place(&self, cell: Cell) -> Option<Place> {
        let (column, row) = self.lattice.tile_of(cell - self.first);
        let (column, row) = (u32::try_from(column).ok()?, u32::try_from(row).ok()?);
        (column < self.columns && row < self.rows).then(|| Place { column, row: self.rows - 1 - row })
    }

    /// Returns every place of the file from the top, row by row.
    pub(crate) fn places(&self) -> impl Iterator<Item = Place> + use<> {
        let Self { columns, rows, .. } = *self;
        (0..rows).flat_map(move |row| (0..columns).map(move |column| Place { column, row }))
    }

    /// Returns the map for this layout from a map that was read as rows of squares.
    ///
    /// # Errors
    /// If the map would be too large.
    pub(crate) fn chart(&self, rows: Grid) -> Result<Grid, GridError> {
        let topology = self.lattice.topology();
        if self.lattice.is_rectangular() {
            return Ok(rows.with_topology(topology));
        }
        let bounds = self.lattice.bounds_of(self.columns, self.rows)?;
        let tile = |tile: Cell| Some((self.cell_of_tile(tile.into()), rows.terrain(tile)?));
        let tiles = rows.bounds().cells().filter_map(tile);
        Ok(Grid::from_tiles(bounds, tiles)?.with_topology(topology))
    }

    /// Returns the directions of the neighbours with which a cell shares a side.
    pub(crate) fn sides(&self) -> Vec<Direction> {
        let topology = self.lattice.topology();
        let directions = topology.directions().iter().copied();
        directions.filter(|direction| topology == Topology::Hexagonal || !direction.is_diagonal()).collect()
    }

    /// Returns the offsets, to the right and down, from a cell in a picture to its east and north
    /// neighbours. The unit is the smallest shift of a row or column: half a cell on staggered
    /// diamonds and hexagons.
    pub(crate) const fn axes(&self) -> [(i32, i32); 2] {
        match self.lattice {
            Lattice::Square | Lattice::Diamond => [(1, 0), (0, -1)],
            Lattice::Staggered => [(1, 1), (1, -1)],
            Lattice::HexRow | Lattice::HexRowOdd | Lattice::HexRowEven => [(2, 0), (1, -1)],
            // Hexagons in columns.
            _ => [(1, -1), (0, -2)],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Layout;
    use crate::place::Place;
    use std::collections::HashSet;
    use tilepath::{Bounds, Cell, Lattice, Topology, format};

    #[test]
    fn places_and_cells_are_one_for_one() {
        for &lattice in Lattice::ALL {
            for (columns, rows) in [(0, 0), (0, 3), (1, 1), (1, 6), (6, 1), (4, 5), (5, 4), (7, 7)] {
                let layout = Layout::new(lattice, columns, rows).unwrap();
                let mut cells = HashSet::new();
                for place in layout.places() {
                    let cell = layout.cell(place).unwrap();
                    assert!(cells.insert(cell), "{lattice:?}: {cell}");
                    assert_eq!(layout.place(cell), Some(place), "{lattice:?}");
                }
                let bounds = lattice.bounds_of(columns, rows).unwrap();
                let known = bounds.cells().filter(|&cell| layout.place(cell).is_some()).count();
                assert_eq!(known, cells.len(), "{lattice:?}");
                assert_eq!(cells.len() as u32, columns * rows);
                assert_eq!(layout.cell(Place { column: columns, row: 0 }), None);
                assert_eq!(layout.place(Cell::new(-40, 0)), None);
                assert_eq!(layout.place(Cell::new(i32::MIN, i32::MAX)), None);
            }
        }
    }

    #[test]
    fn rows_of_the_file_are_tiles_counted_from_the_bottom() {
        for &lattice in Lattice::ALL {
            for (columns, rows) in [(3, 4), (4, 3)] {
                let layout = Layout::new(lattice, columns, rows).unwrap();
                for place in layout.places() {
                    let tile = (place.column as i32, (rows - 1 - place.row) as i32);
                    assert_eq!(layout.cell(place), Some(lattice.cell_of(tile)), "{lattice}: {place}");
                }
            }
        }
    }

    #[test]
    fn east_is_right_and_north_is_up() {
        for &lattice in Lattice::ALL {
            let layout = Layout::new(lattice, 6, 6).unwrap();
            let [(right, _), (_, down)] = layout.axes();
            assert!(right > 0 && down < 0, "{lattice}");
        }
    }

    #[test]
    fn charted_maps_hold_the_classes_of_the_file_and_void_around_them() {
        let text = "1 2 3\n4 5 6\n7 8 9\n";
        for &lattice in Lattice::ALL {
            let rows = format::parse_costs(text).unwrap();
            let layout = Layout::new(lattice, 3, 3).unwrap();
            let grid = layout.chart(rows).unwrap();
            assert_eq!(Ok(grid.bounds()), lattice.bounds_of(3, 3));
            assert_eq!(grid.topology(), lattice.topology());
            for cell in grid.bounds().cells() {
                let class = layout.place(cell).map(|place| (3 * place.row + place.column + 1) as u8);
                assert_eq!(grid.terrain(cell), class, "{lattice:?}: {cell}");
            }
            let void = grid.bounds().cell_count() - 9;
            assert_eq!(void > 0, !matches!(grid.width() * grid.height(), 9), "{lattice:?}");
        }
    }

    #[test]
    fn maps_without_a_file_keep_their_origin() {
        let grid = format::parse_costs("1 1\n1 1\n").unwrap().with_origin(Cell::new(-3, 7)).unwrap();
        for topology in [Topology::Square, Topology::Hexagonal] {
            let layout = Layout::of_grid(&grid.clone().with_topology(topology));
            assert_eq!(layout.cell(Place { column: 0, row: 0 }), Some(Cell::new(-3, 8)));
            assert_eq!(layout.place(Cell::new(-2, 7)), Some(Place { column: 1, row: 1 }));
        }
    }

    #[test]
    fn staircases_past_the_limits_are_refused() {
        let most = Bounds::MAX_SIDE;
        assert!(Layout::new(Lattice::Square, most, 1).is_ok());
        assert!(Layout::new(Lattice::Staggered, 1, most).is_ok());
        assert!(Layout::new(Lattice::Staggered, 2, most).is_err());
        assert!(Layout::new(Lattice::HexColumnOdd, 20_000, 20_000).is_err());
    }
}

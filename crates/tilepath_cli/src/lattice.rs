//! How the cells of a file lie beside each other: the nine arrangements of `--topology`.

use crate::place::Place;
use clap::ValueEnum;
use tilepath::{Bounds, Cell, Grid, GridError, Topology};

/// An arrangement of cells. Rows count from the top and columns from the left, from 0.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(crate) enum Lattice {
    /// Squares side by side, eight directions.
    #[default]
    Square,
    /// Diamonds, the same eight directions.
    Diamond,
    /// Diamonds, each row half a cell to the right of the row below; straight steps lead over the sides of a diamond.
    Staggered,
    /// Hexagons, each row half a cell to the right of the row below.
    HexRow,
    /// Hexagons, odd rows half a cell to the right.
    HexRowOdd,
    /// Hexagons, even rows half a cell to the right.
    HexRowEven,
    /// Hexagons, each column half a cell above the column to its left.
    HexColumn,
    /// Hexagons, odd columns half a cell further down.
    HexColumnOdd,
    /// Hexagons, even columns half a cell further down.
    HexColumnEven,
}

impl Lattice {
    /// The name as the argument has it.
    pub(crate) fn name(self) -> String {
        self.to_possible_value().map_or_else(String::new, |value| value.get_name().to_owned())
    }

    /// Which cells touch.
    pub(crate) const fn topology(self) -> Topology {
        match self {
            Self::Square | Self::Diamond | Self::Staggered => Topology::Square,
            _ => Topology::Hexagonal,
        }
    }

    /// Whether the core's map of a file is a rectangle wider than the file, with void at its corners.
    const fn is_staircase(self) -> bool {
        !matches!(self, Self::Square | Self::Diamond | Self::HexRow | Self::HexColumn)
    }

    /// How far a row is moved to the right on the core's map.
    const fn right(self, row: u32) -> u32 {
        match self {
            Self::HexRowOdd => row.div_ceil(2),
            Self::HexRowEven => row / 2,
            _ => 0,
        }
    }

    /// How far a column is moved down on the core's map.
    const fn down(self, column: u32) -> u32 {
        match self {
            Self::HexColumnOdd => column.div_ceil(2),
            Self::HexColumnEven => column / 2,
            _ => 0,
        }
    }

    /// How far a column is moved up on the core's map.
    const fn up(self, column: u32) -> u32 {
        match self {
            Self::Staggered => column,
            _ => 0,
        }
    }
}

/// The places of a file and their cells on the core's map, one for one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Layout {
    lattice: Lattice,
    columns: u32,
    rows: u32,
    /// The rectangle of the core's map.
    bounds: Bounds,
}

impl Layout {
    /// The layout of a file.
    ///
    /// # Errors
    /// Where the core's map would be too large.
    pub(crate) fn new(lattice: Lattice, columns: u32, rows: u32) -> Result<Self, GridError> {
        let (last_column, last_row) = (columns.saturating_sub(1), rows.saturating_sub(1));
        let width = columns.saturating_add(lattice.right(last_row));
        let height = rows.saturating_add(lattice.down(last_column)).saturating_add(lattice.up(last_column));
        // Without cells there is nothing to move.
        let (width, height) = if columns == 0 || rows == 0 { (columns, rows) } else { (width, height) };
        Ok(Self { lattice, columns, rows, bounds: Bounds::new(Cell::default(), width, height)? })
    }

    /// The layout of a map that does not come from a file of rows: hexagons as the core has them.
    pub(crate) fn of_grid(grid: &Grid) -> Self {
        let lattice = match grid.topology() {
            Topology::Square => Lattice::Square,
            Topology::Hexagonal => Lattice::HexRow,
        };
        Self { lattice, columns: grid.width(), rows: grid.height(), bounds: grid.bounds() }
    }

    /// The arrangement.
    pub(crate) const fn lattice(&self) -> Lattice {
        self.lattice
    }

    /// The lowest column and row of the core's map.
    pub(crate) const fn origin(&self) -> Cell {
        self.bounds.origin()
    }

    /// Columns of the file.
    pub(crate) const fn columns(&self) -> u32 {
        self.columns
    }

    /// Rows of the file.
    pub(crate) const fn rows(&self) -> u32 {
        self.rows
    }

    /// The cell of a place; `None` outside the file.
    pub(crate) fn cell(&self, Place { column, row }: Place) -> Option<Cell> {
        if column >= self.columns || row >= self.rows {
            return None;
        }
        let lattice = self.lattice;
        let x = column + lattice.right(row);
        let from_top = row + lattice.down(column) + lattice.up(self.columns - 1) - lattice.up(column);
        let slot = (self.bounds.height() - 1 - from_top) as usize * self.bounds.width() as usize;
        self.bounds.cell(slot + x as usize)
    }

    /// The place of a cell; `None` for a cell that is not of the file.
    pub(crate) fn place(&self, cell: Cell) -> Option<Place> {
        let slot = self.bounds.slot(cell)?;
        let width = self.bounds.width() as usize;
        let (x, from_top) = ((slot % width) as u32, self.bounds.height() - 1 - (slot / width) as u32);
        // Either the rows are moved or the columns: what is moved depends on what is not.
        let lattice = self.lattice;
        let column = x.checked_sub(lattice.right(from_top))?;
        let row = (from_top + lattice.up(column))
            .checked_sub(lattice.down(column) + lattice.up(self.columns.saturating_sub(1)))?;
        (column < self.columns && row < self.rows).then_some(Place { column, row })
    }

    /// Every place of the file from the top, row by row.
    pub(crate) fn places(&self) -> impl Iterator<Item = Place> + use<> {
        let Self { columns, rows, .. } = *self;
        (0..rows).flat_map(move |row| (0..columns).map(move |column| Place { column, row }))
    }

    /// The core's map of a file that was read as rows of squares.
    ///
    /// # Errors
    /// Where the core objects to its size.
    pub(crate) fn chart(&self, rows: Grid) -> Result<Grid, GridError> {
        let topology = self.lattice.topology();
        if !self.lattice.is_staircase() {
            return Ok(rows.with_topology(topology));
        }
        let from_file = Self::of_grid(&rows);
        let tiles = self.places().filter_map(|place| {
            let cell = self.cell(place).filter(|&cell| self.bounds.contains(cell))?;
            Some((cell, rows.terrain(from_file.cell(place)?)?))
        });
        Ok(Grid::from_tiles(self.bounds, tiles)?.with_topology(topology))
    }

    /// Where the letter of a place stands in a picture of text, in letters and lines: rows that lie half a cell further
    /// right are indented, columns that lie half a cell further down take a line each.
    pub(crate) fn in_text(&self, Place { column, row }: Place) -> (usize, usize) {
        let (column, row) = (column as usize, row as usize);
        let last = |count: u32| count.saturating_sub(1) as usize;
        match self.lattice {
            Lattice::Square | Lattice::Diamond => (column, row),
            Lattice::Staggered | Lattice::HexRow => (2 * column + last(self.rows) - row, row),
            Lattice::HexRowOdd => (2 * column + row % 2, row),
            Lattice::HexRowEven => (2 * column + (row + 1) % 2, row),
            Lattice::HexColumn => (column, 2 * row + last(self.columns) - column),
            Lattice::HexColumnOdd => (column, 2 * row + column % 2),
            Lattice::HexColumnEven => (column, 2 * row + (column + 1) % 2),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Lattice, Layout};
    use crate::place::Place;
    use clap::ValueEnum;
    use std::collections::HashSet;
    use tilepath::{Bounds, Cell, Direction, Topology, format};

    #[test]
    fn places_and_cells_are_one_for_one() {
        for &lattice in Lattice::value_variants() {
            for (columns, rows) in [(0, 0), (0, 3), (1, 1), (1, 6), (6, 1), (4, 5), (5, 4), (7, 7)] {
                let layout = Layout::new(lattice, columns, rows).unwrap();
                let mut cells = HashSet::new();
                for place in layout.places() {
                    let cell = layout.cell(place).unwrap();
                    assert!(cells.insert(cell), "{lattice:?}: {cell}");
                    assert_eq!(layout.place(cell), Some(place), "{lattice:?}");
                }
                let known = layout.bounds.cells().filter(|&cell| layout.place(cell).is_some()).count();
                assert_eq!(known, cells.len(), "{lattice:?}");
                assert_eq!(cells.len() as u32, columns * rows);
                assert_eq!(layout.cell(Place { column: columns, row: 0 }), None);
                assert_eq!(layout.place(Cell::new(-1, 0)), None);
            }
        }
    }

    /// Twice where the middle of a place lies: to the right, and down.
    fn middle(lattice: Lattice, Place { column, row }: Place) -> (i64, i64) {
        let (column, row) = (i64::from(column), i64::from(row));
        match lattice {
            Lattice::Square | Lattice::Diamond => (2 * column, 2 * row),
            Lattice::Staggered | Lattice::HexRow => (2 * column - row, 2 * row),
            Lattice::HexRowOdd => (2 * column + row % 2, 2 * row),
            Lattice::HexRowEven => (2 * column - row % 2, 2 * row),
            Lattice::HexColumn => (2 * column, 2 * row - column),
            Lattice::HexColumnOdd => (2 * column, 2 * row + column % 2),
            Lattice::HexColumnEven => (2 * column, 2 * row - column % 2),
        }
    }

    /// Whether two places touch as the file is drawn, by the distance of their middles alone.
    fn touch(lattice: Lattice, one: Place, other: Place) -> bool {
        let ((x, y), (right, down)) = (middle(lattice, one), middle(lattice, other));
        let apart = ((x - right).abs(), (y - down).abs());
        match lattice {
            Lattice::Square | Lattice::Diamond => apart.0.max(apart.1) == 2,
            // Sides of diamonds, their corners left and right, and those above and below.
            Lattice::Staggered => [(1, 2), (2, 0), (0, 4)].contains(&apart),
            Lattice::HexRow | Lattice::HexRowOdd | Lattice::HexRowEven => [(2, 0), (1, 2)].contains(&apart),
            Lattice::HexColumn | Lattice::HexColumnOdd | Lattice::HexColumnEven => {
                [(0, 2), (2, 1)].contains(&apart)
            }
        }
    }

    #[test]
    fn cells_touch_where_the_places_of_the_file_do() {
        for &lattice in Lattice::value_variants() {
            for (columns, rows) in [(5, 4), (4, 5), (6, 6)] {
                let layout = Layout::new(lattice, columns, rows).unwrap();
                let topology = lattice.topology();
                for (one, other) in
                    layout.places().flat_map(|one| layout.places().map(move |other| (one, other)))
                {
                    let cells = [one, other].map(|place| layout.cell(place).unwrap());
                    let direction = Direction::between(cells[0], cells[1]);
                    let is_step = direction.is_some_and(|direction| topology.has(direction));
                    assert_eq!(is_step, touch(lattice, one, other), "{lattice:?}: {one} {other}");
                }
            }
        }
    }

    #[test]
    fn east_is_right_and_north_is_up() {
        for &lattice in Lattice::value_variants() {
            let layout = Layout::new(lattice, 6, 6).unwrap();
            for place in layout.places() {
                let (x, y) = middle(lattice, place);
                let at = |direction: Direction| {
                    let next = layout.place(layout.cell(place).unwrap() + direction.offset())?;
                    Some(middle(lattice, next))
                };
                assert!(at(Direction::East).is_none_or(|(right, _)| right > x), "{lattice:?}");
                assert!(at(Direction::North).is_none_or(|(_, up)| up < y), "{lattice:?}");
            }
        }
    }

    #[test]
    fn charted_maps_hold_the_classes_of_the_file_and_void_around_them() {
        let text = "1 2 3\n4 5 6\n7 8 9\n";
        for &lattice in Lattice::value_variants() {
            let rows = format::parse_costs(text).unwrap();
            let layout = Layout::new(lattice, 3, 3).unwrap();
            let grid = layout.chart(rows).unwrap();
            assert_eq!(grid.bounds(), layout.bounds);
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

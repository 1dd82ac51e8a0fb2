//! Cells that a unit can reach within a budget.

use crate::{
    cell::{Cell, Direction},
    cost::Cost,
    path::Path,
    size::Size,
    topology::Topology,
};

/// A cell within a budget, with its cost and the last step to it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct RangeCell {
    /// The cell.
    pub cell: Cell,
    /// The cost of the cheapest path to the cell.
    pub cost: Cost,
    /// The direction of the last step of the cheapest path to the cell; `None` for the start.
    pub entered_by: Option<Direction>,
}

impl RangeCell {
    /// Returns the previous cell on the cheapest path, or `None` for the start.
    #[must_use]
    pub fn came_from(&self) -> Option<Cell> {
        self.cell.neighbour(self.entered_by?.opposite())
    }
}

/// The cells that a unit can reach within a budget. These are the blue squares of a tactics game.
///
/// [`PathFinder::range`](crate::PathFinder::range) makes it. A range borrows nothing. To save
/// allocations, keep a range and fill it again with
/// [`PathFinder::solve_range_into`](crate::PathFinder::solve_range_into). The default is an empty
/// range.
///
/// # Memory
/// Sixteen bytes for each cell reached. Each row also takes four bytes for each cell from its first
/// to its last reached cell.
#[derive(Clone, Debug, Default)]
#[doc(alias = "movement range")]
#[doc(alias = "flood fill")]
pub struct MoveRange {
    pub(crate) budget: Cost,
    topology: Topology,
    size: Size,
    /// The cells, in the order of cost.
    pub(crate) cells: Vec<RangeCell>,
    lowest_row: i32,
    rows: Vec<Row>,
    /// For the cells of all rows, from the first to the last reached cell, their index in `cells`.
    places: Vec<u32>,
}

/// The part of a row between the first and the last cell reached.
#[derive(Clone, Copy, Debug)]
struct Row {
    first: i32,
    last: i32,
    /// The index in `places` where the row begins.
    offset: u32,
}

const NOT_REACHED: u32 = u32::MAX;
const EMPTY_ROW: Row = Row { first: i32::MAX, last: i32::MIN, offset: 0 };

impl MoveRange {
    /// Removes all cells and keeps the memory.
    pub(crate) fn clear(&mut self, budget: Cost, topology: Topology, size: Size) {
        (self.budget, self.topology, self.size) = (budget, topology, size);
        self.cells.clear();
        self.rows.clear();
        self.places.clear();
    }

    /// Builds the index of cells, after all cells were added.
    pub(crate) fn index(&mut self) {
        let rows = || self.cells.iter().map(|reached| reached.cell.y);
        let (Some(lowest), Some(highest)) = (rows().min(), rows().max()) else {
            return;
        };
        self.lowest_row = lowest;
        self.rows.resize(highest.abs_diff(lowest) as usize + 1, EMPTY_ROW);
        for RangeCell { cell, .. } in &self.cells {
            let row = &mut self.rows[cell.y.abs_diff(lowest) as usize];
            (row.first, row.last) = (row.first.min(cell.x), row.last.max(cell.x));
        }
        let mut offset = 0;
        for row in &mut self.rows {
            row.offset = offset;
            // Paths are made of steps, so no row between the lowest and the highest is empty.
            offset += row.last.abs_diff(row.first) + 1;
        }
        self.places.resize(offset as usize, NOT_REACHED);
        for (place, RangeCell { cell, .. }) in self.cells.iter().enumerate() {
            let row = self.rows[cell.y.abs_diff(lowest) as usize];
            self.places[(row.offset + cell.x.abs_diff(row.first)) as usize] = place as u32;
        }
    }

    /// Returns the budget for which the range was made. Cells at exactly this cost are in the range.
    #[must_use]
    pub const fn budget(&self) -> Cost {
        self.budget
    }

    /// Returns the cell where the unit stands, which is always reached at no cost. Returns `None`
    /// for a range that was never filled.
    #[must_use]
    pub fn start(&self) -> Option<Cell> {
        self.cells.first().map(|reached| reached.cell)
    }

    /// Returns every reached cell, sorted by cost; the start is first. The order of cells of equal
    /// cost is fixed for a version of this crate, but has no meaning.
    #[must_use]
    pub fn cells(&self) -> &[RangeCell] {
        &self.cells
    }

    /// Returns every cell that the unit can cover: the cells under its footprint at each reached
    /// cell. Each cell is returned once. The cells are sorted by row (`y`), then by column (`x`),
    /// from the smallest number. For a unit of one cell, these are the reached cells.
    ///
    /// # Complexity
    /// O(n log n) for n covered cells, each counted as often as it is covered.
    ///
    /// # Examples
    /// ```
    /// use tilepath::{Cell, Cost, Grid, Movement, PathFinder, Size};
    /// let finder = PathFinder::new(Grid::new(9, 9, 1)?, Movement::new().with_size(Size::new(2)?));
    /// let range = finder.range(Cell::new(3, 3), Cost::new(10))?;
    /// assert_eq!(range.cells().len(), 5); // the lowest and leftmost cells of the unit
    /// assert_eq!(range.covered_cells().len(), 12); // the corners of 4 × 4 cells are out of reach
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn covered_cells(&self) -> Vec<Cell> {
        let mut covered: Vec<Cell> =
            self.cells.iter().flat_map(|reached| self.size.footprint(reached.cell)).collect();
        covered.sort_unstable_by_key(|cell| (cell.y, cell.x));
        covered.dedup();
        covered
    }

    /// Returns the entry of a cell, or `None` if the cell is out of reach.
    ///
    /// # Complexity
    /// O(1).
    #[must_use]
    pub fn get(&self, cell: Cell) -> Option<&RangeCell> {
        let row = usize::try_from(i64::from(cell.y) - i64::from(self.lowest_row)).ok()?;
        let row = self.rows.get(row)?;
        if cell.x < row.first || cell.x > row.last {
            return None;
        }
        let place = self.places[(row.offset + cell.x.abs_diff(row.first)) as usize];
        self.cells.get(place as usize)
    }

    /// Returns whether the cell is within reach.
    #[must_use]
    pub fn contains(&self, cell: Cell) -> bool {
        self.get(cell).is_some()
    }

    /// Returns the cost of the cheapest path to a cell. Returns `None` if the cost is over the
    /// budget or if there is no path.
    #[must_use]
    pub fn cost_to(&self, cell: Cell) -> Option<Cost> {
        self.get(cell).map(|reached| reached.cost)
    }

    /// Returns a cheapest path to a cell, or `None` if the cell is out of reach.
    ///
    /// # Complexity
    /// O(length of the path).
    #[must_use]
    pub fn path_to(&self, cell: Cell) -> Option<Path> {
        let cost = self.cost_to(cell)?;
        let mut cells: Vec<Cell> =
            std::iter::successors(Some(cell), |&cell| self.get(cell)?.came_from()).collect();
        cells.reverse();
        Some(Path::new(cells, cost, cost, self.topology))
    }
}

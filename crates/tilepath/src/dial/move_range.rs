//! Everything a unit can reach with what it may spend.

use crate::{
    cell::{Cell, Direction},
    cost::Cost,
    path::Path,
    size::Size,
    topology::Topology,
};

/// A cell within a budget: what it costs to get there, and by which step it is entered.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct RangeCell {
    /// The cell.
    pub cell: Cell,
    /// What the cheapest way to it costs.
    pub cost: Cost,
    /// The direction of that way's last step; `None` for the start.
    pub entered_by: Option<Direction>,
}

impl RangeCell {
    /// The cell before this one on the cheapest way; `None` for the start.
    #[must_use]
    pub fn came_from(&self) -> Option<Cell> {
        self.cell.neighbour(self.entered_by?.opposite())
    }
}

/// The cells that a unit can reach for at most so much: a tactics game's blue squares.
///
/// Made by [`PathFinder::range`](crate::PathFinder::range). It holds what it needs and borrows
/// nothing; keep one and have it filled again to save the allocations. The default is a range that holds no cell.
///
/// # Memory
/// Sixteen bytes a cell reached, and four for each cell between the outermost ones of a row.
#[derive(Clone, Debug, Default)]
#[doc(alias = "movement range")]
#[doc(alias = "flood fill")]
pub struct MoveRange {
    pub(crate) budget: Cost,
    topology: Topology,
    size: Size,
    /// In the order of cost.
    pub(crate) cells: Vec<RangeCell>,
    lowest_row: i32,
    rows: Vec<Row>,
    /// For the cells of all rows from the first one reached to the last: the place in `cells`.
    places: Vec<u32>,
}

/// The part of a row between the first and the last cell reached.
#[derive(Clone, Copy, Debug)]
struct Row {
    first: i32,
    last: i32,
    /// Where the row's places begin.
    offset: u32,
}

const NOT_REACHED: u32 = u32::MAX;
const EMPTY_ROW: Row = Row { first: i32::MAX, last: i32::MIN, offset: 0 };

impl MoveRange {
    /// Forgets everything and keeps the memory.
    pub(crate) fn clear(&mut self, budget: Cost, topology: Topology, size: Size) {
        (self.budget, self.topology, self.size) = (budget, topology, size);
        self.cells.clear();
        self.rows.clear();
        self.places.clear();
    }

    /// Makes the cells findable, once all are there.
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
            // Ways are made of steps, so no row between the lowest and the highest is empty.
            offset += row.last.abs_diff(row.first) + 1;
        }
        self.places.resize(offset as usize, NOT_REACHED);
        for (place, RangeCell { cell, .. }) in self.cells.iter().enumerate() {
            let row = self.rows[cell.y.abs_diff(lowest) as usize];
            self.places[(row.offset + cell.x.abs_diff(row.first)) as usize] = place as u32;
        }
    }

    /// The budget it was made for, inclusive.
    #[must_use]
    pub const fn budget(&self) -> Cost {
        self.budget
    }

    /// The cell the unit stands on, which is always reached, at no cost. `None` for a range that was never filled.
    #[must_use]
    pub fn start(&self) -> Option<Cell> {
        self.cells.first().map(|reached| reached.cell)
    }

    /// Every cell in the order of cost, the start first. Among equal costs the order is fixed for a version, but means
    /// nothing.
    #[must_use]
    pub fn cells(&self) -> &[RangeCell] {
        &self.cells
    }

    /// Every cell that the unit can cover: those under its footprint at each cell reached, each once, in the order of rows from the
    /// lowest. For a unit of one cell these are the cells reached.
    ///
    /// # Complexity
    /// O(n log n) for n cells covered, counted as often as they are.
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

    /// What is known of a cell, or `None` where it is out of reach.
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

    /// Whether the cell is within reach.
    #[must_use]
    pub fn contains(&self, cell: Cell) -> bool {
        self.get(cell).is_some()
    }

    /// What the cheapest way to a cell costs, or `None` where that is over the budget or there is none.
    #[must_use]
    pub fn cost_to(&self, cell: Cell) -> Option<Cost> {
        self.get(cell).map(|reached| reached.cost)
    }

    /// A cheapest way to a cell, or `None` where it is out of reach.
    ///
    /// # Complexity
    /// O(path).
    #[must_use]
    pub fn path_to(&self, cell: Cell) -> Option<Path> {
        let cost = self.cost_to(cell)?;
        let mut cells: Vec<Cell> =
            std::iter::successors(Some(cell), |&cell| self.get(cell)?.came_from()).collect();
        cells.reverse();
        Some(Path::new(cells, cost, cost, self.topology))
    }
}

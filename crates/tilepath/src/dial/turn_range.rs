//! Cells that a unit can reach, with the number of turns.

use crate::{
    cell::Cell,
    cost::Cost,
    dial::{
        turn_path::{Tracing, TurnPath, TurnStep},
        turn_search::{NO_LABEL, TurnLabel},
    },
};
use rustc_hash::FxHashMap;

/// A cell on which a unit may stop, with the turn in which the unit arrives and the points that it
/// uses in this turn.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct TurnCell {
    /// The cell.
    pub cell: Cell,
    /// The turn in which the cell is reached, from 1.
    pub turn: u32,
    /// The points of this turn that the unit has used when it arrives.
    pub used: Cost,
    /// The points of this turn that are left when the unit arrives.
    pub left: Cost,
}

/// The cells on which a unit may stop, each with the turn in which the unit arrives.
///
/// [`PathFinder::solve_turns`](crate::PathFinder::solve_turns) makes it. A range borrows nothing.
///
/// # Memory
/// Some hundred bytes for each cell reached.
#[derive(Clone, Debug)]
#[doc(alias = "movement range")]
pub struct TurnRange {
    tracing: Tracing,
    /// The cells, in the order of turns and points left.
    cells: Vec<TurnCell>,
    /// For each cell, its label.
    ends: Vec<u32>,
    places: FxHashMap<Cell, u32>,
    labels: Vec<TurnLabel>,
}

impl TurnRange {
    /// Makes a range from labels. `ends` are the labels of cells on which the unit may stop, in
    /// order. `left` returns the points left at a label.
    pub(crate) fn new(
        tracing: Tracing,
        labels: Vec<TurnLabel>,
        ends: Vec<u32>,
        left: impl Fn(u32, &TurnLabel) -> u32,
    ) -> Self {
        let cell_of = |&end: &u32| {
            let label = &labels[end as usize];
            let (cell, left) = (label.node.cell(&tracing.bounds), left(end, label));
            TurnCell { cell, turn: label.turn, used: Cost::new(label.used), left: Cost::new(left) }
        };
        let cells: Vec<TurnCell> = ends.iter().map(cell_of).collect();
        let places = cells.iter().map(|reached| reached.cell).zip(0..).collect();
        Self { tracing, cells, ends, places, labels }
    }

    /// Returns the start: the cell where the unit stands. This cell always has turn 1.
    #[must_use]
    pub fn start(&self) -> Cell {
        self.cells[0].cell
    }

    /// Returns every cell on which the unit may stop. The cells are sorted by turn, then by points
    /// left, the most first; the start is first. If both are equal, the order is fixed for a version
    /// of this crate, but has no meaning.
    #[must_use]
    pub fn cells(&self) -> &[TurnCell] {
        &self.cells
    }

    /// Returns the cells that the unit reaches in this turn, and not in an earlier one.
    ///
    /// # Complexity
    /// O(log cells).
    #[must_use]
    pub fn cells_of_turn(&self, turn: u32) -> &[TurnCell] {
        let first = self.cells.partition_point(|reached| reached.turn < turn);
        let end = self.cells.partition_point(|reached| reached.turn <= turn);
        &self.cells[first..end]
    }

    /// Returns the entry of a cell. Returns `None` if the unit cannot reach the cell within the
    /// turns of the query, or may not stop on it.
    ///
    /// # Complexity
    /// O(1).
    #[must_use]
    pub fn get(&self, cell: Cell) -> Option<&TurnCell> {
        self.cells.get(*self.places.get(&cell)? as usize)
    }

    /// Returns whether the unit reaches the cell within the turns of the query, and may stop on it.
    #[must_use]
    pub fn contains(&self, cell: Cell) -> bool {
        self.places.contains_key(&cell)
    }

    /// Returns the entry of the cell with the smallest [`Movement::distance`] to a cell. Use it for a
    /// goal that the unit cannot reach, or may not stop on. The goal may also be off the map. Of
    /// equally close cells, it is the first of [`cells`](Self::cells).
    ///
    /// [`Movement::distance`]: crate::Movement::distance
    ///
    /// # Complexity
    /// O(cells of the range).
    ///
    /// # Examples
    /// ```
    /// use tilepath::{Cell, Cost, Movement, PathFinder, format, turns::TurnQuery};
    /// let finder = PathFinder::new(format::parse_ascii("....#..")?, Movement::new());
    /// let range = finder.solve_turns(&TurnQuery::new(Cell::new(0, 0), Cost::new(20)))?;
    /// let shore = range.closest_to(Cell::new(6, 0));
    /// assert_eq!((shore.cell, shore.turn), (Cell::new(3, 0), 2));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn closest_to(&self, cell: Cell) -> &TurnCell {
        let distance = |reached: &&TurnCell| {
            let TurnCell { cell: Cell { x, y }, .. } = **reached;
            self.tracing.metric.over(i64::from(cell.x) - i64::from(x), i64::from(cell.y) - i64::from(y))
        };
        // The start is always there.
        self.cells.iter().min_by_key(distance).unwrap_or(&self.cells[0])
    }

    /// Returns the path to a cell that takes the fewest turns. If there are several, it is the path
    /// that uses the fewest points of the last turn. Returns `None` if the cell is not in the
    /// range, or if the path costs more than [`Cost::MAX`].
    ///
    /// # Complexity
    /// O(length of the path).
    #[must_use]
    pub fn path_to(&self, cell: Cell) -> Option<TurnPath> {
        let place = *self.places.get(&cell)? as usize;
        let (reached, end) = (&self.cells[place], self.ends[place]);
        trace(&self.labels, end, reached.left.get(), &self.tracing)
    }
}

/// Returns the path that leads to a label, with the points left there. Returns `None` if its cost is
/// too large for a [`Cost`].
pub(crate) fn trace(labels: &[TurnLabel], end: u32, left: u32, tracing: &Tracing) -> Option<TurnPath> {
    let mut way = Vec::new();
    let mut index = end;
    while index != NO_LABEL {
        let label = labels[index as usize];
        way.push(label);
        index = label.parent;
    }
    way.reverse();
    let cells = way.iter().map(|label| label.node.cell(&tracing.bounds)).collect();
    let entries = way.iter().map(|label| TurnStep { turn: label.turn, cost: label.step });
    TurnPath::new(cells, entries, [labels[end as usize].used, left], tracing)
}

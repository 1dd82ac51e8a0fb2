//! Cells that a unit can reach, with the number of turns.

use crate::{
    bounds::Bounds,
    cell::Cell,
    cost::Cost,
    dial::{
        turn_path::TurnPath,
        turn_search::{NO_LABEL, TurnLabel, TurnRules},
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
    rules: TurnRules,
    bounds: Bounds,
    /// The cells, in the order of turns and points used.
    cells: Vec<TurnCell>,
    /// For each cell, its label.
    ends: Vec<u32>,
    places: FxHashMap<Cell, u32>,
    labels: Vec<TurnLabel>,
}

impl TurnRange {
    /// Makes a range from labels. `ends` are the labels of cells on which the unit may stop, in
    /// order.
    pub(crate) fn new(rules: TurnRules, bounds: Bounds, labels: Vec<TurnLabel>, ends: Vec<u32>) -> Self {
        let cell_of = |&end: &u32| {
            let TurnLabel { node, turn, used, .. } = labels[end as usize];
            TurnCell { cell: node.cell(&bounds), turn, used: Cost::new(used) }
        };
        let cells: Vec<TurnCell> = ends.iter().map(cell_of).collect();
        let places = cells.iter().map(|reached| reached.cell).zip(0..).collect();
        Self { rules, bounds, cells, ends, places, labels }
    }

    /// Returns the start: the cell where the unit stands. This cell always has turn 1.
    #[must_use]
    pub fn start(&self) -> Cell {
        self.cells[0].cell
    }

    /// Returns every cell on which the unit may stop. The cells are sorted by turn, then by points
    /// used; the start is first. If both are equal, the order is fixed for a version of this crate,
    /// but has no meaning.
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

    /// Returns the path to a cell that takes the fewest turns. If there are several, it is the path
    /// that uses the fewest points of the last turn. Returns `None` if the cell is not in the
    /// range, or if the path costs more than [`Cost::MAX`].
    ///
    /// # Complexity
    /// O(length of the path).
    #[must_use]
    pub fn path_to(&self, cell: Cell) -> Option<TurnPath> {
        let end = self.ends[*self.places.get(&cell)? as usize];
        trace(&self.labels, end, &self.rules, &self.bounds)
    }
}

/// Returns the path that leads to a label, or `None` if its cost is too large for a [`Cost`].
pub(crate) fn trace(labels: &[TurnLabel], end: u32, rules: &TurnRules, bounds: &Bounds) -> Option<TurnPath> {
    let mut way = Vec::new();
    let mut index = end;
    while index != NO_LABEL {
        let label = labels[index as usize];
        way.push(label);
        index = label.parent;
    }
    way.reverse();
    let cost = way.iter().try_fold(0_u32, |sum, label| sum.checked_add(label.step))?;
    let cells = way.iter().map(|label| label.node.cell(bounds)).collect();
    let turns = way.iter().map(|label| label.turn);
    Some(TurnPath::new(cells, Cost::new(cost), turns, labels[end as usize].used, rules))
}

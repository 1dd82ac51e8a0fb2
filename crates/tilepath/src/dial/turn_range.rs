//! What a unit reaches in how many turns.

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

/// A cell on which a unit may stop: the turn in which it gets there, and what it uses of that turn's points.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct TurnCell {
    /// The cell.
    pub cell: Cell,
    /// The turn in which it is reached, from 1.
    pub turn: u32,
    /// What is used of that turn's points by then.
    pub used: Cost,
}

/// The cells on which a unit may stop, with the turn in which it gets there.
///
/// Made by [`PathFinder::solve_turns`](crate::PathFinder::solve_turns). It holds what it needs and borrows nothing.
///
/// # Memory
/// Some hundred bytes a cell reached.
#[derive(Clone, Debug)]
#[doc(alias = "movement range")]
pub struct TurnRange {
    rules: TurnRules,
    bounds: Bounds,
    /// In the order of turns, and of points used.
    cells: Vec<TurnCell>,
    /// For each of the cells its label.
    ends: Vec<u32>,
    places: FxHashMap<Cell, u32>,
    labels: Vec<TurnLabel>,
}

impl TurnRange {
    /// The labels that stand for cells on which the unit may stop, in order.
    pub(crate) fn new(rules: TurnRules, bounds: Bounds, labels: Vec<TurnLabel>, ends: Vec<u32>) -> Self {
        let cell_of = |&end: &u32| {
            let TurnLabel { node, turn, used, .. } = labels[end as usize];
            TurnCell { cell: node.cell(&bounds), turn, used: Cost::new(used) }
        };
        let cells: Vec<TurnCell> = ends.iter().map(cell_of).collect();
        let places = cells.iter().map(|reached| reached.cell).zip(0..).collect();
        Self { rules, bounds, cells, ends, places, labels }
    }

    /// The cell the unit stands on, which is always reached, in the first turn.
    #[must_use]
    pub fn start(&self) -> Cell {
        self.cells[0].cell
    }

    /// Every cell on which the unit may stop, by turn and by what is used of the turn's points; the start first. Among equals the
    /// order is fixed for a version, but means nothing.
    #[must_use]
    pub fn cells(&self) -> &[TurnCell] {
        &self.cells
    }

    /// The cells that are reached in one turn and not sooner.
    ///
    /// # Complexity
    /// O(log cells).
    #[must_use]
    pub fn cells_of_turn(&self, turn: u32) -> &[TurnCell] {
        let first = self.cells.partition_point(|reached| reached.turn < turn);
        let end = self.cells.partition_point(|reached| reached.turn <= turn);
        &self.cells[first..end]
    }

    /// What is known of a cell, or `None` where the unit cannot get to in time or may not stop.
    ///
    /// # Complexity
    /// O(1).
    #[must_use]
    pub fn get(&self, cell: Cell) -> Option<&TurnCell> {
        self.cells.get(*self.places.get(&cell)? as usize)
    }

    /// Whether the unit gets to the cell in time and may stop there.
    #[must_use]
    pub fn contains(&self, cell: Cell) -> bool {
        self.places.contains_key(&cell)
    }

    /// The way to a cell in the fewest turns, of these the one that uses least of the last. `None` where the range does not
    /// hold the cell, and where the steps of the way add up to more than [`Cost::MAX`].
    ///
    /// # Complexity
    /// O(path).
    #[must_use]
    pub fn path_to(&self, cell: Cell) -> Option<TurnPath> {
        let end = self.ends[*self.places.get(&cell)? as usize];
        trace(&self.labels, end, &self.rules, &self.bounds)
    }
}

/// The way that leads to a label; `None` where its cost cannot be stated.
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

//! Paths: cells, cost and a proven lower bound.

use crate::{
    cell::{Cell, Direction},
    cost::Cost,
    grid::Grid,
    movement::{Movement, StepRules, WayOut},
    topology::Topology,
};
use std::{f64::consts::SQRT_2, ops::RangeInclusive};
use thiserror::Error;

/// A path: its cells from start to goal inclusive, its cost, and a proven lower bound of the
/// cheapest cost.
///
/// A path always holds at least one cell.
///
/// # Examples
/// ```
/// use tilepath::{Cell, Cost, Grid, Movement, PathFinder};
/// let finder = PathFinder::new(Grid::new(8, 8, 1)?, Movement::new());
/// let path = finder.find(Cell::new(0, 0), Cell::new(3, 1))?.into_path().unwrap();
/// assert_eq!(path.cost(), Cost::new(14 + 2 * 10));
/// assert!(path.is_optimal());
/// assert_eq!(path.steps(), 3);
/// assert_eq!(path.verify(finder.grid(), &Movement::new()), Ok(()));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(try_from = "crate::stored::StoredPath"))]
pub struct Path {
    cost: Cost,
    lower_bound: Cost,
    topology: Topology,
    cells: Vec<Cell>,
}

impl Path {
    /// Creates a path. The caller guarantees that it has a cell and that the bound holds.
    pub(crate) fn new(cells: Vec<Cell>, cost: Cost, lower_bound: Cost, topology: Topology) -> Self {
        debug_assert!(!cells.is_empty() && lower_bound <= cost, "a path has cells and its bound is a bound");
        Self { cost, lower_bound, topology, cells }
    }

    /// Returns the path over given cells, for example from a save file, a level designer or another
    /// program. The map and the movement set which steps are allowed and what they cost. The path
    /// has no proven lower bound.
    ///
    /// # Errors
    /// [`PathFault::NoCells`], or the first [`PathFault`] found.
    ///
    /// # Complexity
    /// O(cells).
    ///
    /// # Examples
    /// ```
    /// use tilepath::{Cell, Cost, Grid, Movement, Path, PathFault};
    /// let (grid, movement) = (Grid::new(4, 1, 2)?, Movement::new());
    /// let patrol: Vec<Cell> = (0..4).map(|x| Cell::new(x, 0)).collect();
    /// let path = Path::from_cells(patrol, &grid, &movement)?;
    /// assert_eq!((path.cost(), path.lower_bound()), (Cost::new(60), Cost::ZERO));
    ///
    /// let leap = vec![Cell::new(0, 0), Cell::new(2, 0)];
    /// assert!(matches!(Path::from_cells(leap, &grid, &movement), Err(PathFault::NotAdjacent { step: 0, .. })));
    /// assert_eq!(Path::from_cells(Vec::new(), &grid, &movement), Err(PathFault::NoCells));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn from_cells(cells: Vec<Cell>, grid: &Grid, movement: &Movement) -> Result<Self, PathFault> {
        if cells.is_empty() {
            return Err(PathFault::NoCells);
        }
        let cost = cost_of(&cells, 0, grid, movement)?;
        Ok(Self::new(cells, cost, Cost::ZERO, grid.topology()))
    }

    /// Returns the cells from start to goal inclusive; each touches the next.
    #[must_use]
    pub fn cells(&self) -> &[Cell] {
        &self.cells
    }

    /// Returns the first cell.
    #[must_use]
    pub fn start(&self) -> Cell {
        self.cells[0]
    }

    /// Returns the last cell. In the answer to a query with `or_closest`, this may be the closest
    /// cell instead of the query's goal.
    #[must_use]
    pub fn goal(&self) -> Cell {
        self.cells[self.cells.len() - 1]
    }

    /// Returns the sum of the costs of all steps. The terrain of the cell that a step enters sets
    /// the cost of the step.
    #[must_use]
    pub const fn cost(&self) -> Cost {
        self.cost
    }

    /// Returns the proven lower bound: no path from the start to the goal of this path costs less.
    #[must_use]
    pub const fn lower_bound(&self) -> Cost {
        self.lower_bound
    }

    /// Returns whether the path is proven to be a cheapest one: its cost equals the lower bound.
    #[must_use]
    pub fn is_optimal(&self) -> bool {
        self.cost == self.lower_bound
    }

    /// Returns a proven maximum of the extra cost of the path, in percent of the cost of a cheapest
    /// path, rounded up. Returns `None` if the lower bound is 0 but the cost of the path is not.
    ///
    /// # Examples
    /// ```
    /// use tilepath::{Algorithm, Cell, Grid, Movement, PathFinder, PathQuery};
    /// let mut finder = PathFinder::new(Grid::new(40, 40, 1)?, Movement::new());
    /// finder.set_terrain_in(tilepath::Bounds::new(Cell::new(8, 0), 5, 39)?, 7)?; // mud, except in the last row
    /// let query = PathQuery::new(Cell::new(0, 0), Cell::new(39, 0)).with_algorithm(Algorithm::WeightedAStar { percent: 120 });
    /// let path = finder.solve(&query)?.outcome.into_path().unwrap();
    /// assert!(path.percent_above_cheapest().is_some_and(|percent| percent <= 20));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn percent_above_cheapest(&self) -> Option<u64> {
        let (cost, bound) = (u64::from(self.cost.get()), u64::from(self.lower_bound.get()));
        match (cost - bound.min(cost), bound) {
            (0, _) => Some(0),
            (_, 0) => None,
            (more, _) => Some((more * 100).div_ceil(bound)),
        }
    }

    /// Returns the number of steps: one less than the number of cells.
    #[must_use]
    pub fn steps(&self) -> usize {
        self.cells.len() - 1
    }

    /// Returns the number of steps across a side of a cell: on squares the steps that change one
    /// coordinate, on hexagons all steps.
    #[must_use]
    pub fn straight_steps(&self) -> usize {
        self.steps() - self.diagonal_steps()
    }

    /// Returns the number of steps across a corner of a cell: on squares the steps that change both
    /// coordinates, on hexagons 0.
    #[must_use]
    pub fn diagonal_steps(&self) -> usize {
        if self.topology == Topology::Hexagonal {
            return 0;
        }
        self.cells.windows(2).filter(|pair| pair[0].x != pair[1].x && pair[0].y != pair[1].y).count()
    }

    /// Returns the length in cells as a ruler measures it, without terrain: straight steps + √2 ×
    /// diagonal steps. On hexagons it is the number of steps.
    #[must_use]
    pub fn length(&self) -> f64 {
        self.straight_steps() as f64 + SQRT_2 * self.diagonal_steps() as f64
    }

    /// Returns the cells, without a copy.
    #[must_use]
    pub fn into_cells(self) -> Vec<Cell> {
        self.cells
    }

    /// Returns the rest of the path from the cell at an index. Use it for a unit that moved on
    /// while the path was searched.
    ///
    /// # Errors
    /// The first [`PathFault`] found in the rest of the path. If the index is past the last cell,
    /// [`PathFault::NoSuchCell`].
    ///
    /// # Guarantee
    /// The rest of a cheapest path is a cheapest path.
    ///
    /// # Complexity
    /// O(cells of the path).
    ///
    /// # Examples
    /// ```
    /// use tilepath::{Cell, Cost, Grid, Movement, PathFinder};
    /// let finder = PathFinder::new(Grid::new(8, 1, 1)?, Movement::new());
    /// let path = finder.find(Cell::new(0, 0), Cell::new(7, 0))?.into_path().unwrap();
    /// let rest = path.rest_from(5, finder.grid(), &Movement::new())?;
    /// assert_eq!(rest.cells(), [Cell::new(5, 0), Cell::new(6, 0), Cell::new(7, 0)]);
    /// assert_eq!((rest.cost(), rest.is_optimal()), (Cost::new(20), true));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn rest_from(&self, index: usize, grid: &Grid, movement: &Movement) -> Result<Self, PathFault> {
        let Some(cells) = self.cells.get(index..).filter(|cells| !cells.is_empty()) else {
            return Err(PathFault::NoSuchCell { index, cells: self.cells.len() });
        };
        let cost = cost_of(cells, 0, grid, movement)?;
        // A cheaper rest would also have made the whole path cheaper.
        let before = self.cost.get().saturating_sub(cost.get());
        let lower_bound = Cost::new(self.lower_bound.get().saturating_sub(before)).min(cost);
        Ok(Self::new(cells.to_vec(), cost, lower_bound, self.topology))
    }

    /// Adds a step to a neighbour of the last cell; returns the cost of that step. Use it for a
    /// unit that follows another, cell by cell.
    ///
    /// The lower bound falls by the cost of the step back, or to 0 if that step is not allowed.
    /// Reason: any path to the new last cell, plus the step back, is a path to the old last cell.
    ///
    /// # Errors
    /// [`PathFault::NotAdjacent`], [`PathFault::StepNotAllowed`], [`PathFault::CostOverflow`].
    /// After an error, the path is unchanged.
    ///
    /// # Complexity
    /// O(1), amortized.
    ///
    /// # Examples
    /// ```
    /// use tilepath::{Cell, Cost, Grid, Movement, PathFinder};
    /// let finder = PathFinder::new(Grid::new(9, 9, 1)?, Movement::new());
    /// let mut path = finder.find(Cell::new(0, 0), Cell::new(5, 0))?.into_path().unwrap();
    /// assert_eq!(path.push(Cell::new(6, 1), finder.grid(), &Movement::new()), Ok(Cost::new(14)));
    /// assert_eq!((path.cost(), path.lower_bound()), (Cost::new(64), Cost::new(36)));
    /// assert!(path.push(Cell::new(8, 8), finder.grid(), &Movement::new()).is_err());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn push(&mut self, to: Cell, grid: &Grid, movement: &Movement) -> Result<Cost, PathFault> {
        let (step, from) = (self.steps(), self.goal());
        let direction = Direction::between(from, to).ok_or(PathFault::NotAdjacent { step, from, to })?;
        let chain = WayOut::find(movement, grid, self.start());
        let rules = StepRules::leaving(movement, grid, self.start(), chain.as_ref());
        let cost = rules.step_cost(from, direction).ok_or(PathFault::StepNotAllowed { step, from, to })?;
        self.cost = self.cost.checked_add(cost).ok_or(PathFault::CostOverflow { step })?;
        let back = movement.step_cost(grid, to, direction.opposite());
        let bound = back.map_or(0, |back| self.lower_bound.get().saturating_sub(back.get()));
        self.lower_bound = Cost::new(bound);
        self.cells.push(to);
        Ok(cost)
    }

    /// Appends a path that begins at the last cell of this path. Use it for a unit that gets its
    /// path part by part. Both paths must belong to this movement and to maps of
    /// one topology.
    ///
    /// The lower bounds of the two parts prove nothing for the joined path. So its lower bound is
    /// the distance from start to goal, at the lowest multiplier of the movement's cost table. This
    /// bound holds on every map.
    ///
    /// # Errors
    /// [`PathFault::NotAdjacent`] if `rest` does not begin at the last cell of this path,
    /// [`PathFault::CostOverflow`]. After an error, the path is unchanged.
    ///
    /// # Complexity
    /// O(cells of the other path), amortized.
    ///
    /// # Examples
    /// ```
    /// use tilepath::{Cell, Cost, Grid, Movement, PathFinder};
    /// let finder = PathFinder::new(Grid::new(9, 9, 1)?, Movement::new());
    /// let [mut path, rest] = [[(0, 0), (5, 0)], [(5, 0), (5, 4)]].map(|[from, to]| {
    ///     finder.find(Cell::from(from), Cell::from(to)).unwrap().into_path().unwrap()
    /// });
    /// path.join(&rest, &Movement::new())?;
    /// assert_eq!((path.goal(), path.cost(), path.lower_bound()), (Cell::new(5, 4), Cost::new(90), Cost::new(66)));
    /// assert!(path.join(&rest, &Movement::new()).is_err());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn join(&mut self, rest: &Self, movement: &Movement) -> Result<(), PathFault> {
        let step = self.steps();
        if rest.start() != self.goal() {
            return Err(PathFault::NotAdjacent { step, from: self.goal(), to: rest.start() });
        }
        let cost = self.cost.checked_add(rest.cost).ok_or(PathFault::CostOverflow { step })?;
        let distance = movement.distance(self.topology, self.start(), rest.goal()).get();
        let bound = distance.saturating_mul(movement.least_multiplier().into());
        (self.cost, self.lower_bound) = (cost, Cost::new(bound).min(cost));
        self.cells.extend(&rest.cells[1..]);
        Ok(())
    }

    /// Ends the path after `steps` steps; returns the cost of the removed steps. If the path has
    /// `steps` steps or fewer, it keeps all of them. The lower bound falls by the returned cost.
    ///
    /// Use it for a unit that follows another unit, when the other unit turns back.
    ///
    /// # Errors
    /// The first [`PathFault`] found in the removed steps. After an error, the path is unchanged.
    ///
    /// # Guarantee
    /// The beginning of a cheapest path is a cheapest path.
    ///
    /// # Complexity
    /// O(removed steps).
    ///
    /// # Examples
    /// ```
    /// use tilepath::{Cell, Cost, Grid, Movement, PathFinder};
    /// let finder = PathFinder::new(Grid::new(9, 1, 1)?, Movement::new());
    /// let mut path = finder.find(Cell::new(0, 0), Cell::new(8, 0))?.into_path().unwrap();
    /// assert_eq!(path.truncate(3, finder.grid(), &Movement::new()), Ok(Cost::new(50)));
    /// assert_eq!((path.goal(), path.cost(), path.is_optimal()), (Cell::new(3, 0), Cost::new(30), true));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn truncate(&mut self, steps: usize, grid: &Grid, movement: &Movement) -> Result<Cost, PathFault> {
        let steps = steps.min(self.steps());
        let gone = cost_of(&self.cells, steps, grid, movement)?;
        self.cells.truncate(steps + 1);
        self.cost = Cost::new(self.cost.get().saturating_sub(gone.get()));
        self.lower_bound = Cost::new(self.lower_bound.get().saturating_sub(gone.get()));
        Ok(gone)
    }

    /// Returns the first steps of the path, with their cost.
    pub(crate) fn beginning(mut self, steps: usize, cost: Cost) -> Self {
        self.cells.truncate(steps + 1);
        // A cheaper beginning would also have made the whole path cheaper.
        let after = self.cost.get().saturating_sub(cost.get());
        let lower_bound = Cost::new(self.lower_bound.get().saturating_sub(after)).min(cost);
        Self::new(self.cells, cost, lower_bound, self.topology)
    }

    /// Returns the part of the path between two of its cells, both inclusive, with its cost.
    pub(crate) fn part(&self, cells: RangeInclusive<usize>, cost: Cost) -> Self {
        // A cheaper part would also have made the whole path cheaper.
        let rest = self.cost.get().saturating_sub(cost.get());
        let lower_bound = Cost::new(self.lower_bound.get().saturating_sub(rest)).min(cost);
        Self::new(self.cells[cells].to_vec(), cost, lower_bound, self.topology)
    }

    /// Checks every step on a map for a movement, and that the costs of the steps add up to the
    /// path's cost.
    ///
    /// # Errors
    /// The first [`PathFault`] found.
    ///
    /// # Complexity
    /// O(cells of the path).
    pub fn verify(&self, grid: &Grid, movement: &Movement) -> Result<(), PathFault> {
        let sum = cost_of(&self.cells, 0, grid, movement)?;
        if sum == self.cost { Ok(()) } else { Err(PathFault::WrongCost { stated: self.cost, actual: sum }) }
    }
}

/// Returns the cost of the steps from `first` on, for a unit that starts on the first of the cells.
/// There is at least one cell.
fn cost_of(cells: &[Cell], first: usize, grid: &Grid, movement: &Movement) -> Result<Cost, PathFault> {
    if !grid.bounds().contains(cells[0]) {
        return Err(PathFault::OutOfBounds { cell: cells[0] });
    }
    let chain = WayOut::find(movement, grid, cells[0]);
    let rules = StepRules::leaving(movement, grid, cells[0], chain.as_ref());
    let mut sum = Cost::ZERO;
    for (step, pair) in cells.windows(2).enumerate().skip(first) {
        let (from, to) = (pair[0], pair[1]);
        let direction = Direction::between(from, to).ok_or(PathFault::NotAdjacent { step, from, to })?;
        let cost = rules.step_cost(from, direction).ok_or(PathFault::StepNotAllowed { step, from, to })?;
        sum = sum.checked_add(cost).ok_or(PathFault::CostOverflow { step })?;
    }
    Ok(sum)
}

/// The reason why a path is invalid on a map for a movement.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Error)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum PathFault {
    /// The path has no cells.
    #[error("the path has no cells; it needs at least the start")]
    NoCells,
    /// The start is not on the map.
    #[error("the path starts at {cell}, which is not on the map")]
    OutOfBounds {
        /// The start.
        cell: Cell,
    },
    /// Two consecutive cells do not touch.
    #[error("step {step} from {from} to {to} is not between neighbours")]
    NotAdjacent {
        /// The index of the step, from 0.
        step: usize,
        /// The cell that the step leaves.
        from: Cell,
        /// The cell that the step enters.
        to: Cell,
    },
    /// The cell entered is closed, or the diagonal rule forbids the step.
    #[error("step {step} from {from} to {to} is not allowed")]
    StepNotAllowed {
        /// The index of the step, from 0.
        step: usize,
        /// The cell that the step leaves.
        from: Cell,
        /// The cell that the step enters.
        to: Cell,
    },
    /// The steps up to this one cost more than [`Cost::MAX`].
    #[error("step {step} takes the cost of the path past the maximum cost")]
    CostOverflow {
        /// The index of the step, from 0.
        step: usize,
    },
    /// The path has no cell at this index.
    #[error("there is no cell {index} on a path of {cells} cells")]
    NoSuchCell {
        /// The index that was given.
        index: usize,
        /// The number of cells.
        cells: usize,
    },
    /// The steps do not cost what the path states: the map has changed.
    #[error("the path states a cost of {stated}, its steps cost {actual}")]
    WrongCost {
        /// The cost that the path states.
        stated: Cost,
        /// The current cost of its steps.
        actual: Cost,
    },
}

//! A way from start to goal, what it costs and how good it is known to be.

use crate::{
    cell::{Cell, Direction},
    cost::Cost,
    grid::Grid,
    movement::{Movement, StepRules},
    topology::Topology,
};
use std::f64::consts::SQRT_2;
use thiserror::Error;

/// The cells from start to goal inclusive, the cost, and a proven lower bound of the cheapest cost.
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
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Topology::is_usual"))]
    topology: Topology,
    cells: Vec<Cell>,
}

impl Path {
    /// The caller knows that there is at least one cell and that the bound holds.
    pub(crate) fn new(cells: Vec<Cell>, cost: Cost, lower_bound: Cost, topology: Topology) -> Self {
        debug_assert!(!cells.is_empty() && lower_bound <= cost, "a path has cells and its bound is a bound");
        Self { cost, lower_bound, topology, cells }
    }

    /// Returns the path over cells of your own: from a save file, a designer, another program. Each step is checked and priced
    /// by a map and a movement. The path proves no lower bound.
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

    /// Start to goal inclusive; each touches the next.
    #[must_use]
    pub fn cells(&self) -> &[Cell] {
        &self.cells
    }

    /// The first cell.
    #[must_use]
    pub fn start(&self) -> Cell {
        self.cells[0]
    }

    /// The last cell. For an answer to "as close as possible" this is the closest cell, not the goal asked for.
    #[must_use]
    pub fn goal(&self) -> Cell {
        self.cells[self.cells.len() - 1]
    }

    /// The sum of all steps: what the cells entered cost.
    #[must_use]
    pub const fn cost(&self) -> Cost {
        self.cost
    }

    /// No path between these two cells is cheaper than this.
    #[must_use]
    pub const fn lower_bound(&self) -> Cost {
        self.lower_bound
    }

    /// Whether the path is proven to be a cheapest one: its cost is the lower bound.
    #[must_use]
    pub fn is_optimal(&self) -> bool {
        self.cost == self.lower_bound
    }

    /// By how many percent it costs more than a cheapest path, at most, rounded up: what is proven. Nothing where it costs something
    /// and nothing is proven.
    ///
    /// # Examples
    /// ```
    /// use tilepath::{Algorithm, Cell, Grid, Movement, PathFinder, PathQuery};
    /// let mut finder = PathFinder::new(Grid::new(40, 40, 1)?, Movement::new());
    /// finder.set_terrain_in(tilepath::Bounds::new(Cell::new(8, 0), 5, 39)?, 7)?; // mud, but for the last row
    /// let query = PathQuery::new(Cell::new(0, 0), Cell::new(39, 0)).with_algorithm(Algorithm::Within { percent: 120 });
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

    /// Steps: one less than cells.
    #[must_use]
    pub fn steps(&self) -> usize {
        self.cells.len() - 1
    }

    /// Steps to a cell that shares a side with the one left: on squares those that change one coordinate, on hexagons all.
    #[must_use]
    pub fn straight_steps(&self) -> usize {
        self.steps() - self.diagonal_steps()
    }

    /// Steps to a cell that shares a corner with the one left: on squares those that change both coordinates, on hexagons none.
    #[must_use]
    pub fn diagonal_steps(&self) -> usize {
        if self.topology == Topology::Hexagonal {
            return 0;
        }
        self.cells.windows(2).filter(|pair| pair[0].x != pair[1].x && pair[0].y != pair[1].y).count()
    }

    /// The length in cells as a ruler measures it: straight steps + √2 × diagonal steps, on hexagons the steps. Terrain plays no part.
    #[must_use]
    pub fn length(&self) -> f64 {
        self.straight_steps() as f64 + SQRT_2 * self.diagonal_steps() as f64
    }

    /// The cells, without a copy.
    #[must_use]
    pub fn into_cells(self) -> Vec<Cell> {
        self.cells
    }

    /// The path from its cell of that index on: for a unit that has come so far while the path was searched.
    ///
    /// # Errors
    /// The first [`PathFault`] found in that part. An index past the last cell is [`PathFault::NoSuchCell`].
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
        // What is cheaper from here on would have been cheaper from the start, too.
        let before = self.cost.get().saturating_sub(cost.get());
        let lower_bound = Cost::new(self.lower_bound.get().saturating_sub(before)).min(cost);
        Ok(Self::new(cells.to_vec(), cost, lower_bound, self.topology))
    }

    /// Lengthens it by a step to a neighbour of its last cell, and says what that step costs: for a unit that follows another,
    /// cell by cell.
    ///
    /// The bound falls by what the way back costs, and to 0 where there is none: whatever is cheaper to the new end is, with the
    /// way back, a way to the old one.
    ///
    /// # Errors
    /// [`PathFault::NotAdjacent`], [`PathFault::StepNotAllowed`], [`PathFault::CostOverflow`]; the path is as before.
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
        let rules = StepRules::new(movement, grid, self.start());
        let cost = rules.step_cost(from, direction).ok_or(PathFault::StepNotAllowed { step, from, to })?;
        self.cost = self.cost.checked_add(cost).ok_or(PathFault::CostOverflow { step })?;
        let back = movement.step_cost(grid, to, direction.opposite());
        let bound = back.map_or(0, |back| self.lower_bound.get().saturating_sub(back.get()));
        self.lower_bound = Cost::new(bound);
        self.cells.push(to);
        Ok(cost)
    }

    /// Lengthens it by a path that begins where it ends: for a unit that is told its way [in parts](crate::NearWay). Both are of this
    /// movement, and the map's topology is that of this path.
    ///
    /// What is proven of the two says nothing about them as one: the bound is that of any map, the distance at the least multiplier of
    /// the movement's table.
    ///
    /// # Errors
    /// [`PathFault::NotAdjacent`] where it begins elsewhere, [`PathFault::CostOverflow`]; the path is as before.
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
        let bound = distance.saturating_mul(movement.costs().least().into());
        (self.cost, self.lower_bound) = (cost, Cost::new(bound).min(cost));
        self.cells.extend(&rest.cells[1..]);
        Ok(())
    }

    /// Ends it after `steps` steps, at most those that it has, and says what the steps that went cost: for a unit that follows
    /// another, which turned and comes towards it. The bound falls by as much.
    ///
    /// # Errors
    /// The first [`PathFault`] found in the steps that go; the path is as before.
    ///
    /// # Guarantee
    /// The beginning of a cheapest path is a cheapest path.
    ///
    /// # Complexity
    /// O(steps that go).
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

    /// The same, where it is proven that none is cheaper than this.
    pub(crate) fn with_lower_bound(mut self, bound: Cost) -> Self {
        self.lower_bound = self.lower_bound.max(bound).min(self.cost);
        self
    }

    /// The first steps of the path, this many, and what they cost.
    pub(crate) fn beginning(mut self, steps: usize, cost: Cost) -> Self {
        self.cells.truncate(steps + 1);
        // What is cheaper up to here would have been cheaper to the end, too.
        let after = self.cost.get().saturating_sub(cost.get());
        let lower_bound = Cost::new(self.lower_bound.get().saturating_sub(after)).min(cost);
        Self::new(self.cells, cost, lower_bound, self.topology)
    }

    /// Checks every step against a map and a movement, and that the steps add up to the cost.
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

/// The sum of the steps from that one on, for a unit that set out from the first of the cells, at least one.
fn cost_of(cells: &[Cell], first: usize, grid: &Grid, movement: &Movement) -> Result<Cost, PathFault> {
    if !grid.bounds().contains(cells[0]) {
        return Err(PathFault::OutOfBounds { cell: cells[0] });
    }
    let rules = StepRules::new(movement, grid, cells[0]);
    let mut sum = Cost::ZERO;
    for (step, pair) in cells.windows(2).enumerate().skip(first) {
        let (from, to) = (pair[0], pair[1]);
        let direction = Direction::between(from, to).ok_or(PathFault::NotAdjacent { step, from, to })?;
        let cost = rules.step_cost(from, direction).ok_or(PathFault::StepNotAllowed { step, from, to })?;
        sum = sum.checked_add(cost).ok_or(PathFault::CostOverflow { step })?;
    }
    Ok(sum)
}

/// What is wrong with a path, on this map for this movement.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Error)]
#[non_exhaustive]
pub enum PathFault {
    /// A path has at least one cell.
    #[error("the path has no cells: give at least the start")]
    NoCells,
    /// The start is not on the map.
    #[error("the path starts at {cell}, which is not on the map")]
    OutOfBounds {
        /// The start.
        cell: Cell,
    },
    /// Two cells in a row do not touch.
    #[error("step {step} from {from} to {to} is not between neighbours")]
    NotAdjacent {
        /// Index of the step.
        step: usize,
        /// Cell left.
        from: Cell,
        /// Cell entered.
        to: Cell,
    },
    /// The cell entered is closed, or the diagonal rule forbids the step.
    #[error("step {step} from {from} to {to} is not allowed")]
    StepNotAllowed {
        /// Index of the step.
        step: usize,
        /// Cell left.
        from: Cell,
        /// Cell entered.
        to: Cell,
    },
    /// The steps up to this one cost more than [`Cost::MAX`].
    #[error("the cost passes the largest one at step {step}")]
    CostOverflow {
        /// Index of the step.
        step: usize,
    },
    /// There are fewer cells.
    #[error("there is no cell {index} on a path of {cells} cells")]
    NoSuchCell {
        /// The index asked for.
        index: usize,
        /// How many cells there are.
        cells: usize,
    },
    /// The steps add up to something else: the map has changed since.
    #[error("the path states a cost of {stated}, its steps cost {actual}")]
    WrongCost {
        /// The cost that the path states.
        stated: Cost,
        /// What its steps cost now.
        actual: Cost,
    },
}

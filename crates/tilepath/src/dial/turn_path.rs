//! Paths divided into turns.

use crate::{
    bounds::Bounds, cell::Cell, cost::Cost, path::Path, space::octile_distance::Metric, topology::Topology,
};

/// A path, and the cell where each turn ends.
///
/// # Examples
/// ```
/// use tilepath::{Cell, Cost, Grid, Movement, PathFinder, turns::TurnQuery};
/// let finder = PathFinder::new(Grid::new(9, 1, 1)?, Movement::new());
/// let query = TurnQuery::new(Cell::new(0, 0), Cost::new(30)).with_no_stop([Cell::new(3, 0)]);
/// let way = finder.solve_turn_path(&query, Cell::new(6, 0))?.unwrap();
/// assert_eq!((way.turns(), way.used()), (3, Cost::new(10)));
/// assert_eq!(way.stops(), [2, 5, 6], "the third step would end on a friend");
/// let legs: Vec<usize> = way.legs().map(|cells| cells.len() - 1).collect();
/// assert_eq!(legs, [2, 3, 1]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TurnPath {
    path: Path,
    stops: Vec<usize>,
    /// For each turn, the cost of the path up to its stop.
    costs: Vec<Cost>,
    used: Cost,
    left: Cost,
}

/// The facts of a map that turn labels into paths.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Tracing {
    pub(crate) bounds: Bounds,
    pub(crate) topology: Topology,
    /// The distances on an empty map of cost 1.
    pub(crate) metric: Metric,
    /// Paths of at most this cost are cheapest paths.
    pub(crate) cheapest_to: Cost,
}

/// The entry of a path into a cell: its turn, and the cost of the step onto the cell.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TurnStep {
    pub(crate) turn: u32,
    pub(crate) cost: u32,
}

impl TurnPath {
    /// Makes a path from its cells and their entries, and the points used and left in the last
    /// turn. Returns `None` if its cost is too large for a [`Cost`].
    pub(crate) fn new(
        cells: Vec<Cell>,
        entries: impl Iterator<Item = TurnStep>,
        [used, left]: [u32; 2],
        tracing: &Tracing,
    ) -> Option<Self> {
        let (mut stops, mut costs) = (Vec::new(), Vec::new());
        let (mut turn, mut cost) = (1, Cost::ZERO);
        for (index, entry) in entries.enumerate() {
            while turn < entry.turn {
                stops.push(index - 1);
                costs.push(cost);
                turn += 1;
            }
            cost = cost.checked_add(Cost::new(entry.cost))?;
        }
        stops.push(cells.len() - 1);
        costs.push(cost);
        let path = Path::new(cells, cost, cost.min(tracing.cheapest_to), tracing.topology);
        Some(Self::of(path, stops, costs, [used, left]))
    }

    /// Makes a path with the indices where turns end and the costs up to there, one for each turn.
    pub(crate) fn of(path: Path, stops: Vec<usize>, costs: Vec<Cost>, [used, left]: [u32; 2]) -> Self {
        Self { path, stops, costs, used: Cost::new(used), left: Cost::new(left) }
    }

    /// Returns the path. A path from [`PathFinder::solve_turn_path`](crate::PathFinder::solve_turn_path)
    /// has the fewest turns, but may not be the cheapest: unused points of a turn are lost.
    #[must_use]
    pub const fn path(&self) -> &Path {
        &self.path
    }

    /// Returns the path, without a copy.
    #[must_use]
    pub fn into_path(self) -> Path {
        self.path
    }

    /// Returns the number of turns, which is at least 1. The unit reaches the last cell of the path
    /// in the last turn.
    #[must_use]
    pub fn turns(&self) -> u32 {
        self.stops.len() as u32
    }

    /// Returns the points that the unit uses in the last turn.
    #[must_use]
    pub const fn used(&self) -> Cost {
        self.used
    }

    /// Returns the points that are left in the last turn when the unit arrives.
    ///
    /// # Examples
    /// ```
    /// use tilepath::{Cell, Cost, Grid, Movement, PathFinder, turns::TurnQuery};
    /// let finder = PathFinder::new(Grid::new(9, 1, 1)?, Movement::new());
    /// let query = TurnQuery::new(Cell::new(0, 0), Cost::new(30));
    /// let path = finder.solve_turn_path(&query, Cell::new(4, 0))?.unwrap();
    /// assert_eq!((path.turns(), path.used(), path.left()), (2, Cost::new(10), Cost::new(20)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub const fn left(&self) -> Cost {
        self.left
    }

    /// Returns, for each turn, the cell on which the unit stands at the end of the turn. The cell
    /// is an index into the cells of the path, from 0.
    ///
    /// If a turn has the same index as the turn before, the unit waits for the whole turn.
    /// If the first turn ends on index 0, the unit waits for the first turn.
    #[must_use]
    pub fn stops(&self) -> &[usize] {
        &self.stops
    }

    /// Returns, for each turn, the cells of the path from the start to the end of the turn, both
    /// inclusive.
    pub fn legs(&self) -> impl Iterator<Item = &[Cell]> + '_ {
        let begins = std::iter::once(0).chain(self.stops.iter().copied());
        begins.zip(&self.stops).map(|(begin, &end)| &self.path.cells()[begin..=end])
    }

    /// Returns the part of the path that the unit walks in a turn, from 1. Use it to walk one turn
    /// now, and to plan again when the next turn begins. The part has no steps if the unit waits. It
    /// is the start alone before the first turn, and the goal alone after the last one.
    ///
    /// # Complexity
    /// O(cells of the part).
    ///
    /// # Examples
    /// ```
    /// use tilepath::{Cell, Cost, Grid, Movement, PathFinder, turns::TurnQuery};
    /// let finder = PathFinder::new(Grid::new(9, 1, 1)?, Movement::new());
    /// let query = TurnQuery::new(Cell::new(0, 0), Cost::new(30));
    /// let path = finder.solve_turn_path(&query, Cell::new(4, 0))?.unwrap();
    /// assert_eq!((path.leg(1).steps(), path.leg(1).cost()), (3, Cost::new(30)));
    /// assert_eq!(path.leg(2).cells(), [Cell::new(3, 0), Cell::new(4, 0)]);
    /// assert_eq!(path.leg(3).cells(), [Cell::new(4, 0)]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn leg(&self, turn: u32) -> Path {
        let end_of = |turn: u32| {
            let last = (turn as usize).min(self.stops.len());
            last.checked_sub(1).map_or((0, Cost::ZERO), |last| (self.stops[last], self.costs[last]))
        };
        let (begin, end) = (end_of(turn.saturating_sub(1)), end_of(turn));
        self.path.part(begin.0..=end.0, Cost::new(end.1.get() - begin.1.get()))
    }

    /// Returns the turn, from 1, in which the unit enters the cell at an index of the path. The
    /// unit is on the start in turn 1. Returns `None` past the last cell.
    ///
    /// # Examples
    /// ```
    /// use tilepath::{Cell, Cost, Grid, Movement, PathFinder, turns::TurnQuery};
    /// let finder = PathFinder::new(Grid::new(9, 1, 1)?, Movement::new());
    /// let query = TurnQuery::new(Cell::new(0, 0), Cost::new(30));
    /// let path = finder.solve_turn_path(&query, Cell::new(4, 0))?.unwrap();
    /// assert_eq!([0, 3, 4, 5].map(|index| path.turn_of(index)), [Some(1), Some(1), Some(2), None]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn turn_of(&self, index: usize) -> Option<u32> {
        let turns_before = self.stops.partition_point(|&stop| stop < index);
        (turns_before < self.stops.len()).then_some(turns_before as u32 + 1)
    }
}

//! Paths divided into turns.

use crate::{cell::Cell, cost::Cost, dial::turn_search::TurnRules, path::Path};

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
    used: Cost,
}

impl TurnPath {
    /// Makes a path from its cells, the turn in which each is entered, and the points used in the
    /// last turn.
    pub(crate) fn new(
        cells: Vec<Cell>,
        cost: Cost,
        turns: impl Iterator<Item = u32>,
        used: u32,
        rules: &TurnRules,
    ) -> Self {
        let mut stops = Vec::new();
        let mut now = 1;
        for (index, turn) in turns.enumerate() {
            while now < turn {
                stops.push(index - 1);
                now += 1;
            }
        }
        stops.push(cells.len() - 1);
        // A path that costs at most the points of the first turn takes that turn only, and is
        // cheapest.
        let bound = cost.min(Cost::new(rules.first));
        Self::of(Path::new(cells, cost, bound, rules.topology), stops, used)
    }

    /// Makes a path with the indices where turns end, one for each turn.
    pub(crate) fn of(path: Path, stops: Vec<usize>, used: u32) -> Self {
        Self { path, stops, used: Cost::new(used) }
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
}

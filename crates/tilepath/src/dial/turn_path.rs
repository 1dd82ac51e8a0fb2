//! A way cut into turns.

use crate::{cell::Cell, cost::Cost, dial::turn_search::TurnRules, path::Path};

/// A path and where on it each turn ends.
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
    /// For each cell the turn in which it is entered; what is used of the last turn.
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
        // What costs no more than the first turn has points is reached in it, at the least that it can cost.
        let bound = cost.min(Cost::new(rules.first));
        Self::of(Path::new(cells, cost, bound, rules.topology), stops, used)
    }

    /// A path with the places on it where turns end, as many as it takes.
    pub(crate) fn of(path: Path, stops: Vec<usize>, used: u32) -> Self {
        Self { path, stops, used: Cost::new(used) }
    }

    /// The path. It need not be the cheapest one: what counts are turns, and points of a turn that are not used are lost.
    #[must_use]
    pub const fn path(&self) -> &Path {
        &self.path
    }

    /// The path, without a copy.
    #[must_use]
    pub fn into_path(self) -> Path {
        self.path
    }

    /// How many turns it takes, one at least: the number of the turn in which the last cell is reached.
    #[must_use]
    pub fn turns(&self) -> u32 {
        self.stops.len() as u32
    }

    /// What is used of the last turn's points.
    #[must_use]
    pub const fn used(&self) -> Cost {
        self.used
    }

    /// For each turn the cell on which the unit stands at its end, as an index into the cells of the path. The same index twice
    /// in a row is a turn in which it waits; so is a first turn that ends at 0.
    #[must_use]
    pub fn stops(&self) -> &[usize] {
        &self.stops
    }

    /// For each turn the cells of the path from where it begins to where it ends, both inclusive.
    pub fn legs(&self) -> impl Iterator<Item = &[Cell]> + '_ {
        let begins = std::iter::once(0).chain(self.stops.iter().copied());
        begins.zip(&self.stops).map(|(begin, &end)| &self.path.cells()[begin..=end])
    }
}

//! Straight lines in place of the cells of a path.
//!
//! Decision: `docs/decisions/61-straight-lines.md`.

mod cost;
mod sweep;

use crate::{
    cell::Cell,
    grid::Grid,
    movement::{Movement, StepRules},
    path::Path,
    position::Position,
};

/// The most steps that one line stands for. Costs are compared in whole numbers of a fixed size.
const LONGEST: usize = 64;

impl Movement {
    /// Returns the first cell that keeps a unit from walking straight from one position to another,
    /// or `None` if the unit can walk straight.
    ///
    /// A line is clear if a square of the unit's size, moved along the line, touches only open
    /// cells. In addition, no edge and no exit that the square crosses is closed, and no step there has
    /// a price: for [edges](Self::with_edges), or for the class that it
    /// [leaves](Self::with_step_cost). So a unit on a
    /// line keeps the same distance from walls as on the cells beside them, by the strictest
    /// [`Diagonals`](crate::Diagonals) rule. On hexagons the three cells around each point of the
    /// line must be open. A unit that makes no diagonal steps walks straight only along rows and
    /// columns.
    ///
    /// Use this function to check a line that is already being walked. For the lines along a path,
    /// use [`Path::straight_lines`].
    ///
    /// # Units
    /// Positions are in cells: the centre of cell (x, y) is (x + 0.5, y + 0.5). For a unit of more
    /// than one cell, it is the centre of its lowest and leftmost cell. On hexagons the two
    /// coordinates are axial ones. Positions are rounded to 1/65,536 of a cell.
    ///
    /// # Errors
    /// None. A position that is not finite, or is outside the range of cells, is never on a clear
    /// line. The returned cell is then the nearest one in the range.
    ///
    /// # Complexity
    /// O(cells along the line).
    ///
    /// # Examples
    /// ```
    /// use tilepath::{Cell, Movement, format::parse_ascii, graph::Position};
    /// let map = parse_ascii("
    ///     .....
    ///     ..#..
    ///     .....
    /// ")?;
    /// let line = |from, to| Movement::new().line_fault(&map, Position::from(from), Position::from(to));
    /// assert_eq!(line((0.5, 0.5), (4.5, 0.5)), None);
    /// assert_eq!(line((0.5, 0.5), (4.5, 2.5)), Some(Cell::new(2, 1)));
    /// assert_eq!(line((0.5, 0.5), (1.7, 0.8)), Some(Cell::new(2, 1)), "it would touch the wall");
    /// # Ok::<(), tilepath::format::MapTextError>(())
    /// ```
    #[must_use]
    #[doc(alias = "line of sight")]
    pub fn line_fault(&self, grid: &Grid, from: Position, to: Position) -> Option<Cell> {
        sweep::fault(&StepRules::new(self, grid, Cell::new(0, 0)), grid, from, to)
    }
}

impl Path {
    /// Returns the cells between which a unit may walk straight instead of from cell to cell, as
    /// indices of [`cells`](Self::cells): `first`, then the cell at the end of each line. The last
    /// index is the last cell of the path. Each line is found on demand, and depends on no
    /// line before it.
    ///
    /// A line costs no more than the cells that it stands for, and it is
    /// [clear](Movement::line_fault). Where no line is both, the unit makes the step to the next
    /// cell. One line stands for 64 steps at most.
    ///
    /// # Units
    /// To compare a line with cells, both are measured in the same way: the length over each cell,
    /// times the multiplier of that cell. Lengths are exact: a diagonal step is √2 long. The
    /// [step costs](crate::StepCosts) of the movement do not matter.
    ///
    /// # Guarantee
    /// The result is equal on every machine: only whole numbers are compared.
    ///
    /// # Complexity
    /// O(cells × log(longest line)) for all lines.
    ///
    /// # Examples
    /// ```
    /// use tilepath::{Cell, Grid, Movement, PathFinder};
    /// let finder = PathFinder::new(Grid::new(20, 8, 1)?, Movement::new());
    /// let path = finder.find(Cell::new(0, 0), Cell::new(19, 7))?.into_path().unwrap();
    /// assert!(path.straight_lines(0, finder.grid(), &Movement::new()).eq([0, 19]));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[doc(alias = "smoothing", alias = "string pulling", alias = "any-angle")]
    pub fn straight_lines<'a>(
        &'a self,
        first: usize,
        grid: &'a Grid,
        movement: &'a Movement,
    ) -> impl Iterator<Item = usize> + 'a {
        let rules = StepRules::new(movement, grid, Cell::new(0, 0));
        let cells = self.cells();
        let next = move |&here: &usize| (here + 1 < cells.len()).then(|| line_end(cells, here, &rules, grid));
        std::iter::successors(Some(first.min(cells.len() - 1)), next)
    }
}

/// Returns the index of the cell at the end of the line that begins here. It doubles the line until
/// it fails, then searches between the last two lengths.
fn line_end(cells: &[Cell], here: usize, rules: &StepRules, grid: &Grid) -> usize {
    let most = (cells.len() - 1 - here).min(LONGEST);
    let is_line = |steps: usize| {
        let walked = &cells[here..=here + steps];
        let [from, to] = [walked[0], walked[steps]];
        sweep::is_clear(rules, grid, from, to) && cost::is_no_dearer(walked, rules, grid.topology())
    };
    let (mut good, mut bad) = (1, most + 1);
    let mut next = 2;
    while good < most && next < bad {
        let steps = next.min(most);
        if is_line(steps) {
            (good, next) = (steps, 2 * steps);
        } else {
            bad = steps;
        }
    }
    while good + 1 < bad {
        let steps = usize::midpoint(good, bad);
        if is_line(steps) {
            good = steps;
        } else {
            bad = steps;
        }
    }
    here + good
}

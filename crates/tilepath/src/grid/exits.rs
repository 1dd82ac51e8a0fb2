//! Edges that can be crossed in one direction only, or not at all.

use super::Grid;
use crate::{
    bounds::GridError,
    cell::{Cell, Direction},
    exits::Exits,
    journal::Change,
    topology::Topology,
};

impl Grid {
    /// The exits of a cell, or `None` outside the map's rectangle.
    #[must_use]
    pub fn exits(&self, cell: Cell) -> Option<Exits> {
        let slot = self.bounds.slot(cell)?;
        Some(self.exits.as_ref().map_or(Exits::ALL, |exits| exits[slot]))
    }

    /// Says in which directions a cell may be left; says whether that made a difference.
    ///
    /// A diagonal step needs its own exit, and a cell beside it counts as free only if both straight steps by way of that cell
    /// have their exits.
    ///
    /// # Errors
    /// [`GridError::OutOfBounds`], [`GridError::NoExit`]; the map is as before.
    pub fn set_exits(&mut self, cell: Cell, exits: Exits) -> Result<bool, GridError> {
        let slot = self.slot(cell)?;
        if exits == Exits::NONE {
            return Err(GridError::NoExit { cell });
        }
        Ok(self.change_exits(slot, exits))
    }

    /// The same for any set, also one that edges closed one by one have left empty.
    pub(crate) fn replace_exits(&mut self, cell: Cell, exits: Exits) -> Result<bool, GridError> {
        let slot = self.slot(cell)?;
        Ok(self.change_exits(slot, exits))
    }

    /// Closes the step from `to` back to `from`: between the two it goes one way only.
    ///
    /// # Errors
    /// [`GridError::OutOfBounds`]; [`GridError::NotNeighbours`] where the cells do not touch. The map is as before.
    ///
    /// # Examples
    /// ```
    /// use tilepath::{Cell, Grid, Movement, Outcome, PathFinder};
    /// let mut grid = Grid::new(3, 1, 1)?;
    /// grid.one_way(Cell::new(0, 0), Cell::new(1, 0))?;
    /// let finder = PathFinder::new(grid, Movement::new());
    /// assert!(finder.find(Cell::new(0, 0), Cell::new(2, 0))?.path().is_some());
    /// assert_eq!(finder.find(Cell::new(2, 0), Cell::new(0, 0))?, Outcome::Unreachable { closest: None });
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn one_way(&mut self, from: Cell, to: Cell) -> Result<bool, GridError> {
        let (direction, [_, there]) = self.edge(from, to)?;
        Ok(self.close(there, direction.opposite()))
    }

    /// Closes the edge between two cells in both directions. A diagonal step past its end has one side less; under
    /// [`Diagonals::Always`](crate::Diagonals::Always), which looks at no side, no diagonal step crosses its end either.
    ///
    /// # Errors
    /// As [`one_way`](Self::one_way).
    ///
    /// # Examples
    /// ```
    /// use tilepath::{Cell, Cost, Grid, Movement, PathFinder};
    /// let mut grid = Grid::new(2, 2, 1)?;
    /// grid.fence(Cell::new(0, 0), Cell::new(1, 0))?;
    /// let finder = PathFinder::new(grid, Movement::new());
    /// let path = finder.find(Cell::new(0, 0), Cell::new(1, 0))?.into_path().unwrap();
    /// assert_eq!(path.cost(), Cost::new(30), "around the end of the fence");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn fence(&mut self, from: Cell, to: Cell) -> Result<bool, GridError> {
        let (direction, [here, there]) = self.edge(from, to)?;
        let has_closed_one = self.close(here, direction);
        Ok(self.close(there, direction.opposite()) | has_closed_one)
    }

    /// Opens the edge between two cells in both directions. When no exit of the map is closed any longer, the map takes no memory for
    /// exits, and finders answer as on a map that never had any.
    ///
    /// # Errors
    /// As [`one_way`](Self::one_way).
    pub fn open_edge(&mut self, from: Cell, to: Cell) -> Result<bool, GridError> {
        let (direction, [here, there]) = self.edge(from, to)?;
        let has_opened_one = self.change_exits(here, self.exits_at(here).with(direction));
        Ok(self.change_exits(there, self.exits_at(there).with(direction.opposite())) | has_opened_one)
    }

    /// Makes the edge of cells in a straight direction a ledge: a unit may step off it in that direction and not come back up,
    /// also not by a diagonal step past its end. Says whether that made a difference. Cells whose neighbour lies outside the
    /// map are passed over.
    ///
    /// # Errors
    /// [`GridError::OutOfBounds`] names the first cell that is not in the map's rectangle; [`GridError::NotNeighbours`] where
    /// the direction is none in which cells share an edge. The map is as before.
    ///
    /// # Examples
    /// ```
    /// use tilepath::{Cell, Direction, Grid, Movement, PathFinder, PathQuery};
    /// let mut grid = Grid::new(3, 2, 1)?;
    /// grid.ledge(&[0, 1, 2].map(|x| Cell::new(x, 1)), Direction::South)?;
    /// let finder = PathFinder::new(grid, Movement::new());
    /// let down = PathQuery::new(Cell::new(1, 1), Cell::new(1, 0));
    /// assert!(finder.is_reachable(&down)?);
    /// assert!(!finder.is_reachable(&PathQuery::new(down.goal(), down.start()))?);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn ledge(&mut self, cells: &[Cell], down: Direction) -> Result<bool, GridError> {
        for &cell in cells {
            self.slot(cell)?;
            if !self.shares_edge(down) {
                return Err(GridError::NotNeighbours { from: cell, to: cell + down.offset() });
            }
        }
        let up = down.opposite();
        let turns: &[usize] = if self.topology == Topology::Square { &[1, 7] } else { &[] };
        let mut has_changed = false;
        for below in cells.iter().filter_map(|cell| cell.neighbour(down)) {
            has_changed |= self.close_at(below, up);
            for &turn in turns {
                // Past either end of the edge: onto the cell from aside, and from below it aside.
                let aside = below.neighbour(up.turned(2 * turn));
                has_changed |= aside.is_some_and(|aside| self.close_at(aside, up.turned(8 - turn)));
                has_changed |= self.close_at(below, up.turned(turn));
            }
        }
        Ok(has_changed)
    }

    /// Whether any exit is closed.
    pub(crate) const fn has_exits(&self) -> bool {
        self.exits.is_some()
    }

    /// The exits of the cell of a slot.
    #[inline]
    pub(crate) fn exits_at(&self, slot: usize) -> Exits {
        self.exits.as_ref().map_or(Exits::ALL, |exits| exits[slot])
    }

    /// Whether cells in the direction share an edge, and not a corner alone.
    fn shares_edge(&self, direction: Direction) -> bool {
        match self.topology {
            Topology::Square => !direction.is_diagonal(),
            Topology::Hexagonal => self.topology.has(direction),
        }
    }

    /// The direction from one cell to the other, and their slots.
    fn edge(&self, from: Cell, to: Cell) -> Result<(Direction, [usize; 2]), GridError> {
        let slots = [self.slot(from)?, self.slot(to)?];
        let direction = Direction::between(from, to).filter(|&direction| self.topology.has(direction));
        Ok((direction.ok_or(GridError::NotNeighbours { from, to })?, slots))
    }

    /// Closes an exit of a cell that may lie off the map.
    fn close_at(&mut self, cell: Cell, direction: Direction) -> bool {
        self.bounds.slot(cell).is_some_and(|slot| self.close(slot, direction))
    }

    fn close(&mut self, slot: usize, direction: Direction) -> bool {
        self.change_exits(slot, self.exits_at(slot).without(direction))
    }

    fn change_exits(&mut self, slot: usize, new: Exits) -> bool {
        let old = self.exits_at(slot);
        if old == new {
            return false;
        }
        let cells = self.bounds.cell_count();
        self.exits.get_or_insert_with(|| vec![Exits::ALL; cells])[slot] = new;
        self.fenced_cells += usize::from(old == Exits::ALL);
        self.fenced_cells -= usize::from(new == Exits::ALL);
        if self.fenced_cells == 0 {
            self.exits = None;
        }
        self.note_edit(slot, if new.and(old) == new { Change::Closed } else { Change::Opened });
        true
    }
}

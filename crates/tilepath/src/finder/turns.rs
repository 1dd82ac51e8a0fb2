//! Ranges and paths of units with points for each turn.

mod limited;
pub(crate) mod query;
mod turn_map;
pub(crate) mod walk;
pub(crate) mod zone;

use self::{query::TurnQuery, turn_map::TurnMap};
use crate::{
    cell::Cell,
    dial::{turn_path::TurnPath, turn_range::TurnRange},
    finder::{PathFinder, outcome::QueryError, query::PathQuery},
    path::Path,
};

impl PathFinder {
    /// Finds every cell on which a unit may stop, and the turn in which it gets there. Use it for
    /// the ranges of this turn and the next, and for maps of the cells that units reach in each
    /// turn.
    ///
    /// Points left at the end of a turn are lost. A unit may wait even if it could continue. For
    /// example, it waits to have all its points before it crosses a row of cells on which it may
    /// not stop. A unit may leave a closed cell, and its own cell is always part of the range.
    ///
    /// # Errors
    /// - [`QueryError::StartOutOfBounds`]: the cell is not on the map.
    /// - [`QueryError::UnknownMovement`]: the finder has no movement with this id.
    ///
    /// # Complexity
    /// O(n log n) for n cells reached. A cell on which the unit may not stop counts once for each
    /// turn in which it may help to pass it. If points depend on the class
    /// ([`TurnQuery::with_points_on`]), a cell counts once for each turn in which it may be better
    /// to arrive later.
    ///
    /// # Guarantee
    /// The range has all such cells. Each cell has its earliest possible turn, and the most points
    /// left in that turn.
    ///
    /// # Examples
    /// ```
    /// use tilepath::{Cell, Cost, Movement, PathFinder, format, turns::TurnQuery};
    /// let grid = format::parse_ascii(
    ///     "
    ///     ......
    ///     .####.
    ///     ...3..
    ///     ",
    /// )?;
    /// let finder = PathFinder::new(grid, Movement::new());
    /// let unit = TurnQuery::new(Cell::new(0, 0), Cost::new(30)).with_turns(2);
    /// let range = finder.solve_turns(&unit)?;
    /// let digit = |x, y| range.get(Cell::new(x, y)).map_or('-', |reached| (b'0' + reached.turn as u8) as char);
    /// let picture: Vec<String> = (0..3).rev().map(|y| (0..6).map(|x| digit(x, y)).collect()).collect();
    /// assert_eq!(picture, ["11222-", "1-----", "1112--"]);
    /// let ford = range.get(Cell::new(3, 0)).unwrap();
    /// assert_eq!((ford.turn, ford.used), (2, Cost::new(30)), "10 points are left of the first turn, too few for the ford");
    ///
    /// let friend = Cell::new(2, 0);
    /// let range = finder.solve_turns(&unit.with_no_stop([friend]))?;
    /// assert!(!range.contains(friend));
    /// assert!(!range.contains(Cell::new(3, 0)), "to pass the friend and the ford takes 40 points");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn solve_turns(&self, query: &TurnQuery) -> Result<TurnRange, QueryError> {
        let map = TurnMap::new(self, query)?;
        Ok(match &map.limits {
            Some(limits) => map.limited_range(limits),
            None => map.range(),
        })
    }

    /// Finds the path to `goal` that takes the fewest turns. Among such paths, it takes one that
    /// leaves the most movement points in the last turn. Returns `None` if there is no path, if the
    /// path takes more turns than the query allows, or if the unit cannot stop on `goal`.
    ///
    /// The result may differ from the cheapest path cut into turns, because the cheapest path may
    /// waste points at the end of turns.
    ///
    /// # Errors
    /// - [`QueryError::StartOutOfBounds`], [`QueryError::GoalOutOfBounds`]: the cell is not on the
    ///   map.
    /// - [`QueryError::UnknownMovement`]: the finder has no movement with this id.
    /// - [`QueryError::CostOverflow`]: the path costs more than [`Cost::MAX`](crate::Cost::MAX).
    ///
    /// # Complexity
    /// O(n log n) for n cells examined. The octile distance guides the search.
    ///
    /// # Guarantee
    /// No other path takes fewer turns. No other path of as many turns leaves more points of the
    /// last turn.
    ///
    /// # Examples
    /// ```
    /// use tilepath::{Cell, Cost, Movement, PathFinder, format, turns::TurnQuery};
    /// let grid = format::parse_ascii(
    ///     "
    ///     ....
    ///     .##.
    ///     .33.
    ///     ",
    /// )?;
    /// let finder = PathFinder::new(grid, Movement::new());
    /// let (from, to) = (Cell::new(0, 0), Cell::new(3, 0));
    /// assert_eq!(finder.find(from, to)?.path().unwrap().cost(), Cost::new(70)); // over or through, all the same
    /// let way = finder.solve_turn_path(&TurnQuery::new(from, Cost::new(40)), to)?.unwrap();
    /// assert_eq!((way.turns(), way.used()), (2, Cost::new(30)));
    /// assert_eq!(way.path().cells()[way.stops()[0]], Cell::new(2, 2), "over: through the fords points are lost");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn solve_turn_path(&self, query: &TurnQuery, goal: Cell) -> Result<Option<TurnPath>, QueryError> {
        let map = TurnMap::new(self, query)?;
        let plain = PathQuery::new(query.start(), goal).with_movement(query.movement());
        let ends = self.ends(&plain, map.movement_map.movement())?;
        if !map.can_stop(ends[1]) || !self.is_reachable(&plain)? {
            return Ok(None);
        }
        match &map.limits {
            Some(limits) => map.limited_path(ends[1], limits),
            None => map.path(ends[1]),
        }
    }

    /// Cuts an existing path into turns, as a unit would walk it in the fewest turns. All settings
    /// of the query apply except its start.
    ///
    /// Returns `None` if the path cannot be walked under these settings:
    /// - a step is not allowed on the map as it is now, or costs more than a turn has;
    /// - a zone forbids a step;
    /// - too many cells in a row are cells on which the unit may not stop;
    /// - the unit may not stop on the last cell;
    /// - the path takes more turns than the query allows.
    ///
    /// # Errors
    /// [`QueryError::UnknownMovement`]: the finder has no movement with this id.
    ///
    /// # Complexity
    /// O(cells of the path).
    ///
    /// # Guarantee
    /// No other cut takes fewer turns. No other cut into as many turns leaves more points of the
    /// last turn.
    ///
    /// # Examples
    /// ```
    /// use tilepath::{Cell, Cost, Grid, Movement, PathFinder, turns::TurnQuery};
    /// let finder = PathFinder::new(Grid::new(9, 1, 1)?, Movement::new());
    /// let path = finder.find(Cell::new(0, 0), Cell::new(8, 0))?.into_path().unwrap();
    /// let unit = TurnQuery::new(path.start(), Cost::new(35)).with_points_left(Cost::new(10));
    /// let cut = finder.cut_into_turns(&path, &unit)?.unwrap();
    /// assert_eq!(cut.stops(), [1, 4, 7, 8]);
    /// assert_eq!(cut.path(), &path);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn cut_into_turns(&self, path: &Path, query: &TurnQuery) -> Result<Option<TurnPath>, QueryError> {
        let from = query.clone().with_start(path.start());
        let map = match TurnMap::new(self, &from) {
            // The path belongs to another map.
            Err(QueryError::StartOutOfBounds { .. }) => return Ok(None),
            map => map?,
        };
        Ok(match &map.limits {
            Some(limits) => map.limited_cut(path, limits),
            None => map.cut(path),
        })
    }
}

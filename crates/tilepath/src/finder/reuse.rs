//! Answers in the caller's memory.

use crate::{
    cell::Cell,
    cost::Cost,
    finder::{
        PathFinder,
        outcome::{Limit, Outcome, QueryError, Statistics},
        path_search::PathSearch,
        query::PathQuery,
    },
};

/// The outcome of a query, without the path.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum OutcomeKind {
    /// A path to the goal was found.
    Found,
    /// There is no path.
    Unreachable,
    /// A limit of the query was reached.
    LimitReached(Limit),
}

/// An answer without the cells of its path, which are in the caller's list.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct PathSummary {
    /// The outcome.
    pub kind: OutcomeKind,
    /// The cost of the path in the list; zero if the list is empty.
    pub cost: Cost,
    /// The proven lower bound: no path from the first to the last cell of the list costs less.
    pub lower_bound: Cost,
    /// The work spent on the answer.
    pub statistics: Statistics,
}

impl PathFinder {
    /// Answers a query and writes the path's cells into the caller's list. Use it in a server that
    /// answers thousands of queries a second and keeps no path.
    ///
    /// The list then holds the cells of [`Outcome::path_or_closest`], or is empty if there is no
    /// such path. On an error it is empty.
    ///
    /// # Errors
    /// The errors of [`PathFinder::begin`], and [`QueryError::CostOverflow`].
    ///
    /// # Memory
    /// Nothing is allocated if the finder has answered an equally large query before, and the list
    /// has held an equally long path. Exception: on ground of many costs, a search allocates for
    /// each block of 16 × 16 cells that no earlier search has entered.
    ///
    /// # Examples
    /// ```
    /// use tilepath::{Cell, Cost, Grid, Movement, OutcomeKind, PathFinder, PathQuery};
    /// let finder = PathFinder::new(Grid::new(20, 20, 1)?, Movement::new());
    /// let mut cells = Vec::new();
    /// for x in 1..20 {
    ///     let summary = finder.solve_into(&PathQuery::new(Cell::new(0, 0), Cell::new(x, 0)), &mut cells)?;
    ///     assert_eq!((summary.kind, summary.cost), (OutcomeKind::Found, Cost::new(10 * x as u32)));
    ///     assert_eq!(cells.last(), Some(&Cell::new(x, 0)));
    /// }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn solve_into(&self, query: &PathQuery, cells: &mut Vec<Cell>) -> Result<PathSummary, QueryError> {
        cells.clear();
        self.unmetered(query)?.finish_into(cells)
    }
}

impl PathSearch {
    /// Runs the search to the end and writes the path's cells into the caller's list; see
    /// [`PathFinder::solve_into`].
    ///
    /// # Errors
    /// [`QueryError::CostOverflow`]: there may be a path, but it would cost more than `Cost::MAX`.
    pub fn finish_into(mut self, cells: &mut Vec<Cell>) -> Result<PathSummary, QueryError> {
        cells.clear();
        self.run_to_end();
        let outcome = self.outcome(cells)?;
        let kind = match outcome {
            Outcome::Found(_) => OutcomeKind::Found,
            Outcome::Unreachable { .. } => OutcomeKind::Unreachable,
            Outcome::LimitReached { limit, .. } => OutcomeKind::LimitReached(limit),
        };
        let statistics = self.statistics();
        let path = match outcome {
            Outcome::Found(path) | Outcome::LimitReached { best: path, .. } => Some(path),
            Outcome::Unreachable { closest } => closest,
        };
        let (mut cost, mut lower_bound) = (Cost::ZERO, Cost::ZERO);
        if let Some(path) = path {
            (cost, lower_bound) = (path.cost(), path.lower_bound());
            *cells = path.into_cells();
        }
        Ok(PathSummary { kind, cost, lower_bound, statistics })
    }
}

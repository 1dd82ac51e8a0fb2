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

/// What became of a query, without the path.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum OutcomeKind {
    /// There is a way.
    Found,
    /// There is no way.
    Unreachable,
    /// One of the query's limits is in the way.
    LimitReached(Limit),
}

/// Everything about an answer but the cells of its path, which are in the caller's list.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct PathSummary {
    /// What became of the query.
    pub kind: OutcomeKind,
    /// What the path in the list costs; nothing where the list is empty.
    pub cost: Cost,
    /// No path between the ends of the one in the list is cheaper than this.
    pub lower_bound: Cost,
    /// The work.
    pub statistics: Statistics,
}

impl PathFinder {
    /// The answer to a query, with the path's cells in a list of the caller's: for a server that answers thousands of
    /// queries a second and keeps no path.
    ///
    /// Afterwards the list holds the cells of [`Outcome::path_or_closest`], or nothing where there is no such path. On an
    /// error it is empty.
    ///
    /// # Errors
    /// As [`PathFinder::begin`], and [`QueryError::CostOverflow`].
    ///
    /// # Memory
    /// Nothing is allocated once the finder has answered a query as large and the list has held a path as long. (On ground of many
    /// costs also where a search comes to a block of 16 × 16 cells for the first time.)
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
    /// Runs to the end and answers with the path's cells in a list of the caller's; see [`PathFinder::solve_into`].
    ///
    /// # Errors
    /// [`QueryError::CostOverflow`]: there may be a way, but its cost cannot be stated.
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

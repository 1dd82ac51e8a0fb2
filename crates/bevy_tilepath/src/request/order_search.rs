//! The search for an order: for one goal, or for the nearest of many.

use tilepath::{
    Cell, NearestQuery, NearestSearch, Outcome, Path, PathQuery, PathSearch, QueryError, Revision,
    SearchStatus, Statistics,
};

use crate::{
    failure::PathFailure,
    nav_map::NavGrid,
    request::{GoalCells, Job},
};

/// A search that is run in slices, on a snapshot of its map.
#[derive(Debug)]
pub(crate) enum OrderSearch {
    One { search: Box<PathSearch>, chosen: usize },
    Nearest { search: Box<NearestSearch>, limit: u64 },
}

/// A path for an order.
#[derive(Debug)]
pub(crate) struct Way {
    pub(crate) path: Path,
    pub(crate) partial: bool,
    /// The index of the goal it leads to, or as near to as possible.
    pub(crate) chosen: usize,
    pub(crate) statistics: Statistics,
}

impl Job {
    /// A search by the map's present rules.
    pub(crate) fn begin(&self, grid: &NavGrid) -> Result<OrderSearch, QueryError> {
        let request = &self.request;
        let cells = match &self.goals {
            GoalCells::One(cell) => {
                let query = self.query(grid, *cell).with_algorithm(request.algorithm());
                return OrderSearch::one(grid, &query, 0);
            }
            GoalCells::Nearest(cells) => cells,
        };
        let query = NearestQuery::new(self.start, cells.to_vec()).with_movement(grid.movement());
        let search = grid.finder().begin_nearest(&query)?;
        if let Some(here) = cells.iter().position(|&cell| cell == self.start) {
            // Wins over everything, a limit of 0 included.
            return OrderSearch::one(grid, &self.query(grid, self.start), here);
        }
        // Over before it has begun: none of them can be reached.
        if request.wants_closest() && search.is_done() {
            return OrderSearch::one(grid, &self.query(grid, cells[0]), 0);
        }
        let limit = request.limit().unwrap_or(u64::MAX);
        Ok(OrderSearch::Nearest { search: Box::new(search), limit })
    }

    /// What [`begin`](Self::begin) costs, in expanded cells: each of many goals is looked up.
    pub(crate) fn begin_work(&self) -> u64 {
        match &self.goals {
            GoalCells::One(_) => 0,
            GoalCells::Nearest(cells) => cells.len() as u64,
        }
    }

    fn query(&self, grid: &NavGrid, goal: Cell) -> PathQuery {
        let mut query = PathQuery::new(self.start, goal).with_movement(grid.movement());
        if self.request.wants_closest() {
            query = query.or_closest();
        }
        match self.request.limit() {
            Some(expansions) => query.with_limit(expansions),
            None => query,
        }
    }
}

impl OrderSearch {
    fn one(grid: &NavGrid, query: &PathQuery, chosen: usize) -> Result<Self, QueryError> {
        Ok(Self::One { search: Box::new(grid.finder().begin(query)?), chosen })
    }

    pub(crate) fn advance(&mut self, slice: u64) -> SearchStatus {
        match self {
            Self::One { search, .. } => search.advance(slice),
            Self::Nearest { search, limit } => {
                let left = limit.saturating_sub(search.statistics().expanded);
                let status = search.advance(slice.min(left));
                if slice < left { status } else { SearchStatus::Done }
            }
        }
    }

    pub(crate) fn statistics(&self) -> Statistics {
        match self {
            Self::One { search, .. } => search.statistics(),
            Self::Nearest { search, .. } => search.statistics(),
        }
    }

    pub(crate) fn revision(&self) -> Revision {
        match self {
            Self::One { search, .. } => search.revision(),
            Self::Nearest { search, .. } => search.revision(),
        }
    }

    /// The answer of a search that is done.
    pub(crate) fn finish(self, wants_closest: bool) -> Result<Way, PathFailure> {
        match self {
            Self::One { search, chosen } => {
                let answer = search.finish()?;
                let (path, partial) = match answer.outcome {
                    Outcome::Found(path) => (path, false),
                    Outcome::Unreachable { closest: Some(path) } => (path, true),
                    Outcome::LimitReached { best } if wants_closest => (best, true),
                    Outcome::Unreachable { closest: None } => return Err(PathFailure::Unreachable),
                    Outcome::LimitReached { .. } => return Err(PathFailure::LimitReached),
                };
                Ok(Way { path, partial, chosen, statistics: answer.statistics })
            }
            Self::Nearest { search, .. } => {
                let answer = search.answer().ok_or(PathFailure::LimitReached)??;
                let statistics = answer.statistics;
                let nearest = answer.goals.into_iter().next().ok_or(PathFailure::Unreachable)?;
                Ok(Way { path: nearest.path, partial: false, chosen: nearest.index, statistics })
            }
        }
    }
}

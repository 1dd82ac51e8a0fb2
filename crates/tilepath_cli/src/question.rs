//! A path query from the command line, and its answer.

use crate::{board::Board, failure::Failure, layout::Layout, place::Place};
use race_link::Racer;
use std::path::Path as FilePath;
use tilepath::{
    Algorithm, Answer, Cell, Cost, HeuristicKind, LandmarkCount, Movement, MovementId, Outcome, Path,
    PathFinder, PathQuery, QueryError, Size, search::Step,
};

/// A path query: start, goal, algorithm and limits.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Question<'a> {
    /// The map's file, for messages.
    pub(crate) file: &'a FilePath,
    /// The start.
    pub(crate) from: Place,
    /// The goal.
    pub(crate) to: Place,
    /// The algorithm, or A* with landmarks.
    pub(crate) racer: Racer,
    /// The estimate.
    pub(crate) heuristic: HeuristicKind,
    /// True for a path to the closest reachable cell if the goal is unreachable.
    pub(crate) closest: bool,
    /// The highest cost of the path.
    pub(crate) cost_limit: Option<Cost>,
    /// The most steps of the path.
    pub(crate) length_limit: Option<u32>,
    /// True to record the expanded cells.
    pub(crate) trace: bool,
}

/// The answer to a query, with the map.
#[derive(Debug)]
pub(crate) struct Reply {
    /// The finder with the map.
    pub(crate) finder: PathFinder,
    /// The cell of each place of the file.
    pub(crate) layout: Layout,
    /// The library's answer.
    pub(crate) answer: Answer,
    /// The expanded cells in order, if they were recorded.
    pub(crate) expanded: Vec<Cell>,
}

impl Question<'_> {
    /// Runs the query for a unit with this movement.
    ///
    /// # Errors
    /// If the start or the goal is outside the map, or if the library refuses the query.
    pub(crate) fn ask(&self, board: Board, movement: Movement) -> Result<Reply, Failure> {
        self.ask_of(PathFinder::new(board.grid, movement), board.layout)
    }

    /// Runs the query with the first movement of a finder.
    ///
    /// # Errors
    /// As [`Question::ask`].
    pub(crate) fn ask_of(&self, mut finder: PathFinder, layout: Layout) -> Result<Reply, Failure> {
        let (from, to) = self.ends(&layout)?;
        let size = finder.movement(MovementId::FIRST).map_or(Size::ONE, Movement::size);
        check_footprint(self.file, self.from, &layout, size)?;
        if !self.closest {
            check_footprint(self.file, self.to, &layout, size)?;
        }
        let refused = |error| Failure::Query { file: self.file.to_owned(), error };
        let mut query = PathQuery::new(from, to).with_heuristic(self.heuristic);
        query = match self.racer {
            Racer::Algorithm(algorithm) => query.with_algorithm(algorithm),
            Racer::Landmarks => {
                finder.make_landmarks(MovementId::FIRST, LandmarkCount::ByMap).map_err(refused)?;
                query.with_algorithm(Algorithm::AStar).with_landmarks()
            }
        };
        if self.closest {
            query = query.or_closest();
        }
        if let Some(most) = self.cost_limit {
            query = query.with_cost_limit(most);
        }
        if let Some(most) = self.length_limit {
            query = query.with_length_limit(most);
        }
        let mut expanded = Vec::new();
        let answer = if self.trace { trace(&finder, &query, &mut expanded) } else { finder.solve(&query) };
        let answer = answer.map_err(refused)?;
        Ok(Reply { finder, layout, answer, expanded })
    }

    /// Returns the name of what has searched: `auto` chooses an algorithm.
    pub(crate) fn searched_by(&self, answer: &Answer) -> String {
        match self.racer {
            Racer::Algorithm(_) => answer.statistics.algorithm.to_string(),
            Racer::Landmarks => self.racer.to_string(),
        }
    }

    /// Returns the start and the goal as cells.
    ///
    /// # Errors
    /// If one of them is outside the map.
    pub(crate) fn ends(&self, layout: &Layout) -> Result<(Cell, Cell), Failure> {
        let cell = |argument, place| cell_at(self.file, argument, place, layout);
        Ok((cell("--from", self.from)?, cell("--to", self.to)?))
    }
}

/// Returns the cell for a place in an argument.
///
/// # Errors
/// If the place is outside the map.
pub(crate) fn cell_at(
    file: &FilePath,
    argument: &'static str,
    place: Place,
    layout: &Layout,
) -> Result<Cell, Failure> {
    layout.cell(place).ok_or_else(|| Failure::OutsideMap {
        file: file.to_owned(),
        argument,
        place,
        width: layout.columns(),
        height: layout.rows(),
    })
}

/// Returns the cell for a unit at a place in an argument.
///
/// # Errors
/// If the place is outside the map, or if the unit would stand partly outside.
pub(crate) fn unit_at(
    file: &FilePath,
    argument: &'static str,
    place: Place,
    layout: &Layout,
    size: Size,
) -> Result<Cell, Failure> {
    let cell = cell_at(file, argument, place, layout)?;
    check_footprint(file, place, layout, size).map(|()| cell)
}

/// Checks that a unit stands on cells of the file. In some topologies the library's rectangle is
/// wider than the file, so the library cannot check this.
fn check_footprint(file: &FilePath, place: Place, layout: &Layout, size: Size) -> Result<(), Failure> {
    let mut covered = layout.cell(place).into_iter().flat_map(|anchor| size.footprint(anchor));
    if covered.all(|cell| layout.place(cell).is_some()) {
        return Ok(());
    }
    Err(Failure::Footprint {
        file: file.to_owned(),
        place,
        side: size.side(),
        columns: layout.columns(),
        rows: layout.rows(),
    })
}

fn trace(finder: &PathFinder, query: &PathQuery, expanded: &mut Vec<Cell>) -> Result<Answer, QueryError> {
    let mut search = finder.begin(query)?;
    expanded.extend(search.steps().filter_map(|step| match step {
        Step::Expanded(cell) => Some(cell),
        _ => None,
    }));
    search.finish()
}

impl Reply {
    /// Returns the name of the status, as in all output.
    pub(crate) fn status(&self) -> &'static str {
        status(&self.answer.outcome)
    }

    /// Returns the movement of the query.
    pub(crate) fn movement(&self) -> &Movement {
        self.finder.movement(MovementId::FIRST).expect("nothing retires the first movement of this finder")
    }

    /// Returns the path to the goal, or the path that the query allows instead.
    pub(crate) fn path(&self) -> Option<&Path> {
        match &self.answer.outcome {
            Outcome::Found(path) | Outcome::LimitReached { best: path, .. } => Some(path),
            Outcome::Unreachable { closest } => closest.as_ref(),
        }
    }

    /// Returns the cells of the path; empty if there is no path.
    pub(crate) fn cells(&self) -> &[Cell] {
        self.path().map_or(&[], Path::cells)
    }

    /// Returns the cells of the path as places of the file.
    pub(crate) fn places(&self) -> Vec<Place> {
        self.cells().iter().filter_map(|&cell| self.layout.place(cell)).collect()
    }
}

/// Returns the name of an outcome, as in all output.
pub(crate) const fn status(outcome: &Outcome) -> &'static str {
    match outcome {
        Outcome::Found(_) => "found",
        Outcome::Unreachable { .. } => "unreachable",
        Outcome::LimitReached { .. } => "limit-reached",
    }
}

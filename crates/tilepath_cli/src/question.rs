//! One question to the core, asked from the command line.

use crate::{arguments::MovementArguments, failure::Failure, place::Place};
use std::path::Path as FilePath;
use tilepath::{
    Answer, Bounds, Cell, Grid, Movement, Outcome, Path, PathFinder, PathQuery, QueryError, StepCosts,
    search::Step,
};

/// Where from, where to, and how.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Question<'a> {
    /// The map's file, for messages.
    pub(crate) file: &'a FilePath,
    /// Start.
    pub(crate) from: Place,
    /// Goal.
    pub(crate) to: Place,
    /// Rules and algorithm.
    pub(crate) movement: &'a MovementArguments,
    /// Prices of the steps.
    pub(crate) steps: StepCosts,
    /// Whether a path to the closest reachable cell is wanted instead of none.
    pub(crate) closest: bool,
    /// Whether the expanded cells are wanted.
    pub(crate) trace: bool,
}

/// What came back.
#[derive(Debug)]
pub(crate) struct Reply {
    /// The map that was searched.
    pub(crate) finder: PathFinder,
    /// The core's answer.
    pub(crate) answer: Answer,
    /// The expanded cells in order, if they were wanted.
    pub(crate) expanded: Vec<Cell>,
}

impl Question<'_> {
    /// Asks.
    ///
    /// # Errors
    /// Where start or goal is outside the map, or the core refuses the question.
    pub(crate) fn ask(&self, grid: Grid) -> Result<Reply, Failure> {
        let movement = Movement::new().with_diagonals(self.movement.diagonals).with_steps(self.steps);
        self.ask_of(PathFinder::new(grid, movement))
    }

    /// Asks a finder whose first movement is that of the question.
    ///
    /// # Errors
    /// As [`Question::ask`].
    pub(crate) fn ask_of(&self, finder: PathFinder) -> Result<Reply, Failure> {
        let (from, to) = self.ends(&finder.grid().bounds())?;
        let mut query = PathQuery::new(from, to).with_algorithm(self.movement.algorithm);
        if self.closest {
            query = query.or_closest();
        }
        let mut expanded = Vec::new();
        let answer = if self.trace { trace(&finder, &query, &mut expanded) } else { finder.solve(&query) };
        let answer = answer.map_err(|error| Failure::Query { file: self.file.to_owned(), error })?;
        Ok(Reply { finder, answer, expanded })
    }

    /// Start and goal as cells.
    ///
    /// # Errors
    /// Where one of them is outside the map.
    pub(crate) fn ends(&self, bounds: &Bounds) -> Result<(Cell, Cell), Failure> {
        Ok((self.cell("--from", self.from, bounds)?, self.cell("--to", self.to, bounds)?))
    }

    /// The cell that an argument names.
    ///
    /// # Errors
    /// Where it is outside the map.
    pub(crate) fn cell(
        &self,
        argument: &'static str,
        place: Place,
        bounds: &Bounds,
    ) -> Result<Cell, Failure> {
        cell_at(self.file, argument, place, bounds)
    }
}

/// The cell of a map from a file that an argument names.
///
/// # Errors
/// Where it is outside the map.
pub(crate) fn cell_at(
    file: &FilePath,
    argument: &'static str,
    place: Place,
    bounds: &Bounds,
) -> Result<Cell, Failure> {
    place.cell(bounds).ok_or_else(|| Failure::OutsideMap {
        file: file.to_owned(),
        argument,
        place,
        width: bounds.width(),
        height: bounds.height(),
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
    /// The status as all output names it.
    pub(crate) fn status(&self) -> &'static str {
        status(&self.answer.outcome)
    }

    /// The path to the goal, or the one that was asked for in its place.
    pub(crate) fn path(&self) -> Option<&Path> {
        match &self.answer.outcome {
            Outcome::Found(path) | Outcome::LimitReached { best: path, .. } => Some(path),
            Outcome::Unreachable { closest } => closest.as_ref(),
        }
    }

    /// The places of that path; empty without one.
    pub(crate) fn places(&self) -> Vec<Place> {
        let bounds = self.finder.grid().bounds();
        let cells = self.path().map_or(&[][..], Path::cells);
        cells.iter().filter_map(|&cell| Place::of(&bounds, cell)).collect()
    }
}

/// The status of an outcome as all output names it.
pub(crate) const fn status(outcome: &Outcome) -> &'static str {
    match outcome {
        Outcome::Found(_) => "found",
        Outcome::Unreachable { .. } => "unreachable",
        Outcome::LimitReached { .. } => "limit-reached",
    }
}

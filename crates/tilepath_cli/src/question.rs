//! One question to the core, asked from the command line.

use crate::{board::Board, failure::Failure, layout::Layout, place::Place};
use std::path::Path as FilePath;
use tilepath::{
    Algorithm, Answer, Bounds, Cell, Cost, Movement, MovementId, Outcome, Path, PathFinder, PathQuery,
    QueryError, SearchStatus, Size, search::Step,
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
    /// How to search.
    pub(crate) algorithm: Algorithm,
    /// Whether a path to the closest reachable cell is wanted instead of none.
    pub(crate) closest: bool,
    /// What the path may cost.
    pub(crate) cost_limit: Option<Cost>,
    /// How many steps the path may have.
    pub(crate) length_limit: Option<u32>,
    /// Whether the expanded cells are wanted.
    pub(crate) trace: bool,
    /// Whether it is wanted where a near answer was searched for.
    pub(crate) corridor: bool,
}

/// What came back.
#[derive(Debug)]
pub(crate) struct Reply {
    /// The map that was searched.
    pub(crate) finder: PathFinder,
    /// Where the places of its file lie.
    pub(crate) layout: Layout,
    /// The core's answer.
    pub(crate) answer: Answer,
    /// The expanded cells in order, if they were wanted.
    pub(crate) expanded: Vec<Cell>,
    /// Where a near answer was searched for, if it is one and that was wanted.
    pub(crate) near: NearTrace,
}

/// What a near answer leads over.
#[derive(Clone, Default, Debug)]
pub(crate) struct NearTrace {
    /// The chunks that were searched cell by cell.
    pub(crate) corridor: Vec<Bounds>,
    /// Their portals.
    pub(crate) portals: Vec<Cell>,
    /// The way over portals.
    pub(crate) way: Vec<Cell>,
}

impl Question<'_> {
    /// Asks for a unit that moves like this.
    ///
    /// # Errors
    /// Where start or goal is outside the map, or the core refuses the question.
    pub(crate) fn ask(&self, board: Board, movement: Movement) -> Result<Reply, Failure> {
        self.ask_of(PathFinder::new(board.grid, movement), board.layout)
    }

    /// Asks a finder whose first movement is that of the question.
    ///
    /// # Errors
    /// As [`Question::ask`].
    pub(crate) fn ask_of(&self, finder: PathFinder, layout: Layout) -> Result<Reply, Failure> {
        let (from, to) = self.ends(&layout)?;
        let size = finder.movement(MovementId::FIRST).map_or(Size::ONE, Movement::size);
        check_footprint(self.file, self.from, &layout, size)?;
        if !self.closest {
            check_footprint(self.file, self.to, &layout, size)?;
        }
        let mut query = PathQuery::new(from, to).with_algorithm(self.algorithm);
        if self.closest {
            query = query.or_closest();
        }
        if let Some(most) = self.cost_limit {
            query = query.with_cost_limit(most);
        }
        if let Some(most) = self.length_limit {
            query = query.with_length_limit(most);
        }
        let (mut expanded, mut near) = (Vec::new(), NearTrace::default());
        let answer = if self.trace || self.corridor {
            let told = self.trace.then_some(&mut expanded);
            trace(&finder, &query, told, &mut near)
        } else {
            finder.solve(&query)
        };
        let answer = answer.map_err(|error| Failure::Query { file: self.file.to_owned(), error })?;
        Ok(Reply { finder, layout, answer, expanded, near })
    }

    /// Start and goal as cells.
    ///
    /// # Errors
    /// Where one of them is outside the map.
    pub(crate) fn ends(&self, layout: &Layout) -> Result<(Cell, Cell), Failure> {
        let cell = |argument, place| cell_at(self.file, argument, place, layout);
        Ok((cell("--from", self.from)?, cell("--to", self.to)?))
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

/// The cell of a map from a file where an argument puts a unit.
///
/// # Errors
/// Where it is outside the map, or the unit would be in part.
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

/// On a staircase the core's rectangle is wider than the file, so the core cannot tell where the file ends.
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

fn trace(
    finder: &PathFinder,
    query: &PathQuery,
    expanded: Option<&mut Vec<Cell>>,
    near: &mut NearTrace,
) -> Result<Answer, QueryError> {
    let mut search = finder.begin(query)?;
    match expanded {
        Some(expanded) => expanded.extend(search.steps().filter_map(|step| match step {
            Step::Expanded(cell) => Some(cell),
            _ => None,
        })),
        None => while search.advance(u64::MAX) == SearchStatus::Running {},
    }
    near.corridor.extend(search.corridor());
    near.portals.extend(search.portals());
    near.way.extend(search.way_over_portals());
    search.finish()
}

impl Reply {
    /// The status as all output names it.
    pub(crate) fn status(&self) -> &'static str {
        status(&self.answer.outcome)
    }

    /// The movement that was searched for.
    pub(crate) fn movement(&self) -> &Movement {
        self.finder
            .movement(MovementId::FIRST)
            .expect("a finder has its first movement as long as nothing retires it")
    }

    /// The path to the goal, or the one that was asked for in its place.
    pub(crate) fn path(&self) -> Option<&Path> {
        match &self.answer.outcome {
            Outcome::Found(path) | Outcome::LimitReached { best: path, .. } => Some(path),
            Outcome::Unreachable { closest } => closest.as_ref(),
        }
    }

    /// The cells of that path; empty without one.
    pub(crate) fn cells(&self) -> &[Cell] {
        self.path().map_or(&[], Path::cells)
    }

    /// The same as places of the file.
    pub(crate) fn places(&self) -> Vec<Place> {
        self.cells().iter().filter_map(|&cell| self.layout.place(cell)).collect()
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

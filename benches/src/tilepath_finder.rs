//! `PathFinder`, called as in a game.

use tilepath::{
    Algorithm, Answer, Cell, LandmarkCount, MovementId, PathFinder, PathQuery, QueryError, SearchStatus,
};

use crate::contestant::{Contestant, Problem, Solution};

/// The call that runs a query.
#[derive(Clone, Copy)]
pub(crate) enum Call {
    /// `solve` with this algorithm.
    Solve(Algorithm),
    /// `solve`, after landmarks were made.
    Led,
    /// `begin`, then `advance` with this budget until the search is done: A* over many ticks.
    Slices(u64),
}

pub(crate) struct TilepathFinder {
    name: &'static str,
    call: Call,
    finder: PathFinder,
    answer: Option<Result<Answer, QueryError>>,
}

impl TilepathFinder {
    pub(crate) fn new(name: &'static str, call: Call, problem: &Problem) -> Self {
        let mut finder = problem.finder();
        if let Call::Led = call {
            finder
                .make_landmarks(MovementId::FIRST, LandmarkCount::ByMap)
                .expect("the finder has a first movement");
        }
        Self { name, call, finder, answer: None }
    }

    fn cell(&self, slot: usize) -> Cell {
        self.finder.grid().bounds().cell(slot).expect("queries are on the map")
    }
}

impl Contestant for TilepathFinder {
    fn name(&self) -> &'static str {
        self.name
    }

    fn solve(&mut self, from: usize, to: usize) {
        let query = PathQuery::new(self.cell(from), self.cell(to));
        self.answer = Some(match self.call {
            Call::Solve(algorithm) => self.finder.solve(&query.with_algorithm(algorithm)),
            Call::Led => self.finder.solve(&query),
            Call::Slices(budget) => {
                self.finder.begin(&query.with_algorithm(Algorithm::AStar)).and_then(|mut search| {
                    while search.advance(budget) == SearchStatus::Running {}
                    search.finish()
                })
            }
        });
    }

    fn solution(&self) -> Solution {
        let answer = self.answer.as_ref().expect("a query was solved").as_ref().expect("the query is valid");
        let expanded = answer.statistics.expanded;
        let Some(path) = answer.outcome.path() else {
            return Solution { cost: None, path: Vec::new(), expanded };
        };
        let bounds = self.finder.grid().bounds();
        let slots = path.cells().iter().map(|&cell| bounds.slot(cell).expect("paths stay on the map"));
        Solution { cost: Some(u64::from(path.cost().get())), path: slots.collect(), expanded }
    }
}

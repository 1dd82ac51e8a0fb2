//! One search, at any of its steps.
//!
//! The core takes the steps. To step back, the search begins again and takes one step less. This
//! works because the same query always takes the same steps.

use std::collections::BTreeMap;

use tilepath::{
    Algorithm, Answer, Cell, PathFinder, PathQuery, PathSearch, QueryError,
    graph::{Graph, GraphAlgorithm, GraphError, GraphPath, GraphSearch, NodeId},
    search::Step,
};
use tilepath_examples::words;

use crate::{field::Field, network::Network};

/// A search at one of its steps.
pub(crate) enum Run {
    /// Nothing to search yet: the goal is missing.
    Idle,
    Grid(Box<GridRun>),
    Graph(Box<GraphRun>),
    /// The reason why this algorithm cannot search this query.
    Refused(String),
}

impl From<Result<GridRun, QueryError>> for Run {
    fn from(run: Result<GridRun, QueryError>) -> Self {
        run.map_or_else(|error| Self::Refused(words::question(&error)), |run| Self::Grid(Box::new(run)))
    }
}

impl From<Result<GraphRun, GraphError>> for Run {
    fn from(run: Result<GraphRun, GraphError>) -> Self {
        run.map_or_else(|error| Self::Refused(error.to_string()), |run| Self::Graph(Box::new(run)))
    }
}

impl Run {
    pub(crate) fn at(&self) -> usize {
        match self {
            Self::Grid(run) => run.at(),
            Self::Graph(run) => run.at(),
            Self::Idle | Self::Refused(_) => 0,
        }
    }

    pub(crate) fn total(&self) -> usize {
        match self {
            Self::Grid(run) => run.total(),
            Self::Graph(run) => run.total(),
            Self::Idle | Self::Refused(_) => 0,
        }
    }

    pub(crate) fn is_over(&self) -> bool {
        self.at() == self.total()
    }

    /// Returns the number of cells or nodes expanded so far.
    pub(crate) fn expanded(&self) -> u64 {
        match self {
            Self::Grid(run) => run.search().statistics().expanded,
            Self::Graph(run) => run.search().expanded(),
            Self::Idle | Self::Refused(_) => 0,
        }
    }

    /// Goes to a step, forward or back, or to the last step if there are fewer.
    pub(crate) fn seek(&mut self, field: &Field, network: &Network, step: usize) {
        match self {
            Self::Grid(run) => run.seek(&field.finder, step),
            Self::Graph(run) => run.seek(&network.graph, step),
            Self::Idle | Self::Refused(_) => {}
        }
    }
}

/// A search on the grid.
pub(crate) struct GridRun {
    query: PathQuery,
    search: PathSearch,
    at: usize,
    total: usize,
    last: Option<Step<Cell>>,
    /// The step in which each cell was expanded first.
    numbers: BTreeMap<Cell, usize>,
}

impl GridRun {
    /// Begins a search and counts its steps.
    pub(crate) fn begin(finder: &PathFinder, query: PathQuery) -> Result<Self, QueryError> {
        let total = finder.begin(&query)?.steps().count();
        Ok(Self { query, search: finder.begin(&query)?, at: 0, total, last: None, numbers: BTreeMap::new() })
    }

    /// Goes to a step, forward or back, or to the last step if there are fewer.
    pub(crate) fn seek(&mut self, finder: &PathFinder, step: usize) {
        if step < self.at
            && let Ok(search) = finder.begin(&self.query)
        {
            (self.search, self.at, self.last) = (search, 0, None);
            self.numbers.clear();
        }
        let ahead = step.min(self.total).saturating_sub(self.at);
        for event in self.search.steps().take(ahead) {
            self.at += 1;
            self.last = Some(event);
            if let Step::Expanded(cell) | Step::Reached(cell) = event {
                self.numbers.entry(cell).or_insert(self.at);
            }
        }
    }

    /// Returns whether the search is a walk that steps back out of dead ends.
    pub(crate) fn is_walk(&self) -> bool {
        self.query.algorithm() == Algorithm::Backtracking
    }

    /// Returns the step in which a cell was expanded first, counted from 1.
    pub(crate) fn step_of(&self, cell: Cell) -> Option<usize> {
        self.numbers.get(&cell).copied()
    }

    pub(crate) fn at(&self) -> usize {
        self.at
    }

    pub(crate) fn total(&self) -> usize {
        self.total
    }

    /// Returns the search of the core at this step.
    pub(crate) fn search(&self) -> &PathSearch {
        &self.search
    }

    /// Returns the event of the last step, or `None` at the beginning.
    pub(crate) fn last(&self) -> Option<Step<Cell>> {
        self.last
    }

    /// Returns the answer after the last step.
    pub(crate) fn answer(&self) -> Option<Result<Answer, QueryError>> {
        if self.at == self.total { self.search.answer() } else { None }
    }
}

/// A search on the graph.
pub(crate) struct GraphRun {
    start: NodeId,
    goal: NodeId,
    algorithm: GraphAlgorithm,
    search: GraphSearch,
    at: usize,
    total: usize,
    last: Option<Step<NodeId>>,
}

impl GraphRun {
    /// Begins a search and counts its steps.
    pub(crate) fn begin(
        graph: &Graph,
        start: NodeId,
        goal: NodeId,
        algorithm: GraphAlgorithm,
    ) -> Result<Self, GraphError> {
        let total = graph.begin(start, goal, algorithm)?.steps().count();
        let search = graph.begin(start, goal, algorithm)?;
        Ok(Self { start, goal, algorithm, search, at: 0, total, last: None })
    }

    /// Goes to a step, forward or back, or to the last step if there are fewer.
    pub(crate) fn seek(&mut self, graph: &Graph, step: usize) {
        if step < self.at
            && let Ok(search) = graph.begin(self.start, self.goal, self.algorithm)
        {
            (self.search, self.at, self.last) = (search, 0, None);
        }
        while self.at < step.min(self.total) {
            self.last = Some(self.search.step());
            self.at += 1;
        }
    }

    pub(crate) fn at(&self) -> usize {
        self.at
    }

    pub(crate) fn total(&self) -> usize {
        self.total
    }

    /// Returns the search of the core at this step.
    pub(crate) fn search(&self) -> &GraphSearch {
        &self.search
    }

    /// Returns the event of the last step, or `None` at the beginning.
    pub(crate) fn last(&self) -> Option<Step<NodeId>> {
        self.last
    }

    pub(crate) fn is_over(&self) -> bool {
        self.at == self.total
    }

    /// Returns the path once the goal is reached.
    pub(crate) fn path(&self) -> Option<GraphPath> {
        match self.last {
            Some(Step::Reached(goal)) => self.search.tree().path_to(goal),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        method::Method,
        settings::{Ground, Settings},
    };
    use tilepath::{Cell, CellState, Topology};

    fn states(run: &GridRun, field: &Field) -> Vec<(CellState, Option<Cell>, Option<usize>)> {
        let cells = field.finder.grid().bounds().cells();
        let state = |cell| (run.search().cell_state(cell), run.search().came_from(cell), run.step_of(cell));
        cells.map(state).collect()
    }

    #[test]
    fn a_step_back_shows_what_was_seen_on_the_way_there() {
        for method in Method::ALL.into_iter().filter(|&method| method != Method::JumpPoint) {
            for settings in [
                Settings::default(),
                Settings { topology: Topology::Hexagonal, ..Settings::default() },
                Settings { ground: Ground::Towers, unit: 2, ..Settings::default() },
                Settings { ground: Ground::Towers, topology: Topology::Hexagonal, ..Settings::default() },
            ] {
                goes_back(&Field::new(settings), method);
            }
        }
    }

    fn goes_back(field: &Field, method: Method) {
        let query = PathQuery::new(field.start, field.goal).with_algorithm(method.on_grids());
        let mut run = GridRun::begin(&field.finder, query).unwrap();
        let mut seen = vec![(states(&run, field), run.last())];
        for step in 1..=run.total() {
            run.seek(&field.finder, step);
            assert_eq!(run.at(), step);
            seen.push((states(&run, field), run.last()));
        }
        assert!(run.answer().is_some());
        for step in (0..=run.total()).rev() {
            run.seek(&field.finder, step);
            assert_eq!((states(&run, field), run.last()), seen[step], "{} {step}", method.name());
        }
        run.seek(&field.finder, usize::MAX);
        assert_eq!(run.at(), run.total());
    }

    #[test]
    fn the_same_holds_on_a_graph() {
        let network = Network::tutorial();
        let goal = network.goal.unwrap();
        for algorithm in Method::ALL.into_iter().filter_map(Method::on_graphs) {
            let mut run = GraphRun::begin(&network.graph, network.start, goal, algorithm).unwrap();
            let mut seen = vec![run.search().visited_edges().to_vec()];
            for step in 1..=run.total() {
                run.seek(&network.graph, step);
                seen.push(run.search().visited_edges().to_vec());
            }
            assert_eq!(run.path().unwrap().nodes.first(), Some(&network.start));
            for step in (0..=run.total()).rev() {
                run.seek(&network.graph, step);
                assert_eq!(run.search().visited_edges(), seen[step]);
            }
            assert_eq!(run.path(), None, "at the beginning there is no way yet");
        }
    }
}

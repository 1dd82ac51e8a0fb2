//! One query under way.

use crate::{
    bounds::Bounds,
    cell::{Cell, Direction},
    cost::Cost,
    finder::{
        closest::Closest,
        outcome::{Answer, Outcome, QueryError, Statistics},
        query::{Algorithm, PathQuery},
        scratch::{Scratch, ScratchPool},
    },
    grid::Grid,
    heuristic::OctileDistance,
    journal::Revision,
    layer::Layer,
    path::Path,
    search::{
        BinaryHeapQueue, BucketQueue, FifoQueue, GoalNode, Greedy, Heuristic, OpenList, Problem, Record,
        Search, SearchStatus, Step, Unordered, Weighted, Zero,
    },
    space::grid::{GridNode, GridRecords, GridSpace},
};
use std::{mem, sync::Arc};

/// The widest range of priorities for which buckets beat a heap.
const MAX_BUCKETS: u64 = 1 << 16;

/// A map and a movement as they were when a search began.
#[derive(Clone, Debug)]
pub(crate) struct MapSnapshot {
    bounds: Bounds,
    classes: Arc<Vec<u8>>,
    layer: Arc<Layer>,
    revision: Revision,
}

impl MapSnapshot {
    pub(crate) fn new(grid: &Grid, layer: Arc<Layer>) -> Self {
        Self { bounds: grid.bounds(), classes: grid.shared_classes(), layer, revision: grid.revision() }
    }

    fn space(&self) -> GridSpace<'_> {
        GridSpace::new(&self.bounds, &self.classes, &self.layer)
    }
}

type GridSearch<Q> = Search<GridNode, GridRecords, Q>;

/// The search with the open list that its algorithm needs.
#[derive(Debug)]
enum Frontier {
    Buckets(GridSearch<BucketQueue<GridNode>>),
    Heap(GridSearch<BinaryHeapQueue<GridNode, Cost>>),
    Fifo(GridSearch<FifoQueue<GridNode, Cost>>),
}

/// Evaluates an expression for the search in a frontier, whichever open list it has.
macro_rules! with_search {
    ($frontier:expr, $search:ident => $result:expr) => {
        match $frontier {
            Frontier::Buckets($search) => $result,
            Frontier::Heap($search) => $result,
            Frontier::Fifo($search) => $result,
        }
    };
}

/// One query under way: run it in slices ([`PathSearch::advance`]), step by step ([`PathSearch::steps`]) or to the end
/// ([`PathSearch::finish`]). The answer is the same.
///
/// It runs on the map as it was at [`PathFinder::begin`](crate::PathFinder::begin) and borrows nothing, so the map may
/// be edited meanwhile; compare [`PathSearch::revision`] to see whether it was.
///
/// # Memory
/// Eight bytes a cell, of which only those are touched that the search reaches. Dropping the search gives the memory
/// back to the finder's pool.
#[derive(Debug)]
pub struct PathSearch {
    query: PathQuery,
    map: MapSnapshot,
    start: GridNode,
    goal: GridNode,
    algorithm: Algorithm,
    /// `None` where the answer is known without a search, and after the memory was given back.
    frontier: Option<Frontier>,
    closest: Closest,
    /// The parts that the frontier does not use, so that all go back to the pool together.
    spare: Scratch,
    pool: Arc<ScratchPool>,
}

/// What one expansion did, for a picture of a search at work.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SearchStep {
    /// The cell was expanded.
    Expanded(Cell),
    /// The goal was reached; the search is over.
    Reached(Cell),
    /// Everything that can be reached was expanded; the search is over.
    Exhausted,
    /// The query's limit is spent; the search is over.
    LimitReached,
}

/// What a search has made of a cell so far.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum CellState {
    /// Not reached yet.
    Unseen,
    /// Reached, waiting to be expanded.
    Open,
    /// Expanded.
    Closed,
}

impl PathSearch {
    pub(crate) fn begin(
        map: MapSnapshot,
        query: PathQuery,
        pool: &Arc<ScratchPool>,
    ) -> Result<Self, QueryError> {
        let bounds = map.bounds;
        let node_of = |cell| GridNode::of(&bounds, cell);
        let start =
            node_of(query.from()).ok_or(QueryError::StartOutOfBounds { cell: query.from(), bounds })?;
        let goal = node_of(query.to()).ok_or(QueryError::GoalOutOfBounds { cell: query.to(), bounds })?;
        let algorithm = match query.algorithm() {
            Algorithm::WeightedAStar { percent } if percent < 100 => {
                return Err(QueryError::InvalidWeight { percent });
            }
            Algorithm::Auto => Algorithm::AStar,
            chosen => chosen,
        };
        let wants_closest = query.wants_closest() || query.limit().is_some();
        let metric = OctileDistance::of_cost_one(&map.layer, goal);
        let closest = Closest::new(metric, start, wants_closest);
        let spare = Scratch::default();
        let pool = Arc::clone(pool);
        let mut search = Self { query, map, start, goal, algorithm, frontier: None, closest, spare, pool };
        let goal_is_open = search.map.layer.is_passable(goal.x(), goal.y());
        if goal_is_open || goal == start || query.wants_closest() {
            search.open_frontier();
        }
        if goal == start {
            // Wins over everything, a limit of 0 included.
            search.drive(StepOnce);
        }
        Ok(search)
    }

    fn open_frontier(&mut self) {
        let mut scratch = self.pool.take();
        let records = mem::take(&mut scratch.records);
        // The priorities of two neighbours differ by twice the step at most: its cost and the change of the estimate.
        let fits_buckets = 2 * u64::from(self.map.layer.dearest_step()) < MAX_BUCKETS;
        self.frontier = Some(match self.algorithm {
            Algorithm::BreadthFirst => {
                Frontier::Fifo(Search::from_parts(records, mem::take(&mut scratch.fifo)))
            }
            Algorithm::AStar | Algorithm::Dijkstra if fits_buckets => {
                Frontier::Buckets(Search::from_parts(records, mem::take(&mut scratch.buckets)))
            }
            _ => Frontier::Heap(Search::from_parts(records, mem::take(&mut scratch.heap))),
        });
        self.spare = scratch;
        self.drive(Begin(self.start));
    }

    /// Calls the driver with the search and its policies: the one place where an algorithm's name becomes types.
    /// `None` where there is nothing to search.
    fn drive<D: Driver>(&mut self, driver: D) -> Option<D::Output> {
        let space = &self.map.space();
        let goal = &GoalNode(self.goal);
        let octile = OctileDistance::new(&self.map.layer, self.goal);
        let observer = &mut self.closest;
        Some(match (self.frontier.as_mut()?, self.algorithm) {
            (Frontier::Buckets(search), Algorithm::Dijkstra) => {
                driver.drive(search, &Problem { space, heuristic: &Zero, goal }, observer)
            }
            (Frontier::Buckets(search), _) => {
                driver.drive(search, &Problem { space, heuristic: &octile, goal }, observer)
            }
            (Frontier::Heap(search), Algorithm::Greedy) => {
                driver.drive(search, &Problem { space, heuristic: &Greedy(octile), goal }, observer)
            }
            (Frontier::Heap(search), Algorithm::WeightedAStar { percent }) => {
                let heuristic = &Weighted { heuristic: octile, percent };
                driver.drive(search, &Problem { space, heuristic, goal }, observer)
            }
            (Frontier::Heap(search), Algorithm::Dijkstra) => {
                driver.drive(search, &Problem { space, heuristic: &Zero, goal }, observer)
            }
            (Frontier::Heap(search), _) => {
                driver.drive(search, &Problem { space, heuristic: &octile, goal }, observer)
            }
            (Frontier::Fifo(search), _) => {
                driver.drive(search, &Problem { space, heuristic: &Unordered, goal }, observer)
            }
        })
    }

    /// How many expansions the query's limit leaves.
    fn allowance(&self) -> u64 {
        self.query.limit().map_or(u64::MAX, |limit| limit.saturating_sub(self.statistics().expanded))
    }

    /// Runs for at most `budget` expansions.
    ///
    /// # Guarantee
    /// The answer does not depend on the slices.
    pub fn advance(&mut self, budget: u64) -> SearchStatus {
        self.drive(Advance(budget.min(self.allowance())));
        if self.is_done() { SearchStatus::Done } else { SearchStatus::Running }
    }

    /// Whether the answer is there.
    #[must_use]
    pub fn is_done(&self) -> bool {
        let is_over =
            self.frontier.as_ref().is_none_or(|frontier| with_search!(frontier, search => search.is_done()));
        is_over || self.allowance() == 0
    }

    /// One item an expansion; the last one says how the search ended.
    ///
    /// # Examples
    /// ```
    /// use tilepath::{Cell, CellState, Grid, Movement, PathFinder, PathQuery, SearchStep};
    /// let finder = PathFinder::new(Grid::new(4, 1, 1)?, Movement::new());
    /// let mut search = finder.begin(&PathQuery::new(Cell::new(0, 0), Cell::new(2, 0)))?;
    /// let steps: Vec<SearchStep> = search.steps().collect();
    /// assert_eq!(
    ///     steps,
    ///     [
    ///         SearchStep::Expanded(Cell::new(0, 0)),
    ///         SearchStep::Expanded(Cell::new(1, 0)),
    ///         SearchStep::Reached(Cell::new(2, 0)),
    ///     ]
    /// );
    /// assert_eq!(search.cell_state(Cell::new(3, 0)), CellState::Unseen);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn steps(&mut self) -> impl Iterator<Item = SearchStep> + '_ {
        let mut is_over = false;
        std::iter::from_fn(move || {
            if is_over {
                return None;
            }
            let bounds = self.map.bounds;
            let step = if self.allowance() == 0 && self.reached().is_none() {
                SearchStep::LimitReached
            } else {
                match self.drive(StepOnce) {
                    Some(Step::Expanded(node)) => SearchStep::Expanded(node.cell(&bounds)),
                    Some(Step::Reached(node)) => SearchStep::Reached(node.cell(&bounds)),
                    Some(Step::Exhausted) | None => SearchStep::Exhausted,
                }
            };
            is_over = !matches!(step, SearchStep::Expanded(_));
            Some(step)
        })
    }

    /// Runs to the end and answers.
    ///
    /// # Errors
    /// [`QueryError::CostOverflow`]: there may be a way, but its cost cannot be stated.
    pub fn finish(mut self) -> Result<Answer, QueryError> {
        self.advance(u64::MAX);
        self.outcome().map(|outcome| Answer { outcome, statistics: self.statistics() })
    }

    /// The answer, or `None` while the search is running.
    ///
    /// # Errors
    /// [`QueryError::CostOverflow`]: there may be a way, but its cost cannot be stated.
    ///
    /// # Complexity
    /// O(path) at each call.
    #[must_use]
    pub fn answer(&self) -> Option<Result<Answer, QueryError>> {
        self.is_done()
            .then(|| self.outcome().map(|outcome| Answer { outcome, statistics: self.statistics() }))
    }

    /// What became of the query; the search is done.
    fn outcome(&self) -> Result<Outcome, QueryError> {
        let Some(frontier) = &self.frontier else {
            return Ok(Outcome::Unreachable { closest: None });
        };
        if let Some((node, cost)) = self.reached() {
            return Ok(Outcome::Found(self.path_to(node, cost)));
        }
        let (has_ended, has_overflowed) =
            with_search!(frontier, search => (search.is_done(), search.has_overflowed()));
        let closest = || {
            let (node, cost) = self.closest.best();
            self.path_to(node, cost)
        };
        if !has_ended {
            Ok(Outcome::LimitReached { best: closest() })
        } else if has_overflowed {
            Err(QueryError::CostOverflow)
        } else {
            Ok(Outcome::Unreachable { closest: self.query.wants_closest().then(closest) })
        }
    }

    fn reached(&self) -> Option<(GridNode, Cost)> {
        self.frontier.as_ref().and_then(|frontier| with_search!(frontier, search => search.reached()))
    }

    fn path_to(&self, node: GridNode, cost: Cost) -> Path {
        let space = &self.map.space();
        let cells = self.frontier.as_ref().map_or_else(Vec::new, |frontier| {
            with_search!(frontier, search => {
                // Counted first, so that the path is allocated once.
                let count = search.walk_back(space, node).count();
                let mut cells = Vec::with_capacity(count);
                cells.extend(search.walk_back(space, node).map(|node| node.cell(&self.map.bounds)));
                cells.reverse();
                cells
            })
        });
        let cells = if cells.is_empty() { vec![node.cell(&self.map.bounds)] } else { cells };
        let bound = self.lower_bound(node, cost);
        // Weighted A* opens closed cells again: since the cost was noted, the way may have become cheaper.
        let cost = match self.algorithm {
            Algorithm::WeightedAStar { .. } => self.walked_cost(&cells),
            _ => cost,
        };
        Path::new(cells, cost, bound)
    }

    /// The sum of the steps along a way that this search found.
    fn walked_cost(&self, cells: &[Cell]) -> Cost {
        let step_cost = |pair: &[Cell]| {
            let is_diagonal = pair[0].x != pair[1].x && pair[0].y != pair[1].y;
            let slot = self.map.bounds.slot(pair[1])?;
            Some(self.map.layer.step_cost(self.map.classes[slot], is_diagonal).get())
        };
        Cost::new(cells.windows(2).filter_map(step_cost).sum())
    }

    /// What no path to the node can cost less than.
    fn lower_bound(&self, node: GridNode, cost: Cost) -> Cost {
        let estimate = || OctileDistance::new(&self.map.layer, node).estimate(self.start).min(cost);
        match self.algorithm {
            Algorithm::WeightedAStar { percent } if node == self.goal => {
                let bound = (u64::from(cost.get()) * 100).div_ceil(u64::from(percent));
                estimate().max(Cost::new(bound as u32))
            }
            Algorithm::WeightedAStar { .. } | Algorithm::Greedy | Algorithm::BreadthFirst => estimate(),
            Algorithm::Auto | Algorithm::AStar | Algorithm::Dijkstra => cost,
        }
    }

    /// The work done so far.
    #[must_use]
    pub fn statistics(&self) -> Statistics {
        let (expanded, generated) = self.frontier.as_ref().map_or(
            (0, 0),
            |frontier| with_search!(frontier, search => (search.expanded(), search.generated())),
        );
        Statistics { expanded, generated, algorithm: self.algorithm }
    }

    /// The state of the map that the search runs on.
    #[must_use]
    pub const fn revision(&self) -> Revision {
        self.map.revision
    }

    /// What was asked.
    #[must_use]
    pub const fn query(&self) -> &PathQuery {
        &self.query
    }

    fn record(&self, cell: Cell) -> Option<Record<Cost, Direction>> {
        let node = GridNode::of(&self.map.bounds, cell)?;
        let frontier = self.frontier.as_ref()?;
        with_search!(frontier, search => search.record(&self.map.space(), node))
    }

    /// What the search has made of a cell so far. Cells outside the map are unseen.
    #[must_use]
    pub fn cell_state(&self, cell: Cell) -> CellState {
        match self.record(cell) {
            None => CellState::Unseen,
            Some(record) if record.is_closed => CellState::Closed,
            Some(_) => CellState::Open,
        }
    }

    /// The cost of the best way to a cell known so far; final once the cell is closed by an exact algorithm.
    #[must_use]
    pub fn cost_to(&self, cell: Cell) -> Option<Cost> {
        self.record(cell).map(|record| record.cost)
    }

    /// The cell from which the best way known so far enters this one; `None` for the start and for unseen cells.
    #[must_use]
    pub fn came_from(&self, cell: Cell) -> Option<Cell> {
        cell.neighbour(self.record(cell)?.link?.opposite())
    }
}

impl Drop for PathSearch {
    fn drop(&mut self) {
        let Some(frontier) = self.frontier.take() else {
            return;
        };
        let mut scratch = mem::take(&mut self.spare);
        match frontier {
            Frontier::Buckets(search) => (scratch.records, scratch.buckets) = search.into_parts(),
            Frontier::Heap(search) => (scratch.records, scratch.heap) = search.into_parts(),
            Frontier::Fifo(search) => (scratch.records, scratch.fifo) = search.into_parts(),
        }
        self.pool.give_back(scratch);
    }
}

/// Something done to a search once its policies are types.
trait Driver {
    type Output;

    fn drive<Q, H>(
        self,
        search: &mut GridSearch<Q>,
        problem: &Problem<'_, GridSpace<'_>, H, GoalNode<GridNode>>,
        observer: &mut Closest,
    ) -> Self::Output
    where
        Q: OpenList<GridNode, Cost>,
        H: Heuristic<GridNode, Cost>;
}

macro_rules! driver {
    ($driver:ty => $output:ty, |$this:ident, $search:ident, $problem:ident, $observer:ident| $body:expr) => {
        impl Driver for $driver {
            type Output = $output;

            fn drive<Q, H>(
                self,
                $search: &mut GridSearch<Q>,
                $problem: &Problem<'_, GridSpace<'_>, H, GoalNode<GridNode>>,
                $observer: &mut Closest,
            ) -> Self::Output
            where
                Q: OpenList<GridNode, Cost>,
                H: Heuristic<GridNode, Cost>,
            {
                let $this = self;
                $body
            }
        }
    };
}

struct Begin(GridNode);
struct Advance(u64);
struct StepOnce;

driver!(Begin => (), |this, search, problem, _observer| search.begin(problem, &[this.0]));
driver!(Advance => SearchStatus, |this, search, problem, observer| search.advance(problem, observer, this.0));
driver!(StepOnce => Step<GridNode>, |_this, search, problem, observer| search.step(problem, observer));

//! The finder: a map, its movements, and answers to queries.

mod backtracking;
pub(crate) mod closest;
mod deferred_work;
mod edits;
pub(crate) mod fields;
pub(crate) mod finder_state;
pub(crate) mod forbidden;
pub(crate) mod grid_engine;
pub(crate) mod heuristic_kind;
mod kept_movement;
mod landmarks;
mod lazy_movement_map;
mod least_cost;
mod memory;
mod memory_limit;
pub(crate) mod movements;
pub(crate) mod opening_bounds;
pub(crate) mod outcome;
pub(crate) mod path_search;
pub(crate) mod query;
mod reachability;
mod reachable;
mod resize;
pub(crate) mod scratch;
pub(crate) mod snapshot;
mod snapshots;
pub(crate) mod turns;
pub(crate) mod what_if;

use self::{
    kept_movement::KeptMovement,
    memory_limit::MemoryLimit,
    outcome::{Answer, Outcome, QueryError, Statistics},
    path_search::{PathSearch, resolve},
    query::{Algorithm, MovementId, PathQuery},
    reachability::Reachability,
    scratch::ScratchPool,
    snapshot::MapSnapshot,
};
use crate::{cell::Cell, grid::Grid, movement::Movement, space::grid::GridNode};
use std::sync::Arc;

/// A map, the movements of the units on it, and answers to their queries. Use it for every search
/// on one map.
///
/// Queries take `&self`, so several threads may query at the same time. Edits go through
/// [`PathFinder::set_terrain`], which also updates all data derived from the map.
///
/// # Memory
/// - The map: one byte a cell for the terrain class. The change journal of the map takes at most
///   three quarters of a byte a cell.
/// - Each movement, from its first query on: nine bits a cell and 12 KiB. The first search by jump
///   points adds seventeen bits a cell. Reachability adds an eighth of a byte to 1.2 bytes a cell.
///   Together this is at most 4.5 bytes a cell.
/// - Each movement where jump points do not apply: eight bytes for each cell in the blocks of 16 ×
///   16 cells that searches for one goal have entered. Fields need as many bytes again.
/// - Each movement with [landmarks](PathFinder::make_landmarks): 4.2 bytes a cell and landmark, or
///   half as much.
/// - Each running query: eight to twelve bytes a cell. The memory is kept for the next query.
///
/// [`PathFinder::limit_memory`] limits the memory that the finder keeps for all movements together.
///
/// # Examples
/// Two kinds of unit on one map:
/// ```
/// use tilepath::{Cell, Cost, CostTable, Grid, Movement, PathFinder, PathQuery};
/// const WATER: u8 = 5;
/// let mut grid = Grid::new(9, 3, 1)?;
/// for y in 0..3 {
///     grid.set_terrain(Cell::new(4, y), WATER)?;
/// }
/// let mut finder = PathFinder::new(grid, Movement::new()); // wades: water costs 5
/// let wagon = finder.add_movement(Movement::new().with_costs(CostTable::identity().with(WATER, 0)));
///
/// let query = PathQuery::new(Cell::new(0, 1), Cell::new(8, 1));
/// let on_foot = finder.solve(&query)?.outcome;
/// assert_eq!(on_foot.path().unwrap().cost(), Cost::new(7 * 10 + 50));
/// let by_wagon = finder.solve(&query.with_movement(wagon))?.outcome;
/// assert!(by_wagon.path().is_none(), "the river is in the way");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
#[doc(alias = "pathfinder")]
pub struct PathFinder {
    grid: Grid,
    /// The movements, each at the index of its id. There is at least one.
    movements: Vec<KeptMovement>,
    memory: MemoryLimit,
    pool: Arc<ScratchPool>,
}

impl PathFinder {
    /// Creates a finder for one map; `movement` becomes the first movement,
    /// [`MovementId::default`].
    ///
    /// # Complexity
    /// O(1). The first query of each movement also prepares data of the map for searches. This
    /// takes about a nanosecond a cell.
    #[must_use]
    pub fn new(grid: Grid, movement: Movement) -> Self {
        let movements = vec![KeptMovement::first(movement, &grid)];
        Self { grid, movements, memory: MemoryLimit::default(), pool: Arc::default() }
    }

    /// Returns the map.
    #[must_use]
    pub const fn grid(&self) -> &Grid {
        &self.grid
    }

    /// Returns the size in bytes of the present state of the map for a movement. If the map is
    /// edited, running searches keep the state on which they began. All searches that begin between
    /// two edits share one state; they have the same [`PathSearch::revision`].
    ///
    /// While a search holds this state, an edit that opens or closes a cell copies all of it, once.
    /// An edit that changes only the cost of a cell copies little more than a byte a cell. The size
    /// does not include the memory in which a search keeps its costs of cells.
    ///
    /// # Errors
    /// [`QueryError::UnknownMovement`] if the finder has no movement with this id.
    ///
    /// # Complexity
    /// O(1).
    ///
    /// # Examples
    /// ```
    /// use tilepath::{Cell, Grid, Movement, MovementId, PathFinder};
    /// let finder = PathFinder::new(Grid::new(1000, 1000, 1)?, Movement::new());
    /// finder.find(Cell::new(0, 0), Cell::new(999, 500))?;
    /// let bytes = finder.snapshot_bytes(MovementId::FIRST)?;
    /// assert!((4_000_000..5_000_000).contains(&bytes), "{bytes}: more than four bytes a cell with jump points");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn snapshot_bytes(&self, movement: MovementId) -> Result<usize, QueryError> {
        Ok(self.grid.classes().len() + self.movement_map(movement)?.bytes())
    }

    /// Finds the cheapest path between two cells for the first movement.
    ///
    /// # Errors
    /// The errors of [`PathFinder::begin`], and [`QueryError::CostOverflow`].
    ///
    /// # Guarantee
    /// Optimal. The cost depends only on the map and the movement. Which of equally cheap paths is
    /// found may also depend on [landmarks](Self::make_landmarks).
    ///
    /// # Complexity
    /// O(cells) in the worst case. If the goal cannot be reached, no search runs: the answer takes
    /// a tenth of a microsecond.
    pub fn find(&self, start: Cell, goal: Cell) -> Result<Outcome, QueryError> {
        self.solve(&PathQuery::new(start, goal)).map(|answer| answer.outcome)
    }

    /// Returns the answer to a query, with statistics.
    ///
    /// # Errors
    /// The errors of [`PathFinder::begin`], and [`QueryError::CostOverflow`].
    ///
    /// # Memory
    /// One allocation: the cells of the path, if the finder has answered an equally large query
    /// before. Exception: on ground of many costs, a search allocates for each block of 16 × 16
    /// cells that no earlier search has entered.
    ///
    /// # Examples
    /// This crate starts no threads. Several threads may query one finder, so a game can share out
    /// many queries among its own threads, here with `rayon`:
    /// ```
    /// use rayon::prelude::*;
    /// use tilepath::{Answer, Cell, Grid, Movement, PathFinder, PathQuery, QueryError};
    /// let finder = PathFinder::new(Grid::new(50, 50, 1)?, Movement::new());
    /// let queries: Vec<PathQuery> =
    ///     (0..500).map(|n| PathQuery::new(Cell::new(n % 50, n / 50), Cell::new(49, 49 - n % 7))).collect();
    /// let answers: Vec<Result<Answer, QueryError>> =
    ///     queries.par_iter().map(|query| finder.solve(query)).collect();
    /// for (query, answer) in queries.iter().zip(answers) {
    ///     assert_eq!(answer?.outcome, finder.solve(query)?.outcome);
    /// }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn solve(&self, query: &PathQuery) -> Result<Answer, QueryError> {
        let (map, ends, reach) = self.prepare(query)?;
        if let Reachability::Unreachable = reach {
            // Creating and dropping a search would double the time of this answer.
            let algorithm = resolve(&map, query)?;
            let statistics = Statistics { expanded: 0, generated: 0, algorithm };
            return Ok(Answer { outcome: Outcome::Unreachable { closest: None }, statistics });
        }
        PathSearch::begin(map, *query, ends, reach, &self.pool)?.finish()
    }

    /// Begins a search whose work is not counted.
    pub(crate) fn unmetered(&self, query: &PathQuery) -> Result<PathSearch, QueryError> {
        let (map, ends, reach) = self.prepare(query)?;
        PathSearch::begin(map, *query, ends, reach, &self.pool)
    }

    /// Begins a search that can run in slices. It runs on the map as it is now; later edits do not
    /// affect it.
    ///
    /// If reachability shows that there is no path, the search is already finished when it begins.
    /// But if the query has [`PathQuery::or_closest`], the search still runs: the closest cell is
    /// already known, and the search only finds the cheapest path to this cell.
    ///
    /// # Complexity
    /// O(1) if the labels for reachability are up to date. The first query of a movement labels the
    /// whole map, and the first query after an edit labels the edited chunks again, as in
    /// [`PathFinder::is_reachable`]. This work is charged to the search ([`PathSearch::work`]).
    ///
    /// # Errors
    /// - [`QueryError::StartOutOfBounds`], [`QueryError::GoalOutOfBounds`]: the cell is not on the
    ///   map.
    /// - [`QueryError::UnknownMovement`]: the finder has no movement with this id.
    /// - [`QueryError::InvalidWeight`]: the percentage of `WeightedAStar` is below 100.
    ///
    /// # Examples
    /// ```
    /// use tilepath::{Algorithm, Cell, Grid, Movement, PathFinder, PathQuery, SearchStatus};
    /// let finder = PathFinder::new(Grid::new(100, 100, 1)?, Movement::new());
    /// let query = PathQuery::new(Cell::new(0, 0), Cell::new(99, 50)).with_algorithm(Algorithm::AStar);
    /// let mut search = finder.begin(&query)?;
    /// let mut slices = 0;
    /// while search.advance(20) == SearchStatus::Running {
    ///     slices += 1; // the rest of the frame goes here
    /// }
    /// assert!(slices > 0);
    /// assert!(search.finish()?.outcome.path().is_some());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn begin(&self, query: &PathQuery) -> Result<PathSearch, QueryError> {
        let mut search = self.unmetered(query)?;
        let deferred_work = self.kept(query.movement())?.map.deferred_work();
        search.charge(deferred_work.take(search.takes_jump_points()));
        search.charge(search.sampling_work(|| deferred_work.take_samples()));
        search.charge(search.leading_work());
        Ok(search)
    }

    /// Returns the algorithm that would answer a query. For [`Algorithm::Auto`], this depends on the
    /// ground of the map.
    ///
    /// # Errors
    /// - [`QueryError::UnknownMovement`]: this finder has no movement with the id.
    /// - [`QueryError::NoJumpPoints`], [`QueryError::InvalidWeight`]: the query's algorithm cannot
    ///   be used.
    ///
    /// # Complexity
    /// O(1). The first choice, and the first one after an edit, may run near searches of up to
    /// 64,000 units of work.
    ///
    /// # Examples
    /// ```
    /// use tilepath::{Algorithm, Cell, Grid, Movement, PathFinder, PathQuery};
    /// let mut finder = PathFinder::new(Grid::new(99, 99, 1)?, Movement::new());
    /// let query = PathQuery::new(Cell::new(0, 0), Cell::new(90, 90));
    /// assert_eq!(finder.algorithm_for(&query)?, Algorithm::JumpPoint);
    /// finder.set_terrain(Cell::new(40, 40), 5)?;
    /// assert_eq!(finder.algorithm_for(&query)?, Algorithm::AStar);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn algorithm_for(&self, query: &PathQuery) -> Result<Algorithm, QueryError> {
        let mut map = self.snapshot(query.movement())?;
        map.landmarks = self.ready_landmarks(query.movement(), &map)?;
        resolve(&map, query)
    }

    /// Returns the snapshot for a query, its start and goal, and what is known without a search.
    fn prepare(&self, query: &PathQuery) -> Result<(MapSnapshot, [GridNode; 2], Reachability), QueryError> {
        let mut map = self.snapshot_from(query.movement(), query.start())?;
        map.landmarks = self.ready_landmarks(query.movement(), &map)?;
        let ends = self.ends(query, map.movement_map.movement())?;
        let reach = self.reach(&map, query, ends);
        Ok((map, ends, reach))
    }
}

impl PathFinder {
    /// Returns the pool of memory for searches. The pool also identifies the finder.
    pub(crate) const fn pool(&self) -> &Arc<ScratchPool> {
        &self.pool
    }
}

impl Clone for PathFinder {
    /// Returns an independent finder: edits of one do not affect the other.
    fn clone(&self) -> Self {
        Self {
            grid: self.grid.clone(),
            movements: self.movements.clone(),
            memory: self.memory,
            pool: Arc::default(),
        }
    }
}

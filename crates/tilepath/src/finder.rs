//! The face that most users meet: a map, its movements, and answers.

mod backtracking;
pub(crate) mod closest;
mod deferred_work;
mod edits;
pub(crate) mod fields;
pub(crate) mod forbidden;
pub(crate) mod grid_engine;
pub(crate) mod heuristic_kind;
mod lattice;
mod lazy_movement_map;
mod least_cost;
mod many;
mod memory;
pub(crate) mod movements;
pub(crate) mod near;
pub(crate) mod near_way;
pub(crate) mod outcome;
pub(crate) mod path_search;
pub(crate) mod query;
mod reachability;
mod resize;
pub(crate) mod reuse;
pub(crate) mod scratch;
pub(crate) mod snapshot;
pub(crate) mod turns;
pub(crate) mod what_if;

use self::{
    memory::MemoryLimit,
    movements::KeptMovement,
    outcome::{Answer, Outcome, QueryError},
    path_search::PathSearch,
    query::{MovementId, PathQuery},
    reachability::Reachability,
    scratch::ScratchPool,
    snapshot::MapSnapshot,
};
use crate::{cell::Cell, grid::Grid, movement::Movement, space::grid::GridNode};
use std::sync::Arc;

/// A map, the movements of the units on it, and answers to their queries.
///
/// Queries take `&self`: several threads may ask at once. Edits go through [`PathFinder::set_terrain`], so that whatever
/// was derived from the map follows.
///
/// # Memory
/// The class, a byte a cell, and a journal of up to three quarters of a byte. For each movement, from the first question by it
/// on, nine bits a cell and 12 KiB, seventeen bits more once jump points were asked for, and for what can be reached by it an
/// eighth of a byte to
/// 1.2 bytes a cell: 4.5 bytes at most. Where jump points do not apply, a movement has eight bytes for each cell of the
/// blocks of 16 × 16 cells to which searches for one goal have come, and as many again for fields. For [near](crate::Algorithm::Near)
/// answers a movement has a tenth of a byte a cell, and one to three more for those of the chunks to which they have come.
/// [`PathFinder::limit_memory`] sets a limit to what is kept for all movements together. Searching takes eight to twelve bytes a
/// cell for each query that is under way at the same time; the memory is kept for the next one.
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
    /// By the indices of their ids; one at least.
    movements: Vec<KeptMovement>,
    memory: MemoryLimit,
    pool: Arc<ScratchPool>,
}

impl PathFinder {
    /// A finder for one map; `movement` becomes the first movement, [`MovementId::default`].
    ///
    /// # Complexity
    /// O(1). What searches need of the map for a movement is made with the first question by it: a nanosecond or so a cell.
    #[must_use]
    pub fn new(grid: Grid, movement: Movement) -> Self {
        let movements = vec![KeptMovement::first(movement, &grid)];
        Self { grid, movements, memory: MemoryLimit::default(), pool: Arc::default() }
    }

    /// The map.
    #[must_use]
    pub const fn grid(&self) -> &Grid {
        &self.grid
    }

    /// The bytes that searches by a movement keep from being freed once the map is edited under them: the state of the map that
    /// they began on, which all searches begun between two edits share ([`PathSearch::revision`] tells which do).
    ///
    /// An edit that opens or closes a cell copies all of that, once, while a search holds it; one that changes only the cost
    /// of a cell a byte a cell and little more. What searches remember of cells is not part of it.
    ///
    /// # Errors
    /// [`QueryError::UnknownMovement`] where the id is not of this finder.
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

    /// The cheapest path between two cells by the first movement.
    ///
    /// # Errors
    /// As [`PathFinder::begin`], and [`QueryError::CostOverflow`].
    ///
    /// # Guarantee
    /// Optimal.
    ///
    /// # Complexity
    /// O(cells) in the worst case. A goal out of reach is answered without a search, in a tenth of a microsecond.
    pub fn find(&self, start: Cell, goal: Cell) -> Result<Outcome, QueryError> {
        self.solve(&PathQuery::new(start, goal)).map(|answer| answer.outcome)
    }

    /// The answer to a query, with statistics.
    ///
    /// # Errors
    /// As [`PathFinder::begin`], and [`QueryError::CostOverflow`].
    pub fn solve(&self, query: &PathQuery) -> Result<Answer, QueryError> {
        self.solve_in(&self.pool, query)
    }

    /// A search whose work is not counted.
    pub(crate) fn unmetered(&self, query: &PathQuery) -> Result<PathSearch, QueryError> {
        let (map, ends, reach) = self.prepare(query)?;
        PathSearch::begin(map, *query, ends, reach, &self.pool)
    }

    /// A search that can be run in slices. It runs on the map as it is now; later edits do not reach it.
    ///
    /// Where there is no way the search is over when it begins, unless the query asks for the closest cell; then that is
    /// known too, and only the cheapest way to it is searched for.
    ///
    /// # Complexity
    /// O(1), and what [`PathFinder::is_reachable`] takes after edits: the first query by a movement labels the whole map. The search
    /// begins with that on its bill ([`PathSearch::work`]).
    ///
    /// # Errors
    /// - [`QueryError::StartOutOfBounds`], [`QueryError::GoalOutOfBounds`]: the cell is not on the map.
    /// - [`QueryError::UnknownMovement`]: the id is not of this finder.
    /// - [`QueryError::InvalidWeight`]: weighted A* with a weight below 100 percent, or a path within less than that.
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
        search.charge(deferred_work.take(search.takes_jump_points(), search.asks_lattice()));
        Ok(search)
    }

    /// The map that a query is about, its ends, and what is known without a search.
    fn prepare(&self, query: &PathQuery) -> Result<(MapSnapshot, [GridNode; 2], Reachability), QueryError> {
        let map = self.snapshot_from(query.movement(), query.start())?;
        let ends = self.ends(query, map.movement_map.movement())?;
        let reach = self.reach(&map, query, ends);
        Ok((map, ends, reach))
    }
}

impl PathFinder {
    /// The memory for searches. A finder is known by it.
    pub(crate) const fn pool(&self) -> &Arc<ScratchPool> {
        &self.pool
    }
}

impl Clone for PathFinder {
    /// A finder of its own: edits of one do not reach the other.
    fn clone(&self) -> Self {
        Self {
            grid: self.grid.clone(),
            movements: self.movements.clone(),
            memory: self.memory,
            pool: Arc::default(),
        }
    }
}

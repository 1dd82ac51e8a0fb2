//! Searches from cells with entry costs, in the order of cost.

use crate::{
    cell::Cell,
    cost::Cost,
    dial::spread::{Aim, AimDistance, SpreadCost, SpreadRecords, SpreadSpace},
    finder::{
        PathFinder,
        outcome::QueryError,
        path_search::CellState,
        query::MovementId,
        scratch::{PooledScratch, ScratchPool},
        snapshot::MapSnapshot,
    },
    search::{AStar, BinaryHeapQueue, NoGoal, Problem, Search, observer::Visits},
    space::grid::{GridNode, GridSpace},
};
use std::{mem, sync::Arc};

/// Dijkstra's algorithm from many cells, each with its own entry cost. Use it if several maps are
/// searched together, or if a map has portals. Cells can also be entered while the search runs.
///
/// [`PathFinder::begin_spread`] makes it. The search uses the map as it was when it began. The
/// caller runs the search, stops it at the cells of interest, and continues as far as needed.
///
/// # Units
/// Costs are in cost units of the movement, as floats, because the cost before an entry may be
/// fractional.
///
/// # Guarantee
/// If no entry cost is below [`next_cost`](Self::next_cost), cells settle in the order of their
/// costs, the cheapest first. The result is the same however the work is split into slices.
///
/// # Memory
/// 16 bytes a cell; only the memory of cells that the search reaches is touched. When the search is
/// dropped, its memory goes back to the finder's pool.
///
/// # Examples
/// ```
/// use tilepath::{Cell, Grid, Movement, MovementId, PathFinder};
/// let finder = PathFinder::new(Grid::new(9, 1, 1)?, Movement::new());
/// let mut search = finder.begin_spread(MovementId::default(), [])?;
/// search.enter(Cell::new(0, 0), 0.0)?;
/// search.enter(Cell::new(8, 0), 12.5)?;
/// let wells = [Cell::new(3, 0), Cell::new(6, 0)];
/// let is_well = |cell| wells.contains(&cell);
/// assert_eq!(search.advance(u64::MAX, f64::INFINITY, is_well), Some((wells[0], 30.0)));
/// assert_eq!(search.advance(u64::MAX, f64::INFINITY, is_well), Some((wells[1], 32.5)));
/// assert_eq!(search.entry_of(wells[1]), Some(Cell::new(8, 0)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct SpreadSearch {
    map: MapSnapshot,
    aims: Vec<Aim>,
    search: Engine,
    spare: PooledScratch,
}

type Engine = Search<GridNode, SpreadRecords, BinaryHeapQueue<GridNode, SpreadCost>>;

impl PathFinder {
    /// Begins a search that spreads over the map as it is now. No cell is entered yet.
    ///
    /// If there are aims, the search goes towards the aims first. Every path that matters must lead
    /// over a cell of an aim, and cost at least the aim's `rest` from this cell on. Cells on other
    /// paths get the cost of a path that exists but may not be the cheapest.
    ///
    /// # Errors
    /// - [`QueryError::UnknownMovement`]: this finder has no movement with the id.
    pub fn begin_spread(
        &self,
        movement: MovementId,
        aims: impl IntoIterator<Item = Aim>,
    ) -> Result<SpreadSearch, QueryError> {
        Ok(SpreadSearch::begin(self.snapshot(movement)?, aims.into_iter().collect(), &self.pool))
    }

    /// Begins a search for a unit that starts on `start`. If that cell is closed to the unit, the
    /// unit may leave it. Everything else is as for [`begin_spread`](Self::begin_spread).
    ///
    /// # Errors
    /// - [`QueryError::UnknownMovement`]: this finder has no movement with the id.
    #[doc(hidden)]
    pub fn begin_spread_from(
        &self,
        movement: MovementId,
        start: Cell,
        aims: impl IntoIterator<Item = Aim>,
    ) -> Result<SpreadSearch, QueryError> {
        Ok(SpreadSearch::begin(self.snapshot_from(movement, start)?, aims.into_iter().collect(), &self.pool))
    }

    /// Returns the smallest cost multiplier of a passable terrain class on the map for a movement,
    /// or 0 if all cells are closed. Every path costs at least this multiplier times
    /// [`Movement::distance`](crate::Movement::distance).
    ///
    /// # Errors
    /// - [`QueryError::UnknownMovement`]: this finder has no movement with the id.
    ///
    /// # Complexity
    /// O(1). The first use of a movement takes O(cells).
    ///
    /// # Examples
    /// ```
    /// use tilepath::{Cell, Grid, Movement, MovementId, PathFinder};
    /// let mut finder = PathFinder::new(Grid::new(4, 1, 3)?, Movement::new());
    /// assert_eq!(finder.cheapest_terrain(MovementId::default())?, 3);
    /// finder.set_terrain(Cell::new(2, 0), 1)?;
    /// assert_eq!(finder.cheapest_terrain(MovementId::default())?, 1);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn cheapest_terrain(&self, movement: MovementId) -> Result<u16, QueryError> {
        Ok(self.movement_map(movement)?.cheapest())
    }
}

impl SpreadSearch {
    fn begin(map: MapSnapshot, aims: Vec<Aim>, pool: &Arc<ScratchPool>) -> Self {
        let mut spare = pool.take();
        let mut search = Engine::from_parts(mem::take(&mut spare.spread), BinaryHeapQueue::default());
        let (space, estimate) = parts(&map, &aims);
        search.begin(&Problem { space: &space, strategy: &AStar(estimate), goal: &NoGoal }, &[]);
        Self { map, aims, search, spare }
    }

    /// Enters the map at a cell, at this cost. Returns whether the cost is lower than the cost of
    /// the path to the cell that was known before. A closed cell may be entered, because a unit can
    /// stand on one.
    ///
    /// # Errors
    /// - [`QueryError::StartOutOfBounds`]: the cell is not on the map.
    /// - [`QueryError::CostOverflow`]: the cost is negative, infinite, or not a number.
    pub fn enter(&mut self, cell: Cell, cost: f64) -> Result<bool, QueryError> {
        let bounds = self.map.bounds;
        let node = GridNode::of(&bounds, cell).ok_or(QueryError::StartOutOfBounds { cell, bounds })?;
        if !cost.is_finite() || cost < 0.0 {
            return Err(QueryError::CostOverflow);
        }
        let (space, estimate) = parts(&self.map, &self.aims);
        let problem = Problem { space: &space, strategy: &AStar(estimate), goal: &NoGoal };
        Ok(self.search.enter(&problem, node, SpreadCost { entry: cost, steps: Cost::ZERO }))
    }

    /// Returns a lower bound for the costs of the cells that are not settled. If there are aims,
    /// the bound includes the rest of the path over an aim. Returns `None` if all reached cells are
    /// settled.
    pub fn next_cost(&mut self) -> Option<f64> {
        let space = SpreadSpace(self.map.space());
        self.search.next_priority(&space).map(SpreadCost::total)
    }

    /// Settles cells until it settles a cell for which `is_stop` returns true. Returns this cell
    /// and the cost of its path. Returns `None` if `budget` cells were settled, if
    /// [`next_cost`](Self::next_cost) is above `until`, or if no cell is left.
    pub fn advance(
        &mut self,
        budget: u64,
        until: f64,
        is_stop: impl Fn(Cell) -> bool,
    ) -> Option<(Cell, f64)> {
        let Self { map, aims, search, .. } = self;
        let (space, estimate) = parts(map, aims);
        let problem = Problem { space: &space, strategy: &AStar(estimate), goal: &NoGoal };
        for _ in 0..budget {
            if search.next_priority(&space).is_none_or(|next| next.total() > until) {
                return None;
            }
            let mut settled = None;
            search.step(&problem, &mut Visits(|node: GridNode, cost| settled = Some((node, cost))));
            let (node, cost): (GridNode, SpreadCost) = settled?;
            let cell = node.cell(&map.bounds);
            if is_stop(cell) {
                return Some((cell, cost.total()));
            }
        }
        None
    }

    /// Returns the cell at which the known path to `cell` enters the map. Returns `None` if `cell`
    /// was not reached.
    ///
    /// # Complexity
    /// O(steps from the entry to `cell`).
    #[doc(hidden)]
    #[must_use]
    pub fn entry_of(&self, cell: Cell) -> Option<Cell> {
        let node = GridNode::of(&self.map.bounds, cell)?;
        let entry = self.search.walk_back(&SpreadSpace(self.map.space()), node).last()?;
        Some(entry.cell(&self.map.bounds))
    }

    /// Returns whether a path was dropped because the cost of its steps is too large for a
    /// [`Cost`].
    #[must_use]
    pub fn has_overflowed(&self) -> bool {
        self.search.has_overflowed()
    }

    /// Returns the number of settled cells. A budget counts this number as work.
    #[must_use]
    pub fn expanded(&self) -> u64 {
        self.search.expanded()
    }

    /// Returns the state of a cell in this search. Cells outside the map are unseen.
    #[must_use]
    pub fn cell_state(&self, cell: Cell) -> CellState {
        let record = GridNode::of(&self.map.bounds, cell)
            .and_then(|node| self.search.record(&SpreadSpace(self.map.space()), node));
        match record {
            None => CellState::Unseen,
            Some(record) if record.is_closed => CellState::Closed,
            Some(_) => CellState::Open,
        }
    }
}

fn parts<'a>(map: &'a MapSnapshot, aims: &'a [Aim]) -> (SpreadSpace<'a>, AimDistance<'a>) {
    let space: GridSpace<'a> = map.space();
    (SpreadSpace(space), AimDistance::new(&map.movement_map, map.bounds.origin(), aims))
}

impl Drop for SpreadSearch {
    fn drop(&mut self) {
        (self.spare.spread, _) = mem::take(&mut self.search).into_parts();
    }
}

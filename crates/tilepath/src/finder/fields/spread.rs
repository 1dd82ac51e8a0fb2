//! A search from cells that are entered at costs of their own, in the order of cost.

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

/// Dijkstra's algorithm from many cells, each entered at a cost of its own, also while it is under way: one map of several
/// that are searched together, or a map with portals.
///
/// Made by [`PathFinder::begin_spread`]. It runs on the map as it was then. The caller drives it, stops at
/// the cells of interest, and goes on as far as is wanted.
///
/// # Units
/// Costs are in cost units of the movement, in floats, because what was paid before an entry may be no whole number.
///
/// # Guarantee
/// Cells settle in the order of their costs, the cheapest first, as long as no entry is made below
/// [`next_cost`](Self::next_cost). The result does not depend on the slices.
///
/// # Memory
/// 16 bytes a cell, of which only those are touched that the search reaches. Dropping it gives the memory back to the
/// finder's pool.
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
#[derive(Debug)]
pub struct SpreadSearch {
    map: MapSnapshot,
    aims: Vec<Aim>,
    search: Engine,
    spare: PooledScratch,
}

type Engine = Search<GridNode, SpreadRecords, BinaryHeapQueue<GridNode, SpreadCost>>;

impl PathFinder {
    /// A search that spreads over the map as it is now; nothing is entered yet.
    ///
    /// With aims it looks first at what lies towards them. Every way that matters must lead over a cell of one of them, and
    /// cost no less than the aim's rest from there on; costs of other cells are those of ways, but maybe not of the cheapest.
    ///
    /// # Errors
    /// [`QueryError::UnknownMovement`].
    pub fn begin_spread(
        &self,
        movement: MovementId,
        aims: impl IntoIterator<Item = Aim>,
    ) -> Result<SpreadSearch, QueryError> {
        Ok(SpreadSearch::begin(self.snapshot(movement)?, aims.into_iter().collect(), &self.pool))
    }

    /// The same for a unit that sets out from a cell: what it stands on there it may leave.
    ///
    /// # Errors
    /// [`QueryError::UnknownMovement`].
    pub fn begin_spread_from(
        &self,
        movement: MovementId,
        start: Cell,
        aims: impl IntoIterator<Item = Aim>,
    ) -> Result<SpreadSearch, QueryError> {
        Ok(SpreadSearch::begin(self.snapshot_from(movement, start)?, aims.into_iter().collect(), &self.pool))
    }

    /// The smallest multiplier of a passable class on the map, as a movement sees it; 0 where all is wall. No way costs less
    /// than [`Movement::distance`](crate::Movement::distance) times this.
    ///
    /// # Errors
    /// [`QueryError::UnknownMovement`].
    ///
    /// # Complexity
    /// O(1), but for the first question by a movement.
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

    /// Enters the map at a cell. Says whether that is cheaper than the way there that was known. A closed cell may be
    /// entered, as a unit may stand on one.
    ///
    /// # Errors
    /// - [`QueryError::StartOutOfBounds`]: the cell is not on the map.
    /// - [`QueryError::CostOverflow`]: the cost is negative, infinite, or no number.
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

    /// The least that a cell may cost that is not settled yet, its aims' rest included; `None` where all are.
    pub fn next_cost(&mut self) -> Option<f64> {
        let space = SpreadSpace(self.map.space());
        self.search.next_priority(&space).map(SpreadCost::total)
    }

    /// Settles cells until one of the stops is settled, and says which, and what the way there costs. `None`: this many cells
    /// were settled, or [`next_cost`](Self::next_cost) lies beyond `until`, or there is none.
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

    /// The cell at which the way to a cell enters the map, as far as is known; `None` if it was not reached.
    ///
    /// # Complexity
    /// O(steps since).
    #[must_use]
    pub fn entry_of(&self, cell: Cell) -> Option<Cell> {
        let node = GridNode::of(&self.map.bounds, cell)?;
        let entry = self.search.walk_back(&SpreadSpace(self.map.space()), node).last()?;
        Some(entry.cell(&self.map.bounds))
    }

    /// Whether a way was dropped because the cost of its steps could not be stated.
    #[must_use]
    pub fn has_overflowed(&self) -> bool {
        self.search.has_overflowed()
    }

    /// Cells settled: the work, for budgets.
    #[must_use]
    pub fn expanded(&self) -> u64 {
        self.search.expanded()
    }

    /// What the search has made of a cell so far. Cells outside the map are unseen.
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

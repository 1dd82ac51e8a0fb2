//! What a search knows of each cell, for pictures of it.

use super::{CellState, PathSearch};
use crate::{
    cell::Cell,
    cost::Cost,
    finder::{grid_engine::CellRecord, heuristic_kind::ChosenDistance, query::Order},
    search::Heuristic,
    space::grid::GridNode,
};

impl PathSearch {
    fn record(&self, cell: Cell) -> Option<CellRecord> {
        let node = GridNode::of(&self.map.bounds, cell)?;
        self.engine.as_ref()?.record(&self.map, node)
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

    /// The cost of the best way to a cell known so far; final once the cell is closed by an exact algorithm. With jump points,
    /// and with A* where jump points do not apply, only the goal's is: they leave out cells, and ways to cells, that no
    /// cheapest way to the goal needs. Dijkstra's algorithm leaves out none, and A* none if the query
    /// [takes every step](crate::PathQuery::without_pruning).
    #[must_use]
    pub fn cost_to(&self, cell: Cell) -> Option<Cost> {
        self.record(cell).map(|record| record.cost)
    }

    /// What the search takes for the cost that is left from a cell; `None` outside the map, and where the algorithm does not ask.
    #[must_use]
    pub fn estimate_from(&self, cell: Cell) -> Option<Cost> {
        let estimate = self.algorithm.heuristic(self.query.heuristic())?;
        let node = GridNode::of(&self.map.bounds, cell)?;
        Some(ChosenDistance::new(&self.map.movement_map, estimate, self.goal).estimate(node))
    }

    /// What decides when a cell's turn comes, the least first: its cost so far and the estimate of what is left, as the algorithm
    /// counts them. `None` for cells not reached yet, and where something else decides.
    ///
    /// # Examples
    /// ```
    /// use tilepath::{Algorithm, Cell, Cost, Grid, Movement, PathFinder, PathQuery};
    /// let finder = PathFinder::new(Grid::new(4, 1, 1)?, Movement::new());
    /// let query = PathQuery::new(Cell::new(0, 0), Cell::new(3, 0)).with_algorithm(Algorithm::AStar);
    /// let mut search = finder.begin(&query)?;
    /// search.advance(2);
    /// let here = Cell::new(2, 0);
    /// assert_eq!(search.cost_to(here), Some(Cost::new(20)));
    /// assert_eq!(search.estimate_from(here), Some(Cost::new(10)));
    /// assert_eq!(search.rank_of(here), Some(Cost::new(30)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn rank_of(&self, cell: Cell) -> Option<Cost> {
        let cost = self.cost_to(cell)?;
        let estimate = || self.estimate_from(cell);
        match self.algorithm.order() {
            Order::Cost => Some(cost),
            Order::Estimate => estimate(),
            Order::CostAndEstimate { percent } => {
                let inflated = u64::from(estimate()?.get()) * u64::from(percent) / 100;
                cost.checked_add(Cost::new(u32::try_from(inflated).ok()?))
            }
            Order::FirstIn | Order::LastIn | Order::LastInByEstimate => None,
        }
    }

    /// The cell from which the best way known so far enters this one; `None` for the start and for unseen cells. With jump
    /// points it is the jump point before, which may be far away.
    #[must_use]
    pub fn came_from(&self, cell: Cell) -> Option<Cell> {
        self.record(cell)?.came_from.map(|node| node.cell(&self.map.bounds))
    }
}

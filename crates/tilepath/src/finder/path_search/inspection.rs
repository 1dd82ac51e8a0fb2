//! The state of each cell in a search, for pictures.

use super::{CellState, PathSearch};
use crate::{
    cell::Cell,
    cost::Cost,
    finder::{
        grid_engine::{CellRecord, GridEngine},
        heuristic_kind::ChosenDistance,
        query::Order,
    },
    landmarks::distance::LandmarkDistance,
    search::Heuristic,
    space::{grid::GridNode, octile_distance::OctileDistance},
};

impl PathSearch {
    fn record(&self, cell: Cell) -> Option<CellRecord> {
        let node = GridNode::of(&self.map.bounds, cell)?;
        self.engine.as_ref()?.record(&self.map, node)
    }

    /// Returns the state of a cell. Cells outside the map are unseen.
    #[must_use]
    pub fn cell_state(&self, cell: Cell) -> CellState {
        match self.record(cell) {
            None => CellState::Unseen,
            Some(record) if record.is_closed => CellState::Closed,
            Some(_) => CellState::Open,
        }
    }

    /// Returns the cost of the best path to a cell so far. The cost is final after an exact
    /// algorithm has closed the cell.
    ///
    /// With jump points, and with A* where jump points do not apply, only the cost of the goal is
    /// final. These searches leave out cells and paths that no cheapest path to the goal needs.
    ///
    /// Dijkstra's algorithm leaves out no cell. A* leaves out no cell if the query [takes every
    /// step](crate::PathQuery::without_pruning).
    #[must_use]
    pub fn cost_to(&self, cell: Cell) -> Option<Cost> {
        self.record(cell).map(|record| record.cost)
    }

    /// Returns the search's estimate of the cost from a cell to the goal. Returns `None` outside
    /// the map, or if the algorithm uses no estimate. If [landmarks](Self::landmarks) lead the search,
    /// it also returns `None` for cells that they do not reach.
    #[must_use]
    pub fn estimate_from(&self, cell: Cell) -> Option<Cost> {
        let estimate = self.algorithm.heuristic(self.query.heuristic())?;
        let node = GridNode::of(&self.map.bounds, cell)?;
        let lead = self.engine.as_ref().and_then(GridEngine::lead);
        let octile = OctileDistance::new(&self.map.movement_map, self.goal);
        let ground = self.map.ground();
        if let Some(led) = LandmarkDistance::of(lead, self.map.landmarks.as_deref(), octile, ground) {
            return led.of_any_cell(node);
        }
        Some(ChosenDistance::new(&self.map.movement_map, estimate, self.goal).estimate(node))
    }

    /// Returns the rank of a cell; the cell with the lowest rank is expanded next. The rank is the
    /// cost so far plus the estimate of the rest, each as the algorithm weighs it. Returns `None`
    /// for cells not reached yet, and if the algorithm does not order cells by rank.
    ///
    /// The rank of weighted A* is rounded down, but the search compares exact values. So of cells
    /// with equal ranks, the cell with the lowest exact value is expanded next.
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

    /// Returns the cells of the [landmarks](crate::PathFinder::make_landmarks) that lead the search,
    /// the one with the greatest bound first. Use it to draw a search.
    pub fn landmarks(&self) -> impl Iterator<Item = Cell> + '_ {
        let lead = self.engine.as_ref().and_then(GridEngine::lead);
        let led = lead.zip(self.map.landmarks.as_deref());
        led.into_iter().flat_map(|(lead, tables)| lead.landmarks(tables))
    }

    /// Returns the cell from which the best path so far enters this cell. Returns `None` for the
    /// start and for unseen cells. With jump points, the returned cell is the previous jump point,
    /// which may be far away.
    #[must_use]
    pub fn came_from(&self, cell: Cell) -> Option<Cell> {
        self.record(cell)?.came_from.map(|node| node.cell(&self.map.bounds))
    }
}

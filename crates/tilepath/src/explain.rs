//! Explanations of answers and of proposed routes.
//!
//! - [`PathFinder::explain`] lists the cost of each step of a route, or returns the first step that
//!   is not allowed.
//! - [`PathFinder::explain_turns`] lists the turns of a path, and why each turn ends where it does.
//! - [`PathFinder::compare`] compares a route with the cheapest one.
//! - [`PathFinder::explain_failure`] lists the closed cells that must open, if there is
//!   no path.
//!
//! Each of these functions has an example.

pub(crate) mod barrier;
pub(crate) mod comparison;
pub(crate) mod error;
mod opened_footprints;
mod opened_space;
pub(crate) mod receipt;
pub(crate) mod step;
mod table;
pub(crate) mod turn_receipt;

pub use self::{
    barrier::{Barrier, FailureExplanation, Opening, OpeningSet},
    comparison::RouteComparison,
    error::ExplainError,
    receipt::Receipt,
    step::{BesideCell, Corner, FootprintPlace, ReceiptStep, StepFault},
    turn_receipt::{ReceiptTurn, StopReason, TurnReceipt},
};

use self::step::judge;
use crate::{
    cell::{Cell, Direction},
    cost::Cost,
    finder::{
        PathFinder,
        outcome::QueryError,
        query::{MovementId, PathQuery},
    },
    movement::{StepRules, WayOut},
};

impl PathFinder {
    /// Returns the bill of a route ([`Receipt`]). Each step has the ground entered, the rule that
    /// allows the step, its cost, and the sum of the costs so far.
    ///
    /// The route may come from anywhere: an answer of this finder, a save file, the player's
    /// pointer.
    ///
    /// # Errors
    /// An [`ExplainError`] for the first step that is not allowed, with the reason.
    ///
    /// # Complexity
    /// O(cells of the route).
    ///
    /// # Examples
    /// ```
    /// use tilepath::{
    ///     Cell, Cost, Movement, MovementId, PathFinder, explain::{ExplainError, StepFault}, format,
    /// };
    /// let grid = format::parse_ascii("
    ///     ..3
    ///     .#.
    ///     ...
    /// ")?;
    /// let finder = PathFinder::new(grid, Movement::new());
    /// let walked = [Cell::new(0, 0), Cell::new(1, 0), Cell::new(2, 0), Cell::new(2, 1), Cell::new(2, 2)];
    /// let receipt = finder.explain(&walked, MovementId::default())?;
    /// let last = receipt.steps().last().unwrap();
    /// assert_eq!((last.terrain, last.multiplier, last.cost, last.total), (Some(3), 3, Cost::new(30), Cost::new(60)));
    ///
    /// let cut = [Cell::new(1, 0), Cell::new(2, 1)]; // past the wall in the middle
    /// let Err(ExplainError::IllegalStep { step: 1, fault: StepFault::Corner { corner, .. }, .. }) =
    ///     finder.explain(&cut, MovementId::default()) else { panic!("corners are not cut") };
    /// assert_eq!(corner.obstacles().collect::<Vec<_>>(), [Cell::new(1, 1)]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn explain(&self, cells: &[Cell], movement: MovementId) -> Result<Receipt, ExplainError> {
        let rules =
            self.movement(movement).ok_or(ExplainError::Query(QueryError::UnknownMovement(movement)))?;
        let grid = self.grid();
        let &start = cells.first().ok_or(ExplainError::NoCells)?;
        if !grid.bounds().contains(start) {
            return Err(ExplainError::StartOutOfBounds { cell: start, bounds: grid.bounds() });
        }
        let mut total = Cost::ZERO;
        let mut steps = Vec::with_capacity(cells.len() - 1);
        let chain = WayOut::find(rules, grid, start);
        let step_rules = StepRules::leaving(rules, grid, start, chain.as_ref());
        let mut edges = Vec::new();
        for (step, pair) in (1..).zip(cells.windows(2)) {
            let (from, to) = (pair[0], pair[1]);
            let judged = judge(grid, rules, &step_rules, [from, to])
                .map_err(|fault| ExplainError::IllegalStep { step, from, to, fault })?;
            total = total.checked_add(judged.cost).ok_or(ExplainError::CostOverflow { step })?;
            let direction = Direction::between(from, to).filter(|_| !rules.edges().is_empty());
            edges.extend(direction.map(|direction| step_rules.edges_crossed(from, direction)));
            steps.push(ReceiptStep { total, ..judged });
        }
        Ok(Receipt {
            start,
            closed_cells: cells.iter().take_while(|&&cell| !step_rules.is_open(cell)).count(),
            steps,
            edges,
            topology: grid.topology(),
            diagonals: rules.diagonals(),
            step_costs: rules.steps(),
            lower_bound: None,
            landmarks: cells.last().and_then(|&goal| self.landmark_bound(movement, start, goal)),
        })
    }

    /// Compares a proposed route with the cheapest one between the same cells. The result holds the
    /// extra cost of the proposal, the last cell that both routes share at their beginning, and the
    /// steps that make the difference.
    ///
    /// Only the start, the goal and the movement of the query have an effect. The search for the
    /// cheapest route is always exact and has no limit.
    ///
    /// # Errors
    /// [`ExplainError`] if the route does not lead from the query's start to its goal, or if one of
    /// its steps is not allowed.
    ///
    /// # Complexity
    /// The complexity of a query, and O(s log s) for s steps of the route.
    ///
    /// # Examples
    /// ```
    /// use tilepath::{Cell, Cost, Movement, PathFinder, PathQuery, format};
    /// let grid = format::parse_ascii("
    ///     ....
    ///     .99.
    /// ")?;
    /// let finder = PathFinder::new(grid, Movement::new());
    /// let query = PathQuery::new(Cell::new(0, 0), Cell::new(3, 0));
    /// let straight: Vec<Cell> = (0..4).map(|x| Cell::new(x, 0)).collect();
    /// let comparison = finder.compare(&straight, &query)?;
    /// assert_eq!(comparison.cheapest().total(), Cost::new(38));
    /// assert_eq!(comparison.excess(), Cost::new(190 - 38));
    /// assert_eq!(comparison.parts_at(), Some(Cell::new(0, 0)));
    /// let costly: Vec<Cell> = comparison.costliest_steps().map(|step| step.to).collect();
    /// assert_eq!(costly, [Cell::new(1, 0), Cell::new(2, 0)], "the two steps into the swamp");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn compare(&self, proposal: &[Cell], query: &PathQuery) -> Result<RouteComparison, ExplainError> {
        let receipt = self.explain(proposal, query.movement())?;
        if receipt.start() != query.start() {
            return Err(ExplainError::OtherStart { expected: query.start(), found: receipt.start() });
        }
        if receipt.goal() != query.goal() {
            return Err(ExplainError::OtherGoal { expected: query.goal(), found: receipt.goal() });
        }
        let exact = PathQuery::new(query.start(), query.goal()).with_movement(query.movement());
        let outcome = self.solve(&exact).map_err(ExplainError::Query)?.outcome;
        let cheapest = if let Some(path) = outcome.into_path() {
            self.explain(path.cells(), query.movement())?
        } else {
            debug_assert!(false, "the proposal is a path");
            receipt.clone()
        };
        Ok(RouteComparison::new(receipt, cheapest))
    }

    /// Returns the closed cells that must open to make a path, if there is no path. Use it to help
    /// a map maker.
    ///
    /// An opened cell costs as much as the cheapest passable terrain of the map
    /// ([`Barrier::opened_at`](crate::explain::Barrier::opened_at)). The result lists every cell
    /// that alone opens a path. The cell that opens the cheapest path is first. If no single cell
    /// is enough, the result holds the smallest set of cells that opens a path. If there are
    /// several such sets, it holds the set that opens the cheapest path.
    ///
    /// Only the start, the goal, the movement and the limit on expansions of the query have an
    /// effect. The limit applies to the sum of the expansions of all searches. If it is reached,
    /// the answer is [`FailureExplanation::LimitReached`].
    ///
    /// # Errors
    /// The errors of [`PathFinder::begin`]. Also [`QueryError::CostOverflow`] if an exact answer is
    /// impossible, because the paths through the opened cells may cost more than
    /// [`Cost::MAX`](crate::Cost::MAX).
    ///
    /// # Guarantee
    /// Exact.
    ///
    /// # Complexity
    /// O(cells) if one cell is enough, otherwise O(cells × log cells).
    ///
    /// # Memory
    /// Twelve bytes for each cell of the map. If one opened cell is not enough, sixteen bytes more
    /// for each cell.
    ///
    /// # Examples
    /// ```
    /// use tilepath::{Cell, Cost, Movement, PathFinder, PathQuery, explain::FailureExplanation, format};
    /// let grid = format::parse_ascii("
    ///     ..#..
    ///     ..##.
    ///     ..###
    /// ")?;
    /// let finder = PathFinder::new(grid, Movement::new());
    /// let query = PathQuery::new(Cell::new(0, 0), Cell::new(4, 2));
    /// let FailureExplanation::Sealed(barrier) = finder.explain_failure(&query)? else { panic!("there is no way") };
    /// assert_eq!(barrier.opened_at, 1);
    /// let doors: Vec<(Cell, Cost)> = barrier.single.iter().map(|door| (door.cell, door.cost)).collect();
    /// assert_eq!(doors, [(Cell::new(2, 2), Cost::new(10 + 14 + 3 * 10))]);
    ///
    /// let corner = PathQuery::new(Cell::new(0, 0), Cell::new(4, 0)); // the goal itself is closed
    /// let FailureExplanation::Sealed(barrier) = finder.explain_failure(&corner)? else { panic!("there is no way") };
    /// assert!(barrier.single.is_empty());
    /// let smallest = barrier.smallest.unwrap();
    /// assert_eq!(smallest.cells, [Cell::new(2, 2), Cell::new(4, 0)]);
    /// assert_eq!(smallest.cost, Cost::new(10 + 14 + 5 * 10));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn explain_failure(&self, query: &PathQuery) -> Result<FailureExplanation, QueryError> {
        if self.is_reachable(query)? {
            return Ok(FailureExplanation::Reachable);
        }
        // A unit deep in closed ground first leaves it.
        let movement_map = self.movement_map(query.movement())?;
        match movement_map.way_out(self.grid(), query.start()) {
            Some(chain) => barrier::explain_behind(self, query, &chain),
            None => barrier::explain(self, query),
        }
    }
}

//! A running path query.

mod choice;
mod inspection;
mod shape;
mod slices;

pub(crate) use self::choice::resolve;
use crate::{
    cell::Cell,
    cost::Cost,
    finder::{
        closest::{Closest, cost_limit::CostLimit, target::Target, ties::Ties},
        grid_engine::{GridEngine, SearchProfile},
        heuristic_kind::HeuristicKind,
        outcome::{Answer, Limit, Outcome, QueryError, Statistics},
        query::{Algorithm, PathQuery},
        reachability::{Reachability, flood_to},
        scratch::ScratchPool,
        snapshot::MapSnapshot,
    },
    journal::Revision,
    landmarks::distance::{Lead, bound_between},
    movement_map::{MovementMap, meter::Bill},
    path::Path,
    search::{Heuristic, Step, step::steps},
    space::grid::GridNode,
    space::octile_distance::OctileDistance,
};
use std::{cell::RefCell, mem, sync::Arc};

/// A running path query. Run it in slices ([`PathSearch::advance`]), step by step
/// ([`PathSearch::steps`]) or to the end ([`PathSearch::finish`]). The answer is the same in all
/// three cases.
///
/// The search uses the map as it was at [`PathFinder::begin`](crate::PathFinder::begin). It borrows
/// nothing, so the map may be edited while the search runs. To see whether the map was edited,
/// compare [`PathSearch::revision`] with the revision of the map.
///
/// # Memory
/// Eight bytes a cell (twelve for jump points); only the memory of cells that the search reaches is
/// touched. When the search is dropped, its memory goes back to the finder's pool.
#[derive(Clone, Debug)]
#[doc(alias = "incremental search")]
#[doc(alias = "time slicing")]
pub struct PathSearch {
    query: PathQuery,
    map: MapSnapshot,
    start: GridNode,
    goal: GridNode,
    algorithm: Algorithm,
    /// The search over cells; `None` if the answer is known without it.
    engine: Option<GridEngine>,
    closest: Closest,
    work: u64,
    /// True if the goal is known to be unreachable, but the query wants a search. `None` if steps
    /// can be one-way, because then nothing is known.
    is_unreachable: Option<bool>,
    /// The preprocessing that this search was charged for while it was advanced apart.
    bill: Bill,
}

/// The state of a cell in a search.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum CellState {
    /// Not reached yet.
    Unseen,
    /// Reached, waiting to be expanded.
    Open,
    /// Expanded.
    Closed,
}

/// The cells of a map that are copied for a unit deep in closed ground, for one unit of work.
const COPIED: u64 = 256;

impl PathSearch {
    pub(crate) fn begin(
        map: MapSnapshot,
        query: PathQuery,
        [start, goal]: [GridNode; 2],
        reach: Reachability,
        pool: &Arc<ScratchPool>,
    ) -> Result<Self, QueryError> {
        let metric = OctileDistance::of_cost_one(&map.movement_map, goal);
        let is_unreachable = match reach {
            Reachability::Undecided => None,
            _ => Some(matches!(reach, Reachability::Unknown)),
        };
        let reached = if let Reachability::Closest(_, work) = reach { work } else { 0 };
        let is_copied = map.movement_map.chain().is_some();
        let work = reached + if is_copied { map.bounds.cell_count() as u64 / COPIED } else { 0 };
        let resolved = resolve(&map, &query)?;
        // Jump points always use the octile estimate. If they cannot find the closest cell, A*
        // replaces them and uses it too.
        let has_own_estimate = resolved == Algorithm::JumpPoint;
        let query = if has_own_estimate { query.with_heuristic(HeuristicKind::Octile) } else { query };
        let Target { node: target, algorithm, tied, told } =
            Target::of(&query, resolved, [start, goal], metric, reach);
        // A path of one cell does not depend on the map or on the algorithm.
        let is_trivial = target == Some(start);
        let ties =
            tied.map(|cells| Ties::new(&map.movement_map, algorithm, query.heuristic(), start, goal, cells));
        // If the target is the best of several cells, the estimate for the goal does not bound the
        // cost.
        let cost_limit = (target.filter(|_| ties.is_none()))
            .and_then(|_| CostLimit::of(&query, &map.movement_map, algorithm));
        let mut closest = Closest::new(metric, start, query.limit().is_some(), ties, cost_limit);
        let profile = SearchProfile {
            algorithm: if is_trivial { Algorithm::AStar } else { algorithm },
            estimate: query.heuristic(),
            skips_pruning: query.skips_pruning() || is_trivial,
            ties: tied,
            tied: told,
            guidance: query.guidance(algorithm),
            is_metered: true,
        };
        let mut engine = target.map(|target| GridEngine::open(&map, pool, profile, start, target));
        if let Some(engine) = &mut engine
            && is_trivial
        {
            // A path of one cell wins over every limit, even over a limit of 0.
            engine.step(&map, &mut closest);
        }
        Ok(Self {
            query,
            map,
            start,
            goal,
            algorithm,
            engine,
            closest,
            work,
            is_unreachable,
            bill: Bill::default(),
        })
    }

    pub(crate) const fn movement_map(&self) -> &Arc<MovementMap> {
        &self.map.movement_map
    }

    /// Adds work that was done for this search outside of it.
    pub(crate) const fn charge(&mut self, work: u64) {
        self.work += work;
    }

    /// Returns whether the search used the lines along which jump point scans run.
    pub(crate) fn takes_jump_points(&self) -> bool {
        self.engine.as_ref().is_some_and(GridEngine::takes_jump_points)
    }

    /// Returns the work to choose the landmarks that lead the search.
    pub(crate) fn leading_work(&self) -> u64 {
        self.engine.as_ref().and_then(GridEngine::lead).map_or(0, Lead::work)
    }

    /// Returns the work to make the samples of some windows, a bit each. Returns 0 and takes no
    /// window if the automatic choice needed no samples.
    pub(crate) fn sampling_work(&self, take: impl FnOnce() -> u16) -> u64 {
        if !choice::needs_samples(&self.map, &self.query) {
            return 0;
        }
        let due = take();
        let samples = choice::samples(&self.map).enumerate();
        samples.filter(|(window, _)| due >> window & 1 == 1).map(|(_, sample)| sample.made_by).sum()
    }

    /// Returns the number of expansions that the query's limit still allows.
    fn allowance(&self) -> u64 {
        self.query.limit().map_or(u64::MAX, |limit| limit.saturating_sub(self.statistics().expanded))
    }

    /// Returns whether the answer is complete.
    #[must_use]
    pub fn is_done(&self) -> bool {
        self.engine.as_ref().is_none_or(GridEngine::is_done)
            || self.closest.is_settled()
            || self.closest.is_past_cost_limit()
            || self.allowance() == 0
    }

    /// Expands one cell, or ends the search. After the end of the search, it returns the last step
    /// again.
    pub fn step(&mut self) -> Step<Cell> {
        let step = self.next_step();
        let has_ended = !matches!(step, Step::Expanded(_));
        if has_ended && self.is_judged() && matches!(self.result(), Ok(answer) if answer.outcome.is_limited())
        {
            return Step::LimitReached;
        }
        step
    }

    fn next_step(&mut self) -> Step<Cell> {
        if self.closest.is_settled() || self.closest.is_past_cost_limit() {
            return Step::Exhausted;
        }
        if self.allowance() == 0 && self.reached().is_none() {
            return Step::LimitReached;
        }
        let bounds = self.map.bounds;
        match self.take_step() {
            // The search reached the closest cell instead of the goal.
            Step::Reached(node) if node != self.goal => Step::Exhausted,
            step => step.map(|node| node.cell(&bounds)),
        }
    }

    /// Returns whether the query limits the cost or the length of the path.
    const fn is_judged(&self) -> bool {
        self.query.cost_limit().is_some() || self.query.length_limit().is_some()
    }

    /// Returns an iterator with one item for each expansion. The last item shows how the search
    /// ended.
    ///
    /// # Examples
    /// ```
    /// use tilepath::{Algorithm, Cell, CellState, Grid, Movement, PathFinder, PathQuery, search::Step};
    /// let finder = PathFinder::new(Grid::new(4, 1, 1)?, Movement::new());
    /// let query = PathQuery::new(Cell::new(0, 0), Cell::new(2, 0)).with_algorithm(Algorithm::AStar);
    /// let mut search = finder.begin(&query)?;
    /// let steps: Vec<Step<Cell>> = search.steps().collect();
    /// assert_eq!(
    ///     steps,
    ///     [
    ///         Step::Expanded(Cell::new(0, 0)),
    ///         Step::Expanded(Cell::new(1, 0)),
    ///         Step::Reached(Cell::new(2, 0)),
    ///     ]
    /// );
    /// assert_eq!(search.cell_state(Cell::new(3, 0)), CellState::Unseen);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn steps(&mut self) -> impl Iterator<Item = Step<Cell>> + '_ {
        steps(|| self.step())
    }

    fn take_step(&mut self) -> Step<GridNode> {
        let is_done = self.engine.as_ref().is_none_or(GridEngine::is_done);
        let step = if is_done { None } else { self.run(u64::MAX, 1, false).0 };
        step.unwrap_or_else(|| self.reached().map_or(Step::Exhausted, |(node, _)| Step::Reached(node)))
    }

    /// Runs the search for `work` units, but expands at most `expansions` nodes. Returns the last
    /// step and the work done. If it runs apart, its charges stay on its own bill.
    fn run(&mut self, work: u64, expansions: u64, is_apart: bool) -> (Option<Step<GridNode>>, u64) {
        if !is_apart {
            self.settle();
        }
        let Some(engine) = &mut self.engine else { return (None, 0) };
        let own = RefCell::new(mem::take(&mut self.bill));
        let bill = is_apart.then_some(&own);
        let (step, spent) = engine.advance(&self.map, &mut self.closest, work, expansions, bill);
        self.bill = own.into_inner();
        self.work += spent;
        (step, spent)
    }

    /// Runs the search to the end and returns the answer.
    ///
    /// # Errors
    /// [`QueryError::CostOverflow`]: there may be a path, but its cost is too large for a [`Cost`].
    pub fn finish(mut self) -> Result<Answer, QueryError> {
        self.run_to_end();
        self.result()
    }

    /// Runs the search to the end, without counting the rest of the work.
    pub(crate) fn run_to_end(&mut self) {
        if let Some(engine) = &mut self.engine {
            engine.stop_metering();
        }
        self.advance(u64::MAX);
    }

    /// Returns the answer, or `None` while the search is running.
    ///
    /// # Errors
    /// [`QueryError::CostOverflow`]: there may be a path, but its cost is too large for a [`Cost`].
    ///
    /// # Complexity
    /// O(length of the path) for each call.
    #[must_use]
    pub fn answer(&self) -> Option<Result<Answer, QueryError>> {
        self.is_done().then(|| self.result())
    }

    fn result(&self) -> Result<Answer, QueryError> {
        self.outcome().map(|outcome| Answer { outcome, statistics: self.statistics() })
    }

    /// Returns the outcome of a search that is done.
    fn outcome(&self) -> Result<Outcome, QueryError> {
        let Some(engine) = &self.engine else {
            return Ok(Outcome::Unreachable { closest: None });
        };
        let is_past = self.closest.is_past_cost_limit();
        if let Some((node, cost)) = engine.reached().filter(|_| !is_past) {
            let path = self.path_to(engine, node, cost);
            return Ok(self.judged(path, |path| self.outcome_of(node, path)));
        }
        let closest = || {
            let (node, cost) = self.closest.best();
            self.path_to(engine, node, cost)
        };
        if self.closest.is_settled() {
            Ok(self.judged(closest(), |path| Outcome::Unreachable { closest: Some(path) }))
        } else if is_past && self.is_unreachable() {
            Ok(Outcome::Unreachable { closest: None })
        } else if is_past {
            Ok(Outcome::LimitReached { limit: Limit::Cost, best: self.within_limits(closest()).0 })
        } else if !engine.is_done() {
            Ok(Outcome::LimitReached { limit: Limit::Expansions, best: self.within_limits(closest()).0 })
        } else if self.closest.has_found() {
            // All cells whose cost fits a `Cost` were expanded.
            Ok(self.judged(closest(), |path| Outcome::Unreachable { closest: Some(path) }))
        } else if !engine.has_overflowed() || self.is_unreachable() {
            debug_assert!(
                self.is_unreachable != Some(false),
                "regions report a path, but the search found none"
            );
            Ok(Outcome::Unreachable { closest: None })
        } else if self.closest.has_cost_limit() {
            // A dropped cost is larger than any limit.
            Ok(Outcome::LimitReached { limit: Limit::Cost, best: self.within_limits(closest()).0 })
        } else {
            Err(QueryError::CostOverflow)
        }
    }

    /// Returns the outcome for a path that ends at a node.
    fn outcome_of(&self, node: GridNode, path: Path) -> Outcome {
        if node == self.goal { Outcome::Found(path) } else { Outcome::Unreachable { closest: Some(path) } }
    }

    /// Returns whether there is no path at any cost. The search has ended without a path.
    fn is_unreachable(&self) -> bool {
        self.is_unreachable.unwrap_or_else(|| !flood_to(&self.map, self.start, Some(self.goal)).is_reached)
    }

    /// Returns the outcome for a path that keeps the limits, or `LimitReached`.
    fn judged(&self, path: Path, outcome: impl Fn(Path) -> Outcome) -> Outcome {
        match self.within_limits(path) {
            (path, None) => outcome(path),
            (best, Some(limit)) => Outcome::LimitReached { limit, best },
        }
    }

    /// Returns the part of a path that keeps the limits on cost and length. If the path is longer,
    /// it also returns the broken limit.
    fn within_limits(&self, path: Path) -> (Path, Option<Limit>) {
        let most = self.query.cost_limit().unwrap_or(Cost::MAX);
        let most_steps = self.query.length_limit().map_or(usize::MAX, |steps| steps as usize);
        let is_costly = path.cost() > most;
        if !is_costly && path.steps() <= most_steps {
            return (path, None);
        }
        let (mut steps, mut cost) = (0, Cost::ZERO);
        for step in self.map.steps_along(path.cells()).take(most_steps) {
            match cost.checked_add(step).filter(|&sum| sum <= most) {
                Some(sum) => (steps, cost) = (steps + 1, sum),
                None => break,
            }
        }
        let limit = if is_costly { Limit::Cost } else { Limit::Length };
        (path.beginning(steps, cost), Some(limit))
    }

    fn reached(&self) -> Option<(GridNode, Cost)> {
        self.engine.as_ref().and_then(GridEngine::reached)
    }

    fn path_to(&self, engine: &GridEngine, node: GridNode, cost: Cost) -> Path {
        let mut cells = Vec::new();
        engine.path_to(&self.map, node, &mut cells);
        if cells.is_empty() {
            // A search that was stopped before its first step has only its start.
            cells.push(node.cell(&self.map.bounds));
        }
        if self.query.has_drawn_shape() {
            shape::draw(&self.map, &mut cells);
        }
        let bound = self.lower_bound(engine, node, cost);
        // If an estimate can be too large, closed cells are opened again. So the path may now be
        // cheaper than the noted cost.
        let is_final = self.algorithm.is_exact() && self.is_estimate_admissible();
        let cost = if is_final { cost } else { self.map.walked_cost(&cells) };
        Path::new(cells, cost, bound, self.map.movement_map.topology())
    }

    fn is_estimate_admissible(&self) -> bool {
        let estimate = self.algorithm.heuristic(self.query.heuristic());
        let map = &self.map.movement_map;
        estimate.is_none_or(|estimate| estimate.is_admissible(map.movement(), map.topology()))
    }

    /// Returns a lower bound for all paths to the node.
    fn lower_bound(&self, engine: &GridEngine, node: GridNode, cost: Cost) -> Cost {
        let is_goal_of_search =
            self.closest.has_found() || engine.reached().is_some_and(|(reached, _)| reached == node);
        let estimate = || self.estimate_to(node).min(cost);
        match self.algorithm.bound_percent().filter(|_| self.is_estimate_admissible()) {
            // The cheapest path may pass a jump point without a turn. Then the known path to that
            // point is a detour.
            Some(100) if is_goal_of_search || !engine.leaves_out_cells(&self.map) => cost,
            Some(percent) if percent > 100 && node == self.goal => {
                let bound = (u64::from(cost.get()) * 100).div_ceil(u64::from(percent));
                estimate().max(Cost::new(bound as u32))
            }
            _ => estimate(),
        }
    }

    /// Returns the best known lower bound for all paths from the start to a node.
    fn estimate_to(&self, node: GridNode) -> Cost {
        let octile = OctileDistance::new(&self.map.movement_map, node).estimate(self.start);
        let tables = self.map.landmarks.as_ref().filter(|_| self.query.uses_landmarks() != Some(false));
        tables.map_or(octile, |tables| bound_between(tables, self.map.ground(), [self.start, node], octile))
    }

    /// Returns the work since the beginning of the search.
    ///
    /// # Units
    /// One unit takes about as long as the expansion of a cell. An expansion is one unit. With jump
    /// points, a scanned word of 64 cells and a stop on a diagonal are one unit each, and so is a
    /// vertical walk where there are no diagonals. Edits may have made cells cheaper since the
    /// [landmarks](crate::PathFinder::make_landmarks) were made. Then 32 corrections of their bounds are
    /// one unit, and the choice of landmarks counts the pairs of edited places that it compares.
    ///
    /// The first search that needs preprocessing of the map also counts the units of this
    /// preprocessing:
    /// - ground of many costs: 128 for each block of 16 × 16 cells
    /// - a movement that no search has used yet: 1 for each 16 cells
    /// - a movement for which no search has used jump points yet: 1 for each 32 cells
    /// - edits since the last search: 64 for each edit that opened or closed a cell
    ///
    /// The search for the closest cell counts each chunk of 64 × 64 cells that it looks at, and the
    /// rows of these chunks.
    ///
    /// # Guarantee
    /// The work is a pure function of the map, the edits of the map, and the order in which
    /// searches on the finder were begun and advanced. For searches on several threads see
    /// [`PathSearch::advance_apart`].
    ///
    /// Immediate answers ([`PathFinder::find`](crate::PathFinder::find),
    /// [`solve`](crate::PathFinder::solve), [`finish`](Self::finish), ranges) do the same
    /// preprocessing, but do not change the work of other searches.
    ///
    /// Clones of a finder share the preprocessing of ground of many costs until one of them is
    /// edited. Until then, only one of the clones is charged for this preprocessing.
    #[must_use]
    pub const fn work(&self) -> u64 {
        self.work
    }

    /// Returns the number of expanded cells and the number of entries put into the open list so
    /// far.
    #[must_use]
    pub fn statistics(&self) -> Statistics {
        let work = |engine: &GridEngine| (engine.expanded(), engine.generated());
        let (expanded, generated) = self.engine.as_ref().map_or((0, 0), work);
        Statistics { expanded, generated, algorithm: self.algorithm }
    }

    /// Returns the revision of the map on which the search runs.
    #[must_use]
    pub const fn revision(&self) -> Revision {
        self.map.revision
    }

    /// Returns the query.
    #[must_use]
    pub const fn query(&self) -> &PathQuery {
        &self.query
    }
}

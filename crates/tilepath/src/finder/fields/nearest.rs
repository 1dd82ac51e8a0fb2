//! The nearest of many goals, by one search from the unit.

use crate::{
    cell::Cell,
    cost::Cost,
    finder::{
        fields::{flood::Flood, query::NearestQuery},
        outcome::{QueryError, Statistics},
        path_search::CellState,
        query::Algorithm,
        reachability::flood_to,
        scratch::ScratchPool,
        snapshot::MapSnapshot,
    },
    journal::Revision,
    movement_map::plane::Ground,
    path::Path,
    search::{Dijkstra, NoGoal, Problem, SearchStatus, observer::Visits},
    space::grid::{GridNode, GridSpace},
};
use std::sync::Arc;

/// A goal that was reached.
#[derive(Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
#[non_exhaustive]
pub struct NearestGoal {
    /// The index of the goal in the list of the query, from 0.
    pub index: usize,
    /// The cheapest path to the goal.
    pub path: Path,
}

/// The goals found, and the work of the search.
#[derive(Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
#[non_exhaustive]
pub struct NearestAnswer {
    /// The goals, the cheapest first. Goals of equal cost are in the order of the list. If fewer
    /// goals can be reached than the query requests, the list is shorter.
    #[cfg_attr(feature = "serde", serde(deserialize_with = "crate::stored::list"))]
    pub goals: Vec<NearestGoal>,
    /// The work of the search.
    pub statistics: Statistics,
}

/// A goal of the list: its cell and its index. The list is sorted by the cell's slot.
type Target = (GridNode, u32);

/// The work units to accept a goal: to test if it can be reached, and to sort it into the list.
const GOAL_WORK: u64 = 2;

/// A search for the nearest goals, which runs in slices or to the end. The answer is the same in
/// both cases.
///
/// [`PathFinder::begin_nearest`](crate::PathFinder::begin_nearest) makes it. The search uses the
/// map as it was when it began.
///
/// # Memory
/// Eight bytes a cell; only the memory of cells that the search reaches is touched. When the search
/// is dropped, its memory goes back to the finder's pool.
#[derive(Clone, Debug)]
pub struct NearestSearch {
    query: NearestQuery,
    map: MapSnapshot,
    flood: Flood,
    sought: Sought,
    /// The work other than expansions.
    begun: u64,
}

/// The goals that are sought, and the progress.
#[derive(Clone, Debug)]
struct Sought {
    /// The goals that can be reached.
    targets: Vec<Target>,
    /// Bits at the marks of the targets. Most cells have a mark that no target has.
    marks: Vec<u64>,
    /// The goals that were reached, in the order of cost.
    reached: Vec<(Cost, u32, GridNode)>,
    /// The number of goals in a full answer: the number requested, or fewer if fewer can be
    /// reached.
    wanted: usize,
    /// The cost of the cell expanded last.
    spread_to: Cost,
}

impl Sought {
    /// The number of marks for each target, rounded up.
    const MARKS_FOR_ONE: usize = 32;

    fn new(mut targets: Vec<Target>, count: usize) -> Self {
        targets.sort_unstable_by_key(|&(node, index)| (node.packed(), index));
        let wanted = count.min(targets.len());
        let words = (targets.len() * Self::MARKS_FOR_ONE / 64).next_power_of_two();
        let reached = Vec::with_capacity(wanted);
        let mut sought = Self { targets, marks: vec![0; words], reached, wanted, spread_to: Cost::ZERO };
        for place in 0..sought.targets.len() {
            let (word, bit) = sought.mark(sought.targets[place].0);
            sought.marks[word] |= bit;
        }
        sought
    }

    /// Returns the word and the bit of a cell's mark. Neighbouring cells have different marks.
    #[inline]
    fn mark(&self, node: GridNode) -> (usize, u64) {
        let spread = node.packed().wrapping_mul(0x9E37_79B1);
        ((spread >> 16) as usize & (self.marks.len() - 1), 1 << (spread >> 26))
    }

    /// Notes that a cell was expanded.
    #[inline]
    fn follow(&mut self, node: GridNode, cost: Cost) {
        self.spread_to = cost;
        let (word, bit) = self.mark(node);
        if self.marks[word] & bit != 0 {
            self.take(node, cost);
        }
    }

    /// Notes the targets at a cell.
    fn take(&mut self, node: GridNode, cost: Cost) {
        let first = self.targets.partition_point(|(target, _)| target.packed() < node.packed());
        let here = self.targets[first..].iter().take_while(|(target, _)| *target == node);
        self.reached.extend(here.map(|&(_, index)| (cost, index, node)));
    }

    /// Returns whether no cell that is not expanded yet can change the answer.
    #[inline]
    fn is_done(&self) -> bool {
        self.reached.len() == self.targets.len()
            || self.wanted == 0
            || (self.reached.get(self.wanted - 1)).is_some_and(|&(cost, ..)| cost < self.spread_to)
    }
}

impl NearestSearch {
    /// Begins a search for goals that may be reachable. Each target has its index in the query's
    /// list.
    pub(crate) fn begin(
        map: MapSnapshot,
        query: NearestQuery,
        start: GridNode,
        targets: Vec<Target>,
        pool: &Arc<ScratchPool>,
    ) -> Self {
        let sought = Sought::new(targets, query.count());
        let mut flood = Flood::new(pool, map.movement_map.max_step_cost());
        flood.search.begin(&problem(&map.space()), &[start]);
        let begun = query.goals().len() as u64 * GOAL_WORK;
        Self { query, map, flood, sought, begun }
    }

    /// Adds work that was done for this search outside of it.
    pub(crate) const fn charge(&mut self, work: u64) {
        self.begun += work;
    }

    /// Returns the work done so far, in the unit and with the guarantee of
    /// [`PathSearch::work`](crate::PathSearch::work). It counts the expansions. Each goal of the
    /// list counts two units when the search begins. The first search after edits also counts the
    /// preprocessing that `PathSearch::work` describes.
    #[must_use]
    pub fn work(&self) -> u64 {
        self.begun + self.flood.search.expanded()
    }

    /// Runs the search for at most `budget` expansions.
    ///
    /// # Guarantee
    /// The answer is the same however the work is split into calls of `advance`.
    pub fn advance(&mut self, budget: u64) -> SearchStatus {
        let Self { map, flood, sought, .. } = self;
        match map.class_space() {
            Some(space) => spread(&space, flood, sought, budget),
            None => spread(&map.space(), flood, sought, budget),
        }
        if self.is_done() { SearchStatus::Done } else { SearchStatus::Running }
    }

    /// Returns whether the answer is complete.
    ///
    /// The search also waits for all goals of the same cost as the last wanted goal, because the
    /// order of the list decides between them.
    #[must_use]
    pub fn is_done(&self) -> bool {
        self.flood.search.is_done() || self.sought.is_done()
    }

    /// Returns the index and the path cost of each goal reached so far.
    pub(crate) fn reached(&self) -> impl Iterator<Item = (usize, Cost)> + '_ {
        self.sought.reached.iter().map(|&(cost, index, _)| (index as usize, cost))
    }

    /// Runs the search to the end and returns the answer.
    ///
    /// # Errors
    /// [`QueryError::CostOverflow`]: a path to another goal may exist, but the search cannot count
    /// its cost, because the cost is larger than [`Cost::MAX`].
    pub fn finish(mut self) -> Result<NearestAnswer, QueryError> {
        self.advance(u64::MAX);
        self.result()
    }

    /// Returns the answer, or `None` while the search is running.
    ///
    /// # Errors
    /// [`QueryError::CostOverflow`]: there may be a path to one more goal, but its cost is too
    /// large for a [`Cost`].
    ///
    /// # Complexity
    /// O(length of all paths) for each call.
    #[must_use]
    pub fn answer(&self) -> Option<Result<NearestAnswer, QueryError>> {
        self.is_done().then(|| self.result())
    }

    fn result(&self) -> Result<NearestAnswer, QueryError> {
        let Sought { reached, wanted, .. } = &self.sought;
        if reached.len() < *wanted && self.flood.search.has_overflowed() && self.misses_a_goal() {
            return Err(QueryError::CostOverflow);
        }
        let mut nearest = reached.clone();
        nearest.sort_unstable_by_key(|&(cost, index, _)| (cost, index));
        nearest.truncate(*wanted);
        let goals = nearest
            .into_iter()
            .map(|(cost, index, node)| NearestGoal { index: index as usize, path: self.path_to(node, cost) });
        Ok(NearestAnswer { goals: goals.collect(), statistics: self.statistics() })
    }

    /// Returns whether there is a path to one more wanted goal, at any cost.
    fn misses_a_goal(&self) -> bool {
        let Some(start) = GridNode::of(&self.map.bounds, self.query.start()) else { return false };
        if self.map.movement_map.is_told_by_regions(start.x(), start.y()) {
            return true;
        }
        // If some steps are one-way, regions cannot show which goals are reachable.
        let Sought { targets, reached, wanted, .. } = &self.sought;
        let flooded = flood_to(&self.map, start, None);
        let reachable = targets.iter().filter(|&&(node, _)| flooded.has_seen(node)).count();
        reached.len() < reachable.min(*wanted)
    }

    fn path_to(&self, node: GridNode, cost: Cost) -> Path {
        let space = self.map.space();
        let back = || self.flood.search.walk_back(&space, node);
        // Counted first, so that the list grows once.
        let mut cells: Vec<Cell> = Vec::with_capacity(back().count());
        cells.extend(back().map(|node| node.cell(&self.map.bounds)));
        cells.reverse();
        Path::new(cells, cost, cost, self.map.movement_map.topology())
    }

    /// Returns the number of expanded cells and the number of entries put into the open list so
    /// far.
    #[must_use]
    pub fn statistics(&self) -> Statistics {
        let search = &self.flood.search;
        Statistics {
            expanded: search.expanded(),
            generated: search.generated(),
            algorithm: Algorithm::Dijkstra,
        }
    }

    /// Returns the state of a cell in this search. Cells outside the map are unseen.
    ///
    /// # Examples
    /// ```
    /// use tilepath::{Cell, CellState, Grid, Movement, NearestQuery, PathFinder};
    /// let finder = PathFinder::new(Grid::new(5, 1, 1)?, Movement::new());
    /// let mut search = finder.begin_nearest(&NearestQuery::new(Cell::new(0, 0), [Cell::new(3, 0)]))?;
    /// search.advance(2);
    /// let states: Vec<CellState> = (0..4).map(|x| search.cell_state(Cell::new(x, 0))).collect();
    /// assert_eq!(states, [CellState::Closed, CellState::Closed, CellState::Open, CellState::Unseen]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn cell_state(&self, cell: Cell) -> CellState {
        let record = GridNode::of(&self.map.bounds, cell)
            .and_then(|node| self.flood.search.record(&self.map.space(), node));
        match record {
            None => CellState::Unseen,
            Some(record) if record.is_closed => CellState::Closed,
            Some(_) => CellState::Open,
        }
    }

    /// Returns the revision of the map on which the search runs.
    #[must_use]
    pub const fn revision(&self) -> Revision {
        self.map.revision
    }

    /// Returns the query.
    #[must_use]
    pub const fn query(&self) -> &NearestQuery {
        &self.query
    }
}

/// Expands at most `budget` cells, and stops when the answer is complete.
fn spread<G: Ground>(space: &GridSpace<'_, G>, flood: &mut Flood, sought: &mut Sought, budget: u64) {
    let problem = problem(space);
    for _ in 0..budget {
        if flood.search.is_done() || sought.is_done() {
            break;
        }
        flood.search.step(&problem, &mut Visits(|node: GridNode, cost| sought.follow(node, cost)));
    }
}

fn problem<'a, 'map, G: Ground>(
    space: &'a GridSpace<'map, G>,
) -> Problem<'a, GridSpace<'map, G>, Dijkstra, NoGoal> {
    Problem { space, strategy: &Dijkstra, goal: &NoGoal }
}

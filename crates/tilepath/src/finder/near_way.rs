//! Near paths that are found part by part, as a unit walks.
//!
//! Decision: `docs/decisions/20-near-ways.md`.

mod part;

use crate::{
    cell::Cell,
    cost::Cost,
    finder::{
        PathFinder,
        near::{Mark, PortalWay},
        outcome::{Answer, Outcome, QueryError, Statistics},
        path_search::PathSearch,
        query::{Algorithm, PathQuery},
        snapshot::MapSnapshot,
    },
    journal::Revision,
    search::{Heuristic, SearchStatus},
    space::{grid::GridNode, octile_distance::OctileDistance},
};
use std::fmt;
use thiserror::Error;

/// A crossing on a path over portals from one chunk into the next, or the end of the path.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Waymark {
    /// The last cell before the crossing; at the end of the path, the end itself.
    left: Cell,
    entered: Cell,
    /// The cost of the path over portals from here to its end.
    rest: Cost,
}

/// A path over a long distance whose cells are found part by part. At first, only its portals
/// between chunks of 16 × 16 cells are known. Later its cells are searched, one part at a time,
/// each part on the map as it is at that time.
///
/// A unit starts as soon as it has the first part. Before the unit reaches the end of a part, call
/// [`refine`](Self::refine) for the next part. The call fails if an edit has blocked the path.
///
/// Parts that the unit never reaches cost no work.
///
/// # Guarantee
/// The first part begins at the start, and each later part begins where the part before it ends.
/// All steps of a part are allowed on the map on which the part was found. If the map is not
/// edited, the parts lead to the goal.
///
/// All parts together cost a little more than the path that is [found at once](Algorithm::Near).
/// The search for the first part goes up to six chunks ahead, and each later search up to twelve. A
/// part is the first half of the path that its search finds; if this path leads to the goal, the
/// part is all of it.
///
/// # Memory
/// 20 bytes for each chunk on the rest of the path.
///
/// # Examples
/// ```
/// use tilepath::{Cell, Grid, Movement, NearWayAnswer, PathFinder, PathQuery};
/// let classes = (0..600 * 600).map(|slot| 1 + (slot * 7 / 11 % 5) as u8);
/// let finder = PathFinder::new(Grid::from_classes(600, 600, classes.collect())?, Movement::new());
/// let query = PathQuery::new(Cell::new(3, 7), Cell::new(590, 450));
/// let NearWayAnswer::InParts(mut way) = finder.solve_near_way(&query)? else { panic!("it is far") };
/// let mut here = query.start();
/// while let Some(part) = way.refine(&finder)? {
///     assert_eq!(part.start(), here);
///     assert_eq!(part.verify(finder.grid(), &Movement::new()), Ok(()));
///     here = part.goal(); // where the unit is when it has walked the part
/// }
/// assert_eq!(here, query.goal());
/// assert_eq!(way.rest(), tilepath::Cost::ZERO);
/// assert!(way.lower_bound() <= way.cost());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
#[doc(alias = "partial refinement")]
#[doc(alias = "hierarchical")]
pub struct NearWay {
    query: PathQuery,
    /// The end of the path: the goal, or the closest cell.
    goal: Cell,
    /// The last cell of the parts found so far.
    end: Cell,
    /// The portals ahead, the next one last.
    marks: Vec<Waymark>,
    /// Some cells between `end` and the last mark searched, as the last search found them.
    tail: Vec<Cell>,
    /// The number of chunks that the tail passes through.
    tail_chunks: usize,
    /// The width of the area beside the portals to search for paths, in cells.
    margin: u32,
    cost: Cost,
    rest: Cost,
    lower_bound: Cost,
    revision: Revision,
    statistics: Statistics,
    work: u64,
}

/// The answer to a query for a path that is found part by part.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum NearWayAnswer {
    /// A path was found: its portals are known, its cells are not.
    InParts(NearWay),
    /// A complete answer, because parts are not possible or have no use:
    /// - there is no path;
    /// - the query limits cost or length, or its limit on expansions was reached;
    /// - [`Algorithm::Near`] uses an exact search, for example because the goal is close or jump
    ///   points are faster.
    Whole(Answer),
}

/// The reason why the next part of a path could not be found.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum NearWayFault {
    /// An edit closed the path over portals, and there is no other path near it. There may be a
    /// path elsewhere.
    #[error("an edit of the map blocked the path from {end} to {portal}; search again from the unit's cell")]
    Blocked {
        /// The last cell of the parts found so far.
        end: Cell,
        /// The next portal or the goal, which cannot be reached from `end`.
        portal: Cell,
    },
    /// The query is not valid any more. Its movement was removed, the end of the parts found so far
    /// is not on the map, or the total cost of all parts is too large for a [`Cost`].
    #[error(transparent)]
    Query(#[from] QueryError),
}

impl NearWay {
    fn new(way: &PortalWay, search: &PathSearch) -> Self {
        let (query, map) = (*search.query(), search.map());
        let cell = |node: GridNode| node.cell(&map.bounds);
        let mark =
            |mark: &Mark| Waymark { left: cell(mark.left), entered: cell(mark.entered), rest: mark.rest };
        let mut way = Self {
            query,
            goal: cell(way.goal),
            end: query.start(),
            marks: way.marks.iter().map(mark).collect(),
            tail: Vec::new(),
            tail_chunks: 0,
            margin: way.margin,
            cost: Cost::ZERO,
            rest: way.cost,
            lower_bound: Cost::ZERO,
            revision: map.revision,
            statistics: search.statistics(),
            work: 0,
        };
        way.prove(map);
        way
    }

    /// Sets the lower bound and the revision from a map.
    fn prove(&mut self, map: &MapSnapshot) {
        let ends = [self.query.start(), self.goal].map(|cell| GridNode::of(&map.bounds, cell));
        let [Some(start), Some(goal)] = ends else { return };
        self.lower_bound = OctileDistance::new(&map.movement_map, goal).estimate(start);
        self.revision = map.revision;
    }

    /// Returns the query.
    #[must_use]
    pub const fn query(&self) -> &PathQuery {
        &self.query
    }

    /// Returns the last cell of the whole path: the goal of the query, or the reachable cell
    /// closest to the goal. It is the closest cell if the goal cannot be reached and the query has
    /// [`PathQuery::or_closest`].
    #[must_use]
    pub const fn goal(&self) -> Cell {
        self.goal
    }

    /// Returns the last cell of the parts found so far. Before the first part it is the start;
    /// after the last part it is [`goal`](Self::goal).
    #[must_use]
    pub const fn end(&self) -> Cell {
        self.end
    }

    /// Returns whether all parts are found.
    #[must_use]
    pub const fn is_whole(&self) -> bool {
        self.marks.is_empty()
    }

    /// Returns the sum of the costs of the parts found so far. The cost of each part is its cost on
    /// the map on which it was found.
    #[must_use]
    pub const fn cost(&self) -> Cost {
        self.cost
    }

    /// Returns the approximate cost of the parts that are not found yet, from the search over
    /// portals. If the map is not edited, the sum of the costs of these parts is seldom higher than
    /// this value.
    #[must_use]
    pub const fn rest(&self) -> Cost {
        self.rest
    }

    /// Returns a lower bound for the costs of all paths from the start to [`goal`](Self::goal), on
    /// the map on which the last part was found.
    #[must_use]
    pub const fn lower_bound(&self) -> Cost {
        self.lower_bound
    }

    /// Returns the revision of the map on which the last part was found. Before the first part, it
    /// is the revision of the map on which the search over portals ran.
    #[must_use]
    pub const fn revision(&self) -> Revision {
        self.revision
    }

    /// Returns the statistics of the search over portals and of the searches for all parts so far.
    /// The algorithm is [`Algorithm::Near`].
    #[must_use]
    pub const fn statistics(&self) -> Statistics {
        self.statistics
    }

    /// Returns the work of finding the parts so far, in the unit of [`PathSearch::work`].
    #[must_use]
    pub const fn work(&self) -> u64 {
        self.work
    }

    /// Returns the cells of the portals that the parts do not reach yet, in the order of the path,
    /// then [`goal`](Self::goal). Each portal has two cells: the last cell of one chunk and the
    /// first cell of the next chunk.
    pub fn portals(&self) -> impl Iterator<Item = Cell> + '_ {
        let to_come = self.marks.iter().rev();
        to_come
            .flat_map(|mark| [Some(mark.left).filter(|&left| left != mark.entered), Some(mark.entered)])
            .flatten()
    }
}

/// Writes the known part and the approximate part, with a limit on the extra cost.
impl fmt::Display for NearWay {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { end, goal, cost, rest, lower_bound, .. } = self;
        if self.is_whole() {
            write!(formatter, "known to its goal {goal}, cost {cost}")?;
        } else {
            let chunks = self.marks.len();
            write!(
                formatter,
                "known to {end}, cost {cost}; then approximate, through {chunks} more chunks to {goal}, cost about {rest}"
            )?;
        }
        let total = u64::from(cost.get()) + u64::from(rest.get());
        let least = u64::from(lower_bound.get());
        write!(formatter, "; no path costs less than {least}")?;
        match ((total.saturating_sub(least)) * 100).div_ceil(least.max(1)) {
            percent if least > 0 => write!(formatter, ": at most about {percent} percent above the cheapest"),
            _ => Ok(()),
        }
    }
}

/// A search for a [`NearWay`], which runs in slices or to the end. It uses the map as it was when
/// the search began.
#[derive(Debug)]
pub struct NearWaySearch {
    search: PathSearch,
}

impl NearWaySearch {
    /// Runs a slice; see [`PathSearch::advance`].
    pub fn advance(&mut self, budget: u64) -> SearchStatus {
        self.search.advance(budget)
    }

    /// Runs a slice beside other searches; see [`PathSearch::advance_apart`].
    pub fn advance_apart(&mut self, budget: u64) -> SearchStatus {
        self.search.advance_apart(budget)
    }

    /// Marks the preprocessing for which this search was charged as paid; see
    /// [`PathSearch::settle`].
    pub fn settle(&mut self) {
        self.search.settle();
    }

    /// Returns whether the answer is complete.
    #[must_use]
    pub fn is_done(&self) -> bool {
        self.search.is_done()
    }

    /// Returns the work of this search so far; see [`PathSearch::work`].
    #[must_use]
    pub const fn work(&self) -> u64 {
        self.search.work()
    }

    /// Returns the number of expanded portals and cells, and the number of entries put into open
    /// lists so far.
    #[must_use]
    pub fn statistics(&self) -> Statistics {
        self.search.statistics()
    }

    /// Returns the revision of the map on which the search runs.
    #[must_use]
    pub const fn revision(&self) -> Revision {
        self.search.revision()
    }

    /// Runs the search to the end and returns the answer. If the answer is a [`NearWay`], no part
    /// of it is found yet.
    ///
    /// # Errors
    /// [`QueryError::CostOverflow`]: there may be a path, but its cost is too large for a [`Cost`].
    pub fn finish(mut self) -> Result<NearWayAnswer, QueryError> {
        self.search.run_to_end();
        match self.search.take_way() {
            Some(way) => Ok(NearWayAnswer::InParts(NearWay::new(&way, &self.search))),
            None => self.search.finish().map(NearWayAnswer::Whole),
        }
    }
}

impl PathFinder {
    /// Finds a near path whose cells are found part by part. For a long path, the first part takes
    /// a fraction of the time of the whole path. See [`NearWay`].
    ///
    /// The query's algorithm is ignored. If the query limits cost or length, the answer is
    /// complete, because such a limit needs the whole path. A limit on expansions applies to the
    /// search over portals.
    ///
    /// # Errors
    /// The errors of [`PathFinder::begin`], and [`QueryError::CostOverflow`].
    ///
    /// # Complexity
    /// The complexity of [`Algorithm::Near`] for the path over chunks. No cells are searched yet.
    pub fn solve_near_way(&self, query: &PathQuery) -> Result<NearWayAnswer, QueryError> {
        near_way(query, |query| self.unmetered(query))?.finish()
    }

    /// Begins a search for a [`NearWay`] that runs in slices. See [`PathFinder::solve_near_way`].
    ///
    /// # Errors
    /// See [`PathFinder::begin`].
    pub fn begin_near_way(&self, query: &PathQuery) -> Result<NearWaySearch, QueryError> {
        near_way(query, |query| self.begin(query))
    }
}

fn near_way(
    query: &PathQuery,
    begin: impl FnOnce(&PathQuery) -> Result<PathSearch, QueryError>,
) -> Result<NearWaySearch, QueryError> {
    let is_judged = query.cost_limit().is_some() || query.length_limit().is_some();
    let mut search = begin(&query.with_algorithm(Algorithm::Near))?;
    if !is_judged {
        search.end_at_portals();
    }
    Ok(NearWaySearch { search })
}

impl NearWayAnswer {
    /// Returns the [`NearWay`], or `None` if the answer is complete.
    #[must_use]
    pub fn into_way(self) -> Option<NearWay> {
        match self {
            Self::InParts(way) => Some(way),
            Self::Whole(_) => None,
        }
    }

    /// Returns whether there is a path to the goal of the query.
    #[must_use]
    pub fn is_found(&self) -> bool {
        match self {
            Self::InParts(way) => way.goal() == way.query().goal(),
            Self::Whole(answer) => matches!(answer.outcome, Outcome::Found(_)),
        }
    }
}

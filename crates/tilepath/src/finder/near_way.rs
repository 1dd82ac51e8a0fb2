//! Near answers whose paths are found part by part, as a unit walks.

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

/// A place on a way over portals where it leads from one chunk into another, or its end.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Waymark {
    /// The last cell of the chunk before; at the end the end itself.
    left: Cell,
    entered: Cell,
    /// What the way over portals costs from there on.
    rest: Cost,
}

/// A way to a goal of which only the portals between chunks of 16 × 16 cells are known: which cells it leads over is found out part by
/// part, each on the map as it is then.
///
/// A unit sets out as soon as it has the first part, [asks](Self::refine) for the next one before it has walked that to its end, and
/// is told then if an edit has blocked the way meanwhile. Parts that it never comes to cost nothing.
///
/// # Guarantee
/// Each part begins where the last one ends (the first one at the start), and all of its steps are allowed on the map on which it was
/// found. On a map that is not edited the parts lead to the goal. They cost a little more than the path that is [found
/// at once](Algorithm::Near): the first is looked for up to six chunks ahead, the others up to twelve, and half of that is taken.
///
/// # Memory
/// 20 bytes for each chunk that is still ahead.
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
    /// Where it leads: the goal, or the closest cell.
    goal: Cell,
    /// Where the parts so far lead.
    end: Cell,
    /// Portals still to come, the next one last.
    marks: Vec<Waymark>,
    /// Cells between the end and the mark up to which was searched, some of them, as the last search found them.
    tail: Vec<Cell>,
    /// How many chunks these lead through.
    tail_chunks: usize,
    /// How far beside the portals ways are looked for, in cells.
    margin: u32,
    cost: Cost,
    rest: Cost,
    lower_bound: Cost,
    revision: Revision,
    statistics: Statistics,
    work: u64,
}

/// The answer to a query for a way in parts.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum NearWayAnswer {
    /// There is a way, and it is known from portal to portal.
    InParts(NearWay),
    /// Everything that is to be said, at once: there is no way; the query's limit is in the way; or near answers are of no use, and
    /// the answer is that of [`Algorithm::Near`]: the goal is close, or jump points are faster.
    Whole(Answer),
}

/// Why the next part of a way could not be found.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum NearWayFault {
    /// The map was edited, and near the way over portals none leads on: there may be another one, elsewhere.
    #[error(
        "the way from {end} to {portal} was blocked by an edit of the map; search again, from where the unit is"
    )]
    Blocked {
        /// Where the parts so far lead.
        end: Cell,
        /// The portal, or the goal, that cannot be reached from there.
        portal: Cell,
    },
    /// The question cannot be asked any more: the movement was removed, the end is not on the map any more, or the costs of all parts
    /// add up to too much.
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

    /// Notes what no way costs less than on a map.
    fn prove(&mut self, map: &MapSnapshot) {
        let ends = [self.query.start(), self.goal].map(|cell| GridNode::of(&map.bounds, cell));
        let [Some(start), Some(goal)] = ends else { return };
        self.lower_bound = OctileDistance::new(&map.movement_map, goal).estimate(start);
        self.revision = map.revision;
    }

    /// What was asked.
    #[must_use]
    pub const fn query(&self) -> &PathQuery {
        &self.query
    }

    /// Where it leads: the goal of the query, or the cell closest to that, if the query asks for it and there is no way.
    #[must_use]
    pub const fn goal(&self) -> Cell {
        self.goal
    }

    /// Where the parts found so far lead: the start before the first one, the goal after the last one.
    #[must_use]
    pub const fn end(&self) -> Cell {
        self.end
    }

    /// Whether all parts are found.
    #[must_use]
    pub const fn is_whole(&self) -> bool {
        self.marks.is_empty()
    }

    /// What the parts found so far cost, each as it was found.
    #[must_use]
    pub const fn cost(&self) -> Cost {
        self.cost
    }

    /// What is still to come costs, roughly: by the way over portals, as it was when that was searched. On a map that is not edited
    /// the parts to come seldom cost more.
    #[must_use]
    pub const fn rest(&self) -> Cost {
        self.rest
    }

    /// What no way from start to goal costs less than, on the map as it was when the last part was found.
    #[must_use]
    pub const fn lower_bound(&self) -> Cost {
        self.lower_bound
    }

    /// The state of the map on which the last part was found, before the first one that of the way over portals.
    #[must_use]
    pub const fn revision(&self) -> Revision {
        self.revision
    }

    /// What was expanded so far, parts included. The algorithm is [`Algorithm::Near`].
    #[must_use]
    pub const fn statistics(&self) -> Statistics {
        self.statistics
    }

    /// What finding the parts was so far, in the unit of [`PathSearch::work`].
    #[must_use]
    pub const fn work(&self) -> u64 {
        self.work
    }

    /// The portals still to come, in their order: the last cell of each chunk and the first of the next, and then the goal.
    pub fn portals(&self) -> impl Iterator<Item = Cell> + '_ {
        let to_come = self.marks.iter().rev();
        to_come
            .flat_map(|mark| [Some(mark.left).filter(|&left| left != mark.entered), Some(mark.entered)])
            .flatten()
    }
}

/// Which part of it is near, and by how much at most, in words.
impl fmt::Display for NearWay {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { end, goal, cost, rest, lower_bound, .. } = self;
        if self.is_whole() {
            write!(formatter, "known as far as its goal {goal}, cost {cost}")?;
        } else {
            let chunks = self.marks.len();
            write!(
                formatter,
                "known as far as {end}, cost {cost}; near from there on, through {chunks} more chunks to {goal}, cost some {rest}"
            )?;
        }
        let total = u64::from(cost.get()) + u64::from(rest.get());
        let least = u64::from(lower_bound.get());
        write!(formatter, "; no way costs less than {least}")?;
        match ((total.saturating_sub(least)) * 100).div_ceil(least.max(1)) {
            percent if least > 0 => write!(formatter, ": some {percent} percent above the cheapest at most"),
            _ => Ok(()),
        }
    }
}

/// A search for a way in parts, under way: run it in slices or to the end. It runs on the map as it was when it began.
#[derive(Debug)]
pub struct NearWaySearch {
    search: PathSearch,
}

impl NearWaySearch {
    /// As [`PathSearch::advance`].
    pub fn advance(&mut self, budget: u64) -> SearchStatus {
        self.search.advance(budget)
    }

    /// As [`PathSearch::advance_apart`].
    pub fn advance_apart(&mut self, budget: u64) -> SearchStatus {
        self.search.advance_apart(budget)
    }

    /// As [`PathSearch::settle`].
    pub fn settle(&mut self) {
        self.search.settle();
    }

    /// Whether the answer is there.
    #[must_use]
    pub fn is_done(&self) -> bool {
        self.search.is_done()
    }

    /// As [`PathSearch::work`].
    #[must_use]
    pub const fn work(&self) -> u64 {
        self.search.work()
    }

    /// Expansions and entries so far.
    #[must_use]
    pub fn statistics(&self) -> Statistics {
        self.search.statistics()
    }

    /// The state of the map that the search runs on.
    #[must_use]
    pub const fn revision(&self) -> Revision {
        self.search.revision()
    }

    /// Runs to the end and answers. Of a way in parts none is found yet.
    ///
    /// # Errors
    /// [`QueryError::CostOverflow`]: there may be a way, but its cost cannot be stated.
    pub fn finish(mut self) -> Result<NearWayAnswer, QueryError> {
        self.search.run_to_end();
        match self.search.take_way() {
            Some(way) => Ok(NearWayAnswer::InParts(NearWay::new(&way, &self.search))),
            None => self.search.finish().map(NearWayAnswer::Whole),
        }
    }
}

impl PathFinder {
    /// A near way whose cells are found part by part: the first part of a long way in a fraction of the time of the whole. See
    /// [`NearWay`].
    ///
    /// The query's algorithm is not asked for. A limit on cost or length is one on the whole path, so that a query with one is
    /// answered whole; that on expansions counts the search for the way over portals.
    ///
    /// # Errors
    /// As [`PathFinder::begin`], and [`QueryError::CostOverflow`].
    ///
    /// # Complexity
    /// That of [`Algorithm::Near`], without the search in the corridor.
    pub fn solve_near_way(&self, query: &PathQuery) -> Result<NearWayAnswer, QueryError> {
        near_way(query, |query| self.unmetered(query))?.finish()
    }

    /// The same as a search that is run in slices.
    ///
    /// # Errors
    /// As [`PathFinder::begin`].
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
    /// The way, where it is known from portal to portal.
    #[must_use]
    pub fn into_way(self) -> Option<NearWay> {
        match self {
            Self::InParts(way) => Some(way),
            Self::Whole(_) => None,
        }
    }

    /// Whether there is a way to the goal.
    #[must_use]
    pub fn is_found(&self) -> bool {
        match self {
            Self::InParts(way) => way.goal() == way.query().goal(),
            Self::Whole(answer) => matches!(answer.outcome, Outcome::Found(_)),
        }
    }
}

//! What is asked.

use crate::{
    cell::Cell,
    cost::Cost,
    finder::heuristic_kind::HeuristicKind,
    text::{UnknownName, whole_number},
};
use std::{fmt, str::FromStr};

/// Names one of the movements of a [`PathFinder`](crate::PathFinder). The default is its first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(from = "u32", into = "u32"))]
pub struct MovementId {
    index: u32,
    /// 0 for one that is known by its place alone.
    generation: u32,
}

impl MovementId {
    /// The movement that a finder was made with; the default.
    pub const FIRST: Self = Self { index: 0, generation: 0 };

    /// The movement in a place, whichever that is.
    #[cfg(feature = "recording")]
    pub(crate) const fn new(index: usize) -> Self {
        Self { index: index as u32, generation: 0 }
    }

    pub(crate) const fn of(index: usize, generation: u32) -> Self {
        Self { index: index as u32, generation }
    }

    pub(crate) const fn index(self) -> usize {
        self.index as usize
    }

    /// Whether it may name a movement of a generation.
    pub(crate) const fn is_of(self, generation: u32) -> bool {
        self.generation == 0 || self.generation == generation
    }
}

#[cfg(feature = "serde")]
impl From<u32> for MovementId {
    fn from(index: u32) -> Self {
        Self { index, generation: 0 }
    }
}

#[cfg(feature = "serde")]
impl From<MovementId> for u32 {
    fn from(id: MovementId) -> Self {
        id.index
    }
}

/// How to search. See the [crate's table](crate#which-algorithm) for when to take which.
///
/// # Examples
/// ```
/// use tilepath::Algorithm;
/// assert_eq!("dijkstra".parse(), Ok(Algorithm::Dijkstra));
/// assert_eq!("weighted-astar:125".parse(), Ok(Algorithm::WeightedAStar { percent: 125 }));
/// assert_eq!(Algorithm::BreadthFirst.to_string(), "breadth-first");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug)]
#[non_exhaustive]
pub enum Algorithm {
    /// The fastest exact algorithm for the map and the movement: jump point search where all passable cells of the map cost
    /// the same and diagonals are allowed, unless corners may be cut and most cells lie at one; A* elsewhere. It looks at the
    /// map as it is when the query begins.
    #[default]
    Auto,
    /// Jump point search, for maps of one passable cost with diagonals. Optimal. Where it does not apply the query is an
    /// error.
    #[doc(alias = "JPS")]
    #[doc(alias = "jump point search")]
    JumpPoint,
    /// A* with the octile (or Manhattan) distance times the cheapest terrain present. Optimal. Of the steps from a cell it follows
    /// those that no way past the cell makes useless, so it expands fewer cells than the textbook's.
    #[doc(alias = "A*")]
    #[doc(alias = "astar")]
    AStar,
    /// Dijkstra's algorithm. Optimal, and the cost of every cell that it closes is final.
    Dijkstra,
    /// Greedy best-first search: any path, soon. No guarantee.
    Greedy,
    /// Weighted A*: the estimate counts `percent` ÷ 100 times. The path costs at most that many times the cheapest.
    ///
    /// It keeps that promise by expanding cells again to which it finds a cheaper way. Measured on maps of 256 × 256 cells:
    /// at 110 % up to 1.3 times as many expansions as cells expanded, and at 500 % on ground of nine costs up to 82 times (21
    /// in the mean). Where that is too much, [greedy](Self::Greedy) search expands no cell twice.
    #[doc(alias = "weighted A*")]
    WeightedAStar {
        /// 100 or more; 100 is A*.
        percent: u16,
    },
    /// A nearly cheapest path, soon, on large maps: a way over few cells between chunks of the map, and the cheapest one in the
    /// chunks that it leads through. No promise before, but each path says what it is worth ([`Path::lower_bound`](crate::Path::lower_bound)), and
    /// there is one exactly where there is a way.
    ///
    /// # Guarantee
    /// Never an illegal step; a path exactly where there is one. With [`or_closest`](crate::PathQuery::or_closest) any of the closest cells.
    /// A pure function of the map and the query, whatever was asked or edited before. Where the exact algorithm is faster anyway it
    /// answers: jump points, wherever [`Auto`](Self::Auto) takes them; for goals up to 16 steps away; for units of several cells that
    /// walk off closed ground. It leads itself and asks no [`HeuristicKind`](crate::HeuristicKind).
    ///
    /// # Complexity
    /// O(chunks of 16 × 16 cells) for what leads the search, O(cells of the chunks around the way) for the way itself. Measured on hills of
    /// 4096² cells: a thirteenth of the time of A*, 0.14 % above the cheapest in the mean, 0.46 % at most; on noise of as many cells
    /// and nine costs a fifth of the time, 0.9 and 1.6 %. A chunk that no search has come to takes 20 to 100 microseconds more.
    ///
    /// # Memory
    /// One to three bytes a cell of the chunks that searches have come to, for each movement, in
    /// [`limit_memory`](crate::PathFinder::limit_memory).
    ///
    /// # Source
    /// Botea, Müller and Schaeffer, "Near optimal hierarchical path-finding", Journal of Game Development 1, 2004; see ARCHITECTURE.md for
    /// what is different.
    ///
    /// # Examples
    /// ```
    /// use tilepath::{Algorithm, Cell, Grid, Movement, PathFinder, PathQuery};
    /// let classes = (0..300 * 300).map(|slot| 1 + (slot * 7 / 11 % 5) as u8);
    /// let finder = PathFinder::new(Grid::from_classes(300, 300, classes.collect())?, Movement::new());
    /// let query = PathQuery::new(Cell::new(3, 7), Cell::new(290, 150));
    /// let near = finder.solve(&query.with_algorithm(Algorithm::Near))?.outcome.into_path().unwrap();
    /// let cheapest = finder.solve(&query)?.outcome.into_path().unwrap();
    /// assert!(near.cost() >= cheapest.cost() && near.lower_bound() <= cheapest.cost());
    /// assert!(near.cost().get() * 100 <= cheapest.cost().get() * 102);
    ///
    /// let proven = finder.solve(&query.with_algorithm(Algorithm::Within { percent: 105 }))?.outcome.into_path().unwrap();
    /// assert!(proven.percent_above_cheapest().is_some_and(|percent| percent <= 5));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[doc(alias = "HPA*")]
    #[doc(alias = "hierarchical")]
    Near,
    /// A path that costs at most `percent` ÷ 100 times the cheapest, proven: the [near](Self::Near) one where that is known of it, else what an exact
    /// search finds out first: that no path costs as little, or a cheapest one.
    ///
    /// How much work that is depends on how good the estimate is: on even ground seldom more than `Near`, on ground of many costs up to
    /// that of A*.
    Within {
        /// 100 or more; 100 is [`Auto`](Self::Auto).
        percent: u16,
    },
    /// Breadth-first search: fewest steps, whatever they cost.
    #[doc(alias = "BFS")]
    BreadthFirst,
    /// Depth-first search: goes on from the cell found last, whatever it costs. No guarantee, and seldom a good path: to
    /// teach.
    #[doc(alias = "DFS")]
    DepthFirst,
    /// The walk with a way back: goes to the cell beside it that seems nearest to the goal and was not visited yet; where
    /// there is none it goes back a step. No guarantee: to teach.
    Backtracking,
}

impl Algorithm {
    /// The weight of `weighted-astar` where none is named.
    pub const DEFAULT_WEIGHT_PERCENT: u16 = 150;

    /// How much more than the cheapest path `within` allows where no percentage is named.
    pub const DEFAULT_WITHIN_PERCENT: u16 = 110;

    const ALL: [Self; 11] = [
        Self::Auto,
        Self::JumpPoint,
        Self::AStar,
        Self::Dijkstra,
        Self::Greedy,
        Self::WeightedAStar { percent: Self::DEFAULT_WEIGHT_PERCENT },
        Self::Near,
        Self::Within { percent: Self::DEFAULT_WITHIN_PERCENT },
        Self::BreadthFirst,
        Self::DepthFirst,
        Self::Backtracking,
    ];

    /// What the parts of a search need to know of an algorithm: its name, what decides which cell comes next, and how many
    /// percent of the cheapest path's cost its path costs at most, if that is known.
    const fn row(self) -> (&'static str, Order, Option<u16>) {
        match self {
            Self::Auto => ("auto", Order::CostAndEstimate { percent: 100 }, Some(100)),
            Self::JumpPoint => ("jps", Order::CostAndEstimate { percent: 100 }, Some(100)),
            Self::AStar => ("astar", Order::CostAndEstimate { percent: 100 }, Some(100)),
            Self::Dijkstra => ("dijkstra", Order::Cost, Some(100)),
            Self::Greedy => ("greedy", Order::Estimate, None),
            Self::WeightedAStar { percent } => {
                ("weighted-astar", Order::CostAndEstimate { percent }, Some(percent))
            }
            Self::Near => ("near", Order::CostAndEstimate { percent: 100 }, None),
            Self::Within { percent } => ("within", Order::CostAndEstimate { percent: 100 }, Some(percent)),
            Self::BreadthFirst => ("breadth-first", Order::FirstIn, None),
            Self::DepthFirst => ("depth-first", Order::LastIn, None),
            Self::Backtracking => ("backtracking", Order::LastInByEstimate, None),
        }
    }

    /// The name as the command line and [`FromStr`] know it, without a weight.
    #[must_use]
    pub const fn name(self) -> &'static str {
        self.row().0
    }

    /// What decides which cell is expanded next.
    pub(crate) const fn order(self) -> Order {
        self.row().1
    }

    /// How many percent of the cheapest path's cost its path costs at most, led by an estimate that is never too much.
    pub(crate) const fn bound_percent(self) -> Option<u16> {
        self.row().2
    }

    /// The estimate that leads it, given the one that a query names; `None` where it has no use for one.
    pub(crate) fn heuristic(self, named: HeuristicKind) -> Option<HeuristicKind> {
        match self.order() {
            Order::Cost | Order::FirstIn | Order::LastIn => None,
            _ if matches!(self, Self::Auto | Self::JumpPoint | Self::Near | Self::Within { .. }) => {
                Some(HeuristicKind::Octile)
            }
            _ => Some(named),
        }
    }

    /// Whether a path that it finds is always a cheapest one, led by an estimate that is never too much
    /// ([`HeuristicKind::is_admissible`]), as the usual one is.
    #[must_use]
    pub const fn is_exact(self) -> bool {
        matches!(self.bound_percent(), Some(100))
    }
}

/// What decides which cell an algorithm expands next.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Order {
    /// The cost so far, and this many percent of the estimate of what is left.
    CostAndEstimate { percent: u16 },
    /// The cost so far.
    Cost,
    /// The estimate of what is left.
    Estimate,
    /// The cell found first.
    FirstIn,
    /// The cell found last.
    LastIn,
    /// The cell found last; of those found together the one of the least estimate.
    LastInByEstimate,
}

impl fmt::Display for Algorithm {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::WeightedAStar { percent } | Self::Within { percent } => {
                write!(formatter, "{}:{percent}", self.name())
            }
            _ => formatter.pad(self.name()),
        }
    }
}

const KNOWN: &str = "auto, jps, astar, dijkstra, greedy, near, breadth-first, depth-first, backtracking, \
     weighted-astar, weighted-astar:PERCENT, within or within:PERCENT";

impl FromStr for Algorithm {
    type Err = UnknownName;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let named = Self::ALL.into_iter().find(|algorithm| algorithm.name() == text);
        let percent = |prefix| text.strip_prefix(prefix).and_then(whole_number);
        named
            .or_else(|| percent("weighted-astar:").map(|percent| Self::WeightedAStar { percent }))
            .or_else(|| percent("within:").map(|percent| Self::Within { percent }))
            .ok_or_else(|| UnknownName { text: text.to_owned(), kind: "algorithm", known: KNOWN })
    }
}

/// From where to where, for whom, and how.
///
/// # Examples
/// ```
/// use tilepath::{Algorithm, Cell, PathQuery};
/// let query = PathQuery::new(Cell::new(0, 0), Cell::new(5, 5))
///     .or_closest() // if there is no way, as near as possible
///     .with_limit(10_000); // expansions
/// assert!(query.wants_closest());
/// assert_eq!(query.algorithm(), Algorithm::Auto);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub struct PathQuery {
    #[cfg_attr(feature = "serde", serde(alias = "from"))]
    start: Cell,
    #[cfg_attr(feature = "serde", serde(alias = "to"))]
    goal: Cell,
    #[cfg_attr(feature = "serde", serde(default))]
    movement: MovementId,
    #[cfg_attr(feature = "serde", serde(default))]
    algorithm: Algorithm,
    #[cfg_attr(feature = "serde", serde(default))]
    wants_closest: bool,
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
    limit: Option<u64>,
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
    cost_limit: Option<Cost>,
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
    length_limit: Option<u32>,
    #[cfg_attr(
        feature = "serde",
        serde(default, alias = "estimate", skip_serializing_if = "HeuristicKind::is_usual")
    )]
    heuristic: HeuristicKind,
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "std::ops::Not::not"))]
    searches_blindly: bool,
    #[cfg_attr(
        feature = "serde",
        serde(default, alias = "takes_every_step", skip_serializing_if = "std::ops::Not::not")
    )]
    skips_pruning: bool,
}

impl PathQuery {
    /// The cheapest path between two cells by the finder's first movement.
    #[must_use]
    pub fn new(start: Cell, goal: Cell) -> Self {
        Self {
            start,
            goal,
            movement: MovementId::default(),
            algorithm: Algorithm::Auto,
            wants_closest: false,
            limit: None,
            cost_limit: None,
            length_limit: None,
            heuristic: HeuristicKind::Octile,
            searches_blindly: false,
            skips_pruning: false,
        }
    }

    /// The same by another movement.
    #[must_use]
    pub const fn with_movement(mut self, movement: MovementId) -> Self {
        self.movement = movement;
        self
    }

    /// The same by a chosen algorithm.
    #[must_use]
    pub const fn with_algorithm(mut self, algorithm: Algorithm) -> Self {
        self.algorithm = algorithm;
        self
    }

    /// If the goal cannot be reached, also wants the path to the reachable cell that is closest to it: the one at the
    /// smallest [`Movement::distance`](crate::Movement::distance), ties by path cost, then by slot. With an algorithm
    /// that is not exact the ties by cost are those of the paths that it found.
    #[must_use]
    pub const fn or_closest(mut self) -> Self {
        self.wants_closest = true;
        self
    }

    /// Gives up after this many expansions, with the path to the closest cell reached by then.
    #[must_use]
    pub const fn with_limit(mut self, expansions: u64) -> Self {
        self.limit = Some(expansions);
        self
    }

    /// Wants no path that costs more: the answer is then [`Outcome::LimitReached`](crate::Outcome::LimitReached) instead.
    ///
    /// An exact search ends as soon as it knows that all paths cost more, so that a low limit saves work. The others may miss a
    /// path within the limit: what they find is judged. A path that is found is the same as without a limit, and a goal that cannot
    /// be reached stays [unreachable](crate::Outcome::Unreachable). With [`or_closest`](Self::or_closest) the path to the closest
    /// cell is judged.
    ///
    /// # Examples
    /// ```
    /// use tilepath::{Cell, Cost, Grid, Limit, Movement, Outcome, PathFinder, PathQuery};
    /// let finder = PathFinder::new(Grid::new(30, 1, 1)?, Movement::new());
    /// let query = PathQuery::new(Cell::new(0, 0), Cell::new(9, 0)); // 90
    /// assert!(finder.solve(&query.with_cost_limit(Cost::new(90)))?.outcome.path().is_some());
    /// let Outcome::LimitReached { limit: Limit::Cost, best } =
    ///     finder.solve(&query.with_cost_limit(Cost::new(89)))?.outcome else { panic!("it costs more") };
    /// assert!(best.cost() <= Cost::new(89));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub const fn with_cost_limit(mut self, cost: Cost) -> Self {
        self.cost_limit = Some(cost);
        self
    }

    /// Wants no path of more steps: the answer is then [`Outcome::LimitReached`](crate::Outcome::LimitReached) instead, with as
    /// much of the path as takes this many steps.
    ///
    /// It judges the path that the search finds, and changes nothing of the search: it does not look for a costlier path of fewer
    /// steps. (For fewest steps there is [`Algorithm::BreadthFirst`].)
    ///
    /// # Examples
    /// ```
    /// use tilepath::{Cell, Grid, Limit, Movement, Outcome, PathFinder, PathQuery};
    /// let finder = PathFinder::new(Grid::new(30, 1, 1)?, Movement::new());
    /// let query = PathQuery::new(Cell::new(0, 0), Cell::new(9, 0)).with_length_limit(5);
    /// let Outcome::LimitReached { limit: Limit::Length, best } = finder.solve(&query)?.outcome else { panic!() };
    /// assert_eq!((best.goal(), best.is_optimal()), (Cell::new(5, 0), true));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub const fn with_length_limit(mut self, steps: u32) -> Self {
        self.length_limit = Some(steps);
        self
    }

    /// Led by another estimate of what is left.
    #[must_use]
    pub const fn with_heuristic(mut self, heuristic: HeuristicKind) -> Self {
        self.heuristic = heuristic;
        self
    }

    /// Does not ask beforehand whether the goal can be reached: a search finds that out by expanding all that its
    /// algorithm does not leave out. The answer is the same. To compare, and for pictures of a search that gives up.
    ///
    /// It makes no difference where the goal itself is blocked, nor where the closest cell is wanted.
    #[must_use]
    pub const fn without_reachability(mut self) -> Self {
        self.searches_blindly = true;
        self
    }

    /// Has A* and Dijkstra's algorithm look at every step that is allowed, as textbooks do, and not only at those that no way
    /// past a cell makes useless. The path costs the same, the search is slower, and what it says of every closed cell is
    /// final. To teach and to compare.
    ///
    /// # Examples
    /// ```
    /// use tilepath::{Algorithm, Cell, Grid, Movement, PathFinder, PathQuery};
    /// let mut finder = PathFinder::new(Grid::new(20, 20, 1)?, Movement::new());
    /// finder.set_terrain(Cell::new(9, 6), 7)?; // mud: an agent that passes by it need not look at it
    /// let query = PathQuery::new(Cell::new(3, 3), Cell::new(16, 9)).with_algorithm(Algorithm::AStar);
    /// let [few, all] = [query, query.without_pruning()].map(|query| finder.solve(&query).unwrap());
    /// assert_eq!(few.outcome.path().unwrap().cost(), all.outcome.path().unwrap().cost());
    /// assert!(few.statistics.generated < all.statistics.generated);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub const fn without_pruning(mut self) -> Self {
        self.skips_pruning = true;
        self
    }

    /// The start.
    #[must_use]
    pub const fn start(&self) -> Cell {
        self.start
    }

    /// The goal.
    #[must_use]
    pub const fn goal(&self) -> Cell {
        self.goal
    }

    /// Whose rules hold.
    #[must_use]
    pub const fn movement(&self) -> MovementId {
        self.movement
    }

    /// The algorithm asked for.
    #[must_use]
    pub const fn algorithm(&self) -> Algorithm {
        self.algorithm
    }

    /// Whether the closest reachable cell is wanted where the goal cannot be reached.
    #[must_use]
    pub const fn wants_closest(&self) -> bool {
        self.wants_closest
    }

    /// The estimate that leads the search.
    #[must_use]
    pub const fn heuristic(&self) -> HeuristicKind {
        self.heuristic
    }

    /// Whether it is known without a search that a goal cannot be reached.
    #[must_use]
    pub const fn asks_reachability(&self) -> bool {
        !self.searches_blindly
    }

    /// Whether A* and Dijkstra's algorithm look at every step that is allowed.
    #[must_use]
    pub const fn skips_pruning(&self) -> bool {
        self.skips_pruning
    }

    /// The most expansions allowed; `None` for no limit.
    #[must_use]
    pub const fn limit(&self) -> Option<u64> {
        self.limit
    }

    /// The most that a path may cost; `None` for no limit.
    #[must_use]
    pub const fn cost_limit(&self) -> Option<Cost> {
        self.cost_limit
    }

    /// The most steps that a path may take; `None` for no limit.
    #[must_use]
    pub const fn length_limit(&self) -> Option<u32> {
        self.length_limit
    }
}

//! What is asked.

mod algorithm;

pub use self::algorithm::Algorithm;
pub(crate) use self::algorithm::Order;
use crate::{cell::Cell, cost::Cost, finder::heuristic_kind::HeuristicKind};

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

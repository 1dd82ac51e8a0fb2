//! Path queries.

mod algorithm;

pub use self::algorithm::Algorithm;
pub(crate) use self::algorithm::Order;
use crate::{cell::Cell, cost::Cost, finder::heuristic_kind::HeuristicKind, landmarks::distance::Guidance};

/// The id of one of the movements of a [`PathFinder`](crate::PathFinder). The default is the first
/// movement.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(from = "u32", into = "u32"))]
pub struct MovementId {
    index: u32,
    /// The generation, or 0 if the index alone identifies the movement.
    generation: u32,
}

impl MovementId {
    /// The first movement of a finder; the default.
    pub const FIRST: Self = Self { index: 0, generation: 0 };

    /// Returns an id that stands for any movement at this index.
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

    /// Returns whether the id may name a movement of this generation.
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

/// A path query: start, goal, movement, algorithm and limits.
///
/// # Examples
/// ```
/// use tilepath::{Algorithm, Cell, PathQuery};
/// let query = PathQuery::new(Cell::new(0, 0), Cell::new(5, 5))
///     .or_closest() // if there is no path: as near as possible
///     .with_limit(10_000); // expansions
/// assert!(query.wants_closest());
/// assert_eq!(query.algorithm(), Algorithm::Auto);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
#[expect(clippy::struct_excessive_bools, reason = "each is an option of its own")]
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
    #[cfg_attr(feature = "serde", serde(default))]
    limit: Option<u64>,
    #[cfg_attr(feature = "serde", serde(default))]
    cost_limit: Option<Cost>,
    #[cfg_attr(feature = "serde", serde(default))]
    length_limit: Option<u32>,
    #[cfg_attr(feature = "serde", serde(default, alias = "estimate"))]
    heuristic: HeuristicKind,
    #[cfg_attr(feature = "serde", serde(default))]
    searches_blindly: bool,
    #[cfg_attr(feature = "serde", serde(default, alias = "takes_every_step"))]
    skips_pruning: bool,
    #[cfg_attr(feature = "serde", serde(default))]
    uses_landmarks: Option<bool>,
    #[cfg_attr(feature = "serde", serde(default))]
    has_drawn_shape: bool,
}

impl PathQuery {
    /// Creates a query for the cheapest path between two cells with the finder's first movement.
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
            uses_landmarks: None,
            has_drawn_shape: false,
        }
    }

    /// Sets the movement.
    #[must_use]
    pub const fn with_movement(mut self, movement: MovementId) -> Self {
        self.movement = movement;
        self
    }

    /// Sets the algorithm.
    #[must_use]
    pub const fn with_algorithm(mut self, algorithm: Algorithm) -> Self {
        self.algorithm = algorithm;
        self
    }

    /// Requests a path to the closest reachable cell if the goal cannot be reached. The closest
    /// cell has the smallest [`Movement::distance`](crate::Movement::distance) to the goal.
    ///
    /// From closed ground, the closest cell is an open one, if one can be reached.
    ///
    /// If several cells are equally close, the cell with the cheapest path is chosen, then the cell
    /// with the lowest slot. If the algorithm is not exact, the paths that it found are compared.
    #[must_use]
    pub const fn or_closest(mut self) -> Self {
        self.wants_closest = true;
        self
    }

    /// Limits the number of expanded cells. A search that reaches the limit answers with the path
    /// to the closest cell reached so far.
    #[must_use]
    pub const fn with_limit(mut self, expansions: u64) -> Self {
        self.limit = Some(expansions);
        self
    }

    /// Limits the cost of the path. If the path costs more, the answer is
    /// [`Outcome::LimitReached`](crate::Outcome::LimitReached).
    ///
    /// An exact search stops as soon as it is certain that every path costs more, so a low limit
    /// saves work. A search that is not exact may miss a path within the limit, because only the
    /// path that it finds is checked. With [`or_closest`](Self::or_closest) the limit also applies
    /// to the path to the closest cell.
    ///
    /// The limit does not change which path is found. A goal that cannot be reached stays
    /// [unreachable](crate::Outcome::Unreachable).
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

    /// Limits the steps of the path. If the path has more steps, the answer is
    /// [`Outcome::LimitReached`](crate::Outcome::LimitReached) with the first `steps` steps of the
    /// path.
    ///
    /// The limit does not change the search: only the path that the search finds is checked. The
    /// search does not look for a costlier path of fewer steps. For the fewest steps, use
    /// [`Algorithm::BreadthFirst`].
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

    /// Sets the estimate of the remaining cost, which leads the search.
    #[must_use]
    pub const fn with_heuristic(mut self, heuristic: HeuristicKind) -> Self {
        self.heuristic = heuristic;
        self
    }

    /// Turns off the reachability check before the search. If the goal cannot be reached, the
    /// search then expands every cell that its algorithm does not skip. The answer does not change.
    ///
    /// Use it to compare, and for pictures of a search that gives up. This setting has no effect if
    /// the goal is blocked, or if the query has [`or_closest`](Self::or_closest).
    #[must_use]
    pub const fn without_reachability(mut self) -> Self {
        self.searches_blindly = true;
        self
    }

    /// Makes A* and Dijkstra's algorithm examine every allowed step, as in textbooks. Without this
    /// setting, they skip a step from a cell if another path around this cell is as cheap.
    ///
    /// The path found has the same cost, but the search is slower. The recorded cost of every
    /// closed cell is final. Use it to teach and to compare.
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

    /// Lets [landmarks](crate::PathFinder::make_landmarks) lead the search wherever its algorithm adds
    /// an estimate, if they are ready: also a search with a [limit](Self::with_limit) on expansions,
    /// a search for a near goal, [`WeightedAStar`](Algorithm::WeightedAStar) and
    /// [`Greedy`](Algorithm::Greedy).
    ///
    /// By default landmarks lead no search with a limit and no inexact one, because their answers
    /// change with the estimate. They would depend on when the landmarks were made. Searches for near
    /// goals do without landmarks to save time.
    ///
    /// # Examples
    /// ```
    /// use tilepath::{Algorithm, Cell, Grid, LandmarkCount, Movement, MovementId, PathFinder, PathQuery};
    /// let ground = (0..100 * 100).map(|slot| 1 + (slot * 7 / 11 % 5) as u8);
    /// let mut finder = PathFinder::new(Grid::from_classes(100, 100, ground.collect())?, Movement::new());
    /// finder.make_landmarks(MovementId::FIRST, LandmarkCount::ByMap)?;
    /// let weighted = PathQuery::new(Cell::new(3, 7), Cell::new(90, 80))
    ///     .with_algorithm(Algorithm::WeightedAStar { percent: 120 });
    /// let [led, alone] = [weighted.with_landmarks(), weighted].map(|query| finder.solve(&query).unwrap());
    /// assert!(led.statistics.expanded < alone.statistics.expanded);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub const fn with_landmarks(mut self) -> Self {
        self.uses_landmarks = Some(true);
        self
    }

    /// Lets no landmarks lead the search. Its answer, with the path, is then a pure function of the
    /// map and the query: it does not depend on whether landmarks were made, and when.
    #[must_use]
    pub const fn without_landmarks(mut self) -> Self {
        self.uses_landmarks = Some(false);
        self
    }

    /// Draws the shape of the path by a hash of its start and end. Units with this setting take
    /// different paths of equal cost, so a crowd spreads over open ground. By default all paths of a
    /// search have one shape, and opposite streams meet head on.
    ///
    /// # Guarantee
    /// The cost, the bound and the expansions do not change. Equal queries on equal maps draw equal
    /// shapes.
    ///
    /// # Complexity
    /// O(length of the path) more. Only cells within eight cells of the found path are drawn.
    ///
    /// # Examples
    /// ```
    /// use tilepath::{Cell, Diagonals, Grid, Movement, PathFinder, PathQuery};
    /// let finder = PathFinder::new(Grid::new(20, 20, 1)?, Movement::new().with_diagonals(Diagonals::Never));
    /// let query = PathQuery::new(Cell::new(0, 0), Cell::new(9, 9));
    /// let [plain, drawn] = [query, query.with_drawn_shape()]
    ///     .map(|query| finder.solve(&query).unwrap().outcome.into_path().unwrap());
    /// assert_eq!(plain.cost(), drawn.cost());
    /// assert_ne!(plain.cells(), drawn.cells());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub const fn with_drawn_shape(mut self) -> Self {
        self.has_drawn_shape = true;
        self
    }

    /// Returns the query with another start.
    pub(crate) const fn started_at(mut self, start: Cell) -> Self {
        self.start = start;
        self
    }

    /// Returns the start.
    #[must_use]
    pub const fn start(&self) -> Cell {
        self.start
    }

    /// Returns the goal.
    #[must_use]
    pub const fn goal(&self) -> Cell {
        self.goal
    }

    /// Returns the id of the movement whose rules apply.
    #[must_use]
    pub const fn movement(&self) -> MovementId {
        self.movement
    }

    /// Returns the algorithm of the query.
    #[must_use]
    pub const fn algorithm(&self) -> Algorithm {
        self.algorithm
    }

    /// Returns true if the query has [`or_closest`](Self::or_closest): if the goal is unreachable,
    /// the search returns the path to the closest reachable cell.
    #[must_use]
    pub const fn wants_closest(&self) -> bool {
        self.wants_closest
    }

    /// Returns the estimate that leads the search.
    #[must_use]
    pub const fn heuristic(&self) -> HeuristicKind {
        self.heuristic
    }

    /// Returns whether the query checks, before the search, that the goal can be reached.
    #[must_use]
    pub const fn asks_reachability(&self) -> bool {
        !self.searches_blindly
    }

    /// Returns whether A* and Dijkstra's algorithm examine every allowed step.
    #[must_use]
    pub const fn skips_pruning(&self) -> bool {
        self.skips_pruning
    }

    /// Returns whether landmarks lead the search if they are ready; `None` if the algorithm decides.
    #[must_use]
    pub const fn uses_landmarks(&self) -> Option<bool> {
        self.uses_landmarks
    }

    /// Returns whether a hash draws the shape of the path.
    #[must_use]
    pub const fn has_drawn_shape(&self) -> bool {
        self.has_drawn_shape
    }

    /// Returns whether landmarks lead a search by this algorithm, which answers the query.
    pub(crate) fn guidance(&self, algorithm: Algorithm) -> Guidance {
        let adds_estimate = matches!(algorithm.order(), Order::CostAndEstimate { .. } | Order::Estimate)
            && algorithm != Algorithm::JumpPoint;
        match self.uses_landmarks {
            _ if !adds_estimate || self.heuristic != HeuristicKind::Octile => Guidance::Never,
            None if self.limit.is_none() && algorithm.is_exact() => Guidance::IfUseful,
            Some(true) => Guidance::Always,
            None | Some(false) => Guidance::Never,
        }
    }

    /// Returns the maximum number of expansions; `None` for no limit.
    #[must_use]
    pub const fn limit(&self) -> Option<u64> {
        self.limit
    }

    /// Returns the maximum cost of the path; `None` for no limit.
    #[must_use]
    pub const fn cost_limit(&self) -> Option<Cost> {
        self.cost_limit
    }

    /// Returns the maximum number of steps of the path; `None` for no limit.
    #[must_use]
    pub const fn length_limit(&self) -> Option<u32> {
        self.length_limit
    }
}

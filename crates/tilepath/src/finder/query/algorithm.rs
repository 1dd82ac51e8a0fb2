//! Algorithms.

use crate::{
    finder::heuristic_kind::HeuristicKind,
    text::{UnknownName, whole_number},
};
use std::{fmt, str::FromStr};

/// The algorithm of a search. The [crate's table](crate#algorithms) lists when to use each.
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
    /// The fastest exact algorithm for the map and the movement, chosen when the query begins.
    ///
    /// It is jump point search if all passable cells cost the same. But it is A* if many cells lie
    /// at corners of hexagons, or, with [`Diagonals::Always`](crate::Diagonals::Always), at corners
    /// of squares. With diagonals it is also A* if single obstacles lie scattered over open ground.
    /// With [landmarks](crate::PathFinder::make_landmarks), it is A* on squares if many cells lie at
    /// corners. In all other cases it is A* too.
    #[default]
    Auto,
    /// Jump point search, for maps where all passable cells cost the same: hexagons, and squares
    /// with or without diagonals. Optimal. If it does not apply, the query returns an error.
    #[doc(alias = "JPS")]
    #[doc(alias = "jump point search")]
    JumpPoint,
    /// A* with an estimate: the octile (or Manhattan) distance times the cheapest terrain on the
    /// map. Optimal. It skips a step from a cell if another path around this cell is as cheap. So
    /// it expands fewer cells than textbook A*.
    #[doc(alias = "A*")]
    #[doc(alias = "astar")]
    AStar,
    /// Dijkstra's algorithm. Optimal, and the cost of every closed cell is final.
    Dijkstra,
    /// Greedy best-first search: any path, soon. No guarantee.
    Greedy,
    /// Weighted A*: the estimate is multiplied by `percent` ÷ 100. The path costs at most `percent`
    /// ÷ 100 times the cheapest.
    ///
    /// Above 100 %, no cell is expanded twice. If `percent` ÷ 100 times the cheapest cost is more than
    /// [`Cost::MAX`](crate::Cost::MAX), the answer may be
    /// [`CostOverflow`](crate::QueryError::CostOverflow) although a cheaper path exists.
    #[doc(alias = "weighted A*")]
    WeightedAStar {
        /// The factor in percent: 100 or more; 100 is A*.
        percent: u16,
    },
    /// A nearly cheapest path that is found soon, for large maps. The search first finds a path
    /// over a few cells between chunks of the map. Then it finds the cheapest path inside the
    /// chunks on that path.
    ///
    /// There is no bound on the cost in advance, but each path holds its own proven lower bound
    /// ([`Path::lower_bound`](crate::Path::lower_bound)).
    ///
    /// # Guarantee
    /// Every step is legal, and a path is found if and only if one exists. With
    /// [`or_closest`](crate::PathQuery::or_closest) the path leads to any one of the closest cells.
    /// The answer is a pure function of the map and the query: earlier queries and edits do not
    /// matter.
    ///
    /// The exact algorithm runs where it is faster:
    /// - where [`Auto`](Self::Auto) uses jump points;
    /// - for goals up to 16 steps away;
    /// - for units of several cells that start on closed ground.
    ///
    /// `Near` uses its own estimate and ignores the [`HeuristicKind`](crate::HeuristicKind) of the
    /// query.
    ///
    /// # Complexity
    /// O(chunks of 16 × 16 cells) for the path over chunks, and O(cells of the chunks around this
    /// path) for the path over cells. The first search that enters a chunk also finds its portals.
    ///
    /// Measured on hills of 4096² cells: the search takes a fourteenth of the time of A*. The path
    /// costs 0.2 % more than the cheapest in the mean, and 0.7 % more at most. On noise of nine
    /// costs and as many cells, the time is also a fourteenth, and the path costs 0.6 % more in the
    /// mean, 1.1 % at most.
    ///
    /// If the costs of neighbouring cells differ much, the path may cost far more than the
    /// cheapest. If thin cheap roads cross expensive ground, it may cost ten times the cheapest:
    /// +952 % was measured. If this is too much, use [`Within`](Self::Within) or `Auto`.
    ///
    /// # Memory
    /// For each movement, one to three bytes for each cell of the chunks that searches have
    /// entered. [`limit_memory`](crate::PathFinder::limit_memory) limits this memory.
    ///
    /// # Source
    /// Botea, Müller and Schaeffer, "Near optimal hierarchical path-finding", Journal of Game
    /// Development 1, 2004; ARCHITECTURE.md lists the differences.
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
    /// A path that is proven to cost at most `percent` ÷ 100 times the cheapest.
    ///
    /// First, the [near](Self::Near) path is found. If the lower bound of the near path proves that
    /// it is good enough, it is the answer. Otherwise an exact search runs until it proves this, or
    /// until it finds a cheapest path.
    ///
    /// If [landmarks](crate::PathFinder::make_landmarks) are ready, they lead an exact search instead:
    /// the path is a cheapest one, and takes less work than a near path and its proof.
    ///
    /// Without them, the better the estimate, the less work. On even ground, the work is seldom more than the
    /// work of `Near`; on ground of many costs, it is up to the work of A*. On ground of many
    /// costs, a percentage below about 115 saves nothing compared with A*: the near path is found
    /// first, but seldom proven good enough.
    Within {
        /// The bound in percent of the cheapest cost: 100 or more; 100 is [`Auto`](Self::Auto).
        percent: u16,
    },
    /// Breadth-first search: a path of the fewest steps. The costs of the steps have no effect.
    #[doc(alias = "BFS")]
    BreadthFirst,
    /// Depth-first search: continues from the cell found last. Costs have no effect. No guarantee,
    /// and seldom a good path. Use it to teach.
    #[doc(alias = "DFS")]
    DepthFirst,
    /// A walk with backtracking: goes to the unvisited neighbour that seems nearest to the goal. If
    /// there is no such cell, it goes back a step. No guarantee. Use it to teach.
    Backtracking,
}

impl Algorithm {
    /// The percentage that [`FromStr`] uses for the text `weighted-astar` without a percentage.
    pub const DEFAULT_WEIGHT_PERCENT: u16 = 150;

    /// The percentage that [`FromStr`] uses for the text `within` without a percentage. It is the
    /// largest cost of the path, in percent of the cheapest.
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

    /// Returns the name, the rule that picks the next cell, and the bound: how many percent of the
    /// cheapest cost the path costs at most, if known.
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

    /// Returns the name that the command line and [`FromStr`] use, without a percentage.
    #[must_use]
    pub const fn name(self) -> &'static str {
        self.row().0
    }

    /// Returns the rule that picks the next cell to expand.
    pub(crate) const fn order(self) -> Order {
        self.row().1
    }

    /// Returns how many percent of the cheapest cost the path costs at most, if the estimate is
    /// never too high.
    pub(crate) const fn bound_percent(self) -> Option<u16> {
        self.row().2
    }

    /// Returns the estimate that the algorithm uses, given the one of the query; `None` if it uses
    /// no estimate.
    pub(crate) fn heuristic(self, named: HeuristicKind) -> Option<HeuristicKind> {
        match self.order() {
            Order::Cost | Order::FirstIn | Order::LastIn => None,
            _ if matches!(self, Self::Auto | Self::JumpPoint | Self::Near | Self::Within { .. }) => {
                Some(HeuristicKind::Octile)
            }
            _ => Some(named),
        }
    }

    /// Returns whether each path found is a cheapest one, if the estimate is never too high
    /// ([`HeuristicKind::is_admissible`]). The default estimate is never too high.
    #[must_use]
    pub const fn is_exact(self) -> bool {
        matches!(self.bound_percent(), Some(100))
    }
}

/// The rule that picks the next cell to expand.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Order {
    /// Least cost so far plus this many percent of the estimated remaining cost.
    CostAndEstimate { percent: u16 },
    /// Least cost so far.
    Cost,
    /// Least estimated remaining cost.
    Estimate,
    /// The cell found first.
    FirstIn,
    /// The cell found last.
    LastIn,
    /// The cell found last; of cells found together, the one with the least estimate.
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

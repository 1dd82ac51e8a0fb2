//! How to search.

use crate::{
    finder::heuristic_kind::HeuristicKind,
    text::{UnknownName, whole_number},
};
use std::{fmt, str::FromStr};

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
    /// the same and, on squares, diagonals are allowed, unless many cells lie at corners that may be cut, or at corners of hexagons;
    /// A* elsewhere. It looks at the map as it is when the query begins.
    #[default]
    Auto,
    /// Jump point search, for maps of one passable cost: hexagons, and squares with diagonals. Optimal. Where it does not apply
    /// the query is an error.
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
    /// chunks that it leads through. No promise before, but each path says what it is worth
    /// ([`Path::lower_bound`](crate::Path::lower_bound)), and there is one exactly where there is a way.
    ///
    /// # Guarantee
    /// Never an illegal step; a path exactly where there is one. With [`or_closest`](crate::PathQuery::or_closest) any of the
    /// closest cells. A pure function of the map and the query, whatever was asked or edited before. Where the exact algorithm is
    /// faster anyway it answers: jump points, wherever [`Auto`](Self::Auto) takes them; for goals up to 16 steps away; for units
    /// of several cells that walk off closed ground. It leads itself and asks no [`HeuristicKind`](crate::HeuristicKind).
    ///
    /// # Complexity
    /// O(chunks of 16 × 16 cells) for what leads the search, O(cells of the chunks around the way) for the way itself. Measured on hills of
    /// 4096² cells: a fourteenth of the time of A*, 0.2 % above the cheapest in the mean, 0.7 % at most; on noise of as many cells
    /// and nine costs a fourteenth of the time, too, 0.6 and 1.1 %. The first search that comes to a chunk finds its portals as well.
    ///
    /// On ground whose costs jump the path may be far from the cheapest. If thin cheap roads cross dear ground, it may cost ten times the
    /// cheapest: +952 % was measured. Where that matters, take [`Within`](Self::Within), or `Auto`.
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
    /// A path that costs at most `percent` ÷ 100 times the cheapest, proven: the [near](Self::Near) one where that is known of
    /// it, else what an exact search finds out first: that no path costs as little, or a cheapest one.
    ///
    /// How much work that is depends on how good the estimate is: on even ground seldom more than `Near`, on ground of many costs up to
    /// that of A*. Below about 115 % it saves nothing there: the near path is found first, and seldom proven to be that good.
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

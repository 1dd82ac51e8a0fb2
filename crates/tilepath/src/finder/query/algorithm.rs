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
    /// It is A* if passable cells differ in cost. Otherwise it is jump point search if fewer than 5 %
    /// of the open cells lie at corners of obstacles, or on squares without diagonals. On other maps
    /// up to 16 pairs of near searches in fixed windows of the map decide; the algorithm that takes
    /// less work is chosen. With [landmarks](crate::PathFinder::make_landmarks), it is A* if 40 % of
    /// the open cells lie at corners.
    ///
    /// The choice depends only on the map, the movement and whether landmarks are ready. Its work, at
    /// most 64,000 units, is charged to the sliced search that first needs it. After an edit, only
    /// the near searches in the windows around it run again.
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

    const ALL: [Self; 9] = [
        Self::Auto,
        Self::JumpPoint,
        Self::AStar,
        Self::Dijkstra,
        Self::Greedy,
        Self::WeightedAStar { percent: Self::DEFAULT_WEIGHT_PERCENT },
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
            _ if matches!(self, Self::Auto | Self::JumpPoint) => Some(HeuristicKind::Octile),
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
            Self::WeightedAStar { percent } => write!(formatter, "{}:{percent}", self.name()),
            _ => formatter.pad(self.name()),
        }
    }
}

const KNOWN: &str = "auto, jps, astar, dijkstra, greedy, breadth-first, depth-first, backtracking, \
     weighted-astar or weighted-astar:PERCENT";

impl FromStr for Algorithm {
    type Err = UnknownName;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let named = Self::ALL.into_iter().find(|algorithm| algorithm.name() == text);
        let percent = |prefix| text.strip_prefix(prefix).and_then(whole_number);
        named
            .or_else(|| percent("weighted-astar:").map(|percent| Self::WeightedAStar { percent }))
            .ok_or_else(|| UnknownName { text: text.to_owned(), kind: "algorithm", known: KNOWN })
    }
}

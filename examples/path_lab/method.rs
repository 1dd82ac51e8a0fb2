//! The algorithms: their names and what each does.

use std::str::FromStr;

use tilepath::{Algorithm, PathQuery, graph::GraphAlgorithm};

/// An algorithm of the laboratory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Method {
    BreadthFirst,
    DepthFirst,
    Dijkstra,
    Greedy,
    AStar,
    Landmarks,
    WeightedAStar,
    JumpPoint,
    Backtracking,
}

impl Method {
    pub(crate) const ALL: [Self; 9] = [
        Self::BreadthFirst,
        Self::DepthFirst,
        Self::Dijkstra,
        Self::Greedy,
        Self::AStar,
        Self::Landmarks,
        Self::WeightedAStar,
        Self::JumpPoint,
        Self::Backtracking,
    ];

    pub(crate) const fn on_grids(self) -> Algorithm {
        match self {
            Self::BreadthFirst => Algorithm::BreadthFirst,
            Self::DepthFirst => Algorithm::DepthFirst,
            Self::Dijkstra => Algorithm::Dijkstra,
            Self::Greedy => Algorithm::Greedy,
            Self::AStar | Self::Landmarks => Algorithm::AStar,
            Self::WeightedAStar => Algorithm::WeightedAStar { percent: Algorithm::DEFAULT_WEIGHT_PERCENT },
            Self::JumpPoint => Algorithm::JumpPoint,
            Self::Backtracking => Algorithm::Backtracking,
        }
    }

    /// Returns a query that this algorithm answers.
    pub(crate) fn query(self, query: PathQuery) -> PathQuery {
        let query = query.with_algorithm(self.on_grids());
        if self == Self::Landmarks { query.with_landmarks() } else { query.without_landmarks() }
    }

    const fn command_name(self) -> &'static str {
        if matches!(self, Self::Landmarks) { "landmarks" } else { self.on_grids().name() }
    }

    /// Returns the algorithm for graphs, or `None` if graphs do not have it.
    pub(crate) const fn on_graphs(self) -> Option<GraphAlgorithm> {
        match self {
            Self::BreadthFirst => Some(GraphAlgorithm::BreadthFirst),
            Self::DepthFirst => Some(GraphAlgorithm::DepthFirst),
            Self::Dijkstra => Some(GraphAlgorithm::Dijkstra),
            Self::Greedy => Some(GraphAlgorithm::Greedy),
            Self::AStar => Some(GraphAlgorithm::AStar),
            Self::Landmarks | Self::WeightedAStar | Self::JumpPoint | Self::Backtracking => None,
        }
    }

    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::BreadthFirst => "breadth-first",
            Self::DepthFirst => "depth-first",
            Self::Dijkstra => "Dijkstra",
            Self::Greedy => "greedy",
            Self::AStar => "A*",
            Self::Landmarks => "led A*",
            Self::WeightedAStar => "weighted A*",
            Self::JumpPoint => "jump points",
            Self::Backtracking => "backtracking",
        }
    }

    /// Returns a name that fits into a small button.
    pub(crate) const fn short_name(self) -> &'static str {
        match self {
            Self::BreadthFirst => "breadth",
            Self::DepthFirst => "depth",
            Self::WeightedAStar => "weighted",
            Self::JumpPoint => "jumps",
            Self::Backtracking => "backtrack",
            other => other.name(),
        }
    }

    /// Returns what the algorithm does and guarantees, in two or three sentences.
    pub(crate) const fn lesson(self) -> &'static str {
        match self {
            Self::BreadthFirst => {
                "Expands the oldest open cell first, ring after ring. Fewest steps, whatever they cost: with diagonals or \
                 terrain that is often not the cheapest path."
            }
            Self::DepthFirst => {
                "Expands the newest open cell first and follows it to the end. It finds a path if there is one, but rarely a \
                 good one."
            }
            Self::Dijkstra => {
                "Expands the open cell with the least cost so far (g). The path is proven cheapest, but the search spreads \
                 in all directions."
            }
            Self::Greedy => {
                "Expands the open cell that seems nearest to the goal (h) and ignores the cost so far. Fast, without a \
                 guarantee; try a dead end."
            }
            Self::AStar => {
                "Expands the open cell with the least f = g + h: cost so far plus estimate to the goal. The path is proven \
                 cheapest if h is never too high. With diagonals, Manhattan is too high."
            }
            Self::Landmarks => {
                "A* with an h that knows the map: the costs between each cell and four landmarks (discs) are known before \
                 the search. The path is proven cheapest. On squares for units of one cell, without danger and closed \
                 edges, and with the octile estimate."
            }
            Self::WeightedAStar => {
                "A* with f = g + 1.5 h. It often expands less, and the path costs at most 1.5 times the cheapest."
            }
            Self::JumpPoint => {
                "A* that skips the cells between two turns of a path. The path is proven cheapest. It needs one cost \
                 everywhere: clear the map to try it. Without diagonals, vertical steps come before horizontal ones."
            }
            Self::Backtracking => {
                "A walk: always to the new neighbour that seems nearest to the goal; without one, a step back. It arrives if \
                 there is a path, but its path keeps the detours."
            }
        }
    }
}

impl FromStr for Method {
    type Err = String;

    /// Parses a name of the command line `tilepath`.
    fn from_str(text: &str) -> Result<Self, String> {
        Self::ALL.into_iter().find(|method| method.command_name() == text).ok_or_else(|| {
            let names: Vec<&str> = Self::ALL.iter().map(|method| method.command_name()).collect();
            format!("give one of {}", names.join(", "))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn methods_have_the_names_of_the_command_line() {
        assert_eq!("jps".parse(), Ok(Method::JumpPoint));
        assert_eq!(["astar", "landmarks"].map(str::parse), [Ok(Method::AStar), Ok(Method::Landmarks)]);
        assert!("quickest".parse::<Method>().unwrap_err().contains("breadth-first"));
    }
}

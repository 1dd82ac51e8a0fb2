//! The algorithms, what they are called and what each does.

use std::str::FromStr;

use tilepath::{Algorithm, graph::GraphAlgorithm};

/// How it is searched.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Method {
    BreadthFirst,
    DepthFirst,
    Dijkstra,
    Greedy,
    AStar,
    WeightedAStar,
    JumpPoint,
    Near,
    Backtracking,
}

impl Method {
    pub(crate) const ALL: [Self; 9] = [
        Self::BreadthFirst,
        Self::DepthFirst,
        Self::Dijkstra,
        Self::Greedy,
        Self::AStar,
        Self::WeightedAStar,
        Self::JumpPoint,
        Self::Near,
        Self::Backtracking,
    ];

    pub(crate) const fn on_grids(self) -> Algorithm {
        match self {
            Self::BreadthFirst => Algorithm::BreadthFirst,
            Self::DepthFirst => Algorithm::DepthFirst,
            Self::Dijkstra => Algorithm::Dijkstra,
            Self::Greedy => Algorithm::Greedy,
            Self::AStar => Algorithm::AStar,
            Self::WeightedAStar => Algorithm::WeightedAStar { percent: Algorithm::DEFAULT_WEIGHT_PERCENT },
            Self::JumpPoint => Algorithm::JumpPoint,
            Self::Near => Algorithm::Near,
            Self::Backtracking => Algorithm::Backtracking,
        }
    }

    /// `None` where graphs do not have it.
    pub(crate) const fn on_graphs(self) -> Option<GraphAlgorithm> {
        match self {
            Self::BreadthFirst => Some(GraphAlgorithm::BreadthFirst),
            Self::DepthFirst => Some(GraphAlgorithm::DepthFirst),
            Self::Dijkstra => Some(GraphAlgorithm::Dijkstra),
            Self::Greedy => Some(GraphAlgorithm::Greedy),
            Self::AStar => Some(GraphAlgorithm::AStar),
            Self::WeightedAStar | Self::JumpPoint | Self::Near | Self::Backtracking => None,
        }
    }

    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::BreadthFirst => "breadth-first",
            Self::DepthFirst => "depth-first",
            Self::Dijkstra => "Dijkstra",
            Self::Greedy => "greedy",
            Self::AStar => "A*",
            Self::WeightedAStar => "weighted A*",
            Self::JumpPoint => "jump points",
            Self::Near => "near",
            Self::Backtracking => "backtracking",
        }
    }

    /// A name that fits into a small button.
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

    /// What it does and what it promises, in two or three sentences.
    pub(crate) const fn lesson(self) -> &'static str {
        match self {
            Self::BreadthFirst => {
                "Takes what was found first, ring after ring. Fewest steps, whatever they cost: with diagonals or terrain \
                 that is not the cheapest path."
            }
            Self::DepthFirst => {
                "Takes what was found last and follows it as far as it leads. It finds a way if there is one, hardly ever a \
                 good one."
            }
            Self::Dijkstra => {
                "Takes what costs least so far (g). Cheapest path, proven, but it looks in all directions alike."
            }
            Self::Greedy => {
                "Takes what seems nearest to the goal (h) and forgets the cost so far. Soon there, without a promise; walk \
                 it into a pocket."
            }
            Self::AStar => {
                "Takes the least f = g + h: the cost so far and the least that can be left. Cheapest path, proven, as long as \
                 h is never too much. Manhattan is, where diagonals are allowed."
            }
            Self::WeightedAStar => {
                "A* that counts the estimate one and a half times: f = g + 1.5 h. Sooner there, and at most one and a half \
                 times the cheapest."
            }
            Self::JumpPoint => {
                "A* that leaves out what lies between two turns. Cheapest path, proven; needs one cost everywhere, and on \
                 squares diagonal steps. Clear the map to see it."
            }
            Self::Near => {
                "First over portals between chunks of 16 x 16 cells (dots), then A* in the chunks around that way (frames). \
                 Nearly cheapest on large maps of many costs; close by, and on even ground, it is exact."
            }
            Self::Backtracking => {
                "A walk: to the cell beside it that seems nearest to the goal and was not visited yet; where there is none, a \
                 step back. It comes there if there is a way, on a path that shows its errors."
            }
        }
    }
}

impl FromStr for Method {
    type Err = String;

    /// The names are those of the command line `tilepath`.
    fn from_str(text: &str) -> Result<Self, String> {
        Self::ALL.into_iter().find(|method| method.on_grids().name() == text).ok_or_else(|| {
            let names: Vec<&str> = Self::ALL.iter().map(|method| method.on_grids().name()).collect();
            format!("say {}", names.join(", "))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn methods_have_the_names_of_the_command_line() {
        assert_eq!("jps".parse(), Ok(Method::JumpPoint));
        assert!("quickest".parse::<Method>().unwrap_err().contains("breadth-first"));
    }
}

//! The target of a search, chosen by what is reachable.

use crate::{
    finder::{
        query::{Algorithm, PathQuery},
        reachability::Reachability,
    },
    jump_point::goals::SeveralGoals,
    regions::ClosestCells,
    search::Heuristic,
    space::{grid::GridNode, octile_distance::OctileDistance},
};

/// The target of a search.
pub(crate) struct Target {
    /// The goal itself, or a cell that is closest to it. `None` if the answer is known without a
    /// search.
    pub(crate) node: Option<GridNode>,
    /// The algorithm to use.
    pub(crate) algorithm: Algorithm,
    /// The closest cells, if there are several. The search towards the goal finds the cheapest of
    /// them.
    pub(crate) tied: Option<ClosestCells>,
    /// The tied cells as goals for jump points; `None` for other algorithms.
    pub(crate) told: Option<SeveralGoals>,
}

impl Target {
    pub(crate) fn of(
        query: &PathQuery,
        algorithm: Algorithm,
        [start, goal]: [GridNode; 2],
        metric: OctileDistance,
        reach: Reachability,
    ) -> Self {
        let one = |node| Self { node, algorithm, tied: None, told: None };
        let cells = match reach {
            Reachability::Reachable | Reachability::Unknown | Reachability::Undecided => {
                return one(Some(goal));
            }
            Reachability::Unreachable => return one(None),
            Reachability::Closest(cells, _) => cells,
        };
        if let Some(&[only]) = cells.listed() {
            return one(Some(only));
        }
        if cells.distance() == u64::from(metric.estimate(start).get()) {
            return one(Some(start));
        }
        if algorithm != Algorithm::JumpPoint {
            return Self { node: Some(goal), algorithm, tied: Some(cells), told: None };
        }
        // With a limit, expansions must come from one search. On hexagons, jumps have one goal.
        let few = cells.listed().filter(|_| query.limit().is_none() && !metric.metric().is_hexagonal());
        let told = few.and_then(|cells| SeveralGoals::new(cells, goal));
        // Jump points skip cells that may tie for the closest, unless these cells are goals.
        let algorithm = if told.is_some() { algorithm } else { Algorithm::AStar };
        Self { node: Some(goal), algorithm, tied: Some(cells), told }
    }
}

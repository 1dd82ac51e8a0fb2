//! Where a search must lead, once it is known what can be reached.

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

/// Where a search must lead.
pub(crate) struct Target {
    /// The goal itself, or a cell that is closest to it; `None` where the answer is known without a search.
    pub(crate) node: Option<GridNode>,
    /// What finds it.
    pub(crate) algorithm: Algorithm,
    /// Several cells are closest, and the search towards the goal finds out which one costs least.
    pub(crate) tied: Option<ClosestCells>,
    /// These cells, where the search must be told of them because it takes jump points.
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
        if cells.distance() == u64::from(metric.estimate(start).get()) {
            return one(Some(start));
        }
        if let Some(&[only]) = cells.listed() {
            return one(Some(only));
        }
        if algorithm == Algorithm::Near {
            // Any of them will do, and one is a goal like others.
            let nearest = |cells: &[GridNode]| {
                cells.iter().copied().min_by_key(|cell| (cell.distance(start), cell.packed()))
            };
            if let Some(nearest) = cells.listed().and_then(nearest) {
                return one(Some(nearest));
            }
            return Self { node: Some(goal), algorithm: Algorithm::AStar, tied: Some(cells), told: None };
        }
        if algorithm != Algorithm::JumpPoint {
            return Self { node: Some(goal), algorithm, tied: Some(cells), told: None };
        }
        // A limit counts what one search expands, and jumps on hexagons have one goal.
        let few = cells.listed().filter(|_| query.limit().is_none() && !metric.metric().is_hexagonal());
        let told = few.and_then(SeveralGoals::new);
        // Only jump points and goals are expanded, and cells that tie for the closest may lie between them.
        let algorithm = if told.is_some() { algorithm } else { Algorithm::AStar };
        Self { node: Some(goal), algorithm, tied: Some(cells), told }
    }
}

//! Where a search must lead, once it is known what can be reached.

use crate::{
    finder::{
        closest::rivals::Rivals,
        query::{Algorithm, PathQuery},
        reachability::Reachability,
        snapshot::MapSnapshot,
    },
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
    /// Several cells are closest, and a way to each is searched.
    pub(crate) rivals: Option<Rivals>,
}

impl Target {
    pub(crate) fn of(
        map: &MapSnapshot,
        query: &PathQuery,
        algorithm: Algorithm,
        [start, goal]: [GridNode; 2],
        metric: OctileDistance,
        reach: Reachability,
    ) -> Self {
        let one = |node| Self { node, algorithm, tied: None, rivals: None };
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
        if algorithm != Algorithm::JumpPoint {
            return Self { node: Some(goal), algorithm, tied: Some(cells), rivals: None };
        }
        // A limit counts what one search expands.
        let few = cells.listed().filter(|_| query.limit().is_none());
        match few.and_then(|cells| Rivals::new(map, start, cells)) {
            Some((first, others)) => Self { node: Some(first), algorithm, tied: None, rivals: Some(others) },
            // Only jump points and the goal are expanded, and cells that tie for the closest may lie between them.
            None => Self { node: Some(goal), algorithm: Algorithm::AStar, tied: Some(cells), rivals: None },
        }
    }
}

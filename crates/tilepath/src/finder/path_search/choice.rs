//! The choice of the algorithm that answers a query.

use crate::{
    finder::{
        heuristic_kind::HeuristicKind,
        outcome::QueryError,
        query::{Algorithm, PathQuery},
        snapshot::MapSnapshot,
    },
    jump_point,
    landmarks::distance::Guidance,
};

/// Returns whether landmarks may lead an exact search for the answer to a query.
fn is_led(map: &MapSnapshot, query: &PathQuery) -> bool {
    map.landmarks.is_some() && query.guidance(Algorithm::AStar) != Guidance::Never
}

/// Returns the algorithm that runs a query.
pub(crate) fn resolve(map: &MapSnapshot, query: &PathQuery) -> Result<Algorithm, QueryError> {
    let has_jump_points = jump_point::is_applicable(&map.movement_map, &map.bounds);
    Ok(match query.algorithm() {
        Algorithm::WeightedAStar { percent } if percent < 100 => {
            return Err(QueryError::InvalidWeight { percent });
        }
        Algorithm::JumpPoint if !has_jump_points => return Err(QueryError::NoJumpPoints),
        Algorithm::Auto
            if has_jump_points
                && query.heuristic() == HeuristicKind::Octile
                && jump_point::is_faster_than_astar(&map.movement_map, is_led(map, query)) =>
        {
            Algorithm::JumpPoint
        }
        Algorithm::Auto | Algorithm::WeightedAStar { percent: 100 } => Algorithm::AStar,
        chosen => chosen,
    })
}

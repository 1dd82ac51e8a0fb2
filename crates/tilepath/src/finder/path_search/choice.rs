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
    movement_map::kept_portals::SIDE,
    space::grid::GridNode,
};

/// Returns whether landmarks may lead an exact search for the answer to a query.
fn is_led(map: &MapSnapshot, query: &PathQuery) -> bool {
    map.landmarks.is_some() && query.guidance(Algorithm::AStar) != Guidance::Never
}

/// Returns the algorithm that runs a query.
pub(crate) fn resolve(map: &MapSnapshot, query: &PathQuery) -> Result<Algorithm, QueryError> {
    if matches!(query.algorithm(), Algorithm::Near | Algorithm::Within { .. }) {
        return resolve_near(map, query);
    }
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

/// Returns the algorithm that answers a query for a near path, or for a path within a percentage.
///
/// # Errors
/// [`QueryError::InvalidWeight`] if the percentage is less than 100.
fn resolve_near(map: &MapSnapshot, query: &PathQuery) -> Result<Algorithm, QueryError> {
    /// The largest distance of a goal that is searched exactly, in steps.
    const CLOSE: u32 = SIDE;
    match query.algorithm() {
        Algorithm::Within { percent } if percent < 100 => return Err(QueryError::InvalidWeight { percent }),
        Algorithm::Within { percent: 100 } => return Ok(exact(map, query)),
        // Landmarks lead an exact search to its end before a near path is found and proven.
        Algorithm::Within { .. } if is_led(map, query) => return Ok(exact(map, query)),
        _ => {}
    }
    let [start, goal] = [query.start(), query.goal()].map(|cell| GridNode::of(&map.bounds, cell));
    let (Some(start), Some(goal)) = (start, goal) else { return Ok(exact(map, query)) };
    // A unit on closed ground has its own map, and no preprocessing of it is kept.
    let borrows = map.movement_map.is_large() && !map.movement_map.is_passable(start.x(), start.y());
    let exact = exact(map, query);
    let is_exact_faster = exact == Algorithm::JumpPoint || start.distance(goal) <= CLOSE;
    Ok(if borrows || is_exact_faster { exact } else { Algorithm::Near })
}

/// Returns the algorithm that finds a cheapest path.
pub(super) fn exact(map: &MapSnapshot, query: &PathQuery) -> Algorithm {
    resolve(map, &query.with_algorithm(Algorithm::Auto)).unwrap_or(Algorithm::AStar)
}

//! The choice of the algorithm that answers a query.
//!
//! Decision: `docs/decisions/64-choice-by-near-samples.md`.

use super::sampling::samples;
use crate::{
    finder::{
        heuristic_kind::HeuristicKind,
        outcome::QueryError,
        query::{Algorithm, PathQuery},
        snapshot::MapSnapshot,
    },
    jump_point::{self, JumpKind},
    landmarks::distance::Guidance,
    movement_map::neighbour_masks::CellCounts,
};

/// The share of open cells at corners from which A* may be chosen. On emptier ground near searches
/// see no walls, but far searches do: among long walls, A* takes up to 245 times as long there.
const LEAST_CORNERS_PERCENT: usize = 5;
/// The share from which landmarks make A* faster than jump points: it takes 0.33 to 1.0 of the time
/// from 0.44 on, and 1.2 to 1.7 times as long at 0.34.
const LED_CORNERS_PERCENT: usize = 40;

/// Returns the algorithm that runs a query.
pub(crate) fn resolve(map: &MapSnapshot, query: &PathQuery) -> Result<Algorithm, QueryError> {
    match query.algorithm() {
        Algorithm::WeightedAStar { percent } if percent < 100 => Err(QueryError::InvalidWeight { percent }),
        Algorithm::JumpPoint if !jump_point::is_applicable(&map.movement_map, &map.bounds) => {
            Err(QueryError::NoJumpPoints)
        }
        Algorithm::WeightedAStar { percent: 100 } => Ok(Algorithm::AStar),
        Algorithm::Auto => Ok(known(map, query).unwrap_or_else(|| by_samples(map))),
        chosen => Ok(chosen),
    }
}

/// Returns whether the choice for a query needs the samples of near searches.
pub(super) fn needs_samples(map: &MapSnapshot, query: &PathQuery) -> bool {
    query.algorithm() == Algorithm::Auto && known(map, query).is_none()
}

/// Returns the automatic choice if it needs no samples.
fn known(map: &MapSnapshot, query: &PathQuery) -> Option<Algorithm> {
    let has_jump_points = jump_point::is_applicable(&map.movement_map, &map.bounds);
    if !has_jump_points || query.heuristic() != HeuristicKind::Octile {
        return Some(Algorithm::AStar);
    }
    let CellCounts { corners, open, .. } = map.movement_map.cell_counts();
    let is_led = map.landmarks.is_some() && query.guidance(Algorithm::AStar) != Guidance::Never;
    if is_led && corners * 100 >= open * LED_CORNERS_PERCENT {
        return Some(Algorithm::AStar);
    }
    // In four directions, jump points take at most 1.07 times as long as A* on random maps.
    let are_jumps_faster =
        corners * 100 < open * LEAST_CORNERS_PERCENT || JumpKind::of(&map.movement_map) == JumpKind::FourWays;
    are_jumps_faster.then_some(Algorithm::JumpPoint)
}

/// Returns the algorithm that takes less work in the samples.
fn by_samples(map: &MapSnapshot) -> Algorithm {
    let (jumps, steps) =
        samples(map).fold((0, 0), |(jumps, steps), sample| (jumps + sample.jumps, steps + sample.steps));
    if jumps <= steps { Algorithm::JumpPoint } else { Algorithm::AStar }
}

//! The choice of the algorithm that answers a query.
//!
//! Decision: `docs/decisions/64-choice-by-near-samples.md`.

use std::sync::Arc;

use crate::{
    bit_grid::BitGrid,
    cell::Direction,
    finder::{
        closest::Closest,
        grid_engine::{GridEngine, SearchProfile},
        heuristic_kind::HeuristicKind,
        outcome::QueryError,
        query::{Algorithm, PathQuery},
        scratch::ScratchPool,
        snapshot::MapSnapshot,
    },
    grid::Grid,
    jump_point::{self, JumpKind},
    landmarks::distance::Guidance,
    movement::Movement,
    movement_map::{
        MovementMap,
        area::Area,
        near_samples::{NearSample, Windows},
        neighbour_masks::CellCounts,
    },
    space::{grid::GridNode, octile_distance::OctileDistance},
};

/// The share of open cells at corners from which A* may be chosen. On emptier ground near searches
/// see no walls, but far searches do: among long walls, A* takes up to 245 times as long there.
const LEAST_CORNERS_PERCENT: usize = 5;
/// The share from which landmarks make A* faster than jump points: it takes 0.33 to 1.0 of the time
/// from 0.44 on, and 1.2 to 1.7 times as long at 0.34.
const LED_CORNERS_PERCENT: usize = 40;
/// The work after which a search of a sample stops.
const MAX_WORK: u64 = 1000;
/// Cells of a window that are copied, labelled and prepared for one unit of work.
const CELLS_PREPARED: u64 = 8;

/// For each window, the columns and rows from the start to the goal, on a window of 64 × 64 cells.
/// They are 16 to 32 cells apart, in sixteen directions; windows side by side differ by a right
/// angle or by half of one.
const AIMS: [(i32, i32); 16] = [
    (20, 2),
    (-6, 27),
    (14, 15),
    (-26, 22),
    (4, 32),
    (28, -12),
    (-19, 17),
    (12, 24),
    (-30, 9),
    (9, 17),
    (27, 19),
    (-13, 28),
    (32, -4),
    (-3, 20),
    (22, 11),
    (-20, 27),
];

/// Returns the algorithm that runs a query.
pub(crate) fn resolve(map: &MapSnapshot, query: &PathQuery) -> Result<Algorithm, QueryError> {
    match query.algorithm() {
        Algorithm::WeightedAStar { percent } if percent < 100 => Err(QueryError::InvalidWeight { percent }),
        // The steps of a chain off closed ground are listed one by one.
        Algorithm::JumpPoint if map.movement_map.chain().is_some() => Ok(Algorithm::AStar),
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

/// Returns the samples of all windows of a map on which jump points apply, row by row. Samples that
/// are not known yet are made.
///
/// # Complexity
/// O(1) if all samples are known. A sample that is made takes at most about 3,000 units of work.
pub(super) fn samples(map: &MapSnapshot) -> impl Iterator<Item = NearSample> {
    let (windows, mut pool) = (Windows::of(&map.bounds), None);
    windows.areas().zip(AIMS).enumerate().map(move |(window, (area, aim))| {
        let make = || sample(&map.movement_map, &area, aim, pool.get_or_insert_default());
        map.movement_map.near_samples().get(window, make)
    })
}

/// Runs both algorithms in a window of the map.
fn sample(movement_map: &MovementMap, area: &Area, aim: (i32, i32), pool: &Arc<ScratchPool>) -> NearSample {
    let rows = movement_map.rows();
    let classes: Vec<u8> = area.cells().map(|(x, y)| u8::from(rows.get(x, y))).collect();
    let prepared = classes.len() as u64 / CELLS_PREPARED;
    let (width, height) = (area.columns.len() as u32, area.rows.len() as u32);
    let whole = movement_map.movement();
    let movement = Movement::new().with_diagonals(whole.diagonals()).with_steps(whole.steps());
    let ends = Grid::from_classes(width, height, classes).ok().and_then(|grid| {
        let grid = grid.with_topology(movement_map.topology());
        let map = MapSnapshot::new(&grid, Arc::new(MovementMap::new(&grid, movement)));
        ends(&map, aim).map(|ends| (map, ends))
    });
    let Some((map, ends)) = ends else { return NearSample { made_by: prepared, ..NearSample::default() } };
    let [jumps, steps] =
        [Algorithm::JumpPoint, Algorithm::AStar].map(|algorithm| work(&map, pool, algorithm, ends));
    NearSample { jumps, steps, made_by: prepared + jumps + steps }
}

/// Returns the work of a search, up to about `MAX_WORK`.
fn work(
    map: &MapSnapshot,
    pool: &Arc<ScratchPool>,
    algorithm: Algorithm,
    [start, goal]: [GridNode; 2],
) -> u64 {
    let profile = SearchProfile {
        algorithm,
        estimate: HeuristicKind::Octile,
        skips_pruning: false,
        ties: None,
        tied: None,
        guidance: Guidance::Never,
        is_metered: true,
    };
    let metric = OctileDistance::of_cost_one(&map.movement_map, goal);
    let mut observer = Closest::new(metric, start, false, None, None);
    let mut engine = GridEngine::open(map, pool, profile, start, goal);
    engine.advance(map, &mut observer, MAX_WORK, u64::MAX, None).1
}

/// Returns a start and a goal in the largest region of a window, as near as possible to two places
/// with the middle of the window between them. Returns `None` if no region has two cells.
fn ends(map: &MapSnapshot, (dx, dy): (i32, i32)) -> Option<[GridNode; 2]> {
    let cells = largest_region(map);
    let (width, height) = (map.bounds.width() as i32, map.bounds.height() as i32);
    // Doubled, because the middle may lie between two cells.
    let doubled = (dx * width / 64, dy * height / 64);
    let nearest = |sign: i32| {
        let distance = |node: &GridNode| {
            let columns = 2 * node.x() as i32 + 1 - width - sign * doubled.0;
            let rows = 2 * node.y() as i32 + 1 - height - sign * doubled.1;
            (columns * columns + rows * rows, node.packed())
        };
        cells.iter().copied().min_by_key(distance)
    };
    nearest(-1).zip(nearest(1)).map(|(start, goal)| [start, goal]).filter(|[start, goal]| start != goal)
}

/// Returns the cells of the largest region of open cells.
fn largest_region(map: &MapSnapshot) -> Vec<GridNode> {
    let (width, height) = (map.bounds.width(), map.bounds.height());
    let mut seen = BitGrid::new(width, height);
    let (mut largest, mut region) = (Vec::new(), Vec::new());
    for (x, y) in Area::all(width, height).cells() {
        if !map.movement_map.is_passable(x, y) || seen.get(x, y) {
            continue;
        }
        region.clear();
        region.push(GridNode::new(x, y));
        seen.set(x, y, true);
        let mut expanded = 0;
        while let Some(&node) = region.get(expanded) {
            expanded += 1;
            let moves = map.movement_map.moves(node.x(), node.y());
            for direction in Direction::ALL.into_iter().filter(|&direction| moves >> direction as u8 & 1 == 1)
            {
                let (dx, dy) = direction.offset();
                let next = node.offset(dx, dy);
                if !seen.get(next.x(), next.y()) {
                    seen.set(next.x(), next.y(), true);
                    region.push(next);
                }
            }
        }
        if region.len() > largest.len() {
            std::mem::swap(&mut region, &mut largest);
        }
    }
    largest
}

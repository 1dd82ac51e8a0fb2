//! Queries of every algorithm on maps of every kind.

use std::hash::Hasher;

use fnv::FnvHasher;
use rand::Rng;
use testkit::{Seed, TileMap};
use tilepath::{
    Algorithm, Cell, Diagonals, Grid, LandmarkCount, Movement, MovementId, Outcome, PathFinder, PathQuery,
    Size, Topology,
};

const SIDE: u32 = 48;
const PAIRS: u32 = 12;

const ALGORITHMS: [Algorithm; 8] = [
    Algorithm::Auto,
    Algorithm::AStar,
    Algorithm::Dijkstra,
    Algorithm::JumpPoint,
    Algorithm::Greedy,
    Algorithm::WeightedAStar { percent: 130 },
    Algorithm::BreadthFirst,
    Algorithm::Backtracking,
];

/// Returns the hash of all answers: cells, costs, lengths, and the numbers of expanded cells.
pub(crate) fn hash() -> u64 {
    let mut hasher = FnvHasher::default();
    let seed = |name: &str| Seed::named(&format!("determinism {name}"));
    let maps: [TileMap; 5] = [
        testkit::cluttered(SIDE, SIDE, 25, &seed("cluttered")),
        testkit::rooms(SIDE, SIDE, 6, &seed("rooms")),
        testkit::maze(SIDE, SIDE, 1, &seed("maze")),
        testkit::caves(SIDE, SIDE, &seed("caves")),
        testkit::terrain(SIDE, SIDE, 4, 14, &seed("terrain")),
    ];
    for map in maps {
        let grid = Grid::from_classes(SIDE, SIDE, map.classes).expect("the maps are small");
        for diagonals in Diagonals::ALL {
            for side in [1, 2] {
                let size = Size::new(side).expect("a size from 1 to 8");
                add(
                    &mut hasher,
                    &map.name,
                    grid.clone(),
                    Movement::new().with_diagonals(diagonals).with_size(size),
                );
            }
        }
        let hexagons = grid.with_topology(Topology::Hexagonal);
        add(&mut hasher, &map.name, hexagons, Movement::new());
    }
    hasher.finish()
}

/// Adds the answers on one map for one movement.
fn add(hasher: &mut FnvHasher, name: &str, grid: Grid, movement: Movement) {
    let mut finder = PathFinder::new(grid, movement);
    finder
        .make_landmarks(MovementId::FIRST, LandmarkCount::ByMap)
        .expect("every finder has a first movement");
    let mut random = Seed::named(name).generator();
    let mut cell = || Cell::new(random.random_range(0..SIDE as i32), random.random_range(0..SIDE as i32));
    for _ in 0..PAIRS {
        let query = PathQuery::new(cell(), cell()).or_closest();
        for algorithm in ALGORITHMS {
            let Ok(answer) = finder.solve(&query.with_algorithm(algorithm)) else {
                // Not every algorithm fits every map, and not every cell fits a large unit.
                hasher.write_u64(u64::MAX);
                continue;
            };
            hasher.write_u64(answer.statistics.expanded);
            let path = match &answer.outcome {
                Outcome::Found(path) | Outcome::LimitReached { best: path, .. } => Some(path),
                Outcome::Unreachable { closest } => closest.as_ref(),
            };
            let Some(path) = path else { continue };
            hasher.write_u64(u64::from(path.cost().get()));
            hasher.write_u64(path.length().to_bits());
            for cell in path.cells() {
                hasher.write_u64(u64::from(cell.x as u32) << 32 | u64::from(cell.y as u32));
            }
        }
    }
}

//! Timings of searches on hexagons.
//!
//! An expansion is compared with one on squares of the same ground. With the feature `peers`, whole
//! queries are compared with tilepath's A*, with `hexx` and with `pathfinding`; all use the same
//! costs.

use std::time::{Duration, Instant};

use testkit::{Seed, TileMap};
use tilepath::{Algorithm, Cell, Grid, Movement, PathFinder, PathQuery, Topology};

const SIDE: u32 = 256;
const QUERIES: usize = 40;
const ROUNDS: usize = 7;

fn finder(map: &TileMap, topology: Topology) -> PathFinder {
    let grid =
        Grid::from_classes(map.width, map.height, map.classes.clone()).expect("the map is within limits");
    PathFinder::new(grid.with_topology(topology), Movement::new())
}

fn maps() -> Vec<TileMap> {
    let seed = Seed::named("hexagons");
    vec![
        testkit::open(SIDE, SIDE),
        testkit::caves(SIDE, SIDE, &seed),
        testkit::cluttered(SIDE, SIDE, 25, &seed),
        testkit::maze(SIDE, SIDE, 3, &seed),
        testkit::terrain(SIDE, SIDE, 9, 20, &seed),
        testkit::noise(SIDE, SIDE, 9, 10, &seed),
    ]
}

fn timed<T>(run: impl FnOnce() -> T) -> (Duration, T) {
    let before = Instant::now();
    let result = std::hint::black_box(run());
    (before.elapsed(), result)
}

/// The cost of the cheapest path of each query.
type Costs = Vec<Option<u32>>;

fn solve(finder: &PathFinder, queries: &[(Cell, Cell)], algorithm: Algorithm) -> (Costs, u64) {
    let mut expanded = 0;
    let costs = queries.iter().map(|&(from, to)| {
        let query = PathQuery::new(from, to).with_algorithm(algorithm);
        let answer = finder.solve(&query).expect("both ends are on the map");
        expanded += answer.statistics.expanded;
        answer.outcome.path().map(|path| path.cost().get())
    });
    (costs.collect(), expanded)
}

/// The nanoseconds of an expansion, in the fastest round.
struct Fastest(f64);

impl Fastest {
    fn note(&mut self, time: Duration, count: f64) {
        self.0 = self.0.min(time.as_nanos() as f64 / count);
    }
}

fn main() {
    println!("| map | A* on squares, ns an expansion | on hexagons | ratio |\n|---|--:|--:|--:|");
    for map in maps() {
        let queries: Vec<(Cell, Cell)> = (map.queries(QUERIES, &Seed::named("queries")).into_iter())
            .map(|(from, to)| (from.into(), to.into()))
            .collect();
        let finders = [Topology::Square, Topology::Hexagonal].map(|topology| finder(&map, topology));
        let mut fastest = [Fastest(f64::INFINITY), Fastest(f64::INFINITY)];
        for _ in 0..ROUNDS {
            for (finder, fastest) in finders.iter().zip(&mut fastest) {
                let (time, (_, expanded)) = timed(|| solve(finder, &queries, Algorithm::AStar));
                fastest.note(time, expanded.max(1) as f64);
            }
        }
        let [squares, hexagons] = fastest.map(|fastest| fastest.0);
        println!("| {} | {squares:.1} | {hexagons:.1} | {:.2} |", map.name, hexagons / squares);
    }
    #[cfg(feature = "peers")]
    peers::compare();
}

#[cfg(feature = "peers")]
mod peers {
    use super::{Costs, Fastest, QUERIES, ROUNDS, finder, maps, solve, timed};
    use hexx::{Hex, algorithms::a_star};
    use pathfinding::directed::astar::astar;
    use testkit::{Seed, TileMap};
    use tilepath::{Algorithm, Cell, Topology};

    const STRAIGHT: u32 = 10;

    /// Returns the cost of a step onto a cell.
    fn entry_cost(map: &TileMap, x: i32, y: i32) -> Option<u32> {
        let (x, y) = (u32::try_from(x).ok()?, u32::try_from(y).ok()?);
        let class = (x < map.width && y < map.height).then(|| map.classes[(y * map.width + x) as usize])?;
        (class > 0).then_some(STRAIGHT * u32::from(class))
    }

    fn least(map: &TileMap) -> u32 {
        STRAIGHT * u32::from(map.classes.iter().copied().filter(|&class| class > 0).min().unwrap_or(1))
    }

    fn by_hexx(map: &TileMap, queries: &[(Cell, Cell)]) -> Costs {
        // The heuristic of `a_star` counts steps, so costs are divided by the cost of a step on the
        // cheapest ground.
        let hex = |cell: Cell| Hex::new(cell.x, cell.y);
        let way = |&(from, to): &(Cell, Cell)| {
            let way =
                a_star(hex(from), hex(to), |_, to| entry_cost(map, to.x, to.y).map(|cost| cost / STRAIGHT))?;
            Some(way.iter().skip(1).filter_map(|cell| entry_cost(map, cell.x, cell.y)).sum())
        };
        queries.iter().map(way).collect()
    }

    fn by_pathfinding(map: &TileMap, queries: &[(Cell, Cell)]) -> Costs {
        const SIX: [(i32, i32); 6] = [(0, 1), (1, 0), (1, -1), (0, -1), (-1, 0), (-1, 1)];
        let least = least(map);
        let way = |&(from, to): &(Cell, Cell)| {
            let steps = |&(x, y): &(i32, i32)| {
                let (dx, dy) = (x - to.x, y - to.y);
                dx.unsigned_abs().max(dy.unsigned_abs()).max((dx + dy).unsigned_abs())
            };
            let successors = |&(x, y): &(i32, i32)| {
                SIX.into_iter().filter_map(move |(dx, dy)| {
                    let (x, y) = (x + dx, y + dy);
                    Some(((x, y), entry_cost(map, x, y)?))
                })
            };
            let is_goal = |&cell: &(i32, i32)| cell == (to.x, to.y);
            astar(&(from.x, from.y), successors, |cell| steps(cell) * least, is_goal).map(|(_, cost)| cost)
        };
        queries.iter().map(way).collect()
    }

    /// Times whole queries, and compares all costs.
    pub(crate) fn compare() {
        println!(
            "\n| map | tilepath, µs a query | its A* ÷ | hexx ÷ | pathfinding ÷ |\n|---|--:|--:|--:|--:|"
        );
        for map in maps() {
            let queries: Vec<(Cell, Cell)> = (map.queries(QUERIES, &Seed::named("queries")).into_iter())
                .map(|(from, to)| (from.into(), to.into()))
                .collect();
            let ours = finder(&map, Topology::Hexagonal);
            let mut fastest = [f64::INFINITY; 4].map(Fastest);
            for _ in 0..ROUNDS.min(3) {
                let (time, (costs, _)) = timed(|| solve(&ours, &queries, Algorithm::Auto));
                fastest[0].note(time, 1000.0 * queries.len() as f64);
                let (time, (plain, _)) = timed(|| solve(&ours, &queries, Algorithm::AStar));
                fastest[1].note(time, 1000.0 * queries.len() as f64);
                assert_eq!(costs, plain, "{}: A*", map.name);
                let (time, theirs) = timed(|| by_hexx(&map, &queries));
                fastest[2].note(time, 1000.0 * queries.len() as f64);
                assert_eq!(costs, theirs, "{}: hexx", map.name);
                let (time, theirs) = timed(|| by_pathfinding(&map, &queries));
                fastest[3].note(time, 1000.0 * queries.len() as f64);
                assert_eq!(costs, theirs, "{}: pathfinding", map.name);
            }
            let [ours, others @ ..] = fastest.map(|fastest| fastest.0);
            let [astar, hexx, pathfinding] = others.map(|theirs| theirs / ours);
            println!("| {} | {ours:.1} | {astar:.1} | {hexx:.1} | {pathfinding:.1} |", map.name);
        }
    }
}

//! The work of led searches on a map that becomes cheaper all day, against searches without landmarks.

use testkit::{Seed, TileMap};
use tilepath::{
    Algorithm, Cell, Cost, Edit, Grid, LandmarkCount, LandmarkStatus, Movement, MovementId, PathFinder,
    PathQuery,
};

const FIRST: MovementId = MovementId::FIRST;
const EIGHT: LandmarkCount = LandmarkCount::Exactly(8);
/// The cells of tables that are made in a tick.
const CELLS_A_TICK: u64 = 10_000;
const TICKS_A_SECOND: u64 = 60;

/// The order in which tiles of the cheapest ground are laid.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Tiles {
    /// Anywhere.
    Scattered,
    /// Along five roads in turn.
    Roads,
}

/// A map of 512 × 512 cells with eight landmarks.
struct Scene {
    map: TileMap,
    finder: PathFinder,
    seed: Seed,
    roads: Vec<Vec<(i32, i32)>>,
    drawn: Vec<((i32, i32), (i32, i32))>,
    laid: usize,
}

impl Scene {
    fn new(map: TileMap, seed: &str) -> Self {
        let grid = Grid::from_classes(map.width, map.height, map.classes.clone()).unwrap();
        let mut finder = PathFinder::new(grid, Movement::new());
        finder.make_landmarks(FIRST, EIGHT).unwrap();
        let seed = Seed::named(seed);
        let drawn = map.queries(60_000, &seed);
        Self { map, finder, seed, roads: vec![Vec::new(); 5], drawn, laid: 0 }
    }

    fn hills(seed: &str) -> Self {
        Self::new(testkit::terrain(512, 512, 9, 10, &Seed::named(seed)), seed)
    }

    fn noise(seed: &str) -> Self {
        Self::new(testkit::noise(512, 512, 9, 10, &Seed::named(seed)), seed)
    }

    /// Lays the next tile that makes a cell cheaper.
    fn lay(&mut self, tiles: Tiles) {
        loop {
            let at = match tiles {
                Tiles::Scattered => self.drawn.pop().unwrap().0,
                Tiles::Roads => {
                    let road = &mut self.roads[self.laid % 5];
                    if road.is_empty() {
                        let ((x, y), (to_x, to_y)) = self.drawn.pop().unwrap();
                        let most = (to_x - x).abs().max((to_y - y).abs()).max(1);
                        road.extend(
                            (0..=most).map(|n| (x + (to_x - x) * n / most, y + (to_y - y) * n / most)),
                        );
                    }
                    road.pop().unwrap()
                }
            };
            let slot = self.map.slot(at);
            if self.map.classes[slot] > 1 {
                self.map.classes[slot] = 1;
                self.finder.set_terrain(Cell::from(at), 1).unwrap();
                self.laid += 1;
                return;
            }
        }
    }

    /// Returns queries of this many steps at least and at most.
    fn queries(&self, count: usize, steps: std::ops::RangeInclusive<i32>) -> Vec<PathQuery> {
        let drawn = self.map.queries(100_000, &Seed::named(&format!("{:?} queries", self.seed)));
        let steps_of = |&((x, y), (to_x, to_y)): &((i32, i32), (i32, i32))| (x - to_x).abs().max((y - to_y).abs());
        let drawn = drawn.into_iter().filter(|ends| steps.contains(&steps_of(ends)));
        let queries = drawn.map(|(from, to)| PathQuery::new(from.into(), to.into()));
        let queries = queries.map(|query| query.with_algorithm(Algorithm::AStar));
        queries.filter(|query| self.finder.is_reachable(query) == Ok(true)).take(count).collect()
    }
}

/// Returns the work of some searches, terms of patches included, and the costs of the paths.
fn work_of(finder: &PathFinder, queries: impl Iterator<Item = PathQuery>) -> (u64, Vec<Cost>) {
    let (mut work, mut costs, mut expanded) = (0, Vec::new(), 0);
    for query in queries {
        let mut search = finder.begin(&query).unwrap();
        search.advance(u64::MAX);
        work += search.work();
        expanded += search.statistics().expanded;
        costs.push(search.finish().unwrap().outcome.path().unwrap().cost());
    }
    if std::env::var("SHOW").is_ok() { print!("[work {work}, expanded {expanded}] "); }
    (work, costs)
}

/// Returns the work of led searches as a share of that of searches without landmarks.
fn share(finder: &PathFinder, queries: &[PathQuery]) -> f64 {
    let alone = || queries.iter().map(|query| query.without_landmarks());
    // The first searches pay for the map.
    work_of(finder, alone());
    let (without, cheapest) = work_of(finder, alone());
    let (with, costs) = work_of(finder, queries.iter().copied());
    assert_eq!(costs, cheapest);
    with as f64 / without as f64
}

/// Returns the shares at some seconds, while tiles are laid.
fn shares(mut scene: Scene, tiles: Tiles, tiles_a_second: u64, seconds: &[u64]) -> Vec<f64> {
    let queries = scene.queries(20, 128..=512);
    let mut shares = Vec::new();
    for tick in 1..=seconds.last().unwrap() * TICKS_A_SECOND {
        while (scene.laid as u64) < tick * tiles_a_second / TICKS_A_SECOND {
            scene.lay(tiles);
        }
        scene.finder.advance_landmarks(FIRST, EIGHT, CELLS_A_TICK).unwrap();
        if seconds.iter().any(|second| second * TICKS_A_SECOND == tick) {
            shares.push(share(&scene.finder, &queries));
        }
    }
    shares
}

#[test]
fn explore() {
    let seeds = std::env::var("SEEDS").unwrap_or("one".into());
    for seed in seeds.split(',') {
        for (name, of) in [("hills", Scene::hills as fn(&str) -> Scene), ("noise", Scene::noise)] {
            for (tiles, rate) in [(Tiles::Scattered, 5), (Tiles::Roads, 20), (Tiles::Roads, 50), (Tiles::Scattered, 50)] {
                let shares = shares(of(seed), tiles, rate, &[1, 3, 10, 20]);
                println!("{seed} {name} {tiles:?} {rate}: gains {:.2?}", shares.iter().map(|s| 1.0 / s).collect::<Vec<_>>());
            }
        }
    }
}

#[test]
fn short() {
    let seeds = std::env::var("SEEDS").unwrap_or("one".into());
    for seed in seeds.split(',') {
        for (name, of) in [("hills", Scene::hills as fn(&str) -> Scene), ("noise", Scene::noise)] {
            for (tiles, count) in [(Tiles::Scattered, 64), (Tiles::Roads, 300)] {
                let mut scene = of(seed);
                let long = scene.queries(400, 1..=40);
                work_of(&scene.finder, long.iter().copied());
                work_of(&scene.finder, long.iter().map(|q| q.without_landmarks()));
                print!("\n{seed} {name} {tiles:?}: before led ");
                let fresh = work_of(&scene.finder, long.iter().copied()).0;
                for _ in 0..count { scene.lay(tiles); }
                assert_eq!(scene.finder.landmark_status(FIRST), Ok(LandmarkStatus::Ready(8)));
                work_of(&scene.finder, long.iter().map(|q| q.without_landmarks()));
                print!("\n unled ");
                let unled = work_of(&scene.finder, long.iter().map(|q| q.without_landmarks())).0;
                print!("\n patched ");
                let led = work_of(&scene.finder, long.iter().copied()).0;
                scene.finder.make_landmarks(FIRST, EIGHT).unwrap();
                print!("\n fresh ");
                let anew = work_of(&scene.finder, long.iter().copied()).0;
                println!("\n = {:.3} of before, {:.3} of anew, {:.3} of unled", led as f64 / fresh as f64, led as f64 / anew as f64, led as f64 / unled as f64);
            }
        }
    }
}
